//! Backups that a server makes of its own file, at its start and by schedule.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_driver::date::now;

use crate::store::{self, StoreError};

/// The folder beside the file.
const FOLDER: &str = "backups";
const BEGIN: &str = "server-";
const END: &str = ".db";
/// After one that failed, if the next is not due sooner.
const AGAIN: Duration = Duration::from_hours(1);

/// The backups of one file.
#[derive(Debug, Clone)]
pub(crate) struct Backups {
    file: PathBuf,
    /// How many are kept.
    keep: usize,
    /// From one to the next.
    every: Duration,
}

/// The newest backup beside the file of a server; an error where the folder is there and
/// cannot be read.
pub fn newest(file: &Path) -> io::Result<Option<PathBuf>> {
    Ok(list(&folder_of(file))?.pop())
}

/// The folder of the backups of a server's file.
pub(crate) fn folder_of(file: &Path) -> PathBuf {
    file.with_file_name(FOLDER)
}

/// All backups in a folder, the oldest first: their names are their times.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !folder.is_symlink() => {
            return Ok(Vec::new());
        }
        entries => entries?,
    };
    // Other files may lie there too, copies that an operator has named among them.
    let is_time = |text: &str| {
        let known = |c: char| c.is_ascii_digit() || "-TZ".contains(c);
        text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(known)
    };
    let is_one = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.and_then(|name| name.strip_prefix(BEGIN)?.strip_suffix(END));
        name.is_some_and(is_time)
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if is_one(&path) && holds_bytes(&path)? {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Returns `true` if a file is there that is not empty.
fn holds_bytes(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(known) => Ok(known.is_file() && known.len() > 0),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Backups {
    pub(crate) const fn new(file: PathBuf, keep: usize, every: Duration) -> Self {
        Self { file, keep, every }
    }

    /// How long until the next one is due. A server that is started again and again does
    /// not push the old ones out.
    pub(crate) fn due_in(&self) -> Duration {
        // A folder that cannot be read is reported by the attempt to make one.
        let last = newest(&self.file).ok().flatten();
        let last = last.and_then(|path| fs::metadata(path).ok());
        let age = last.and_then(|known| known.modified().ok()?.elapsed().ok());
        age.map_or(Duration::ZERO, |age| self.every.saturating_sub(age))
    }

    /// How long to wait after one that could not be made.
    pub(crate) fn after_failure(&self) -> Duration {
        AGAIN.min(self.every)
    }

    /// Makes one and deletes those that are too many; gives back where it is.
    pub(crate) fn make(&self) -> Result<PathBuf, StoreError> {
        let folder = folder_of(&self.file);
        make_private(&folder).map_err(|error| StoreError::Sql {
            path: folder.clone(),
            detail: error.to_string(),
        })?;
        // Colons are not for file names everywhere.
        let time = now().to_string().replace(':', "-");
        let path = folder.join(format!("{BEGIN}{time}{END}"));
        store::backup(&self.file, &path)?;
        // The backup is made: old ones that cannot be listed now are deleted another time.
        let all = list(&folder).unwrap_or_default();
        for old in &all[..all.len().saturating_sub(self.keep)] {
            // The next one tries again.
            let _ = fs::remove_file(old);
        }
        Ok(path)
    }
}

fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("server.db");
        let (store, _) = store::Store::open(&file, |_| {}).expect("a store");
        let backups = Backups::new(file.clone(), 2, Duration::from_hours(24));
        assert_eq!(backups.due_in(), Duration::ZERO, "there is none yet");
        let old = folder_of(&file);
        fs::create_dir(&old).expect("a folder");
        let own = ["server-2020-01-01.db", "server-2021-01-01.db"];
        let others = ["mine.db", "server-before-upgrade.db", "server-1-my-copy.db"];
        for name in own.iter().chain(&others) {
            fs::write(old.join(name), "old").expect("a file");
        }
        fs::write(old.join("server-2022-01-01.db"), "").expect("a file");
        let made = backups.make().expect("a backup");
        assert_eq!(newest(&file).expect("a folder").as_ref(), Some(&made));
        let kept = list(&old).expect("a folder");
        assert_eq!(kept, [old.join("server-2021-01-01.db"), made]);
        assert!(
            others.iter().all(|name| old.join(name).exists()),
            "none of ours"
        );
        assert!(backups.due_in() > Duration::from_hours(23));
        store.close(&file).expect("all is written");
    }
}
