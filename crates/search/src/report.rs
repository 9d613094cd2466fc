//! What a search has to say.

use core::time::Duration;

use quadrille_games::Position;

use crate::score::Score;

/// Whether a score is exact or only a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The score itself.
    Exact,
    /// At least this much.
    Lower,
    /// At most this much.
    Upper,
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation<M> {
    /// 1 for the best line, 2 for the second best...
    pub rank: usize,
    /// How deep it was searched.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// From the side to move's point of view.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Legal from the root to its end; stops where the game ends.
    pub moves: Vec<M>,
}

/// The state of a search at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<M> {
    /// All lines, best first; one unless more were asked for.
    pub lines: Vec<Variation<M>>,
    /// Positions visited so far by all threads.
    pub nodes: u64,
    /// Since the clock began to run ([`Limits::since`](crate::Limits::since)).
    pub time: Duration,
    /// Used share of the transposition table in permill.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tablebase_hits: u64,
}

/// The root move that is being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootMove<M> {
    /// The depth of the current iteration.
    pub depth: u32,
    /// The move.
    pub current: M,
    /// Its place in the order, from 1.
    pub number: usize,
    /// Since the search began.
    pub time: Duration,
    /// Positions visited so far by all threads.
    pub nodes: u64,
}

/// The end of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move to play; `None` when the game is over at the root.
    pub best: Option<M>,
    /// The reply we expect.
    pub ponder: Option<M>,
    /// The last complete state; its first line begins with `best`.
    pub last: Progress<M>,
}

impl<M> Answer<M> {
    /// An answer that took no search: this move, or none, with this score.
    pub fn unsearched(best: Option<M>, score: Score) -> Self
    where
        M: Copy,
    {
        let line = Variation {
            rank: 1,
            depth: 0,
            seldepth: 0,
            score,
            bound: Bound::Exact,
            moves: best.into_iter().collect(),
        };
        Self {
            best,
            ponder: None,
            last: Progress {
                lines: vec![line],
                nodes: 0,
                time: Duration::ZERO,
                hashfull: 0,
                tablebase_hits: 0,
            },
        }
    }

    /// The answer where the side to move has no move: how the game has ended.
    pub fn without_moves<P: Position<Move = M>>(position: &P) -> Self
    where
        M: Copy,
    {
        let winner = position.outcome().and_then(|outcome| outcome.winner);
        let score = match winner {
            Some(side) if side == position.side() => Score::Win(0),
            Some(_) => Score::Loss(0),
            None => Score::Cp(0),
        };
        Self::unsearched(None, score)
    }
}

/// Where a search reports to. All methods are called from the main search
/// thread and should return quickly.
pub trait Sink<M> {
    /// An iteration (or a fail high or low worth telling) is complete.
    fn progress(&mut self, progress: &Progress<M>);

    /// A root move is about to be searched. Only told after one second.
    fn root_move(&mut self, _: &RootMove<M>) {}

    /// The line searched right now by thread `thread` (from 1), told now and
    /// then after one second if [`wants_current_line`](Self::wants_current_line).
    fn current_line(&mut self, _thread: usize, _moves: &[M]) {}

    /// A root move and the line that refutes it, if
    /// [`wants_refutations`](Self::wants_refutations).
    fn refutation(&mut self, _line: &[M]) {}

    /// The search goes on, for so long now: called every millisecond or so.
    fn tick(&mut self, _elapsed: Duration) {}

    /// Whether [`current_line`](Self::current_line) should be called at all.
    fn wants_current_line(&self) -> bool {
        false
    }

    /// Whether [`refutation`](Self::refutation) should be called at all.
    fn wants_refutations(&self) -> bool {
        false
    }
}

/// Listens to nothing.
impl<M> Sink<M> for () {
    fn progress(&mut self, _: &Progress<M>) {}
}
