//! Files that are written: games in blocks, and whole files under a temporary name.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use quadrille_games::Position;

use crate::file::{BLOCK, FileError, Games, Header, MAGIC, Played, must_be_regular};

/// Opens a file to write to and locks it before anything in it is read.
fn locked(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    must_be_regular(path)?;
    let io = |source| FileError::io(path, source);
    let file = options.read(true).write(true).open(path).map_err(io)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(FileError::Busy { path: path.into() }),
        // Some network drives know no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// A file of games that grows by whole blocks.
#[derive(Debug)]
pub(crate) struct Writer {
    path: PathBuf,
    file: File,
    /// Start of the next block.
    end: u64,
    block: Vec<u8>,
}

impl Writer {
    /// A new file; an existing one is not touched.
    pub(crate) fn create(path: &Path, header: &Header) -> Result<Self, FileError> {
        let file = locked(path, OpenOptions::new().create_new(true))?;
        let mut writer = Self::of(path, file);
        writer.write(&begin_of(header))?;
        Ok(writer)
    }

    /// A new file, or one that exists with its games, which must be read to their
    /// end and given to [`Self::go_on`].
    pub(crate) fn open(path: &Path, header: &Header) -> Result<(Self, Option<Games>), FileError> {
        let io = |source| FileError::io(path, source);
        let mut file = locked(path, OpenOptions::new().create(true).truncate(false))?;
        let begin = begin_of(header);
        let mut there = Vec::new();
        let wanted = begin.len() as u64;
        let mut start = (&mut file).take(wanted);
        start.read_to_end(&mut there).map_err(io)?;
        file.rewind().map_err(io)?;
        // A full disk may have left less than a header.
        if there.len() < begin.len() && begin.starts_with(&there) {
            let mut writer = Self::of(path, file);
            writer.write(&begin)?;
            return Ok((writer, None));
        }
        // A handle of its own would be locked out on Windows.
        let games = Games::of(path, file.try_clone().map_err(io)?)?;
        Ok((Self::of(path, file), Some(games)))
    }

    /// Goes on behind the whole blocks; what lies behind them is cut off.
    pub(crate) fn go_on(&mut self, games: &Games) -> Result<(), FileError> {
        self.end = games.whole_bytes();
        self.cut()
            .map_err(|source| FileError::io(&self.path, source))
    }

    fn of(path: &Path, file: File) -> Self {
        let path = path.into();
        Self {
            path,
            file,
            end: 0,
            block: Vec::new(),
        }
    }

    /// Adds a game; whole blocks go to the file.
    pub(crate) fn add<P: Position>(&mut self, game: &Played<P>) -> Result<(), FileError> {
        game.write(&mut self.block);
        self.flush_if_full()
    }

    /// Adds the bytes of a game.
    pub(crate) fn add_bytes(&mut self, game: &[u8]) -> Result<(), FileError> {
        self.block.extend_from_slice(game);
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> Result<(), FileError> {
        if self.block.len() >= BLOCK {
            self.flush()?;
        }
        Ok(())
    }

    /// Makes a block of what has gathered.
    pub(crate) fn flush(&mut self) -> Result<(), FileError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let bytes = framed(&self.block);
        self.block.clear();
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        if let Err(source) = self.file.write_all(bytes) {
            // Other threads may still write: never behind half a block.
            let _ = self.cut();
            return Err(FileError::io(&self.path, source));
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }
}

fn begin_of(header: &Header) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&framed(header.text().as_bytes()));
    bytes
}

fn framed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = (payload.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
    bytes.extend_from_slice(payload);
    bytes
}

/// A file that has another name, with `.part` behind it, until it is whole. One that
/// is given up is removed.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    /// Begins a file that is none of those that are read.
    pub fn create<I: AsRef<Path>>(path: &Path, inputs: &[I]) -> Result<Self, FileError> {
        must_be_regular(path)?;
        if let Ok(there) = fs::canonicalize(path)
            && inputs
                .iter()
                .any(|input| fs::canonicalize(input).is_ok_and(|input| input == there))
        {
            return Err(FileError::Input { path: path.into() });
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        // What a killed process left is begun anew.
        let file = locked(&part, OpenOptions::new().create(true).truncate(false))?;
        file.set_len(0)
            .map_err(|source| FileError::io(&part, source))?;
        Ok(Self {
            path: path.into(),
            part,
            file: BufWriter::new(file),
        })
    }

    /// Adds some bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| FileError::io(&self.path, source))
    }

    /// Gives the files their names, once all of them are whole.
    pub fn keep<const N: usize>(mut outputs: [Self; N]) -> Result<(), FileError> {
        for output in &mut outputs {
            let flushed = output.file.flush();
            flushed.map_err(|source| FileError::io(&output.path, source))?;
        }
        for output in &outputs {
            fs::rename(&output.part, &output.path)
                .map_err(|source| FileError::io(&output.path, source))?;
        }
        Ok(())
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // Where it was kept there is nothing of that name.
        let _ = fs::remove_file(&self.part);
    }
}
