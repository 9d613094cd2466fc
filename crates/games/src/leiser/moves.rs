//! A move in 23 bits.

use core::fmt;

use super::geometry::Square;
use super::piece::Turn;
use crate::position::GameMove;

/// A move: a step, a turn in place, a null move, or (2018) a swap with a
/// second step or turn.
///
/// Bits 0-6 hold the square the piece comes from, 7-13 the square it steps to
/// (the same for a turn or a null move), 14-20 the square where it ends
/// (different only after a second step), 21-22 the turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u32);

impl Move {
    /// A code that no move of any position has.
    pub(super) const NONE: Self = Self(u32::MAX);

    const fn pack(from: Square, to: Square, last: Square, turn: u32) -> Self {
        Self(
            from.index() as u32
                | (to.index() as u32) << 7
                | (last.index() as u32) << 14
                | turn << 21,
        )
    }

    /// A step to a neighbouring square, whatever stands there.
    #[inline]
    pub const fn step(from: Square, to: Square) -> Self {
        Self::pack(from, to, to, 0)
    }

    /// A turn in place.
    #[inline]
    pub const fn turn(square: Square, turn: Turn) -> Self {
        Self::pack(square, square, square, turn as u32)
    }

    /// The null move of the King on that square: it only fires.
    #[inline]
    pub const fn null(king: Square) -> Self {
        Self::pack(king, king, king, 0)
    }

    /// 2018: a swap with the enemy on `to`, then a step to `last`.
    #[inline]
    pub const fn swap_step(from: Square, to: Square, last: Square) -> Self {
        Self::pack(from, to, last, 0)
    }

    /// 2018: a swap with the enemy on `to`, then a turn there.
    #[inline]
    pub const fn swap_turn(from: Square, to: Square, turn: Turn) -> Self {
        Self::pack(from, to, to, turn as u32)
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 127) as u8)
    }

    /// Where it steps to: the same square for a turn or a null move.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 7 & 127) as u8)
    }

    /// Where it ends: [`to`](Self::to), except after a second step.
    #[inline]
    pub const fn last(self) -> Square {
        Square::new((self.0 >> 14 & 127) as u8)
    }

    /// The turn in it, if there is one.
    #[inline]
    pub const fn turning(self) -> Option<Turn> {
        match self.0 >> 21 & 3 {
            1 => Some(Turn::Right),
            2 => Some(Turn::Half),
            3 => Some(Turn::Left),
            _ => None,
        }
    }

    /// Whether nothing moves.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.from().index() == self.last().index()
            && self.from().index() == self.to().index()
            && self.turning().is_none()
    }

    /// Whether the code has bits beyond the four fields.
    #[inline]
    pub(super) const fn has_spare_bits(self) -> bool {
        self.0 >> 23 != 0
    }
}

impl GameMove for Move {
    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        // A number too large for the code must not be mistaken for a move.
        Self(u32::try_from(bits).unwrap_or(u32::MAX))
    }
}

/// The numbers of the squares: a move does not know the size of its board.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to, last) = (self.from().index(), self.to().index(), self.last().index());
        write!(f, "Move({from}>{to}>{last} {:?})", self.turning())
    }
}
