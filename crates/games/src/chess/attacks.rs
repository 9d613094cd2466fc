//! Who attacks what.

use super::bitboard::{Bitboard, each_square};
use super::board::Chess;
use super::geometry::{BETWEEN, BISHOP_RAYS, KING, KNIGHT, PAWN, ROOK_RAYS};
use super::magic::{bishop, rook};
use super::moves::Move;
use super::piece::PieceKind;
use super::square::Square;
use crate::game::Side;

/// Checkers of the side to move, and the pieces that stand alone between a
/// king and an enemy slider.
pub(super) struct Checks {
    pub(super) checkers: u64,
    /// May contain pieces of either side; only one's own are pinned.
    pub(super) pinned: u64,
}

/// The squares a piece of this kind attacks from `square`; pawns attack by
/// side.
///
/// ```
/// use quadrille_games::{Side, chess::{attacks, Bitboard, PieceKind}};
/// let a1 = "a1".parse().unwrap();
/// assert_eq!(attacks(PieceKind::Rook, Side::White, a1, Bitboard::EMPTY).count(), 14);
/// ```
#[inline]
pub fn attacks(kind: PieceKind, side: Side, square: Square, occupied: Bitboard) -> Bitboard {
    let (s, occ) = (square.index(), occupied.0);
    Bitboard(match kind {
        PieceKind::Pawn => PAWN[side.index()][s],
        PieceKind::Knight => KNIGHT[s],
        PieceKind::King => KING[s],
        PieceKind::Bishop => bishop(s, occ),
        PieceKind::Rook => rook(s, occ),
        PieceKind::Queen => bishop(s, occ) | rook(s, occ),
    })
}

/// The squares strictly between two squares of one line; empty otherwise.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.index()][b.index()])
}

impl Chess {
    /// All pieces of both sides that attack `square` if only `occupied`
    /// squares hide anything: what an exchange evaluation asks again and again.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.attackers(square.index(), occupied.0))
    }

    #[inline(always)]
    pub(super) fn attackers(&self, square: usize, occ: u64) -> u64 {
        let pawns = self.pawns();
        let black = self.planes[3];
        (PAWN[1][square] & pawns & !black)
            | (PAWN[0][square] & pawns & black)
            | (KNIGHT[square] & self.knights())
            | (KING[square] & self.kings())
            | (bishop(square, occ) & self.diagonal())
            | (rook(square, occ) & self.straight())
    }

    /// Whether `side` attacks `square`.
    #[inline]
    pub fn is_attacked(&self, square: Square, side: Side) -> bool {
        self.attackers(square.index(), self.occ()) & self.of_side(side) != 0
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        Bitboard(self.checkers_of(self.side))
    }

    /// The pieces of the side to move that shield their king from a slider.
    pub fn pinned(&self) -> Bitboard {
        let pinned = match self.side {
            Side::White => self.checks::<true>().pinned & self.of::<true>(),
            Side::Black => self.checks::<false>().pinned & self.of::<false>(),
        };
        Bitboard(pinned)
    }

    #[inline]
    pub(super) fn checkers_of(&self, side: Side) -> u64 {
        let king = self.king_index(side);
        let occ = self.occ();
        let found = (PAWN[side.index()][king] & self.pawns())
            | (KNIGHT[king] & self.knights())
            | (bishop(king, occ) & self.diagonal())
            | (rook(king, occ) & self.straight());
        found & self.of_side(side.other())
    }

    /// Checkers and pins together: the few enemy sliders on a line with the
    /// king are looked at one by one, which is cheaper than any table.
    #[inline(always)]
    pub(super) fn checks<const WHITE: bool>(&self) -> Checks {
        let side = if WHITE { Side::White } else { Side::Black };
        let them = if WHITE {
            self.of::<false>()
        } else {
            self.of::<true>()
        };
        let king = self.king_index(side);
        let occ = self.occ();
        let mut checkers =
            ((PAWN[side.index()][king] & self.pawns()) | (KNIGHT[king] & self.knights())) & them;
        let mut pinned = 0;
        let aligned =
            ((BISHOP_RAYS[king] & self.diagonal()) | (ROOK_RAYS[king] & self.straight())) & them;
        each_square(aligned, |slider| {
            let inside = BETWEEN[king][slider & 63] & occ;
            if inside == 0 {
                checkers |= 1 << slider;
            } else if inside.is_power_of_two() {
                pinned |= inside;
            }
        });
        Checks { checkers, pinned }
    }

    /// Whether the king of `side` is safe from everything but a king once
    /// `occ` is occupied and the pieces on `gone` are off the board. For moves
    /// of other pieces than the king.
    #[inline]
    pub(super) fn king_safe(&self, side: Side, occ: u64, gone: u64) -> bool {
        let king = self.king_index(side);
        let found = (PAWN[side.index()][king] & self.pawns())
            | (KNIGHT[king] & self.knights())
            | (bishop(king, occ) & self.diagonal())
            | (rook(king, occ) & self.straight());
        found & self.of_side(side.other()) & !gone == 0
    }

    /// Whether a legal move gives check.
    pub fn gives_check(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let us = self.side;
        let king = self.king_index(us.other());
        let mut occ = (self.occ() & !from.bit()) | to.bit();
        let mut kind = PieceKind::from_code(self.code_at(from.index()) as u8);
        let mut arrival = to;
        if m.is_castling() {
            let (king_to, rook_to) = castling_targets(from, to);
            occ = (self.occ() & !from.bit() & !to.bit()) | king_to.bit() | rook_to.bit();
            kind = Some(PieceKind::Rook);
            arrival = rook_to;
        } else if m.is_en_passant() {
            occ &= !(1 << (to.index() ^ 8));
        } else if m.promotion().is_some() {
            kind = m.promotion();
        }
        let direct = kind.is_some_and(|kind| {
            kind != PieceKind::King && attacks(kind, us, arrival, Bitboard(occ)).0 & 1 << king != 0
        });
        // What stood on the origin is gone, so it cannot be found there; what
        // arrives was asked above.
        let lines = (bishop(king, occ) & self.diagonal()) | (rook(king, occ) & self.straight());
        direct || lines & self.of_side(us) & !from.bit() & occ & !to.bit() != 0
    }
}

/// Where king and rook stand after castling (FIDE 3.8.2; Chess960 II.2): g and
/// f, or c and d.
#[inline]
pub(super) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let rank = (king.index() & 0x38) as u8;
    if rook.index() > king.index() {
        (Square::new(rank + 6), Square::new(rank + 5))
    } else {
        (Square::new(rank + 2), Square::new(rank + 3))
    }
}
