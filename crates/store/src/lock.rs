//! The lock of a file that one process at a time may write.
//!
//! It is a lock on a file beside the store, `<store>-lock`, which goes away with its
//! holder. Not on the store itself: closing a second handle of that would take away
//! `SQLite`'s own locks. A note of the holder belongs into the store, which can be read
//! on every system: a locked file can not.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::files::{beside, is_not_regular, leads_to};

/// The time between two attempts. A process that is being started holds the locks of the
/// one that starts it for a moment, and one that ends may still be writing.
const PAUSE: Duration = Duration::from_millis(5);

/// The reason why a lock cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("another process uses this file")]
    Held,
    /// There is something in the place of the lock file that is not a regular file.
    #[error("{path}: {text}", path = .0.display(), text = crate::files::NOT_REGULAR)]
    NotRegular(PathBuf),
    /// The lock file cannot be made.
    #[error("{0}")]
    Create(io::Error),
    /// The system cannot lock it.
    #[error("{path}: {error}", path = .path.display())]
    System {
        /// The lock file.
        path: PathBuf,
        /// The words of the system.
        error: io::Error,
    },
}

/// The right to write a file. Dropping it removes the lock file.
#[derive(Debug)]
pub struct FileLock {
    /// `None` once it was let go.
    file: Option<File>,
    path: PathBuf,
}

impl FileLock {
    /// Waits for the lock of a store, but not longer than this.
    pub fn acquire(store: &Path, patience: Duration) -> Result<Self, LockError> {
        let path = beside(store, "-lock");
        let begun = Instant::now();
        if is_not_regular(&path) {
            return Err(LockError::NotRegular(path));
        }
        loop {
            let mut options = File::options();
            let options = options.create(true).truncate(false).write(true);
            let file = options.open(&path).map_err(LockError::Create)?;
            match file.try_lock() {
                // A holder removes its file before it lets go: what we have locked may
                // be a file that is not there any more.
                Ok(()) if leads_to(&path, &file) => {
                    let file = Some(file);
                    return Ok(Self { file, path });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if begun.elapsed() < patience => {
                    drop(file);
                    thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(LockError::Held),
                Err(TryLockError::Error(error)) => return Err(LockError::System { path, error }),
            }
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // First the name, then the lock: a file that is gone is no use to the next
        // one, which makes its own.
        let _ = fs::remove_file(&self.path);
        self.file = None;
    }
}

/// Names the program that keeps a store locked for writing.
pub fn lock_holder(store: &Path) -> String {
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

/// Lists the processes that hold a lock for writing on one of these files, from the
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
