//! A file of games that is not ours alone.
//!
//! Two events may write into one file, and a user may keep other games there.
//! So every write happens under a lock, behind everything that is there, and
//! bytes are taken away again only where they are known to be ours: because
//! they are letter by letter what the store says, and nothing stands behind them.
//!
//! What the store remembers is a [`Mark`]: all games below a number are in the
//! file, and the next one of ours stands at an offset or further on, if it is
//! there at all. The mark is safe in the store before a game is written to
//! another place than it says. So whatever moment the process is killed at,
//! what it had begun to write is found again.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::output::OutputError;
use super::source::{Form, GameSource};
use crate::files::{leads_to, open_to_write};
use crate::store::Store;

/// How often another event that writes just now is waited for, and how long.
const LOCK_TRIES: u32 = 1000;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// How far a file has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    path: PathBuf,
    /// Where the file ended when the event began to write.
    start: u64,
    /// From here on stands the next game, if it is there.
    end: u64,
    /// The number of the next game; those before it are in the file.
    next: u64,
    /// Games behind the next one that are in the file already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ahead: Vec<u64>,
}

/// A file into which games go in the order of their numbers.
#[derive(Debug)]
pub(super) struct SharedFile {
    file: File,
    form: Form,
    mark: Mark,
    /// Devices and pipes take bytes, and that is all.
    regular: bool,
}

/// Windows has no way to cut a file that was opened to append.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true);
    open_to_write(path, options.append(cfg!(unix)))
}

impl SharedFile {
    /// Opens a file and finds out what of ours is in it. `append` says whether
    /// an event that begins leaves alone what is there.
    pub(super) fn open(
        path: &Path,
        append: bool,
        form: Form,
        source: &GameSource,
    ) -> Result<Self, OutputError> {
        let failed = |error| OutputError::io(path, error);
        let file = open(path).map_err(failed)?;
        let regular = file.metadata().map_err(failed)?.is_file();
        let place = path.canonicalize().or_else(|_| std::path::absolute(path));
        let mut shared = Self {
            file,
            form,
            mark: Mark {
                path: place.map_err(failed)?,
                start: 0,
                end: 0,
                next: 1,
                ahead: Vec::new(),
            },
            regular,
        };
        if regular {
            let known = source.reader().note(form.key())?;
            let known = known.and_then(|text| serde_json::from_str::<Mark>(&text).ok());
            let same = |mark: &Mark| {
                let path = mark.path.canonicalize();
                path.as_ref().unwrap_or(&mark.path) == &shared.mark.path
            };
            let known = known.filter(same);
            shared.locked(|shared| shared.begin(known, append, source))?;
        }
        Ok(shared)
    }

    /// Opens the file anew if it was removed or replaced meanwhile: what is not
    /// in the one that is there now is written again.
    fn return_to_place(&mut self, source: &GameSource, store: &Store) -> Result<(), OutputError> {
        if !self.regular || leads_to(&self.mark.path, &self.file) {
            return Ok(());
        }
        self.file = open(&self.mark.path).map_err(|error| self.failed(error))?;
        let known = Some(self.mark.clone());
        self.locked(|shared| shared.begin(known, true, source))?;
        self.remember(store);
        Ok(())
    }

    fn begin(
        &mut self,
        known: Option<Mark>,
        append: bool,
        source: &GameSource,
    ) -> Result<(), OutputError> {
        let length = self.length()?;
        match known {
            Some(mark) => {
                self.mark = Mark {
                    path: self.mark.path.clone(),
                    ..mark
                };
                if length < self.mark.end {
                    // It was removed or cut since: what is left of our games is
                    // looked for where they began.
                    self.mark.end = self.mark.start.min(length);
                    self.mark.start = self.mark.end;
                    self.mark.next = 1;
                    self.mark.ahead.clear();
                }
                self.settle(length, source)
            }
            None => {
                if !append {
                    self.cut(0)?;
                }
                self.mark.start = if append { length } else { 0 };
                self.mark.end = self.mark.start;
                Ok(())
            }
        }
    }

    /// Looks for our games behind the mark. If nothing but ours stands there,
    /// what is not in its place is taken away, to be written again in order;
    /// otherwise all of it stays.
    fn settle(&mut self, length: u64, source: &GameSource) -> Result<(), OutputError> {
        let mut place = self.mark.end;
        let mut found = Vec::new();
        // Where the games end that stand in their places.
        let (mut next, mut end) = (self.mark.next, self.mark.end);
        for number in source.finished(self.mark.next)? {
            if self.mark.ahead.contains(&number) {
                continue;
            }
            let Some(text) = source.text(number, self.form)? else {
                continue;
            };
            let there = self.look(place, text.len())?;
            if !text.as_bytes().starts_with(&there) {
                break;
            }
            place += there.len() as u64;
            if there.len() < text.len() {
                // Cut short, or not there: the file ends here.
                break;
            }
            found.push(number);
            if number == next {
                (next, end) = (next + 1, place);
            }
        }
        if place == length {
            if length > end {
                self.cut(end)?;
            }
            self.mark.end = end;
            self.mark.next = next;
        } else {
            self.mark.end = length;
            self.mark.ahead.extend(found);
        }
        self.skip_ahead();
        Ok(())
    }

    /// Goes past games that are in the file already.
    fn skip_ahead(&mut self) {
        while let Some(index) = self.mark.ahead.iter().position(|n| *n == self.mark.next) {
            self.mark.ahead.swap_remove(index);
            self.mark.next += 1;
        }
    }

    /// Leaves the mark in the store.
    pub(super) fn remember(&self, store: &Store) {
        if self.regular {
            // Paths and numbers always have a text.
            let text = serde_json::to_string(&self.mark).unwrap_or_default();
            store.note(self.form.key(), text);
        }
    }

    /// Writes the games whose turn has come.
    pub(super) fn advance(
        &mut self,
        source: &GameSource,
        store: &Store,
    ) -> Result<(), OutputError> {
        self.return_to_place(source, store)?;
        while let Some(text) = source.text(self.mark.next, self.form)? {
            self.write(&text, store)?;
            self.mark.end += text.len() as u64;
            self.mark.next += 1;
            self.skip_ahead();
            self.remember(store);
        }
        Ok(())
    }

    /// At the end, games that waited for one that was never finished. They are
    /// not in their places: a resumed event puts them there.
    pub(super) fn tail(&mut self, source: &GameSource, store: &Store) -> Result<(), OutputError> {
        let mut rest = String::new();
        for number in source.finished(self.mark.next)? {
            if !self.mark.ahead.contains(&number) {
                rest += &source.text(number, self.form)?.unwrap_or_default();
            }
        }
        if rest.is_empty() {
            return Ok(());
        }
        self.write(&rest, store)
    }

    /// Writes behind everything that is there. The mark is left at the place.
    fn write(&mut self, text: &str, store: &Store) -> Result<(), OutputError> {
        if !self.regular {
            let written = self.file.write_all(text.as_bytes());
            return written.map_err(|error| self.failed(error));
        }
        self.locked(|shared| {
            shared.end_line()?;
            let length = shared.length()?;
            if length != shared.mark.end {
                // Others have written. The new place must be known before
                // anything of ours stands there.
                shared.mark.end = length;
                shared.remember(store);
                if store.flushed().blocking_recv().is_err() {
                    let reason = store.failure().map_or_else(String::new, |f| f.to_string());
                    return Err(OutputError::Stopped(reason));
                }
            }
            let written = shared.put(text.as_bytes());
            if written.is_err() {
                // What is there of it is ours, and we hold the lock. If it
                // cannot be taken away now, a resume does it.
                let _ = shared.cut(length);
            }
            written
        })
    }

    /// Ends a line that another program has left open; a record wants an empty
    /// line before it.
    fn end_line(&mut self) -> Result<(), OutputError> {
        let length = self.length()?;
        let wanted: &[u8] = match self.form {
            Form::Pgn(_) => b"\n\n",
            Form::Epd => b"\n",
        };
        let from = length.saturating_sub(wanted.len() as u64);
        let last = self.look(from, wanted.len())?;
        if length == 0 || last.ends_with(wanted) {
            return Ok(());
        }
        let there = usize::from(last.ends_with(b"\n"));
        self.put(&wanted[there..])
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        let written = self.file.seek(SeekFrom::End(0));
        let written = written.and_then(|_| self.file.write_all(bytes));
        written.map_err(|error| self.failed(error))
    }

    /// The bytes at a place, at most so many.
    fn look(&mut self, place: u64, most: usize) -> Result<Vec<u8>, OutputError> {
        let mut bytes = Vec::new();
        let sought = self.file.seek(SeekFrom::Start(place));
        let read = sought.and_then(|_| {
            let mut file = (&self.file).take(most as u64);
            file.read_to_end(&mut bytes)
        });
        read.map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    fn length(&self) -> Result<u64, OutputError> {
        let known = self.file.metadata();
        known
            .map(|known| known.len())
            .map_err(|error| self.failed(error))
    }

    fn cut(&mut self, length: u64) -> Result<(), OutputError> {
        self.file
            .set_len(length)
            .map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> OutputError {
        OutputError::io(&self.mark.path, error)
    }

    /// Does something while no other event writes into the file.
    fn locked(
        &mut self,
        act: impl FnOnce(&mut Self) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let mut tries = LOCK_TRIES;
        loop {
            match self.file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries > 0 => {
                    tries -= 1;
                    thread::sleep(LOCK_PAUSE);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(OutputError::Locked(self.mark.path.clone()));
                }
                // Some network file systems know no locks.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return act(self);
                }
                Err(TryLockError::Error(error)) => return Err(self.failed(error)),
            }
        }
        let done = act(self);
        // Closing the file would let go of it too.
        let _ = self.file.unlock();
        done
    }
}
