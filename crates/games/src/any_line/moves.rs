//! A move whose game is known only at run time.

use crate::error::{MoveError, MoveErrorKind};
use crate::game::Game;
use crate::line::check_legal;
use crate::position::{GameMove, MoveKind, Position};

/// A move of any of the games: its code and the game.
///
/// Small and copyable, like the typed moves, and like them meaningful only
/// together with a position. The [`AnyLine`](crate::AnyLine) where it is legal
/// gives its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnyMove {
    game: Game,
    bits: u64,
}

impl AnyMove {
    /// A move of the game `P`.
    pub fn new<P: Position>(m: P::Move) -> Self {
        Self {
            game: P::GAME,
            bits: m.to_bits(),
        }
    }

    /// The move with that [code](GameMove::to_bits), as stored by a caller. Any
    /// number is accepted; a line refuses what is not legal.
    pub const fn from_bits(game: Game, bits: u64) -> Self {
        Self { game, bits }
    }

    /// The [code](GameMove::to_bits) of the move.
    pub const fn to_bits(self) -> u64 {
        self.bits
    }

    /// Which game it belongs to.
    pub const fn game(self) -> Game {
        self.game
    }

    /// The move as the game `P` has it; `None` if it belongs to another game.
    pub fn typed<P: Position>(self) -> Option<P::Move> {
        (self.game == P::GAME).then(|| P::Move::from_bits(self.bits))
    }

    /// The move as the game of this position has it, or an error that says
    /// whose it is.
    pub(super) fn of_game<P: Position>(self, _: &P) -> Result<P::Move, MoveError> {
        self.typed::<P>().ok_or_else(|| MoveError {
            text: format!("{} code {:#x}", self.game, self.bits),
            kind: MoveErrorKind::OtherGame(P::GAME),
        })
    }

    /// The same if it is legal there too.
    pub(super) fn legal_in<P: Position>(self, position: &P) -> Result<P::Move, MoveError> {
        let m = self.of_game(position)?;
        check_legal(position, m)?;
        Ok(m)
    }
}

/// The legal moves, or so many of them.
pub(super) fn legal<P: Position>(position: &P, at_most: usize) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.generate(MoveKind::All, |m| {
        if moves.len() < at_most {
            moves.push(m);
        }
    });
    moves
}
