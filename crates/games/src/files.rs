//! Files that are read by name, and files under several names.

use std::fs::{self, File, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// Opens a file to read it. What is no file is refused: to open a pipe is to wait
/// for its writer, perhaps for ever.
pub fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() {
        return File::open(path);
    }
    let message = format!("it is {}, and a file is needed", words(kind));
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// The same for what is read once from front to back: there a pipe is welcome if a
/// shell made it, as in `quadrille elo <(xz -dc games.pgn.xz)`, which has a writer.
pub fn open_stream(path: &Path) -> io::Result<File> {
    if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") {
        File::open(path)
    } else {
        open(path)
    }
}

/// Identity of a file under all its names.
#[derive(Debug, PartialEq, Eq)]
pub enum Identity {
    /// One that is there, through links of all kinds.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Its folder without links, and its name there.
    Path(PathBuf),
}

/// Returns the identity of a file, which need not be there yet.
pub fn identity(path: &Path) -> io::Result<Identity> {
    #[cfg(unix)]
    if let Ok(known) = fs::metadata(path) {
        use std::os::unix::fs::MetadataExt;
        return Ok(Identity::Inode(known.dev(), known.ino()));
    }
    if let Ok(whole) = fs::canonicalize(path) {
        return Ok(Identity::Path(whole));
    }
    let whole = std::path::absolute(path)?;
    // A link that leads to where nothing is yet: the file will be made there.
    if let Ok(target) = fs::read_link(&whole) {
        let target = whole.parent().unwrap_or(&whole).join(target);
        if target != whole && fs::read_link(&target).is_err() {
            return identity(&target);
        }
    }
    let folder = whole.parent().and_then(|f| fs::canonicalize(f).ok());
    Ok(Identity::Path(match (folder, whole.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => whole,
    }))
}

/// Whether two paths lead to one file, which need not be there yet.
pub fn is_same(one: &Path, other: &Path) -> bool {
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

/// Devices such as `/dev/null` may be named as often as one likes.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| !known.is_file())
}

fn words(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    "a device"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_named() {
        assert!(open(Path::new(file!())).is_ok() || open(Path::new("Cargo.toml")).is_ok());
        let error = open(Path::new(".")).unwrap_err();
        assert_eq!(error.to_string(), "it is a folder, and a file is needed");
        #[cfg(unix)]
        {
            let error = open(Path::new("/dev/null")).unwrap_err();
            assert_eq!(error.to_string(), "it is a device, and a file is needed");
        }
        let missing = open(Path::new("no such file")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }
}
