//! Engine sessions: commands in, search, reports out.
//!
//! A [`Session`] is fed lines, turns them into [`Command`]s, drives one
//! [`Searcher`] and is asked for lines. It is the only room of the house that
//! knows both a protocol and a game, and it has no input, output, threads or
//! clock of its own: those are around it.
//!
//! ```text
//!            line, arrival            task
//! stdin ─> reader ─ feed ─> Session ────────> search thread
//!          thread              │  ^             │       │
//!                readyok, id...v  └── finished ─┘       v info, bestmove
//!                            Outbox <───────────────────┘
//!                              └─> stdout, on the thread that says it
//! ```
//!
//! * [`run`] puts native threads around a session: the **reader** cuts bytes into
//!   lines, notes when they came and feeds them; **workers** carry out tasks (a
//!   search, `perft`, `bench`) and bring them back.
//! * [`Session::step`] is for callers with one thread, such as a worker in the
//!   browser: tasks are done in slices, and lines are fed in between.
//! * While a search runs the searcher is away with it; everything a host may
//!   still say then (`isready`, `stop`, `ponderhit`, options and positions for
//!   the next search) is answered or remembered without it.
//! * The **[`Outbox`]** holds the conversation's state ([`EngineSide`]), so that
//!   "has this search been answered" is one question with one answer, whichever
//!   thread asks.
//!
//! What the four dialects share is in `conversation`, `options`, `limits`,
//! `search_work` and `reporter`; what sets one apart, its own options included,
//! is in one file each: `chess`, `ulci`, `leiser`, `ugi`.
//!
//! # What the session decides
//!
//! * A `go` during a search ends that search, which answers first: one
//!   `bestmove` for every `go`, always.
//! * The clock of a `go` runs from the moment at which its bytes came.
//! * `position`, `setoption` and `ucinewgame` during a search are not lost:
//!   they count from the next `go` on.
//! * While `perft` or `bench` run, `isready`, `stop` and `quit` are obeyed at
//!   once; everything else waits.
//! * An illegal move in `position` is named, the legal moves before it stand,
//!   and the next `go` says once more which position it searches.
//! * End of input is `quit` in its turn: `perft` and `bench` come to their end, so
//!   that they can be asked for through a pipe, and a search that runs is stopped and
//!   still gives its answer. A host that closes the pipe it should read from has
//!   said `quit` too.
//!
//! # Features
//!
//! * `syzygy` (default): endgame tables for chess.
//! * `tune`: every number of the search can be set at run time; the executables
//!   offer them as options.
//!
//! [`Command`]: quadrille_protocol::Command
//! [`EngineSide`]: quadrille_protocol::EngineSide
//! [`Searcher`]: quadrille_search::Searcher
#![forbid(unsafe_code)]

mod bench;
mod board;
mod book;
mod chess;
mod conversation;
mod dialect;
mod go;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod input;
mod inspect;
mod leiser;
mod limits;
mod machine;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod memory;
mod options;
mod outbox;
mod perft;
mod position_values;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod program;
mod reporter;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod runner;
mod search_work;
mod session;
mod strength;
#[cfg(feature = "tune")]
mod tunables;
mod ugi;
mod ulci;
mod waiting;
mod wdl;
mod work;

pub use machine::Machine;
pub use outbox::Outbox;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use program::program;
pub use quadrille_search::{Moment, TimeSource};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use runner::{STACK, run, run_any};
pub use session::Session;
pub use work::{Finished, Step, Task};
