//! Writing positions: FEN in its dialects, and the board for a terminal.

use core::fmt::Write as _;

use super::bitboard::Bitboard;
use super::board::Chess;
use super::fen::outermost_rook;
use super::square::Square;
use crate::game::Side;

/// How castling rights are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CastlingStyle {
    /// X-FEN: `KQkq`, and the letter of the file where another rook stands
    /// farther out. The same as FEN in ordinary chess.
    #[default]
    XFen,
    /// Shredder-FEN: always the letter of the rook's file, `HAha`.
    Shredder,
}

/// When the en passant square is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EnPassantStyle {
    /// Only if a pawn can legally be captured there.
    #[default]
    Legal,
    /// After every double step, as the first FEN specification has it.
    Always,
}

/// The dialect of a FEN.
///
/// ```
/// use quadrille_games::chess::{CastlingStyle, Chess, EnPassantStyle, FenStyle};
/// let style = FenStyle { castling: CastlingStyle::Shredder, en_passant: EnPassantStyle::Always };
/// assert!(Chess::default().fen(style).ends_with(" w HAha - 0 1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FenStyle {
    /// How castling rights are written.
    pub castling: CastlingStyle,
    /// When the en passant square is written.
    pub en_passant: EnPassantStyle,
}

impl Chess {
    /// The position as FEN with all six fields.
    pub fn fen(&self, style: FenStyle) -> String {
        let mut out = self.epd_fields(style);
        // Writing to a String cannot fail.
        let _ = write!(out, " {} {}", self.halfmove_clock(), self.fullmove_number());
        out
    }

    /// The first four fields, which EPD shares with FEN.
    pub fn epd_fields(&self, style: FenStyle) -> String {
        let mut out = String::with_capacity(96);
        for rank in (0..8).rev() {
            self.write_rank(&mut out, rank);
            out.push(if rank == 0 { ' ' } else { '/' });
        }
        out.push(if self.side == Side::White { 'w' } else { 'b' });
        out.push(' ');
        self.write_castling(&mut out, style.castling);
        out.push(' ');
        let square = match style.en_passant {
            EnPassantStyle::Legal => self.en_passant(),
            EnPassantStyle::Always => self.jumped_over(),
        };
        match square {
            Some(square) => push_square(&mut out, square),
            None => out.push('-'),
        }
        out
    }

    fn write_rank(&self, out: &mut String, rank: u8) {
        let mut empty = 0;
        for file in 0..8 {
            match self.piece_at(Square::new(rank * 8 + file)) {
                Some(piece) => {
                    push_count(out, empty);
                    empty = 0;
                    out.push(piece.letter());
                }
                None => empty += 1,
            }
        }
        push_count(out, empty);
    }

    pub(super) fn write_castling(&self, out: &mut String, style: CastlingStyle) {
        if self.rooks == 0 {
            out.push('-');
            return;
        }
        let rights = self.castling();
        for side in Side::BOTH {
            for king_side in [true, false] {
                let Some(rook) = rights.rook(side, king_side) else {
                    continue;
                };
                let outer = outermost_rook(self, side, king_side) == Some(rook);
                let letter = match (style, king_side) {
                    (CastlingStyle::XFen, true) if outer => 'k',
                    (CastlingStyle::XFen, false) if outer => 'q',
                    _ => file_letter(rook),
                };
                out.push(match side {
                    Side::White => letter.to_ascii_uppercase(),
                    Side::Black => letter,
                });
            }
        }
    }

    /// The board with coordinates, ranks from the top.
    pub(super) fn drawing(&self) -> String {
        let mut out = String::with_capacity(200);
        for rank in (0..8).rev() {
            out.push(char::from(b'1' + rank));
            out.push(' ');
            for file in 0..8 {
                let piece = self.piece_at(Square::new(rank * 8 + file));
                out.push(' ');
                out.push(piece.map_or('.', super::Piece::letter));
            }
            out.push('\n');
        }
        out.push_str("\n   a b c d e f g h\n");
        out
    }
}

fn push_count(out: &mut String, empty: u8) {
    if empty > 0 {
        out.push(char::from(b'0' + empty));
    }
}

pub(super) fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

pub(super) fn push_square(out: &mut String, square: Square) {
    out.push(file_letter(square));
    out.push(char::from(b'1' + square.rank()));
}

/// The squares of one colour, a1's.
pub(super) const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);
