//! A small store: numbers in a table.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use quadrille_store::format::{open_to_write, use_log};
use quadrille_store::{
    Fault, Format, Message, Notice, OnFault, Poll, Writer, WriterOptions, open_to_read,
};
use rusqlite::Connection;

pub(crate) const FORMAT: Format = Format {
    application: 0x5445_5354,
    tables: &["CREATE TABLE number (place INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER, x BLOB)"],
    steps: &[],
};

/// The page's answer to a fault. It tries again with every message; the time is longer
/// than any test.
pub(crate) const CONTINUE: OnFault = OnFault::Continue {
    retry: Duration::from_hours(1),
    capacity: 1000,
};

type Work = Box<dyn Fn(&Connection) -> rusqlite::Result<()> + Send>;

/// Something to be done, and where its receipt goes.
pub(crate) struct Do {
    work: Work,
    receipt: Option<Sender<Result<(), Fault>>>,
}

impl Message for Do {
    fn write(&mut self, transaction: &Connection) -> rusqlite::Result<()> {
        (self.work)(transaction)
    }

    fn is_awaited(&self) -> bool {
        self.receipt.is_some()
    }

    fn finish(self, written: Result<(), &Fault>) {
        if let Some(receipt) = self.receipt {
            let _ = receipt.send(written.map_err(Clone::clone));
        }
    }
}

/// A notice as text.
pub(crate) fn words(notice: &Notice<'_>) -> String {
    match notice {
        Notice::Stopped(fault) => format!("stopped: {fault}"),
        Notice::Waiting(fault) => format!("waiting: {fault}"),
        Notice::Written => "written".into(),
        Notice::Refused(fault) => format!("refused: {fault}"),
    }
}

pub(crate) struct Store {
    pub(crate) writer: Writer<Do>,
    pub(crate) notices: Receiver<String>,
}

impl Store {
    /// Opens a store, or begins it. `patience` is how long other programs are waited for.
    pub(crate) fn open_with(path: &Path, on_fault: OnFault, patience: Duration) -> Self {
        let connection = if path.exists() {
            open_to_write(path, patience).expect("a file")
        } else {
            let connection = Connection::open(path).expect("a file");
            FORMAT.create(&connection).expect("its tables");
            connection
        };
        FORMAT.check(&connection).expect("a file of ours");
        use_log(&connection, patience).expect("a log");
        let (sender, notices) = channel();
        let options = WriterOptions {
            name: "store",
            batch: 64,
            linger: Duration::from_millis(1),
            on_fault,
            poll: Some(Poll {
                interval: Duration::from_millis(20),
                run: Box::new(|_| Ok(())),
            }),
            notify: Box::new(move |notice| drop(sender.send(words(&notice)))),
        };
        let writer = Writer::start(path, connection, options).expect("a thread");
        Self { writer, notices }
    }

    pub(crate) fn open(path: &Path, on_fault: OnFault) -> Self {
        Self::open_with(path, on_fault, Duration::from_secs(30))
    }

    /// Sends work that nobody waits for.
    pub(crate) fn send(&self, work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static) {
        let work = Box::new(work);
        let receipt = None;
        self.writer.send(Do { work, receipt });
    }

    /// Does something and waits for the receipt: `None` if there will never be one.
    pub(crate) fn wait_for(
        &self,
        work: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Option<Result<(), Fault>> {
        let (sender, receiver) = channel();
        self.writer.send(Do {
            work: Box::new(work),
            receipt: Some(sender),
        });
        receiver.recv().ok()
    }

    /// Sets how large the file may become: as large as it is, or larger than any test.
    pub(crate) fn set_room(&self, is_full: bool) {
        let set = self.wait_for(move |file| {
            let now: i64 = file.query_row("PRAGMA page_count", [], |row| row.get(0))?;
            let pages = if is_full { now } else { 1_000_000 };
            file.pragma_update(None, "max_page_count", pages)
        });
        assert!(matches!(set, Some(Ok(()))), "{set:?}");
    }
}

/// Puts a number into the table, with so many bytes.
pub(crate) fn insert(n: i64, bytes: i64) -> impl Fn(&Connection) -> rusqlite::Result<()> + Send {
    move |file| {
        let statement = "INSERT INTO number (n, x) VALUES (?1, zeroblob(?2))";
        file.execute(statement, [n, bytes]).map(drop)
    }
}

/// The numbers of a file, in the order in which they were written.
pub(crate) fn numbers(path: &Path) -> Vec<i64> {
    let connection = open_to_read(path, Duration::from_secs(30)).expect("readable");
    let query = "SELECT n FROM number ORDER BY place";
    let mut query = connection.prepare(query).expect("a table");
    let rows = query.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<rusqlite::Result<_>>().expect("numbers")
}
