//! The eighteen kinds of piece, their letters and their classes.

use core::fmt;

use crate::game::Side;

/// A kind of piece. The discriminants are part of the board's cell code: the
/// three kinds that a `Basic` attack cannot take are 16 and above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Steps forward, captures diagonally forward, promotes.
    Pawn = 1,
    /// Leaps (2,1).
    Knight = 2,
    /// Rides diagonally; two of them also capture by El Vaticano.
    Bishop = 3,
    /// Rides along ranks and files.
    Rook = 4,
    /// Rook and Bishop (without El Vaticano).
    Queen = 5,
    /// Bishop and Knight (without El Vaticano).
    Archbishop = 6,
    /// Rook and Knight.
    Chancellor = 7,
    /// Leaps (3,1).
    Camel = 8,
    /// Leaps (3,2).
    Zebra = 9,
    /// One step in any direction, not royal.
    Mann = 10,
    /// Repeats one Knight leap in the same direction.
    Nightrider = 11,
    /// Leaps to the neighbours and to the squares two away in queen directions.
    Champion = 12,
    /// Mann and Knight.
    Centaur = 13,
    /// Queen and Knight.
    Amazon = 14,
    /// Goes to any empty square, never captures.
    Obstacle = 15,
    /// One step in any direction; takes everything, hard to take.
    Elephant = 16,
    /// An Obstacle that is hard to take.
    Wall = 17,
    /// One step in any direction, castles, royal.
    King = 18,
}

/// How strong an attack or a defence is. A capture needs an attack strictly
/// above the defence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Attacks nothing; defends against nothing.
    None,
    /// The usual attack; the defence of Elephant and Wall.
    Basic,
    /// The attack of Pawn, King and Elephant.
    Powerful,
    /// Only a defence: nothing takes a King.
    Uncapturable,
}

impl Kind {
    /// All kinds, by discriminant.
    pub const ALL: [Self; 18] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::Archbishop,
        Self::Chancellor,
        Self::Camel,
        Self::Zebra,
        Self::Mann,
        Self::Nightrider,
        Self::Champion,
        Self::Centaur,
        Self::Amazon,
        Self::Obstacle,
        Self::Elephant,
        Self::Wall,
        Self::King,
    ];

    /// The letters of [`ALL`](Self::ALL), in the same order.
    const LETTERS: &'static [u8; 18] = b"pnbrqaclzxihumoewk";

    /// The lower-case letter of this kind.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize - 1] as char
    }

    /// The upper-case letter of this kind.
    pub const fn capital(self) -> char {
        self.letter().to_ascii_uppercase()
    }

    /// The kind with this letter, in either case.
    pub fn from_letter(letter: char) -> Option<Self> {
        let lower = u8::try_from(letter).ok()?.to_ascii_lowercase();
        let index = Self::LETTERS.iter().position(|&l| l == lower)?;
        Some(Self::ALL[index])
    }

    /// The kind with this discriminant.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Self> {
        if code >= 1 && code <= 18 {
            Some(Self::ALL[code as usize - 1])
        } else {
            None
        }
    }

    /// What this kind can capture.
    pub const fn attack(self) -> Class {
        match self {
            Self::Pawn | Self::King | Self::Elephant => Class::Powerful,
            Self::Obstacle | Self::Wall => Class::None,
            _ => Class::Basic,
        }
    }

    /// What an attack on this kind must exceed.
    pub const fn defence(self) -> Class {
        match self {
            Self::King => Class::Uncapturable,
            Self::Elephant | Self::Wall => Class::Basic,
            _ => Class::None,
        }
    }

    /// Whether this kind may capture that one.
    pub fn captures(self, victim: Self) -> bool {
        self.attack() > victim.defence()
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Rook => "rook",
            Self::Queen => "queen",
            Self::Archbishop => "archbishop",
            Self::Chancellor => "chancellor",
            Self::Camel => "camel",
            Self::Zebra => "zebra",
            Self::Mann => "mann",
            Self::Nightrider => "nightrider",
            Self::Champion => "champion",
            Self::Centaur => "centaur",
            Self::Amazon => "amazon",
            Self::Obstacle => "obstacle",
            Self::Elephant => "elephant",
            Self::Wall => "wall",
            Self::King => "king",
        }
    }

    /// Rank among promotion choices; only the order matters. A second King is
    /// a second target, so it comes last.
    pub(super) const fn strength(self) -> u8 {
        match self {
            Self::Amazon => 17,
            Self::Queen => 16,
            Self::Chancellor => 15,
            Self::Archbishop => 14,
            Self::Champion => 13,
            Self::Centaur => 12,
            Self::Elephant => 11,
            Self::Rook => 10,
            Self::Nightrider => 9,
            Self::Bishop => 8,
            Self::Knight => 7,
            Self::Mann => 6,
            Self::Zebra => 5,
            Self::Camel => 4,
            Self::Wall => 3,
            Self::Obstacle => 2,
            Self::Pawn => 1,
            Self::King => 0,
        }
    }

    /// The bit of this kind in a set of kinds.
    pub(super) const fn bit(self) -> u32 {
        1 << self as u8
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// The piece with this L-FEN letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() {
            Side::White
        } else {
            Side::Black
        };
        Kind::from_letter(letter).map(|kind| Self { side, kind })
    }

    /// The L-FEN letter: upper case for White.
    pub const fn letter(self) -> char {
        match self.side {
            Side::White => self.kind.capital(),
            Side::Black => self.kind.letter(),
        }
    }

    /// A dense index from 0 to 35 for tables: White's kinds, then Black's.
    pub const fn index(self) -> usize {
        self.side.index() * 18 + self.kind as usize - 1
    }
}

/// The byte that stands in a cell of the padded board: 0 is empty, the low
/// five bits are the kind, one bit per side, one bit for "off the board".
pub(super) mod cell {
    use super::{Kind, Piece, Side};

    /// No piece stands here.
    pub(crate) const EMPTY: u8 = 0;
    /// Not part of the board.
    pub(crate) const OFF: u8 = 0x80;
    /// The bits of the kind.
    pub(crate) const KIND: u8 = 0x1f;

    /// The bit of a side.
    #[inline(always)]
    pub(crate) const fn side_bit(side: Side) -> u8 {
        0x20 << side as u8
    }

    /// The code of a piece.
    #[inline(always)]
    pub(crate) const fn code(side: Side, kind: Kind) -> u8 {
        side_bit(side) | kind as u8
    }

    /// The side of a piece code.
    #[inline(always)]
    pub(crate) const fn side(code: u8) -> Side {
        if code & 0x40 == 0 {
            Side::White
        } else {
            Side::Black
        }
    }

    /// Whether this is a King of either side.
    #[inline(always)]
    pub(crate) const fn is_king(code: u8) -> bool {
        code & KIND == Kind::King as u8
    }

    /// Whether some piece stands here.
    #[inline(always)]
    pub(crate) const fn is_piece(code: u8) -> bool {
        code & 0x60 != 0
    }

    /// The piece, if there is one.
    #[inline]
    pub(crate) const fn piece(code: u8) -> Option<Piece> {
        if !is_piece(code) {
            return None;
        }
        match Kind::from_code(code & KIND) {
            Some(kind) => Some(Piece {
                side: side(code),
                kind,
            }),
            None => None,
        }
    }
}

/// Kinds that ride along ranks and files.
pub(super) const ORTHOGONAL_RIDERS: u32 =
    Kind::Rook.bit() | Kind::Queen.bit() | Kind::Chancellor.bit() | Kind::Amazon.bit();
/// Kinds that ride along diagonals.
pub(super) const DIAGONAL_RIDERS: u32 =
    Kind::Bishop.bit() | Kind::Queen.bit() | Kind::Archbishop.bit() | Kind::Amazon.bit();
/// Kinds that step to (or leap onto) every neighbour.
pub(super) const STEPPERS: u32 = Kind::King.bit()
    | Kind::Mann.bit()
    | Kind::Champion.bit()
    | Kind::Centaur.bit()
    | Kind::Elephant.bit();
/// Kinds that make a single Knight leap; the Nightrider rides and is not here.
pub(super) const KNIGHT_LEAPERS: u32 = Kind::Knight.bit()
    | Kind::Archbishop.bit()
    | Kind::Chancellor.bit()
    | Kind::Centaur.bit()
    | Kind::Amazon.bit();
/// Kinds any one of which can force mate with its King's help, so that their
/// presence alone is sufficient material.
pub(super) const MATERS: u32 = Kind::Rook.bit()
    | Kind::Queen.bit()
    | Kind::Archbishop.bit()
    | Kind::Chancellor.bit()
    | Kind::Mann.bit()
    | Kind::Champion.bit()
    | Kind::Centaur.bit()
    | Kind::Amazon.bit()
    | Kind::Elephant.bit();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_codes_go_both_ways() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_letter(kind.letter()), Some(kind));
            assert_eq!(Kind::from_letter(kind.capital()), Some(kind));
            assert_eq!(Kind::from_code(kind as u8), Some(kind));
            for side in Side::BOTH {
                let piece = Piece { side, kind };
                assert_eq!(cell::piece(cell::code(side, kind)), Some(piece));
            }
        }
        let everything = "kmqcaehuriwbznxlop";
        assert!(everything.chars().all(|c| Kind::from_letter(c).is_some()));
        for wrong in ['y', '1', 'ö', '\u{212a}', ' '] {
            assert_eq!(Kind::from_letter(wrong), None, "{wrong}");
        }
        assert_eq!(Kind::from_code(0), None);
        assert_eq!(Kind::from_code(19), None);
    }

    #[test]
    fn only_pawns_kings_and_elephants_take_elephants_and_walls() {
        for attacker in Kind::ALL {
            let strong = matches!(attacker, Kind::Pawn | Kind::King | Kind::Elephant);
            assert_eq!(attacker.captures(Kind::Wall), strong);
            assert_eq!(attacker.captures(Kind::Elephant), strong);
            assert!(!attacker.captures(Kind::King));
            let harmless = matches!(attacker, Kind::Obstacle | Kind::Wall);
            assert_eq!(attacker.captures(Kind::Obstacle), !harmless);
        }
    }
}
