//! The door of this crate: a search that remembers.

use core::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use quadrille_games::Line;

use crate::control::Control;
use crate::endgame_tables::EndgameTables;
use crate::known_values::KnownValues;
use crate::limits::Limits;
use crate::net::Net;
use crate::playable::{Evaluator, Playable};
use crate::report::{Answer, Sink};
use crate::root::{Course, RootLine, root_moves};
use crate::score::{MAX_EVAL, Value, is_decided};
use crate::time::Budget;
use crate::transposition::TranspositionTable;
use crate::worker::{Counter, Memory, Shared, Worker, evaluator};

/// Mebibytes of transposition table unless another size is asked for.
const DEFAULT_HASH: usize = 16;
/// Threads beyond this bring nothing.
const MAX_THREADS: usize = 1024;
/// The deepest line needs less than a quarter of this.
const STACK: usize = 8 << 20;

/// The shortest slice, so that a second try is longer than the first.
const SHORTEST: Duration = Duration::from_millis(1);

/// Searches positions of one game, with a memory from search to search.
///
/// Nothing large is allocated before the first search.
pub struct Searcher<P: Playable> {
    table: TranspositionTable,
    mebibytes: usize,
    threads: usize,
    memories: Vec<Memory<P>>,
    endgame_tables: Option<Arc<dyn EndgameTables<P>>>,
    known: KnownValues,
    /// What judges positions; `None` is the hand-written evaluation.
    net: Option<Arc<Net>>,
}

/// What to search: the end of a line of play, until a limit is reached or the
/// control says stop.
pub struct Assignment<'a, P: Playable> {
    /// Where to search, with the game so far.
    pub line: &'a Line<P>,
    /// What ends the search.
    pub limits: &'a Limits<P::Move>,
    /// Who may end it from outside, and the clock it goes by.
    pub control: &'a Control,
}

#[expect(
    clippy::expl_impl_clone_on_copy,
    reason = "deriving it would ask for positions that can be copied"
)]
impl<P: Playable> Clone for Assignment<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Playable> Copy for Assignment<'_, P> {}

/// A search that has begun, as it is between two slices.
pub struct Search<M> {
    budget: Budget,
    /// Before the first slice the moves of the root, then as the search left
    /// them.
    roots: Vec<RootLine<M>>,
    complete: Vec<RootLine<M>>,
    completed: u32,
    course: Course<M>,
    enough_on_hit: bool,
    nodes: u64,
    tablebase_hits: u64,
    /// Slices spent on the iteration under way.
    tries: u32,
}

impl<P: Playable> Default for Searcher<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Playable> Searcher<P> {
    /// A searcher with one thread and a small transposition table.
    pub fn new() -> Self {
        Self {
            table: TranspositionTable::new(),
            mebibytes: DEFAULT_HASH,
            threads: 1,
            memories: Vec::new(),
            endgame_tables: None,
            known: KnownValues::default(),
            net: P::own_net(),
        }
    }

    /// How much memory the transposition table may use. Takes effect with the
    /// next search and forgets what the table knew.
    pub fn set_hash(&mut self, mebibytes: usize) {
        self.mebibytes = mebibytes.max(1);
    }

    /// How many threads search; at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.clamp(1, MAX_THREADS);
        self.memories.truncate(self.threads);
    }

    /// Endgame tables to ask, or none.
    pub fn set_endgame_tables(&mut self, tables: Option<Arc<dyn EndgameTables<P>>>) {
        self.endgame_tables = tables;
    }

    /// Values of positions. Below the root a position that has one is worth just that, and
    /// is not searched.
    pub fn set_known_values(&mut self, values: KnownValues) {
        self.known = values;
    }

    /// The net that judges positions from now on, or the hand-written
    /// evaluation. What the table knew was judged otherwise and is forgotten.
    pub fn set_net(&mut self, net: Option<Arc<Net>>) {
        self.net = net;
        for memory in &mut self.memories {
            memory.forget_evaluation();
        }
        self.clear();
    }

    /// The net that judges positions, if one does.
    pub const fn net(&self) -> Option<&Arc<Net>> {
        self.net.as_ref()
    }

    /// Forgets everything learnt: a new game begins.
    pub fn clear(&mut self) {
        self.table.clear(self.threads);
        for memory in &mut self.memories {
            memory.history.clear();
            memory.corrections.clear();
        }
    }

    /// The static evaluation, from the side to move's point of view.
    pub fn evaluate(&mut self, position: &P) -> Value {
        let known = self.known.get(position);
        let value =
            known.unwrap_or_else(|| evaluator(position, self.net.as_ref()).evaluate(position));
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Does what the first search of a position like this one would do before it begins:
    /// allocates its memory and has the system provide it, so that no clock runs
    /// meanwhile.
    pub fn make_ready(&mut self, position: &P) {
        if self.allocate() {
            self.table.clear(self.threads);
        }
        for memory in &mut self.memories {
            memory.make_ready(position, self.net.as_ref());
        }
    }

    /// Allocates what the next search needs; `true` if the table is new.
    fn allocate(&mut self) -> bool {
        while self.memories.len() < self.threads {
            self.memories.push(Memory::new());
        }
        self.table.resize(self.mebibytes)
    }

    /// Searches the end of `line` until a limit is reached or `control` says
    /// stop, and gives its answer. With `infinite` or `ponder` it waits for the
    /// word that releases the answer.
    pub fn go(
        &mut self,
        line: &Line<P>,
        limits: &Limits<P::Move>,
        control: &Control,
        sink: &mut dyn Sink<P::Move>,
    ) -> Answer<P::Move> {
        let assignment = Assignment {
            line,
            limits,
            control,
        };
        let mut search = self.begin(assignment);
        // Without slices the first call goes to the end.
        let answer = loop {
            if let Some(answer) = self.advance(&mut search, assignment, None, sink) {
                break answer;
            }
        };
        control.wait_for_release(limits);
        answer
    }

    /// Begins a search that [`advance`](Self::advance) carries out.
    pub fn begin(&mut self, assignment: Assignment<'_, P>) -> Search<P::Move> {
        let Assignment {
            line,
            limits,
            control,
        } = assignment;
        let budget = Budget::new(limits, line.position().pace(), control);
        self.allocate();
        self.table.grow_older();
        let moves = root_moves(line.position(), &limits.only);
        let roots = root_lines(line, &moves, self.endgame_tables.as_deref());
        Search {
            budget,
            tablebase_hits: roots.iter().filter(|r| r.endgame.is_some()).count() as u64,
            roots,
            complete: Vec::new(),
            completed: 0,
            course: Course::default(),
            enough_on_hit: false,
            nodes: 0,
            tries: 0,
        }
    }

    /// Goes on with a search of the same assignment: to its end, or, at one
    /// thread, for about `slice`. Gives the answer when the search has ended;
    /// whether it may be told yet, [`Control::holds_answer`] knows.
    ///
    /// An iteration that does not fit into its slice is begun again with the next
    /// one, which is quick because the transposition table remembers. Each try is
    /// longer than the one before, so that every search comes to an end.
    pub fn advance(
        &mut self,
        search: &mut Search<P::Move>,
        assignment: Assignment<'_, P>,
        slice: Option<Duration>,
        sink: &mut dyn Sink<P::Move>,
    ) -> Option<Answer<P::Move>> {
        if search.roots.is_empty() {
            return Some(Answer::without_moves(assignment.line.position()));
        }
        search.tries += 1;
        let threads = if slice.is_some() { 1 } else { self.threads };
        let length = slice.map(|slice| slice.max(SHORTEST).saturating_mul(search.tries));
        let shared = Shared {
            table: &self.table,
            limits: assignment.limits,
            control: assignment.control,
            budget: search.budget.clone(),
            stop: AtomicBool::new(false),
            counters: (0..threads).map(|_| Counter::default()).collect(),
            taken: AtomicU64::new(0),
            known: &self.known,
            net: self.net.as_ref(),
            endgame_tables: self.endgame_tables.clone(),
            slice_end: length.map(|length| search.budget.now().later(length)),
        };
        let memories = &mut self.memories[..threads];
        run_threads(search, assignment.line, memories, &shared, sink)
    }
}

/// What a thread has to say at the end.
struct Result<M> {
    lines: Vec<RootLine<M>>,
    completed: u32,
}

/// Runs all threads and picks the answer of the best; `None` if the end of the
/// slice came first.
fn run_threads<P: Playable>(
    search: &mut Search<P::Move>,
    line: &Line<P>,
    memories: &mut [Memory<P>],
    shared: &Shared<'_, P>,
    sink: &mut dyn Sink<P::Move>,
) -> Option<Answer<P::Move>> {
    let (main, helpers) = memories.split_at_mut(1);
    let mut worker = Worker::new(0, line, &mut main[0], shared, Some(sink));
    let results = if helpers.is_empty() {
        search.lend(&mut worker);
        let result = run(&mut worker);
        shared.stop();
        if worker.paused {
            search.keep(worker);
            return None;
        }
        vec![result]
    } else {
        let roots = &search.roots.clone();
        search.lend(&mut worker);
        thread::scope(|scope| {
            // A thread that the system refuses is a thread less, nothing worse.
            let spawn = |(i, memory)| {
                let helper = thread::Builder::new().stack_size(STACK);
                let search = move || {
                    let mut worker = Worker::new(i + 1, line, memory, shared, None);
                    worker.root.clone_from(roots);
                    let result = run(&mut worker);
                    worker.retire();
                    result
                };
                helper.spawn_scoped(scope, search).ok()
            };
            let handles: Vec<_> = helpers.iter_mut().enumerate().filter_map(spawn).collect();
            let mut results = vec![run(&mut worker)];
            shared.stop();
            // A helper that panicked has nothing to say.
            results.extend(handles.into_iter().filter_map(|h| h.join().ok()));
            results
        })
    };
    let chosen = &results[vote(&results)];
    let mut expected = chosen.lines[0].line.clone();
    worker.follow_table(&mut expected, 2);
    let answer = Answer {
        best: Some(chosen.lines[0].m),
        ponder: expected.get(1).copied(),
        last: worker.snapshot(&chosen.lines),
    };
    worker.retire();
    Some(answer)
}

fn run<P: Playable>(worker: &mut Worker<'_, P>) -> Result<P::Move> {
    worker.iterate();
    worker.publish();
    Result {
        lines: worker.result(),
        completed: worker.completed,
    }
}

impl<M: Copy> Search<M> {
    /// Hands over to the main thread what is known so far.
    fn lend<P: Playable<Move = M>>(&mut self, worker: &mut Worker<'_, P>) {
        worker.root = core::mem::take(&mut self.roots);
        worker.complete = core::mem::take(&mut self.complete);
        worker.course = core::mem::take(&mut self.course);
        worker.completed = self.completed;
        worker.enough_on_hit = self.enough_on_hit;
        worker.nodes = self.nodes;
        worker.tablebase_hits = self.tablebase_hits;
    }

    /// Takes it back at the end of a slice.
    fn keep<P: Playable<Move = M>>(&mut self, mut worker: Worker<'_, P>) {
        if worker.completed > self.completed {
            self.tries = 0;
        }
        self.roots = core::mem::take(&mut worker.root);
        self.complete = core::mem::take(&mut worker.complete);
        self.course = core::mem::take(&mut worker.course);
        self.completed = worker.completed;
        self.enough_on_hit = worker.enough_on_hit;
        self.nodes = worker.nodes;
        self.tablebase_hits = worker.tablebase_hits;
        worker.retire();
    }
}

/// The moves with what the endgame tables say about them, if they know them all.
fn root_lines<P: Playable>(
    line: &Line<P>,
    moves: &[P::Move],
    tables: Option<&dyn EndgameTables<P>>,
) -> Vec<RootLine<P::Move>> {
    let mut roots: Vec<_> = moves.iter().map(|&m| RootLine::new(m)).collect();
    let known = tables.map_or_else(Vec::new, |tables| tables.root_moves(line));
    let told = |m: P::Move| known.iter().find(|told| told.m == m);
    if moves.iter().all(|&m| told(m).is_some()) {
        for root in &mut roots {
            root.endgame = told(root.m).map(|told| (told.rank, told.result.value(0)));
        }
    }
    roots
}

/// Which thread's answer to take: each votes for its move, the more the deeper
/// it came and the better its score; a proven win needs no majority. Several
/// lines come from the main thread.
fn vote<M: Copy + Eq>(results: &[Result<M>]) -> usize {
    if results.len() == 1 || results[0].lines.len() > 1 {
        return 0;
    }
    let worst = results.iter().map(|r| r.lines[0].value).min().unwrap_or(0);
    let weight = |r: &Result<M>| {
        let above = i64::from(r.lines[0].value - worst) + 14;
        above * i64::from(r.completed)
    };
    let support = |m: M| -> i64 {
        let same = results.iter().filter(|r| r.lines[0].m == m);
        same.map(weight).sum()
    };
    let merit = |r: &Result<M>| {
        let value = r.lines[0].value;
        let proven = if is_decided(value) && value > 0 {
            value
        } else {
            0
        };
        (proven, support(r.lines[0].m), weight(r))
    };
    // The first of equals, so that the main thread is not overruled for nothing.
    let mut best = 0;
    for i in 1..results.len() {
        if results[i].completed > 0 && merit(&results[i]) > merit(&results[best]) {
            best = i;
        }
    }
    best
}
