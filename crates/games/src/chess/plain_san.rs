//! SAN exactly as the standard writes it: the way nearly every move of a game
//! record is written, and so the way that has to be quick.

use super::attacks::attacks;
use super::board::Chess;
use super::geometry::PAWN;
use super::moves::{DOUBLE, EN_PASSANT, Move, PAWN_MOVE, PROMOTION, PROMOTIONS};
use super::piece::PieceKind;
use super::square::Square;
use crate::game::Side;

const FILE_A: u64 = 0x0101_0101_0101_0101;

impl Chess {
    /// The move, if the text is plain SAN and exactly one legal move fits.
    /// Everything else, errors included, is for the long way: `None` does not
    /// say that the text is wrong.
    #[inline]
    pub(super) fn read_plain_san(&self, text: &[u8]) -> Option<Move> {
        let body = match text {
            [body @ .., b'+' | b'#'] => body,
            _ => text,
        };
        let kind = match body.first()? {
            b'a'..=b'h' => return self.plain_pawn_move(body),
            b'N' => PieceKind::Knight,
            b'B' => PieceKind::Bishop,
            b'R' => PieceKind::Rook,
            b'Q' => PieceKind::Queen,
            b'K' => PieceKind::King,
            _ => return None,
        };
        let [between @ .., file, rank] = &body[1..] else {
            return None;
        };
        let to = Square::from_bytes(*file, *rank)?;
        let among = match between {
            [] | [b'x'] => !0,
            [word] | [word, b'x'] => line(*word)?,
            [file, rank] | [file, rank, b'x'] => line(*file)? & line(*rank)?,
            _ => return None,
        };
        self.plain_piece_move(kind, to, among)
    }

    /// A move of a piece to a square, from one of the squares `among`.
    #[inline]
    fn plain_piece_move(&self, kind: PieceKind, to: Square, among: u64) -> Option<Move> {
        let us = self.of_side(self.side);
        if us & to.bit() != 0 {
            return None;
        }
        let reach = attacks(kind, self.side, to, self.occupied()).0;
        let mut origins = reach & self.by_kind(kind).0 & us & among;
        let flag = (kind as u16) << 12;
        let mut found = None;
        while origins != 0 {
            let m = Move::pack(origins.trailing_zeros() as usize, to.index(), flag);
            origins &= origins - 1;
            let legal = match kind {
                PieceKind::King => self.king_can_stand(to),
                _ => self.safe_after(m),
            };
            if legal {
                if found.is_some() {
                    return None;
                }
                found = Some(m);
            }
        }
        found
    }

    /// `e4`, `exd5`, `e8=Q`, `exd8=Q`.
    #[inline]
    fn plain_pawn_move(&self, body: &[u8]) -> Option<Move> {
        let (body, promotion) = match *body {
            [ref body @ .., b'=', letter] => {
                let kind = PieceKind::from_letter(letter.to_ascii_lowercase())?;
                (body, Some(PROMOTIONS.iter().position(|&p| p == kind)?))
            }
            _ => (body, None),
        };
        let (to, from, mut flag) = match *body {
            [file, rank] => {
                let to = Square::from_bytes(file, rank)?;
                let (from, flag) = self.pawn_push_origin(to)?;
                (to, from, flag)
            }
            [from_file, b'x', file, rank] => {
                let to = Square::from_bytes(file, rank)?;
                let them = self.of_side(self.side.other());
                let flag = if them & to.bit() != 0 {
                    PAWN_MOVE
                } else if self.en_passant() == Some(to) {
                    EN_PASSANT
                } else {
                    return None;
                };
                let own = self.pawns() & self.of_side(self.side) & line(from_file)?;
                let origins = own & PAWN[self.side.other().index()][to.index()];
                // From one file at most one pawn captures on a square.
                (
                    to,
                    (origins != 0).then(|| origins.trailing_zeros() as usize)?,
                    flag,
                )
            }
            _ => return None,
        };
        let last = match self.side {
            Side::White => 7,
            Side::Black => 0,
        };
        if (to.rank() == last) != promotion.is_some() {
            return None;
        }
        if let Some(choice) = promotion {
            flag = PROMOTION | (choice as u16) << 12;
        }
        let m = Move::pack(from, to.index(), flag);
        self.safe_after(m).then_some(m)
    }

    /// Where the pawn stands that goes straight to this empty square.
    #[inline]
    fn pawn_push_origin(&self, to: Square) -> Option<(usize, u16)> {
        let own = self.pawns() & self.of_side(self.side);
        let occ = self.occ();
        let to_bit = to.bit();
        let (one, two, home) = match self.side {
            Side::White => (to_bit >> 8, to_bit >> 16, 0xff << 8),
            Side::Black => (to_bit << 8, to_bit << 16, 0xff << 48),
        };
        if occ & to_bit != 0 {
            return None;
        }
        if own & one != 0 {
            return Some((one.trailing_zeros() as usize, PAWN_MOVE));
        }
        (occ & one == 0 && own & two & home != 0).then(|| (two.trailing_zeros() as usize, DOUBLE))
    }
}

/// The squares of a file letter or a rank digit.
#[inline]
fn line(word: u8) -> Option<u64> {
    match word {
        b'a'..=b'h' => Some(FILE_A << (word - b'a')),
        b'1'..=b'8' => Some(0xff << (8 * (word - b'1'))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ChessRules;
    use super::*;
    use crate::position::Position;

    /// Every legal move of many positions: the quick way either agrees with
    /// the move it was written for or leaves it alone; it never leaves alone
    /// what the standard writes, castling excepted.
    #[test]
    fn plain_san_agrees_with_the_writer() {
        let mut seed = 0x1234_5678_9abc_def1_u64;
        for _ in 0..60 {
            let mut board = Chess::default();
            for _ in 0..120 {
                let moves = board.moves();
                if moves.is_empty() {
                    break;
                }
                for &m in &moves {
                    let san = board.notation(m);
                    let read = board.read_plain_san(san.as_bytes());
                    let expected = (!m.is_castling()).then_some(m);
                    assert_eq!(read, expected, "{san} in {}", board.text());
                }
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                board.play(moves[(seed >> 33) as usize % moves.len()]);
            }
        }
    }

    /// Short texts over the letters of SAN: what the quick way reads is always
    /// what the long way reads.
    #[test]
    fn plain_san_never_contradicts_the_long_way() {
        let letters = b"NBRQKaehx=+1478-";
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ];
        for fen in fens {
            let board = Chess::from_text(fen, &ChessRules::default()).expect("a good position");
            for code in 0..16_usize.pow(4) {
                let text: Vec<u8> = (0..4).map(|i| letters[code >> (4 * i) & 15]).collect();
                for len in 1..=4 {
                    if let Some(m) = board.read_plain_san(&text[..len]) {
                        let text = core::str::from_utf8(&text[..len]).expect("ASCII");
                        assert_eq!(board.read_san(text), Ok(m), "{text} in {fen}");
                    }
                }
            }
        }
    }
}
