//! Squares, sets of squares, and the tables of rays and neighbours.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A direction along a rank or a file: of a King's laser, of a beam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Heading {
    /// Towards the higher ranks.
    North,
    /// Towards the later files.
    East,
    /// Towards the lower ranks.
    South,
    /// Towards the earlier files.
    West,
}

impl Heading {
    /// Clockwise from north.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// From the two low bits of a number, counted clockwise from north.
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self::ALL[(index & 3) as usize]
    }
}

/// A square: `rank * size + file`, so a0 is 0 and (on 8x8) h0 is 7.
///
/// Which name a number has depends on the size of the board; see
/// [`name`](Self::name).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with that number; the caller vouches for the board.
    #[inline]
    pub(super) const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The square of a file and a rank, both counted from 0.
    pub const fn at(file: u8, rank: u8, size: u8) -> Option<Self> {
        if file < size && rank < size && size <= 10 {
            Some(Self(rank * size + file))
        } else {
            None
        }
    }

    /// The number of the square.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File, counted from 0 at the west.
    pub const fn file(self, size: u8) -> u8 {
        self.0 % size
    }

    /// Rank, counted from 0 at White's side.
    pub const fn rank(self, size: u8) -> u8 {
        self.0 / size
    }

    /// The name on a board of that size: `a0` to `h7` or `a0` to `j9`.
    pub fn name(self, size: u8) -> SquareName {
        SquareName(self.file(size), self.rank(size))
    }

    /// Reads two characters, letters of either case.
    pub fn parse(file: u8, rank: u8, size: u8) -> Option<Self> {
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'0')?;
        Self::at(file, rank, size)
    }
}

/// The number of the square, as an [`Observer`](crate::Observer) gets it.
impl From<Square> for u16 {
    #[inline]
    fn from(square: Square) -> Self {
        Self::from(square.0)
    }
}

/// Writes the name of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareName(u8, u8);

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0), self.1)
    }
}

/// A set of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(pub(super) u128);

impl SquareSet {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << (square.0 & 127))
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> (square.0 & 127) & 1 != 0
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares there are.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl BitAnd for SquareSet {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for SquareSet {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares {
            low: self.0 as u64,
            high: (self.0 >> 64) as u64,
        }
    }
}

/// The squares of a set, in the order of their numbers.
///
/// The two halves are walked one after the other: on 8x8 the upper one is
/// empty, and 64-bit steps are a third of the work of 128-bit ones.
#[derive(Debug, Clone)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;
    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = Square(self.low.trailing_zeros() as u8);
            self.low &= self.low - 1;
            Some(square)
        } else if self.high != 0 {
            let square = Square(64 + self.high.trailing_zeros() as u8);
            self.high &= self.high - 1;
            Some(square)
        } else {
            None
        }
    }

    /// Two plain loops, for callers that walk the whole set.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut each: F) -> B {
        let mut folded = init;
        let mut low = self.low;
        while low != 0 {
            folded = each(folded, Square(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        let mut high = self.high;
        while high != 0 {
            folded = each(folded, Square(64 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
        folded
    }
}

/// What the rules need to know about a board of one size. The arrays have 128
/// entries so that a masked index never needs a check.
pub(super) struct Geometry {
    /// The squares a beam meets on an empty board, without its start.
    pub(super) rays: [[SquareSet; 128]; 4],
    /// The up to eight squares a step away.
    pub(super) neighbours: [SquareSet; 128],
    /// How many neighbours there are.
    pub(super) degree: [u8; 128],
}

static GEOMETRY: [Geometry; 2] = [Geometry::build(8), Geometry::build(10)];

/// The tables for a board of 8 or 10 files.
#[inline(always)]
pub(super) fn geometry(size: u8) -> &'static Geometry {
    &GEOMETRY[usize::from(size != 8)]
}

impl Geometry {
    const fn build(size: i32) -> Self {
        const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let mut rays = [[SquareSet(0); 128]; 4];
        let mut neighbours = [SquareSet(0); 128];
        let mut degree = [0; 128];
        let mut square = 0;
        while square < size * size {
            let (file, rank) = (square % size, square / size);
            let mut d = 0;
            while d < 4 {
                let (mut f, mut r) = (file + STEPS[d].0, rank + STEPS[d].1);
                while f >= 0 && f < size && r >= 0 && r < size {
                    rays[d][square as usize].0 |= 1 << (r * size + f);
                    f += STEPS[d].0;
                    r += STEPS[d].1;
                }
                d += 1;
            }
            let mut around = 0;
            while around < 9 {
                let (f, r) = (file + around % 3 - 1, rank + around / 3 - 1);
                if around != 4 && f >= 0 && f < size && r >= 0 && r < size {
                    neighbours[square as usize].0 |= 1 << (r * size + f);
                    degree[square as usize] += 1;
                }
                around += 1;
            }
            square += 1;
        }
        Self {
            rays,
            neighbours,
            degree,
        }
    }
}
