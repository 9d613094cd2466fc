//! The hook for endgame tables.

use quadrille_games::{Line, Position};

use crate::score::{DRAW, TABLE_WIN, Value};

/// What a table says, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableResult {
    /// Won.
    Win,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// Drawn.
    Draw,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Lost.
    Loss,
}

impl TableResult {
    /// The value of this result `ply` plies from the root. Nearer wins are
    /// better; wins that the fifty-move rule spoils are a little more than a
    /// draw.
    pub(crate) const fn value(self, ply: usize) -> Value {
        match self {
            Self::Win => TABLE_WIN - ply as Value,
            Self::CursedWin => DRAW + 1,
            Self::Draw => DRAW,
            Self::BlessedLoss => DRAW - 1,
            Self::Loss => ply as Value - TABLE_WIN,
        }
    }
}

/// Endgame tables. Asked often, so the first thing an implementation looks at
/// is the number of pieces.
pub trait EndgameTables<P: Position>: Send + Sync {
    /// The result of a position inside the tree, if the tables know it and it
    /// holds whatever the count of moves without progress is.
    fn probe(&self, position: &P) -> Option<TableResult>;

    /// All moves at the end of this line with their results, if the tables know
    /// every one of them; otherwise nothing.
    fn root_moves(&self, line: &Line<P>) -> Vec<TableMove<P::Move>>;
}

/// A move at the root as the tables see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableMove<M> {
    /// The move.
    pub m: M,
    /// What it leads to, for the side that makes it.
    pub result: TableResult,
    /// A move with a lower rank than another would spoil something; among moves
    /// of the same rank the search may choose.
    pub rank: i32,
}
