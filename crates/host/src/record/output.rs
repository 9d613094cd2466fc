//! Files that grow with the event: every game once, in the order of numbers,
//! whatever happened in between.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;

use super::pgn::{PgnStyle, Unreadable};
use super::shared::SharedFile;
use super::source::{Form, GameSource, Heading};
use crate::store::{Store, StoreError};

/// A file of games or positions that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The disk, or rights.
    #[error("cannot write {path}: {error}{}", advice(.error))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another program does not let go of the file.
    #[error("cannot write {0}: another program keeps it locked")]
    Locked(PathBuf),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store has given up before; this is its reason.
    #[error("{0}")]
    Stopped(String),
    /// A game that cannot be set up.
    #[error("game {number} in the store: {detail}")]
    Damaged {
        /// Its number.
        number: u64,
        /// What is wrong.
        detail: String,
    },
    /// A game whose own moves do not fit.
    #[error("game {number} in the store: {error}")]
    Game {
        /// Its number.
        number: u64,
        /// What does not fit.
        error: Unreadable,
    },
}

impl OutputError {
    /// Whether another file would help: this one cannot be made or written by us.
    pub fn is_in_the_description(&self) -> bool {
        let Self::Io { error, .. } = self else {
            return false;
        };
        matches!(
            error.kind(),
            io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::IsADirectory
                | io::ErrorKind::PermissionDenied
                | io::ErrorKind::ReadOnlyFilesystem
                | io::ErrorKind::InvalidInput
        )
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, error }
    }
}

/// How long a thread with nothing to do may take to end.
const ABANDONED: Duration = Duration::from_secs(2);

/// Why a record is not whole that nothing hindered but its reader.
const UNREAD: &str = "the records were not written to their end: they were waiting for a reader";

/// What to do about it, where that is known.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "; every game is in the store: make room and go on with --resume"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "; choose a file in a folder that you may write to"
        }
        io::ErrorKind::NotFound => "; its folder must be there",
        _ => "",
    }
}

/// What to write where.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// What all records say.
    pub heading: Heading,
    /// The games, how they are written, and whether behind what is there.
    pub pgn: Option<(PathBuf, PgnStyle, bool)>,
    /// The last positions, and whether behind what is there.
    pub epd: Option<(PathBuf, bool)>,
}

/// A thread that writes the files. It reads the store, so that a game is
/// neither kept in memory nor waited for.
#[derive(Debug)]
pub struct Output {
    sender: Sender<()>,
    thread: Option<JoinHandle<()>>,
    /// Closed when the thread has written everything or given up.
    written: oneshot::Receiver<()>,
    failed: Arc<OnceLock<String>>,
}

impl Output {
    /// Opens the files, and finds out what of this event is in them already.
    pub fn start(outputs: Outputs, store: &Arc<Store>) -> Result<Self, OutputError> {
        let source = GameSource::new(store.reader()?, outputs.heading)?;
        let mut files = Vec::new();
        if let Some((path, style, append)) = &outputs.pgn {
            files.push(SharedFile::open(path, *append, Form::Pgn(*style), &source)?);
        }
        if let Some((path, append)) = &outputs.epd {
            files.push(SharedFile::open(path, *append, Form::Epd, &source)?);
        }
        for file in &files {
            // Before anything is written.
            file.remember(store);
        }
        let (sender, receiver) = channel();
        let failed = Arc::new(OnceLock::new());
        let reason = Arc::clone(&failed);
        let mut work = Work {
            source,
            files,
            store: Arc::clone(store),
        };
        let (done, written) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            // Dropped with the thread, however it ends.
            let _done = done;
            if let Err(error) = work.run(&receiver) {
                // The first reason is the true one.
                let _ = reason.set(error.to_string());
            }
        });
        Ok(Self {
            sender,
            thread: Some(thread),
            written,
            failed,
        })
    }

    /// A game is in the store.
    pub fn game_ended(&self) {
        // If the thread gave up, the reason is kept.
        let _ = self.sender.send(());
    }

    /// Why nothing is written any more, if that is so.
    pub fn failure(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    /// Writes what is left, games that wait for smaller numbers included, and
    /// tells what went wrong on the way.
    pub fn close(mut self) -> Option<String> {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.failed.get().cloned()
    }

    /// The same. A file may be a pipe whose reader does not read: with `given_up`
    /// that is not waited for much longer.
    pub async fn close_unless(mut self, given_up: impl Future<Output = ()>) -> Option<String> {
        self.hang_up();
        tokio::select! {
            biased;
            // Nothing is ever sent: an error says that the thread has ended.
            _ = &mut self.written => return self.close(),
            () = given_up => {}
        }
        // It may only have had no time yet.
        match tokio::time::timeout(ABANDONED, &mut self.written).await {
            Ok(_) => self.close(),
            Err(_) => Some(UNREAD.into()),
        }
    }

    /// Ends the thread of an event that did not begin: it holds the store, which may be
    /// taken away then. One that waits for the reader of a pipe is not waited for.
    pub(crate) async fn abandon(&mut self) {
        self.hang_up();
        let ended = tokio::time::timeout(ABANDONED, &mut self.written).await;
        if ended.is_ok()
            && let Some(thread) = self.thread.take()
        {
            let _ = thread.join();
        }
    }

    /// The thread ends when its channel does.
    fn hang_up(&mut self) {
        (self.sender, _) = channel();
    }
}

struct Work {
    source: GameSource,
    files: Vec<SharedFile>,
    store: Arc<Store>,
}

impl Work {
    fn run(&mut self, receiver: &Receiver<()>) -> Result<(), OutputError> {
        self.advance()?;
        while receiver.recv().is_ok() {
            while receiver.try_recv().is_ok() {}
            self.advance()?;
        }
        self.advance()?;
        let Self {
            source,
            files,
            store,
        } = self;
        files.iter_mut().try_for_each(|f| f.tail(source, store))
    }

    fn advance(&mut self) -> Result<(), OutputError> {
        let Self {
            source,
            files,
            store,
        } = self;
        source.refresh()?;
        files.iter_mut().try_for_each(|f| f.advance(source, store))
    }
}
