//! Opening a file whose last writer was killed.
//!
//! Such a writer leaves a `-journal` or a `-wal` beside its file, and the file is
//! whole only together with it. A connection that may write plays it back when it
//! opens the file; one that only reads refuses to.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, ffi};

use crate::fault::Fault;
use crate::files::{BESIDE, beside, is_not_regular};

/// Refuses what stands beside a store under the name of its journal, log or index and is
/// not a regular file: to open a pipe would be to wait for its writer for ever.
pub fn check_beside(path: &Path) -> Result<(), Fault> {
    // SQLite keeps them beside the file that a link leads to.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let files = [path, &real].into_iter();
    let mut files = files.flat_map(|path| BESIDE.map(|end| beside(path, end)));
    match files.find(|file| is_not_regular(file)) {
        Some(found) => Err(Fault::not_regular(found)),
        None => Ok(()),
    }
}

/// Opens a connection that only reads, waiting for others as long as `patience`.
/// Plays back first what a killed writer has left unfinished.
pub fn open_to_read(path: &Path, patience: Duration) -> Result<Connection, Fault> {
    let open = |access| {
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(patience)?;
        // Opening alone reads nothing.
        connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
        Ok(connection)
    };
    check_beside(path)?;
    let opened = match open(OpenFlags::SQLITE_OPEN_READ_ONLY) {
        Err(error) if is_unfinished(&error) => {
            let played_back = open(OpenFlags::SQLITE_OPEN_READ_WRITE);
            let failed = played_back.err().filter(|error| !may_not_write(error));
            let opened = open(OpenFlags::SQLITE_OPEN_READ_ONLY);
            // Why it could not be played back says more than that it has to be.
            opened.map_err(|error| failed.unwrap_or(error))
        }
        done => done,
    };
    opened.map_err(|error| Fault::of(path, &error))
}

/// Returns `true` if a file or its folder may only be read.
fn may_not_write(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode;
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Returns `true` if a file cannot be read because something beside it must be played back
/// by a connection that may write.
fn is_unfinished(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    matches!(
        code,
        Some(
            ffi::SQLITE_READONLY_ROLLBACK
                | ffi::SQLITE_READONLY_RECOVERY
                | ffi::SQLITE_READONLY_CANTINIT
        )
    )
}

/// Returns `true` if a file is a database in which nothing is yet: the process that began it was
/// killed at once.
pub fn has_no_tables(path: &Path) -> bool {
    open_to_read(path, Duration::ZERO)
        .is_ok_and(|connection| count_tables(&connection).is_ok_and(|tables| tables == 0))
}

/// Counts the tables and indices of a database.
pub fn count_tables(connection: &Connection) -> rusqlite::Result<i64> {
    let query = "SELECT count(*) FROM sqlite_master";
    connection.query_row(query, [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::fault::FaultKind;
    use crate::files::unfinished;

    /// A file and its journal as a writer leaves them that is killed before the
    /// end of a transaction.
    fn torn(folder: &Path) -> PathBuf {
        let (path, copy) = (folder.join("live.db"), folder.join("torn.db"));
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(
                // Then the journal is in the file before the transaction ends.
                "PRAGMA synchronous = OFF; PRAGMA cache_size = 1; PRAGMA cache_spill = 1;
                 CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000));
                 BEGIN; UPDATE t SET x = randomblob(200000);",
            )
            .unwrap();
        fs::copy(&path, &copy).unwrap();
        fs::copy(beside(&path, "-journal"), beside(&copy, "-journal")).unwrap();
        copy
    }

    fn length(connection: &Connection) -> i64 {
        let query = "SELECT length(x) FROM t";
        connection.query_row(query, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_journal_that_a_killed_writer_left_is_played_back() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = torn(folder.path());
        let plain = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let error = plain
            .query_row("SELECT 1 FROM t", [], |_| Ok(()))
            .unwrap_err();
        assert!(is_unfinished(&error), "{error}");
        drop(plain);
        assert_eq!(unfinished(&path), [beside(&path, "-journal")]);
        let connection = open_to_read(&path, Duration::ZERO).unwrap();
        assert_eq!(length(&connection), 100_000);
        assert!(unfinished(&path).is_empty());
        let written = connection.execute_batch("DELETE FROM t");
        assert!(written.is_err(), "it may only read");
        assert!(!has_no_tables(&path));
        fs::write(folder.path().join("empty.db"), "").unwrap();
        assert!(has_no_tables(&folder.path().join("empty.db")));
        fs::write(folder.path().join("text"), "no database at all").unwrap();
        assert!(!has_no_tables(&folder.path().join("text")));
    }

    /// Where a test of its own process finds its file.
    #[cfg(unix)]
    const TORN: &str = "QUADRILLE_TEST_TORN";

    /// Run by the next test in a process whose files must not grow.
    #[cfg(unix)]
    #[test]
    fn opens_the_file_of_another_test() {
        if let Some(path) = std::env::var_os(TORN) {
            let fault = open_to_read(Path::new(&path), Duration::ZERO).unwrap_err();
            println!("said: {:?} {fault}", fault.kind);
        }
    }

    /// A full disk is not a file that may only be read.
    #[cfg(unix)]
    #[test]
    fn a_full_disk_while_a_journal_is_played_back_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = torn(folder.path());
        let test = "recovery::tests::opens_the_file_of_another_test";
        let run = |limit: &str| {
            let program = std::env::current_exe().unwrap();
            let command = format!("trap '' XFSZ; {limit} exec \"$0\" --exact {test} --nocapture");
            let output = std::process::Command::new("sh")
                .args(["-c", &command])
                .arg(program)
                .env(TORN, &path)
                .output()
                .unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        let said = run("ulimit -f 0;");
        assert!(said.contains("said: "), "{said}");
        assert!(!said.contains("ReadOnly"), "{said}");
        let reason = ["disk is full", "disk I/O error"];
        assert!(reason.iter().any(|reason| said.contains(reason)), "{said}");
        // There is room again.
        assert_eq!(
            length(&open_to_read(&path, Duration::ZERO).unwrap()),
            100_000
        );
    }

    /// Nobody ever writes into such a pipe.
    #[cfg(unix)]
    #[test]
    fn a_pipe_under_the_name_of_a_journal_is_not_waited_for() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("e.db");
        Connection::open(&path)
            .unwrap()
            .execute_batch("CREATE TABLE t (x)")
            .unwrap();
        let link = folder.path().join("link.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        for end in BESIDE {
            let pipe = beside(&path, end);
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            for path in [&path, &link] {
                let fault = open_to_read(path, Duration::ZERO).unwrap_err();
                let FaultKind::NotRegular(found) = &fault.kind else {
                    panic!("{fault}");
                };
                assert!(found.to_string_lossy().ends_with(end), "{fault:?}");
                assert!(fault.to_string().contains("move it away"), "{fault}");
                assert!(!has_no_tables(path));
            }
            fs::remove_file(&pipe).unwrap();
        }
        assert!(open_to_read(&link, Duration::ZERO).is_ok());
    }

    #[test]
    fn a_transaction_that_is_running_is_left_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("live.db");
        let writer = Connection::open(&path).unwrap();
        writer
            .execute_batch(
                "CREATE TABLE t (x); INSERT INTO t VALUES ('a'); BEGIN; UPDATE t SET x = 'bc';",
            )
            .unwrap();
        let reader = open_to_read(&path, Duration::ZERO).unwrap();
        assert_eq!(length(&reader), 1);
        drop(reader);
        writer.execute_batch("COMMIT").unwrap();
        assert_eq!(length(&writer), 2);
    }
}
