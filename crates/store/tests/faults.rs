//! Faults of the disk and of the file, within one process.

use std::fs;
use std::time::Duration;

use quadrille_store::{FaultKind, OnFault, beside};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{CONTINUE, Store, insert, numbers};

/// More than fits into the pages of a file that may not grow.
const LARGE: i64 = 100_000;

#[test]
fn what_was_sent_is_in_the_file_when_the_writer_is_closed() {
    for on_fault in [OnFault::Stop, CONTINUE] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        let store = Store::open(&path, on_fault);
        for n in 0..1000 {
            store.send(insert(n, 1));
        }
        drop(store);
        assert_eq!(numbers(&path), (0..1000).collect::<Vec<_>>());
        assert!(
            !beside(&path, "-wal").exists(),
            "a store at rest is one file"
        );
    }
}

#[test]
fn a_receipt_comes_when_everything_before_is_in_the_file() {
    for on_fault in [OnFault::Stop, CONTINUE] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        let store = Store::open(&path, on_fault);
        for n in 0..200 {
            store.send(insert(2 * n, 1));
            assert!(matches!(store.wait_for(insert(2 * n + 1, 1)), Some(Ok(()))));
            assert_eq!(numbers(&path).len() as i64, 2 * n + 2);
        }
    }
}

/// The answer of the event store and of the game server.
#[test]
fn a_full_disk_stops_a_writer_that_stops() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    assert!(matches!(store.wait_for(insert(1, 1)), Some(Ok(()))));
    store.set_room(true);
    assert!(store.wait_for(insert(2, LARGE)).is_none());
    // Who is not answered finds the reason at once.
    let fault = store.writer.failure().expect("a reason");
    assert_eq!(fault.kind, FaultKind::Full);
    assert_eq!(fault.to_string(), "the disk is full");
    assert_eq!(store.notices.recv().unwrap(), "stopped: the disk is full");
    // It stays so: what comes later may need what was lost.
    assert!(store.wait_for(insert(3, 1)).is_none());
    drop(store);
    assert_eq!(numbers(&path), [1]);
    let store = Store::open(&path, OnFault::Stop);
    assert!(matches!(store.wait_for(insert(2, LARGE)), Some(Ok(()))));
    assert_eq!(numbers(&path), [1, 2]);
}

/// A transaction is whole or not there, however much of it has found room.
#[test]
fn what_a_full_disk_stops_leaves_no_half() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    store.set_room(true);
    let pair = store.wait_for(|file| {
        insert(1, 1)(file)?;
        insert(2, LARGE)(file)
    });
    assert!(pair.is_none());
    drop(store);
    assert!(numbers(&path).is_empty());
}

/// The answer of the page.
#[test]
fn what_a_full_disk_refused_is_written_later_and_in_order() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, CONTINUE);
    store.set_room(true);
    store.send(insert(1, LARGE));
    store.send(insert(2, 1));
    // Who waits is told at once, and the message is not tried again.
    let fault = store.wait_for(insert(3, LARGE)).unwrap().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Full, "{fault}");
    let waiting = store.notices.recv().unwrap();
    assert!(waiting.starts_with("waiting: "), "{waiting}");
    assert!(numbers(&path).is_empty(), "2 is behind 1");
    store.set_room(false);
    store.send(insert(4, 1));
    assert_eq!(store.notices.recv().unwrap(), "written");
    assert!(store.writer.failure().is_none());
    drop(store);
    assert_eq!(numbers(&path), [1, 2, 4]);
}

#[test]
fn a_full_disk_that_only_askers_met_is_nothing_that_waits() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, CONTINUE);
    store.set_room(true);
    assert!(store.wait_for(insert(1, LARGE)).unwrap().is_err());
    store.set_room(false);
    assert!(matches!(store.wait_for(insert(2, LARGE)), Some(Ok(()))));
    assert!(store.notices.try_recv().is_err());
    drop(store);
    assert_eq!(numbers(&path), [2]);
}

/// Memory is bounded: the newest are kept.
#[test]
fn of_too_many_that_wait_the_oldest_are_given_up() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let on_fault = OnFault::Continue {
        retry: Duration::from_hours(1),
        capacity: 3,
    };
    let store = Store::open(&path, on_fault);
    store.set_room(true);
    for n in 0..10 {
        store.send(insert(n, LARGE));
    }
    store.set_room(false);
    drop(store);
    assert_eq!(numbers(&path), [7, 8, 9]);
}

#[test]
fn one_that_can_never_be_written_stops_a_writer_that_stops() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    store.send(|file| file.execute("INSERT INTO nowhere VALUES (1)", []).map(drop));
    assert!(store.wait_for(insert(1, 1)).is_none());
    let fault = store.writer.failure().expect("a reason");
    assert!(fault.to_string().contains("nowhere"), "{fault}");
    assert!(!fault.is_passing);
}

/// Those who wait for a receipt find a reason whatever happens.
#[test]
fn a_panic_on_the_thread_is_a_reason() {
    for on_fault in [OnFault::Stop, CONTINUE] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("a.db");
        let store = Store::open(&path, on_fault);
        assert!(matches!(store.wait_for(insert(1, 1)), Some(Ok(()))));
        let answer = store.wait_for(|_| panic!("a test of panics"));
        assert!(answer.is_none(), "{answer:?}");
        let stopped = store.notices.recv().unwrap();
        assert!(stopped.contains("has panicked"), "{stopped}");
        assert!(store.writer.failure().is_some());
        assert!(store.wait_for(insert(2, 1)).is_none());
        drop(store);
        assert_eq!(numbers(&path), [1]);
    }
}

#[test]
fn one_that_can_never_be_written_leaves_no_trace_and_the_others_are_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, CONTINUE);
    let half = |file: &Connection| {
        insert(7, 1)(file)?;
        file.execute("INSERT INTO nowhere VALUES (1)", []).map(drop)
    };
    store.send(insert(1, 1));
    store.send(half);
    store.send(insert(2, 1));
    let fault = store.wait_for(half).unwrap().unwrap_err();
    assert!(fault.to_string().contains("nowhere"), "{fault}");
    let refused = store.notices.recv().unwrap();
    assert!(refused.starts_with("refused: ") && refused.contains("nowhere"));
    drop(store);
    assert_eq!(numbers(&path), [1, 2]);
}

/// `SQLite` goes on with a file that has lost its name.
#[test]
#[cfg(unix)]
fn a_file_that_has_lost_its_name_stops_a_writer_that_stops() {
    let folder = TempDir::new().unwrap();
    let (path, other) = (folder.path().join("a.db"), folder.path().join("b.db"));
    let lose: [fn(&std::path::Path, &std::path::Path); 3] = [
        |path, other| fs::rename(path, other).unwrap(),
        |path, _| fs::remove_file(path).unwrap(),
        |path, other| {
            fs::rename(path, other).unwrap();
            fs::write(path, "another file").unwrap();
        },
    ];
    for lose in lose {
        for file in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(file.unwrap().path()).unwrap();
        }
        let store = Store::open(&path, OnFault::Stop);
        assert!(matches!(store.wait_for(insert(1, 1)), Some(Ok(()))));
        lose(&path, &other);
        assert!(store.wait_for(insert(2, 1)).is_none());
        let fault = store.writer.failure().expect("a reason");
        assert_eq!(fault.kind, FaultKind::Renamed);
    }
}

/// Nothing has to be sent for it: it is looked for from time to time.
#[test]
#[cfg(unix)]
fn a_lost_name_is_found_while_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    fs::remove_file(&path).unwrap();
    let stopped = store.notices.recv().unwrap();
    assert!(stopped.contains("moved, removed or replaced"), "{stopped}");
}

#[test]
#[cfg(unix)]
fn a_file_that_is_moved_back_gets_what_waits_for_it() {
    let folder = TempDir::new().unwrap();
    let (path, other) = (folder.path().join("a.db"), folder.path().join("b.db"));
    let store = Store::open(&path, CONTINUE);
    assert!(matches!(store.wait_for(insert(1, 1)), Some(Ok(()))));
    fs::rename(&path, &other).unwrap();
    store.send(insert(2, 1));
    let fault = store.wait_for(insert(3, 1)).unwrap().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Renamed);
    fs::rename(&other, &path).unwrap();
    assert!(matches!(store.wait_for(insert(4, 1)), Some(Ok(()))));
    drop(store);
    assert_eq!(numbers(&path), [1, 2, 4]);
}
