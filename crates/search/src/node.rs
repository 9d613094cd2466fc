//! One node of the tree, up to its moves.

use quadrille_games::GameMove;

use crate::correction::Likeness;
use crate::picker::Picker;
use crate::playable::Playable;
use crate::pruning;
use crate::report::Bound;
use crate::score::{DRAW, INFINITE, MAX_EVAL, Value, WIN, is_decided, is_known, loss_in, win_in};
use crate::transposition::{Entry, NO_EVAL};
use crate::tunables as t;
use crate::worker::Worker;

/// So near to a draw by counting plies the table is not believed.
const NEAR_DRAW: u32 = 8;

/// What a node knows about itself before it tries its moves.
// Each flag is an observation of its own: no two of them form one state.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<M> {
    pub(crate) ply: usize,
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) key: u64,
    pub(crate) in_check: bool,
    /// The static evaluation as the evaluation gave it.
    pub(crate) raw: Value,
    /// The same, corrected by experience; [`NO_EVAL`] in check.
    pub(crate) eval: Value,
    /// The best guess there is: the table's value where it says more.
    pub(crate) guess: Value,
    /// By how much experience corrected the evaluation, in hundredths of a pawn;
    /// 0 unless the search is [highly selective](Playable::HIGHLY_SELECTIVE).
    pub(crate) doubt: i32,
    /// Whether the side to move stands better than two plies ago.
    pub(crate) improving: bool,
    pub(crate) found: Option<Entry>,
    pub(crate) table_move: Option<M>,
    /// Whether that move is tactical, where the search is
    /// [highly selective](Playable::HIGHLY_SELECTIVE).
    pub(crate) table_tactical: bool,
    /// Whether this is or was part of a principal variation.
    pub(crate) was_pv: bool,
    /// Whether a fail high is expected.
    pub(crate) cut: bool,
    /// The move left out by a singular search.
    pub(crate) excluded: Option<M>,
    /// What endgame tables guarantee, and what they exclude.
    pub(crate) floor: Value,
    pub(crate) ceiling: Value,
}

impl<P: Playable> Worker<'_, P> {
    /// The value of the current position, searched to `depth` plies. Exact
    /// between `alpha` and `beta`, otherwise a bound. `cut` says that a fail
    /// high is expected.
    pub(crate) fn node<const PV: bool>(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
        cut: bool,
    ) -> Value {
        let mut depth = depth;
        if depth <= 0 {
            if !PV || !self.is_proven(ply) {
                return self.quiesce::<PV>(ply, alpha, beta, 0);
            }
            // A proof found before is followed to its end, so that a line shows it.
            depth = 1;
        }
        if PV {
            self.memory.lines.clear(ply);
            self.reached(ply);
        }
        if self.is_halted(ply) {
            return DRAW;
        }
        let excluded = self.memory.stack.at(ply).excluded;
        if excluded.is_none()
            && let Some(value) = self.end_of_line::<PV>(ply)
        {
            return value;
        }
        // Mate-distance pruning: no line from here can be better than a win
        // already found nearer to the root, nor worse than being lost now.
        let alpha = alpha.max(loss_in(ply));
        let beta = beta.min(win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let key = self.position.tree_key(0);
        let found = match excluded {
            None => self.shared.table.probe(key, ply),
            Some(_) => None,
        };
        if let Some(entry) = found
            && !PV
            && (is_deep_enough::<P>(&entry, depth, beta, cut) || proves(&entry, alpha, beta))
            && self.settles(&entry, ply, alpha, beta)
        {
            if entry.value >= beta
                && let Some(m) = self.table_move(&entry, false)
                && !self.position.is_tactical(m)
            {
                self.credit_table_move(ply, depth, m);
            }
            return entry.value;
        }
        let table_move = found.and_then(|e| self.table_move(&e, false));
        let mut node = Node {
            ply,
            depth,
            alpha,
            beta,
            key,
            in_check: self.memory.stack.at(ply).in_check,
            raw: NO_EVAL,
            eval: NO_EVAL,
            guess: NO_EVAL,
            doubt: 0,
            improving: false,
            found,
            table_move,
            table_tactical: P::HIGHLY_SELECTIVE
                && table_move.is_some_and(|m| self.position.is_tactical(m)),
            was_pv: PV || found.is_some_and(|e| e.was_pv),
            cut,
            excluded,
            floor: -INFINITE,
            ceiling: INFINITE,
        };
        if let Some(value) = self.ask_endgame_tables::<PV>(&mut node) {
            return value;
        }
        self.judge(&mut node);
        self.look_back(&mut node);
        if let Some(value) = self.prune_node::<PV>(&mut node) {
            return value;
        }
        self.try_moves::<PV>(node)
    }

    /// The value where the line ends here: the game is over, the caller knows the value,
    /// the game is won with the next move, or the line is as long as lines get.
    #[inline]
    pub(crate) fn end_of_line<const PV: bool>(&mut self, ply: usize) -> Option<Value> {
        if let Some(value) = self.ending(ply) {
            return Some(value);
        }
        if let Some(value) = self.known_value() {
            return Some(value);
        }
        if let Some(m) = self.position.win_at_once() {
            if PV {
                self.memory.lines.clear(ply + 1);
                self.memory.lines.extend(ply, m);
            }
            return Some(win_in(ply + 1));
        }
        if Self::too_deep(ply) {
            let in_check = self.memory.stack.at(ply).in_check;
            return Some(if in_check { DRAW } else { self.raw_eval() });
        }
        None
    }

    /// Whether a table entry's bound is enough for this window. What was learnt
    /// with more plies to go until a draw by counting is not trusted near it, a
    /// win only if there are enough plies left to play it.
    #[inline]
    pub(crate) fn settles(&self, entry: &Entry, ply: usize, alpha: Value, beta: Value) -> bool {
        let fits = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= beta,
            Bound::Upper => entry.value <= alpha,
        };
        if !fits {
            return false;
        }
        let needed = if is_decided(entry.value) {
            (WIN - entry.value.abs() - ply as Value).max(0) as u32
        } else {
            NEAR_DRAW
        };
        self.position.plies_to_draw() > needed
    }

    /// Whether the table knows who wins here.
    fn is_proven(&self, ply: usize) -> bool {
        let found = self.shared.table.probe(self.position.tree_key(0), ply);
        found.is_some_and(|entry| {
            let shown = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value > 0,
                Bound::Upper => entry.value < 0,
            };
            is_decided(entry.value) && shown
        })
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

    /// Asks the endgame tables. Outside the principal variation their word is
    /// the end of it; inside it is a bound, so that there still is a line.
    fn ask_endgame_tables<const PV: bool>(&mut self, node: &mut Node<P::Move>) -> Option<Value> {
        let tables = self.shared.endgame_tables.as_deref()?;
        if node.excluded.is_some() {
            return None;
        }
        let result = tables.probe(&self.position)?;
        self.tablebase_hits += 1;
        let value = result.value(node.ply);
        let bound = if value > MAX_EVAL {
            Bound::Lower
        } else if value < -MAX_EVAL {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let settled = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= node.beta,
            Bound::Upper => value <= node.alpha,
        };
        if settled {
            let entry = Entry {
                best: 0,
                value,
                eval: NO_EVAL,
                depth: node.depth + 6,
                bound,
                was_pv: node.was_pv,
            };
            self.shared.table.store(node.key, node.ply, entry);
            return Some(value);
        }
        if PV && bound == Bound::Lower {
            node.floor = value;
            node.alpha = node.alpha.max(value);
        } else if PV {
            node.ceiling = value;
        }
        None
    }

    /// Evaluates the node and notes it for the nodes below.
    pub(crate) fn judge(&mut self, node: &mut Node<P::Move>) {
        let ply = node.ply;
        if node.in_check {
            self.memory.stack.at_mut(ply).eval = NO_EVAL;
            return;
        }
        if node.excluded.is_some() {
            node.eval = self.memory.stack.at(ply).eval;
            node.raw = node.eval;
            node.guess = node.eval;
        } else {
            node.raw = match node.found {
                Some(entry) if entry.eval != NO_EVAL => entry.eval,
                _ => self.raw_eval(),
            };
            let correction = self.correction(ply);
            if P::HIGHLY_SELECTIVE {
                node.doubt = correction.abs();
            }
            node.eval = pruning::corrected::<P>(node.raw, correction);
            node.guess = refined(node.eval, node.found.as_ref());
        }
        let stack = &mut self.memory.stack;
        stack.at_mut(ply).eval = node.eval;
        let two_ago = stack.before(ply, 2).eval;
        let before = if two_ago == NO_EVAL {
            stack.before(ply, 4).eval
        } else {
            two_ago
        };
        node.improving = before == NO_EVAL || node.eval > before;
    }

    /// By how much experience says that the static evaluation is off, in
    /// hundredths of a pawn.
    #[inline]
    pub(crate) fn correction(&mut self, ply: usize) -> i32 {
        let likeness = self.likeness(ply);
        self.memory.corrections.of(&likeness)
    }

    /// Where the corrections keep the current position.
    #[inline]
    pub(crate) fn likeness(&mut self, ply: usize) -> Likeness {
        let structure = self.structure(ply);
        let side = self.position.side().index();
        let corrections = &self.memory.corrections;
        if !P::HIGHLY_SELECTIVE || self.position.follows_plan() {
            return corrections.likeness(side, structure, None, [None; 2]);
        }
        let moves = [1, 2].map(|n| self.memory.stack.before(ply, n).slot);
        corrections.likeness(side, structure, self.position.part_keys(), moves)
    }

    /// *Hindsight*: the move before was reduced, and now the evaluation says
    /// whether that was right. If the opponent does not stand worse than it
    /// thought, this node deserves a ply more; if it stands much worse, a ply
    /// less. +5 to +8.
    fn look_back(&self, node: &mut Node<P::Move>) {
        let before = self.memory.stack.before(node.ply, 1);
        let unclear = node.eval == NO_EVAL || before.eval == NO_EVAL;
        if !P::HIGHLY_SELECTIVE || unclear || node.excluded.is_some() {
            return;
        }
        let sum = node.eval + before.eval;
        if before.reduction >= t::hindsight_extend() && sum <= 0 {
            node.depth += 1;
        } else if before.reduction >= t::hindsight_reduce()
            && node.depth >= 2
            && sum > pruning::margin::<P>(t::hindsight_margin())
        {
            node.depth -= 1;
        }
    }

    /// Everything that may end a node before its first move.
    fn prune_node<const PV: bool>(&mut self, node: &mut Node<P::Move>) -> Option<Value> {
        let plain = !PV && !node.in_check && !self.proving && node.excluded.is_none();
        if P::HIGHLY_SELECTIVE {
            Self::reduce_unknown::<PV>(node);
        }
        if plain {
            if let Some(value) = self.razor(node) {
                return Some(value);
            }
            let (guess, beta, depth) = (node.guess, node.beta, node.depth);
            if pruning::is_far_above::<P>(guess, beta, depth, node.improving, node.doubt)
                && !self.is_threatened(node.ply)
            {
                return Some((node.guess + node.beta) / 2);
            }
            if let Some(value) = self.try_passing(node) {
                return Some(value);
            }
        }
        if !P::HIGHLY_SELECTIVE {
            Self::reduce_unknown::<PV>(node);
        }
        if plain { self.probe_cut(node) } else { None }
    }

    /// See [`pruning::lacks_table_move`].
    fn reduce_unknown<const PV: bool>(node: &mut Node<P::Move>) {
        let known = node.table_move.is_some();
        if (PV || node.cut)
            && node.excluded.is_none()
            && pruning::lacks_table_move(node.depth, known)
        {
            node.depth -= 1;
        }
    }

    /// See [`pruning::is_far_below`]. Quiescence has the last word.
    fn razor(&mut self, node: &Node<P::Move>) -> Option<Value> {
        if !pruning::is_far_below::<P>(node.eval, node.alpha, node.depth)
            || !self.position.has_pieces()
        {
            return None;
        }
        let value = self.quiesce::<false>(node.ply, node.alpha, node.alpha + 1, 0);
        (value <= node.alpha && !is_known(value)).then_some(value)
    }

    /// Gives the turn away and sees whether the position is still too good; see
    /// [`pruning::null_reduction`]. A win found that way is no proof, and deep
    /// nodes are checked without passing, because of zugzwang.
    fn try_passing(&mut self, node: &Node<P::Move>) -> Option<Value> {
        let (ply, depth, beta) = (node.ply, node.depth, node.beta);
        let just_passed = self.memory.stack.before(ply, 1).played.is_none();
        if !P::CAN_PASS
            || depth < t::null_depth()
            || node.guess < beta
            || node.eval < beta - pruning::margin::<P>(t::null_slack::<P>())
            || beta < -MAX_EVAL
            || just_passed
            || ply < self.no_pass_before
            || !self.position.may_pass()
            || self.is_threatened(ply)
        {
            return None;
        }
        let reduced = depth - pruning::null_reduction::<P>(depth, node.guess - beta);
        let undo = self.pass(ply);
        let value = -self.node::<false>(ply + 1, reduced, -beta, 1 - beta, !node.cut);
        self.unpass(undo);
        if self.shared.is_stopped() {
            return Some(DRAW);
        }
        if value < beta {
            return None;
        }
        let value = if is_known(value) { beta } else { value };
        if self.no_pass_before > 0 || depth < t::null_verify_depth() {
            return Some(value);
        }
        self.no_pass_before = ply + (reduced.max(0) as usize) * 3 / 4 + 1;
        let verified = self.node::<false>(ply, reduced, beta - 1, beta, false);
        self.no_pass_before = 0;
        (verified >= beta).then_some(value)
    }

    /// *Probcut*: a tactical move that beats beta by a margin in a shallow
    /// search will very likely beat beta in a deep one. +4.
    fn probe_cut(&mut self, node: &Node<P::Move>) -> Option<Value> {
        if P::ONLY_WINS {
            // No tactical move is left.
            return None;
        }
        let (ply, depth) = (node.ply, node.depth);
        let goal = node.beta + pruning::margin::<P>(t::probcut_margin::<P>());
        if depth < t::probcut_depth() || is_known(node.beta) || goal >= MAX_EVAL {
            return None;
        }
        let hopeless = node
            .found
            .is_some_and(|e| e.depth >= depth - 3 && e.value < goal);
        if hopeless {
            return None;
        }
        let table_move = node.table_move.filter(|&m| {
            if P::HIGHLY_SELECTIVE {
                node.table_tactical
            } else {
                self.position.is_tactical(m)
            }
        });
        let mut picker = Picker::tactical(self, ply, table_move, goal - node.eval);
        let mut cut = None;
        while let Some(picked) = picker.next(self) {
            if picked.bad {
                break;
            }
            let undo = self.make(ply, picked.m);
            let mut value = -self.quiesce::<false>(ply + 1, -goal, 1 - goal, 0);
            if value >= goal {
                value = -self.node::<false>(ply + 1, depth - 4, -goal, 1 - goal, !node.cut);
            }
            self.unmake(picked.m, undo);
            if self.shared.is_stopped() {
                cut = Some(DRAW);
                break;
            }
            if value >= goal {
                let entry = Entry {
                    best: picked.m.to_bits(),
                    value,
                    eval: node.raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    was_pv: node.was_pv,
                };
                self.shared.table.store(node.key, ply, entry);
                cut = Some(value);
                break;
            }
        }
        picker.finish(self);
        cut
    }
}

/// Whether an entry was searched deep enough for its value to count. Near the
/// leaves a fail high where none was expected is looked at again, where the
/// search is [highly selective](Playable::HIGHLY_SELECTIVE).
#[inline]
fn is_deep_enough<P: Playable>(entry: &Entry, depth: i32, beta: Value, cut: bool) -> bool {
    let expected = cut || entry.value < beta;
    entry.depth >= depth && (!P::HIGHLY_SELECTIVE || expected || depth > t::table_cut_depth())
}

/// Whether an entry is enough for this window whatever its depth: a win or a
/// loss that was proven once is proven for good. That there is none that is
/// nearer depends on the depth.
#[inline]
fn proves(entry: &Entry, alpha: Value, beta: Value) -> bool {
    is_decided(entry.value)
        && if entry.value > 0 {
            entry.value >= beta
        } else {
            entry.value <= alpha
        }
}

/// The table's value where its bound says more than the evaluation.
pub(crate) fn refined(eval: Value, found: Option<&Entry>) -> Value {
    let Some(entry) = found else {
        return eval;
    };
    let better = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value > eval,
        Bound::Upper => entry.value < eval,
    };
    if better && !is_known(entry.value) {
        entry.value
    } else {
        eval
    }
}
