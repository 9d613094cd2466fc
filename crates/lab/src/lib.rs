//! Self-play of the engine, and everything learnt from it.
//!
//! ```text
//! openings ─> play ─> file of games ─┬─> stats, shuffle, export ─> train (a small net)
//!                                    └─> fit, weights, chances: numbers of evaluations
//! openings ─> play ─> spsa: numbers of the search (feature `search-numbers`)
//!             play ─> book: a Polyglot book out of a growing tree of openings
//! ```
//!
//! * [`play`]: the one loop of self-play, and the presets of its rules;
//!   [`adjudication`] ends games early, [`openings`] begins them;
//! * [`mod@file`]: the format: moves and scores, two to six bytes a position;
//! * [`generate`]: many games on many threads, begun or continued;
//! * [`stats`], [`mod@shuffle`]: contents of files, files put together;
//! * [`mod@export`], [`mod@train`]: rows of features, and a small trainer;
//! * [`positions`]: quiet positions of games, for [`fit`] (chess), [`weights`] (Gyges,
//!   Leiserchess, Liberty Chess) and [`chances`] (`UCI_ShowWDL`);
//! * [`book`]: the opening book.
//!
//! Game `n` of a run is a function of the settings, the seed and `n` alone. A run
//! that was killed continues where its file ends and leaves the same games.
//!
//! `quadrille match` between two builds decides whether new numbers are better.
//! Nothing comes from games of others. `HISTORY.md` in this crate lists what was
//! tried, what it was worth, and the commands for the next round.

pub mod adam;
pub mod adjudication;
mod blocks;
pub mod book;
pub mod chances;
pub mod export;
pub mod file;
pub mod fit;
pub mod generate;
pub mod openings;
pub mod play;
pub mod positions;
pub mod sample;
pub mod shuffle;
#[cfg(feature = "search-numbers")]
pub mod spsa;
pub mod stats;
pub mod train;
mod varint;
pub mod weights;
pub mod write;
mod writer;

pub use export::{Export, Exported, Rows, export};
pub use file::{Ending, FileError, Games, Header, Played, ScoredMove};
pub use generate::{Progress, Run, RunError, engine_signature, run};
pub use play::{Preset, Settings};
pub use shuffle::{Shuffled, shuffle};
pub use stats::Stats;
pub use train::{Epoch, TrainError, Trained, Training, train};
pub use writer::Output;
