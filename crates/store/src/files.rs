//! Names of a file and of those beside it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The ends of the names of what `SQLite` keeps beside a file.
pub const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// The error text for something that is in the place of a file and is not one.
pub const NOT_REGULAR: &str =
    "this is not a regular file, but has the name of one that belongs to a store: move it away";

/// Returns the name of a file beside a store, by its end.
pub fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Returns `true` if there is something of this name that is not a regular file.
pub fn is_not_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// Returns what stands beside a file without which it is not whole.
pub fn unfinished(path: &Path) -> Vec<PathBuf> {
    let ends = ["-journal", "-wal"].into_iter();
    let files = ends.map(|end| beside(path, end));
    files
        .filter(|file| fs::metadata(file).is_ok_and(|known| known.len() > 0))
        .collect()
}

/// Creates an empty file that only its owner can read. There must be none of the name.
pub fn create_private(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Returns `true` if a path still leads to an open file.
#[cfg(unix)]
pub fn leads_to(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = || -> io::Result<bool> {
        let (open, named) = (file.metadata()?, fs::metadata(path)?);
        Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
    };
    same().unwrap_or(false)
}

/// A name stays taken on Windows while its file is open.
#[cfg(not(unix))]
pub fn leads_to(path: &Path, _: &File) -> bool {
    path.exists()
}

/// Device and number of the file that a path leads to.
pub type FileId = (u64, u64);

/// Returns what a path leads to now, to be compared later without opening it.
pub fn file_id(path: &Path) -> Option<FileId> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path)
            .ok()
            .map(|known| (known.dev(), known.ino()))
    }
    #[cfg(not(unix))]
    {
        path.exists().then_some((0, 0))
    }
}
