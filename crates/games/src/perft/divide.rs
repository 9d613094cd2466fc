//! The count for each first move, on any number of threads.

use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::counting::Counting;
use super::hash_table::HashTable;
use crate::position::Position;

/// The greatest depth. Walking goes one call deeper with each ply, and a tree
/// without branches must not run out of stack.
pub const MAX_DEPTH: u32 = 500;
/// The most threads that are started, whatever is asked for.
pub const MAX_THREADS: usize = 1024;
/// The largest table, in mebibytes.
pub const MAX_HASH_MB: usize = 1 << 20;
/// The tree is cut up after two plies, but only into so many pieces: a board of
/// 256x256 squares may have more second moves than memory holds.
const MOST_JOBS: usize = 1 << 17;

/// How to count.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Plies.
    pub depth: u32,
    /// Threads; 0 is one for each processor.
    pub threads: usize,
    /// Size of the table for positions that are reached twice, in mebibytes;
    /// 0 is none.
    pub hash_mb: usize,
    /// Told now and then how far the count is; [`ControlFlow::Break`] ends it.
    /// Called from all threads.
    pub progress: Option<&'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)>,
}

impl Options<'_> {
    /// On one thread, without a table, silent.
    pub const fn new(depth: u32) -> Self {
        Self {
            depth,
            threads: 1,
            hash_mb: 0,
            progress: None,
        }
    }
}

/// How far a count is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Pieces of the tree that are counted.
    pub done: usize,
    /// Pieces of the tree in all.
    pub jobs: usize,
    /// Leaves found so far.
    pub leaves: u64,
}

/// A finished count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerftCounts<M> {
    /// Every first move in the order of the generator, with the leaves behind
    /// it. Empty at depth 0.
    pub moves: Vec<(M, u64)>,
    /// All leaves; `u64::MAX` stands for more than that.
    pub total: u64,
}

/// Why there is no count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PerftError {
    /// The progress function said so.
    Stopped,
    /// Deeper than [`MAX_DEPTH`].
    TooDeep,
    /// This count depends on how a position was reached, so that a table would
    /// change it.
    NotHashable,
    /// There is no memory for a table of that size.
    NoMemory {
        /// Mebibytes asked for.
        mebibytes: usize,
    },
    /// This game is not counted in that way.
    NotCounted,
}

impl fmt::Display for PerftError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the count was stopped"),
            Self::TooDeep => write!(f, "the greatest depth is {MAX_DEPTH}"),
            Self::NotHashable => f.write_str(
                "this count depends on how positions are reached and cannot use a hash table",
            ),
            Self::NoMemory { mebibytes } => {
                write!(f, "there is no memory for a hash table of {mebibytes} MB")
            }
            Self::NotCounted => f.write_str("this game has no such count"),
        }
    }
}

impl core::error::Error for PerftError {}

/// Counts the leaves behind each first move.
///
/// The work is handed out in pieces (the moves after one or two plies) to
/// whichever thread is free, and added up in the order of the moves.
pub fn divide<P: Position, C: Counting<P>>(
    position: &P,
    counting: C,
    options: &Options<'_>,
) -> Result<PerftCounts<P::Move>, PerftError> {
    if options.depth > MAX_DEPTH {
        return Err(PerftError::TooDeep);
    }
    if options.hash_mb > 0 && C::REMEMBERS {
        return Err(PerftError::NotHashable);
    }
    let mut walker = Walker::new(position.clone(), counting, None);
    if options.depth == 0 || walker.settled().is_some() {
        let total = walker.settled().filter(|_| options.depth > 0).unwrap_or(1);
        let moves = Vec::new();
        return Ok(PerftCounts { moves, total });
    }
    let mut first = Vec::new();
    counting.moves(position, |m| first.push(m));
    let jobs = walker.jobs(&first, options.depth);
    let table = match options.hash_mb {
        0 => None,
        n => Some(HashTable::new(n.min(MAX_HASH_MB)).ok_or(PerftError::NoMemory { mebibytes: n })?),
    };
    let shop = Shop {
        first: &first,
        results: jobs.iter().map(|_| AtomicU64::new(0)).collect(),
        jobs: &jobs,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        leaves: AtomicU64::new(0),
        stopped: AtomicBool::new(false),
        options,
    };
    let threads = worker_count(options.threads).min(jobs.len());
    thread::scope(|scope| {
        for _ in 1..threads {
            let walker = Walker::new(position.clone(), counting, table.as_ref());
            // A thread that cannot be started is one fewer to share the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || shop.work(walker));
        }
        shop.work(Walker::new(position.clone(), counting, table.as_ref()));
    });
    if shop.stopped.into_inner() {
        return Err(PerftError::Stopped);
    }
    let results = shop.results.into_iter().map(AtomicU64::into_inner);
    Ok(add_up(&first, &jobs, results))
}

fn worker_count(asked: usize) -> usize {
    let wanted = match asked {
        0 => thread::available_parallelism().map_or(1, usize::from),
        n => n,
    };
    wanted.min(MAX_THREADS)
}

fn add_up<M: Copy>(
    first: &[M],
    jobs: &[Job<M>],
    results: impl Iterator<Item = u64>,
) -> PerftCounts<M> {
    let mut moves: Vec<(M, u64)> = first.iter().map(|&m| (m, 0)).collect();
    let mut total = 0_u64;
    for (job, leaves) in jobs.iter().zip(results) {
        if let Some((_, sum)) = moves.get_mut(job.first) {
            *sum = sum.saturating_add(leaves);
        }
        total = total.saturating_add(leaves);
    }
    PerftCounts { moves, total }
}

/// A piece of the tree: what follows one first move, or a first and a second.
struct Job<M> {
    first: usize,
    second: Option<M>,
}

/// The work and its results, shared by all threads.
struct Shop<'a, M> {
    first: &'a [M],
    jobs: &'a [Job<M>],
    results: Vec<AtomicU64>,
    next: AtomicUsize,
    done: AtomicUsize,
    leaves: AtomicU64,
    stopped: AtomicBool,
    options: &'a Options<'a>,
}

impl<M: Copy> Shop<'_, M> {
    fn work<P: Position<Move = M>, C: Counting<P>>(&self, mut walker: Walker<'_, P, C>) {
        while !self.stopped.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(job), Some(result)) = (self.jobs.get(index), self.results.get(index)) else {
                return;
            };
            let Some(&first) = self.first.get(job.first) else {
                return;
            };
            let leaves = walker.job(first, job.second, self.options.depth);
            result.store(leaves, Ordering::Relaxed);
            let found = self.leaves.fetch_add(leaves, Ordering::Relaxed);
            let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = self.options.progress {
                let report = Progress {
                    done,
                    jobs: self.jobs.len(),
                    leaves: found.wrapping_add(leaves),
                };
                if progress(report).is_break() {
                    self.stopped.store(true, Ordering::Relaxed);
                }
            }
        }
    }
}

/// One thread's board and what it needs to walk the tree.
struct Walker<'t, P: Position, C> {
    position: P,
    counting: C,
    table: Option<&'t HashTable>,
    /// Keys of the positions before this one, for counts that remember.
    path: Vec<u64>,
    /// Move lists for each depth, kept so that walking allocates nothing.
    lists: Vec<Vec<P::Move>>,
}

impl<'t, P: Position, C: Counting<P>> Walker<'t, P, C> {
    fn new(position: P, counting: C, table: Option<&'t HashTable>) -> Self {
        Self {
            position,
            counting,
            table,
            path: Vec::new(),
            lists: Vec::new(),
        }
    }

    fn settled(&self) -> Option<u64> {
        self.counting.settled(&self.position, &self.path)
    }

    /// Cuts the tree up: after two plies, or after one where that would make
    /// too many pieces.
    fn jobs(&mut self, first: &[P::Move], depth: u32) -> Vec<Job<P::Move>> {
        let mut jobs: Vec<Job<P::Move>> = Vec::new();
        for (index, &m) in first.iter().enumerate() {
            let job = |second| Job {
                first: index,
                second,
            };
            let room = MOST_JOBS.saturating_sub(jobs.len() + first.len()) as u64;
            self.with_move(m, |walker, _| {
                let cut = depth >= 3
                    && walker.settled().is_none()
                    && walker.counting.leaves(&walker.position) <= room;
                if cut {
                    let each = |second| jobs.push(job(Some(second)));
                    walker.counting.moves(&walker.position, each);
                } else {
                    jobs.push(job(None));
                }
            });
        }
        jobs
    }

    /// Makes a move, does something, takes the move back.
    #[inline]
    fn with_move<T>(&mut self, m: P::Move, then: impl FnOnce(&mut Self, u64) -> T) -> T {
        let weight = self.counting.weight(&self.position, m);
        if C::REMEMBERS {
            self.path.push(self.position.hash());
        }
        let undo = self.position.make(m, &mut ());
        let result = then(self, weight);
        self.position.unmake(m, undo);
        if C::REMEMBERS {
            self.path.pop();
        }
        result
    }

    /// The leaves of one piece of a tree of `depth` plies.
    fn job(&mut self, first: P::Move, second: Option<P::Move>, depth: u32) -> u64 {
        self.with_move(first, |walker, weight| {
            let leaves = match second {
                None => walker.leaves(depth - 1),
                Some(second) => walker.with_move(second, |walker, weight| {
                    walker.leaves(depth - 2).saturating_mul(weight)
                }),
            };
            leaves.saturating_mul(weight)
        })
    }

    /// The leaves below the position.
    fn leaves(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if let Some(leaves) = self.settled() {
            return leaves;
        }
        if depth == 1 {
            return self.counting.leaves(&self.position);
        }
        let Some(table) = self.table else {
            return self.inner(depth);
        };
        let key = self.counting.key(&self.position, depth);
        if let Some(leaves) = table.get(key, depth) {
            return leaves;
        }
        let leaves = self.inner(depth);
        table.put(key, depth, leaves);
        leaves
    }

    fn inner(&mut self, depth: u32) -> u64 {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        self.counting.moves(&self.position, |m| list.push(m));
        let mut total = 0_u64;
        for &m in &list {
            let leaves = self.with_move(m, |walker, weight| {
                walker.leaves(depth - 1).saturating_mul(weight)
            });
            total = total.saturating_add(leaves);
        }
        self.lists.push(list);
        total
    }
}
