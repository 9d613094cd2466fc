//! Copies of the file that can be put in its place.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use super::StoreError;
use super::file::{open, sql};
use quadrille_store::beside;
use quadrille_store::files::create_private;

/// Where the header of a database says which journal it has, and what stands there when
/// that is a write-ahead log.
const READ_VERSION: usize = 19;
const LOGGED: u8 = 2;

/// Writes everything that the file holds at this moment to a new file, also while a
/// server runs from it: readers of a write-ahead log and its writer do not wait for each
/// other. Every page is read, so a damaged file is found out and not copied.
pub fn backup(path: &Path, target: &Path) -> Result<(), StoreError> {
    let problem = |error: io::Error| StoreError::Sql {
        path: target.into(),
        detail: error.to_string(),
    };
    if target.exists() {
        let exists = "there is a file of this name already; name another";
        return Err(problem(io::Error::other(exists)));
    }
    let connection = open(path, false)?;
    let part = beside(target, "-part");
    // What an earlier try left that was killed.
    let _ = fs::remove_file(&part);
    // Hashes and tokens go with it.
    create_private(&part).map_err(problem)?;
    let copied = || {
        let name = part
            .to_str()
            .ok_or_else(|| problem(io::Error::other("its name is not UTF-8")))?;
        connection
            .execute("VACUUM INTO ?1", [name])
            .map_err(sql(path))?;
        // SQLite does not wait for the disk here.
        let file = File::open(&part).and_then(|file| file.sync_all());
        file.and_then(|()| fs::rename(&part, target))
            .map_err(problem)
    };
    copied().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// Returns `true` if a file says that its last changes are in a write-ahead log, and none is beside
/// it: as when it was copied from a running server without its `-wal`.
pub fn lacks_its_log(path: &Path) -> bool {
    let mut header = [0; READ_VERSION + 1];
    // To open a pipe would be to wait for its writer.
    if !path.is_file() {
        return false;
    }
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[READ_VERSION] == LOGGED && !beside(path, "-wal").exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::{AccountRow, Keep};
    use crate::store::Store;

    fn account(name: &str) -> Keep {
        Keep::Account(AccountRow {
            name: name.into(),
            hash: "x".into(),
        })
    }

    /// Keeps an account and waits until it is in the file.
    fn keep(store: &Store, name: &str) {
        let (told, written) = std::sync::mpsc::channel();
        let told = move || told.send(()).expect("it is waited for");
        store.keep(account(name), Some(Box::new(told)));
        written.recv().expect("it is written");
    }

    #[test]
    fn a_backup_of_a_running_server_holds_all_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, copy, second, torn] =
            ["server.db", "copy.db", "second.db", "torn.db"].map(|name| folder.path().join(name));
        let (store, _) = Store::open(&path, |_| {}).expect("a store");
        keep(&store, "Ann");
        backup(&path, &copy).expect("a backup");
        keep(&store, "Bob");
        backup(&path, &second).expect("another");
        let again = backup(&path, &copy).expect_err("it is there").to_string();
        assert!(again.contains("name another"), "{again}");
        // What is copied by hand lacks the log, and says so.
        fs::copy(&path, &torn).expect("a copy");
        assert!(lacks_its_log(&torn) && !lacks_its_log(&path));
        assert!(!lacks_its_log(&copy));
        store.close(&path).expect("all is written");
        assert!(!lacks_its_log(&path));
        for (file, names) in [(&copy, vec!["Ann"]), (&second, vec!["Ann", "Bob"])] {
            let (store, kept) = Store::open(file, |_| {}).expect("a store");
            let known: Vec<&str> = kept.accounts.iter().map(|row| &*row.name).collect();
            assert_eq!(known, names, "{}", file.display());
            store.close(file).expect("all is written");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&copy).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    /// Whatever part of it was overwritten: it is said in words, nothing is changed, and
    /// no backup is made of it.
    #[test]
    fn a_damaged_file_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("server.db");
        let (store, _) = Store::open(&path, |_| {}).expect("a store");
        for n in 0..500 {
            store.keep(account(&format!("player-{n}")), None);
        }
        store.close(&path).expect("all is written");
        let whole = fs::read(&path).expect("a file");
        let name = b"player-250";
        let at = whole.windows(name.len()).position(|part| part == name);
        let page = at.expect("it is in the file") / 4096 * 4096;
        // The header, the list of tables, and a page of accounts.
        for (at, length) in [(0, 100), (100, 2000), (page, 4096)] {
            let mut torn = whole.clone();
            torn[at..at + length].fill(0x5a);
            fs::write(&path, &torn).expect("a file");
            let Err(error) = Store::open(&path, |_| {}) else {
                panic!("{at}: it is damaged");
            };
            assert!(matches!(error, StoreError::Damaged { .. }), "{at}: {error}");
            assert!(error.to_string().contains("is damaged"), "{error}");
            let copy = folder.path().join("copy.db");
            assert!(backup(&path, &copy).is_err(), "{at}");
            assert!(!copy.exists(), "{at}");
        }
    }
}
