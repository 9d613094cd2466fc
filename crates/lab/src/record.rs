//! A position with what became of it, in 32 bytes.
//!
//! ```text
//!  0  u64   occupied squares, a1 in bit 0
//!  8  16 B  four bits for each of them: kind (6: a rook that may castle), 8: Black
//! 24  u8    en passant square or 64; bit 7: Black to move
//! 25  u8    plies without progress
//! 26  u16   move number
//! 28  i16   score in centipawns from White's point of view
//! 30  u8    result: 0 Black won, 1 draw, 2 White won
//! 31  u8    low bits of the number of the game
//! ```
//! All numbers are little-endian. Positions of one game follow each other.

use quadrille_games::chess::{Chess, ChessRules, PieceKind, Square};
use quadrille_games::{Position, Side};

/// Bytes of a record.
pub const SIZE: usize = 32;
/// The code of a rook that may castle.
const CASTLING_ROOK: u8 = 6;

/// A position, its score and the result of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record(pub [u8; SIZE]);

impl Record {
    /// Packs a position; `None` if it has more than 32 pieces. The result is a
    /// draw until [`set_result`](Self::set_result).
    pub fn new(position: &Chess, score: i32, game: u64) -> Option<Self> {
        let occupied = position.occupied();
        if occupied.count() > 32 {
            return None;
        }
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&occupied.0.to_le_bytes());
        for (i, square) in occupied.into_iter().enumerate() {
            bytes[8 + i / 2] |= code(position, square) << (i % 2 * 4);
        }
        let black = u8::from(position.side() == Side::Black) << 7;
        bytes[24] = position.en_passant().map_or(64, |s| s.index() as u8) | black;
        bytes[25] = position.halfmove_clock().min(255) as u8;
        let number = position.fullmove_number().min(u32::from(u16::MAX)) as u16;
        bytes[26..28].copy_from_slice(&number.to_le_bytes());
        let score = score.clamp(-32_000, 32_000) as i16;
        bytes[28..30].copy_from_slice(&score.to_le_bytes());
        bytes[30] = 1;
        bytes[31] = game as u8;
        Some(Self(bytes))
    }

    /// Says who won the game.
    pub fn set_result(&mut self, winner: Option<Side>) {
        self.0[30] = match winner {
            Some(Side::Black) => 0,
            None => 1,
            Some(Side::White) => 2,
        };
    }

    /// 0 if Black won, 0.5 for a draw, 1 if White won.
    pub fn result(&self) -> f32 {
        f32::from(self.0[30].min(2)) / 2.0
    }

    /// The score in centipawns from White's point of view.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[28], self.0[29]])
    }

    /// The low bits of the number of its game.
    pub fn game(&self) -> u8 {
        self.0[31]
    }

    /// The position, or what is wrong with the bytes.
    pub fn position(&self) -> Result<Chess, String> {
        let rules = ChessRules { chess960: true };
        Chess::from_text(&self.fen(), &rules).map_err(|error| error.to_string())
    }

    /// The position as a Shredder-FEN, castling rights by the file of the rook.
    fn fen(&self) -> String {
        let mut board = [None; 64];
        let mut rights = String::new();
        let mut occupied = u64::from_le_bytes(self.0[..8].try_into().unwrap_or_default());
        let mut i = 0;
        while occupied != 0 && i < 32 {
            let square = occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            let code = self.0[8 + i / 2] >> (i % 2 * 4) & 15;
            let black = code & 8 != 0;
            let letter = letter(code & 7, black);
            if code & 7 == CASTLING_ROOK {
                let file = b'A' + (square & 7) as u8 + if black { 32 } else { 0 };
                rights.push(file as char);
            }
            board[square] = Some(letter);
            i += 1;
        }
        if rights.is_empty() {
            rights.push('-');
        }
        let side = if self.0[24] & 128 == 0 { 'w' } else { 'b' };
        let square = match self.0[24] & 127 {
            s if s < 64 => Square::new(s).to_string(),
            _ => "-".into(),
        };
        let number = u16::from_le_bytes([self.0[26], self.0[27]]);
        format!(
            "{} {side} {rights} {square} {} {number}",
            ranks(&board),
            self.0[25]
        )
    }
}

fn code(position: &Chess, square: Square) -> u8 {
    let Some(piece) = position.piece_at(square) else {
        return 0;
    };
    let castles = position.castling().rooks().contains(square);
    let kind = if castles {
        CASTLING_ROOK
    } else {
        piece.kind.index() as u8
    };
    kind | u8::from(piece.side == Side::Black) << 3
}

fn letter(kind: u8, black: bool) -> char {
    let kind = PieceKind::ALL
        .get(usize::from(kind))
        .copied()
        .unwrap_or(PieceKind::Rook);
    if black {
        kind.letter()
    } else {
        kind.letter().to_ascii_uppercase()
    }
}

/// The board field of a FEN.
fn ranks(board: &[Option<char>; 64]) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for square in &board[rank * 8..rank * 8 + 8] {
            match square {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(*letter);
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::random::SplitMix64;

    #[test]
    fn positions_survive_packing() {
        let mut random = SplitMix64::new(3);
        for game in 0..40u64 {
            let mut position = crate::opening::start(&mut random, 50);
            for _ in 0..100 {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let record = Record::new(&position, -37, game).unwrap();
                let back = record
                    .position()
                    .unwrap()
                    .with_chess960(position.is_chess960());
                assert_eq!(back, position);
                assert_eq!((record.score(), record.game()), (-37, game as u8));
                position.play(moves[random.index(moves.len())]);
            }
        }
    }

    #[test]
    fn results_are_seen_by_white() {
        let mut record = Record::new(&Chess::default(), 0, 0).unwrap();
        for (winner, value) in [
            (Some(Side::White), 1.0),
            (None, 0.5),
            (Some(Side::Black), 0.0),
        ] {
            record.set_result(winner);
            assert!((record.result() - value).abs() < f32::EPSILON);
        }
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        assert!(Record([0; SIZE]).position().is_err());
        assert!(Record([255; SIZE]).position().is_err());
    }
}
