//! The file itself: what it looks like, and who may open it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_match::store::plies;
use quadrille_store::files::create_private;
use quadrille_store::format::{find_damage, open_to_write};
use quadrille_store::{
    Fault, FaultKind, FileLock, Format, FormatError, LockError, check_beside, has_no_tables,
    is_not_regular, open_to_read,
};
use rusqlite::Connection;

use super::StoreError;

/// The files of game servers: `QDRS`.
const FORMAT: Format = Format {
    application: 0x5144_5253,
    tables: &[TABLES, plies::TABLE],
    steps: &[],
};
/// The time that another program which has the file locked is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);
/// The time it takes to be sure that another process serves from a file.
pub(super) const GLANCE: Duration = Duration::from_millis(100);

const TABLES: &str = "
CREATE TABLE account (
    folded TEXT PRIMARY KEY,    -- the name in small letters
    name TEXT NOT NULL,
    hash TEXT NOT NULL,         -- argon2
    made TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE rating (
    name TEXT NOT NULL,         -- folded
    game TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (name, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE ban (
    what TEXT PRIMARY KEY,      -- a folded name or an address
    why TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE document (
    kind TEXT NOT NULL,         -- arranged, tournament
    id INTEGER NOT NULL,
    json TEXT,                  -- empty: over
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE game (
    number INTEGER PRIMARY KEY, -- from 1
    game TEXT NOT NULL,         -- chess, liberty, leiser, gyges
    rules TEXT NOT NULL,
    start TEXT NOT NULL,
    time TEXT NOT NULL,         -- 300+5
    rated INTEGER NOT NULL,
    white TEXT NOT NULL,        -- JSON: the player as it was then
    black TEXT NOT NULL,
    origin TEXT NOT NULL,       -- JSON
    started TEXT NOT NULL,
    ended TEXT,
    result TEXT NOT NULL,
    termination TEXT,           -- JSON
    duration INTEGER,
    sides TEXT                  -- JSON
) STRICT;
CREATE INDEX running ON game (number) WHERE ended IS NULL;
CREATE TABLE control (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    command TEXT NOT NULL,      -- an order of the operator as JSON
    taken INTEGER NOT NULL DEFAULT 0,
    answer TEXT                 -- JSON
) STRICT;
";

/// Tables that the first files did not have. Older programs do not look at them.
pub(super) const LATER_TABLES: &str = "
CREATE TABLE IF NOT EXISTS logins (
    name TEXT PRIMARY KEY,      -- of an account, folded
    json TEXT NOT NULL          -- its token, known addresses, wrong passwords
) STRICT, WITHOUT ROWID;
";

/// Turns an error of `SQLite` into one of the server. What stands in a row and is nothing
/// that we wrote is damage too.
pub(super) fn sql(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
    use rusqlite::Error;
    |error| match error {
        Error::FromSqlConversionFailure(..)
        | Error::InvalidColumnType(..)
        | Error::IntegralValueOutOfRange(..) => StoreError::Damaged {
            path: path.into(),
            detail: error.to_string(),
        },
        _ => fault(path)(Fault::of(path, &error)),
    }
}

/// Turns a fault of the file into an error of the server.
pub(super) fn fault(path: &Path) -> impl Fn(Fault) -> StoreError + '_ {
    |fault| {
        let (path, detail) = (path.into(), fault.detail);
        match fault.kind {
            FaultKind::NotRegular(path) => StoreError::Sql { path, detail },
            FaultKind::Damaged | FaultKind::NotADatabase => StoreError::Damaged { path, detail },
            _ => StoreError::Sql { path, detail },
        }
    }
}

/// Reads the whole file and checks that it holds together.
pub(super) fn check(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    match find_damage(connection).map_err(sql(path))? {
        None => Ok(()),
        Some(detail) => Err(StoreError::Damaged {
            path: path.into(),
            detail,
        }),
    }
}

/// Returns `true` if a file is one of a game server.
pub fn is_server(path: &Path) -> bool {
    path.is_file() && open(path, false).is_ok()
}

pub(super) fn open(path: &Path, writing: bool) -> Result<Connection, StoreError> {
    // To open a pipe would be to wait for its writer.
    if is_not_regular(path) {
        return Err(StoreError::Foreign(path.into()));
    }
    let opened = if writing {
        open_to_write(path, PATIENCE)
    } else {
        open_to_read(path, PATIENCE)
    };
    let connection = opened.map_err(fault(path))?;
    match FORMAT.check(&connection) {
        Ok(_) => Ok(connection),
        Err(FormatError::Version { found: 1.., .. }) => Err(StoreError::Newer(path.into())),
        Err(FormatError::Foreign | FormatError::Version { .. }) => {
            Err(StoreError::Foreign(path.into()))
        }
        Err(FormatError::Sql(error)) => Err(sql(path)(error)),
    }
}

/// Returns `true` if the file is missing, or has nothing in it.
pub(crate) fn is_new(path: &Path) -> bool {
    // An empty one is not opened: SQLite would take away the log beside it.
    is_missing(path) || (path.is_file() && has_no_tables(path))
}

/// Returns `true` if the file is missing or empty.
fn is_missing(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |file| file.is_file() && file.len() == 0)
}

/// Makes the file if there is none, or one with nothing in it, which an earlier try
/// left that was killed or had no room.
pub(super) fn make_if_new(path: &Path) -> Result<(), StoreError> {
    let problem = |error: std::io::Error| StoreError::Sql {
        path: path.into(),
        detail: error.to_string(),
    };
    check_beside(path).map_err(fault(path))?;
    // SQLite takes away what is left of a file that is gone when it makes a new one. It must
    // be looked at before the file is opened.
    if is_missing(path)
        && let Some(beside) = left_behind(path)
    {
        let file = path.into();
        return Err(StoreError::Lost { file, beside });
    }
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() && has_no_tables(path) => {}
        Ok(_) => return Ok(()),
        Err(_) => create_private(path).map_err(problem)?,
    }
    let made = Connection::open(path).and_then(|mut connection| make(&mut connection));
    made.map_err(|error| {
        // Without room there is nothing in it; the next try shall find none.
        let _ = std::fs::remove_file(path);
        sql(path)(error)
    })
}

/// Returns the write-ahead log beside a file if there is something in it.
fn left_behind(path: &Path) -> Option<PathBuf> {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    let holds = std::fs::metadata(&name).is_ok_and(|known| known.len() > 0);
    holds.then(|| name.into())
}

/// Waits for the right to serve from a file, but not longer than this.
pub(super) fn acquire(path: &Path, patience: Duration) -> Result<FileLock, StoreError> {
    let problem = |path: &Path, detail: String| StoreError::Sql {
        path: path.into(),
        detail,
    };
    FileLock::acquire(path, patience).map_err(|error| match error {
        LockError::Held => StoreError::Busy(path.into()),
        LockError::NotRegular(lock) => problem(&lock, quadrille_store::NOT_REGULAR.into()),
        LockError::Create(error) | LockError::System { error, .. } => {
            problem(path, error.to_string())
        }
    })
}

fn make(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    FORMAT.create(&transaction)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::store::Store;

    /// A new file would take the place of the one to which the log belongs.
    #[test]
    fn a_file_is_not_made_beside_the_log_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("server.db");
        let log = folder.path().join("server.db-wal");
        fs::write(&log, "accounts and games").unwrap();
        for empty in [false, true] {
            if empty {
                fs::write(&path, "").unwrap();
            }
            let error = Store::open(&path, |_| {}).map(drop).unwrap_err();
            let wanted = format!("{} is beside it", log.display());
            assert!(error.to_string().contains(&wanted), "{error}");
            assert_eq!(fs::read(&log).unwrap(), b"accounts and games");
            assert_eq!(path.exists(), empty, "nothing is made");
        }
        // One with nothing in it says nothing.
        fs::write(&log, "").unwrap();
        Store::open(&path, |_| {}).map(drop).unwrap();
    }

    /// A copy of a file in the middle of a change that is never finished, with its
    /// journal.
    fn torn(path: &Path, change: &str) {
        let whole = path.with_extension("whole");
        fs::rename(path, &whole).unwrap();
        let connection = Connection::open(&whole).unwrap();
        // Then the journal is in the file before the transaction ends.
        let early =
            "PRAGMA synchronous = OFF; PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN";
        connection
            .execute_batch(&format!("{early}; {change}"))
            .unwrap();
        fs::copy(&whole, path).unwrap();
        fs::copy(journal_of(&whole), journal_of(path)).unwrap();
    }

    fn journal_of(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push("-journal");
        name.into()
    }

    #[test]
    fn a_file_whose_server_was_killed_is_still_one() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("server.db");
        make_if_new(&path).unwrap();
        assert!(is_server(&path));
        torn(
            &path,
            "CREATE TABLE more (x); INSERT INTO more VALUES (randomblob(200000))",
        );
        assert!(journal_of(&path).exists());
        assert!(is_server(&path));
        assert!(!journal_of(&path).exists());
    }

    /// Neither the file nor what belongs to it is waited for if it is a pipe.
    #[cfg(unix)]
    #[test]
    fn pipes_are_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("server.db");
        make_if_new(&path).unwrap();
        let pipe = |name: &str| {
            let pipe = folder.path().join(name);
            // An earlier start has left its lock.
            let _ = fs::remove_file(&pipe);
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            pipe
        };
        for end in ["-journal", "-wal", "-shm", "-lock"] {
            let made = pipe(&format!("server.db{end}"));
            let error = match Store::open(&path, |_| {}) {
                Ok(_) => panic!("{end} is a pipe"),
                Err(error) => error.to_string(),
            };
            assert!(
                error.contains(end) && error.contains("move it away"),
                "{error}"
            );
            assert_eq!(is_server(&path), end == "-lock");
            fs::remove_file(made).unwrap();
        }
        assert!(is_server(&path));
        let odd = pipe("pipe.db");
        assert!(open(&odd, true).is_err() && !crate::store::lacks_its_log(&odd));
    }

    #[test]
    fn a_file_whose_server_was_killed_while_it_was_made_is_made_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("server.db");
        fs::write(&path, "").unwrap();
        torn(
            &path,
            "CREATE TABLE half (x); INSERT INTO half VALUES (randomblob(200000))",
        );
        assert!(fs::metadata(&path).unwrap().len() > 0);
        make_if_new(&path).unwrap();
        assert!(is_server(&path));
    }
}
