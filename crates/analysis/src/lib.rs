//! Whole games under the eyes of engines: win chances, mistakes, best lines.
//!
//! An [`Analysis`] takes a file of games of any of the four kinds, lets one or
//! several engines think about every position of every main line, and gives for
//! each game a [`GameReport`] (values for a page or a script) and the game itself
//! with everything written in. What is computed from what the engines say is
//! explained in `docs/analysis.md`; the formulas stand in [`judge`].
//!
//! ```no_run
//! use quadrille_analysis::{Analysis, AnalysisEvent, Games, Options};
//! use quadrille_driver::Limits;
//! use quadrille_driver::spec::EngineSpec;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let games = Games::read(std::fs::read("games.pgn")?);
//! let engine = EngineSpec { command: "stockfish".into(), ..EngineSpec::default() };
//! let analysis = Analysis::new(Options {
//!     limits: Limits::nodes(100_000),
//!     cache: Some("analysis.db".into()),
//!     ..Options::new(engine)
//! })?;
//! // From anywhere, at any time: `stop.cancel()`.
//! let stop = analysis.canceller();
//! let mut written = Vec::new();
//! let summary = analysis
//!     .run(games, &mut |event: &AnalysisEvent| {
//!         if let AnalysisEvent::GameEnd { report, .. } = event {
//!             println!("{}: {:?}", report.heading.white, report.players[0].accuracy);
//!         }
//!     }, &mut written)
//!     .await?;
//! std::fs::write("analysed.pgn", written)?;
//! println!("{} games, {} kept as they were", summary.analysed, summary.kept);
//! # Ok(())
//! # }
//! ```
//!
//! # What is promised
//!
//! * A game that cannot be read, or whose engine fails twice, is reported with its
//!   line and the reason and stays byte for byte as it was; the others go on.
//! * With limits of nodes or depth every position is searched on its own, after
//!   the engine has forgotten what it knew. So what is found does not depend on
//!   the order of games, on how many are analysed at once, or on where a run was
//!   interrupted: with an engine that is deterministic itself, the same games give
//!   the same bytes.
//! * With limits of time an engine keeps its memory through a game, and the
//!   positions come last first unless told otherwise: what was learnt about later
//!   ones serves the earlier.
//! * Every answer is in the [cache](Options::cache) before the next question is
//!   asked. The same analysis begun again asks only what is not there.
//!
//! # How it is built
//!
//! | file | what it does |
//! |---|---|
//! | `games` | a file as a list of games, with their bytes |
//! | `subject` | a game as the positions to be asked about |
//! | `walk` | a line of play, with what the positions before decide |
//! | `apart` | long work on a thread for such work, with an ear for the wish to stop |
//! | `cache` | answers in SQLite, by position and asker |
//! | `asker` | an engine that is started when it is first needed, and again when it dies |
//! | `run` | workers, progress, order of the output |
//! | `gather` | the same for games that were analysed elsewhere |
//! | `judge`, `assess` | from answers to chances, losses, glyphs and accuracy |
//! | `report` | the values that are told about a game |
//! | `annotate` | the same, written into the record |
//! | `text`, `page`, `graph` | the report for people |

mod annotate;
mod apart;
mod asker;
mod assess;
pub(crate) mod cache;
mod event;
mod games;
mod gather;
mod graph;
pub mod judge;
mod options;
mod output;
mod page;
mod report;
mod run;
pub mod solve;
mod subject;
mod text;
mod times;
mod walk;

pub(crate) use asker::{forget, set_up};
pub use cache::{CacheError, default_cache};
pub use event::{AnalysisEvent, Kept, Watch};
pub use games::Games;
pub use gather::Gatherer;
pub use options::{Direction, Memory, Options, OptionsError, Variations};
pub use output::{OutputFile, same_file};
pub use page::{page, pictures};
pub use report::{
    BestLine, Evaluation, GameReport, Heading, MoveReport, OpeningName, PlayerReport,
    PositionReport, TimeUse,
};
pub use run::{AnalyseError, Analysis, Canceller, Summary};
pub use text::text;
