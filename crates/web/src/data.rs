//! The data of the page: one `SQLite` file, one thread that writes, one that reads.
//!
//! Work is a closure that is given the connection. The writer is that of [`quadrille_store`]:
//! everything that waits goes into one transaction, so that a burst of moves costs one write,
//! and a value is safe against `kill -9` as soon as its transaction is over. What cannot be
//! written because the disk is full is written when there is room again. The reader answers
//! questions that may take long, so that what is to be kept never waits for them; it answers
//! with everything that was asked to be written before.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use quadrille_store::files::create_private;
use quadrille_store::format::{use_log, version};
use quadrille_store::{
    Fault, Format, FormatError, Message, Notice, OnFault, Writer, WriterOptions,
};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags, ffi, params};
use tokio::sync::{oneshot, watch};

use crate::fault::caught;

/// Something to be done with the file.
enum Work {
    /// A question. Somebody waits for its answer, and so it is not tried again.
    Asked(Box<dyn Question>),
    /// A value that is to be there in the end: while the disk is full it is tried again.
    Kept(Box<Change>),
    /// Tells the reader that everything before it is over.
    Barrier(mpsc::Sender<()>),
}

/// A change that can be made again.
type Change = dyn Fn(&Connection) -> rusqlite::Result<()> + Send;

impl Message for Work {
    fn write(&mut self, transaction: &Connection) -> rusqlite::Result<()> {
        match self {
            Self::Asked(question) => question.work(transaction),
            Self::Kept(work) => attempt(|| work(transaction)),
            Self::Barrier(_) => Ok(()),
        }
    }

    fn is_awaited(&self) -> bool {
        !matches!(self, Self::Kept(_))
    }

    fn finish(self, written: Result<(), &Fault>) {
        match self {
            Self::Asked(question) => question.answer(written),
            Self::Kept(_) => {}
            // One who has gone waits no more.
            Self::Barrier(over) => drop(over.send(())),
        }
    }
}

/// A question to the file, of any type.
trait Question: Send {
    /// Does what is asked, once.
    fn work(&mut self, file: &Connection) -> rusqlite::Result<()>;
    /// Answers, when all is safe or will never be.
    fn answer(self: Box<Self>, written: Result<(), &Fault>);
}

struct Asked<T, W> {
    /// `None` once it is done.
    work: Option<W>,
    found: Option<T>,
    sender: oneshot::Sender<Result<T, String>>,
}

impl<T, W> Question for Asked<T, W>
where
    T: Send,
    W: FnOnce(&Connection) -> rusqlite::Result<T> + Send,
{
    fn work(&mut self, file: &Connection) -> rusqlite::Result<()> {
        if let Some(work) = self.work.take() {
            let found = &mut self.found;
            attempt(|| work(file).map(|value| *found = Some(value)))?;
        }
        Ok(())
    }

    fn answer(self: Box<Self>, written: Result<(), &Fault>) {
        let answer = match (written, self.found) {
            (Ok(()), Some(found)) => Ok(found),
            (Err(fault), _) => Err(format!("the data file: {fault}")),
            (Ok(()), None) => Err(CLOSED.into()),
        };
        let _ = self.sender.send(answer);
    }
}

/// Does one thing. A fault of ours ends it and nothing else.
fn attempt(work: impl FnOnce() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    caught(|| Ok(work())).unwrap_or_else(|words| {
        let code = ffi::Error::new(ffi::SQLITE_INTERNAL);
        Err(rusqlite::Error::SqliteFailure(code, Some(words)))
    })
}

/// The format of the file.
const FORMAT: Format = Format {
    application: 0,
    tables: &[TABLES],
    steps: &[FROM_1],
};

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

/// Adds how far an import is, which belongs to what it has written.
const FROM_1: &str = "ALTER TABLE sources ADD COLUMN read INTEGER NOT NULL DEFAULT 0;";

/// The reason why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    #[error("{}: {error}", path.display())]
    File {
        path: PathBuf,
        error: rusqlite::Error,
    },
    #[error("{} was written by a newer version of this program (format {found}, this one reads {known})", path.display())]
    Newer {
        path: PathBuf,
        found: i64,
        known: i64,
    },
    #[error("{}: this is a database of another program; move it away, or name another folder", .0.display())]
    Foreign(PathBuf),
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// The file.
#[derive(Debug)]
pub(crate) struct Data {
    /// Ends first: it waits for the writer, which then is the last to close the file and
    /// makes one of it again.
    reader: Reader,
    writer: Writer<Work>,
    /// Why something waits to be written.
    trouble: watch::Receiver<Option<String>>,
}

/// A thread that answers questions.
struct Reader {
    /// `None` once it is closed.
    questions: Option<mpsc::Sender<ReadTask>>,
    thread: Option<JoinHandle<()>>,
}

/// A question, and what comes when everything that it is to see is written.
type ReadTask = (mpsc::Receiver<()>, Box<dyn Question>);

/// The questions in the queue cannot be shown.
impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Reader {
    fn start(path: &Path, connection: Connection) -> Result<Self, DataError> {
        let (questions, queue) = mpsc::channel::<ReadTask>();
        let path = path.to_path_buf();
        let run = move || {
            for (before, mut question) in queue {
                // A writer that has ended has no more to write.
                let _ = before.recv();
                let done = question.work(&connection);
                let fault = done.map_err(|error| Fault::of(&path, &error));
                question.answer(fault.as_ref().copied());
            }
        };
        let thread = thread::Builder::new().name("data-read".into()).spawn(run);
        Ok(Self {
            questions: Some(questions),
            thread: Some(thread.map_err(DataError::Thread)?),
        })
    }
}

/// Answers what remains.
impl Drop for Reader {
    fn drop(&mut self) {
        self.questions = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The time that another program which has the file locked is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most works in one transaction.
const BATCH: usize = 256;
/// The page's values are in memory only until they are written, and nobody waits for them:
/// without room they are tried again.
const ON_FAULT: OnFault = OnFault::Continue {
    retry: Duration::from_secs(2),
    capacity: 10_000,
};

fn report(words: &str) {
    eprintln!("warning: the data file: {words}");
}

/// Says on the terminal and to the pages what became of the values.
fn on_notice(notice: &Notice<'_>, trouble: &watch::Sender<Option<String>>) {
    match notice {
        Notice::Waiting(fault) => {
            report(&format!("{fault}; it is tried again and again"));
            trouble.send_replace(Some(fault.to_string()));
        }
        Notice::Written => {
            report("everything is written now");
            trouble.send_replace(None);
        }
        Notice::Refused(fault) => report(&fault.to_string()),
        // The log stays beside the file, or the program has a fault.
        Notice::Stopped(fault) => {
            report(&fault.to_string());
            trouble.send_replace(Some(fault.to_string()));
        }
    }
}

/// Opens the connection that writes, and makes or migrates the tables.
fn open_to_write(path: &Path) -> Result<Connection, DataError> {
    let fail = |error| DataError::File {
        path: path.into(),
        error,
    };
    let mut connection = Connection::open(path).map_err(fail)?;
    connection.busy_timeout(PATIENCE).map_err(fail)?;
    if version(&connection).map_err(fail)? == 0 {
        let make = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            FORMAT.create(&transaction)?;
            transaction.commit()
        };
        make(&mut connection).map_err(fail)?;
    }
    FORMAT.check(&connection).map_err(|error| match error {
        FormatError::Version { found, known } => DataError::Newer {
            path: path.into(),
            found,
            known,
        },
        FormatError::Foreign => DataError::Foreign(path.into()),
        FormatError::Sql(error) => fail(error),
    })?;
    FORMAT.migrate(&mut connection).map_err(fail)?;
    use_log(&connection, PATIENCE).map_err(fail)?;
    add_folded(&connection).map_err(fail)?;
    Ok(connection)
}

/// Opens the connection that only reads, of a file that is open to write.
fn open_to_read(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    add_folded(&connection)?;
    Ok(connection)
}

impl Data {
    /// Opens the file of a folder, or begins it.
    pub(crate) fn open(folder: &Path) -> Result<Self, DataError> {
        let path = folder.join("quadrille.db");
        // In a folder that was there before others may look around. What is wrong with the
        // file is told when it is opened.
        let _ = create_private(&path);
        let connection = open_to_write(&path)?;
        let second = open_to_read(&path).map_err(|error| DataError::File {
            path: path.clone(),
            error,
        })?;
        let (sender, trouble) = watch::channel(None);
        let options = WriterOptions {
            name: "data-write",
            batch: BATCH,
            linger: Duration::ZERO,
            on_fault: ON_FAULT,
            poll: None,
            notify: Box::new(move |notice| on_notice(&notice, &sender)),
        };
        Ok(Self {
            reader: Reader::start(&path, second)?,
            writer: Writer::start(&path, connection, options).map_err(DataError::Thread)?,
            trouble,
        })
    }

    /// Follows why what is to be kept cannot be written just now.
    pub(crate) fn trouble(&self) -> watch::Receiver<Option<String>> {
        self.trouble.clone()
    }

    /// Does something with the file, after everything that was asked for before; again
    /// and again while the disk is full.
    pub(crate) fn write(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) {
        self.writer.send(Work::Kept(Box::new(work)));
    }

    /// Does something once, and answers when everything is written.
    pub(crate) fn write_for<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, String>> {
        let (question, answer) = asked(work);
        self.writer.send(Work::Asked(question));
        answer
    }

    /// Reads, everything that was asked to be written before included.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> oneshot::Receiver<Result<T, String>> {
        let (sender, before) = mpsc::channel();
        self.writer.send(Work::Barrier(sender));
        let (question, answer) = asked(work);
        if let Some(questions) = &self.reader.questions {
            // The thread ends only when this is dropped.
            let _ = questions.send((before, question));
        }
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
) -> (Box<dyn Question>, oneshot::Receiver<Result<T, String>>) {
    let (sender, receiver) = oneshot::channel();
    let question = Asked {
        work: Some(work),
        found: None,
        sender,
    };
    (Box::new(question), receiver)
}

const CLOSED: &str = "the data file is closed";

/// Waits for the answer to a question, or finds that there will be none.
pub(crate) async fn heard<T>(answer: oneshot::Receiver<Result<T, String>>) -> Result<T, String> {
    answer.await.unwrap_or_else(|_| Err(CLOSED.into()))
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

    /// The hub follows it, and pages show it.
    #[test]
    fn what_waits_for_room_is_trouble_until_it_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let mut trouble = data.trouble();
        let limit = |pages: i64| {
            let set = data.write_for(move |file| file.pragma_update(None, "max_page_count", pages));
            runtime.block_on(heard(set)).expect("a limit");
        };
        limit(1);
        data.keep("large".into(), Some("y".repeat(100_000)));
        runtime.block_on(trouble.changed()).expect("a writer");
        let words = trouble.borrow_and_update().clone().expect("trouble");
        assert!(words.contains("full"), "{words}");
        limit(1_000_000);
        runtime.block_on(trouble.changed()).expect("a writer");
        assert_eq!(*trouble.borrow_and_update(), None);
        assert_eq!(kept(&data).len(), 1);
    }

    #[test]
    fn a_file_at_rest_is_one_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = Data::open(folder.path()).expect("a file");
        data.keep("a".into(), Some("1".into()));
        assert_eq!(kept(&data).len(), 1);
        drop(data);
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        let names: Vec<_> = names
            .map(|name| name.expect("a name").file_name())
            .collect();
        assert_eq!(names, ["quadrille.db"]);
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
