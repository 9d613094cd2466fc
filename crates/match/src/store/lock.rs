//! The process that runs an event: one at a time.
//!
//! The right to do so is the lock beside the store ([`FileLock`]). Who holds it is a note in
//! the store, which can be read on every system.

use std::io;
use std::path::Path;
use std::time::Duration;

use quadrille_store::{FileLock, LockError, NOT_REGULAR};
use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::read::Reader;

/// The process that runs an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// The number of the process.
    pub pid: u32,
    /// The name of the program.
    pub program: String,
    /// Since when, UTC.
    pub since: String,
}

impl Runner {
    /// The name of the note.
    pub(super) const KEY: &'static str = "runner";

    /// This process.
    pub(super) fn this(program: &str) -> Self {
        Self {
            pid: std::process::id(),
            program: program.into(),
            since: quadrille_driver::date::now().to_string(),
        }
    }

    /// The process that a store names; it need not be running.
    fn of(path: &Path) -> Option<Self> {
        let text = Reader::open(path).ok()?.note(Self::KEY).ok()??;
        serde_json::from_str(&text).ok()
    }
}

impl std::fmt::Display for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            pid,
            program,
            since,
        } = self;
        write!(f, "process {pid} ({program}, since {since})")
    }
}

/// Waits for the right to run an event, but not longer than this.
pub(super) fn acquire(store: &Path, patience: Duration) -> Result<FileLock, StoreError> {
    FileLock::acquire(store, patience).map_err(|error| match error {
        LockError::Held => StoreError::Busy {
            path: store.into(),
            runner: Runner::of(store),
        },
        LockError::NotRegular(path) => StoreError::io(&path, io::Error::other(NOT_REGULAR)),
        LockError::Create(error) => StoreError::no_room(store, error),
        LockError::System { path, error } => StoreError::io(&path, error),
    })
}
