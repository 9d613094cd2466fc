//! Moves in sixteen bits.

use core::fmt;

use super::piece::PieceKind;
use super::square::Square;
use crate::position::GameMove;

/// A move: origin in bits 0 to 5, target in bits 6 to 11, and above them what
/// moves, or which special move it is.
///
/// Castling is stored as the king taking its own rook, the only form that is
/// unambiguous in Chess960. Any sixteen bits are a `Move`; only
/// [`is_legal`](crate::Position::is_legal) says whether one can be played.
///
/// ```
/// use quadrille_games::{Position, chess::Chess};
/// let start = Chess::default();
/// let m = start.parse_move("e2e4").unwrap();
/// assert_eq!((m.from().to_string(), m.to().to_string()), ("e2".into(), "e4".into()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Move(u16);

// The flag of an ordinary move is the code of the piece that moves, so that
// making it need not look the piece up. Castling and the pawn's special moves
// use the codes that no piece has.

/// An ordinary move of a pawn.
pub(super) const PAWN_MOVE: u16 = (PieceKind::Pawn as u16) << 12;
/// An ordinary move of a knight.
pub(super) const KNIGHT_MOVE: u16 = (PieceKind::Knight as u16) << 12;
/// An ordinary move of a king.
pub(super) const KING_MOVE: u16 = (PieceKind::King as u16) << 12;
/// Castling, king takes rook.
pub(super) const CASTLE: u16 = 4 << 12;
/// The lowest promotion flag; the low two bits choose N, B, R, Q.
pub(super) const PROMOTION: u16 = 8 << 12;
/// A pawn's double step.
pub(super) const DOUBLE: u16 = 12 << 12;
/// An en passant capture.
pub(super) const EN_PASSANT: u16 = 13 << 12;
/// The piece codes behind the sixteen flags, four bits each.
const MOVERS: u64 = 0x0011_1111_7653_3210;
/// The pieces a pawn may become, in the order of their flags.
pub(super) const PROMOTIONS: [PieceKind; 4] = [
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Queen,
];

impl Move {
    /// No move at all (`0000` in engine text); never legal.
    pub const NULL: Self = Self(0);

    #[inline(always)]
    pub(super) const fn pack(from: usize, to: usize, flag: u16) -> Self {
        Self((from & 63) as u16 | ((to & 63) as u16) << 6 | flag)
    }

    /// A promotion by its place in [`PROMOTIONS`].
    #[inline(always)]
    pub(super) const fn promote(from: usize, to: usize, choice: u16) -> Self {
        Self::pack(from, to, PROMOTION | (choice & 3) << 12)
    }

    /// The sixteen bits.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with these bits; may be nonsense.
    #[inline]
    pub const fn from_u16(bits: u16) -> Self {
        Self(bits)
    }

    /// Where the moving piece stands.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 & 63) as u8)
    }

    /// Where it goes; for castling the square of the rook.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 6 & 63) as u8)
    }

    /// The code of the piece that moves; 0 for flags that mean nothing.
    #[inline(always)]
    pub(super) const fn mover(self) -> usize {
        (MOVERS >> (self.0 >> 12 << 2) & 7) as usize
    }

    /// What moves: the king for castling, a pawn for a promotion. `None` for
    /// bits that are no move anywhere.
    #[inline]
    pub const fn kind(self) -> Option<PieceKind> {
        PieceKind::from_code(self.mover() as u8)
    }

    /// The flag bits, still in place.
    #[inline(always)]
    pub(super) const fn flag(self) -> u16 {
        self.0 & 0xf000
    }

    /// What the pawn becomes, if the move is a promotion.
    #[inline]
    pub const fn promotion(self) -> Option<PieceKind> {
        if self.0 & 0xc000 == PROMOTION {
            Some(PROMOTIONS[(self.0 >> 12 & 3) as usize])
        } else {
            None
        }
    }

    /// Whether this is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.flag() == CASTLE
    }

    /// Whether this is an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.flag() == EN_PASSANT
    }
}

impl GameMove for Move {
    #[inline]
    fn to_bits(self) -> u64 {
        u64::from(self.0)
    }

    /// A number that does not fit becomes [`Move::NULL`], which is never legal.
    #[inline]
    fn from_bits(bits: u64) -> Self {
        Self(u16::try_from(bits).unwrap_or(0))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.flag() {
            0x1000..=0x3000 | 0x5000..=0x7000 => Ok(()),
            DOUBLE => f.write_str(" double step"),
            CASTLE => f.write_str(" castling"),
            EN_PASSANT => f.write_str(" en passant"),
            flag => match self.promotion() {
                Some(kind) => write!(f, "{}", kind.letter()),
                None => write!(f, " flag {}", flag >> 12),
            },
        }
    }
}
