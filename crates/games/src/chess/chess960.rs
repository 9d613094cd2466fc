//! The 960 start positions and their numbers.

use super::board::Chess;
use super::piece::{Piece, PieceKind};
use super::square::Square;
use crate::game::Side;

use PieceKind::{Bishop, King, Knight, Queen, Rook};

/// The number of the usual start position.
pub const CLASSIC: u16 = 518;

/// Which two of the five files left after bishops and queen get the knights.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The first rank, from a to h, of the start position with this Scharnagl
/// number (0 to 959).
///
/// ```
/// use quadrille_games::chess::{PieceKind, back_rank, back_rank_number};
/// let rank = back_rank(518).unwrap();
/// assert_eq!(rank[4], PieceKind::King);
/// assert_eq!(back_rank_number(&rank), Some(518));
/// assert_eq!(back_rank(960), None);
/// ```
pub fn back_rank(number: u16) -> Option<[PieceKind; 8]> {
    if number >= 960 {
        return None;
    }
    let n = number as usize;
    let mut rank = [None; 8];
    rank[n % 4 * 2 + 1] = Some(Bishop);
    rank[n / 4 % 4 * 2] = Some(Bishop);
    place(&mut rank, n / 16 % 6, Queen);
    let (first, second) = KNIGHTS[n / 96];
    // The higher first: filling it leaves the count below it as it is.
    place(&mut rank, second, Knight);
    place(&mut rank, first, Knight);
    place(&mut rank, 1, King);
    Some(rank.map(|kind| kind.unwrap_or(Rook)))
}

/// Puts a piece on the `nth` empty file.
fn place(rank: &mut [Option<PieceKind>; 8], nth: usize, kind: PieceKind) {
    if let Some(file) = rank.iter_mut().filter(|file| file.is_none()).nth(nth) {
        *file = Some(kind);
    }
}

/// The Scharnagl number of a first rank, if it is one of the 960.
pub fn back_rank_number(rank: &[PieceKind; 8]) -> Option<u16> {
    let files = |kind| (0..8).filter(move |&f| rank[f] == kind);
    let light = files(Bishop).find(|f| f % 2 == 1)? / 2;
    let dark = files(Bishop).find(|f| f % 2 == 0)? / 2;
    let queen = files(Queen).next()?;
    let below = |file: usize, left_out: &[PieceKind]| {
        rank[..file]
            .iter()
            .filter(|kind| !left_out.contains(kind))
            .count()
    };
    let mut knights = files(Knight).map(|f| below(f, &[Bishop, Queen]));
    let pair = (knights.next()?, knights.next()?);
    let choice = KNIGHTS.iter().position(|&k| k == pair)?;
    let number = light + 4 * dark + 16 * below(queen, &[Bishop]) + 96 * choice;
    // Whatever else is wrong (two queens, the king outside its rooks) shows
    // when the number is turned back into a rank.
    let number = u16::try_from(number).ok()?;
    (back_rank(number)? == *rank).then_some(number)
}

impl Chess {
    /// The Chess960 start position with this Scharnagl number, or `None` above
    /// 959.
    ///
    /// ```
    /// use quadrille_games::{Position, chess::Chess};
    /// let zero = Chess::chess960(0).unwrap();
    /// assert!(zero.text().starts_with("bbqnnrkr/pppppppp/8"));
    /// ```
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The start position of double Chess960: each side has its own number.
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let mut position = Self::EMPTY;
        position.chess960 = true;
        for (side, number) in [(Side::White, white), (Side::Black, black)] {
            let (home, pawns) = match side {
                Side::White => (0, 8),
                Side::Black => (56, 48),
            };
            for (file, kind) in (0..).zip(back_rank(number)?) {
                position.put(Piece { side, kind }, Square::new(home + file));
                let pawn = Piece {
                    side,
                    kind: PieceKind::Pawn,
                };
                position.put(pawn, Square::new(pawns + file));
                if kind == Rook {
                    position.rooks |= Square::new(home + file).bit();
                }
            }
        }
        position.key = position.fresh_key();
        Some(position)
    }

    /// The Scharnagl numbers of White's and Black's first ranks, if this is
    /// a start position of (double) Chess960 with all castling rights.
    pub fn start_numbers(&self) -> Option<(u16, u16)> {
        let rank = |home: u8| {
            let mut kinds = [PieceKind::Pawn; 8];
            for (file, kind) in (0..).zip(&mut kinds) {
                *kind = self.piece_at(Square::new(home + file))?.kind;
            }
            back_rank_number(&kinds)
        };
        let numbers = (rank(0)?, rank(56)?);
        let start = Self::double_chess960(numbers.0, numbers.1)?;
        (start.key == self.key && start.planes == self.planes).then_some(numbers)
    }
}
