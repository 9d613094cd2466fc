//! Work for what stands around a desk: what a question needs of engines, jobs, events and
//! the library of a server.
//!
//! The desk has looked whether the page may ask; the result comes back through
//! [`Desk::answered`](crate::Desk::answered).

use quadrille_games::{AnyLine, Game};

use crate::wire::{
    EngineChange, EngineId, EventId, JobId, LibraryQuery, NewEngine, NewEvent, SearchLimits,
    StudyId,
};

/// Work, by what does it.
#[derive(Debug, Clone)]
pub enum Work {
    /// The engines.
    Engines(EngineWork),
    /// What takes long.
    Jobs(JobWork),
    /// Tournaments.
    Events(EventWork),
    /// The games.
    Library(LibraryWork),
}

/// Work for the engines.
#[derive(Debug, Clone)]
pub enum EngineWork {
    /// Start one, hear what it says, keep it.
    Add(NewEngine),
    /// End the handshake that this page has asked for.
    StopAdding,
    /// Change one.
    Change(EngineId, EngineChange),
    /// Stop one.
    Stop(EngineId),
}

/// Work for the list of jobs.
#[derive(Debug, Clone)]
pub enum JobWork {
    /// Begin a report.
    Report {
        /// About this study,
        study: Option<StudyId>,
        /// or about these games of the library.
        games: Vec<u32>,
        /// Who searches.
        engine: EngineId,
        /// Limits for each position.
        limits: SearchLimits,
    },
    /// Begin a check.
    Check {
        /// Of this engine.
        engine: EngineId,
        /// The game it plays.
        game: Game,
        /// Checks or groups of them; all where it is empty.
        only: Vec<String>,
        /// With those that take long.
        thorough: bool,
    },
    /// End one early.
    Cancel(JobId),
    /// Take one off the list.
    Forget(JobId),
}

/// Work for the events.
#[derive(Debug, Clone)]
pub enum EventWork {
    /// Begin one.
    Begin(Box<NewEvent>),
    /// Show the one of this store.
    Attach(String),
    /// Give one a command.
    Control(EventId, String),
    /// Take one off the list.
    Forget(EventId),
    /// Make a study of one of its games.
    Study(EventId, u32),
    /// Read all its games.
    Export(EventId),
}

/// Work for the library.
#[derive(Debug, Clone)]
pub enum LibraryWork {
    /// Take in the games of a text.
    Paste {
        /// The games.
        text: String,
        /// The game, where the text does not say.
        game: Option<Game>,
        /// The name of the file it is from.
        name: Option<String>,
    },
    /// Find games.
    Find(LibraryQuery),
    /// Make a study of a game.
    Open(u32),
    /// Read games.
    Export(Vec<u32>),
    /// Delete games.
    Delete(Vec<u32>),
    /// Bring deleted games back.
    Restore(Vec<u32>),
    /// Look up what was played at the end of a line.
    Explore(Box<AnyLine>),
}
