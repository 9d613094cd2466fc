//! What can be wrong with a file of an event.

use std::io;
use std::path::{Path, PathBuf};

/// A store that cannot be used, with its path and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A new event must not write over an old one.
    #[error(
        "{0}: there is something in this file already; continue it with --resume, or choose another file"
    )]
    Exists(PathBuf),
    /// Nothing to resume.
    #[error("{0}: there is no such file to resume")]
    Missing(PathBuf),
    /// Some other file.
    #[error("{0}: this is not the file of an event")]
    Foreign(PathBuf),
    /// Written by a newer program.
    #[error(
        "{path}: the file has format {found}, this program knows {known}; use the program that wrote it"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// `SQLite` finds it broken, or rows do not fit together.
    #[error("{path}: the file is damaged: {detail}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// Another process runs this event.
    #[error("{0}: another process is running this event")]
    Busy(PathBuf),
    /// The disk, or rights.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// `SQLite` could not do it.
    #[error("{path}: {detail}")]
    Sql {
        /// The file.
        path: PathBuf,
        /// What `SQLite` says.
        detail: String,
    },
    /// The thread that writes gave up before; this is its reason.
    #[error("{0}")]
    Stopped(String),
}

impl StoreError {
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io {
            path: path.into(),
            error,
        }
    }

    pub(super) fn damaged(path: &Path, detail: &impl ToString) -> Self {
        Self::Damaged {
            path: path.into(),
            detail: detail.to_string(),
        }
    }

    /// Sorts what `SQLite` says into what a user can do about it.
    pub(super) fn sql(path: &Path, error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let path = path.to_path_buf();
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::Foreign(path),
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged {
                path,
                detail: error.to_string(),
            },
            _ => Self::Sql {
                path,
                detail: error.to_string(),
            },
        }
    }
}
