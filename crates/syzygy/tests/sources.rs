//! Folders, and other places tables come from.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};

use quadrille_syzygy::{Fault, OpenError, ProbeError, Source, TableKind, Tables, Wdl};

use crate::answers::THREE;
use crate::random::position;

const MATE_SOON: &str = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1";

/// An empty folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("quadrille-syzygy-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_that_are_not_there_are_named() {
    let error = Tables::open(&["/no/such/folder"]).unwrap_err();
    assert!(matches!(error, OpenError::Folder(..)));
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[test]
fn other_files_are_passed_over() {
    let folder = Folder::new("others");
    for name in [
        "KvK.rtbw",
        "KPQvK.rtbw",
        "QvK.rtbw",
        "KQQQQQQvK.rtbw",
        "notes.txt",
        "rtbw",
    ] {
        fs::write(folder.0.join(name), b"?").unwrap();
    }
    let tables = Tables::open(&[&folder.0]).unwrap();
    assert_eq!(tables.count(TableKind::Wdl), 0);
    assert_eq!(tables.most_men(), 0);
}

#[test]
fn a_damaged_file_is_named() {
    let folder = Folder::new("damaged");
    let file = folder.0.join("KQvK.rtbw");
    fs::write(&file, b"not a table").unwrap();
    let error = Tables::open(&[&folder.0]).unwrap_err();
    assert_eq!(error, OpenError::Damaged(file, Fault::Length));
    assert!(error.to_string().contains("KQvK.rtbw"), "{error}");
}

/// A folder under the name of a table is none, nor is anything else that is no
/// file.
#[test]
fn only_files_are_tables() {
    let folder = Folder::new("folder");
    let inner = folder.0.join("KQvK.rtbw");
    fs::create_dir(&inner).unwrap();
    let error = Tables::open(&[&folder.0]).unwrap_err();
    let fault = Fault::Read(io::ErrorKind::InvalidInput);
    assert_eq!(error, OpenError::Damaged(inner, fault));
}

/// Several sets at once, and a folder that is removed while a set is in use.
#[test]
fn sets_know_nothing_of_each_other() {
    let folder = Folder::new("two");
    for file in ["KQvK.rtbw", "KQvK.rtbz"] {
        fs::copy(format!("{THREE}/{file}"), folder.0.join(file)).unwrap();
    }
    let (few, many) = (
        Tables::open(&[&folder.0]).unwrap(),
        Tables::open(&[THREE]).unwrap(),
    );
    let asked = position(MATE_SOON).unwrap();
    assert_eq!(many.wdl(&asked), Ok(Wdl::Win));
    drop(folder);
    let gone = few.wdl(&asked);
    let material = "KQvK".parse().unwrap();
    let fault = Fault::Read(io::ErrorKind::NotFound);
    assert_eq!(
        gone,
        Err(ProbeError::Damaged(material, TableKind::Wdl, fault))
    );
    assert_eq!(many.wdl(&asked), Ok(Wdl::Win));
}

#[test]
fn the_first_table_of_a_name_counts() {
    let mut tables = Tables::new();
    tables
        .add_bytes("KQvK.rtbw", crate::made::constant("KQvK", [2, 2]))
        .unwrap();
    tables.add_folder(THREE.as_ref()).unwrap();
    assert_eq!(tables.wdl(&position(MATE_SOON).unwrap()), Ok(Wdl::Draw));
    assert_eq!(tables.count(TableKind::Wdl), 5);
}

/// A source that stops working gives errors, and answers again afterwards.
#[test]
fn reading_can_fail() {
    struct Broken(Vec<u8>, Arc<AtomicBool>);
    impl Source for Broken {
        fn size(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }
        fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
            if self.1.load(Ordering::Relaxed) {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            into.copy_from_slice(&self.0[at as usize..][..into.len()]);
            Ok(())
        }
    }
    let bytes = fs::read(format!("{THREE}/KPvK.rtbw")).unwrap();
    let broken = Arc::new(AtomicBool::new(false));
    let mut tables = Tables::with_memory(0);
    let source = Broken(bytes, broken.clone());
    tables.add_source("KPvK.rtbw", source).unwrap();
    let asked = position("8/8/4k3/8/4K3/8/4P3/8 w - - 0 1").unwrap();
    assert_eq!(tables.wdl(&asked), Ok(Wdl::Win));
    broken.store(true, Ordering::Relaxed);
    let fault = Fault::Read(io::ErrorKind::ConnectionReset);
    let failed = ProbeError::Damaged("KPvK".parse().unwrap(), TableKind::Wdl, fault);
    assert_eq!(tables.wdl(&asked), Err(failed));
    broken.store(false, Ordering::Relaxed);
    assert_eq!(tables.wdl(&asked), Ok(Wdl::Win));
}

/// All threads find the tables unread, and read them at once.
#[test]
fn threads_may_ask_at_once() {
    let tables = Tables::open(&[THREE]).unwrap();
    let mut random = crate::random::Random(4);
    let positions: Vec<_> = ["KPvK", "KQvK", "KRvK"]
        .iter()
        .flat_map(|name| random.positions(name, 100))
        .collect();
    let start = Barrier::new(4);
    let ask = || {
        start.wait();
        positions.iter().map(|p| tables.dtz(p)).collect::<Vec<_>>()
    };
    let answers = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        threads
            .into_iter()
            .map(|t| t.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(answers[0].iter().all(Result::is_ok));
    assert!(answers.iter().all(|found| *found == answers[0]));
}
