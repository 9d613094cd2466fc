//! The moves of a node: which are tried, how deep, and what is learnt.

use quadrille_games::GameMove;

use crate::history::{HISTORY_MAX, Place, gain_class};
use crate::node::Node;
use crate::picker::{Picked, Picker};
use crate::playable::Playable;
use crate::pruning;
use crate::report::Bound;
use crate::score::{DRAW, INFINITE, MAX_EVAL, Value, is_known};
use crate::transposition::Entry;
use crate::tunables as t;
use crate::worker::Worker;

/// What a singular search says.
enum Singular {
    Extend(i32),
    /// The node fails high even without its best move.
    Cut(Value),
}

impl<P: Playable> Worker<'_, P> {
    /// Tries the moves of a node and remembers the result.
    pub(crate) fn try_moves<const PV: bool>(&mut self, node: Node<P::Move>) -> Value {
        let ply = node.ply;
        let mut alpha = node.alpha;
        let mut best = node.floor;
        let mut best_move = None;
        let mut number = 0;
        let tried_from = self.memory.tried.len();
        self.memory.stack.at_mut(ply + 1).cutoffs = 0;
        self.memory.stack.at_mut(ply + 2).killers = [None, None];
        let mut picker = Picker::new(self, ply, node.table_move);
        let mut legal = false;
        // With pawns alone every move counts, and one tempo decides.
        let prunable = !self.proving && self.position.has_pieces();
        self.note_structure(ply);
        while let Some(picked) = picker.next(self) {
            legal = true;
            if Some(picked.m) == node.excluded {
                continue;
            }
            number += 1;
            if best >= -MAX_EVAL
                && prunable
                && self.is_pruned(&node, &mut picker, picked, number, alpha)
            {
                continue;
            }
            let extension = match self.extension::<PV>(&node, picked.m) {
                Singular::Extend(plies) => plies,
                Singular::Cut(value) => {
                    picker.finish(self);
                    self.memory.tried.truncate(tried_from);
                    return value;
                }
            };
            if self.shared.is_stopped() {
                break;
            }
            let tried = self.tried(ply, picked);
            self.memory.stack.at_mut(ply).trail = tried.trail;
            let value = self.try_move::<PV>(&node, picked, number, (alpha, best), extension);
            if self.shared.is_stopped() {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(picked);
                    if PV {
                        self.memory.lines.extend(ply, picked.m);
                    }
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                }
            }
            self.memory.tried.push(tried);
        }
        let whole = picker.finish(self);
        if self.shared.is_stopped() {
            self.memory.tried.truncate(tried_from);
            return DRAW;
        }
        if number == 0 {
            return self.value_without_moves(&node, legal);
        }
        if let Some(picked) = best_move
            && best >= node.beta
        {
            self.reward(ply, node.depth, picked, tried_from);
        } else if best_move.is_none() && node.excluded.is_none() {
            self.credit_previous(&node);
        }
        self.memory.tried.truncate(tried_from);
        let mut best = best.min(node.ceiling);
        if !PV && best >= node.beta {
            let percent = t::fail_high_blend() / (node.depth + 1).max(1);
            best = pruning::blended::<P>(best, node.beta, percent);
        }
        if !whole && best < -MAX_EVAL {
            // Moves that did not fit into the list may still save the game.
            best = -MAX_EVAL;
        }
        if node.excluded.is_none() {
            self.remember::<PV>(&node, best, best_move);
        }
        best
    }

    /// The value of a node none of whose moves was tried.
    fn value_without_moves(&self, node: &Node<P::Move>, legal: bool) -> Value {
        if legal {
            // Only the excluded move: nothing else comes near it.
            return node.alpha;
        }
        let outcome = self.position.outcome();
        outcome.map_or(DRAW, |o| self.value_of(o, node.ply))
    }

    /// Whether a move is not worth trying. Only asked once a move has been
    /// found that does not lose outright: so no loss is ever claimed while there
    /// are moves that were never looked at.
    fn is_pruned(
        &mut self,
        node: &Node<P::Move>,
        picker: &mut Picker<P::Move>,
        picked: Picked<P::Move>,
        number: usize,
        alpha: Value,
    ) -> bool {
        let reductions = &self.memory.reductions;
        let reduction = reductions.get(node.depth, number, picked.tactical);
        let depth = (node.depth - reduction / 1024).max(1);
        if !picked.tactical {
            if number > pruning::late_move_count::<P>(node.depth, node.improving, self.breadth) {
                picker.skip_quiets();
                return true;
            }
            if !node.in_check
                && pruning::is_futile::<P>(node.eval, alpha, depth)
                && !self.is_threatened(node.ply)
                && !self.position.gives_check(picked.m)
            {
                return true;
            }
            let after = picked.score.and_then(P::promised_value);
            if after.is_some_and(|after| pruning::is_unpromising::<P>(after, alpha, depth)) {
                return true;
            }
            if P::REPUTATION
                && pruning::is_disgraced::<P>(self.quiet_history(node.ply, picked.m), depth)
            {
                return true;
            }
        }
        let judged = P::EXCHANGES && node.depth <= t::exchange_depth();
        let floor = if picked.tactical {
            let floor = pruning::exchange_floor::<P>(node.depth, true);
            if P::HIGHLY_SELECTIVE {
                let name = self.tactical_history(picked.m);
                let trust = name * t::exchange_history() / HISTORY_MAX;
                floor - pruning::margin::<P>(trust * node.depth)
            } else {
                floor
            }
        } else {
            pruning::exchange_floor::<P>(depth, false)
        };
        // Good tactical moves have been through the exchange already.
        judged && (picked.bad || !picked.tactical) && !self.position.exchange_wins(picked.m, floor)
    }

    /// *Singular extension*: if all other moves fall far short of the table's
    /// move, everything hangs on it and it is searched a ply deeper, or two if
    /// they fall very far short. If they do not, and beat beta as well, the node
    /// is cut; if the table's move is just one of several good ones it gets
    /// less. Bounded by a count of double extensions. +9 to +19, double +6 to
    /// +12, negative +9.
    fn extension<const PV: bool>(&mut self, node: &Node<P::Move>, m: P::Move) -> Singular {
        let Some(entry) = node.found else {
            return Singular::Extend(0);
        };
        let ply = node.ply;
        if Some(m) != node.table_move
            || node.excluded.is_some()
            || node.depth < t::singular_depth()
            || entry.depth < node.depth - 3
            || entry.bound == Bound::Upper
            || is_known(entry.value)
            || ply >= 2 * self.iteration.max(8) as usize
        {
            return Singular::Extend(0);
        }
        let goal = entry.value - pruning::margin::<P>(t::singular_margin::<P>() * node.depth / 10);
        self.memory.stack.at_mut(ply).excluded = Some(m);
        let value = self.node::<false>(ply, (node.depth - 1) / 2, goal - 1, goal, node.cut);
        self.memory.stack.at_mut(ply).excluded = None;
        if value < goal {
            let far = goal - pruning::margin::<P>(t::singular_double_margin::<P>());
            let twice =
                !PV && value < far && self.memory.stack.at(ply).doubles < t::double_max() as u32;
            return Singular::Extend(if twice { 2 } else { 1 });
        }
        if goal >= node.beta && !is_known(goal) {
            return Singular::Cut(goal);
        }
        if entry.value >= node.beta {
            return Singular::Extend(-2);
        }
        Singular::Extend(if node.cut { -1 } else { 0 })
    }

    /// Makes a move and searches what follows: first with the least window and
    /// perhaps reduced depth, then as far as it proves better than expected.
    fn try_move<const PV: bool>(
        &mut self,
        node: &Node<P::Move>,
        picked: Picked<P::Move>,
        number: usize,
        (alpha, best): (Value, Value),
        extension: i32,
    ) -> Value {
        let (ply, beta) = (node.ply, node.beta);
        let mut depth = node.depth - 1 + extension;
        let late = node.depth >= t::lmr_depth() && number > 1 + usize::from(PV);
        let reduction = if late {
            self.reduction::<PV>(node, picked, number)
        } else {
            0
        };
        let undo = self.make(ply, picked.m);
        self.memory.stack.at_mut(ply).quiet = !picked.tactical;
        if extension == 2 {
            self.memory.stack.at_mut(ply + 1).doubles += 1;
        }
        let mut value = INFINITE;
        let mut full = !PV || number > 1;
        if late {
            let check = i32::from(self.memory.stack.at(ply + 1).in_check);
            let plies = (reduction - check * t::lmr_check::<P>()) / 1024;
            let reduced = (depth - plies.max(0)).max(1).min(depth);
            self.memory.stack.at_mut(ply).reduction = depth - reduced;
            value = -self.node::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
            self.memory.stack.at_mut(ply).reduction = 0;
            // What did better than expected is looked at without reduction: a
            // ply deeper if it did much better, a ply less if only just.
            full = value > alpha && reduced < depth;
            if full {
                let much = best + pruning::margin::<P>(t::research_deeper::<P>());
                let just = best + pruning::margin::<P>(t::research_shallower::<P>());
                depth += i32::from(value > much) - i32::from(value < just);
                full = reduced < depth;
            }
        }
        if full {
            value = -self.node::<false>(ply + 1, depth, -alpha - 1, -alpha, !node.cut);
            if P::HIGHLY_SELECTIVE && late && !picked.tactical && !self.shared.is_stopped() {
                self.learn_from_second_look(node, value, alpha);
            }
        }
        if PV && (number == 1 || value > alpha) {
            value = -self.node::<true>(ply + 1, depth, -beta, -alpha, false);
        }
        self.unmake(picked.m, undo);
        value
    }

    /// A late quiet move was looked at again: after the moves before it, it is
    /// better than its place in the list, or not. +3 to +11.
    fn learn_from_second_look(&mut self, node: &Node<P::Move>, value: Value, alpha: Value) {
        let bonus = if value <= alpha {
            -malus::<P>(node.depth)
        } else if value >= node.beta {
            bonus::<P>(node.depth)
        } else {
            return;
        };
        let context = self.context(node.ply);
        let Some(slot) = self.memory.stack.at(node.ply).slot else {
            return;
        };
        let bonus = bonus * t::second_look_percent() / 100;
        let history = &mut self.memory.history;
        history.learn_continuation(slot as usize, &context, bonus);
    }

    /// By how much to reduce a late move, in 1/1024 of a ply; see
    /// [`pruning::Reductions`]. Less where the move has a good name, more where
    /// nothing is expected. History-adjusted +7 to +12, less in PV +10 to +14.
    fn reduction<const PV: bool>(
        &mut self,
        node: &Node<P::Move>,
        picked: Picked<P::Move>,
        number: usize,
    ) -> i32 {
        let base = self
            .memory
            .reductions
            .get(node.depth, number, picked.tactical);
        let mut reduction = base;
        if picked.tactical {
            let history = self.tactical_history(picked.m);
            reduction -= history * 1024 / t::lmr_tactical_history::<P>().max(1);
        } else {
            if P::REPUTATION {
                let history = self.quiet_history(node.ply, picked.m);
                reduction -= history * 1024 / t::lmr_history::<P>().max(1);
            }
            if node.table_tactical {
                reduction += t::lmr_table_tactical();
            }
        }
        reduction -= node.doubt * t::lmr_doubt();
        if node.was_pv {
            reduction -= t::lmr_pv::<P>();
        }
        if PV {
            reduction -= t::lmr_pv::<P>() / 2;
        }
        if node.cut {
            reduction += t::lmr_cut::<P>();
        }
        if !node.improving {
            reduction += t::lmr_worse::<P>();
        }
        if self.memory.stack.at(node.ply + 1).cutoffs > 3 {
            reduction += t::lmr_cutoffs::<P>();
        }
        reduction
    }

    /// What the histories say about a quiet move.
    #[inline]
    fn quiet_history(&mut self, ply: usize, m: P::Move) -> i32 {
        let slot = self.position.slot(m);
        let trail = self.trail(ply, m);
        let memory = &*self.memory;
        let history = &memory.history;
        let before = |n| memory.stack.before(ply, n).slot;
        history.quiet(slot, trail)
            + history.in_structure(self.noted_structure(ply), slot) / 2
            + history.continuation(before(1), slot)
            + history.continuation(before(2), slot)
    }

    /// What history says about a tactical move.
    #[inline]
    pub(crate) fn tactical_history(&self, m: P::Move) -> i32 {
        let class = gain_class(self.position.gain(m), P::PAWN);
        self.memory.history.tactical(self.position.slot(m), class)
    }

    #[inline]
    fn trail(&mut self, ply: usize, m: P::Move) -> usize {
        if P::TRAILS == 0 {
            return 0;
        }
        let danger = self.danger(ply);
        self.position.trail(m, danger)
    }

    pub(crate) fn tried(&mut self, ply: usize, picked: Picked<P::Move>) -> Place {
        let class = |m| gain_class(self.position.gain(m), P::PAWN) as u8;
        let gain_class = picked.tactical.then(|| class(picked.m));
        let trail = if picked.tactical {
            0
        } else {
            self.trail(ply, picked.m) as u32
        };
        Place {
            slot: self.position.slot(picked.m) as u32,
            trail,
            gain_class,
        }
    }

    /// A move was too good for the opponent: it gets a better name, those tried
    /// before it a worse one. Malus +9 to +38, gravity +16 to +23, continuation
    /// history +12 to +22, +10 to +12 and +5 for one, two and four plies.
    pub(crate) fn reward(
        &mut self,
        ply: usize,
        depth: i32,
        picked: Picked<P::Move>,
        tried_from: usize,
    ) {
        let bonus = bonus::<P>(depth);
        let malus = malus::<P>(depth);
        let good = self.tried(ply, picked);
        self.memory.stack.at_mut(ply).cutoffs += 1;
        let context = self.context(ply);
        let memory = &mut *self.memory;
        let quiet = good.gain_class.is_none();
        if quiet {
            let frame = memory.stack.at_mut(ply);
            if frame.killers[0] != Some(picked.m) {
                frame.killers = [Some(picked.m), frame.killers[0]];
            }
            memory.history.set_counter(context.befores[0], picked.m);
        }
        memory.history.learn(good, &context, bonus);
        for i in tried_from..memory.tried.len() {
            let bad = memory.tried[i];
            if quiet || bad.gain_class.is_some() {
                memory.history.learn(bad, &context, -malus);
            }
        }
    }

    /// All moves failed low, so the opponent's last move was good: if it was
    /// quiet, it gets a better name too. Public records: a few points.
    fn credit_previous(&mut self, node: &Node<P::Move>) {
        let ply = node.ply;
        let previous = *self.memory.stack.before(ply, 1);
        let Some(slot) = previous.slot.filter(|_| previous.quiet) else {
            return;
        };
        let bonus = bonus::<P>(node.depth) * t::previous_percent::<P>() / 100;
        // Counted from the opponent's node, which is never before the root.
        let context = self.context(ply - 1);
        let place = Place {
            slot,
            trail: previous.trail,
            gain_class: None,
        };
        self.memory.history.learn(place, &context, bonus);
    }

    /// The table says that a quiet move refutes this node once more.
    pub(crate) fn credit_table_move(&mut self, ply: usize, depth: i32, m: P::Move) {
        self.note_structure(ply);
        let context = self.context(ply);
        let place = self.tried(
            ply,
            Picked {
                m,
                tactical: false,
                bad: false,
                score: None,
            },
        );
        let bonus = bonus::<P>(depth) * t::table_percent::<P>() / 100;
        self.memory.history.learn(place, &context, bonus);
    }

    /// Puts the result into the table, and learns by how much the evaluation
    /// was off.
    pub(crate) fn remember<const PV: bool>(
        &mut self,
        node: &Node<P::Move>,
        best: Value,
        best_move: Option<Picked<P::Move>>,
    ) {
        let bound = if best >= node.beta {
            Bound::Lower
        } else if PV && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let says_more = match bound {
            Bound::Exact => true,
            Bound::Lower => best > node.eval,
            Bound::Upper => best < node.eval,
        };
        let quiet = best_move.is_none_or(|picked| !picked.tactical);
        if !node.in_check && quiet && says_more && !is_known(best) {
            let likeness = self.likeness(node.ply);
            let error = (best - node.raw) * 100 / P::PAWN;
            self.memory.corrections.learn(&likeness, error, node.depth);
        }
        let entry = Entry {
            best: best_move.map_or(0, |picked| picked.m.to_bits()),
            value: best,
            eval: node.raw,
            depth: node.depth,
            bound,
            was_pv: node.was_pv,
        };
        self.shared.table.store(node.key, node.ply, entry);
    }
}

/// How much a success at this depth improves a move's name.
fn bonus<P: Playable>(depth: i32) -> i32 {
    (t::bonus_step::<P>() * depth - t::bonus_base::<P>()).clamp(0, t::bonus_max::<P>())
}

/// How much a failure at this depth spoils it.
fn malus<P: Playable>(depth: i32) -> i32 {
    (t::malus_step::<P>() * depth - t::malus_base::<P>()).clamp(0, t::malus_max::<P>())
}
