//! Files of other programs, of other versions, and damaged ones.

use std::fs;
use std::time::Duration;

use quadrille_store::format::{find_damage, open_to_write, version};
use quadrille_store::{FaultKind, Format, FormatError, OnFault, open_to_read};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{FORMAT, Store, insert, numbers};

/// The next version of the format.
const NEXT: Format = Format {
    steps: &["ALTER TABLE number ADD COLUMN more TEXT"],
    ..FORMAT
};

#[test]
fn a_newer_version_is_refused() {
    let file = Connection::open_in_memory().unwrap();
    NEXT.create(&file).unwrap();
    assert!(matches!(NEXT.check(&file), Ok(2)));
    let error = FORMAT.check(&file).unwrap_err();
    assert!(matches!(error, FormatError::Version { found: 2, known: 1 }));
    assert_eq!(
        error.to_string(),
        "the file has format 2, this program knows 1"
    );
}

#[test]
fn a_file_of_another_program_is_refused() {
    let file = Connection::open_in_memory().unwrap();
    file.execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(matches!(FORMAT.check(&file), Err(FormatError::Foreign)));
}

#[test]
fn an_older_version_is_migrated() {
    let mut file = Connection::open_in_memory().unwrap();
    FORMAT.create(&file).unwrap();
    insert(1, 1)(&file).unwrap();
    assert!(matches!(NEXT.check(&file), Ok(1)));
    NEXT.migrate(&mut file).unwrap();
    assert!(matches!(NEXT.check(&file), Ok(2)));
    file.execute_batch("SELECT more FROM number").unwrap();
    // A second time there is nothing to do.
    NEXT.migrate(&mut file).unwrap();
    assert_eq!(version(&file).unwrap(), 2);
}

#[test]
fn a_migration_that_fails_leaves_the_file_as_it_was() {
    let broken = Format {
        steps: &["ALTER TABLE number ADD COLUMN more TEXT; SELECT x FROM nowhere"],
        ..FORMAT
    };
    let mut file = Connection::open_in_memory().unwrap();
    FORMAT.create(&file).unwrap();
    broken.migrate(&mut file).unwrap_err();
    assert_eq!(version(&file).unwrap(), 1);
    assert!(file.execute_batch("SELECT more FROM number").is_err());
}

#[test]
fn damage_is_found_before_a_file_is_used() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.db");
    let store = Store::open(&path, OnFault::Stop);
    for n in 0..500 {
        store.send(insert(n, 100));
    }
    drop(store);
    assert_eq!(numbers(&path).len(), 500);
    let whole = fs::read(&path).unwrap();
    // The header, the list of tables, a page of rows, and an end that is missing.
    for (at, length) in [(0, 100), (100, 2000), (5 * 4096, 4096), (whole.len(), 0)] {
        let mut torn = whole.clone();
        torn[at..at + length].fill(0x5a);
        if length == 0 {
            torn.truncate(at / 2 / 4096 * 4096);
        }
        fs::write(&path, &torn).unwrap();
        let opened = open_to_write(&path, Duration::ZERO);
        let found = opened.and_then(|file| {
            let found = find_damage(&file);
            found.map_err(|error| quadrille_store::Fault::of(&path, &error))
        });
        match found {
            Ok(damage) => assert!(damage.is_some(), "{at}"),
            Err(fault) => assert!(
                matches!(fault.kind, FaultKind::Damaged | FaultKind::NotADatabase),
                "{at}: {fault:?}"
            ),
        }
    }
}

#[test]
fn a_text_is_not_a_database() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.txt");
    fs::write(
        &path,
        "a text that is longer than the header of a database".repeat(10),
    )
    .unwrap();
    let fault = open_to_read(&path, Duration::ZERO).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NotADatabase);
    assert!(!fault.is_passing);
}
