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
//!
//! Others may also cut the file, or put another in its place (`> games.pgn`, a program that
//! turns over logs). Before each write it is looked whether our last game still stands where
//! it was; if not, the games that are missing are written again from the store.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::output::OutputError;
use super::source::{Form, GameSource};
use crate::store::Store;
use quadrille_driver::files::open_to_write;
use quadrille_store::leads_to;

/// How often another event that writes just now is waited for, and how long.
const LOCK_TRIES: u32 = 1000;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// How much is written to a pipe at once: so much it takes whole, or not yet.
const PIECE: usize = 4096;

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
    /// The game that ends where the next one begins, if that one is ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
}

/// A text of ours, to be known again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Last {
    bytes: u64,
    crc32: u32,
}

impl Last {
    fn of(text: &[u8]) -> Self {
        Self {
            bytes: text.len() as u64,
            crc32: crc32fast::hash(text),
        }
    }
}

/// What a thread that writes has to tell while it runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Notices {
    texts: Arc<Mutex<Vec<String>>>,
    /// Grows as long as the thread gets on.
    pub(super) progress: Arc<AtomicU64>,
}

impl Notices {
    pub(super) fn push(&self, text: String) {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.push(text);
    }

    fn get_on(&self) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    /// All that was not told yet.
    pub(super) fn take(&self) -> Vec<String> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *texts)
    }
}

/// A file into which games go in the order of their numbers.
#[derive(Debug)]
pub(super) struct SharedFile {
    file: File,
    form: Form,
    mark: Mark,
    /// Devices and pipes take bytes, and that is all.
    regular: bool,
    notices: Notices,
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
        notices: Notices,
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
                last: None,
            },
            regular,
            notices,
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

    /// Opens the file anew if it was removed or replaced meanwhile, and looks whether what
    /// is there now was cut: what is not in it is written again.
    fn return_to_place(&mut self, source: &GameSource, store: &Store) -> Result<(), OutputError> {
        if !self.regular {
            return Ok(());
        }
        let replaced = !leads_to(&self.mark.path, &self.file);
        if replaced {
            self.file = open(&self.mark.path).map_err(|error| self.failed(error))?;
        }
        let known = self.mark.clone();
        self.locked(|shared| {
            if replaced || shared.is_cut()? {
                shared.begin(Some(known), true, source)?;
                shared.remember(store);
            }
            Ok(())
        })
    }

    /// Whether the file is shorter than we left it, or does not have our last game in its
    /// place any more.
    fn is_cut(&mut self) -> Result<bool, OutputError> {
        let (length, end) = (self.length()?, self.mark.end);
        if length < end {
            return Ok(true);
        }
        let Some(last) = self.mark.last else {
            return Ok(false);
        };
        // A text of ours is a few thousand bytes.
        let most = usize::try_from(last.bytes).unwrap_or(0);
        let there = self.look(end.saturating_sub(last.bytes), most)?;
        Ok(Last::of(&there) != last)
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
                if self.is_cut()? {
                    // It was removed or cut since: what is left of our games is
                    // looked for where they began.
                    self.mark.end = self.mark.start.min(length);
                    self.mark.start = self.mark.end;
                    self.mark.next = 1;
                    self.mark.ahead.clear();
                    self.mark.last = None;
                    let path = self.mark.path.display();
                    self.notices.push(format!(
                        "{path} was removed, cut or changed by another program: the games that are \
                         missing in it are written again from the store"
                    ));
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
        let (mut next, mut end, mut last) = (self.mark.next, self.mark.end, self.mark.last);
        for number in source.finished(self.mark.next)? {
            self.notices.get_on();
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
                last = Some(Last::of(text.as_bytes()));
            }
        }
        if place == length {
            if length > end {
                self.cut(end)?;
            }
            self.mark.end = end;
            self.mark.next = next;
            self.mark.last = last;
        } else {
            self.mark.end = length;
            self.mark.last = None;
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
            self.mark.last = Some(Last::of(text.as_bytes()));
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
            self.notices.get_on();
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
            for piece in text.as_bytes().chunks(PIECE) {
                let written = self.file.write_all(piece);
                written.map_err(|error| self.failed(error))?;
                self.notices.get_on();
            }
            return Ok(());
        }
        self.notices.get_on();
        self.locked(|shared| {
            shared.end_line()?;
            let length = shared.length()?;
            if length != shared.mark.end {
                // Others have written. The new place must be known before
                // anything of ours stands there.
                shared.mark.end = length;
                shared.mark.last = None;
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
