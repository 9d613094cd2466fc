//! Files that an event must not mix up.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::config::MatchConfig;
use crate::spec::Address;
use crate::store::{BESIDE, beside};

/// Two things of an event that would share a file, one of which is written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{one} and {other} are the same file ({path}); name another file for one of them")]
pub struct SameFile {
    /// What is written into it.
    pub one: String,
    /// What else it is.
    pub other: String,
    /// The file.
    pub path: PathBuf,
}

/// What makes a file the same under every name it has.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// One that is there, through links of all kinds.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Its folder without links, and its name there.
    Path(PathBuf),
}

fn identity(path: &Path) -> io::Result<Identity> {
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

/// Opens a file to write into that no other program writes meanwhile. What is in it
/// stays until [`emptied`].
pub(crate) fn open_alone(path: &Path) -> io::Result<File> {
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
pub(crate) fn emptied(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(file)
}

/// Whether two paths lead to one file, which need not be there yet.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

/// Devices such as `/dev/null` may be named as often as one likes.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| !known.is_file())
}

/// Whether a path still leads to an open file.
#[cfg(unix)]
pub(crate) fn leads_to(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = || -> io::Result<bool> {
        let (open, named) = (file.metadata()?, fs::metadata(path)?);
        Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
    };
    same().unwrap_or(false)
}

/// A name stays taken on Windows while its file is open.
#[cfg(not(unix))]
pub(crate) fn leads_to(path: &Path, _: &File) -> bool {
    path.exists()
}

/// What a path leads to now, to be compared later without opening it.
pub fn place(path: &Path) -> Option<(u64, u64)> {
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

/// Refuses an event in which a file that is written is also the store, the
/// book, a program or another output, under whatever name.
pub(crate) fn keep_apart(config: &MatchConfig, store: &Path) -> Result<(), SameFile> {
    let mut written = vec![("the store".to_owned(), store.to_path_buf())];
    for end in BESIDE.into_iter().chain(["-lock"]) {
        written.push((format!("the store's {end} file"), beside(store, end)));
    }
    if let Some(pgn) = &config.pgn {
        written.push(("-pgnout".into(), pgn.file.clone()));
    }
    if let Some(epd) = &config.epd {
        written.push(("-epdout".into(), epd.file.clone()));
    }
    if let Some(log) = config.log.as_ref().and_then(|log| log.file.as_ref()) {
        written.push(("-log".into(), log.clone()));
    }
    // Two engines may share a file for their standard error.
    let mut errors: Vec<&PathBuf> = Vec::new();
    for path in config.engines.iter().filter_map(|e| e.spec.stderr.as_ref()) {
        if !errors.contains(&path) {
            errors.push(path);
            written.push(("stderr".into(), path.clone()));
        }
    }
    let mut read = Vec::new();
    if let Some(book) = &config.openings.file {
        read.push(("the file of -openings".to_owned(), book.clone()));
    }
    for entrant in &config.engines {
        if let Ok(Address::Program(program)) = entrant.spec.address() {
            read.push((format!("the program of '{}'", entrant.name()), program));
        }
    }
    let mut known: Vec<(String, Identity)> = Vec::new();
    let writes = written.len();
    for (index, (what, path)) in written.into_iter().chain(read).enumerate() {
        if is_device(&path) {
            continue;
        }
        let Ok(same) = identity(&path) else {
            continue;
        };
        if let Some((one, _)) = known.iter().find(|(_, known)| *known == same) {
            let (one, other) = (one.clone(), what);
            return Err(SameFile { one, other, path });
        }
        if index < writes {
            known.push((what, same));
        }
    }
    Ok(())
}

/// Opens a file to write into it, and nothing that may have a reader who does not
/// read.
pub(crate) fn open_file_to_write(path: &Path, options: &fs::OpenOptions) -> io::Result<File> {
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
pub(crate) fn open_to_write(path: &Path, options: &fs::OpenOptions) -> io::Result<File> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::from_flags;

    fn check(folder: &Path, words: &str) -> Result<(), String> {
        let words = words.replace('@', &folder.display().to_string());
        let two = "-engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=1";
        let words = format!("{two} {words}");
        let flags = from_flags(words.split_whitespace().map(Into::into)).unwrap();
        let store = folder.join("e.db");
        keep_apart(&flags.config, &store).map_err(|same| same.to_string())
    }

    #[test]
    fn a_file_is_known_under_all_its_names() {
        let folder = tempfile::TempDir::new().unwrap();
        let folder = folder.path();
        fs::create_dir(folder.join("sub")).unwrap();
        fs::write(folder.join("book.epd"), "x").unwrap();
        assert_eq!(check(folder, "-pgnout @/g.pgn -epdout @/g.epd"), Ok(()));
        assert_eq!(check(folder, "-pgnout /dev/null -epdout /dev/null"), Ok(()));
        let refused = |words: &str, one: &str, other: &str| {
            let said = check(folder, words).unwrap_err();
            let wanted = format!("{one} and {other} are the same file");
            assert!(said.starts_with(&wanted), "{words}: {said}");
        };
        refused("-pgnout @/e.db", "the store", "-pgnout");
        refused(
            "-pgnout @/sub/../e.db-wal",
            "the store's -wal file",
            "-pgnout",
        );
        refused("-pgnout @/g -epdout @/./sub/../g", "-pgnout", "-epdout");
        let book = "-openings file=@/book.epd";
        let said = "the file of -openings";
        refused(&format!("{book} -pgnout @/book.epd"), "-pgnout", said);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("book.epd", folder.join("link")).unwrap();
            std::os::unix::fs::symlink("later", folder.join("dangling")).unwrap();
            refused(&format!("{book} -epdout @/link"), "-epdout", said);
            refused("-pgnout @/dangling -epdout @/later", "-pgnout", "-epdout");
        }
        fs::hard_link(folder.join("book.epd"), folder.join("hard")).unwrap();
        #[cfg(unix)]
        refused(&format!("{book} -epdout @/hard"), "-epdout", said);
        let program = "-engine name=c cmd=@/book.epd -epdout @/book.epd";
        refused(program, "-epdout", "the program of 'c'");
    }
}
