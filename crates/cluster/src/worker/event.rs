//! What a worker tells its owner, and is told.

use serde::{Deserialize, Serialize};

/// What a worker tells its owner. As JSON each is an object whose `event` names
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum WorkerEvent {
    /// It has proved its engines and listens.
    Ready {
        /// Its name.
        name: String,
        /// Games at once.
        capacity: usize,
        /// Nodes a second.
        nps: u64,
        /// Its engines, and what each proved to be.
        engines: Vec<(String, String)>,
    },
    /// Its speed was measured again, and is another one.
    Speed {
        /// Nodes a second before.
        before: u64,
        /// Nodes a second now.
        nps: u64,
    },
    /// Something is not as it should be; the worker plays all the same.
    Warning {
        /// What it is.
        reason: String,
    },
    /// It plays for an event.
    Serves {
        /// What the event is called.
        title: String,
    },
    /// It does not.
    Refused {
        /// What the event is called.
        title: String,
        /// Why.
        reason: String,
    },
    /// A game begins.
    GameStart {
        /// What the event is called.
        title: String,
        /// Its number there.
        game: u64,
        /// The game that it checks, if it is a check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checks: Option<u64>,
    },
    /// A game is over and its result on the way.
    GameEnd {
        /// What the event is called.
        title: String,
        /// Its number there.
        game: u64,
        /// The game that it checks, if it is a check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checks: Option<u64>,
        /// What became of it.
        result: String,
    },
    /// A game is over, and its result cannot be sent; it is tried again.
    Waits {
        /// What the event is called.
        title: String,
        /// Its number there.
        game: u64,
        /// The game that it checks, if it is a check.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checks: Option<u64>,
        /// Why.
        reason: String,
    },
    /// An event is over, or takes nothing more from this worker.
    Leaves {
        /// What the event is called.
        title: String,
        /// Why.
        reason: String,
    },
}

/// How far a worker is asked to stop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// It goes on.
    #[default]
    No,
    /// It takes no new job.
    AfterGames,
    /// It gives its jobs back at once.
    Now,
}
