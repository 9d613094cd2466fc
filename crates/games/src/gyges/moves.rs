//! A move and a piece.

use core::fmt;

use super::geometry::{GOAL_NORTH, GOAL_SOUTH};
use crate::position::GameMove;

/// A piece: how many rings it has, which is how far it walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rings {
    /// One ring, one step.
    One = 1,
    /// Two rings, two steps.
    Two = 2,
    /// Three rings, three steps.
    Three = 3,
}

impl Rings {
    /// The three kinds of piece.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];

    /// 1, 2 or 3.
    #[inline]
    pub const fn count(self) -> u8 {
        self as u8
    }

    /// 0, 1 or 2, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize - 1
    }

    /// The piece with that many rings, if there is one.
    #[inline]
    pub const fn from_count(count: u8) -> Option<Self> {
        match count {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            _ => None,
        }
    }
}

impl fmt::Display for Rings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count())
    }
}

/// How a move is written on the wire; readers tell the two apart by the number
/// of fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoveStyle {
    /// `start|end` or `start|end|drop`: what engines write today.
    #[default]
    Squares,
    /// `0|start|piece|end` with `|piece|drop` behind it: pairs "this piece, 0
    /// for none, onto this square" of the first engines (2023).
    Pairs,
}

/// A move: the square the piece starts from, where it ends, and where the
/// piece it replaced there is dropped, if it replaced one.
///
/// The way it took is not part of the move, because only the result matters;
/// [`Gyges::path`](super::Gyges::path) finds one.
///
/// ```
/// use quadrille_games::gyges::GygesMove;
///
/// let replace = GygesMove::new(0, 1, Some(9));
/// assert_eq!(replace.to_string(), "0|1|9");
/// assert_eq!(replace.turned().to_string(), "35|34|26");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GygesMove {
    start: u8,
    end: u8,
    /// `NO_DROP` if nothing was replaced.
    drop: u8,
}

/// The code of "nothing replaced"; no square has it.
const NO_DROP: u8 = 63;

impl GygesMove {
    /// A move between these squares. Numbers above 62 are cut to six bits: no
    /// such square exists, so the move is illegal everywhere.
    #[inline]
    pub const fn new(start: u8, end: u8, drop: Option<u8>) -> Self {
        let drop = match drop {
            Some(square) if square < NO_DROP => square,
            Some(_) => NO_DROP - 1,
            None => NO_DROP,
        };
        Self {
            start: if start < 63 { start } else { 63 },
            end: if end < 63 { end } else { 63 },
            drop,
        }
    }

    /// Where the piece is taken from.
    #[inline]
    pub const fn start(self) -> u8 {
        self.start
    }

    /// Where it ends: a square, or a goal.
    #[inline]
    pub const fn end(self) -> u8 {
        self.end
    }

    /// Where the replaced piece goes.
    #[inline]
    pub const fn drop(self) -> Option<u8> {
        if self.drop == NO_DROP {
            None
        } else {
            Some(self.drop)
        }
    }

    /// Whether the move enters a goal, and so wins.
    #[inline]
    pub const fn is_goal(self) -> bool {
        self.end == GOAL_SOUTH || self.end == GOAL_NORTH
    }

    /// The same move on the board turned by 180 degrees.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self {
            start: turn(self.start),
            end: turn(self.end),
            drop: turn(self.drop),
        }
    }

    /// The same move on the board mirrored left to right.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self {
            start: mirror(self.start),
            end: mirror(self.end),
            drop: mirror(self.drop),
        }
    }
}

/// A square or goal after a turn by 180 degrees; other numbers stay.
pub(super) const fn turn(square: u8) -> u8 {
    match square {
        0..=35 => 35 - square,
        GOAL_SOUTH => GOAL_NORTH,
        GOAL_NORTH => GOAL_SOUTH,
        _ => square,
    }
}

/// A square after swapping left and right; goals and other numbers stay.
pub(super) const fn mirror(square: u8) -> u8 {
    match square {
        0..=35 => square / 6 * 6 + 5 - square % 6,
        _ => square,
    }
}

impl GameMove for GygesMove {
    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.start) | u64::from(self.end) << 6 | u64::from(self.drop) << 12
    }

    #[inline]
    fn from_bits(bits: u64) -> Self {
        let six = |shift: u32| (bits >> shift & 63) as u8;
        Self {
            // A number too large for the code must not be mistaken for a move:
            // there is no square 63.
            start: if bits >> 18 == 0 { six(0) } else { 63 },
            end: six(6),
            drop: six(12),
        }
    }
}

impl fmt::Display for GygesMove {
    /// The wire form of today, which needs no board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}", self.start, self.end)?;
        match self.drop() {
            Some(drop) => write!(f, "|{drop}"),
            None => Ok(()),
        }
    }
}
