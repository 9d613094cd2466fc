//! Faults of a file, sorted by what a user can do about them.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode};

use crate::files::{NOT_REGULAR, unfinished};
use crate::lock::lock_holder;

/// The reason why a file cannot be opened, read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Fault {
    /// The sort of fault.
    pub kind: FaultKind,
    /// The words of `SQLite` or of the system.
    pub detail: String,
    /// Set if the machine is at fault and may be better later: the same transaction
    /// can succeed then.
    pub is_passing: bool,
}

/// The sort of a [`Fault`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// Something beside the file that belongs to a store and is not a regular file.
    NotRegular(PathBuf),
    /// The file is not a database.
    NotADatabase,
    /// The disk is full, or the file may not grow.
    Full,
    /// The file may only be read.
    ReadOnly {
        /// Files without which it is not whole: those of a process that was killed.
        unfinished: Vec<PathBuf>,
    },
    /// Another program has a transaction open in the file.
    Locked {
        /// That program, as far as it is known.
        by: String,
    },
    /// `SQLite` finds the file damaged.
    Damaged,
    /// The file was moved, removed or replaced while it was written.
    Renamed,
    /// Anything else.
    Other,
}

impl Fault {
    /// Sorts an error of a connection.
    pub fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let mut detail = error.to_string();
        let kind = match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => FaultKind::NotADatabase,
            Some(ErrorCode::DiskFull) => {
                detail = "the disk is full".into();
                FaultKind::Full
            }
            Some(ErrorCode::ReadOnly) => FaultKind::ReadOnly {
                unfinished: unfinished(path),
            },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FaultKind::Locked {
                by: lock_holder(path),
            },
            Some(ErrorCode::DatabaseCorrupt) => FaultKind::Damaged,
            _ => FaultKind::Other,
        };
        Self {
            kind,
            detail,
            is_passing: may_pass(error),
        }
    }

    /// Sorts an error of a connection that writes, which knows what the system said.
    pub fn of_writing(path: &Path, connection: &Connection, error: &rusqlite::Error) -> Self {
        let fault = Self::of(path, error);
        match (error.sqlite_error_code(), system_error(connection)) {
            (Some(ErrorCode::SystemIoFailure), Some(reason)) => Self {
                kind: FaultKind::Full,
                detail: reason.to_string(),
                ..fault
            },
            _ => fault,
        }
    }

    /// Reports something beside a store that is not a regular file.
    pub(crate) fn not_regular(path: PathBuf) -> Self {
        Self {
            kind: FaultKind::NotRegular(path),
            detail: NOT_REGULAR.into(),
            is_passing: false,
        }
    }

    /// Reports a fault of the program itself on the thread that writes.
    pub(crate) fn panic() -> Self {
        Self {
            kind: FaultKind::Other,
            detail: "this program has a fault, please report it: the thread that writes has \
                     panicked"
                .into(),
            is_passing: false,
        }
    }

    /// Reports that a file has lost its name. It may be moved back.
    pub(crate) fn renamed() -> Self {
        Self {
            kind: FaultKind::Renamed,
            detail: "the file was moved, removed or replaced while it was in use".into(),
            is_passing: true,
        }
    }
}

/// Returns `true` if the machine is at fault, and may be better later.
pub(crate) fn may_pass(error: &rusqlite::Error) -> bool {
    use ErrorCode as Code;
    matches!(
        error.sqlite_error_code(),
        Some(
            Code::DiskFull
                | Code::SystemIoFailure
                | Code::DatabaseBusy
                | Code::DatabaseLocked
                | Code::OutOfMemory
                | Code::ReadOnly
                | Code::CannotOpen
        )
    )
}

/// Returns what the operating system said about the last failure of a connection.
fn system_error(connection: &Connection) -> Option<io::Error> {
    // SAFETY: the handle is that of an open connection, which we hold.
    let code = unsafe { rusqlite::ffi::sqlite3_system_errno(connection.handle()) };
    (code != 0).then(|| io::Error::from_raw_os_error(code))
}
