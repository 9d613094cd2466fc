//! The moves of a node: which are tried, how deep, and what is learnt.

use quadrille_games::GameMove;

use crate::history::gain_class;
use crate::node::Node;
use crate::picker::{Picked, Picker};
use crate::playable::Playable;
use crate::pruning;
use crate::report::Bound;
use crate::score::{DRAW, INFINITE, MAX_EVAL, Value, is_known};
use crate::transposition::Entry;
use crate::tunables as t;
use crate::worker::Worker;

/// Plies of the line before that continuation history looks at.
pub(crate) const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// A move that was tried, for what is learnt at the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tried {
    slot: u32,
    /// The class of its gain, if it was tactical.
    gain_class: Option<u8>,
}

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
            let tried = self.tried(picked);
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
            if number > pruning::late_move_count(node.depth, node.improving, self.breadth) {
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
            let slot = self.position.slot(picked.m);
            if pruning::is_disgraced(self.quiet_history(node.ply, slot), depth) {
                return true;
            }
        }
        let judged = P::EXCHANGES && node.depth <= t::exchange_depth();
        let floor = if picked.tactical {
            pruning::exchange_floor::<P>(node.depth, true)
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
        let goal = entry.value - pruning::margin::<P>(t::singular_margin() * node.depth / 10);
        self.memory.stack.at_mut(ply).excluded = Some(m);
        let value = self.node::<false>(ply, (node.depth - 1) / 2, goal - 1, goal, node.cut);
        self.memory.stack.at_mut(ply).excluded = None;
        if value < goal {
            let far = goal - pruning::margin::<P>(t::singular_double_margin());
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
            let plies = (reduction - check * t::lmr_check()) / 1024;
            let reduced = (depth - plies.max(0)).max(1).min(depth);
            value = -self.node::<false>(ply + 1, reduced, -alpha - 1, -alpha, true);
            // What did better than expected is looked at without reduction: a
            // ply deeper if it did much better, a ply less if only just.
            full = value > alpha && reduced < depth;
            if full {
                let much = best + pruning::margin::<P>(t::research_deeper());
                let just = best + pruning::margin::<P>(t::research_shallower());
                depth += i32::from(value > much) - i32::from(value < just);
                full = reduced < depth;
            }
        }
        if full {
            value = -self.node::<false>(ply + 1, depth, -alpha - 1, -alpha, !node.cut);
        }
        if PV && (number == 1 || value > alpha) {
            value = -self.node::<true>(ply + 1, depth, -beta, -alpha, false);
        }
        self.unmake(picked.m, undo);
        value
    }

    /// By how much to reduce a late move, in 1/1024 of a ply; see
    /// [`pruning::Reductions`]. Less where the move has a good name, more where
    /// nothing is expected. History-adjusted +7 to +12, less in PV +10 to +14.
    fn reduction<const PV: bool>(
        &self,
        node: &Node<P::Move>,
        picked: Picked<P::Move>,
        number: usize,
    ) -> i32 {
        let base = self
            .memory
            .reductions
            .get(node.depth, number, picked.tactical);
        let mut reduction = base;
        let slot = self.position.slot(picked.m);
        if picked.tactical {
            let class = gain_class(self.position.gain(picked.m), P::PAWN);
            let history = self.memory.history.tactical(slot, class);
            reduction -= history * 1024 / t::lmr_tactical_history().max(1);
        } else {
            reduction -= self.quiet_history(node.ply, slot) * 1024 / t::lmr_history().max(1);
        }
        if node.was_pv {
            reduction -= t::lmr_pv();
        }
        if PV {
            reduction -= t::lmr_pv() / 2;
        }
        if node.cut {
            reduction += t::lmr_cut();
        }
        if !node.improving {
            reduction += t::lmr_worse();
        }
        if self.memory.stack.at(node.ply + 1).cutoffs > 3 {
            reduction += t::lmr_cutoffs();
        }
        reduction
    }

    /// What the histories say about a quiet move.
    #[inline]
    fn quiet_history(&self, ply: usize, slot: usize) -> i32 {
        let history = &self.memory.history;
        let before = |n| self.memory.stack.before(ply, n).slot;
        history.quiet(slot)
            + history.continuation(before(1), slot)
            + history.continuation(before(2), slot)
    }

    pub(crate) fn tried(&self, picked: Picked<P::Move>) -> Tried {
        let slot = self.position.slot(picked.m) as u32;
        let class = |m| gain_class(self.position.gain(m), P::PAWN) as u8;
        Tried {
            slot,
            gain_class: picked.tactical.then(|| class(picked.m)),
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
        let bonus = bonus(depth);
        let malus = (t::malus_step() * depth - t::malus_base()).clamp(0, t::malus_max());
        let good = self.tried(picked);
        self.memory.stack.at_mut(ply).cutoffs += 1;
        let befores = CONTINUATIONS.map(|n| self.memory.stack.before(ply, n).slot);
        let memory = &mut *self.memory;
        let quiet = good.gain_class.is_none();
        if quiet {
            let frame = memory.stack.at_mut(ply);
            if frame.killers[0] != Some(picked.m) {
                frame.killers = [Some(picked.m), frame.killers[0]];
            }
            memory.history.set_counter(befores[0], picked.m);
        }
        memory
            .history
            .learn(good.slot, good.gain_class, befores, bonus);
        for i in tried_from..memory.tried.len() {
            let bad = memory.tried[i];
            if quiet || bad.gain_class.is_some() {
                memory
                    .history
                    .learn(bad.slot, bad.gain_class, befores, -malus);
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
        let bonus = bonus(node.depth) * t::previous_percent() / 100;
        // Counted from the opponent's node, which is never before the root.
        let befores = CONTINUATIONS.map(|n| self.memory.stack.before(ply - 1, n).slot);
        self.memory.history.learn(slot, None, befores, bonus);
    }

    /// The table says that a quiet move refutes this node once more.
    pub(crate) fn credit_table_move(&mut self, ply: usize, depth: i32, m: P::Move) {
        let befores = CONTINUATIONS.map(|n| self.memory.stack.before(ply, n).slot);
        let slot = self.position.slot(m) as u32;
        let bonus = bonus(depth) * t::table_percent() / 100;
        self.memory.history.learn(slot, None, befores, bonus);
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
            let structure = self.position.structure_key();
            let side = self.position.side().index();
            let error = (best - node.raw) * 100 / P::PAWN;
            self.memory
                .history
                .correct(structure, side, error, node.depth);
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
fn bonus(depth: i32) -> i32 {
    (t::bonus_step() * depth - t::bonus_base()).clamp(0, t::bonus_max())
}
