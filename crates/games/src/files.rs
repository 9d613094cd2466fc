//! Files that are read by name.

use std::fs::{self, File, FileType};
use std::io;
use std::path::Path;

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
