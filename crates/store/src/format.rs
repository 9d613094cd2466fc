//! The format of a file: its mark, its version, its tables, and the steps from older ones.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::fault::Fault;
use crate::recovery::check_beside;

/// The time between two attempts to change the journal of a file that is locked.
const PAUSE: Duration = Duration::from_millis(20);
/// The time that readers are waited for at the end.
const PATIENCE_AT_END: Duration = Duration::from_millis(50);

/// A format of files.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The number in the header of every file of this kind (`application_id`).
    pub application: i64,
    /// Makes the tables of a new file.
    pub tables: &'static [&'static str],
    /// Makes a file of each older version one of the next; the first is for version 1.
    pub steps: &'static [&'static str],
}

/// The reason why a file is not one that can be used.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// A file of another program.
    #[error("the file belongs to another program")]
    Foreign,
    /// A version that this program does not know.
    #[error("the file has format {found}, this program knows {known}")]
    Version {
        /// The version of the file.
        found: i64,
        /// The newest version that is known.
        known: i64,
    },
    /// A file that cannot be read.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
}

impl Format {
    /// Returns the version that new files get.
    pub const fn version(&self) -> i64 {
        1 + self.steps.len() as i64
    }

    /// Makes the tables of a new file, in a transaction of the caller's.
    pub fn create(&self, transaction: &Connection) -> rusqlite::Result<()> {
        for tables in self.tables {
            transaction.execute_batch(tables)?;
        }
        transaction.pragma_update(None, "application_id", self.application)?;
        transaction.pragma_update(None, "user_version", self.version())
    }

    /// Refuses a file of another program or of a newer version, before anything is read
    /// from it. Returns the version of the file.
    pub fn check(&self, connection: &Connection) -> Result<i64, FormatError> {
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        if pragma("application_id")? != self.application {
            return Err(FormatError::Foreign);
        }
        let (found, known) = (version(connection)?, self.version());
        if !(1..=known).contains(&found) {
            return Err(FormatError::Version { found, known });
        }
        Ok(found)
    }

    /// Brings a file of an older version to that of today: all of it or nothing.
    pub fn migrate(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let found = usize::try_from(version(connection)?).unwrap_or(1);
        let transaction = connection.transaction()?;
        for step in self.steps.iter().skip(found.saturating_sub(1)) {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "user_version", self.version())?;
        transaction.commit()
    }
}

/// Returns the version of a file.
pub fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Opens a file that is there, for writing, and plays back what a killed writer left.
pub fn open_to_write(path: &Path, patience: Duration) -> Result<Connection, Fault> {
    check_beside(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(patience)?;
        Ok(connection)
    };
    open().map_err(|error| Fault::of(path, &error))
}

/// Prepares a connection that writes: a write-ahead log that is not flushed with every
/// transaction. Other programs are waited for as long as `patience`.
pub fn use_log(connection: &Connection, patience: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(patience)?;
    // A change of the journal does not wait for others by itself.
    let begun = Instant::now();
    while let Err(error) = connection.pragma_update(None, "journal_mode", "WAL") {
        let is_busy = error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
        if !is_busy || begun.elapsed() >= patience {
            return Err(error);
        }
        thread::sleep(PAUSE);
    }
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(())
}

/// Makes one file of a store whose writer ends: without it a log and its index would come
/// back with each reader. With a reader beside us they stay, and the store is whole as well.
pub fn end_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE_AT_END)?;
    let ended = connection.pragma_update(None, "journal_mode", "DELETE");
    match ended.as_ref().map_err(rusqlite::Error::sqlite_error_code) {
        Err(Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => Ok(()),
        _ => ended,
    }
}

/// Reads the whole file once and returns the damage that is found: it is better found
/// before a file is used than in the middle of that.
pub fn find_damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let query = "PRAGMA quick_check(1)";
    let verdict: String = connection.query_row(query, [], |row| row.get(0))?;
    Ok((verdict != "ok").then_some(verdict))
}
