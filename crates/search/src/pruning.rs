//! Where not to look, and where to look less closely: every rule of the tree's
//! shape that is a question of numbers, each with what it does, why that is
//! safe, and what it gained elsewhere (public self-play records at about 8
//! seconds a game; "-" where there is no figure).

use crate::playable::Playable;
use crate::score::{MAX_EVAL, Value, is_known};
use crate::tunables as t;

/// A margin in hundredths of a pawn in the units of this game.
#[inline]
pub(crate) const fn margin<P: Playable>(hundredths: i32) -> Value {
    hundredths * P::PAWN / 100
}

/// A static evaluation corrected by experience, which is in hundredths of a
/// pawn.
#[inline]
pub(crate) fn corrected<P: Playable>(raw: Value, correction: i32) -> Value {
    (raw + margin::<P>(correction)).clamp(-MAX_EVAL, MAX_EVAL)
}

/// A value above beta, brought nearer to beta by so many percent: how far above
/// it is was hardly searched. Only where the search is
/// [highly selective](Playable::HIGHLY_SELECTIVE).
#[inline]
pub(crate) const fn blended<P: Playable>(value: Value, beta: Value, percent: i32) -> Value {
    if !P::HIGHLY_SELECTIVE || is_known(value) || is_known(beta) {
        value
    } else {
        value - (value - beta) * percent / 100
    }
}

/// *Razoring*: so far below alpha that only captures could help, near the
/// leaves. Only where the search is
/// [highly selective](Playable::HIGHLY_SELECTIVE). +5 to +9.
#[inline]
pub(crate) fn is_far_below<P: Playable>(eval: Value, alpha: Value, depth: i32) -> bool {
    P::HIGHLY_SELECTIVE
        && depth <= t::razor_depth()
        && !is_known(alpha)
        && eval + margin::<P>(t::razor_base() + t::razor_margin() * depth * depth) < alpha
}

/// *Reverse futility*: we are so far above beta that the opponent will not
/// catch up within the depth that is left. Safe because only shallow, quiet,
/// undecided nodes are cut, by a margin that grows with depth, and with `doubt`:
/// by how much experience had to correct the evaluation. +61 to +78.
#[inline]
pub(crate) fn is_far_above<P: Playable>(
    guess: Value,
    beta: Value,
    depth: i32,
    improving: bool,
    doubt: i32,
) -> bool {
    let plies = depth - i32::from(improving);
    let doubt = doubt * t::reverse_futility_doubt() / 100;
    depth <= t::reverse_futility_depth()
        && !is_known(beta)
        && guess - margin::<P>(t::reverse_futility_margin::<P>() * plies + doubt) >= beta
}

/// *Null move*: how much less deep to look after giving the turn away. If even
/// that is good enough, a real move will be. Deeper nodes and clearer positions
/// can afford more. +94; eval-adaptive +5.
#[inline]
pub(crate) fn null_reduction<P: Playable>(depth: i32, above: Value) -> i32 {
    let clear = above / margin::<P>(t::null_eval_step::<P>()).max(1);
    t::null_base() + depth / t::null_depth_step().max(1) + clear.clamp(0, 3)
}

/// *Internal iterative reduction*: a node of which the table knows nothing was
/// never important, and a shallower search finds its best move for the next
/// visit. +10 to +12.
#[inline]
pub(crate) fn lacks_table_move(depth: i32, known: bool) -> bool {
    depth >= t::iir_depth() && !known
}

/// *Late move pruning*: with moves in a good order, quiet moves far down the
/// list hardly ever are the best. How many to try. +27 to +51; with `improving`
/// +24. "Far" is counted in the breadth of the game: on a board with three times
/// the moves of chess, trying that many more gained +137 [+80, +203]. The
/// numbers for chess gained +51 [+24, +79] over two thirds of them.
#[inline]
pub(crate) fn late_move_count<P: Playable>(depth: i32, improving: bool, breadth: u32) -> usize {
    let count = t::late_base() + t::late_step::<P>() * depth * depth / 100;
    let count = if improving { count } else { count / 2 };
    count.max(1) as usize * breadth as usize / 100
}

/// *Futility*: a quiet move cannot lift an evaluation that far below alpha at
/// such a depth. +3 to +21.
#[inline]
pub(crate) fn is_futile<P: Playable>(eval: Value, alpha: Value, depth: i32) -> bool {
    depth <= t::futility_depth()
        && eval + margin::<P>(t::futility_base::<P>() + t::futility_margin::<P>() * depth) <= alpha
}

/// The same by the evaluation after the move, where it is known beforehand:
/// what the last ply would say, and a margin for every ply before it. Gyges: +51
/// +-42.
#[inline]
pub(crate) fn is_unpromising<P: Playable>(after: Value, alpha: Value, depth: i32) -> bool {
    depth <= t::promise_depth()
        && after + margin::<P>(t::promise_base() + t::promise_margin() * (depth - 1)) <= alpha
}

/// *History pruning*: a quiet move that failed again and again is not tried
/// again near the leaves. +6.
#[inline]
pub(crate) fn is_disgraced<P: Playable>(history: i32, depth: i32) -> bool {
    depth <= t::history_prune_depth() && history < -t::history_prune_margin::<P>() * depth
}

/// *Exchange pruning*: what a move may lose in the exchange it begins before it
/// is not worth trying at this depth. +36 for tactical moves, +7 for quiet ones.
#[inline]
pub(crate) fn exchange_floor<P: Playable>(depth: i32, tactical: bool) -> Value {
    if tactical {
        -margin::<P>(t::exchange_tactical::<P>() * depth)
    } else {
        -margin::<P>(t::exchange_quiet::<P>() * depth * depth)
    }
}

/// *Delta pruning* in quiescence: a capture that, with a margin, still leaves
/// us below alpha will not save the position. +14 to +25 early on.
#[inline]
pub(crate) fn quiescence_ceiling<P: Playable>(eval: Value, gain: Value) -> Value {
    eval + gain + margin::<P>(t::quiescence_margin::<P>())
}

/// Reductions by depth and number of the move, in 1/1024 of a ply.
#[derive(Debug)]
pub(crate) struct Reductions {
    quiet: Vec<i16>,
    tactical: Vec<i16>,
}

const SIDE: usize = 64;

impl Reductions {
    /// *Late move reductions*: the later a move comes and the deeper the node,
    /// the less deep it is looked at; if it does better than expected, it is
    /// searched again. +92 to +136; the logarithmic form +33.
    pub(crate) fn new<P: Playable>() -> Self {
        let table = |base: i32, divisor: i32| {
            let mut cells = vec![0; SIDE * SIDE];
            for depth in 1..SIDE {
                for number in 1..SIDE {
                    let product = i64::from(ln_1024(depth)) * i64::from(ln_1024(number)) / 1024;
                    let value = i64::from(base) + product * 100 / i64::from(divisor.max(1));
                    cells[depth * SIDE + number] = value.clamp(0, i64::from(i16::MAX)) as i16;
                }
            }
            cells
        };
        Self {
            quiet: table(t::lmr_quiet_base::<P>(), t::lmr_quiet_divisor::<P>()),
            tactical: table(t::lmr_tactical_base::<P>(), t::lmr_tactical_divisor::<P>()),
        }
    }

    #[inline]
    pub(crate) fn get(&self, depth: i32, number: usize, tactical: bool) -> i32 {
        let at = (depth.clamp(0, SIDE as i32 - 1) as usize) * SIDE + number.min(SIDE - 1);
        let table = if tactical {
            &self.tactical
        } else {
            &self.quiet
        };
        i32::from(table[at])
    }
}

/// The natural logarithm times 1024, in integers, so that every machine
/// computes the same tree.
fn ln_1024(n: usize) -> i32 {
    // Binary digits of log2 by repeated squaring.
    let whole = n.max(1).ilog2();
    let mut mantissa = ((n.max(1) as u64) << 32) >> whole;
    let mut log2 = whole << 10;
    for bit in (0..10).rev() {
        mantissa = ((u128::from(mantissa) * u128::from(mantissa)) >> 32) as u64;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            log2 |= 1 << bit;
        }
    }
    (log2 * 7098 / 10240) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_near_enough() {
        for n in 1..64 {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() < 3.0, "{n}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let table = Reductions::new::<quadrille_games::chess::Chess>();
        for n in 2..63 {
            assert!(table.get(n + 1, 10, false) >= table.get(n, 10, false));
            let number = n as usize;
            assert!(table.get(10, number + 1, true) >= table.get(10, number, true));
        }
        assert!(table.get(1000, 1000, false) < 16 * 1024);
    }
}
