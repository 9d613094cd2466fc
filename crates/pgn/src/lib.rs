//! Files of games of any length: filter, sort, deduplicate, split, count, convert,
//! check.
//!
//! A [`Job`] says what is to be done; [`Job::run`] reads the files once, from front
//! to back, with memory that does not depend on their length. What does not fit is
//! put into temporary files.
//!
//! 1. `cut` splits a stream into games and keeps their bytes.
//! 2. `look` follows the moves of a portion of games, on as many threads as there
//!    are, asks the [`Conditions`] and makes what is to be written ([`Form`]).
//! 3. `task` takes the games in the order of the file: it writes, counts or sorts
//!    them.
//!
//! Every game that is read is written, put with the rest, reported as broken, or
//! counted as a duplicate: [`Summary`] has all four numbers, and they add up.

mod condition;
mod cut;
mod facts;
mod field;
mod form;
mod look;
mod run;
mod sorter;
mod split;
mod task;

use std::io::{self, Write};
use std::path::PathBuf;

use quadrille_games::records::Severity;
use serde::Serialize;

pub use condition::{Condition, ConditionError, Conditions, DateSpan, EcoSpan, Span, TagTest};
pub use field::{Field, FieldError, SortField};
pub use form::Form;
pub use run::Input;

/// Memory that a job uses unless told otherwise.
pub const DEFAULT_MEMORY: usize = 256 << 20;
/// The least that makes sense.
pub const LEAST_MEMORY: usize = 1 << 20;

/// Which games are the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sameness {
    /// Those with the same start, moves, result, players, date, round and event.
    #[default]
    Game,
    /// Those with the same start and moves.
    Moves,
}

/// How games are spread over files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spread {
    /// So many in a file.
    Every(u64),
    /// A file for each value.
    By(Field),
}

/// What is done with games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Task {
    /// Nothing: it is enough that they are read.
    Check,
    /// Write those that are wanted.
    #[default]
    Write,
    /// Write them in an order.
    Sort(Vec<SortField>),
    /// Write each once.
    Dedupe(Sameness),
    /// Write them into several files. `{}` in the name becomes a number or a value;
    /// files that are there are replaced only if the last says so.
    Split(Spread, PathBuf, bool),
    /// Count them, and those with each value of a field.
    Count(Option<Field>),
}

/// What to do with files of games.
#[derive(Debug, Clone)]
pub struct Job {
    /// What to do.
    pub task: Task,
    /// With which games.
    pub conditions: Conditions,
    /// How they are written.
    pub form: Form,
    /// Whether every move is followed. Where it is not, only tags are known, and
    /// broken games pass unseen.
    pub checked: bool,
    /// Threads that follow moves.
    pub threads: usize,
    /// Bytes that may be held.
    pub memory: usize,
    /// Where temporary files go.
    pub folder: PathBuf,
}

impl Default for Job {
    fn default() -> Self {
        Self {
            task: Task::default(),
            conditions: Conditions::default(),
            form: Form::default(),
            checked: true,
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            memory: DEFAULT_MEMORY,
            folder: std::env::temp_dir(),
        }
    }
}

/// Where games go. What is missing is not written, but counted.
#[derive(Default)]
pub struct Outputs<'a> {
    /// Those that are wanted.
    pub games: Option<&'a mut dyn Write>,
    /// Those that are not.
    pub rest: Option<&'a mut dyn Write>,
    /// Those that cannot be read, byte for byte.
    pub broken: Option<&'a mut dyn Write>,
    /// Those that were there before.
    pub duplicates: Option<&'a mut dyn Write>,
}

impl std::fmt::Debug for Outputs<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outputs").finish_non_exhaustive()
    }
}

/// Something that is said about a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// The file.
    pub file: String,
    /// The line in it.
    pub line: u64,
    /// The game's number in the file; missing for text outside games.
    pub number: Option<u64>,
    /// `error`, `warning` or `note`; a game with an error is broken.
    #[serde(serialize_with = "severity_word")]
    pub severity: Severity,
    /// A word for scripts.
    pub code: &'static str,
    /// What was odd.
    pub reason: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn severity_word<S: serde::Serializer>(severity: &Severity, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(severity)
}

/// What became of all games.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Games that were read.
    pub games: u64,
    /// Games that were wanted, each once.
    pub wanted: u64,
    /// Games that were not.
    pub rest: u64,
    /// Games that could not be read.
    pub broken: u64,
    /// Games that were there before.
    pub duplicates: u64,
    /// Files that were written.
    pub files: u64,
    /// Half-moves of the main lines of wanted games, duplicates among them.
    pub plies: u64,
    /// Wanted games by result, duplicates among them.
    pub results: Results,
}

/// Games by result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// `1-0`
    pub white: u64,
    /// `0-1`
    pub black: u64,
    /// `1/2-1/2`
    pub drawn: u64,
    /// `*`
    pub open: u64,
}

/// What a job tells while it runs.
#[derive(Debug)]
pub enum News<'a> {
    /// Something odd.
    Note(&'a Note),
    /// So many games have been read.
    Progress(u64),
    /// So many wanted games have this value.
    Count(&'a str, u64),
}

/// A job that could not be done.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// A file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, #[source] io::Error),
    /// Games cannot be written.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    /// A file that would be written is there.
    #[error("{} is there already", .0.display())]
    There(PathBuf),
    /// A file cannot be written.
    #[error("{} cannot be written: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// More files than anyone can want.
    #[error("the games would go into more than {0} files")]
    Files(usize),
    /// Temporary files cannot be used.
    #[error("a temporary file in {} cannot be used: {error}", folder.display())]
    Temporary {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// A condition or an order needs moves, and they are not followed.
    #[error("{0} must follow the moves, so it cannot go with games that are not checked")]
    Unchecked(&'static str),
    /// A worker has ended.
    #[error("a thread that follows moves has ended")]
    Lost,
}

impl Job {
    /// Does it.
    pub fn run(
        &self,
        inputs: Vec<Input>,
        outputs: Outputs<'_>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<Summary, PgnError> {
        if !self.checked {
            if self.form != Form::Same {
                return Err(PgnError::Unchecked("a conversion"));
            }
            if self.conditions.need_moves() {
                return Err(PgnError::Unchecked("a condition on moves"));
            }
            if self.task.needs_moves() {
                return Err(PgnError::Unchecked("this"));
            }
        }
        task::run(self, inputs, outputs, tell)
    }
}

impl Task {
    fn needs_moves(&self) -> bool {
        match self {
            Self::Check | Self::Dedupe(_) => true,
            Self::Sort(fields) => fields.iter().any(|field| field.field.needs_moves()),
            Self::Split(Spread::By(field), ..) | Self::Count(Some(field)) => field.needs_moves(),
            Self::Write | Self::Split(..) | Self::Count(None) => false,
        }
    }
}
