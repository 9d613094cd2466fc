//! Opening files to write into them.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

/// Opens a file to write into that no other program writes meanwhile. What is in it
/// stays until [`emptied`].
pub fn open_alone(path: &Path) -> io::Result<File> {
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    // Not every place where files are kept knows locks. A file that is gone was put
    // elsewhere by the one who had it.
    let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !path.exists();
    if taken {
        let message = "another program is writing it";
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
    }
    Ok(file)
}

/// Takes out what was in a file before. Devices and pipes hold nothing.
pub fn emptied(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(file)
}

/// Opens a file to write into it, and nothing that may have a reader who does not
/// read.
pub fn open_file_to_write(path: &Path, options: &fs::OpenOptions) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|known| !known.is_file() && !is_null(path)) {
        return Err(io::Error::other("it is not a file"));
    }
    options.open(path)
}

/// What swallows everything.
fn is_null(path: &Path) -> bool {
    path == Path::new("/dev/null")
}

/// Opens a file to write into it, but does not wait for the reader of a pipe: that
/// may never come, and the match would not begin.
pub fn open_to_write(path: &Path, options: &fs::OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if fs::metadata(path).is_ok_and(|known| known.file_type().is_fifo()) {
            let mut at_once = File::options();
            // Only to write: who holds the other end as well is never told that the reader
            // has gone, and waits for itself once the pipe is full.
            at_once.write(true).custom_flags(libc::O_NONBLOCK);
            let pipe = at_once.open(path).map_err(|error| {
                if error.raw_os_error() == Some(libc::ENXIO) {
                    io::Error::new(error.kind(), "it is a pipe that no program reads")
                } else {
                    error
                }
            })?;
            waits_for_room(&pipe)?;
            return Ok(pipe);
        }
    }
    options.open(path)
}

/// Has writes wait for room again in what was opened without waiting.
#[cfg(unix)]
fn waits_for_room(pipe: &File) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let fd = pipe.as_raw_fd();
    // SAFETY: the descriptor is that of an open file, and both calls only read or set its
    // flags.
    let done = unsafe {
        match libc::fcntl(fd, libc::F_GETFL) {
            -1 => -1,
            flags => libc::fcntl(fd, libc::F_SETFL, flags & !libc::O_NONBLOCK),
        }
    };
    if done == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
