//! Making moves.

use super::attacks::castling_targets;
use super::board::{Chess, NONE};
use super::geometry::PAWN;
use super::moves::{DOUBLE, EN_PASSANT, Move, PROMOTION};
use super::piece::{Piece, PieceKind};
use super::square::Square;
use super::zobrist;
use crate::game::Side;
use crate::observer::Observer;

const PAWN_CODE: usize = PieceKind::Pawn as usize;
const KING_CODE: usize = PieceKind::King as usize;

impl Chess {
    /// The position after a legal move: the cheapest way to look ahead.
    ///
    /// ```
    /// use quadrille_games::{Position, chess::Chess};
    /// let start = Chess::default();
    /// let e4 = start.parse_move("e2e4").unwrap();
    /// assert_eq!(start.after(e4).count_moves(), 20);
    /// ```
    #[inline]
    pub fn after(&self, m: Move) -> Self {
        match self.side {
            Side::White => self.next::<true>(m),
            Side::Black => self.next::<false>(m),
        }
    }

    #[inline(always)]
    fn next<const WHITE: bool>(&self, m: Move) -> Self {
        if m.is_castling() {
            return self.castled(m.from(), m.to());
        }
        let (us, them) = if WHITE { (0, 8) } else { (8, 0) };
        let (from, to) = (m.from().index(), m.to().index());
        let mover = m.mover();
        let taken = self.kind_at(to);
        let (left, arrived) = (1u64 << from, 1u64 << to);
        let mut key = self.key
            ^ zobrist::BLACK
            ^ zobrist::PIECE[us | mover][from]
            ^ zobrist::PIECE[us | mover][to]
            ^ zobrist::PIECE[them | taken][to];
        if self.en_passant != NONE {
            key ^= zobrist::EN_PASSANT[self.en_passant as usize & 63];
        }
        // A right is lost when its rook leaves or is taken, or the king moves.
        let home = if WHITE { 0xff } else { 0xff << 56 };
        let king_moved = if mover == KING_CODE { home } else { 0 };
        let lost = self.rooks & (left | arrived | king_moved);
        if lost != 0 {
            key = forget_rights(key, lost);
        }
        let bits = &SPREAD[us | mover];
        let plane = |i: usize| (self.planes[i] & !(left | arrived)) | (bits[i] & arrived);
        let progress = mover == PAWN_CODE || taken != 0;
        let mut next = Self {
            planes: [plane(0), plane(1), plane(2), plane(3)],
            rooks: self.rooks ^ lost,
            key,
            ply: self.ply.wrapping_add(1),
            halfmove: if progress {
                0
            } else {
                self.halfmove.saturating_add(1)
            },
            en_passant: NONE,
            jumped: NONE,
            side: if WHITE { Side::Black } else { Side::White },
            chess960: self.chess960,
        };
        if m.flag() >= PROMOTION {
            next.finish_pawn_move(m, us | mover);
        }
        next
    }

    /// Makes a legal move in place.
    #[inline]
    pub fn play(&mut self, m: Move) {
        *self = self.after(m);
    }

    /// What all moves share: the other side's turn, and last move's en passant
    /// chance gone.
    #[inline(always)]
    fn end_turn(&mut self) {
        self.en_passant = NONE;
        self.jumped = NONE;
        self.ply = self.ply.wrapping_add(1);
        self.side = self.side.other();
    }

    /// Promotions, double steps and en passant, once the pawn has arrived and
    /// the turn has passed.
    fn finish_pawn_move(&mut self, m: Move, pawn: usize) {
        let to = m.to().index();
        if let Some(kind) = m.promotion() {
            let piece = kind as usize | (pawn & 8);
            for (plane, word) in self.planes.iter_mut().enumerate() {
                *word ^= ((pawn ^ piece) as u64 >> plane & 1) << to;
            }
            self.key ^= zobrist::PIECE[pawn & 15][to] ^ zobrist::PIECE[piece & 15][to];
        } else if m.flag() == EN_PASSANT {
            let taken = to ^ 8;
            for word in &mut self.planes {
                *word &= !(1 << taken);
            }
            self.key ^= zobrist::PIECE[(pawn ^ 8) & 15][taken];
        } else if m.flag() == DOUBLE {
            self.offer_en_passant(to ^ 8);
        }
    }

    /// Notes that a pawn jumped over `square`. The en passant square counts,
    /// for the key too, only if the capture is legal: FIDE 9.2.3 calls
    /// positions the same when the possible moves are.
    pub(super) fn offer_en_passant(&mut self, square: usize) {
        self.jumped = square as u8;
        let takers =
            PAWN[self.side.other().index()][square & 63] & self.pawns() & self.of_side(self.side);
        if takers != 0 && self.en_passant_origins(square, takers) != 0 {
            self.en_passant = square as u8;
            self.key ^= zobrist::EN_PASSANT[square & 63];
        }
    }

    /// Those of the pawns `takers` that may capture en passant on `square`
    /// without leaving their king in check.
    pub(super) fn en_passant_origins(&self, square: usize, takers: u64) -> u64 {
        let taken = 1u64 << (square ^ 8);
        let mut origins = 0;
        let mut rest = takers;
        while rest != 0 {
            let taker = rest & rest.wrapping_neg();
            rest ^= taker;
            let occ = (self.occ() & !taker & !taken) | 1 << square;
            if self.king_safe(self.side, occ, taken) {
                origins |= taker;
            }
        }
        origins
    }

    #[cold]
    #[inline(never)]
    fn castled(&self, king: Square, rook: Square) -> Self {
        let mut next = *self;
        let (king_to, rook_to) = castling_targets(king, rook);
        let black = (self.side as usize) << 3;
        let (k, r) = (KING_CODE | black, PieceKind::Rook as usize | black);
        let old = king.bit() | rook.bit();
        for (plane, word) in next.planes.iter_mut().enumerate() {
            *word = (*word & !old)
                | ((k >> plane & 1) as u64) << king_to.index()
                | ((r >> plane & 1) as u64) << rook_to.index();
        }
        let lost = self.rooks & 0xff << (56 * self.side as u64);
        let mut key = forget_rights(self.key, lost)
            ^ zobrist::BLACK
            ^ zobrist::PIECE[k][king.index()]
            ^ zobrist::PIECE[k][king_to.index()]
            ^ zobrist::PIECE[r][rook.index()]
            ^ zobrist::PIECE[r][rook_to.index()];
        if self.en_passant != NONE {
            key ^= zobrist::EN_PASSANT[self.en_passant as usize & 63];
        }
        next.key = key;
        next.rooks ^= lost;
        next.halfmove = self.halfmove.saturating_add(1);
        next.end_turn();
        next
    }

    /// Gives the turn away.
    pub(super) fn skip_turn(&mut self) {
        if self.en_passant != NONE {
            self.key ^= zobrist::EN_PASSANT[self.en_passant as usize & 63];
        }
        self.key ^= zobrist::BLACK;
        self.halfmove = self.halfmove.saturating_add(1);
        self.end_turn();
    }

    /// Tells an observer what a move is about to change.
    #[inline(always)]
    pub(super) fn announce<O: Observer<Piece>>(&self, m: Move, observer: &mut O) {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from) else {
            return;
        };
        let (a, b) = (from.index() as u16, to.index() as u16);
        if m.is_castling() {
            let (king_to, rook_to) = castling_targets(from, to);
            let rook = Piece {
                side: piece.side,
                kind: PieceKind::Rook,
            };
            // Lifted first, because in Chess960 one may land where the other stood.
            observer.removed(piece, a);
            observer.removed(rook, b);
            observer.added(piece, king_to.index() as u16);
            observer.added(rook, rook_to.index() as u16);
            return;
        }
        if let Some(taken) = self.piece_at(to) {
            observer.removed(taken, b);
        } else if m.is_en_passant() {
            let pawn = Piece {
                side: piece.side.other(),
                kind: PieceKind::Pawn,
            };
            observer.removed(pawn, b ^ 8);
        }
        if let Some(kind) = m.promotion() {
            observer.removed(piece, a);
            observer.added(
                Piece {
                    side: piece.side,
                    kind,
                },
                b,
            );
        } else {
            observer.moved(piece, a, b);
        }
    }
}

/// Takes castling rights out of the key.
#[inline(always)]
fn forget_rights(mut key: u64, mut lost: u64) -> u64 {
    while lost != 0 {
        key ^= zobrist::CASTLE[lost.trailing_zeros() as usize & 63];
        lost &= lost - 1;
    }
    key
}

/// For each piece code its four bits, each spread over a whole word.
static SPREAD: [[u64; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut code = 0;
    while code < 16 {
        let mut plane = 0;
        while plane < 4 {
            table[code][plane] = (code as u64 >> plane & 1).wrapping_neg();
            plane += 1;
        }
        code += 1;
    }
    table
};
