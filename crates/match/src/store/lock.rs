//! Who may run an event: one process at a time.
//!
//! The right to do so is a lock on a file beside the store, `<store>-lock`, which
//! goes away with its holder. Not on the store itself: closing a second handle of
//! that would take away `SQLite`'s own locks. Who holds it is a note in the
//! store, which can be read on every system.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::read::Reader;
use super::recovery::{ODD, beside, is_odd};
use quadrille_driver::files::leads_to;

/// How long a lock is asked for again, and how often. A process that is being
/// started holds the locks of the one that starts it for a moment, and one that
/// ends may still be writing.
const PAUSE: Duration = Duration::from_millis(5);

/// The process that runs an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// Its number.
    pub pid: u32,
    /// What it is.
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

/// The right to run an event. Dropping it takes its file away.
#[derive(Debug)]
pub(super) struct RunLock {
    /// `None` once it was let go.
    file: Option<File>,
    path: PathBuf,
}

impl RunLock {
    /// Waits for the right to run an event, but not longer than this.
    pub(super) fn take(store: &Path, patience: Duration) -> Result<Self, StoreError> {
        let path = beside(store, "-lock");
        let begun = Instant::now();
        if is_odd(&path) {
            return Err(StoreError::io(&path, io::Error::other(ODD)));
        }
        loop {
            let mut options = File::options();
            let file = options
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(|error| StoreError::no_room(store, error))?;
            match file.try_lock() {
                // A holder takes its file away before it lets go: what we have
                // locked may be a file that is not there any more.
                Ok(()) if leads_to(&path, &file) => {
                    let file = Some(file);
                    return Ok(Self { file, path });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {
                    drop(file);
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(StoreError::Busy {
                        path: store.into(),
                        runner: Runner::of(store),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::io(&path, error)),
            }
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // First the name, then the lock: a file that is gone is no use to the
        // next one, which makes its own.
        let _ = fs::remove_file(&self.path);
        self.file = None;
    }
}

/// The program that keeps a store locked for writing, in words.
pub(super) fn holder(store: &Path) -> String {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        let named = |end: &str| fs::metadata(beside(store, end)).map(|known| known.ino());
        // With a write-ahead log the locks are on its index.
        let files: Vec<u64> = ["", "-shm"].into_iter().flat_map(named).collect();
        let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
        let this = std::process::id();
        let other = writers(&locks, &files).find(|pid| *pid != this);
        if let Some(pid) = other {
            let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
            return format!("process {pid} ({})", name.trim());
        }
    }
    let _ = store;
    "another program".into()
}

/// The processes that hold a lock for writing on one of these files, from the
/// kernel's table: `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 120 120`.
#[cfg(target_os = "linux")]
fn writers(locks: &str, inodes: &[u64]) -> impl Iterator<Item = u32> {
    locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "WRITE")?;
        let pid = words.get(at + 1)?.parse().ok()?;
        let inode = words.get(at + 2)?.rsplit(':').next()?.parse().ok()?;
        inodes.contains(&inode).then_some(pid)
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_locks_is_read() {
        let table = "1: POSIX  ADVISORY  READ 10 08:01:77 128 128\n\
             1: -> POSIX  ADVISORY  WRITE 11 08:01:77 120 120\n\
             2: FLOCK  ADVISORY  WRITE 12 00:2f:78 0 EOF\n\
             3: OFDLCK ADVISORY  WRITE -1 08:01:77 0 EOF\nodd\n";
        assert_eq!(writers(table, &[77]).collect::<Vec<_>>(), [11]);
        assert_eq!(writers(table, &[1, 78]).collect::<Vec<_>>(), [12]);
        assert_eq!(writers(table, &[]).count(), 0);
    }
}
