//! Values inside the tree and scores outside it.

use core::fmt;

/// A value inside the tree: hundredths of a pawn (or of whatever the game's
/// evaluation calls its unit), from the side to move's point of view.
pub type Value = i32;

/// No line is searched deeper than this.
pub const MAX_PLY: usize = 128;

/// Larger than any value.
pub const INFINITE: Value = 32_000;
/// The game is won here and now; `WIN - n` is a win in `n` plies.
pub const WIN: Value = 31_000;
/// Everything beyond is a proven win (or loss, negated).
pub const DECIDED: Value = WIN - 1_000;
/// A win that a tablebase vouches for, without a count of plies.
pub const TABLE_WIN: Value = DECIDED - 1;
/// Evaluations are kept within this, so that no guess looks like a proof.
pub const MAX_EVAL: Value = TABLE_WIN - 1_000;
/// A draw.
pub const DRAW: Value = 0;

/// A win in `ply` plies from the root.
#[inline]
pub const fn win_in(ply: usize) -> Value {
    WIN - ply as Value
}

/// A loss in `ply` plies from the root.
#[inline]
pub const fn loss_in(ply: usize) -> Value {
    ply as Value - WIN
}

/// Whether a value is a proof and not a guess.
#[inline]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= DECIDED
}

/// Whether a value says who wins, by a proof or by endgame tables; then it does
/// not depend on any evaluation.
#[inline]
pub const fn is_known(value: Value) -> bool {
    value.abs() > MAX_EVAL
}

/// A score as the outside world sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a pawn from the side to move's point of view.
    Cp(i32),
    /// The side to move wins after this many plies.
    Win(u32),
    /// The side to move loses after this many plies; 0 when it already has.
    Loss(u32),
}

impl Score {
    /// The score that a root value stands for.
    pub const fn from_value(value: Value) -> Self {
        if value >= DECIDED {
            Self::Win((WIN - value) as u32)
        } else if value <= -DECIDED {
            Self::Loss((WIN + value) as u32)
        } else {
            Self::Cp(value)
        }
    }

    /// The value inside the tree that this score stands for.
    pub const fn value(self) -> Value {
        match self {
            Self::Cp(value) => value,
            Self::Win(plies) => WIN - plies as Value,
            Self::Loss(plies) => plies as Value - WIN,
        }
    }

    /// Full moves to the end as chess counts them: positive for the winner,
    /// negative for the loser, `None` if nothing is proven.
    pub const fn mate_moves(self) -> Option<i32> {
        match self {
            Self::Cp(_) => None,
            Self::Win(plies) => Some(plies.div_ceil(2) as i32),
            Self::Loss(plies) => Some(-(plies.div_ceil(2) as i32)),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
            Self::Win(plies) => write!(f, "wins in {plies} plies"),
            Self::Loss(plies) => write!(f, "loses in {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_values_convert_both_ways() {
        for value in [-WIN, -WIN + 7, -350, 0, 12, WIN - 1] {
            assert_eq!(Score::from_value(value).value(), value);
        }
        assert_eq!(Score::from_value(win_in(1)).mate_moves(), Some(1));
        assert_eq!(Score::from_value(win_in(3)).mate_moves(), Some(2));
        assert_eq!(Score::from_value(loss_in(2)).mate_moves(), Some(-1));
        assert_eq!(Score::from_value(loss_in(0)).mate_moves(), Some(0));
        assert_eq!(Score::from_value(MAX_EVAL).mate_moves(), None);
    }
}
