//! Answers of engines in a file, by position and asker.
//!
//! An *asker* is everything that an answer depends on beside the position: the
//! program (its bytes, not its name), its arguments and options, the limits, the
//! number of lines, and whether the engine remembered what came before. A program
//! that was built anew is another asker, so nothing stale is ever told.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::report::BestLine;

/// `QDRA`, in the header of every file of ours.
const APPLICATION: i64 = 0x5144_5241;
const VERSION: i64 = 1;
/// How long another analysis that writes just now is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS asker (
    id INTEGER PRIMARY KEY,
    description TEXT NOT NULL UNIQUE,  -- JSON: program, options, limits
    name TEXT                          -- what the engine calls itself
) STRICT;
CREATE TABLE IF NOT EXISTS answer (
    asker INTEGER NOT NULL REFERENCES asker,
    position TEXT NOT NULL,            -- game|rules|position|history
    answer TEXT NOT NULL,              -- JSON, seen from the side to move
    PRIMARY KEY (asker, position)
) STRICT, WITHOUT ROWID;
";

/// A cache that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// Something else is in the file.
    #[error("{0}: this is not a cache of answers; name another file")]
    Foreign(PathBuf),
    /// A newer program has written it.
    #[error(
        "{path}: this cache has format {found}, and this program knows {VERSION}; name another file"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// A file can only be made in a folder that is there.
    #[error("{path}: there is no folder {folder}; make it first, or name another file")]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// Where it should be.
        folder: PathBuf,
    },
    /// It cannot be opened or written.
    #[error("{path}: the cache cannot be used: {detail}; name another file, or use none")]
    Sql {
        /// The file.
        path: PathBuf,
        /// What the database says.
        detail: String,
    },
}

/// What an engine said, as it is kept: scores and chances of the side to move.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Answered {
    pub(super) lines: Vec<BestLine>,
    pub(super) depth: Option<u64>,
    pub(super) nodes: Option<u64>,
}

/// An open file of answers. Every answer is in the file when it has been put
/// there: a process that is killed loses nothing.
#[derive(Debug)]
pub(crate) struct Cache {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Cache {
    /// Opens a file, or begins one. Only the folder of the usual file is made: a folder that
    /// the user names and that is not there is a slip.
    pub(crate) fn open(path: &Path) -> Result<Self, CacheError> {
        let failed = |detail: String| CacheError::Sql {
            path: path.into(),
            detail,
        };
        // To open a pipe would be to wait for its writer.
        if path.exists() && !path.is_file() {
            return Err(CacheError::Foreign(path.into()));
        }
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty())
            && !folder.is_dir()
        {
            if default_cache().as_deref() != Some(path) {
                let (path, folder) = (path.into(), folder.into());
                return Err(CacheError::NoFolder { path, folder });
            }
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let connection = Connection::open(path).map_err(|error| failed(error.to_string()))?;
        prepare(&connection, path)?;
        Ok(Self {
            path: path.into(),
            connection: Mutex::new(connection),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn sql(&self, error: &rusqlite::Error) -> CacheError {
        sql(&self.path, error)
    }

    /// The number of an asker, and the name of its engine if it has been started
    /// before.
    pub(crate) fn asker(&self, description: &str) -> Result<(i64, Option<String>), CacheError> {
        let connection = self.lock();
        let insert = "INSERT OR IGNORE INTO asker (description) VALUES (?1)";
        let select = "SELECT id, name FROM asker WHERE description = ?1";
        let found = connection.execute(insert, [description]).and_then(|_| {
            connection.query_row(select, [description], |row| Ok((row.get(0)?, row.get(1)?)))
        });
        found.map_err(|error| self.sql(&error))
    }

    /// Notes what an engine calls itself.
    pub(super) fn name(&self, asker: i64, name: &str) -> Result<(), CacheError> {
        let update = "UPDATE asker SET name = ?2 WHERE id = ?1 AND name IS NOT ?2";
        let done = self.lock().execute(update, params![asker, name]);
        done.map(drop).map_err(|error| self.sql(&error))
    }

    /// An answer, if it is known.
    pub(crate) fn get<T: DeserializeOwned>(
        &self,
        asker: i64,
        position: &str,
    ) -> Result<Option<T>, CacheError> {
        let connection = self.lock();
        let select = "SELECT answer FROM answer WHERE asker = ?1 AND position = ?2";
        let found = connection.prepare_cached(select).and_then(|mut statement| {
            let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
            statement
                .query_row(params![asker, position], text)
                .optional()
        });
        let text = found.map_err(|error| self.sql(&error))?;
        // An answer that cannot be read is asked for again.
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Forgets all answers to an asker.
    pub(crate) fn clear(&self, asker: i64) -> Result<(), CacheError> {
        let delete = "DELETE FROM answer WHERE asker = ?1";
        let done = self.lock().execute(delete, [asker]);
        done.map(drop).map_err(|error| self.sql(&error))
    }

    /// Keeps an answer.
    pub(crate) fn put<T: Serialize>(
        &self,
        asker: i64,
        position: &str,
        answer: &T,
    ) -> Result<(), CacheError> {
        // Texts and numbers always have a form.
        let text = serde_json::to_string(answer).unwrap_or_default();
        let connection = self.lock();
        let insert = "INSERT OR REPLACE INTO answer (asker, position, answer) VALUES (?1, ?2, ?3)";
        let done = connection
            .prepare_cached(insert)
            .and_then(|mut statement| statement.execute(params![asker, position, text]));
        done.map(drop).map_err(|error| self.sql(&error))
    }
}

fn sql(path: &Path, error: &rusqlite::Error) -> CacheError {
    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
        return CacheError::Foreign(path.into());
    }
    CacheError::Sql {
        path: path.into(),
        detail: error.to_string(),
    }
}

/// Makes sure that the file is ours, and makes the tables of a new one.
fn prepare(connection: &Connection, path: &Path) -> Result<(), CacheError> {
    let failed = |error: rusqlite::Error| sql(path, &error);
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(failed)?;
    let application = pragma("application_id").map_err(failed)?;
    if application != APPLICATION && tables > 0 {
        return Err(CacheError::Foreign(path.into()));
    }
    let found = pragma("user_version").map_err(failed)?;
    if application == APPLICATION && found > VERSION {
        let path = path.into();
        return Err(CacheError::Version { path, found });
    }
    let make = || {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // Two processes may begin the same file. All of it or nothing: tables without
        // the mark of our program would be taken for those of another one.
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION};
             PRAGMA user_version = {VERSION}; COMMIT;"
        ))
    };
    make().map_err(failed)
}

/// Where answers are kept unless told otherwise: in the user's folder for such
/// files; `None` where there is none.
pub fn default_cache() -> Option<PathBuf> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
        let path = PathBuf::from(value);
        path.is_absolute().then_some(path)
    };
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Caches"))
    } else {
        variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))
    };
    Some(folder?.join("quadrille").join("analysis.db"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_driver::EngineScore;

    fn answer(cp: i64) -> Answered {
        Answered {
            lines: vec![BestLine {
                score: Some(EngineScore::Cp(cp)),
                moves: vec!["e2e4".into()],
                ..BestLine::default()
            }],
            depth: Some(7),
            nodes: None,
        }
    }

    #[test]
    fn answers_belong_to_their_askers() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("new/folder/cache.db");
        let error = Cache::open(&nowhere).unwrap_err().to_string();
        assert!(error.contains("new/folder; make it first"), "{error}");
        assert!(!folder.path().join("new").exists());
        let path = folder.path().join("cache.db");
        let cache = Cache::open(&path).unwrap();
        let (one, unnamed) = cache.asker("one").unwrap();
        let (other, _) = cache.asker("other").unwrap();
        assert!(one != other && unnamed.is_none());
        cache.name(one, "Fish").unwrap();
        assert_eq!(cache.get::<Answered>(one, "p").unwrap(), None);
        cache.put(one, "p", &answer(1)).unwrap();
        cache.put(other, "p", &answer(2)).unwrap();
        cache.put(other, "p", &answer(3)).unwrap();
        // Two at once are welcome, and a later one finds everything.
        let second = Cache::open(&path).unwrap();
        assert_eq!(second.asker("one").unwrap(), (one, Some("Fish".into())));
        assert_eq!(second.get(one, "p").unwrap(), Some(answer(1)));
        assert_eq!(second.get(other, "p").unwrap(), Some(answer(3)));
        second.clear(other).unwrap();
        assert_eq!(second.get::<Answered>(other, "p").unwrap(), None);
        assert_eq!(second.get(one, "p").unwrap(), Some(answer(1)));
    }

    #[test]
    fn what_is_not_ours_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        std::fs::write(
            &path,
            "not a database, only words and more words".repeat(100),
        )
        .unwrap();
        assert!(matches!(Cache::open(&path), Err(CacheError::Foreign(_))));
        let other = folder.path().join("other.db");
        let connection = Connection::open(&other).unwrap();
        connection.execute_batch("CREATE TABLE mine (x)").unwrap();
        assert!(matches!(Cache::open(&other), Err(CacheError::Foreign(_))));
        assert!(matches!(
            Cache::open(folder.path()),
            Err(CacheError::Foreign(_))
        ));
        let newer = folder.path().join("newer.db");
        drop(Cache::open(&newer).unwrap());
        let connection = Connection::open(&newer).unwrap();
        connection.pragma_update(None, "user_version", 9).unwrap();
        assert!(matches!(
            Cache::open(&newer),
            Err(CacheError::Version { found: 9, .. })
        ));
    }
}
