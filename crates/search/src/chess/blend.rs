//! The whole evaluation, from counting to one number.

use quadrille_games::chess::Chess;
use quadrille_games::{Position, Side};

use super::board::Board;
use super::features::TEMPO;
use super::hand_written::PHASE;
use super::pawns::{self, PawnFacts};
use super::squares::View;
use super::tally::Difference;
use super::{endgame, king, passed, pieces, threats};
use crate::pair::Pair;
use crate::score::{MAX_EVAL, Value};
use crate::tally::Tally;

/// The phase with all pieces on the board.
pub(super) const FULL_PHASE: i32 = 24;
/// The scale that leaves an endgame value as it is.
pub(super) const FULL_SCALE: i32 = 64;
/// Counts everything but material, placement and pawn structure, which play
/// remembers instead.
pub(super) fn count(board: &mut Board, facts: &PawnFacts, mover: Side, tally: &mut impl Tally) {
    tally.add(mover, TEMPO, 1);
    for side in Side::BOTH {
        pieces::count(board, facts, side, tally);
    }
    for side in Side::BOTH {
        king::count_side(board, side, tally);
        threats::count_side(board, side, tally);
        passed::count_side(board, facts, side, mover, tally);
    }
}

/// Counts material and placement, which play keeps up to date instead.
pub(super) fn count_placement(position: &Chess, tally: &mut impl Tally) {
    for side in Side::BOTH {
        View::new(side, position.king(side)).count(position, tally);
    }
}

/// Takes a position apart for a tuner or for people: counts every feature and
/// says how the sum is blended into a value. Blending `counts * worth` gives the
/// evaluation from White's point of view, except against a bare king and for the
/// fading of a game without progress.
pub fn trace(position: &Chess, tally: &mut impl Tally) -> Balance {
    let mut sum = Difference::default();
    let mut phase = 0;
    for side in Side::BOTH {
        let placement = View::new(side, position.king(side)).sum(position);
        sum.0 += if side == Side::White {
            placement
        } else {
            -placement
        };
    }
    position.pieces(|piece, _| phase += PHASE[piece.kind.index()]);
    let board = Board::of(position);
    let pawns = [board.pieces[0][0], board.pieces[1][0]];
    let facts = pawns::count(pawns, &mut sum);
    count(&mut board.clone(), &facts, position.side(), &mut sum);
    count_placement(position, tally);
    pawns::count(pawns, tally);
    count(&mut board.clone(), &facts, position.side(), tally);
    Balance::of(&board, phase, sum.0)
}

/// How a position weighs middlegame and endgame.
#[derive(Debug, Clone, Copy)]
pub struct Balance {
    /// From 0 (bare kings) to 24 (all pieces).
    pub phase: i32,
    /// How winnable the endgame is, in 64ths.
    pub scale: i32,
}

impl Balance {
    pub(super) fn of(board: &Board, phase: i32, sum: Pair) -> Self {
        Self {
            phase: phase.clamp(0, FULL_PHASE),
            scale: endgame::scale(board, sum),
        }
    }

    /// One number from a pair. What cannot be won is worth nothing in any phase.
    pub fn blend(self, pair: Pair) -> Value {
        if self.scale == 0 {
            return 0;
        }
        let middlegame = pair.middlegame() * self.phase * FULL_SCALE;
        let endgame = pair.endgame() * (FULL_PHASE - self.phase) * self.scale;
        (middlegame + endgame) / (FULL_PHASE * FULL_SCALE)
    }
}

/// The value for the side to move of a sum from White's point of view.
pub(super) fn value(position: &Chess, board: &Board, phase: i32, sum: Pair) -> Value {
    let white = match endgame::against_bare_king(board, position.side()) {
        Some((Side::White, value)) => value,
        Some((Side::Black, value)) => -value,
        None => {
            let value = Balance::of(board, phase, sum).blend(sum);
            // The longer nothing happens, the likelier a draw.
            value - value * position.halfmove_clock().min(100) as Value / 200
        }
    };
    let ours = match position.side() {
        Side::White => white,
        Side::Black => -white,
    };
    ours.clamp(-MAX_EVAL, MAX_EVAL)
}
