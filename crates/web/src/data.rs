//! What is kept: one `SQLite` file, one thread that writes, one that reads.
//!
//! Work is a closure that is given the connection. The writer takes everything that
//! waits into one transaction, so that a burst of moves costs one write; a value is
//! safe against `kill -9` as soon as its transaction is over. What cannot be written
//! because the disk is full is written when there is room again. The reader answers
//! questions that may take long, so that what is to be kept never waits for them; it
//! answers with everything that was asked to be written before.

use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags, ffi, params};
use tokio::sync::{oneshot, watch};

use crate::fault::caught;

/// Something to be done with the file.
enum Work {
    /// Is told whether it went well, and so not tried again.
    Asked(Asked),
    /// Is to be there in the end: while the disk is full it is tried again.
    Kept(Kept),
}

type Asked = Box<dyn FnOnce(&Connection) -> Done + Send>;
type Kept = Box<dyn Fn(&Connection) -> rusqlite::Result<()> + Send>;

/// What came of it.
struct Done {
    /// Whether it is to stay; else the file is as it was before.
    good: bool,
    /// Is called when all is safe.
    after: Option<After>,
}

/// Is told whether everything was written.
type After = Box<dyn FnOnce(&rusqlite::Result<()>) + Send>;

/// The version of the tables.
const VERSION: i64 = 2;

const TABLES: &str = "
CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE engines (id INTEGER PRIMARY KEY, place INTEGER NOT NULL, removed INTEGER NOT NULL, record TEXT NOT NULL);
CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, own INTEGER NOT NULL, wanted INTEGER NOT NULL);
CREATE TABLE jobs (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL);
CREATE TABLE sources (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, read INTEGER NOT NULL DEFAULT 0);
CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0,
  game TEXT NOT NULL, white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, date TEXT NOT NULL,
  event TEXT NOT NULL, eco TEXT, opening TEXT, plies INTEGER NOT NULL, trouble TEXT, study INTEGER,
  pgn BLOB NOT NULL, filed TEXT);
CREATE INDEX games_by_source ON games (source, deleted);
CREATE UNIQUE INDEX games_by_table ON games (filed) WHERE filed IS NOT NULL;
CREATE TABLE positions (key INTEGER NOT NULL, game INTEGER NOT NULL, move TEXT NOT NULL, PRIMARY KEY (key, game, move)) WITHOUT ROWID;
";

/// How far an import is belongs to what it has written.
const FROM_1: &str = "ALTER TABLE sources ADD COLUMN read INTEGER NOT NULL DEFAULT 0;";

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    #[error("{}: {error}", path.display())]
    File {
        path: PathBuf,
        error: rusqlite::Error,
    },
    #[error("{} was written by a newer version of this program (format {found}, this one reads {VERSION})", path.display())]
    Newer { path: PathBuf, found: i64 },
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// The file.
#[derive(Debug)]
pub(crate) struct Data {
    writer: Worker<Work>,
    reader: Worker<Asked>,
    progress: Arc<Progress>,
}

struct Worker<W> {
    work: Option<mpsc::Sender<W>>,
    thread: Option<JoinHandle<()>>,
}

/// What waits in the queue cannot be shown.
impl<W> fmt::Debug for Worker<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").finish_non_exhaustive()
    }
}

/// How much the writer was given, and how much of it is over.
#[derive(Debug, Default)]
struct Progress {
    counts: Mutex<Counts>,
    moved: Condvar,
    /// Why something waits to be written.
    trouble: watch::Sender<Option<String>>,
}

#[derive(Debug, Default)]
struct Counts {
    given: u64,
    over: u64,
}

impl Progress {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_over(&self, works: u64) {
        self.counts().over += works;
        self.moved.notify_all();
    }

    /// Waits until this much is over.
    fn wait(&self, wanted: u64) {
        let waiting = |counts: &mut Counts| counts.over < wanted;
        drop(self.moved.wait_while(self.counts(), waiting));
    }
}

impl<W: Send + 'static> Worker<W> {
    fn start(
        name: &str,
        serve: impl FnOnce(&mpsc::Receiver<W>) + Send + 'static,
    ) -> Result<Self, DataError> {
        let (work, queue) = mpsc::channel();
        let thread = thread::Builder::new()
            .name(name.into())
            .spawn(move || serve(&queue))
            .map_err(DataError::Thread)?;
        Ok(Self {
            work: Some(work),
            thread: Some(thread),
        })
    }

    fn put(&self, work: W) {
        if let Some(queue) = &self.work {
            // The thread ends only when this is dropped.
            let _ = queue.send(work);
        }
    }
}

/// Does what is left to do.
impl<W> Drop for Worker<W> {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How often what could not be written is tried again.
const AGAIN: Duration = Duration::from_secs(2);
/// Of more that could not be written the oldest is given up.
const MOST_UNWRITTEN: usize = 10_000;

fn serve(connection: &Connection, queue: &mpsc::Receiver<Work>, progress: &Progress) {
    let mut unwritten = VecDeque::new();
    let mut open = true;
    while open {
        let first = if unwritten.is_empty() {
            queue.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            queue.recv_timeout(AGAIN)
        };
        open = !matches!(first, Err(RecvTimeoutError::Disconnected));
        let more = queue.try_iter().take(256);
        let mut new: VecDeque<Work> = first.into_iter().chain(more).collect();
        let works = new.len() as u64;
        let had = !unwritten.is_empty();
        let mut trouble = write_again(connection, &mut unwritten);
        while !new.is_empty() {
            if !unwritten.is_empty() {
                // Newer values must not be overwritten by older ones later.
                let all = std::mem::take(&mut new).into_iter();
                let kept: VecDeque<Work>;
                (kept, new) = all.partition(|work| matches!(work, Work::Kept(_)));
                unwritten.extend(kept);
            }
            let written = write_together(connection, &mut new, &mut unwritten);
            trouble = trouble.and(written);
        }
        match trouble {
            Err(error) if !had => {
                report(&format!("{error}; it is tried again and again"));
                progress.trouble.send_replace(Some(error.to_string()));
            }
            Ok(()) if had => {
                report("everything is written now");
                progress.trouble.send_replace(None);
            }
            _ => {}
        }
        while unwritten.len() > MOST_UNWRITTEN {
            unwritten.pop_front();
        }
        progress.add_over(works);
    }
}

/// Tries once more to write what could not be written.
fn write_again(connection: &Connection, unwritten: &mut VecDeque<Work>) -> rusqlite::Result<()> {
    let mut works = std::mem::take(unwritten);
    if works.is_empty() {
        return Ok(());
    }
    let written = write_together(connection, &mut works, unwritten);
    unwritten.extend(works);
    written
}

/// Answers questions.
fn read_alone(connection: &Connection, queue: &mpsc::Receiver<Asked>) {
    while let Ok(work) = queue.recv() {
        if let Some(after) = attempt(connection, work).after {
            after(&Ok(()));
        }
    }
}

/// Does all of it in one transaction, or as much as comes before the disk is full. Each
/// work is whole or not there at all; what is to be kept and could not be written is put
/// aside.
fn write_together(
    connection: &Connection,
    works: &mut VecDeque<Work>,
    unwritten: &mut VecDeque<Work>,
) -> rusqlite::Result<()> {
    let mut written = connection.execute_batch("BEGIN IMMEDIATE");
    let (mut kept, mut afters) = (Vec::new(), Vec::new());
    while let Some(work) = works.pop_front() {
        let point = connection.execute_batch("SAVEPOINT work");
        let good = match work {
            Work::Asked(work) => {
                let done = attempt(connection, work);
                afters.extend(done.after);
                done.good
            }
            Work::Kept(work) => {
                let result = caught(|| Ok(work(connection)));
                let good = matches!(result, Ok(Ok(())));
                match result {
                    Ok(Ok(())) => kept.push(Work::Kept(work)),
                    Ok(Err(error)) if passes(&error) => {
                        kept.push(Work::Kept(work));
                        written = written.and(Err(error));
                    }
                    // It would fail for ever, and hold up the others.
                    Ok(Err(error)) => report(&error.to_string()),
                    Err(words) => report(&words),
                }
                good
            }
        };
        if point.is_ok() && !connection.is_autocommit() {
            let back = if good { "" } else { "ROLLBACK TO work;" };
            let released = connection.execute_batch(&format!("{back} RELEASE work"));
            written = written.and(released);
        }
        // A full disk makes SQLite take back everything by itself.
        if connection.is_autocommit() {
            let code = ffi::Error::new(ffi::SQLITE_ABORT_ROLLBACK);
            let words = "nothing could be written; is the disk full?";
            written = written.and(Err(rusqlite::Error::SqliteFailure(
                code,
                Some(words.into()),
            )));
            break;
        }
    }
    if !connection.is_autocommit() {
        let end = if written.is_ok() {
            "COMMIT"
        } else {
            "ROLLBACK"
        };
        written = written.and(connection.execute_batch(end));
    }
    if !connection.is_autocommit() {
        // What could not be written must not stand in the way of what comes.
        let _ = connection.execute_batch("ROLLBACK");
    }
    if written.is_err() {
        unwritten.extend(kept);
    }
    for after in afters {
        after(&written);
    }
    written
}

/// Whether the machine is at fault, and may be better later.
fn passes(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    matches!(
        error.sqlite_error_code(),
        Some(
            Code::DiskFull
                | Code::SystemIoFailure
                | Code::DatabaseBusy
                | Code::DatabaseLocked
                | Code::OutOfMemory
                | Code::ReadOnly
                | Code::CannotOpen
        )
    )
}

/// Does one thing. A fault of ours ends it and nothing else.
fn attempt(connection: &Connection, work: Asked) -> Done {
    let done = caught(|| Ok(work(connection)));
    done.unwrap_or_else(|words| {
        report(&words);
        Done {
            good: false,
            after: None,
        }
    })
}

fn report(words: &str) {
    eprintln!("warning: the data file: {words}");
}

impl Data {
    /// Opens the file of a folder, or begins it.
    pub(crate) fn open(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join("quadrille.db");
        let fail = |error| DataError::File {
            path: path.clone(),
            error,
        };
        // In a folder that was there before others may look around.
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            let mut options = std::fs::File::options();
            // What is wrong with the file is told when it is opened.
            let _ = options.append(true).create(true).mode(0o600).open(&path);
        }
        let open = || -> rusqlite::Result<(Connection, i64)> {
            let connection = Connection::open(&path)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
            let change = match found {
                0 => TABLES,
                1 => FROM_1,
                _ => "",
            };
            if !change.is_empty() {
                connection.execute_batch(&format!(
                    "BEGIN; {change} PRAGMA user_version = {VERSION}; COMMIT;"
                ))?;
            }
            Ok((connection, found))
        };
        let (connection, found) = open().map_err(fail)?;
        if found > VERSION {
            return Err(DataError::Newer { path, found });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let second = Connection::open_with_flags(&path, flags).map_err(fail)?;
        second.busy_timeout(Duration::from_secs(10)).map_err(fail)?;
        for connection in [&connection, &second] {
            add_folded(connection).map_err(fail)?;
        }
        let progress = Arc::new(Progress::default());
        let shared = Arc::clone(&progress);
        Ok(Self {
            writer: Worker::start("data-write", move |queue| {
                serve(&connection, queue, &shared);
            })?,
            reader: Worker::start("data-read", move |queue| read_alone(&second, queue))?,
            progress,
        })
    }

    /// Why what is to be kept cannot be written just now.
    pub(crate) fn trouble(&self) -> watch::Receiver<Option<String>> {
        self.progress.trouble.subscribe()
    }

    fn put(&self, work: Work) {
        // One lock for both: the count is in the order of the queue.
        let mut counts = self.progress.counts();
        counts.given += 1;
        self.writer.put(work);
    }

    /// Does something with the file, after everything that was asked for before; again
    /// and again while the disk is full.
    pub(crate) fn write(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) {
        self.put(Work::Kept(Box::new(work)));
    }

    /// The same with an answer, which comes when everything is written.
    pub(crate) fn write_for<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, String>> {
        let (work, answer) = asked(work);
        self.put(Work::Asked(work));
        answer
    }

    /// Reads, everything that was asked to be written before included.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, String>> {
        let progress = Arc::clone(&self.progress);
        let given = progress.counts().given;
        let (work, answer) = asked(move |file: &Connection| {
            progress.wait(given);
            work(file)
        });
        self.reader.put(work);
        answer
    }

    /// Keeps a value, or forgets it.
    pub(crate) fn keep(&self, key: String, value: Option<String>) {
        self.write(move |file| {
            match &value {
                Some(value) => file
                    .prepare_cached("INSERT INTO kept VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")?
                    .execute(params![key, value])?,
                None => file
                    .prepare_cached("DELETE FROM kept WHERE key = ?1")?
                    .execute([&key])?,
            };
            Ok(())
        });
    }

    /// Everything that is kept, by key.
    pub(crate) async fn kept(&self) -> Result<Vec<(String, String)>, String> {
        let kept = self.write_for(|file| {
            file.prepare("SELECT key, value FROM kept ORDER BY key")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        });
        heard(kept).await
    }
}

/// `SQLite` itself knows small and capital letters of English only.
fn add_folded(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("folded", 1, flags, |call| {
        Ok(call.get::<String>(0)?.to_lowercase())
    })
}

/// A question, and where its answer will be.
fn asked<T: Send + 'static>(
    work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
) -> (Asked, oneshot::Receiver<Result<T, String>>) {
    let (sender, receiver) = oneshot::channel();
    let words = |error: &rusqlite::Error| format!("the data file: {error}");
    let asked: Asked = Box::new(move |file| {
        let result = work(file).map_err(|error| words(&error));
        let good = result.is_ok();
        let after: After = Box::new(move |written: &rusqlite::Result<()>| {
            let written = written.as_ref().map_err(words);
            let _ = sender.send(written.and(result));
        });
        Done {
            good,
            after: Some(after),
        }
    });
    (asked, receiver)
}

/// The answer to a question, or that there will be none.
pub(crate) async fn heard<T>(answer: oneshot::Receiver<Result<T, String>>) -> Result<T, String> {
    answer
        .await
        .unwrap_or_else(|_| Err("the data file is closed".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(data: &Data) -> Vec<(String, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        runtime.block_on(data.kept()).expect("readable")
    }

    #[test]
    fn what_is_kept_is_there_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        for n in 0..1000 {
            data.keep(format!("k{}", n % 10), Some(n.to_string()));
        }
        data.keep("k3".into(), None);
        drop(data);
        let data = Data::open(folder.path()).expect("a file");
        let all = kept(&data);
        assert_eq!(all.len(), 9);
        assert_eq!(all[0], ("k0".into(), "990".into()));
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        for n in 0..200 {
            data.keep("k".into(), Some(n.to_string()));
            let read = data.read(|file| {
                file.query_row("SELECT value FROM kept", [], |row| row.get::<_, String>(0))
            });
            let read = runtime.block_on(heard(read));
            assert_eq!(read, Ok(n.to_string()));
        }
    }

    #[test]
    fn what_fails_leaves_no_trace_and_the_others_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        data.keep("a".into(), Some("1".into()));
        let half = data.write_for(|file| {
            file.execute("DELETE FROM kept", [])?;
            file.execute("INSERT INTO nowhere VALUES (1)", [])
        });
        let broken = data.write_for(|file| -> rusqlite::Result<()> {
            file.execute("DELETE FROM kept", [])?;
            panic!("a fault")
        });
        data.keep("b".into(), Some("2".into()));
        let half = runtime.block_on(heard(half)).expect_err("no such table");
        assert!(half.contains("nowhere"), "{half}");
        assert!(runtime.block_on(heard(broken)).is_err());
        let all = [("a", "1"), ("b", "2")].map(|(k, v)| (k.to_owned(), v.to_owned()));
        assert_eq!(kept(&data), all);
    }

    #[test]
    fn a_full_disk_is_told_to_those_who_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let small = data.write_for(|file| {
            let pages: i64 = file.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            file.pragma_update(None, "max_page_count", pages)
        });
        runtime.block_on(heard(small)).expect("a small disk");
        let full = data.write_for(|file| {
            file.execute("INSERT INTO kept VALUES ('x', ?1)", ["y".repeat(100_000)])
        });
        let full = runtime.block_on(heard(full)).expect_err("full");
        assert!(full.contains("full"), "{full}");
        let large = data.write_for(|file| file.pragma_update(None, "max_page_count", 1_000_000));
        runtime.block_on(heard(large)).expect("room again");
        data.keep("a".into(), Some("1".into()));
        assert_eq!(kept(&data).len(), 1);
    }

    #[test]
    fn what_a_full_disk_refused_is_there_when_there_is_room_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let limit = |pages: Option<i64>| {
            let set = data.write_for(move |file| {
                let now: i64 = file.query_row("PRAGMA page_count", [], |row| row.get(0))?;
                file.pragma_update(None, "max_page_count", pages.unwrap_or(now))
            });
            runtime.block_on(heard(set))
        };
        limit(None).expect("a small disk");
        data.keep("large".into(), Some("y".repeat(100_000)));
        data.keep("small".into(), Some("1".into()));
        // The question waits for both, and they could not be written.
        let count = data.read(|file| {
            file.query_row("SELECT COUNT(*) FROM kept", [], |row| row.get::<_, i64>(0))
        });
        assert_eq!(runtime.block_on(heard(count)), Ok(0));
        let _ = limit(Some(1_000_000));
        data.keep("small".into(), Some("2".into()));
        drop(data);
        let data = Data::open(folder.path()).expect("a file");
        let keys: Vec<String> = kept(&data).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["large", "small"]);
        assert_eq!(kept(&data)[1].1, "2");
    }

    #[test]
    fn older_files_are_brought_up_to_date() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(Data::open(folder.path()).expect("a file"));
        let file = Connection::open(folder.path().join("quadrille.db")).expect("a file");
        file.execute_batch("ALTER TABLE sources DROP COLUMN read; PRAGMA user_version = 1")
            .expect("as it was");
        drop(file);
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let read = data.read(|file| file.execute_batch("SELECT read FROM sources"));
        let read = runtime.expect("a runtime").block_on(heard(read));
        assert_eq!(read, Ok(()));
    }

    #[test]
    fn files_of_the_future_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        drop(Data::open(folder.path()).expect("a file"));
        let file = Connection::open(folder.path().join("quadrille.db")).expect("a file");
        file.pragma_update(None, "user_version", 99)
            .expect("written");
        drop(file);
        let error = Data::open(folder.path()).expect_err("too new").to_string();
        assert!(
            error.contains("newer version") && error.contains("99"),
            "{error}"
        );
    }
}
