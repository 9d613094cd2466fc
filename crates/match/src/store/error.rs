//! What can be wrong with a file of an event.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quadrille_games::files;
use quadrille_store::{Fault, FaultKind, beside, has_no_tables};

use super::lock::Runner;

/// A store that cannot be used, with its path and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A new event must not write over an old one.
    #[error(
        "{0}: there is something in this file already; continue it with --resume, or choose another file"
    )]
    Exists(PathBuf),
    /// Nothing to read, or to go on with.
    #[error("{0}: there is no such file")]
    Missing(PathBuf),
    /// Some other file.
    #[error("{path}: this is not the file of an event{}", what(.path))]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be made where it should be.
    #[error(
        "{path}: no file can be made in this folder: {error}; choose a folder that you may write to"
    )]
    NoRoom {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file that can be read, but not gone on with; or not even read, because what a
    /// killed process left beside it would have to be played back.
    #[error("{path}: the file may only be read; {}", copy_advice(.path, .unfinished))]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What belongs to it: a journal or a log of a process that was killed.
        unfinished: Vec<PathBuf>,
    },
    /// The disk is full, or the file may not grow.
    #[error(
        "{path}: nothing can be written any more: {detail}; all games that were finished before are \
         in the file: make room and go on with --resume {path}"
    )]
    Full {
        /// The file.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
    /// Not there any more while it is written.
    #[error(
        "{0}: this file was moved, removed or replaced while the match ran, and nothing can be kept any \
         more; move it back beside {name} and go on with --resume {0}; if it is gone, begin a new \
         match", name = beside(.0, "-wal").display()
    )]
    Gone(PathBuf),
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
    #[error("{path}: another process is running this event{}", by(.runner.as_ref()))]
    Busy {
        /// The file.
        path: PathBuf,
        /// Which.
        runner: Option<Runner>,
    },
    /// Another program has a transaction open in the file.
    #[error("{path}: the file is locked by {by}; when it lets go, go on with --resume {path}")]
    Locked {
        /// The file.
        path: PathBuf,
        /// Which program, as far as that is known.
        by: String,
    },
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

    /// No file can be made at a place; a file that is there cannot be opened.
    pub(super) fn no_room(path: &Path, error: io::Error) -> Self {
        let path = path.into();
        Self::NoRoom { path, error }
    }

    /// Turns what `SQLite` says into what a user can do about it.
    pub(super) fn sql(path: &Path, error: &rusqlite::Error) -> Self {
        Self::of(path, Fault::of(path, error))
    }

    /// Turns a fault of the file into what a user can do about it.
    pub(super) fn of(path: &Path, fault: Fault) -> Self {
        let (path, detail) = (path.to_path_buf(), fault.detail);
        match fault.kind {
            FaultKind::NotRegular(found) => Self::io(&found, io::Error::other(detail)),
            FaultKind::NotADatabase => Self::Foreign { path },
            FaultKind::Full => Self::Full { path, detail },
            FaultKind::ReadOnly { unfinished } => Self::ReadOnly { path, unfinished },
            FaultKind::Locked { by } => Self::Locked { path, by },
            FaultKind::Damaged => Self::Damaged { path, detail },
            FaultKind::Renamed => Self::Gone(path),
            FaultKind::Other => Self::Sql { path, detail },
        }
    }
}

fn copy_advice(path: &Path, unfinished: &[PathBuf]) -> String {
    if unfinished.is_empty() {
        return "copy it to where you may write, and resume it there".into();
    }
    let names: Vec<String> = unfinished.iter().map(|p| p.display().to_string()).collect();
    let names = names.join(" and ");
    format!(
        "a killed process left {names}, without which it is not whole: copy {} and {names} into one \
         folder where you may write, and resume it there",
        path.display()
    )
}

fn by(runner: Option<&Runner>) -> String {
    runner.map_or_else(String::new, |runner| format!(": {runner}"))
}

/// What a file seems to be that is not ours, and what to do with it. It has no
/// locks of ours, so that it can be opened and closed.
fn what(path: &Path) -> &'static str {
    let mut start = Vec::new();
    let read = files::open(path).and_then(|file| file.take(4096).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_database = start.starts_with(b"SQLite format 3\0");
    if read.is_err() {
        ""
    } else if start.is_empty() || is_database && has_no_tables(path) {
        ": it is empty (a match or a server that is killed before it begins leaves such a file); start \
         the match again under this name, or the server in this folder"
    } else if is_database {
        ", but a database of another program"
    } else if text.starts_with("[Event ") {
        ", but a record of games (PGN); to go on with a match name its store (FILE.db)"
    } else if text.contains("[[engine") {
        ", but a description of a match: use --config"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_store_is_named() {
        let error = |unfinished: &[&str]| {
            let unfinished = unfinished.iter().map(Into::into).collect();
            let path = "e.db".into();
            StoreError::ReadOnly { path, unfinished }.to_string()
        };
        assert_eq!(
            error(&[]),
            "e.db: the file may only be read; copy it to where you may write, and resume it there"
        );
        let said = error(&["e.db-journal", "e.db-wal"]);
        assert!(
            said.contains("copy e.db and e.db-journal and e.db-wal into one folder"),
            "{said}"
        );
    }
}
