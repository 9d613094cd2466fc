//! The door of this crate: a search that remembers.

use core::sync::atomic::AtomicBool;
use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use quadrille_games::{Line, Side};

use crate::control::Control;
use crate::limits::Limits;
use crate::playable::{Evaluator, Playable};
use crate::report::{Answer, Bound, Progress, Sink, Variation};
use crate::root::{RootLine, root_moves};
use crate::score::{MAX_EVAL, Score, Value, is_decided};
use crate::table::Table;
use crate::tables::Tables;
use crate::time::Budget;
use crate::worker::{Counter, Memory, Shared, Worker};

/// The table's size until somebody asks for another.
const DEFAULT_HASH: usize = 16;
/// Threads beyond this bring nothing.
const MAX_THREADS: usize = 1024;
/// The deepest line needs less than a quarter of this.
const STACK: usize = 8 << 20;
/// How often a search that may not answer yet looks whether it may.
const WAIT: Duration = Duration::from_millis(1);

/// Searches positions of one game, with a memory from search to search.
///
/// Nothing large is allocated before the first search.
pub struct Searcher<P: Playable> {
    table: Table,
    mebibytes: usize,
    threads: usize,
    memories: Vec<Memory<P>>,
    tables: Option<Arc<dyn Tables<P>>>,
    known: HashMap<u64, Value>,
}

impl<P: Playable> Default for Searcher<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Playable> Searcher<P> {
    /// A searcher with one thread and a small table.
    pub fn new() -> Self {
        Self {
            table: Table::new(),
            mebibytes: DEFAULT_HASH,
            threads: 1,
            memories: Vec::new(),
            tables: None,
            known: HashMap::new(),
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
    pub fn set_tables(&mut self, tables: Option<Arc<dyn Tables<P>>>) {
        self.tables = tables;
    }

    /// Static values of positions by their key, from White's point of view,
    /// which replace the evaluation.
    pub fn set_known_values(&mut self, values: HashMap<u64, Value>) {
        self.known = values;
    }

    /// Forgets everything learnt: a new game begins.
    pub fn clear(&mut self) {
        self.table.clear(self.threads);
        for memory in &mut self.memories {
            memory.history.clear();
        }
    }

    /// The static evaluation, from the side to move's point of view.
    pub fn evaluate(&mut self, position: &P) -> Value {
        let value = match (self.known.get(&position.hash()), position.side()) {
            (Some(&value), Side::White) => value,
            (Some(&value), Side::Black) => -value,
            (None, _) => P::Eval::new(position).evaluate(position),
        };
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Allocates what the next search needs.
    fn prepare(&mut self) {
        self.table.resize(self.mebibytes);
        self.table.grow_older();
        while self.memories.len() < self.threads {
            self.memories.push(Memory::new());
        }
    }

    /// Searches the end of `line` until a limit is reached or `control` says
    /// stop, and gives its answer.
    pub fn go(
        &mut self,
        line: &Line<P>,
        limits: &Limits<P::Move>,
        control: &Control,
        sink: &mut dyn Sink<P::Move>,
    ) -> Answer<P::Move> {
        let budget = Budget::new(limits, line.position().pace());
        self.prepare();
        let moves = root_moves(line.position(), &limits.only);
        let shared = Shared {
            table: &self.table,
            limits,
            control,
            budget,
            stop: AtomicBool::new(false),
            counters: (0..self.threads).map(|_| Counter::default()).collect(),
            known: &self.known,
            tables: self.tables.clone(),
        };
        let answer = if moves.is_empty() {
            finished(line.position())
        } else {
            search(line, &moves, &mut self.memories, &shared, sink)
        };
        while (limits.infinite || shared.is_pondering()) && !control.is_stopped() {
            thread::sleep(WAIT);
        }
        answer
    }
}

/// What a thread has to say at the end.
struct Result<M> {
    lines: Vec<RootLine<M>>,
    completed: u32,
}

/// Runs all threads and picks the answer of the best.
fn search<P: Playable>(
    line: &Line<P>,
    moves: &[P::Move],
    memories: &mut [Memory<P>],
    shared: &Shared<'_, P>,
    sink: &mut dyn Sink<P::Move>,
) -> Answer<P::Move> {
    let roots = &root_lines(line, moves, shared);
    let (main, helpers) = memories.split_at_mut(1);
    thread::scope(|scope| {
        // A thread that the system refuses is a thread less, nothing worse.
        let spawn = |(i, memory)| {
            let helper = thread::Builder::new().stack_size(STACK);
            let search = move || {
                let mut worker = Worker::new(i + 1, line, memory, shared, None);
                run(&mut worker, roots)
            };
            helper.spawn_scoped(scope, search).ok()
        };
        let handles: Vec<_> = helpers.iter_mut().enumerate().filter_map(spawn).collect();
        let mut worker = Worker::new(0, line, &mut main[0], shared, Some(sink));
        worker.table_hits = roots.iter().filter(|root| root.table.is_some()).count() as u64;
        let mut results = vec![run(&mut worker, roots)];
        shared.stop();
        // A helper that panicked has nothing to say.
        results.extend(handles.into_iter().filter_map(|h| h.join().ok()));
        let chosen = results.swap_remove(vote(&results));
        let mut expected = chosen.lines[0].line.clone();
        worker.follow_table(&mut expected, 2);
        Answer {
            best: Some(chosen.lines[0].m),
            ponder: expected.get(1).copied(),
            last: worker.snapshot(&chosen.lines),
        }
    })
}

fn run<P: Playable>(worker: &mut Worker<'_, P>, roots: &[RootLine<P::Move>]) -> Result<P::Move> {
    worker.root = roots.to_vec();
    worker.iterate();
    worker.publish();
    Result {
        lines: worker.result(),
        completed: worker.completed,
    }
}

/// The moves with what the endgame tables say about them, if they know them all.
fn root_lines<P: Playable>(
    line: &Line<P>,
    moves: &[P::Move],
    shared: &Shared<'_, P>,
) -> Vec<RootLine<P::Move>> {
    let mut roots: Vec<_> = moves.iter().map(|&m| RootLine::new(m)).collect();
    let tables = shared.tables.as_deref();
    let known = tables.map_or_else(Vec::new, |tables| tables.root_moves(line));
    let told = |m: P::Move| known.iter().find(|told| told.m == m);
    if moves.iter().all(|&m| told(m).is_some()) {
        for root in &mut roots {
            root.table = told(root.m).map(|told| (told.rank, told.result.value(0)));
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

/// The answer where the game is over.
fn finished<P: Playable>(position: &P) -> Answer<P::Move> {
    let winner = position.outcome().and_then(|o| o.winner);
    let score = match winner {
        None => Score::Cp(0),
        Some(side) if side == position.side() => Score::Win(0),
        Some(_) => Score::Loss(0),
    };
    Answer {
        best: None,
        ponder: None,
        last: Progress {
            lines: vec![Variation {
                rank: 1,
                depth: 0,
                seldepth: 0,
                score,
                bound: Bound::Exact,
                moves: Vec::new(),
            }],
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            table_hits: 0,
        },
    }
}
