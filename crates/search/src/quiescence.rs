//! The end of each line: only tactical moves, until the position is quiet.

use quadrille_games::GameMove;

use crate::picker::Picker;
use crate::playable::Playable;
use crate::report::Bound;
use crate::score::{DRAW, Value, loss_in, win_in};
use crate::table::{Entry, NO_EVAL};
use crate::worker::Worker;

impl<P: Playable> Worker<'_, P> {
    /// The value of a position once everything that hangs is taken. The side to
    /// move may stand pat, except in check, where all its moves are looked at.
    pub(crate) fn quiesce<const PV: bool>(
        &mut self,
        ply: usize,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        if PV {
            self.memory.lines.clear(ply);
            self.reached(ply);
        }
        if self.is_halted(ply) {
            return DRAW;
        }
        if let Some(value) = self.ending(ply) {
            return value;
        }
        if let Some(m) = self.position.win_at_once() {
            if PV {
                self.memory.lines.clear(ply + 1);
                self.memory.lines.extend(ply, m);
            }
            return win_in(ply + 1);
        }
        let key = self.position.hash();
        let found = self.shared.table.probe(key, ply);
        if let Some(entry) = found
            && !PV
            && self.settles(&entry, alpha, beta)
        {
            return entry.value;
        }
        let in_check = self.position.in_check();
        let mut best = loss_in(ply);
        let mut eval = NO_EVAL;
        if !in_check {
            eval = found.map_or(NO_EVAL, |e| e.eval);
            if eval == NO_EVAL {
                eval = self.raw_eval();
            }
            best = eval;
            if best >= beta || Self::too_deep(ply) {
                return best;
            }
            alpha = alpha.max(best);
        } else if Self::too_deep(ply) {
            return DRAW;
        }
        let old_alpha = alpha;
        let table_move = found.and_then(|e| self.table_move(&e, !in_check));
        let mut picker = if in_check {
            Picker::new(self, ply, table_move)
        } else {
            Picker::tactical(self, ply, table_move, 0)
        };
        let mut best_move = None;
        let mut searched = 0;
        while let Some(picked) = picker.next(self) {
            if !in_check && picked.bad {
                break;
            }
            let undo = self.make(ply, picked.m, picked.tactical);
            let value = -self.quiesce::<PV>(ply + 1, -beta, -alpha);
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
        picker.finish(self);
        if self.shared.is_stopped() {
            return DRAW;
        }
        if in_check && searched == 0 {
            let outcome = self.position.outcome();
            return outcome.map_or(loss_in(ply), |o| self.value_of(o, ply));
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha && in_check {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.shared.table.store(
            key,
            ply,
            Entry {
                best: best_move.map_or(0, P::Move::to_bits),
                value: best,
                eval,
                depth: 0,
                bound,
                was_pv: PV,
            },
        );
        best
    }
}
