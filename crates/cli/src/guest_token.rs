//! What a server gave a guest to be known by, kept between two runs.
//!
//! A guest who leaves the terminal has a minute to come back to its game, and needs the
//! token for it. It is kept in a file that only its owner can read, one for each server
//! and name. While a program uses it the file is locked: a second terminal under the same
//! name is another guest, and does not take the game away from the first.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lend;

/// Tokens that were not used for so long are deleted; servers forget them much sooner.
const KEPT: Duration = Duration::from_hours(24);
/// The longest token that is read.
const LONGEST: u64 = 200;

/// The file of one guest at one server, locked.
#[derive(Debug)]
pub(crate) struct GuestToken {
    file: File,
}

impl GuestToken {
    /// The file of a guest. `None` if another program uses it, or it cannot be made: then
    /// the guest plays all the same, and cannot come back after it has left.
    pub(crate) fn of(server: &str, name: &str) -> Option<Self> {
        let folder = lend::data_folder()?.join("connect");
        make_private(&folder)?;
        delete_old(&folder);
        let path = folder.join(file_name(server, name));
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(path).ok()?;
        file.try_lock().ok()?;
        Some(Self { file })
    }

    /// The token that was written last.
    pub(crate) fn read(&self) -> Option<String> {
        let mut text = String::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0)).ok()?;
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        let token = text.trim();
        let plain = token.chars().all(|c| c.is_ascii_graphic());
        (!token.is_empty() && plain).then(|| token.to_owned())
    }

    /// Keeps a token. Without room on the disk the guest cannot come back, and that is all.
    pub(crate) fn write(&mut self, token: &str) {
        let _ = self
            .file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| writeln!(self.file, "{token}"));
    }
}

fn make_private(folder: &Path) -> Option<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder).ok()
}

/// Other characters than those of names and addresses are replaced, so that a file name
/// stays in its folder.
fn file_name(server: &str, name: &str) -> PathBuf {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') {
            c
        } else {
            '_'
        }
    };
    let server = server.split('#').next().unwrap_or_default();
    let text = format!("{server} {}", name.to_ascii_lowercase());
    text.chars().map(plain).take(200).collect::<String>().into()
}

fn delete_old(folder: &Path) {
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    for entry in files.flatten() {
        let changed = entry.metadata().and_then(|known| known.modified());
        let age = changed.ok().and_then(|at| at.elapsed().ok());
        let unused = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if age.is_some_and(|age| age > KEPT) && unused() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_stays_in_its_folder() {
        for (server, name) in [
            ("tcp://box:25565", "Ann"),
            ("tls://box:1#sha256:ab", "../../x"),
            ("tcp://[::1]:7", ""),
        ] {
            let file = file_name(server, name);
            assert_eq!(file.components().count(), 1, "{}", file.display());
            assert!(file.to_string_lossy().len() > 8);
        }
        assert_eq!(file_name("tcp://a:1", "ANN"), file_name("tcp://a:1", "ann"));
    }
}
