//! A variation whose game is known only at run time.

use super::moves::AnyMove;
use super::view::{MoveView, Show};
use crate::chess::Chess;
use crate::error::MoveError;
use crate::game::{Game, Side};
use crate::gyges::Gyges;
use crate::leiser::Leiser;
use crate::liberty::Liberty;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::variation::Variation;

/// A [`Variation`] of any of the games; [`AnyLine::variation`] starts one.
///
/// [`AnyLine::variation`]: crate::AnyLine::variation
#[derive(Debug, Clone)]
pub enum AnyVariation<'a> {
    /// Chess, Chess960, double Chess960.
    Chess(Variation<'a, Chess>),
    /// Liberty Chess.
    Liberty(Variation<'a, Liberty>),
    /// Leiserchess.
    Leiser(Variation<'a, Leiser>),
    /// Gyges.
    Gyges(Variation<'a, Gyges>),
}

/// The same expression for the variation of every game.
macro_rules! match_variation {
    ($any:expr, $variation:ident => $body:expr) => {
        match $any {
            AnyVariation::Chess($variation) => $body,
            AnyVariation::Liberty($variation) => $body,
            AnyVariation::Leiser($variation) => $body,
            AnyVariation::Gyges($variation) => $body,
        }
    };
}

impl AnyVariation<'_> {
    /// Which game this is.
    pub fn game(&self) -> Game {
        match_variation!(self, variation => game_of(variation))
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        match_variation!(self, variation => variation.position().side())
    }

    /// How many moves it has, without those of the line.
    pub fn plies(&self) -> usize {
        match_variation!(self, variation => variation.moves().len())
    }

    /// The position now, in the canonical form of its game.
    pub fn position_text(&self) -> String {
        match_variation!(self, variation => variation.position().text())
    }

    /// Reads a legal move as engines write it.
    pub fn parse_move(&self, text: &str) -> Result<AnyMove, MoveError> {
        match_variation!(self, variation => read(variation, text, Position::parse_move))
    }

    /// Reads a legal move as people write it; engine text is understood too.
    pub fn parse_notation(&self, text: &str) -> Result<AnyMove, MoveError> {
        match_variation!(self, variation => read(variation, text, Position::parse_notation))
    }

    /// A legal move as engines write it.
    pub fn text_of(&self, m: AnyMove) -> Result<String, MoveError> {
        match_variation!(self, variation => {
            let position = variation.position();
            Ok(position.move_text(m.legal_in(position)?))
        })
    }

    /// A legal move as people read it.
    pub fn notation_of(&self, m: AnyMove) -> Result<String, MoveError> {
        match_variation!(self, variation => {
            let position = variation.position();
            Ok(position.notation(m.legal_in(position)?))
        })
    }

    /// A legal move in words.
    pub fn view_of(&self, m: AnyMove) -> Result<MoveView, MoveError> {
        match_variation!(self, variation => {
            let position = variation.position();
            Ok(position.view(m.legal_in(position)?))
        })
    }

    /// Plays a move, if it is legal.
    pub fn push(&mut self, m: AnyMove) -> Result<(), MoveError> {
        match_variation!(self, variation => {
            let m = m.of_game(variation.position())?;
            variation.push(m)
        })
    }

    /// Takes back its last move; those of the line stay.
    pub fn pop(&mut self) -> Option<AnyMove> {
        match_variation!(self, variation => pop(variation))
    }

    /// How often the current position has occurred, in the line or here.
    pub fn occurrences(&self) -> u32 {
        match_variation!(self, variation => variation.occurrences())
    }

    /// What the position alone decides: everything but repetition and claims.
    pub fn position_outcome(&self) -> Option<Outcome> {
        match_variation!(self, variation => variation.position().outcome())
    }

    /// Whether the game would be over here without a claim of a player.
    pub fn outcome(&self) -> Option<Outcome> {
        match_variation!(self, variation => variation.outcome())
    }

    /// The same with every draw that could be claimed taken as claimed.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        match_variation!(self, variation => variation.outcome_with_claims())
    }
}

fn game_of<P: Position>(_: &Variation<'_, P>) -> Game {
    P::GAME
}

fn read<P: Position>(
    variation: &Variation<'_, P>,
    text: &str,
    read: impl Fn(&P, &str) -> Result<P::Move, MoveError>,
) -> Result<AnyMove, MoveError> {
    read(variation.position(), text).map(AnyMove::new::<P>)
}

fn pop<P: Position>(variation: &mut Variation<'_, P>) -> Option<AnyMove> {
    variation.pop().map(AnyMove::new::<P>)
}
