//! One node of the tree.

use quadrille_games::GameMove;

use crate::picker::Picker;
use crate::playable::Playable;
use crate::report::Bound;
use crate::score::{DRAW, MAX_PLY, Value, is_decided, loss_in, win_in};
use crate::table::{Entry, NO_EVAL};
use crate::worker::Worker;

impl<P: Playable> Worker<'_, P> {
    /// The value of the current position, searched to `depth` plies. Exact
    /// between `alpha` and `beta`, otherwise a bound.
    pub(crate) fn node<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Value {
        if depth <= 0 {
            return self.quiesce::<PV>(ply, alpha, beta);
        }
        if PV {
            self.memory.lines.clear(ply);
        }
        self.reached(ply);
        if self.is_halted(ply) {
            return DRAW;
        }
        if let Some(value) = self.ending(ply) {
            return value;
        }
        if Self::too_deep(ply) {
            return self.raw_eval();
        }
        alpha = alpha.max(loss_in(ply));
        beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
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
            && entry.depth >= depth
            && self.settles(&entry, alpha, beta)
        {
            return entry.value;
        }
        let table_move = found.and_then(|e| self.table_move(&e, false));
        let old_alpha = alpha;
        let mut best = -crate::score::INFINITE;
        let mut best_move = None;
        let mut searched = 0;
        let mut picker = Picker::new(self, ply, table_move);
        while let Some(picked) = picker.next(self) {
            let undo = self.make(ply, picked.m, picked.tactical);
            searched += 1;
            let mut value = -crate::score::INFINITE;
            if searched > 1 || !PV {
                value = -self.node::<false>(ply + 1, depth - 1, -alpha - 1, -alpha);
            }
            if PV && (searched == 1 || value > alpha) {
                value = -self.node::<true>(ply + 1, depth - 1, -beta, -alpha);
            }
            self.unmake(picked.m, undo);
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
        if searched == 0 {
            let outcome = self.position.outcome();
            return outcome.map_or(DRAW, |o| self.value_of(o, ply));
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
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
                eval: NO_EVAL,
                depth,
                bound,
                was_pv: PV,
            },
        );
        best
    }

    /// Whether a table entry's bound is enough for this window. A win that needs
    /// more plies than are left until a draw by counting, or anything learnt
    /// long before such a draw, is not trusted.
    #[inline]
    pub(crate) fn settles(&self, entry: &Entry, alpha: Value, beta: Value) -> bool {
        let fits = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= beta,
            Bound::Upper => entry.value <= alpha,
        };
        fits && self.position.plies_to_draw()
            > NEAR_DRAW + MAX_PLY as u32 * u32::from(is_decided(entry.value))
    }

    /// The table's move, if it can be played here.
    pub(crate) fn table_move(&self, entry: &Entry, tactical_only: bool) -> Option<P::Move> {
        if entry.best == 0 {
            return None;
        }
        let m = P::Move::from_bits(entry.best);
        let fits = self.position.is_legal(m) && (!tactical_only || self.position.is_tactical(m));
        fits.then_some(m)
    }
}

/// So near to a draw by counting plies the table is not believed.
const NEAR_DRAW: u32 = 8;
