//! Moves as people write them.
//!
//! Reading starts from the target square and asks which piece could come from
//! where, so that a game record streams through without a single move list.

use super::attacks::attacks;
use super::board::Chess;
use super::engine_text::castling_word;
use super::geometry::PAWN;
use super::moves::Move;
use super::piece::PieceKind;
use super::square::Square;
use super::write::{file_letter, push_square};
use crate::error::MoveErrorKind;
use crate::game::Side;

/// A move text taken apart.
#[derive(Clone, Copy)]
struct San {
    /// `None` if no letter names the piece.
    kind: Option<PieceKind>,
    to: Square,
    file: Option<u8>,
    rank: Option<u8>,
    promotion: Option<PieceKind>,
    captures: bool,
    /// Began with a lower-case `b`: a pawn of the b-file, or a bishop written
    /// carelessly.
    small_b: bool,
}

impl Chess {
    /// Reads SAN with all its sloppy spellings, long algebraic notation, and
    /// engine text.
    pub(super) fn read_san(&self, text: &str) -> Result<Move, MoveErrorKind> {
        let body = strip_remarks(text.as_bytes().trim_ascii());
        let san = match take_apart(body) {
            Ok(san) => san,
            Err(error) => return self.read_word(body, error),
        };
        if san.kind.is_none()
            && let (Some(file), Some(rank)) = (san.file, san.rank)
        {
            // Both squares and no piece: `g1f3`, `e2-e4`.
            return self.move_between(Square::new(rank * 8 + file), san.to, san.promotion);
        }
        let found = self.resolve(&san, san.kind.unwrap_or(PieceKind::Pawn));
        if found.is_err() && san.small_b {
            // `bc4` or `bxc4`, and no pawn can: a bishop then.
            let bishop = San {
                kind: Some(PieceKind::Bishop),
                file: None,
                ..san
            };
            return self.resolve(&bishop, PieceKind::Bishop).or(found);
        }
        found
    }

    /// What does not end in a square: castling, and the null move.
    fn read_word(&self, body: &[u8], error: MoveErrorKind) -> Result<Move, MoveErrorKind> {
        if let Some(king_side) = castling_word(body) {
            return self.castling_move(king_side);
        }
        if matches!(body, b"--" | b"Z0" | b"z0" | b"0000" | b"@@@@" | b"null") {
            return Err(MoveErrorKind::NullMove);
        }
        Err(error)
    }

    /// Finds the one legal move that fits.
    fn resolve(&self, san: &San, kind: PieceKind) -> Result<Move, MoveErrorKind> {
        let us = self.of_side(self.side);
        let mut origins = us & self.origins(san, kind);
        if let Some(file) = san.file {
            origins &= 0x0101_0101_0101_0101 << file;
        }
        if let Some(rank) = san.rank {
            origins &= 0xff << (8 * rank);
        }
        if origins == 0 {
            return Err(self.no_origin(kind));
        }
        let mut found = None;
        let mut refused = MoveErrorKind::NoPiece;
        while origins != 0 {
            let from = Square::new(origins.trailing_zeros() as u8);
            origins &= origins - 1;
            match self.candidate(from, san, kind) {
                Ok(_) if found.is_some() => return Err(MoveErrorKind::Ambiguous),
                Ok(m) => found = Some(m),
                Err(error) => refused = error,
            }
        }
        found.ok_or(refused)
    }

    /// Squares from which a piece of this kind reaches the target.
    #[inline]
    fn origins(&self, san: &San, kind: PieceKind) -> u64 {
        let to = san.to;
        if kind != PieceKind::Pawn {
            return attacks(kind, self.side, to, self.occupied()).0 & self.by_kind(kind).0;
        }
        let pawns = self.pawns();
        let captures = san.captures || san.file.is_some_and(|file| file != to.file());
        if captures {
            return PAWN[self.side.other().index()][to.index()] & pawns;
        }
        let (one, two) = match self.side {
            Side::White => (to.bit() >> 8, to.bit() >> 16),
            Side::Black => (to.bit() << 8, to.bit() << 16),
        };
        if pawns & one != 0 { one } else { pawns & two }
    }

    /// The move from one of those squares. That the piece reaches its target
    /// is known; what remains is whether it may go there.
    #[inline]
    fn candidate(&self, from: Square, san: &San, kind: PieceKind) -> Result<Move, MoveErrorKind> {
        let to = san.to;
        if kind == PieceKind::Pawn {
            return self.pawn_move(from, to, san.promotion);
        }
        if san.promotion.is_some() {
            return Err(MoveErrorKind::PromotionNotAllowed);
        }
        let m = Move::pack(from.index(), to.index(), (kind as u16) << 12);
        let safe = if kind == PieceKind::King {
            self.king_can_stand(to)
        } else {
            self.safe_after(m)
        };
        if safe && self.of_side(self.side) & to.bit() == 0 {
            Ok(m)
        } else {
            Err(MoveErrorKind::Illegal(self.why_not(m)))
        }
    }

    #[cold]
    fn no_origin(&self, kind: PieceKind) -> MoveErrorKind {
        let own = self.by_kind(kind).0 & self.of_side(self.side);
        if own == 0 {
            MoveErrorKind::NoPiece
        } else {
            MoveErrorKind::Illegal("no such piece reaches the target square")
        }
    }

    /// Writes SAN exactly as the PGN standard has it.
    pub(super) fn san(&self, m: Move) -> String {
        let mut out = String::with_capacity(8);
        if m == Move::NULL {
            return "--".into();
        }
        if m.is_castling() {
            let king_side = m.to().index() > m.from().index();
            out.push_str(if king_side { "O-O" } else { "O-O-O" });
        } else {
            let captures = self.occ() & m.to().bit() != 0 || m.is_en_passant();
            match m.kind() {
                Some(PieceKind::Pawn) | None => {
                    if captures {
                        out.push(file_letter(m.from()));
                    }
                }
                Some(kind) => {
                    out.push(kind.letter().to_ascii_uppercase());
                    self.tell_apart(&mut out, m, kind);
                }
            }
            if captures {
                out.push('x');
            }
            push_square(&mut out, m.to());
            if let Some(kind) = m.promotion() {
                out.push('=');
                out.push(kind.letter().to_ascii_uppercase());
            }
        }
        if self.gives_check(m) {
            out.push(if self.after(m).has_moves() { '+' } else { '#' });
        }
        out
    }

    /// File, rank or both where another piece of the kind could go there too;
    /// pieces that are pinned do not count (PGN 8.2.3.4).
    fn tell_apart(&self, out: &mut String, m: Move, kind: PieceKind) {
        let (from, to) = (m.from(), m.to());
        let reach = attacks(kind, self.side, to, self.occupied()).0;
        let rivals = reach & self.by_kind(kind).0 & self.of_side(self.side) & !from.bit();
        let flag = (kind as u16) << 12;
        let rivals: super::Bitboard = super::Bitboard(rivals)
            .into_iter()
            .filter(|rival| self.judge(Move::pack(rival.index(), to.index(), flag)))
            .collect();
        if rivals.is_empty() {
            return;
        }
        let same_file = rivals & super::Bitboard::file(from.file());
        let same_rank = rivals & super::Bitboard::rank(from.rank());
        if same_file.is_empty() {
            out.push(file_letter(from));
        } else if same_rank.is_empty() {
            out.push(char::from(b'1' + from.rank()));
        } else {
            push_square(out, from);
        }
    }
}

/// Cuts off `+`, `#`, `!`, `?` and `e.p.` at the end.
fn strip_remarks(mut body: &[u8]) -> &[u8] {
    loop {
        let before = body.len();
        while let [rest @ .., b'+' | b'#' | b'!' | b'?' | b' '] = body {
            body = rest;
        }
        if let [rest @ .., b'e', b'.', b'p', b'.'] | [rest @ .., b'e', b'p'] = body {
            body = rest;
        }
        if body.len() == before {
            return body;
        }
    }
}

/// Reads from both ends: piece letter in front, promotion and target behind,
/// what is left tells pieces apart.
fn take_apart(body: &[u8]) -> Result<San, MoveErrorKind> {
    let (kind, small_b, start) = piece_letter(body);
    let (promotion, end) = promotion_letter(body)?;
    let middle = body.get(start..end).unwrap_or_default();
    let [between @ .., file, rank] = middle else {
        return Err(MoveErrorKind::Syntax { column: start + 1 });
    };
    let Some(to) = Square::from_bytes(file.to_ascii_lowercase(), *rank) else {
        let square_like = file.is_ascii_alphabetic() && rank.is_ascii_digit();
        return Err(if square_like {
            MoveErrorKind::NotASquare
        } else {
            MoveErrorKind::Syntax { column: end - 1 }
        });
    };
    let mut san = San {
        kind,
        to,
        file: None,
        rank: None,
        promotion,
        captures: false,
        small_b,
    };
    for (i, &b) in between.iter().enumerate() {
        match b {
            b'a'..=b'h' if san.file.is_none() && san.rank.is_none() => san.file = Some(b - b'a'),
            b'1'..=b'8' if san.rank.is_none() => san.rank = Some(b - b'1'),
            b'x' | b'X' | b':' if i + 1 == between.len() => san.captures = true,
            b'-' if i + 1 == between.len() => {}
            _ => {
                return Err(MoveErrorKind::Syntax {
                    column: start + i + 1,
                });
            }
        }
    }
    Ok(san)
}

/// The piece letter in front, whether it was a small `b`, and how many bytes it
/// took. A small `b` is left for the file it usually is.
fn piece_letter(body: &[u8]) -> (Option<PieceKind>, bool, usize) {
    match *body {
        [b'b', ..] => (None, true, 0),
        [
            letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P' | b'n' | b'r' | b'q' | b'k' | b'p'),
            ..,
        ] => (PieceKind::from_letter(letter), false, 1),
        // The figurines from U+2654 to U+265F, White's and then Black's.
        [0xe2, 0x99, code @ 0x94..=0x9f, ..] => {
            let kinds = [
                PieceKind::King,
                PieceKind::Queen,
                PieceKind::Rook,
                PieceKind::Bishop,
                PieceKind::Knight,
                PieceKind::Pawn,
            ];
            (Some(kinds[(code as usize - 0x94) % 6]), false, 3)
        }
        _ => (None, false, 0),
    }
}

/// The promotion piece behind (`=Q`, `Q`, `(Q)`, `/Q`), and where it starts.
fn promotion_letter(body: &[u8]) -> Result<(Option<PieceKind>, usize), MoveErrorKind> {
    let (letter, end) = match *body {
        [.., b'(', letter, b')'] => (letter, body.len() - 3),
        [.., b'=' | b'/', letter] => (letter, body.len() - 2),
        [.., letter] if letter.is_ascii_alphabetic() => (letter, body.len() - 1),
        _ => return Ok((None, body.len())),
    };
    match PieceKind::from_letter(letter) {
        Some(kind) => Ok((Some(kind), end)),
        None => Err(MoveErrorKind::Syntax { column: end + 1 }),
    }
}
