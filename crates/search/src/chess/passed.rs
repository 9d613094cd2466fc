//! Passed pawns: how far, how free, and who is near.

use quadrille_games::Side;
use quadrille_games::chess::PieceKind;

use super::bits::{ahead, distance, each, rank_of, up};
use super::board::Board;
use super::features::{
    PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_OWN_KING, PASSED_ROOK, PASSED_SAFE_PATH,
    PASSED_SAFE_STEP, PASSED_SUPPORTED, RUNNER,
};
use super::pawns::PawnFacts;
use crate::tally::Tally;

/// Counts one side's passed pawns.
pub(super) fn count_side(
    board: &Board,
    facts: &PawnFacts,
    side: Side,
    mover: Side,
    tally: &mut impl Tally,
) {
    each(facts.passed[side.index()], |square| {
        let rank = rank_of(side, square);
        tally.add(side, PASSED + rank, 1);
        if board.attacked[side.index()] >> square & 1 == 1 {
            tally.add(side, PASSED_SUPPORTED + rank, 1);
        }
        if rank >= 3 {
            advanced(board, side, square, tally);
        }
        if board.officers(side.other()) == 0 && runs_free(board, side, square, mover) {
            tally.add(side, RUNNER, 1);
        }
    });
}

/// What matters once a pawn has crossed its third rank.
fn advanced(board: &Board, side: Side, square: usize, tally: &mut impl Tally) {
    let (us, them) = (side.index(), side.other().index());
    let rank = rank_of(side, square);
    let pawn = 1u64 << square;
    let stop = up(side, pawn);
    let target = stop.trailing_zeros() as usize & 63;
    // The nearer the goal, the more each step of a king is worth.
    let weight = rank as i32 - 2;
    let own = distance(board.kings[us], target);
    let enemy = distance(board.kings[them], target);
    tally.add(side, PASSED_OWN_KING + own, weight);
    tally.add(side, PASSED_ENEMY_KING + enemy, weight);
    if board.occupied & stop != 0 {
        let by_enemy = usize::from(board.sides[them] & stop != 0);
        tally.add(side, PASSED_BLOCKED + by_enemy * 8 + rank, 1);
    } else {
        if board.attacked[them] & stop == 0 || board.attacked[us] & stop != 0 {
            tally.add(side, PASSED_SAFE_STEP + rank, 1);
        }
        let path = ahead(side, pawn);
        if path & (board.attacked[them] | board.occupied) == 0 {
            tally.add(side, PASSED_SAFE_PATH + rank, 1);
        }
    }
    let behind = ahead(side.other(), pawn);
    if behind & board.own(side, PieceKind::Rook) != 0 {
        tally.add(side, PASSED_ROOK, 1);
    }
    if behind & board.own(side.other(), PieceKind::Rook) != 0 {
        tally.add(side, PASSED_ROOK + 1, 1);
    }
}

/// Against a bare king and pawns: whether the pawn queens before the king
/// catches it (the rule of the square).
fn runs_free(board: &Board, side: Side, square: usize, mover: Side) -> bool {
    let path = ahead(side, 1 << square);
    if path & board.occupied != 0 {
        return false;
    }
    let goal = match side {
        Side::White => 56 + (square & 7),
        Side::Black => square & 7,
    };
    // From the second rank the double step saves a move.
    let steps = 7 - rank_of(side, square).max(2);
    let king = distance(board.kings[side.other().index()], goal);
    king > steps + usize::from(mover != side)
}
