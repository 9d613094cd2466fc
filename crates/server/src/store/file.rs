//! The file itself: what it looks like, and who may open it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quadrille_match::store::{ODD, check_beside, has_no_tables, is_odd, open_to_read, plies};
use rusqlite::Connection;

use super::StoreError;

/// `QDRS`, in the header of every file of ours.
const APPLICATION: i64 = 0x5144_5253;
/// The format of the tables.
const VERSION: i64 = 1;
/// How long another program that has the file locked is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

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

pub(super) fn sql(path: &Path) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
    |error| {
        if let rusqlite::Error::InvalidPath(odd) = error {
            let detail = ODD.into();
            return StoreError::Sql { path: odd, detail };
        }
        let (path, detail) = (path.into(), error.to_string());
        if is_damage(&error) {
            StoreError::Damaged { path, detail }
        } else {
            StoreError::Sql { path, detail }
        }
    }
}

/// Whether it is the file that is wrong: `SQLite` cannot read it, or what stands in it is
/// nothing that we wrote.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::{Error, ErrorCode};
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    ) || matches!(
        error,
        Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..)
    )
}

/// Reads the whole file and checks that it holds together.
pub(super) fn check(path: &Path, connection: &Connection) -> Result<(), StoreError> {
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    let detail = found.map_err(sql(path))?;
    if detail == "ok" {
        return Ok(());
    }
    Err(StoreError::Damaged {
        path: path.into(),
        detail,
    })
}

/// Whether a file is one of a game server.
pub fn is_server(path: &Path) -> bool {
    path.is_file() && open(path, false).is_ok()
}

pub(super) fn open(path: &Path, writing: bool) -> Result<Connection, StoreError> {
    use rusqlite::OpenFlags;
    // To open a pipe would be to wait for its writer.
    if is_odd(path) {
        return Err(StoreError::Foreign(path.into()));
    }
    check_beside(path).map_err(sql(path))?;
    let connection = if writing {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Connection::open_with_flags(path, flags)
    } else {
        open_to_read(path, PATIENCE)
    };
    let connection = connection.map_err(sql(path))?;
    connection.busy_timeout(PATIENCE).map_err(sql(path))?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if pragma("application_id").map_err(sql(path))? != APPLICATION {
        return Err(StoreError::Foreign(path.into()));
    }
    if pragma("user_version").map_err(sql(path))? > VERSION {
        return Err(StoreError::Newer(path.into()));
    }
    Ok(connection)
}

/// Whether the file is missing, or has nothing in it.
pub(crate) fn is_new(path: &Path) -> bool {
    // An empty one is not opened: SQLite would take away the log beside it.
    is_missing(path) || (path.is_file() && has_no_tables(path))
}

/// Whether the file is missing or empty.
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
    check_beside(path).map_err(sql(path))?;
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
        Err(_) => private(path).map_err(problem)?,
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

/// Makes an empty file that only its owner can read: there are hashes and tokens
/// in it.
pub(super) fn private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// One process serves from a file. The lock goes with its holder.
pub(super) fn take_lock(path: &Path) -> Result<std::fs::File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let problem = |error: std::io::Error| StoreError::Sql {
        path: path.into(),
        detail: error.to_string(),
    };
    if is_odd(Path::new(&name)) {
        return Err(StoreError::Sql {
            path: name.into(),
            detail: ODD.into(),
        });
    }
    let file = std::fs::File::create(&name).map_err(problem)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::Busy(path.into())),
        Err(std::fs::TryLockError::Error(error)) => Err(problem(error)),
    }
}

fn make(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLES)?;
    transaction.execute_batch(plies::TABLE)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
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
