//! Two values in one word: what something is worth in the middlegame and in the
//! endgame.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value that are added and multiplied together.
///
/// Both live in one 64-bit word, so that following a move costs one addition a
/// piece. Each half has 32 bits: even a board full of queens cannot overflow it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair(i64);

/// Short for [`Pair::new`], because parameter files consist of little else.
pub(crate) const fn s(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

impl Pair {
    /// Nothing in either phase.
    pub const ZERO: Self = Self(0);

    /// Packs two values.
    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self(((endgame as i64) << 32).wrapping_add(middlegame as i64))
    }

    /// The same value in both phases.
    #[inline]
    pub(crate) const fn both(value: i32) -> Self {
        Self::new(value, value)
    }

    /// The middlegame half.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The endgame half; the carry of a negative lower half is given back.
    #[inline]
    pub const fn endgame(self) -> i32 {
        (self.0.wrapping_add(1 << 31) >> 32) as i32
    }

    /// Addition where constants are computed.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// Negation where constants are computed.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Add for Pair {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Pair {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.plus(other.negated())
    }
}

impl Neg for Pair {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.negated()
    }
}

impl Mul<i32> for Pair {
    type Output = Self;
    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(i64::from(count)))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = self.plus(other);
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = self.plus(other.negated());
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let samples = [0, 1, -1, 57, -900, 70_000, -70_000];
        for a in samples {
            for b in samples {
                let pair = s(a, b);
                assert_eq!((pair.middlegame(), pair.endgame()), (a, b));
                let sum = pair * 3 - s(b, a) + s(7, -7);
                assert_eq!(sum.middlegame(), 3 * a - b + 7);
                assert_eq!(sum.endgame(), 3 * b - a - 7);
                assert_eq!(-sum + sum, Pair::ZERO);
            }
        }
    }
}
