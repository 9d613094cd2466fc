//! A running engine: started, greeted, asked, and in the end gone, whatever it
//! does.
//!
//! ```no_run
//! use std::time::Duration;
//! use quadrille_games::{AnyLine, Game};
//! use quadrille_driver::{Answer, Engine, Event, Limits};
//! use quadrille_driver::spec::EngineSpec;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let spec = EngineSpec {
//!     command: "stockfish".into(),
//!     options: vec![("hash".into(), Some("64".into()))],
//!     ..EngineSpec::default()
//! };
//! let mut engine = Engine::start(&spec, Game::Chess).await?;
//! engine.new_game().await?;
//!
//! let mut line = AnyLine::start(Game::Chess);
//! line.play("e2e4")?;
//! let limits = Limits::movetime(Duration::from_secs(1));
//! let mut search = engine.search(&line, limits).await;
//! while let Some(event) = search.next().await {
//!     if let Event::Info(info) = event {
//!         println!("{:?} {:?} {:?}", info.depth, info.score, info.pv);
//!     }
//! }
//! let outcome = search.finish().await;
//! match outcome.answer {
//!     Answer::Move(best) => println!("{} after {:?}", best.text, outcome.elapsed),
//!     Answer::NoMove => println!("the game is over"),
//!     Answer::Illegal(error) => println!("{error}"),
//!     Answer::TimedOut(_) => println!("too late"),
//!     Answer::Failed(failure) => println!("{failure}"),
//! }
//! engine.quit().await;
//! for finding in &engine.findings() {
//!     println!("{finding}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # What is promised
//!
//! * **Every wait ends.** The handshake, `isready`, a search, `stop` and `quit`
//!   each have a deadline in [`Timeouts`](crate::spec::Timeouts), counted from
//!   the question: whatever the engine says meanwhile does not extend it. Only
//!   a search without any limit lasts until the caller stops it.
//! * **Every end has a type.** [`StartError`] for engines that never came up,
//!   [`Answer`] for what a search came to, [`Failure`] for engines that are lost.
//!   A lost engine has been killed and answers everything with the same failure.
//! * **An answer belongs to its question.** Before each `go` the engine is asked
//!   whether it is ready. What it had still to say about earlier searches comes
//!   before `readyok`; so a second `bestmove` is counted, never played.
//! * **Nothing is left behind.** An engine and all it has started are killed
//!   when the [`Engine`] is dropped, has quit or has died. If we are killed
//!   ourselves, the kernel kills the engines (Linux) and a guardian process
//!   kills what they have started; on Windows their job ends with us. What an engine
//!   that crashes has left behind with a session and an environment of its own is
//!   found only in a program that wants that ([`Orphans`]). An engine that is not a
//!   process of ours loses its connection instead.
//! * **Everything odd is written down.** [`Engine::findings`] has each
//!   peculiarity once, with a stable code, a count and the line that showed it
//!   first.
//!
//! # How it is built
//!
//! | file | what it does |
//! |---|---|
//! | `engine`, `identity`, `handshake`, `registration`, `search` | the conversation: outside, before and in a search |
//! | `measure` | what the machine takes from an engine, and the engine from a game |
//! | `limits`, `position`, `moves`, `options`, `info` | our values in the words of a dialect, and back |
//! | `error` | what went wrong; what was odd is a [finding](quadrille_client::findings) |
//! | `wire` | lines over a link; all waiting happens in one place there |
//! | `link` | [`Link`]: bytes to and from an engine, whatever it is |
//! | `stream`, `memory` | links to engines on the network and in this program |
//! | `process` | links to processes on Unix (`caretaker`, `system`) and Windows |
//!
//! A search is read inside the future that waits for it: no task, no
//! channel between the link and the caller. Lines are parsed where they lie. For
//! each of the best lines the last one is kept as bytes and only turned into
//! values at the end. The time of an answer is taken when its bytes are read,
//! before anything is done with them.
//!
//! A [`Search`] must be polled: an engine that ponders and is not read fills its
//! pipe and waits. Two engines at once are two futures that are
//! joined.

pub mod date;
mod engine;
mod error;
#[doc(hidden)]
pub mod files;
pub mod lend;
mod link;
pub mod machine;
mod measure;
mod memory;
mod process;
mod program;
mod program_files;
mod search;
pub mod signals;
pub mod spec;
mod stream;
mod wire;

#[doc(hidden)]
pub use engine::open;
pub use engine::{Engine, SetOptionError};
pub use error::{Failure, StartError};
pub use link::{Death, Ended, Farewell, Link, Opener, Stderr};
pub use memory::{Memory, MemoryReader, MemoryWriter};
pub use process::Orphans;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub use process::processor_time;
pub use program::check_program;
pub use program_files::{ProgramFile, named_files, program_files, program_marks};

pub use quadrille_client::{
    Clock, Clocks, EngineOption, EngineScore, Identity, InfoLine, Limits, NamedMove, Opponent,
    OptionError, OptionKind, OptionList, dialect_of,
};
pub use search::{Answer, Event, Outcome, Search};
pub use stream::Stream;
#[doc(hidden)]
pub use wire::{Silence, Wire};
pub use wire::{Speaker, Tape};
