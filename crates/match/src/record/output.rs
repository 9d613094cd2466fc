//! Files that grow with the event: every game once, in the order of numbers,
//! whatever happened in between.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::pgn::{PgnStyle, Unreadable};
use super::shared::{Notices, SharedFile};
use super::source::{Form, GameSource, Heading, pgn_style};
use crate::config::MatchConfig;
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

    /// Whether a program that read a pipe has gone: nothing else is lost by that.
    pub(super) fn has_no_reader(&self) -> bool {
        matches!(self, Self::Io { error, .. } if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, error }
    }
}

/// How long a thread with nothing to do may take to end.
const ABANDONED: Duration = Duration::from_secs(2);

/// How long nothing may be written at the end before the reader of a pipe is given up.
const UNREAD_PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked whether it does.
const LOOK: Duration = Duration::from_millis(500);

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
        io::ErrorKind::BrokenPipe => {
            " (the program that read it has ended); every game is in the store: quadrille event STORE \
             --pgn FILE writes them"
        }
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

impl Outputs {
    /// What an event asks for.
    pub fn of(config: &MatchConfig) -> Self {
        let pgn = config.output.pgn.as_ref();
        let epd = config.output.epd.as_ref();
        Self {
            heading: Heading::of(config),
            pgn: pgn.map(|pgn| (pgn.file.clone(), pgn_style(&config.output), pgn.append)),
            epd: epd.map(|epd| (epd.file.clone(), epd.append)),
        }
    }
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
    notices: Notices,
}

impl Output {
    /// Opens the files, and finds out what of this event is in them already.
    pub fn start(outputs: Outputs, store: &Arc<Store>) -> Result<Self, OutputError> {
        let source = GameSource::new(store.reader()?, outputs.heading)?;
        let mut files = Vec::new();
        let notices = Notices::default();
        let mut open = |path: &Path, append: bool, form| {
            let file = SharedFile::open(path, append, form, &source, notices.clone())?;
            files.push(file);
            Ok::<(), OutputError>(())
        };
        if let Some((path, style, append)) = &outputs.pgn {
            open(path, *append, Form::Pgn(*style))?;
        }
        if let Some((path, append)) = &outputs.epd {
            open(path, *append, Form::Epd)?;
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
            notices: notices.clone(),
            lost: None,
        };
        let (done, written) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            // Dropped with the thread, however it ends.
            let _done = done;
            let done = work.run(&receiver);
            let failure = done.err().map(|error| error.to_string());
            if let Some(failure) = failure.or(work.lost) {
                // It is set here alone.
                let _ = reason.set(failure);
            }
        });
        Ok(Self {
            sender,
            thread: Some(thread),
            written,
            failed,
            notices,
        })
    }

    /// What happened to the files that nobody has been told yet, in sentences.
    pub fn notices(&self) -> Vec<String> {
        self.notices.take()
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
        self.join()
    }

    fn join(&mut self) -> Option<String> {
        self.hang_up();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.failed.get().cloned()
    }

    /// The same. A file may be a pipe whose reader does not read: that is not waited for
    /// for ever, and with `given_up` not much longer.
    pub(crate) async fn close_unless(
        &mut self,
        given_up: impl Future<Output = ()>,
    ) -> Option<String> {
        self.hang_up();
        let progress = Arc::clone(&self.notices.progress);
        tokio::select! {
            biased;
            // Nothing is ever sent: an error says that the thread has ended.
            _ = &mut self.written => return self.join(),
            () = given_up => {}
            () = stands_still(&progress) => {}
        }
        // It may only have had no time yet.
        match tokio::time::timeout(ABANDONED, &mut self.written).await {
            Ok(_) => self.join(),
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

/// Waits until the thread has not got on for long: a pipe is full, and nobody reads it.
async fn stands_still(progress: &AtomicU64) {
    let mut known = progress.load(Ordering::Relaxed);
    let mut since = Instant::now();
    while since.elapsed() < UNREAD_PATIENCE {
        tokio::time::sleep(LOOK).await;
        let now = progress.load(Ordering::Relaxed);
        if now != known {
            (known, since) = (now, Instant::now());
        }
    }
}

struct Work {
    source: GameSource,
    files: Vec<SharedFile>,
    store: Arc<Store>,
    notices: Notices,
    /// Why a pipe is not written any more.
    lost: Option<String>,
}

impl Work {
    fn run(&mut self, receiver: &Receiver<()>) -> Result<(), OutputError> {
        self.advance()?;
        while receiver.recv().is_ok() {
            while receiver.try_recv().is_ok() {}
            self.advance()?;
        }
        self.advance()?;
        self.each(SharedFile::tail)
    }

    fn advance(&mut self) -> Result<(), OutputError> {
        self.source.refresh()?;
        self.each(SharedFile::advance)
    }

    /// Does something with each file. A pipe whose reader has gone is left, and the others go
    /// on: all games are in the store.
    fn each(
        &mut self,
        act: fn(&mut SharedFile, &GameSource, &Store) -> Result<(), OutputError>,
    ) -> Result<(), OutputError> {
        let mut index = 0;
        while let Some(file) = self.files.get_mut(index) {
            match act(file, &self.source, &self.store) {
                Ok(()) => index += 1,
                Err(error) if error.has_no_reader() => {
                    self.files.remove(index);
                    let reason = error.to_string();
                    self.notices.push(reason.clone());
                    self.lost.get_or_insert(reason);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
