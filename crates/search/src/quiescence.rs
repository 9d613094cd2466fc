//! The end of each line: only tactical moves, until the position is quiet.

use quadrille_games::GameMove;

use crate::node::refined;
use crate::picker::Picker;
use crate::playable::Playable;
use crate::pruning::{self, blended, margin, quiescence_ceiling};
use crate::report::Bound;
use crate::score::{DRAW, INFINITE, MAX_EVAL, Value, loss_in};
use crate::transposition::{Entry, NO_EVAL};
use crate::tunables as t;
use crate::worker::Worker;

/// How many moves to try so many plies into the quiescence. On a crowded board
/// captures breed captures: without this a board full of pieces is never quiet.
/// Ordinary exchanges stay far below it.
const fn breadth(plies: usize) -> usize {
    match plies {
        0 => usize::MAX,
        1 => 8,
        2 => 5,
        3 => 3,
        4..=6 => 2,
        _ => 1,
    }
}

/// What a node has before it tries any move.
#[derive(Clone, Copy)]
struct Stand {
    /// The static evaluation as the evaluation gave it; [`NO_EVAL`] in check.
    raw: Value,
    /// The same, corrected by experience.
    eval: Value,
    /// The value of leaving everything as it is; in check there is no such
    /// choice.
    best: Value,
    /// Whether this is or was part of a principal variation.
    was_pv: bool,
}

impl<P: Playable> Worker<'_, P> {
    /// The value of a position once everything that hangs is taken, `plies`
    /// plies into the quiescence. The side to move may stand pat, except in
    /// check, where all its moves are looked at.
    pub(crate) fn quiesce<const PV: bool>(
        &mut self,
        ply: usize,
        alpha: Value,
        beta: Value,
        plies: usize,
    ) -> Value {
        if PV {
            self.memory.lines.clear(ply);
            self.reached(ply);
        }
        if self.is_halted(ply) {
            return DRAW;
        }
        if let Some(value) = self.end_of_line::<PV>(ply) {
            return value;
        }
        let key = self.position.tree_key(0);
        let found = self.shared.table.probe(key, ply);
        if let Some(entry) = found
            && !PV
            && self.settles(&entry, ply, alpha, beta)
        {
            return entry.value;
        }
        let in_check = self.memory.stack.at(ply).in_check;
        let mut stand = Stand {
            raw: NO_EVAL,
            eval: NO_EVAL,
            best: -INFINITE,
            was_pv: PV || found.is_some_and(|e| e.was_pv),
        };
        if !in_check {
            self.stand_pat(ply, &mut stand, found.as_ref());
            let threat = margin::<P>(t::threat());
            if stand.best >= beta && stand.best - threat < beta && self.is_threatened(ply) {
                stand.best -= threat;
            }
            if stand.best >= beta {
                stand.best = blended::<P>(stand.best, beta, t::stand_blend_percent());
                if found.is_none() {
                    self.keep(key, ply, stand, stand.best, Bound::Lower, None);
                }
                return stand.best;
            }
            if P::ONLY_WINS {
                self.keep(key, ply, stand, stand.best, Bound::Upper, None);
                return stand.best;
            }
        }
        let table_move = found.and_then(|e| self.table_move(&e, !in_check));
        let mut picker = if in_check {
            Picker::new(self, ply, table_move)
        } else {
            Picker::tactical(self, ply, table_move, 0)
        };
        let window = (alpha.max(stand.best), beta);
        let found = self.take_what_hangs::<PV>(&mut picker, (ply, plies), in_check, stand, window);
        picker.finish(self);
        if self.shared.is_stopped() {
            return DRAW;
        }
        let Some((mut best, best_move)) = found else {
            let outcome = self.position.outcome();
            return outcome.map_or(loss_in(ply), |o| self.value_of(o, ply));
        };
        if best >= beta {
            best = blended::<P>(best, beta, t::quiescence_blend_percent());
        }
        let bound = if best >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.keep(key, ply, stand, best, bound, best_move);
        best
    }

    /// What the side to move has if it leaves everything as it is.
    #[inline]
    fn stand_pat(&mut self, ply: usize, stand: &mut Stand, found: Option<&Entry>) {
        stand.raw = match found {
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.raw_eval(),
        };
        let correction = self.correction(ply);
        stand.eval = pruning::corrected::<P>(stand.raw, correction);
        stand.best = refined(stand.eval, found);
    }

    /// Tries the moves: the best value and the move that raised alpha; `None` if
    /// there is no way out of a check.
    #[inline]
    fn take_what_hangs<const PV: bool>(
        &mut self,
        picker: &mut Picker<P::Move>,
        (ply, plies): (usize, usize),
        in_check: bool,
        stand: Stand,
        (mut alpha, beta): (Value, Value),
    ) -> Option<(Value, Option<P::Move>)> {
        let mut best = stand.best;
        let mut best_move = None;
        let mut searched = 0;
        while let Some(picked) = picker.next(self) {
            if !in_check && (picked.bad || searched >= breadth(plies)) {
                break;
            }
            if !in_check && best >= -MAX_EVAL {
                let gain = self.position.gain(picked.m);
                let ceiling = quiescence_ceiling::<P>(stand.eval, gain);
                if ceiling <= alpha && gain < MAX_EVAL {
                    best = best.max(ceiling);
                    continue;
                }
            }
            if in_check && best >= -MAX_EVAL && !picked.tactical {
                break;
            }
            let undo = self.make(ply, picked.m);
            let value = -self.quiesce::<PV>(ply + 1, -beta, -alpha, plies + 1);
            self.unmake(picked.m, undo);
            searched += 1;
            if self.shared.is_stopped() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(picked.m);
                    if PV {
                        self.memory.lines.extend(ply, picked.m);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        (!in_check || searched > 0).then_some((best, best_move))
    }

    fn keep(
        &self,
        key: u64,
        ply: usize,
        stand: Stand,
        value: Value,
        bound: Bound,
        best: Option<P::Move>,
    ) {
        let entry = Entry {
            best: best.map_or(0, P::Move::to_bits),
            value,
            eval: stand.raw,
            depth: 0,
            bound,
            was_pv: stand.was_pv,
        };
        self.shared.table.store(key, ply, entry);
    }
}
