//! A builder whose game is known only at run time.

use super::{BuildError, BuildErrors, PositionBuilder};
use crate::any_line::{AnyLine, PieceView, SetupError};
use crate::chess::ChessBuilder;
use crate::game::Game;
use crate::gyges::GygesBuilder;
use crate::leiser::LeiserBuilder;
use crate::liberty::LibertyBuilder;
use crate::line::Line;
use crate::position::Position;

/// A [`PositionBuilder`] of any of the games, in texts alone: pieces by the
/// letters of position texts, squares by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyBuilder {
    /// Chess, Chess960, double Chess960.
    Chess(ChessBuilder),
    /// Liberty Chess.
    Liberty(LibertyBuilder),
    /// Leiserchess.
    Leiser(LeiserBuilder),
    /// Gyges.
    Gyges(GygesBuilder),
}

/// The same expression for the builder of every game.
macro_rules! match_builder {
    ($any:expr, $builder:ident => $body:expr) => {
        match $any {
            AnyBuilder::Chess($builder) => $body,
            AnyBuilder::Liberty($builder) => $body,
            AnyBuilder::Leiser($builder) => $body,
            AnyBuilder::Gyges($builder) => $body,
        }
    };
}

impl AnyBuilder {
    /// An empty board under these rules ([`Position::rules_from_text`]).
    pub fn new(game: Game, rules: &str) -> Result<Self, SetupError> {
        Ok(match game {
            Game::Chess => Self::Chess(empty(rules)?),
            Game::Liberty => Self::Liberty(empty(rules)?),
            Game::Leiser => Self::Leiser(empty(rules)?),
            Game::Gyges => Self::Gyges(empty(rules)?),
        })
    }

    /// The current position of a line, in parts.
    pub fn of(line: &AnyLine) -> Self {
        match line {
            AnyLine::Chess(line) => Self::Chess(ChessBuilder::of(line.position())),
            AnyLine::Liberty(line) => Self::Liberty(LibertyBuilder::of(line.position())),
            AnyLine::Leiser(line) => Self::Leiser(LeiserBuilder::of(line.position())),
            AnyLine::Gyges(line) => Self::Gyges(GygesBuilder::of(line.position())),
        }
    }

    /// Which game this is.
    pub const fn game(&self) -> Game {
        match self {
            Self::Chess(_) => Game::Chess,
            Self::Liberty(_) => Game::Liberty,
            Self::Leiser(_) => Game::Leiser,
            Self::Gyges(_) => Game::Gyges,
        }
    }

    /// Puts a piece on a square, instead of what stands there.
    pub fn put(&mut self, square: &str, piece: &str) -> Result<(), BuildError> {
        match_builder!(self, builder => builder.put_text(square, piece))
    }

    /// Empties a square; whether there was anything on it.
    pub fn remove(&mut self, square: &str) -> Result<bool, BuildError> {
        match_builder!(self, builder => builder.remove_text(square))
    }

    /// Takes all pieces off the board.
    pub fn clear(&mut self) {
        match_builder!(self, builder => builder.clear());
    }

    /// Every piece that was put on the board.
    pub fn pieces(&self) -> Vec<PieceView> {
        match_builder!(self, builder => builder.pieces())
    }

    /// What there is to set beside the pieces, with the values now.
    pub fn fields(&self) -> Vec<(&'static str, String)> {
        match_builder!(self, builder => builder.fields())
    }

    /// Sets one of the [`fields`](Self::fields).
    pub fn set(&mut self, field: &str, value: &str) -> Result<(), BuildError> {
        match_builder!(self, builder => builder.set(field, value))
    }

    /// A line from the position, or everything that is wrong with it.
    pub fn build(&self) -> Result<AnyLine, BuildErrors> {
        match_builder!(self, builder => Ok(Line::new(builder.build()?).into()))
    }
}

fn empty<B: PositionBuilder>(rules: &str) -> Result<B, SetupError> {
    let rules = B::Position::rules_from_text(rules).map_err(SetupError::Rules)?;
    Ok(B::new(&rules))
}
