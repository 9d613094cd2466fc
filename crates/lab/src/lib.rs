//! What nets learn from: games of the engine against itself.
//!
//! ```text
//! openings ──> play (search with soft node limits) ──> file of games
//!                                                        └──> stats, check, training
//! ```
//!
//! * [`openings`]: where games begin, for each of the four games;
//! * [`play`]: one game, its scores and its end;
//! * [`mod@file`]: the format: moves and scores, two to six bytes a position;
//! * [`generate`]: many games on many threads, begun or continued;
//! * [`stats`]: what is in a file;
//! * [`mod@shuffle`]: files put together;
//! * [`mod@export`]: rows of features for a trainer;
//! * [`mod@train`]: a small trainer.
//!
//! Game `n` of a run is a function of the settings, the seed and `n` alone. A run
//! that was killed goes on where its file ends and leaves the same games.

pub mod adam;
pub mod adjudication;
pub mod args;
pub mod book;
pub mod chances;
pub mod export;
pub mod file;
pub mod fit;
pub mod games;
pub mod generate;
pub mod opening;
pub mod openings;
pub mod play;
pub mod record;
pub mod sample;
pub mod shuffle;
#[cfg(feature = "search-numbers")]
pub mod spsa;
pub mod stats;
pub mod train;
pub mod values_play;
mod varint;
pub mod weights;
pub mod write;
mod writer;

pub use export::{Export, Exported, Rows, export};
pub use file::{Ending, FileError, Games, Header, Played, ScoredMove};
pub use generate::{Progress, Run, RunError, run};
pub use play::{Preset, Settings};
pub use shuffle::{Shuffled, shuffle};
pub use stats::Stats;
pub use train::{Epoch, TrainError, Trained, Training, train};
pub use writer::Output;
