//! Piece kinds and pieces.

use core::fmt;

use crate::game::Side;

/// What a piece is.
///
/// The numbers are the three-bit codes under which pieces are stored on the
/// board, see [`Chess`](super::Chess): bit 2 marks the sliders, of which bit 0
/// moves along diagonals and bit 1 along ranks and files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// A pawn.
    Pawn = 1,
    /// A knight.
    Knight = 2,
    /// A king.
    King = 3,
    /// A bishop.
    Bishop = 5,
    /// A rook.
    Rook = 6,
    /// A queen.
    Queen = 7,
}

impl PieceKind {
    /// All kinds, from pawn to king as people list them.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The kind stored under a three-bit code; `None` for an empty square.
    #[inline]
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        match code & 7 {
            1 => Some(Self::Pawn),
            2 => Some(Self::Knight),
            3 => Some(Self::King),
            5 => Some(Self::Bishop),
            6 => Some(Self::Rook),
            7 => Some(Self::Queen),
            _ => None,
        }
    }

    /// Its place in the usual order: 0 for a pawn to 5 for a king. Made for
    /// indexing tables.
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Pawn => 0,
            Self::Knight => 1,
            Self::Bishop => 2,
            Self::Rook => 3,
            Self::Queen => 4,
            Self::King => 5,
        }
    }

    /// The lower-case English letter.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind with this English letter in either case.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter.to_ascii_lowercase() {
            b'p' => Some(Self::Pawn),
            b'n' => Some(Self::Knight),
            b'b' => Some(Self::Bishop),
            b'r' => Some(Self::Rook),
            b'q' => Some(Self::Queen),
            b'k' => Some(Self::King),
            _ => None,
        }
    }
}

/// A piece: a kind and its owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose piece.
    pub side: Side,
    /// What piece.
    pub kind: PieceKind,
}

impl Piece {
    /// The piece stored under a four-bit code (bit 3: Black).
    #[inline]
    pub(super) const fn from_code(code: u8) -> Option<Self> {
        let side = if code & 8 == 0 {
            Side::White
        } else {
            Side::Black
        };
        match PieceKind::from_code(code) {
            Some(kind) => Some(Self { side, kind }),
            None => None,
        }
    }

    /// The four-bit code of the piece.
    #[inline]
    pub(super) const fn code(self) -> u8 {
        self.kind as u8 | (self.side as u8) << 3
    }

    /// 0 to 11: White's pawn to king, then Black's. Made for indexing tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.side.index() * 6 + self.kind.index()
    }

    /// The letter in a FEN: upper case for White.
    #[inline]
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.letter().to_ascii_uppercase(),
            Side::Black => self.kind.letter(),
        }
    }

    /// The piece with this FEN letter.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Self { side, kind }),
            None => None,
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
