//! Results, and what they have to do with distances.

use core::ops::Neg;

/// A result, from the side to move's point of view, right after a capture or pawn
/// move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(i8)]
pub enum Wdl {
    /// Lost.
    Loss = -2,
    /// Lost but for the fifty-move rule.
    BlessedLoss = -1,
    /// Drawn.
    Draw = 0,
    /// Won but for the fifty-move rule.
    CursedWin = 1,
    /// Won.
    Win = 2,
}

impl Wdl {
    /// -2 to 2.
    #[inline]
    pub const fn value(self) -> i32 {
        self as i32
    }

    /// The distance of a position that is decided by its next move, a capture or
    /// pawn move: 1 for a win, 101 for one that is spoilt, and so on.
    #[inline]
    pub const fn distance_before_zeroing(self) -> i32 {
        match self {
            Self::Win => 1,
            Self::CursedWin => 101,
            Self::Draw => 0,
            Self::BlessedLoss => -101,
            Self::Loss => -1,
        }
    }

    /// What a distance means after `clock` plies without capture or pawn move.
    ///
    /// ```
    /// use quadrille_syzygy::Wdl;
    /// assert_eq!(Wdl::of_distance(30, 60), Wdl::Win);
    /// assert_eq!(Wdl::of_distance(30, 80), Wdl::CursedWin);
    /// assert_eq!(Wdl::of_distance(-101, 0), Wdl::BlessedLoss);
    /// ```
    pub const fn of_distance(distance: i32, clock: u32) -> Self {
        let in_time = distance.unsigned_abs().saturating_add(clock) <= 100;
        match (distance, in_time) {
            (0, _) => Self::Draw,
            (1.., true) => Self::Win,
            (1.., false) => Self::CursedWin,
            (_, true) => Self::Loss,
            (_, false) => Self::BlessedLoss,
        }
    }

    /// The result if there were no fifty-move rule.
    #[must_use]
    pub const fn without_fifty_moves(self) -> Self {
        match self {
            Self::Win | Self::CursedWin => Self::Win,
            Self::Draw => Self::Draw,
            Self::Loss | Self::BlessedLoss => Self::Loss,
        }
    }
}

/// The same result as the other side sees it.
impl Neg for Wdl {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::CursedWin => Self::BlessedLoss,
            Self::Draw => Self::Draw,
            Self::BlessedLoss => Self::CursedWin,
            Self::Loss => Self::Win,
        }
    }
}
