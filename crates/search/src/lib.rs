//! One alpha-beta search for all four games.
//!
//! The search is generic over [`Playable`]: a [`Position`] that also says how
//! its moves are ordered and evaluated. It knows limits and scores but no
//! protocol words: what it has to say goes through a [`Sink`] as values, and a
//! session turns them into its dialect.
//!
//! ```text
//! Line<P> + Limits + Control ──> Searcher<P>::go ──> Progress values into a Sink
//!                                              └──> one Answer
//! ```
//!
//! The room, in the order of a search:
//! * `searcher`: the door; starts the threads and lets them vote;
//! * `worker`: one thread with its board, its evaluation and its memory;
//! * `root`: iterations, aspiration windows, several lines; `time`: when to stop;
//! * `node`: a node up to its moves; `branch`: its moves; `quiescence`: the leaves;
//! * `pruning`: every rule of selectivity with its reason; `tunables`: every
//!   number in it;
//! * `picker`: the order of moves; `history`: what worked lately; `transposition`:
//!   what is known; `endgame_tables`: what tables know; `stack`: what is kept per ply;
//! * `reporting`: what goes out; `bench`: a fixed amount of work;
//! * a folder for each game: how its moves are ordered and its positions judged.
//!
//! Threads and clock are the caller's: a search asks the [`TimeSource`] of its
//! [`Control`] what time it is, spawns helpers only where it was told to use
//! several threads, and can be done in slices ([`Searcher::advance`]) where there
//! is one thread for everything.
//!
//! At one thread and without a clock a search is a function of its input: the
//! same position, memory and limits give the same nodes and the same line.
//!
//! [`Position`]: quadrille_games::Position

pub mod bench;
mod branch;
pub mod chess;
pub mod control;
mod correction;
pub mod endgame_tables;
pub mod gyges;
pub mod history;
#[cfg(test)]
mod inside;
pub mod known_values;
pub mod leiser;
pub mod liberty;
pub mod limits;
mod mate_proof;
pub mod net;
mod node;
pub mod pair;
mod picker;
pub mod playable;
mod pruning;
mod quiescence;
pub mod report;
mod reporting;
mod root;
pub mod score;
mod searcher;
mod stack;
pub mod tally;
mod time;
pub mod time_source;
mod transposition;
pub mod tunables;
pub mod tuning;
mod worker;

pub use bench::{BenchResult, bench};
pub use control::Control;
pub use endgame_tables::{EndgameTables, TableMove, TableResult};
pub use known_values::KnownValues;
pub use limits::{Clock, Limits, Time};
pub use pair::Pair;
pub use playable::{Evaluator, Playable, Term};
pub use quadrille_games::chances;
pub use report::{Answer, Bound, Progress, RootMove, Sink, Variation};
pub use score::{MAX_PLY, Score, Value};
pub use searcher::{Assignment, Search, Searcher};
pub use time_source::{Moment, SystemClock, TimeSource};
