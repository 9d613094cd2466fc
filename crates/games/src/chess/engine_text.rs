//! Moves as engines write them: `e2e4`, `e7e8q`, and castling in two forms.

use super::attacks::castling_targets;
use super::board::Chess;
use super::geometry::KING;
use super::moves::{CASTLE, Move, PROMOTION, PROMOTIONS};
use super::piece::PieceKind;
use super::square::Square;
use super::write::push_square;
use crate::error::MoveErrorKind;

impl Chess {
    /// Reads coordinates: four characters, then perhaps a promotion piece in
    /// either case, with or without `=`. Castling is read as `O-O`, as the king
    /// taking its rook, or as the king going to its castling square, unless
    /// that is an ordinary step.
    pub(super) fn read_engine_text(&self, text: &str) -> Result<Move, MoveErrorKind> {
        let text = text.trim();
        if matches!(text, "0000" | "(none)" | "null" | "@@@@") {
            return Err(MoveErrorKind::NullMove);
        }
        let bytes = text.as_bytes();
        if let Some(king_side) = castling_word(bytes) {
            return self.castling_move(king_side);
        }
        let from = square_at(bytes, 0)?;
        let to = square_at(bytes, 2)?;
        let promotion = match bytes[4..] {
            [] => None,
            [letter] | [b'=' | b'/', letter] => {
                let column = bytes.len();
                Some(PieceKind::from_letter(letter).ok_or(MoveErrorKind::Syntax { column })?)
            }
            _ => return Err(MoveErrorKind::Syntax { column: 5 }),
        };
        self.move_between(from, to, promotion)
    }

    /// The legal move between two squares.
    pub(super) fn move_between(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, MoveErrorKind> {
        let piece = self.piece_at(from).filter(|piece| piece.side == self.side);
        let kind = piece.ok_or(MoveErrorKind::NoPiece)?.kind;
        if kind == PieceKind::Pawn {
            return self.pawn_move(from, to, promotion);
        }
        if promotion.is_some() {
            return Err(MoveErrorKind::PromotionNotAllowed);
        }
        if kind == PieceKind::King
            && let Some(rook) = self.castling_rook(from, to)
        {
            return self.castle_with(from, rook);
        }
        self.checked(Move::pack(from.index(), to.index(), (kind as u16) << 12))
    }

    /// The legal move of the pawn on `from`.
    pub(super) fn pawn_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Result<Move, MoveErrorKind> {
        let way = self.pawn_move_flag(from, to);
        let mut flag = way.ok_or(MoveErrorKind::Illegal("the piece does not move that way"))?;
        if flag == PROMOTION {
            let kind = promotion.ok_or(MoveErrorKind::PromotionMissing)?;
            let choice = PROMOTIONS.iter().position(|&p| p == kind);
            flag |= (choice.ok_or(MoveErrorKind::PromotionNotAllowed)? as u16) << 12;
        } else if promotion.is_some() {
            return Err(MoveErrorKind::PromotionNotAllowed);
        }
        let m = Move::pack(from.index(), to.index(), flag);
        if self.of_side(self.side) & to.bit() == 0 && self.safe_after(m) {
            Ok(m)
        } else {
            Err(MoveErrorKind::Illegal(self.why_not(m)))
        }
    }

    /// The rook that a king's move means to castle with, if it means that.
    fn castling_rook(&self, king: Square, to: Square) -> Option<Square> {
        let own = self.rooks & self.of_side(self.side);
        if own & to.bit() != 0 {
            return Some(to);
        }
        // A single step is a single step, also onto the castling square.
        if KING[king.index()] & to.bit() != 0 || king.rank() != to.rank() {
            return None;
        }
        let rook = self.castling().rook(self.side, to.index() > king.index())?;
        (castling_targets(king, rook).0 == to).then_some(rook)
    }

    fn castle_with(&self, king: Square, rook: Square) -> Result<Move, MoveErrorKind> {
        if self.castling_is_legal(rook) {
            Ok(Move::pack(king.index(), rook.index(), CASTLE))
        } else {
            Err(MoveErrorKind::Illegal("castling is not possible now"))
        }
    }

    /// Castling to one side, if legal.
    pub(super) fn castling_move(&self, king_side: bool) -> Result<Move, MoveErrorKind> {
        let rook = self.castling().rook(self.side, king_side);
        let rook = rook.ok_or(MoveErrorKind::Illegal("there is no right to castle"))?;
        self.castle_with(self.king(self.side), rook)
    }

    /// A move that has its right flag, or why it is not legal.
    pub(super) fn checked(&self, m: Move) -> Result<Move, MoveErrorKind> {
        if self.judge(m) {
            return Ok(m);
        }
        Err(MoveErrorKind::Illegal(self.why_not(m)))
    }

    #[cold]
    pub(super) fn why_not(&self, m: Move) -> &'static str {
        let (from, to) = (m.from(), m.to());
        if self.of_side(self.side) & to.bit() != 0 {
            return "an own piece stands on the target square";
        }
        let moves_there = m.kind().is_some_and(|kind| match kind {
            PieceKind::Pawn => self.pawn_move_flag(from, to).is_some(),
            _ => super::attacks::attacks(kind, self.side, from, self.occupied()).contains(to),
        });
        if !moves_there {
            "the piece does not move that way"
        } else if self.checkers_of(self.side) != 0 {
            "the king would still be in check"
        } else {
            "the king would be in check"
        }
    }

    /// Writes a move in coordinates. Castling is `e1g1`, or `e1h1` in a
    /// Chess960 game.
    pub(super) fn engine_text(&self, m: Move) -> String {
        let mut out = String::with_capacity(5);
        if m == Move::NULL {
            return "0000".into();
        }
        let to = if m.is_castling() && !self.chess960 {
            castling_targets(m.from(), m.to()).0
        } else {
            m.to()
        };
        push_square(&mut out, m.from());
        push_square(&mut out, to);
        if let Some(kind) = m.promotion() {
            out.push(kind.letter());
        }
        out
    }
}

/// `O-O` or `O-O-O` in letters or zeros: whether it is the king's side.
pub(super) fn castling_word(bytes: &[u8]) -> Option<bool> {
    let is_o = |b: u8| matches!(b, b'O' | b'0' | b'o');
    match *bytes {
        [a, b'-', b] if is_o(a) && is_o(b) => Some(true),
        [a, b'-', b, b'-', c] if is_o(a) && is_o(b) && is_o(c) => Some(false),
        _ => None,
    }
}

/// The square named at a byte offset.
fn square_at(bytes: &[u8], at: usize) -> Result<Square, MoveErrorKind> {
    let letter = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let (file, rank) = (letter(at).to_ascii_lowercase(), letter(at + 1));
    if let Some(square) = Square::from_bytes(file, rank) {
        return Ok(square);
    }
    if !file.is_ascii_lowercase() {
        return Err(MoveErrorKind::Syntax { column: at + 1 });
    }
    if !rank.is_ascii_digit() {
        return Err(MoveErrorKind::Syntax { column: at + 2 });
    }
    Err(MoveErrorKind::NotASquare)
}
