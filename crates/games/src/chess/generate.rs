//! The legal move generator.
//!
//! One walk over the position finds the target sets of every piece, already
//! cut down to legal moves by the checkers (a check must be answered) and by
//! the pins (a shield stays on its line). What happens to a set is the
//! [`Sink`]'s business: list its moves, count them without looking at any, or
//! stop at the first.

use super::attacks::castling_targets;
use super::bitboard::each_square;
use super::board::{Chess, NONE};
use super::geometry::{
    ANTIDIAGONAL, BETWEEN, DIAGONAL, KING, KNIGHT, LINE, PAWN, knights_attack, pawns_attack,
};
use super::magic::{bishop, rook};
use super::moves::{CASTLE, DOUBLE, EN_PASSANT, KING_MOVE, KNIGHT_MOVE, Move, PAWN_MOVE};
use crate::game::Side;
use crate::position::MoveKind;

/// Every legal move.
pub(super) const ALL: u8 = 0;
/// Captures, en passant, and promotions to a queen.
pub(super) const TACTICAL: u8 = 1;
/// Everything else.
pub(super) const QUIET: u8 = 2;

const RANK_3: u64 = 0x00ff_0000;
const RANK_6: u64 = 0x0000_ff00_0000_0000;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = 0xff << 56;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// Target sets of all pawns, one for each way a pawn can go. The origin is a
/// fixed distance behind each target.
#[derive(Clone, Copy)]
pub(super) struct PawnTargets {
    single: u64,
    double: u64,
    /// Captures towards the a-file.
    left: u64,
    /// Captures towards the h-file.
    right: u64,
}

/// Takes what the generator finds.
pub(super) trait Sink {
    /// Whether the rest may be skipped.
    #[inline(always)]
    fn full(&self) -> bool {
        false
    }
    /// Ordinary moves of one piece.
    fn piece(&mut self, flag: u16, from: usize, targets: u64);
    /// Pawn moves other than promotions and en passant.
    fn pawns<const WHITE: bool>(&mut self, targets: PawnTargets);
    /// Promotions: to a queen on `queen`, to the other three on `under`.
    fn promotions<const WHITE: bool>(&mut self, queen: PawnTargets, under: PawnTargets);
    /// Any other single move.
    fn one(&mut self, m: Move);
}

/// Counts without listing.
struct Counter(u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: u16, _: usize, targets: u64) {
        self.0 += u64::from(targets.count_ones());
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, t: PawnTargets) {
        // Steps go to empty squares and captures to occupied ones, and no
        // square is reached by a single and a double step: three of the four
        // sets never overlap.
        let apart = t.single | t.double | t.left;
        self.0 += u64::from(apart.count_ones() + t.right.count_ones());
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, queen: PawnTargets, under: PawnTargets) {
        for (set, each) in [(queen, 1), (under, 3)] {
            let count = (set.single | set.left).count_ones() + set.right.count_ones();
            self.0 += u64::from(each * count);
        }
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Asks only whether there is a move.
struct Any(bool);

impl Sink for Any {
    #[inline(always)]
    fn full(&self) -> bool {
        self.0
    }

    #[inline(always)]
    fn piece(&mut self, _: u16, _: usize, targets: u64) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, t: PawnTargets) {
        self.0 |= t.single | t.double | t.left | t.right != 0;
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, t: PawnTargets, _: PawnTargets) {
        self.0 |= t.single | t.left | t.right != 0;
    }

    #[inline(always)]
    fn one(&mut self, _: Move) {
        self.0 = true;
    }
}

/// Hands every single move to a closure.
struct Each<F>(F);

impl<F: FnMut(Move)> Each<F> {
    #[inline(always)]
    fn pawn_set(&mut self, targets: u64, back: usize, flag: u16) {
        each_square(targets, |to| {
            (self.0)(Move::pack(to.wrapping_sub(back), to, flag));
        });
    }

    #[inline(always)]
    fn promotion_set(&mut self, targets: u64, back: usize, choices: core::ops::Range<u16>) {
        each_square(targets, |to| {
            for choice in choices.clone().rev() {
                (self.0)(Move::promote(to.wrapping_sub(back), to, choice));
            }
        });
    }
}

impl<F: FnMut(Move)> Sink for Each<F> {
    #[inline(always)]
    fn piece(&mut self, flag: u16, from: usize, targets: u64) {
        each_square(targets, |to| (self.0)(Move::pack(from, to, flag)));
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, t: PawnTargets) {
        let back = distances::<WHITE>();
        self.pawn_set(t.single, back.0, PAWN_MOVE);
        self.pawn_set(t.double, back.0.wrapping_mul(2), DOUBLE);
        self.pawn_set(t.left, back.1, PAWN_MOVE);
        self.pawn_set(t.right, back.2, PAWN_MOVE);
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, queen: PawnTargets, under: PawnTargets) {
        let back = distances::<WHITE>();
        for (set, choices) in [(queen, 3..4), (under, 0..3)] {
            self.promotion_set(set.single, back.0, choices.clone());
            self.promotion_set(set.left, back.1, choices.clone());
            self.promotion_set(set.right, back.2, choices);
        }
    }

    #[inline(always)]
    fn one(&mut self, m: Move) {
        (self.0)(m);
    }
}

/// How far behind its target a pawn stood: step, capture left, capture right.
#[inline(always)]
const fn distances<const WHITE: bool>() -> (usize, usize, usize) {
    if WHITE {
        (8, 7, 9)
    } else {
        (
            8usize.wrapping_neg(),
            9usize.wrapping_neg(),
            7usize.wrapping_neg(),
        )
    }
}

impl PawnTargets {
    #[inline(always)]
    const fn within(self, mask: u64) -> Self {
        Self {
            single: self.single & mask,
            double: self.double & mask,
            left: self.left & mask,
            right: self.right & mask,
        }
    }

    #[inline(always)]
    const fn is_empty(self) -> bool {
        self.single | self.double | self.left | self.right == 0
    }
}

impl Chess {
    /// Calls `each` for every legal move of that kind.
    #[inline]
    pub(super) fn each_move(&self, kind: MoveKind, each: impl FnMut(Move)) {
        let mut sink = Each(each);
        match (self.side, kind) {
            (Side::White, MoveKind::All) => self.walk::<true, ALL, _>(&mut sink),
            (Side::Black, MoveKind::All) => self.walk::<false, ALL, _>(&mut sink),
            (Side::White, MoveKind::Tactical) => self.walk::<true, TACTICAL, _>(&mut sink),
            (Side::Black, MoveKind::Tactical) => self.walk::<false, TACTICAL, _>(&mut sink),
            (Side::White, MoveKind::Quiet) => self.walk::<true, QUIET, _>(&mut sink),
            (Side::Black, MoveKind::Quiet) => self.walk::<false, QUIET, _>(&mut sink),
        }
    }

    /// The number of legal moves, without listing them.
    #[inline]
    pub(super) fn count(&self) -> u64 {
        let mut sink = Counter(0);
        match self.side {
            Side::White => self.walk::<true, ALL, _>(&mut sink),
            Side::Black => self.walk::<false, ALL, _>(&mut sink),
        }
        sink.0
    }

    /// Whether the side to move has a legal move.
    pub fn has_moves(&self) -> bool {
        let mut sink = Any(false);
        match self.side {
            Side::White => self.walk::<true, ALL, _>(&mut sink),
            Side::Black => self.walk::<false, ALL, _>(&mut sink),
        }
        sink.0
    }

    #[inline(always)]
    fn walk<const WHITE: bool, const KIND: u8, S: Sink>(&self, sink: &mut S) {
        let side = if WHITE { Side::White } else { Side::Black };
        let occ = self.occ();
        let us = self.of::<WHITE>();
        let king = self.king_index(side);
        let wanted = match KIND {
            TACTICAL => occ & !us,
            QUIET => !occ,
            _ => !us,
        };
        let checks = self.checks::<WHITE>();
        self.king_moves::<WHITE, S>(king, wanted, sink);
        let answers = if checks.checkers == 0 {
            if KIND != TACTICAL {
                self.castling_moves::<WHITE, S>(king, checks.pinned, sink);
            }
            !0
        } else {
            if checks.checkers & (checks.checkers - 1) != 0 {
                return; // Two checkers: only the king can move.
            }
            checks.checkers | BETWEEN[king][checks.checkers.trailing_zeros() as usize & 63]
        };
        if sink.full() {
            return;
        }
        self.pawn_moves::<WHITE, KIND, S>(king, checks.pinned, answers, sink);
        self.officer_moves::<WHITE, S>(king, checks.pinned, wanted & answers, sink);
    }

    /// The flag of a bishop's, rook's or queen's move.
    #[inline(always)]
    const fn slider_flag(&self, from: usize) -> u16 {
        let code = 4 | (self.planes[0] >> from & 1) | (self.planes[1] >> from & 1) << 1;
        (code as u16) << 12
    }

    /// Knights, bishops, rooks and queens. A queen appears twice, once as a
    /// bishop and once as a rook: one loop less.
    #[inline(always)]
    fn officer_moves<const WHITE: bool, S: Sink>(
        &self,
        king: usize,
        pinned: u64,
        wanted: u64,
        sink: &mut S,
    ) {
        let occ = self.occ();
        let us = self.of::<WHITE>();
        let free = us & !pinned;
        // A pinned knight can never move along the line of the pin.
        each_square(self.knights() & free, |from| {
            sink.piece(KNIGHT_MOVE, from, KNIGHT[from & 63] & wanted);
        });
        each_square(self.diagonal() & free, |from| {
            sink.piece(self.slider_flag(from), from, bishop(from, occ) & wanted);
        });
        each_square(self.straight() & free, |from| {
            sink.piece(self.slider_flag(from), from, rook(from, occ) & wanted);
        });
        let shields = us & pinned & self.planes[2];
        if shields != 0 {
            each_square(shields & self.diagonal(), |from| {
                sink.piece(
                    self.slider_flag(from),
                    from,
                    bishop(from, occ) & wanted & LINE[king][from & 63],
                );
            });
            each_square(shields & self.straight(), |from| {
                sink.piece(
                    self.slider_flag(from),
                    from,
                    rook(from, occ) & wanted & LINE[king][from & 63],
                );
            });
        }
    }

    /// All pawns at once. A pinned pawn may still go along the line through
    /// its king, and on which line it stands is a question of the king's
    /// square alone, so no pawn is looked at singly.
    #[inline(always)]
    fn pawn_moves<const WHITE: bool, const KIND: u8, S: Sink>(
        &self,
        king: usize,
        pinned: u64,
        answers: u64,
        sink: &mut S,
    ) {
        let occ = self.occ();
        let us = self.of::<WHITE>();
        let them = occ & !us;
        let pawns = self.pawns() & us;
        let steppers = pawns & (!pinned | FILE_A << (king & 7));
        let (to_left, to_right) = if WHITE {
            (&ANTIDIAGONAL, &DIAGONAL)
        } else {
            (&DIAGONAL, &ANTIDIAGONAL)
        };
        let lefts = pawns & (!pinned | to_left[king]) & !FILE_A;
        let rights = pawns & (!pinned | to_right[king]) & !FILE_H;
        let (single, double, left, right) = if WHITE {
            let single = steppers << 8 & !occ;
            (
                single,
                (single & RANK_3) << 8 & !occ,
                lefts << 7,
                rights << 9,
            )
        } else {
            let single = steppers >> 8 & !occ;
            (
                single,
                (single & RANK_6) >> 8 & !occ,
                lefts >> 9,
                rights >> 7,
            )
        };
        let targets = PawnTargets {
            single,
            double,
            left: left & them,
            right: right & them,
        }
        .within(answers);
        let last = if WHITE { RANK_8 } else { RANK_1 };
        let promotions = targets.within(last);
        let mut rest = targets.within(!last);
        if KIND == TACTICAL {
            rest = rest.within(them);
        } else if KIND == QUIET {
            rest = rest.within(!occ);
        }
        sink.pawns::<WHITE>(rest);
        if !promotions.is_empty() {
            let (queen, under) = match KIND {
                TACTICAL => (promotions, promotions.within(them)),
                QUIET => (promotions.within(0), promotions.within(!occ)),
                _ => (promotions, promotions),
            };
            sink.promotions::<WHITE>(queen, under);
        }
        if KIND != QUIET && self.en_passant != NONE {
            self.en_passant_moves::<WHITE, S>(sink);
        }
    }

    #[cold]
    #[inline(never)]
    fn en_passant_moves<const WHITE: bool, S: Sink>(&self, sink: &mut S) {
        let square = self.en_passant as usize & 63;
        let takers = PAWN[usize::from(WHITE)][square] & self.pawns() & self.of::<WHITE>();
        let origins = self.en_passant_origins(square, takers);
        each_square(origins, |from| {
            sink.one(Move::pack(from, square, EN_PASSANT));
        });
    }

    /// Where the king can step. What pawns, knights and the other king attack
    /// is taken away in whole sets; only for the squares that remain are the
    /// lines of the sliders followed.
    #[inline(always)]
    fn king_moves<const WHITE: bool, S: Sink>(&self, king: usize, wanted: u64, sink: &mut S) {
        let near = KING[king] & wanted;
        if near == 0 {
            return;
        }
        let occ = self.occ();
        let them = occ & !self.of::<WHITE>();
        let other_king = (self.kings() & them).trailing_zeros() as usize & 63;
        let covered = if WHITE {
            pawns_attack::<false>(self.pawns() & them)
        } else {
            pawns_attack::<true>(self.pawns() & them)
        } | knights_attack(self.knights() & them)
            | KING[other_king];
        let mut safe = near & !covered;
        let diagonal = self.diagonal() & them;
        let straight = self.straight() & them;
        // The king does not hide the squares behind it.
        let without_king = occ & !(1 << king);
        each_square(safe, |to| {
            let seen = (bishop(to, without_king) & diagonal) | (rook(to, without_king) & straight);
            if seen != 0 {
                safe &= !(1 << to);
            }
        });
        sink.piece(KING_MOVE, king, safe);
    }

    #[inline(always)]
    fn castling_moves<const WHITE: bool, S: Sink>(&self, king: usize, pinned: u64, sink: &mut S) {
        let rooks = self.rooks & if WHITE { RANK_1 } else { RANK_8 };
        each_square(rooks, |rook| {
            // Cheap and usually decisive; necessary in Chess960 too.
            if BETWEEN[king][rook & 63] & self.occ() == 0
                && self.can_castle::<WHITE>(king, rook, pinned)
            {
                sink.one(Move::pack(king, rook, CASTLE));
            }
        });
    }

    /// The conditions of FIDE 3.8.2 and Chess960 II.3, given the right to
    /// castle, no check now, and nothing between king and rook.
    #[inline(never)]
    pub(super) fn can_castle<const WHITE: bool>(
        &self,
        king: usize,
        rook: usize,
        pinned: u64,
    ) -> bool {
        use super::square::Square;
        let (king_to, rook_to) = castling_targets(Square::new(king as u8), Square::new(rook as u8));
        let walk = BETWEEN[king][king_to.index()] | king_to.bit();
        let way = walk | BETWEEN[rook & 63][rook_to.index()] | rook_to.bit();
        let others = self.occ() & !(1 << king) & !(1 << rook);
        // A rook that shields its king along the back rank would, by leaving,
        // let the line through to where the king goes.
        if way & others != 0 || pinned & 1 << rook != 0 {
            return false;
        }
        let them = if WHITE {
            self.of::<false>()
        } else {
            self.of::<true>()
        };
        let mut safe = true;
        each_square(walk, |square| {
            safe &= self.attackers(square, self.occ()) & them == 0;
        });
        safe
    }
}
