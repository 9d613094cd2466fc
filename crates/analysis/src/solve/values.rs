//! What goes into a run and what comes out of it.

use std::path::PathBuf;
use std::time::Duration;

use quadrille_client::serial::{millis, some_millis};
use serde::{Deserialize, Serialize};

use crate::cache::CacheError;
use quadrille_driver::EngineScore;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Limits, SetOptionError, StartError};

/// How a suite is solved.
#[derive(Debug, Clone)]
pub struct Options {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// The program that is meant by the command `builtin`.
    pub builtin: Option<PathBuf>,
    /// How long to think about a problem: time, depth or nodes.
    pub limits: Limits,
    /// Problems at once, over all engines.
    pub concurrency: usize,
    /// Where answers are kept until the run is whole.
    pub store: Option<PathBuf>,
    /// Forget what a run that was interrupted has found.
    pub fresh: bool,
}

/// A run that could not be begun or finished.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Without an engine nothing can be solved.
    #[error("name an engine")]
    NoEngine,
    /// A search must end.
    #[error("say how long to think about a problem: a time, a depth or nodes")]
    NoLimit,
    /// Not even one problem at a time.
    #[error("no problem at a time means no problem at all: name a number from 1 on")]
    Concurrency,
    /// An engine does not come up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// An option that an engine does not have.
    #[error("{0}: {1}")]
    Option(String, SetOptionError),
    /// Nothing can be remembered.
    #[error(transparent)]
    Store(#[from] CacheError),
}

impl SolveError {
    /// Whether the user's words are wrong, not the machine.
    pub fn is_in_the_description(&self) -> bool {
        !matches!(self, Self::Store(_))
    }
}

/// What an engine found out about a problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The move as engines write it; nothing if there was no answer.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// The move as people write it.
    pub notation: Option<String>,
    /// It is what was asked for.
    pub solved: bool,
    /// When the engine had found it and did not let go of it any more.
    #[serde(with = "some_millis")]
    pub found: Option<Duration>,
    /// Positions until then, as the engine counts.
    pub found_nodes: Option<u64>,
    /// The depth at which it did.
    pub found_depth: Option<u64>,
    /// How long it thought.
    #[serde(with = "millis")]
    pub elapsed: Duration,
    /// Positions in all.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u64>,
    /// What it thought of the position.
    pub score: Option<EngineScore>,
    /// Why there is no answer.
    pub failure: Option<String>,
}

/// Something that happens while a suite is solved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum SolveEvent {
    /// It begins.
    Start {
        /// Problems.
        problems: usize,
        /// The engines, as they were named.
        engines: Vec<String>,
    },
    /// A line of the suite that is no problem.
    Broken {
        /// Which.
        line: u64,
        /// Why.
        reason: String,
    },
    /// An engine has answered.
    Answer {
        /// The engine, counted from 0.
        engine: usize,
        /// The problem, counted from 0.
        problem: usize,
        /// Its name.
        label: String,
        /// Where it stands in the file.
        line: u64,
        /// It was known from a run that was interrupted.
        known: bool,
        /// The answer.
        #[serde(flatten)]
        answer: Box<Answer>,
    },
    /// It is over.
    End {
        /// How each engine did.
        engines: Vec<Score>,
        /// It was broken off.
        cancelled: bool,
    },
}

/// How an engine did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// What it calls itself.
    pub name: String,
    /// Problems that it solved.
    pub solved: u64,
    /// Problems that it answered.
    pub answered: u64,
    /// Problems without an answer: it crashed, or said something impossible.
    pub failed: u64,
    /// How long it took to find what it solved, in all.
    #[serde(with = "millis")]
    pub found: Duration,
    /// Positions until then, in all; as far as the engine counts them.
    pub found_nodes: u64,
}

impl Score {
    pub(super) fn count(&mut self, answer: &Answer) {
        if answer.failure.is_some() {
            self.failed += 1;
            return;
        }
        self.answered += 1;
        if answer.solved {
            self.solved += 1;
            self.found += answer.found.unwrap_or(answer.elapsed);
            self.found_nodes += answer.found_nodes.or(answer.nodes).unwrap_or(0);
        }
    }
}
