//! The tables, and opening a file that has them.

use std::io;
use std::path::Path;
use std::time::Duration;

use quadrille_store::format::{find_damage, open_to_write, use_log};
use quadrille_store::recovery::count_tables;
use quadrille_store::{Fault, Format, FormatError, check_beside, open_to_read};
use rusqlite::Connection;

use super::error::StoreError;
use super::plies;

/// The time that another program which has the file locked is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// The files of events: `QDRL`.
pub(super) const FORMAT: Format = Format {
    application: 0x5144_524c,
    tables: &[TABLES, plies::TABLE],
    steps: STEPS,
};

/// Makes a file of each older format one of the next; the first is for
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
    check_beside(path).map_err(|fault| StoreError::of(path, fault))?;
    let connection = Connection::open(path).map_err(|error| {
        let error = io::Error::other(error.to_string());
        StoreError::no_room(path, error)
    })?;
    match count_tables(&connection) {
        Ok(0) => {}
        _ => return Err(StoreError::Exists(path.into())),
    }
    use_log(&connection, PATIENCE).map_err(|error| StoreError::sql(path, &error))?;
    Ok(connection)
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
    let fault = |fault: Fault| StoreError::of(path, fault);
    if !writing {
        let connection = open_to_read(path, PATIENCE).map_err(fault)?;
        check(&connection, path)?;
        return Ok(connection);
    }
    let connection = open_to_write(path, PATIENCE).map_err(fault)?;
    check(&connection, path)?;
    use_log(&connection, PATIENCE).map_err(|error| StoreError::sql(path, &error))?;
    Ok(connection)
}

/// Refuses a file of another program or of a newer one of ours before anything is read
/// from it.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let checked = FORMAT.check(connection).map(drop);
    checked.map_err(|error| match error {
        FormatError::Foreign => StoreError::Foreign { path: path.into() },
        FormatError::Version { found, known } => StoreError::Version {
            path: path.into(),
            found,
            known,
        },
        FormatError::Sql(error) => StoreError::sql(path, &error),
    })
}

/// Reads the whole file once: damage is better found before an event goes on
/// than in the middle of it.
pub(super) fn check_all(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    match find_damage(connection).map_err(|error| StoreError::sql(path, &error))? {
        None => Ok(()),
        Some(damage) => Err(StoreError::damaged(path, &damage)),
    }
}
