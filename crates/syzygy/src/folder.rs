//! Tables in folders.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::OpenError;
use crate::store::Source;
use crate::tables::{Tables, read_name};

/// Files that are kept open at a time, by all sets together. Those beyond are
/// opened for every read: slower, but a process has only so many to give.
const KEPT_OPEN: usize = 128;

static OPEN: AtomicUsize = AtomicUsize::new(0);

impl Tables {
    /// Adds the tables of a folder, and gives their number. Files with other names
    /// are passed over; a file with the name of a table that is none is an error.
    pub fn add_folder(&mut self, folder: &Path) -> Result<usize, OpenError> {
        let failed = |error: io::Error| OpenError::Folder(folder.into(), error.to_string());
        let mut added = 0;
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let Some(Ok((material, kind))) = name.map(read_name) else {
                continue;
            };
            let source = Arc::new(TableFile::new(path.clone()));
            self.add(material, kind, &path, source)?;
            added += 1;
        }
        Ok(added)
    }

    /// Opens the tables of several folders.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Self, OpenError> {
        let mut tables = Self::new();
        for folder in folders {
            tables.add_folder(folder.as_ref())?;
        }
        Ok(tables)
    }
}

/// A file that is opened for every read, or once if many are to come.
struct TableFile {
    path: PathBuf,
    kept: OnceLock<Kept>,
}

/// An open file that counts.
struct Kept(File);

impl Drop for Kept {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

impl TableFile {
    fn new(path: PathBuf) -> Self {
        let kept = OnceLock::new();
        Self { path, kept }
    }

    /// Opens the file. A pipe of that name would make us wait for ever.
    fn open(&self) -> io::Result<File> {
        self.size()?;
        File::open(&self.path)
    }
}

impl Source for TableFile {
    fn size(&self) -> io::Result<u64> {
        let about = fs::metadata(&self.path)?;
        if !about.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        Ok(about.len())
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        match self.kept.get() {
            Some(kept) => read_exact_at(&kept.0, at, into),
            None => read_exact_at(&self.open()?, at, into),
        }
    }

    fn prepare(&self) {
        let order = Ordering::Relaxed;
        let more = |open| (open < KEPT_OPEN).then_some(open + 1);
        // Where threads would have to share the place at which a file is read,
        // each read has a file of its own.
        let can_share = cfg!(any(unix, windows));
        if can_share && OPEN.fetch_update(order, order, more).is_ok() {
            match self.open() {
                // A second one is dropped here, and no longer counts.
                Ok(file) => drop(self.kept.set(Kept(file))),
                Err(_) => drop(OPEN.fetch_sub(1, order)),
            }
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(into, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    let (mut at, mut into) = (at, into);
    while !into.is_empty() {
        match file.seek_read(into, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                at += count as u64;
                into = into.get_mut(count..).unwrap_or(&mut []);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(into)
}
