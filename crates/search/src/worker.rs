//! One search thread: its board, its evaluation, what it remembers.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;

use quadrille_games::{Line, Outcome};

use crate::control::Control;
use crate::correction::Corrections;
use crate::endgame_tables::EndgameTables;
use crate::history::{CONTINUATIONS, Context, History, Place, SIX_PLIES};
use crate::known_values::KnownValues;
use crate::limits::Limits;
use crate::net::Net;
use crate::picker::Scored;
use crate::playable::{Evaluator, Playable};
use crate::pruning::Reductions;
use crate::report::Sink;
use crate::root::{Course, RootLine};
use crate::score::{DRAW, MAX_EVAL, MAX_PLY, Value, loss_in, win_in};
use crate::stack::{Lines, Seen, Stack};
use crate::time::Budget;
use crate::time_source::Moment;
use crate::transposition::TranspositionTable;

/// Nodes between two looks at the clock on a small board.
const POLL_EVERY: usize = 1024;

/// The most nodes that one of several threads takes from the limit at once.
const PORTION: u64 = 1024;

/// What a thread keeps from one search to the next.
pub(crate) struct Memory<P: Playable> {
    /// The evaluation of the last search, if that came to its end.
    eval: Option<P::Eval>,
    pub(crate) history: History,
    pub(crate) corrections: Corrections,
    pub(crate) stack: Stack<P::Move>,
    pub(crate) lines: Lines<P::Move>,
    /// Move lists of all nodes on the way from the root, one after the other.
    pub(crate) moves: Vec<Scored<P::Move>>,
    pub(crate) seen: Seen,
    /// Moves tried at the nodes on the way from the root.
    pub(crate) tried: Vec<Place>,
    pub(crate) reductions: Reductions,
}

impl<P: Playable> Memory<P> {
    /// The next search judges by something else.
    pub(crate) fn forget_evaluation(&mut self) {
        self.eval = None;
    }

    /// Allocates what a search of this position needs, and has the system provide all of
    /// it now: where it does so when a search comes to it, that can take a while.
    pub(crate) fn make_ready(&mut self, position: &P, net: Option<&Arc<Net>>) {
        if self.prepare(position) {
            self.history.clear();
            self.corrections.clear();
        }
        self.eval.get_or_insert_with(|| evaluator(position, net));
    }

    /// Allocates the tables for positions like this one; `true` if they are new.
    fn prepare(&mut self, position: &P) -> bool {
        let (slots, fine) = (position.slots(), P::HIGHLY_SELECTIVE);
        let new = self.history.prepare(slots, P::TRAILS, fine);
        if new {
            self.corrections.prepare(slots, fine);
        }
        new
    }

    pub(crate) fn new() -> Self {
        Self {
            eval: None,
            history: History::new(),
            corrections: Corrections::new(),
            stack: Stack::new(),
            lines: Lines::new(),
            moves: Vec::new(),
            seen: Seen::new(),
            tried: Vec::new(),
            reductions: Reductions::new::<P>(),
        }
    }
}

/// What a thread publishes; on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Counter {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
}

/// What all threads of a search share.
pub(crate) struct Shared<'a, P: Playable> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) limits: &'a Limits<P::Move>,
    pub(crate) control: &'a Control,
    pub(crate) budget: Budget,
    pub(crate) stop: AtomicBool,
    pub(crate) counters: Vec<Counter>,
    /// Of the limit on nodes, what several threads have taken for themselves.
    pub(crate) taken: AtomicU64,
    pub(crate) known: &'a KnownValues,
    pub(crate) net: Option<&'a Arc<Net>>,
    pub(crate) endgame_tables: Option<Arc<dyn EndgameTables<P>>>,
    /// When to break off and wait for the next slice; only at one thread.
    pub(crate) slice_end: Option<Moment>,
}

impl<P: Playable> Shared<'_, P> {
    pub(crate) fn nodes(&self) -> u64 {
        let each = self.counters.iter();
        each.map(|c| c.nodes.load(Ordering::Relaxed)).sum()
    }

    pub(crate) fn tablebase_hits(&self) -> u64 {
        let each = self.counters.iter();
        each.map(|c| c.tablebase_hits.load(Ordering::Relaxed)).sum()
    }

    /// Whether limits do not count yet.
    pub(crate) fn is_pondering(&self) -> bool {
        self.limits.ponder && self.control.is_pondering()
    }

    /// The most nodes that may be searched now.
    fn node_limit(&self) -> Option<u64> {
        let nodes = self.limits.nodes.filter(|_| !self.is_pondering());
        nodes.into_iter().chain(self.limits.sight).min()
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A search thread at work.
pub(crate) struct Worker<'a, P: Playable> {
    pub(crate) memory: &'a mut Memory<P>,
    pub(crate) shared: &'a Shared<'a, P>,
    /// Only the main thread reports.
    pub(crate) sink: Option<&'a mut dyn Sink<P::Move>>,
    /// 0 is the main thread.
    pub(crate) id: usize,
    pub(crate) position: P,
    pub(crate) eval: P::Eval,
    /// Keys of all positions from the start of the game to the current one.
    keys: Vec<u64>,
    /// Where in `keys` the root is.
    root_at: usize,
    /// Repetition does not look back beyond a pass.
    floor: usize,
    pub(crate) nodes: u64,
    node_limit: u64,
    /// Of several threads: what this one has taken of the limit for all.
    taken: u64,
    pub(crate) tablebase_hits: u64,
    pub(crate) seldepth: usize,
    poll_every: usize,
    poll_in: usize,
    pub(crate) line_reported: Option<Moment>,
    pub(crate) root: Vec<RootLine<P::Move>>,
    /// Depth of the iteration under way.
    pub(crate) iteration: u32,
    /// Depth of the last completed iteration.
    pub(crate) completed: u32,
    /// The best lines of that iteration.
    pub(crate) complete: Vec<RootLine<P::Move>>,
    pub(crate) course: Course<P::Move>,
    /// Whether a ponder hit ends the search.
    pub(crate) enough_on_hit: bool,
    /// Whether the end of a slice broke the search off.
    pub(crate) paused: bool,
    /// A mate is asked for: then nothing is written off by its looks.
    pub(crate) proving: bool,
    /// Null moves are not tried before this ply (verification).
    pub(crate) no_pass_before: usize,
    /// [`Playable::breadth`] of the root.
    pub(crate) breadth: u32,
}

/// What judges positions: a net or the hand-written evaluation.
pub(crate) fn evaluator<P: Playable>(position: &P, net: Option<&Arc<Net>>) -> P::Eval {
    net.map_or_else(
        || P::Eval::new(position),
        |net| P::Eval::with_net(position, net),
    )
}

impl<'a, P: Playable> Worker<'a, P> {
    pub(crate) fn new(
        id: usize,
        line: &Line<P>,
        memory: &'a mut Memory<P>,
        shared: &'a Shared<'a, P>,
        sink: Option<&'a mut dyn Sink<P::Move>>,
    ) -> Self {
        let position = line.position().clone();
        memory.prepare(&position);
        memory.stack.reset();
        memory.moves.clear();
        memory.tried.clear();
        if cfg!(feature = "tune") {
            memory.reductions = Reductions::new::<P>();
        }
        memory.stack.at_mut(0).in_check = position.in_check();
        let (files, ranks) = position.size();
        // A node of a huge board takes as long as hundreds of a small one.
        let squares = usize::from(files) * usize::from(ranks);
        let poll_every = (POLL_EVERY * 64 / squares.max(64)).max(1);
        let eval = match memory.eval.take() {
            Some(mut eval) => {
                eval.restart(&position);
                eval
            }
            None => evaluator(&position, shared.net),
        };
        let mut worker = Self {
            eval,
            breadth: position.breadth(),
            position,
            memory,
            shared,
            sink,
            id,
            keys: line.keys().to_vec(),
            root_at: line.keys().len() - 1,
            floor: 0,
            nodes: 0,
            node_limit: u64::MAX,
            taken: 0,
            tablebase_hits: 0,
            seldepth: 0,
            poll_every,
            poll_in: poll_every,
            line_reported: None,
            root: Vec::new(),
            iteration: 0,
            completed: 0,
            complete: Vec::new(),
            course: Course::default(),
            enough_on_hit: false,
            paused: false,
            proving: shared.limits.mate.is_some(),
            no_pass_before: 0,
        };
        worker.set_node_limit();
        worker
    }

    /// The work is done: the next search has the evaluation.
    pub(crate) fn retire(self) {
        self.memory.eval = Some(self.eval);
    }

    /// At one thread the limit on nodes is counted down; several threads take
    /// portions of it.
    fn set_node_limit(&mut self) {
        let shared = self.shared;
        let Some(limit) = shared.node_limit() else {
            self.node_limit = u64::MAX;
            return;
        };
        if shared.counters.len() == 1 {
            self.node_limit = limit;
        } else if self.node_limit == u64::MAX {
            self.take_portion(limit);
        }
    }

    /// Takes a portion of the limit for all threads, the smaller the less is left,
    /// or ends the search if that is nothing. What was searched while pondering
    /// counts now.
    fn take_portion(&mut self, limit: u64) {
        let threads = self.shared.counters.len() as u64;
        let owed = self.nodes.saturating_sub(self.taken);
        let wanted = |taken: u64| {
            let left = limit.saturating_sub(taken).saturating_sub(owed);
            owed + (left / (4 * threads)).clamp(left.min(1), PORTION)
        };
        let add = |taken: u64| taken.checked_add(wanted(taken));
        let before = self
            .shared
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        self.taken += before.map_or(0, wanted);
        self.node_limit = self.taken;
        if self.nodes >= self.node_limit {
            self.shared.stop();
        }
    }

    #[cold]
    fn reach_node_limit(&mut self) {
        match self.shared.node_limit() {
            Some(limit) if self.shared.counters.len() > 1 => self.take_portion(limit),
            _ => self.shared.stop(),
        }
    }

    /// Makes a move that is known to be legal.
    #[inline]
    pub(crate) fn make(&mut self, ply: usize, m: P::Move) -> P::Undo {
        let frame = self.memory.stack.at_mut(ply);
        frame.played = Some(m);
        frame.slot = Some(self.position.slot(m) as u32);
        frame.quiet = false;
        frame.reduction = 0;
        let doubles = frame.doubles;
        self.eval.push();
        let undo = self.position.make(m, &mut self.eval);
        self.enter();
        let below = self.memory.stack.at_mut(ply + 1);
        below.doubles = doubles;
        below.threat = None;
        below.danger = None;
        below.structure = None;
        below.in_check = self.position.in_check();
        undo
    }

    #[inline]
    pub(crate) fn unmake(&mut self, m: P::Move, undo: P::Undo) {
        self.keys.pop();
        self.position.unmake(m, undo);
        self.eval.pop();
    }

    /// Gives the turn away; returns what taking it back needs.
    pub(crate) fn pass(&mut self, ply: usize) -> (P::Undo, usize) {
        let frame = self.memory.stack.at_mut(ply);
        frame.played = None;
        frame.slot = None;
        frame.quiet = false;
        frame.reduction = 0;
        let doubles = frame.doubles;
        let undo = self.position.pass();
        let below = self.memory.stack.at_mut(ply + 1);
        below.doubles = doubles;
        below.threat = None;
        below.danger = None;
        below.structure = None;
        below.in_check = false;
        self.enter();
        let floor = core::mem::replace(&mut self.floor, self.keys.len() - 1);
        (undo, floor)
    }

    pub(crate) fn unpass(&mut self, (undo, floor): (P::Undo, usize)) {
        self.floor = floor;
        self.keys.pop();
        self.position.unpass(undo);
    }

    /// Counts a new node.
    #[inline]
    fn enter(&mut self) {
        // Repetition compares boards; the table must also tell apart what a
        // past move decides (Ko).
        self.shared.table.prefetch(self.position.tree_key(0));
        self.keys.push(self.position.hash());
        self.nodes += 1;
        if self.nodes >= self.node_limit {
            self.reach_node_limit();
        }
    }

    /// Whether the search is over; looks at the clock now and then.
    #[inline]
    pub(crate) fn is_halted(&mut self, ply: usize) -> bool {
        self.poll_in -= 1;
        if self.poll_in == 0 {
            self.poll(ply);
        }
        self.shared.is_stopped()
    }

    /// Work that is not a node: brings the next look at the clock nearer.
    #[inline]
    pub(crate) fn has_worked(&mut self, amount: usize) {
        self.poll_in = self.poll_in.saturating_sub(amount).max(1);
    }

    pub(crate) fn publish(&self) {
        let counter = &self.shared.counters[self.id];
        counter.nodes.store(self.nodes, Ordering::Relaxed);
        counter
            .tablebase_hits
            .store(self.tablebase_hits, Ordering::Relaxed);
    }

    #[cold]
    fn poll(&mut self, ply: usize) {
        self.poll_in = self.poll_every;
        self.publish();
        self.set_node_limit();
        if self.id != 0 {
            return;
        }
        let shared = self.shared;
        if shared.control.is_stopped() {
            shared.stop();
        }
        if shared.node_limit().is_some_and(|n| shared.nodes() >= n) {
            shared.stop();
        }
        if !shared.is_pondering() {
            let late = !shared.limits.infinite && shared.budget.must_stop();
            let hit = shared.limits.ponder && self.enough_on_hit;
            if late || hit {
                shared.stop();
            }
        }
        let slice_over = |end| shared.budget.now() >= end;
        if !shared.is_stopped() && shared.slice_end.is_some_and(slice_over) {
            self.paused = true;
            shared.stop();
        }
        self.report_line(ply);
    }

    /// The value of a node where the game is over, or as good as over.
    #[inline]
    pub(crate) fn ending(&self, ply: usize) -> Option<Value> {
        if let Some(outcome) = self.position.over_at_sight() {
            return Some(self.value_of(outcome, ply));
        }
        if self.repeats() {
            return Some(DRAW);
        }
        if self.position.plies_to_draw() == 0 {
            // Mate on the last move before the draw counts.
            let outcome = self.position.outcome();
            return Some(outcome.map_or(DRAW, |o| self.value_of(o, ply)));
        }
        None
    }

    /// The value of a finished game.
    pub(crate) fn value_of(&self, outcome: Outcome, ply: usize) -> Value {
        match outcome.winner {
            None => DRAW,
            Some(side) if side == self.position.side() => win_in(ply),
            Some(_) => loss_in(ply),
        }
    }

    /// Whether the position occurred before: once since the root is enough,
    /// because what could be played better the second time could be played
    /// better the first time; before the root it takes as often as the rules
    /// say.
    fn repeats(&self) -> bool {
        let Some(limit) = P::REPETITION_CLAIM.or(P::REPETITION_LIMIT) else {
            return false;
        };
        let last = self.keys.len() - 1;
        let reach = self.position.reversible_plies() as usize;
        let lowest = last.saturating_sub(reach).max(self.floor);
        let key = self.keys[last];
        let mut occurrences = 1;
        let mut at = last;
        while at >= lowest + 2 {
            at -= 2;
            if self.keys[at] == key {
                occurrences += 1;
                if at > self.root_at || occurrences >= limit {
                    return true;
                }
            }
        }
        false
    }

    /// The value that the caller has given to this position. What comes after it is not
    /// looked at: the caller knows better. A game that is over is over.
    #[inline]
    pub(crate) fn known_value(&self) -> Option<Value> {
        let known = self.shared.known;
        if known.is_empty() {
            return None;
        }
        let value = known.get(&self.position)?;
        (self.position.count_moves() > 0).then_some(value)
    }

    /// The static evaluation without corrections, from the side to move's view.
    pub(crate) fn raw_eval(&mut self) -> Value {
        if let Some(value) = self.known_value() {
            return value;
        }
        self.eval
            .evaluate(&self.position)
            .clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Whether the opponent threatens to win at once. Found out once for each
    /// node, and only where something depends on it: it costs as much as all
    /// the rest of a node.
    #[inline]
    pub(crate) fn is_threatened(&mut self, ply: usize) -> bool {
        let known = self.memory.stack.at(ply).threat;
        known.unwrap_or_else(|| {
            let threat = self.position.is_threatened();
            self.memory.stack.at_mut(ply).threat = Some(threat);
            threat
        })
    }

    /// The squares that the opponent attacks, found out once for each node.
    #[inline]
    pub(crate) fn danger(&mut self, ply: usize) -> u64 {
        let known = self.memory.stack.at(ply).danger;
        known.unwrap_or_else(|| {
            let danger = self.position.danger();
            self.memory.stack.at_mut(ply).danger = Some(danger);
            danger
        })
    }

    /// [`Playable::structure_key`], computed once for each node.
    #[inline]
    pub(crate) fn structure(&mut self, ply: usize) -> u64 {
        let known = self.memory.stack.at(ply).structure;
        known.unwrap_or_else(|| {
            let key = self.position.structure_key();
            self.memory.stack.at_mut(ply).structure = Some(key);
            key
        })
    }

    /// Sees to it that the histories know the structure of a node, if they tell
    /// structures apart.
    #[inline]
    pub(crate) fn note_structure(&mut self, ply: usize) {
        if P::HIGHLY_SELECTIVE {
            self.structure(ply);
        }
    }

    /// The structure of a node as far as it is known, if the histories tell
    /// structures apart.
    #[inline]
    pub(crate) fn noted_structure(&self, ply: usize) -> Option<u64> {
        let known = self.memory.stack.at(ply).structure;
        known.filter(|_| P::HIGHLY_SELECTIVE)
    }

    /// What the histories know the moves of a node by, as far as it is known.
    #[inline]
    pub(crate) fn context(&self, ply: usize) -> Context {
        let stack = &self.memory.stack;
        let mut befores = CONTINUATIONS.map(|n| stack.before(ply, n).slot);
        if !P::HIGHLY_SELECTIVE {
            befores[SIX_PLIES] = None;
        }
        Context {
            befores,
            structure: self.noted_structure(ply),
        }
    }

    /// Notes how far the search got.
    #[inline]
    pub(crate) fn reached(&mut self, ply: usize) {
        self.seldepth = self.seldepth.max(ply);
    }

    /// Whether the line is as long as a line may be.
    #[inline]
    pub(crate) const fn too_deep(ply: usize) -> bool {
        ply >= MAX_PLY
    }
}
