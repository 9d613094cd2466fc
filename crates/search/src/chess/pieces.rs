//! Knights, bishops, rooks and queens: how freely they move and how well they
//! stand.

use quadrille_games::Side;
use quadrille_games::chess::PieceKind;

use super::bits::{self, DARK, each, file, rank, reach};
use super::board::Board;
use super::features::{
    BAD_BISHOP, BISHOP_MOBILITY, BISHOP_PAIR, KNIGHT_MOBILITY, KNIGHT_PAWNS, LONG_DIAGONAL,
    OUTPOST, OUTPOST_REACH, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_PAWNS, ROOK_SEVENTH,
    SHIELDED, TRAPPED_ROOK,
};
use super::king;
use super::pawns::PawnFacts;
use crate::tally::Tally;

/// The four squares in the middle.
const CENTRE: u64 = 0x0000_0018_1800_0000;

/// Counts one side's officers, and notes on the board what they attack.
pub(super) fn count(board: &mut Board, facts: &PawnFacts, side: Side, tally: &mut impl Tally) {
    knights(board, facts, side, tally);
    bishops(board, facts, side, tally);
    rooks(board, side, tally);
    queens(board, side, tally);
}

/// What every officer shares: its attacks are noted, its targets counted.
#[inline(always)]
fn mobility(board: &mut Board, side: Side, kind: PieceKind, seen: u64) -> usize {
    board.note(side, kind, seen);
    king::press(board, side, kind, seen);
    (seen & board.area[side.index()]).count_ones() as usize
}

fn knights(board: &mut Board, facts: &PawnFacts, side: Side, tally: &mut impl Tally) {
    let knights = board.own(side, PieceKind::Knight);
    each(knights, |square| {
        let seen = reach(PieceKind::Knight, square, 0);
        let free = mobility(board, side, PieceKind::Knight, seen);
        tally.add(side, KNIGHT_MOBILITY + free, 1);
        minor(board, facts, side, square, seen, 0, tally);
    });
    let pawns = bits::count(board.own(side, PieceKind::Pawn)) - 5;
    tally.add(side, KNIGHT_PAWNS, bits::count(knights) * pawns);
}

fn bishops(board: &mut Board, facts: &PawnFacts, side: Side, tally: &mut impl Tally) {
    let bishops = board.own(side, PieceKind::Bishop);
    // Friends that move along the same lines do not stand in the way.
    let through = board.occupied & !board.own(side, PieceKind::Queen);
    let pawns = board.own(side, PieceKind::Pawn);
    let all_pawns = pawns | board.own(side.other(), PieceKind::Pawn);
    each(bishops, |square| {
        let seen = reach(PieceKind::Bishop, square, through);
        let free = mobility(board, side, PieceKind::Bishop, seen);
        tally.add(side, BISHOP_MOBILITY + free.min(13), 1);
        minor(board, facts, side, square, seen, 1, tally);
        let colour = if DARK >> square & 1 == 1 { DARK } else { !DARK };
        tally.add(side, BAD_BISHOP, bits::count(pawns & colour));
        if (reach(PieceKind::Bishop, square, all_pawns) & CENTRE).count_ones() >= 2 {
            tally.add(side, LONG_DIAGONAL, 1);
        }
    });
    if bishops & DARK != 0 && bishops & !DARK != 0 {
        tally.add(side, BISHOP_PAIR, 1);
    }
}

/// Knights (0) and bishops (1) love squares in front of which no enemy pawn can
/// ever drive them away.
#[inline(always)]
fn minor(
    board: &Board,
    facts: &PawnFacts,
    side: Side,
    square: usize,
    seen: u64,
    which: usize,
    tally: &mut impl Tally,
) {
    let them = side.other();
    let safe = !facts.span[them.index()] & (rank(side, 3) | rank(side, 4) | rank(side, 5));
    let by_pawns = board.pawn_attacks[side.index()];
    let place = 1u64 << square;
    if safe & place != 0 {
        let supported = usize::from(by_pawns & place != 0);
        tally.add(side, OUTPOST + which * 2 + supported, 1);
    } else if seen & safe & by_pawns & !board.sides[side.index()] != 0 {
        tally.add(side, OUTPOST_REACH + which, 1);
    }
    let pawns = board.own(side, PieceKind::Pawn) | board.own(them, PieceKind::Pawn);
    if bits::up(side, place) & pawns != 0 {
        tally.add(side, SHIELDED, 1);
    }
}

fn rooks(board: &mut Board, side: Side, tally: &mut impl Tally) {
    let rooks = board.own(side, PieceKind::Rook);
    let own_pawns = board.own(side, PieceKind::Pawn);
    let their_pawns = board.own(side.other(), PieceKind::Pawn);
    let their_king = board.own(side.other(), PieceKind::King);
    let through = board.occupied & !rooks & !board.own(side, PieceKind::Queen);
    let king = board.kings[side.index()];
    each(rooks, |square| {
        let seen = reach(PieceKind::Rook, square, through);
        let free = mobility(board, side, PieceKind::Rook, seen);
        tally.add(side, ROOK_MOBILITY + free.min(14), 1);
        let line = file(square);
        if line & own_pawns == 0 {
            tally.add(side, ROOK_FILE + usize::from(line & their_pawns == 0), 1);
        } else if free <= 3
            && outside(king, square)
            && bits::rank_of(side, king) == 0
            && board.castling & rank(side, 0) == 0
        {
            tally.add(side, TRAPPED_ROOK, 1);
        }
        // Worth something while it cuts off a king or eyes pawns.
        let targets = their_pawns & rank(side, 6) | their_king & rank(side, 7);
        if rank(side, 6) >> square & 1 == 1 && targets != 0 {
            tally.add(side, ROOK_SEVENTH, 1);
        }
    });
    tally.add(
        side,
        ROOK_PAWNS,
        bits::count(rooks) * (bits::count(own_pawns) - 5),
    );
}

/// Whether a rook stands between its king and the edge of the board.
fn outside(king: usize, rook: usize) -> bool {
    let (king, rook) = (king & 7, rook & 7);
    (king < 4) == (rook < king)
}

fn queens(board: &mut Board, side: Side, tally: &mut impl Tally) {
    each(board.own(side, PieceKind::Queen), |square| {
        let seen = reach(PieceKind::Queen, square, board.occupied);
        let free = mobility(board, side, PieceKind::Queen, seen);
        tally.add(side, QUEEN_MOBILITY + free.min(27), 1);
    });
}
