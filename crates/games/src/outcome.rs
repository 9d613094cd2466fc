//! How a game ends.

use core::fmt;

use crate::game::Side;

/// A finished game: who won, if there is a winner, and why it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// The rule that ended the game.
    pub reason: Reason,
}

impl Outcome {
    /// A win for `side`.
    #[inline]
    pub const fn win(side: Side, reason: Reason) -> Self {
        Self {
            winner: Some(side),
            reason,
        }
    }

    /// A draw.
    #[inline]
    pub const fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} wins by {}", self.reason),
            None => write!(f, "draw by {}", self.reason),
        }
    }
}

/// The rule that ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Reason {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Neither side can win with what is left on the board.
    Material,
    /// No sequence of legal moves leads to mate (chess dead positions other
    /// than plain lack of material).
    DeadPosition,
    /// Fifty moves each without progress (Liberty: automatic; chess: on claim).
    FiftyMoves,
    /// Seventy-five moves each without progress (chess: automatic).
    SeventyFiveMoves,
    /// The position occurred for the third time.
    Threefold,
    /// The position occurred for the fifth time (chess: automatic).
    Fivefold,
    /// One side has nothing left (Liberty Chess without kings).
    Elimination,
    /// A laser struck a King (Leiserchess); the owner of that King loses.
    KingZapped,
    /// A piece entered the goal (Gyges).
    Goal,
    /// The side to move has no legal move at all (Gyges: a draw).
    NoMove,
}

impl Reason {
    /// A few words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Material => "insufficient material",
            Self::DeadPosition => "dead position",
            Self::FiftyMoves => "the fifty-move rule",
            Self::SeventyFiveMoves => "the seventy-five-move rule",
            Self::Threefold => "threefold repetition",
            Self::Fivefold => "fivefold repetition",
            Self::Elimination => "elimination",
            Self::KingZapped => "a zapped King",
            Self::Goal => "reaching the goal",
            Self::NoMove => "no legal move",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}
