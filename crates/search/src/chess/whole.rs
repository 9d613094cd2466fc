//! The whole evaluation, from counting to one number.

use quadrille_games::chess::Chess;
use quadrille_games::{Position, Side};

use super::evaluator::PHASE;
use super::pair::Pair;
use super::squares::View;
use super::tally::Tally;
use crate::score::{MAX_EVAL, Value};

/// The phase with all pieces on the board.
pub(super) const FULL_PHASE: i32 = 24;
/// The scale that leaves an endgame value as it is.
pub(super) const FULL_SCALE: i32 = 64;
/// What having the move is worth.
const TEMPO: Value = 12;

/// Counts everything that does not follow the board by itself.
pub(super) fn count(_: &Chess, _: &mut impl Tally) {}

/// Counts material and placement, which play keeps up to date instead.
pub(super) fn count_placement(position: &Chess, tally: &mut impl Tally) {
    for side in Side::BOTH {
        View::new(side, position.king(side)).count(position, tally);
    }
}

/// Takes a position apart for a tuner: counts every feature and says how the
/// sum is blended into a value. Blending `counts * worth` gives the evaluation
/// from White's point of view, without the bonus for having the move.
pub fn trace(position: &Chess, tally: &mut impl Tally) -> Balance {
    count_placement(position, tally);
    count(position, tally);
    let mut phase = 0;
    position.pieces(|piece, _| phase += PHASE[piece.kind.index()]);
    Balance::of(position, phase)
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
    pub(super) fn of(_: &Chess, phase: i32) -> Self {
        Self {
            phase: phase.clamp(0, FULL_PHASE),
            scale: FULL_SCALE,
        }
    }

    /// One number from a pair.
    pub fn blend(self, pair: Pair) -> Value {
        let middlegame = pair.middlegame() * self.phase * FULL_SCALE;
        let endgame = pair.endgame() * (FULL_PHASE - self.phase) * self.scale;
        (middlegame + endgame) / (FULL_PHASE * FULL_SCALE)
    }

    /// The value for the side to move of a sum from White's point of view.
    pub(super) fn value(self, position: &Chess, sum: Pair) -> Value {
        let white = self.blend(sum);
        let ours = match position.side() {
            Side::White => white,
            Side::Black => -white,
        };
        (ours + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
