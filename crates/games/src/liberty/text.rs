//! Moves as engines write them: `e2e4`, `g10g7`, `aa1y1`, `e7e8q`.

use super::Liberty;
use super::kind::Kind;
use super::moves::LibertyMove;
use super::squares;
use crate::error::{MoveError, MoveErrorKind};
use crate::position::Position;

/// Reads letters and digits, skipping other ASCII characters, and knows the
/// column it has reached.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next letter or digit, without taking it.
    fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.text.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Letters and then digits, both at least one, as file and rank from 1.
    fn square(&mut self) -> Result<(u32, u32), MoveErrorKind> {
        let (mut file, mut rank) = (0, 0);
        while let Some(byte) = self.peek().filter(u8::is_ascii_alphabetic) {
            file = squares::push_letter(file, byte);
            self.at += 1;
        }
        if file == 0 {
            let column = self.at + 1;
            return Err(MoveErrorKind::Syntax { column });
        }
        let mut digits = 0;
        while let Some(byte) = self.peek().filter(u8::is_ascii_digit) {
            rank = squares::push_digit(rank, byte);
            self.at += 1;
            digits += 1;
        }
        if digits == 0 {
            let column = self.at + 1;
            return Err(MoveErrorKind::Syntax { column });
        }
        Ok((file, rank))
    }
}

impl Liberty {
    /// Reads a move: either case, with or without separators (`h1-g1`). What
    /// follows a promotion letter is ignored.
    pub(super) fn read_move(&self, text: &str) -> Result<LibertyMove, MoveError> {
        let fail = |kind| MoveError::new(text, kind);
        let trimmed = text.trim();
        if trimmed == "0000" {
            return Err(fail(MoveErrorKind::NullMove));
        }
        if let Some(at) = text.bytes().position(|b| !b.is_ascii()) {
            return Err(fail(MoveErrorKind::Syntax { column: at + 1 }));
        }
        let mut reader = Reader {
            text: text.as_bytes(),
            at: 0,
        };
        let from = reader.square().map_err(fail)?;
        let to = reader.square().map_err(fail)?;
        let letter = reader.peek().map(char::from);
        let from = self
            .square_at(from)
            .ok_or(fail(MoveErrorKind::NotASquare))?;
        let to = self.square_at(to).ok_or(fail(MoveErrorKind::NotASquare))?;
        self.check_move(from, to, letter).map_err(fail)
    }

    /// The square with this file and rank, counted from 1.
    pub(super) fn square_at(&self, (file, rank): (u32, u32)) -> Option<u16> {
        let (width, height) = self.size();
        let on_board =
            (1..=u32::from(width)).contains(&file) && (1..=u32::from(height)).contains(&rank);
        on_board.then(|| ((rank - 1) * u32::from(width) + file - 1) as u16)
    }

    /// The legal move between two squares, or why there is none.
    fn check_move(
        &self,
        from: u16,
        to: u16,
        letter: Option<char>,
    ) -> Result<LibertyMove, MoveErrorKind> {
        let mover = self.piece_at(from).filter(|piece| piece.side == self.side);
        let Some(mover) = mover else {
            return Err(MoveErrorKind::NoPiece);
        };
        let promotes = mover.kind == Kind::Pawn && self.is_last_rank(to);
        let promotion = match letter {
            Some(letter) => {
                let kind = Kind::from_letter(letter);
                let listed = kind.filter(|k| promotes && self.promotions().contains(k));
                Some(listed.ok_or(MoveErrorKind::PromotionNotAllowed)?)
            }
            None => None,
        };
        let m = LibertyMove::new(from, to, promotion);
        if self.is_legal(m) {
            return Ok(m);
        }
        if self.is_over_without_looking() {
            return Err(MoveErrorKind::Illegal("the game is over"));
        }
        if promotes && promotion.is_none() {
            let any = LibertyMove::new(from, to, self.promotions().first().copied());
            if self.is_legal(any) {
                return Err(MoveErrorKind::PromotionMissing);
            }
        }
        Err(MoveErrorKind::Illegal(if self.in_check() {
            "it does not get out of check, or the piece does not move that way"
        } else {
            "the piece does not move that way, or its King would be in check"
        }))
    }

    /// Whether Pawns of the side to move promote on this square.
    pub(super) fn is_last_rank(&self, square: u16) -> bool {
        let rules = &self.setup.pawns[self.side.index()];
        self.setup.cell(square).is_some_and(|at| rules.promotes(at))
    }

    /// Writes a move.
    pub(super) fn write_move(&self, m: LibertyMove) -> String {
        let mut text = self.square_name(m.from());
        text.push_str(&self.square_name(m.to()));
        text.extend(m.promotion().map(Kind::letter));
        text
    }
}
