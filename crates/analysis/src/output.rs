//! A file that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use quadrille_driver::files::{emptied, open_alone};

/// A file that is written beside its place and put there when it is whole. What
/// was there before stays until then, and for ever if the writer is killed.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    beside: PathBuf,
    file: Option<BufWriter<File>>,
}

impl OutputFile {
    /// Begins a file.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Through a link to where the file is, so that the link stays one.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        if path.exists() && !path.is_file() {
            let message = "it is no file, and would be replaced by one";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let mut beside = path.clone().into_os_string();
        beside.push(".part");
        let beside = PathBuf::from(beside);
        let file = Some(BufWriter::new(emptied(open_alone(&beside)?)?));
        Ok(Self { path, beside, file })
    }

    /// Puts it in its place.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(mut file) = self.file.take() {
            file.flush()?;
            file.get_ref().sync_all()?;
            // Another run may begin its own only when this one is in its place.
            fs::rename(&self.beside, &self.path)?;
        }
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // One that was not finished is of no use.
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Whether two names lead to one file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    quadrille_games::files::is_same(one, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.pgn");
        fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(OutputFile::create(folder.path()).is_err());
        assert!(same_file(&path, &folder.path().join("./out.pgn")));
        assert!(!same_file(&path, &folder.path().join("other")));
    }
}
