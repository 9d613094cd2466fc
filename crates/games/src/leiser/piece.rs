//! Kings with a laser and Pawns with a mirror.

use core::fmt;

use super::geometry::Heading;
use crate::game::Side;

/// The way a Pawn's mirror looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Mirror {
    /// North-west.
    NorthWest,
    /// North-east.
    NorthEast,
    /// South-east.
    SouthEast,
    /// South-west.
    SouthWest,
}

impl Mirror {
    /// Clockwise from north-west.
    pub const ALL: [Self; 4] = [
        Self::NorthWest,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
    ];
}

/// A turn in place, seen with north up for both colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Turn {
    /// A quarter clockwise, `R`.
    Right = 1,
    /// A half turn, `U`.
    Half = 2,
    /// A quarter counter-clockwise, `L`.
    Left = 3,
}

impl Turn {
    /// In the order in which the reference engine lists them.
    pub const ALL: [Self; 3] = [Self::Right, Self::Half, Self::Left];

    /// `R`, `U` or `L`.
    pub const fn letter(self) -> char {
        match self {
            Self::Right => 'R',
            Self::Half => 'U',
            Self::Left => 'L',
        }
    }

    /// Reads the letter in either case.
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'R' | b'r' => Some(Self::Right),
            b'U' | b'u' => Some(Self::Half),
            b'L' | b'l' => Some(Self::Left),
            _ => None,
        }
    }
}

/// What a piece is and where it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The King and the direction of its laser.
    King(Heading),
    /// A Pawn and the direction of its mirror.
    Pawn(Mirror),
}

/// A piece: its colour, kind and orientation in four bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

const KING: u8 = 4;
const BLACK: u8 = 8;

/// The letters of a piece, indexed by the King bit and the orientation.
const LETTERS: [&str; 8] = ["NW", "NE", "SE", "SW", "NN", "EE", "SS", "WW"];

impl Piece {
    /// The piece of that side and kind.
    pub const fn new(side: Side, kind: Kind) -> Self {
        let kind = match kind {
            Kind::King(heading) => KING | heading as u8,
            Kind::Pawn(mirror) => mirror as u8,
        };
        Self(kind | (side as u8) << 3)
    }

    /// Who owns it.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0 & BLACK == 0 {
            Side::White
        } else {
            Side::Black
        }
    }

    /// What it is and where it looks.
    pub const fn kind(self) -> Kind {
        let orientation = self.orientation();
        if self.is_king() {
            Kind::King(Heading::from_index(orientation))
        } else {
            Kind::Pawn(Mirror::ALL[orientation as usize])
        }
    }

    /// Whether it is a King.
    #[inline]
    pub const fn is_king(self) -> bool {
        self.0 & KING != 0
    }

    /// The orientation as a number, clockwise: 0 is north for a King and
    /// north-west for a Pawn.
    #[inline]
    pub const fn orientation(self) -> u8 {
        self.0 & 3
    }

    /// A number below 16, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The piece with that number (its four low bits).
    #[inline]
    pub const fn from_index(index: u8) -> Self {
        Self(index & 15)
    }

    /// The piece turned in place.
    #[inline]
    pub const fn turned(self, turn: Turn) -> Self {
        Self(self.0 & !3 | (self.0 + turn as u8) & 3)
    }

    /// Reads the two letters of a position text: upper case is White, and
    /// mixed case is nothing.
    pub(super) fn from_letters(letters: [u8; 2]) -> Option<Self> {
        let upper = letters.map(|b| b.to_ascii_uppercase());
        let kind = LETTERS.iter().position(|l| l.as_bytes() == upper)? as u8;
        if letters == upper {
            Some(Self(kind))
        } else if letters == upper.map(|b| b.to_ascii_lowercase()) {
            Some(Self(kind | BLACK))
        } else {
            None
        }
    }
}

/// The two letters used in position texts: `NW` for a white Pawn, `ss` for a
/// black King.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = LETTERS[(self.0 & 7) as usize];
        match self.side() {
            Side::White => f.pad(letters),
            Side::Black => f.pad(&letters.to_ascii_lowercase()),
        }
    }
}

/// One square of the board: empty, or a piece. One byte, so that a board is
/// copied in a few instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell(u8);

const OCCUPIED: u8 = 16;

impl Cell {
    pub(super) const EMPTY: Self = Self(0);

    #[inline]
    pub(super) const fn of(piece: Piece) -> Self {
        Self(piece.0 | OCCUPIED)
    }

    #[inline]
    pub(super) const fn piece(self) -> Option<Piece> {
        if self.0 == 0 {
            None
        } else {
            Some(Piece::from_index(self.0))
        }
    }
}
