//! A move: two squares and perhaps a promotion.

use super::kind::Kind;
use crate::position::GameMove;

/// A move of Liberty Chess.
///
/// Squares are `rank * width + file`, both from 0. Castling is the King's own
/// two-file move; El Vaticano is one Bishop going to the other's square (both
/// orders are moves of their own). No other move looks like these two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LibertyMove {
    from: u16,
    to: u16,
    /// 0 or the code of a kind; other numbers come only out of
    /// [`from_bits`](GameMove::from_bits) and are never legal.
    promotion: u8,
}

impl LibertyMove {
    /// A move between two squares.
    #[inline]
    pub const fn new(from: u16, to: u16, promotion: Option<Kind>) -> Self {
        let promotion = match promotion {
            Some(kind) => kind as u8,
            None => 0,
        };
        Self {
            from,
            to,
            promotion,
        }
    }

    /// Where it starts.
    #[inline]
    pub const fn from(self) -> u16 {
        self.from
    }

    /// Where it ends.
    #[inline]
    pub const fn to(self) -> u16 {
        self.to
    }

    /// What the Pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Kind> {
        Kind::from_code(self.promotion)
    }

    /// The raw promotion byte: 0, a kind, or nonsense.
    #[inline]
    pub(super) const fn promotion_code(self) -> u8 {
        self.promotion
    }
}

impl GameMove for LibertyMove {
    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.from) | u64::from(self.to) << 16 | u64::from(self.promotion) << 32
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        // Anything in the upper bits must not turn into a legal move.
        let high = bits >> 32;
        Self {
            from: bits as u16,
            to: (bits >> 16) as u16,
            promotion: if high > 0xff { 0xff } else { high as u8 },
        }
    }
}
