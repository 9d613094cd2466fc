//! Files that come through pipes. They are read in one pass.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use quadrille_analysis::same_file;
use quadrille_net::sanitize::one_line;

/// A writer that has not come for so long is mentioned: its absence looks like a program that
/// hangs.
const NOTICE: Duration = Duration::from_secs(1);

/// Opens a file. A pipe without a writer is waited for, as every reader of pipes does, and
/// standard error says so.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !is_pipe(path) {
        return File::open(path);
    }
    let (sender, opened) = channel();
    let owned = path.to_owned();
    std::thread::Builder::new()
        .name("pipe".into())
        .spawn(move || sender.send(File::open(owned)))?;
    match opened.recv_timeout(NOTICE) {
        Ok(file) => return file,
        Err(RecvTimeoutError::Disconnected) => {}
        Err(RecvTimeoutError::Timeout) => {
            let name = path.display().to_string();
            let text = format!(
                "{}: waiting for a program that writes to this pipe",
                one_line(&name)
            );
            // Without a reader of messages there is nothing to say.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
    let gone = || Err(io::Error::other("the thread that opens it has ended"));
    opened.recv().unwrap_or_else(|_| gone())
}

/// Whether two names lead to one pipe: each of its bytes is read by one of two readers.
pub(super) fn is_one_pipe(one: &Path, other: &Path) -> bool {
    is_pipe(one) && same_file(one, other)
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|known| known.file_type().is_fifo())
}

/// Elsewhere pipes have no place among files.
#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}
