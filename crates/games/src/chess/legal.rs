//! Judging one move without generating the others.

use super::attacks::attacks;
use super::bitboard::Bitboard;
use super::board::Chess;
use super::geometry::{BETWEEN, KING, PAWN};
use super::moves::{DOUBLE, EN_PASSANT, Move, PAWN_MOVE, PROMOTION};
use super::piece::PieceKind;
use super::square::Square;
use crate::game::Side;

impl Chess {
    /// Whether these sixteen bits are a legal move here.
    pub(super) fn judge(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let us = self.of_side(self.side);
        if us & from.bit() == 0 {
            return false;
        }
        let Some(kind) = m.kind() else {
            return false;
        };
        if kind as usize != self.code_at(from.index()) & 7 {
            return false;
        }
        if m.is_castling() {
            return self.castling_is_legal(to);
        }
        if us & to.bit() != 0 {
            return false;
        }
        match kind {
            PieceKind::Pawn => {
                self.pawn_move_flag(from, to) == Some(m.flag() & promotion_blind(m))
                    && self.safe_after(m)
            }
            PieceKind::King => KING[from.index()] & to.bit() != 0 && self.king_can_stand(to),
            _ => attacks(kind, self.side, from, self.occupied()).contains(to) && self.safe_after(m),
        }
    }

    /// The flag that a pawn's move between two squares must carry (for a
    /// promotion its lowest flag), or `None` if no pawn goes that way.
    pub(super) fn pawn_move_flag(&self, from: Square, to: Square) -> Option<u16> {
        let occ = self.occ();
        let (a, b) = (from.index(), to.index());
        let white = self.side == Side::White;
        let last = if white { 7 } else { 0 };
        let plain = if to.rank() == last {
            PROMOTION
        } else {
            PAWN_MOVE
        };
        if PAWN[self.side.index()][a] & to.bit() != 0 {
            if occ & to.bit() != 0 {
                return Some(plain);
            }
            return (self.en_passant() == Some(to)).then_some(EN_PASSANT);
        }
        let ahead = if white {
            b.wrapping_sub(a)
        } else {
            a.wrapping_sub(b)
        };
        if occ & to.bit() != 0 {
            return None;
        }
        match ahead {
            8 => Some(plain),
            16 if from.rank() == if white { 1 } else { 6 }
                && occ & 1 << usize::midpoint(a, b) == 0 =>
            {
                Some(DOUBLE)
            }
            _ => None,
        }
    }

    /// Whether the own king is safe after a move of another piece.
    #[inline]
    pub(super) fn safe_after(&self, m: Move) -> bool {
        let (from, to) = (m.from().bit(), m.to().bit());
        let mut occ = (self.occ() & !from) | to;
        let mut gone = to;
        if m.flag() == EN_PASSANT {
            gone = 1 << (m.to().index() ^ 8);
            occ &= !gone;
        }
        self.king_safe(self.side, occ, gone)
    }

    /// Whether the king may stand on `to`, having left its square.
    #[inline]
    pub(super) fn king_can_stand(&self, to: Square) -> bool {
        let king = 1u64 << self.king_index(self.side);
        let them = self.of_side(self.side.other());
        self.attackers(to.index(), self.occ() & !king) & them == 0
    }

    /// Whether the side to move may castle with this rook now.
    pub(super) fn castling_is_legal(&self, rook: Square) -> bool {
        let us = self.of_side(self.side);
        let king = self.king_index(self.side);
        if self.rooks & us & rook.bit() == 0
            || BETWEEN[king][rook.index()] & self.occ() != 0
            || self.checkers_of(self.side) != 0
        {
            return false;
        }
        let rook = rook.index();
        match self.side {
            Side::White => self.can_castle::<true>(king, rook, self.checks::<true>().pinned),
            Side::Black => self.can_castle::<false>(king, rook, self.checks::<false>().pinned),
        }
    }

    /// The squares to which the piece on `from` can move legally; castling
    /// shows as the square of the rook. For boards that people click on.
    pub fn targets(&self, from: Square) -> Bitboard {
        let mut set = 0;
        self.each_move(crate::MoveKind::All, |m| {
            if m.from() == from {
                set |= m.to().bit();
            }
        });
        Bitboard(set)
    }
}

/// A mask that lets the four promotion flags look alike and leaves all others
/// as they are.
const fn promotion_blind(m: Move) -> u16 {
    if m.promotion().is_some() {
        0xc000
    } else {
        0xffff
    }
}
