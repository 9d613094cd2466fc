//! What is asked of an analysis.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use quadrille_driver::Limits;
use quadrille_driver::spec::EngineSpec;

/// The way through a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From the last position to the first: what an engine remembers of the later
    /// ones tells it about the earlier.
    #[default]
    Backwards,
    /// As it was played.
    Forwards,
}

/// What an engine remembers from one position to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// Everything, through a game.
    Kept,
    /// Nothing: every position is searched as if it were the first.
    Cleared,
}

/// Where best lines are written into the game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variations {
    /// Where a move got a glyph.
    #[default]
    Mistakes,
    /// Wherever an engine would have played another move.
    All,
    /// Nowhere.
    None,
}

/// How games are analysed.
#[derive(Debug, Clone)]
pub struct Options {
    /// The engines. The first one judges; what the others say is told too.
    pub engines: Vec<EngineSpec>,
    /// The program that is meant by the command `builtin`.
    pub builtin: Option<PathBuf>,
    /// How long an engine may think about a position: time, depth or nodes.
    pub limits: Limits,
    /// How many best lines an engine shows.
    pub lines: u32,
    /// Games at once; each has engines of its own.
    pub concurrency: usize,
    /// The way through a game.
    pub direction: Direction,
    /// What engines remember; if missing, everything with limits of time and
    /// nothing with others.
    pub memory: Option<Memory>,
    /// The file of answers; without one nothing is remembered.
    pub cache: Option<PathBuf>,
    /// Where best lines are written.
    pub variations: Variations,
    /// The longest line that is written, in plies.
    pub line_length: usize,
}

/// Options that contradict themselves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// Without an engine nothing can be analysed.
    #[error("name an engine")]
    NoEngine,
    /// A search must end.
    #[error("say how long to think about a position: a time, a depth or nodes")]
    NoLimit,
    /// Not even one best line, or more than are kept.
    #[error("{0} best lines cannot be shown: from 1 to 500 can")]
    Lines(u32),
    /// Not even one game at a time.
    #[error("no game at a time means no game at all: name a number from 1 on")]
    Concurrency,
}

impl Options {
    /// One engine, a fifth of a second for each position.
    pub fn new(engine: EngineSpec) -> Self {
        Self {
            engines: vec![engine],
            builtin: None,
            limits: Limits::movetime(std::time::Duration::from_millis(200)),
            lines: 1,
            concurrency: 1,
            direction: Direction::default(),
            memory: None,
            cache: None,
            variations: Variations::default(),
            line_length: 12,
        }
    }

    pub(super) fn check(&self) -> Result<(), OptionsError> {
        let limits = &self.limits;
        let bounded = limits.movetime.is_some() || limits.depth.is_some() || limits.nodes.is_some();
        if self.engines.is_empty() {
            Err(OptionsError::NoEngine)
        } else if !bounded || limits.infinite || limits.ponder {
            Err(OptionsError::NoLimit)
        } else if !(1..=500).contains(&self.lines) {
            Err(OptionsError::Lines(self.lines))
        } else if self.concurrency == 0 {
            Err(OptionsError::Concurrency)
        } else {
            Ok(())
        }
    }

    /// What engines remember.
    pub fn memory(&self) -> Memory {
        self.memory.unwrap_or(match self.limits.movetime {
            Some(_) => Memory::Kept,
            None => Memory::Cleared,
        })
    }

    /// The limits in words, as they stand in a record.
    pub(super) fn limit_words(&self) -> String {
        let mut words = Vec::new();
        if let Some(time) = self.limits.movetime {
            words.push(format!("movetime {}", time.as_millis()));
        }
        if let Some(depth) = self.limits.depth {
            words.push(format!("depth {depth}"));
        }
        if let Some(nodes) = self.limits.nodes {
            words.push(format!("nodes {nodes}"));
        }
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_done_is_refused() {
        let good = Options::new(EngineSpec::default());
        assert_eq!(good.check(), Ok(()));
        let with = |change: &dyn Fn(&mut Options)| {
            let mut options = good.clone();
            change(&mut options);
            options.check().unwrap_err()
        };
        assert_eq!(with(&|o| o.engines.clear()), OptionsError::NoEngine);
        assert_eq!(
            with(&|o| o.limits = Limits::default()),
            OptionsError::NoLimit
        );
        assert_eq!(with(&|o| o.limits.infinite = true), OptionsError::NoLimit);
        assert_eq!(with(&|o| o.lines = 0), OptionsError::Lines(0));
        assert_eq!(with(&|o| o.concurrency = 0), OptionsError::Concurrency);
    }

    #[test]
    fn only_limits_of_time_keep_the_memory() {
        let mut options = Options::new(EngineSpec::default());
        assert_eq!(options.memory(), Memory::Kept);
        options.limits = Limits::nodes(1000);
        assert_eq!(options.memory(), Memory::Cleared);
        options.memory = Some(Memory::Kept);
        assert_eq!(options.memory(), Memory::Kept);
    }
}
