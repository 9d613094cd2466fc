//! The tables, and opening a file that has them.

use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::StoreError;
use super::plies;
use super::recovery::{check_beside, open_to_read};

/// How long another program that has the file locked is waited for, and how
/// often it is asked again.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(20);

/// `QDRL`, in the header of every file of ours.
const APPLICATION: i64 = 0x5144_524c;
/// The format of the tables: one more than there are [`STEPS`].
pub(super) const VERSION: i64 = 1 + STEPS.len() as i64;

/// What makes a file of each older format one of the next; the first is for
/// format 1.
const STEPS: &[&str] = &[
    // A move has the time that was taken from its clock, beside that on the wall.
    "ALTER TABLE ply ADD COLUMN charged INTEGER",
    // A game says which machine played it, and what its times were multiplied with.
    "ALTER TABLE game ADD COLUMN worker TEXT; ALTER TABLE game ADD COLUMN scale INTEGER",
];

/// Scores are the mover's. Times are microseconds. Texts of times are UTC.
const TABLES: &str = "
CREATE TABLE event (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    program TEXT NOT NULL,      -- who wrote this file
    created TEXT NOT NULL,
    config TEXT NOT NULL        -- the whole description as JSON
) STRICT;
CREATE TABLE player (
    id INTEGER PRIMARY KEY,     -- place in the description, from 0
    name TEXT NOT NULL UNIQUE,
    engine TEXT,                -- what it calls itself
    author TEXT
) STRICT;
CREATE TABLE game (
    number INTEGER PRIMARY KEY, -- from 1
    round INTEGER NOT NULL,
    pairing INTEGER NOT NULL,   -- games of the same number share an opening
    white INTEGER NOT NULL REFERENCES player,
    black INTEGER NOT NULL REFERENCES player,
    opening INTEGER NOT NULL,   -- its number in the book
    label TEXT NOT NULL,
    game TEXT NOT NULL,         -- chess, liberty, leiser, gyges
    rules TEXT NOT NULL,
    start TEXT NOT NULL,        -- position
    state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'abandoned')),
    result TEXT NOT NULL,
    termination TEXT,           -- JSON
    started TEXT NOT NULL,
    ended TEXT,
    duration INTEGER,
    sides TEXT,                 -- JSON: sums for White and Black
    findings TEXT,              -- JSON: what each side did wrong in this game
    worker TEXT,                -- who played it; empty for the one that keeps this file
    scale INTEGER               -- what its times were multiplied with, in thousandths
) STRICT;
CREATE TABLE control (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL       -- from another process to the running event
) STRICT;
CREATE TABLE note (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Opens a file in which nothing is yet. A file of ours that was begun and has
/// nothing in it is as good as none: the process that began it was killed at once.
pub(super) fn create(path: &Path) -> Result<Connection, StoreError> {
    let exists = |_| StoreError::Exists(path.into());
    check_beside(path).map_err(|error| StoreError::sql(path, &error))?;
    let connection = Connection::open(path).map_err(|error| {
        let error = io::Error::other(error.to_string());
        StoreError::no_room(path, error)
    })?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(exists)?;
    if tables > 0 {
        return Err(StoreError::Exists(path.into()));
    }
    prepare(&connection).map_err(|error| StoreError::sql(path, &error))?;
    Ok(connection)
}

/// Makes the tables of a new file, in a transaction of the caller's that also
/// says what the event is.
pub(super) fn make_tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    connection.execute_batch(plies::TABLE)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// Opens a file that must be an event's.
pub(super) fn open(path: &Path, writing: bool) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing(path.into()));
    }
    // To open a pipe would be to wait for its writer.
    if !path.is_file() {
        return Err(StoreError::Foreign { path: path.into() });
    }
    let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
    if !writing {
        let connection = open_to_read(path, PATIENCE).map_err(sql)?;
        check(&connection, path)?;
        return Ok(connection);
    }
    check_beside(path).map_err(sql)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(sql)?;
    check(&connection, path)?;
    prepare(&connection).map_err(sql)?;
    Ok(connection)
}

/// Makes one file of a store whose writer ends: without it a log and its index
/// would come back with each reader. With a reader beside us they stay.
pub(super) fn settle(connection: &Connection) {
    let single = || {
        connection.busy_timeout(Duration::from_millis(50))?;
        connection.pragma_update(None, "journal_mode", "DELETE")
    };
    // As it is, the file is whole as well.
    let _: rusqlite::Result<()> = single();
}

/// Every connection that writes does so in the same way.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // A change of the journal does not wait for others by itself.
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < PATIENCE =>
            {
                thread::sleep(PAUSE);
            }
            done => break done?,
        }
    }
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(())
}

/// A file of another program or of a newer one of ours is told apart before
/// anything is read from it.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
    if pragma("application_id").map_err(sql)? != APPLICATION {
        return Err(StoreError::Foreign { path: path.into() });
    }
    let found = version(connection).map_err(sql)?;
    if !(1..=VERSION).contains(&found) {
        return Err(StoreError::Version {
            path: path.into(),
            found,
            known: VERSION,
        });
    }
    Ok(())
}

/// The format of a file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a file that an older program wrote to the format of today. Either all
/// of it or nothing.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let found = usize::try_from(version(connection)?).unwrap_or(1);
    let transaction = connection.transaction()?;
    for step in STEPS.iter().skip(found - found.min(1)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

/// Reads the whole file once: damage is better found before an event goes on
/// than in the middle of it.
pub(super) fn check_all(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let sql = |error: rusqlite::Error| StoreError::sql(path, &error);
    let verdict: String = connection
        .pragma_query_value(None, "quick_check", |row| row.get(0))
        .map_err(sql)?;
    if verdict != "ok" {
        return Err(StoreError::damaged(path, &verdict));
    }
    Ok(())
}
