//! Which pieces stand on the board, whatever the squares: what a table is named
//! after and found by.

use core::fmt;
use core::str::FromStr;

use quadrille_games::chess::{Chess, Piece, PieceKind};
use quadrille_games::{Position, Side};

/// The most pieces, kings included, that tables were ever made for.
pub const MOST_MEN: u32 = 7;

/// The order of pieces in a table's name.
const BY_STRENGTH: [PieceKind; 6] = [
    PieceKind::King,
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Pawn,
];

/// A number of pieces of each kind and side, three to seven of them in all, one
/// king a side. Written as tables are named: `KQvKR`.
///
/// ```
/// use quadrille_games::chess::{Chess, ChessRules};
/// use quadrille_games::Position;
/// use quadrille_syzygy::Material;
///
/// let position = Chess::from_text("8/8/8/8/8/2k5/1r6/K2Q4 w - - 0 1", &ChessRules::default())?;
/// let material = Material::of(&position).unwrap();
/// assert_eq!(material.to_string(), "KQvKR");
/// assert_eq!(material.men(), 4);
/// assert_eq!("KRvKQ".parse(), Ok(material.mirrored()));
/// # Ok::<(), quadrille_games::PositionError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Material(
    /// Four bits for each of the twelve pieces, White's pawn lowest.
    u64,
);

impl Material {
    /// What stands on this board; `None` if that is more than any table has, or
    /// two kings alone.
    #[inline]
    pub fn of(position: &Chess) -> Option<Self> {
        (3..=MOST_MEN)
            .contains(&position.occupied().count())
            .then(|| Self::of_few(position))
    }

    /// What stands on a board that is known to have few pieces.
    #[inline]
    pub(crate) fn of_few(position: &Chess) -> Self {
        let mut counts = 0;
        position.pieces(|piece, _| counts += one(piece));
        Self(counts)
    }

    /// Whether there are but two kings.
    #[inline]
    pub(crate) const fn is_bare(self) -> bool {
        let kings = 15 << (4 * PieceKind::King.index());
        self.0 & !(kings | kings << 24) == 0
    }

    /// How many pieces of this kind and side.
    #[inline]
    pub const fn count(self, piece: Piece) -> usize {
        (self.0 >> (4 * piece.index()) & 15) as usize
    }

    /// How many pieces in all.
    pub fn men(self) -> u32 {
        pieces().map(|piece| self.count(piece) as u32).sum()
    }

    /// Whether there are pawns.
    pub fn has_pawns(self) -> bool {
        Side::BOTH.iter().any(|&side| {
            self.count(Piece {
                side,
                kind: PieceKind::Pawn,
            }) > 0
        })
    }

    /// The same with the sides exchanged.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(self.0 >> 24 | (self.0 & 0xff_ffff) << 24)
    }

    /// With the sides as files are named: the side with more pieces first, of equal
    /// numbers the one with the stronger.
    #[must_use]
    pub fn as_named(self) -> Self {
        let strength = |material: Self| {
            let side = Side::White;
            let counts = BY_STRENGTH.map(|kind| material.count(Piece { side, kind }));
            (counts.iter().sum::<usize>(), counts)
        };
        let mirrored = self.mirrored();
        if strength(self) < strength(mirrored) {
            mirrored
        } else {
            self
        }
    }

    /// Whether both sides have the same pieces.
    #[inline]
    pub const fn is_symmetric(self) -> bool {
        self.0 == self.mirrored().0
    }

    /// How many pieces there is exactly one of.
    pub(crate) fn singles(self) -> usize {
        pieces().filter(|&piece| self.count(piece) == 1).count()
    }

    /// What these pieces are together, if a table could be about them.
    pub(crate) fn from_pieces(list: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let mut counts = 0u64;
        let mut men = 0;
        for piece in list {
            men += 1;
            if men > MOST_MEN {
                return None;
            }
            counts += one(piece);
        }
        let material = Self(counts);
        let king = |side| {
            material.count(Piece {
                side,
                kind: PieceKind::King,
            })
        };
        (men >= 3 && king(Side::White) == 1 && king(Side::Black) == 1).then_some(material)
    }
}

fn one(piece: Piece) -> u64 {
    1 << (4 * piece.index())
}

fn pieces() -> impl Iterator<Item = Piece> {
    let of = |side| BY_STRENGTH.map(|kind| Piece { side, kind });
    Side::BOTH.into_iter().flat_map(of)
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::with_capacity(8);
        for piece in pieces() {
            if (piece.kind, piece.side) == (PieceKind::King, Side::Black) {
                name.push('v');
            }
            let letter = piece.kind.letter().to_ascii_uppercase();
            name.extend(core::iter::repeat_n(letter, self.count(piece)));
        }
        f.pad(&name)
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

/// A name that no table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAMaterial;

impl fmt::Display for NotAMaterial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no name of a table: it would be like KQPvKR, strongest first, 3 to 7 pieces")
    }
}

impl core::error::Error for NotAMaterial {}

impl FromStr for Material {
    type Err = NotAMaterial;

    /// Reads a name as files have it: the strongest piece of a side first.
    fn from_str(name: &str) -> Result<Self, NotAMaterial> {
        let (white, black) = name.split_once('v').ok_or(NotAMaterial)?;
        let mut list = Vec::new();
        for (side, letters) in [(Side::White, white), (Side::Black, black)] {
            let mut last = 0;
            for letter in letters.bytes().take(MOST_MEN as usize + 1) {
                let kind = PieceKind::from_letter(letter).filter(|_| letter.is_ascii_uppercase());
                let kind = kind.ok_or(NotAMaterial)?;
                let place = BY_STRENGTH.iter().position(|&k| k == kind).unwrap_or(0);
                if place < last {
                    return Err(NotAMaterial);
                }
                last = place;
                list.push(Piece { side, kind });
            }
        }
        Self::from_pieces(list).ok_or(NotAMaterial)
    }
}
