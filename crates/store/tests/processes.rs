//! Other processes: killed while they write, at the same file, or without room.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use quadrille_store::format::{find_damage, open_to_write};
use quadrille_store::{FaultKind, FileLock, LockError, OnFault, beside};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{CONTINUE, Store, insert, numbers};

/// The file of a process that a test starts.
const FILE: &str = "QUADRILLE_TEST_STORE";
/// The work of that process.
const WORK: &str = "QUADRILLE_TEST_WORK";

/// Run by the other tests in processes of their own.
#[test]
fn works_for_another_test() {
    let (Some(path), Ok(work)) = (std::env::var_os(FILE), std::env::var(WORK)) else {
        return;
    };
    let path = PathBuf::from(path);
    let on_fault = if work.ends_with("continue") {
        CONTINUE
    } else {
        OnFault::Stop
    };
    match work.split(' ').next() {
        Some("write") => write_on(&path, on_fault),
        Some("hold") => {
            let file = open_to_write(&path, Duration::from_secs(30)).unwrap();
            file.execute_batch("BEGIN IMMEDIATE").unwrap();
            say("held");
            wait_for_end();
        }
        Some("lock") => {
            let _lock = FileLock::acquire(&path, Duration::from_secs(30)).unwrap();
            say("held");
            wait_for_end();
        }
        _ => panic!("{work}"),
    }
}

/// Writes numbers and tells those that are in the file, until a fault or the end.
fn write_on(path: &Path, on_fault: OnFault) {
    let store = Store::open(path, on_fault);
    for n in 0..200_000 {
        store.send(insert(2 * n, 100));
        match store.wait_for(insert(2 * n + 1, 100)) {
            Some(Ok(())) => say(&format!("written {}", 2 * n + 1)),
            Some(Err(fault)) => {
                say(&format!("fault {:?} {fault}", fault.kind));
                return;
            }
            None => {
                let fault = store.writer.failure().expect("a reason");
                say(&format!("fault {:?} {fault}", fault.kind));
                return;
            }
        }
    }
}

/// The test harness may have begun a line.
fn say(words: &str) {
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "\nsaid: {words}");
    let _ = output.flush();
}

fn wait_for_end() {
    let _ = std::io::stdin().lock().read_line(&mut String::new());
}

/// A process that works on a file. Dropping it kills it.
struct Other {
    child: Child,
    output: Lines<BufReader<ChildStdout>>,
    input: Option<ChildStdin>,
}

impl Other {
    fn start(path: &Path, work: &str) -> Self {
        Self::run(Command::new(std::env::current_exe().unwrap()), path, work)
    }

    /// Starts it where files may have so many blocks of 512 or 1024 bytes.
    #[cfg(unix)]
    fn start_without_room(path: &Path, work: &str, blocks: u64) -> Self {
        let mut command = Command::new("sh");
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &limit]);
        command.arg(std::env::current_exe().unwrap());
        Self::run(command, path, work)
    }

    fn run(mut command: Command, path: &Path, work: &str) -> Self {
        let mut child = command
            .args(["--exact", "processes::works_for_another_test"])
            .arg("--nocapture")
            .env(FILE, path)
            .env(WORK, work)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let input = child.stdin.take();
        Self {
            child,
            output,
            input,
        }
    }

    /// Returns its next words; `None` at its end.
    fn said(&mut self) -> Option<String> {
        let mut lines = self.output.by_ref().map_while(Result::ok);
        lines.find_map(|line| line.strip_prefix("said: ").map(str::to_owned))
    }

    /// Lets it go to its end.
    fn end(mut self) {
        self.input = None;
        self.child.wait().unwrap();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn number(said: &str) -> Option<i64> {
    said.strip_prefix("written ")?.parse().ok()
}

/// Checks that a file has all numbers up to the last that was told, once and in order.
fn check_numbers(path: &Path, last: Option<i64>) {
    let found = numbers(path);
    let count = found.len() as i64;
    assert_eq!(found, (0..count).collect::<Vec<_>>());
    assert!(last.is_none_or(|last| last < count), "{last:?} of {count}");
    let file = open_to_write(path, Duration::ZERO).unwrap();
    assert_eq!(find_damage(&file).unwrap(), None);
}

#[test]
fn what_a_killed_process_has_told_is_in_the_file() {
    let folder = TempDir::new().unwrap();
    for (turn, work) in ["write", "write continue"]
        .into_iter()
        .cycle()
        .take(6)
        .enumerate()
    {
        let path = folder.path().join(format!("{turn}.db"));
        let mut other = Other::start(&path, work);
        let mut last = None;
        for _ in 0..20 * (turn + 1) {
            last = other.said().and_then(|said| number(&said));
            assert!(last.is_some(), "{work}");
        }
        other.child.kill().unwrap();
        // It may have told more before it was dead.
        while let Some(said) = other.said() {
            last = number(&said).or(last);
        }
        other.child.wait().unwrap();
        check_numbers(&path, last);
        // The next one goes on with it.
        let store = Store::open(&path, OnFault::Stop);
        let next = numbers(&path).len() as i64;
        assert!(matches!(store.wait_for(insert(next, 1)), Some(Ok(()))));
        drop(store);
        assert!(!beside(&path, "-wal").exists());
        check_numbers(&path, Some(next));
    }
}

/// The system itself refuses to make the file larger.
#[test]
#[cfg(unix)]
fn a_file_that_may_not_grow_is_a_full_disk() {
    let folder = TempDir::new().unwrap();
    for work in ["write stop", "write continue"] {
        let path = folder.path().join(work.replace(' ', "-"));
        drop(Store::open(&path, OnFault::Stop));
        let mut other = Other::start_without_room(&path, work, 256);
        let (mut last, mut fault) = (None, None);
        while let Some(said) = other.said() {
            match number(&said) {
                Some(n) => last = Some(n),
                None => fault = Some(said),
            }
        }
        let fault = fault.expect("a fault");
        assert!(fault.starts_with("fault Full"), "{fault}");
        assert!(last.is_some(), "{work}");
        drop(other);
        check_numbers(&path, last);
    }
}

/// With a short patience, so that the test does not wait for it.
const SHORT: Duration = Duration::from_millis(20);

#[test]
fn a_lock_of_another_program_stops_a_writer_that_stops() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open_with(&path, OnFault::Stop, SHORT);
    assert!(matches!(store.wait_for(insert(0, 1)), Some(Ok(()))));
    let mut other = Other::start(&path, "hold");
    assert_eq!(other.said().as_deref(), Some("held"));
    assert!(store.wait_for(insert(1, 1)).is_none());
    let fault = store.writer.failure().expect("a reason");
    let FaultKind::Locked { by } = &fault.kind else {
        panic!("{fault:?}");
    };
    #[cfg(target_os = "linux")]
    assert!(
        by.contains(&format!("process {} (", other.child.id())),
        "{by}"
    );
    assert!(!by.is_empty() && fault.is_passing);
    other.end();
    drop(store);
    check_numbers(&path, Some(0));
}

#[test]
fn what_a_lock_of_another_program_kept_out_is_written_once() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open_with(&path, CONTINUE, SHORT);
    assert!(matches!(store.wait_for(insert(0, 1)), Some(Ok(()))));
    let mut other = Other::start(&path, "hold");
    assert_eq!(other.said().as_deref(), Some("held"));
    store.send(insert(1, 1));
    store.send(insert(2, 1));
    let fault = store.wait_for(insert(9, 1)).unwrap().unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Locked { .. }), "{fault:?}");
    other.end();
    assert!(matches!(store.wait_for(insert(3, 1)), Some(Ok(()))));
    drop(store);
    check_numbers(&path, Some(3));
}

#[test]
fn one_process_at_a_time_has_the_lock_and_it_goes_with_its_holder() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let mut other = Other::start(&path, "lock");
    assert_eq!(other.said().as_deref(), Some("held"));
    let refused = FileLock::acquire(&path, SHORT);
    assert!(matches!(refused, Err(LockError::Held)), "{refused:?}");
    // A holder that is killed leaves the file, which holds nobody up.
    other.child.kill().unwrap();
    other.child.wait().unwrap();
    assert!(beside(&path, "-lock").exists());
    let lock = FileLock::acquire(&path, Duration::from_secs(30)).unwrap();
    drop(lock);
    assert!(!beside(&path, "-lock").exists());
}

#[test]
#[cfg(unix)]
fn a_pipe_in_the_place_of_the_lock_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let made = Command::new("mkfifo").arg(beside(&path, "-lock")).status();
    assert!(made.unwrap().success());
    let error = FileLock::acquire(&path, Duration::ZERO).unwrap_err();
    assert!(error.to_string().contains("move it away"), "{error}");
}

/// A reader neither waits for the writer nor keeps it waiting.
#[test]
fn a_reader_of_another_connection_is_in_nobodys_way() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    assert!(matches!(store.wait_for(insert(0, 1)), Some(Ok(()))));
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT * FROM number").unwrap();
    assert!(matches!(store.wait_for(insert(1, 1)), Some(Ok(()))));
    // It stays a log as long as somebody reads.
    drop(store);
    assert!(beside(&path, "-wal").exists());
    drop(reader);
    check_numbers(&path, Some(1));
}
