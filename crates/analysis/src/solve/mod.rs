//! Suites of problems: does an engine find the move, and how soon?
//!
//! A [`Suite`] is read from a file of positions with `bm`, `am` or `dm`. A
//! [`Solving`] lets engines think about every problem, several at once, each after
//! the engine has forgotten the one before. Every answer is in the store before the
//! next question is asked; a run that was killed goes on from there, and one that is
//! whole leaves nothing behind, so that the same command measures anew.

mod run;
mod suite;
mod values;

pub use run::{Canceller, Solving};
pub use suite::{BrokenLine, Problem, Suite};
pub use values::{Answer, Options, Score, SolveError, SolveEvent};

use std::path::PathBuf;

/// Where answers are kept unless told otherwise, beside the cache of analyses.
pub fn default_store() -> Option<PathBuf> {
    let analyses = crate::default_cache()?;
    Some(analyses.with_file_name("solve.db"))
}
