//! How positions are numbered, for endings of up to seven pieces: on tables with
//! values that mean nothing, read by python-chess too.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use quadrille_games::Position;
use quadrille_syzygy::Tables;

use crate::made::meaningless;
use crate::random::Random;

/// Small enough to be made in every run.
const SMALL: [&str; 8] = [
    "KQvK", "KPvK", "KQQvK", "KPvKP", "KRRvKR", "KPPvKP", "KRRRvK", "KPPPvK",
];

/// All kinds of first groups, of pawns on both sides, of equal pieces.
const LARGE: [&str; 14] = [
    "KQRvKR", "KRPvKP", "KQQvKRR", "KRRRvKR", "KPPvKPP", "KRPPvKP", "KBBBBvK", "KPPPPvK",
    "KQQQvKRR", "KPPPvKPP", "KRRPPvKP", "KPPPPPvK", "KQRRvKRR", "KQPPvKPP",
];

/// A table says the same however it is read: whole, in pages that are kept, in
/// pages that are not.
#[test]
fn memory_changes_nothing() {
    let mut random = Random(11);
    for name in SMALL {
        let bytes = meaningless(name, &mut random);
        let file = format!("{name}.rtbw");
        let positions = random.positions(name, 300);
        let mut answers = Vec::new();
        for memory in [None, Some(usize::MAX), Some(200_000), Some(0)] {
            let mut tables = Tables::with_memory(memory.unwrap_or(0));
            match memory {
                None => tables.add_bytes(&file, bytes.clone()).unwrap(),
                Some(_) => tables.add_source(&file, Slow(bytes.clone())).unwrap(),
            }
            assert_eq!(tables.check(), [], "{name}");
            let found: Vec<_> = positions.iter().map(|p| tables.stored_wdl(p)).collect();
            assert!(found.iter().all(Result::is_ok), "{name} {found:?}");
            answers.push(found);
        }
        assert!(answers.iter().all(|found| *found == answers[0]), "{name}");
    }
}

/// Bytes that are not offered whole.
struct Slow(Vec<u8>);

impl quadrille_syzygy::Source for Slow {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> std::io::Result<()> {
        let from = self.0.get(at as usize..).unwrap_or(&[]);
        let from = from.get(..into.len());
        into.copy_from_slice(from.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Positions that are reflections of each other have one number, and so one value.
/// (Not where two pawns are equally far out: there the format has two.)
#[test]
fn reflections_are_the_same() {
    let mut random = Random(12);
    for name in [
        "KQvK", "KPvK", "KQQvK", "KPvKP", "KRRvKR", "KPPvKP", "KRRRvK",
    ] {
        let mut tables = Tables::new();
        let bytes = meaningless(name, &mut random);
        tables.add_bytes(&format!("{name}.rtbw"), bytes).unwrap();
        for position in random.positions(name, 100) {
            let text = position.text();
            let (board, rest) = text.split_once(' ').unwrap();
            let mirrored: Vec<String> = board
                .split('/')
                .map(|rank| rank.chars().rev().collect())
                .collect();
            let mirrored = format!("{} {rest}", mirrored.join("/"));
            let other = crate::random::position(&mirrored).unwrap();
            let values = [&position, &other].map(|p| tables.stored_wdl(p));
            assert_eq!(values[0], values[1], "{name} {text}");
        }
    }
}

/// Writes tables, positions and our answers into a folder, for
/// `tests/stored.py FOLDER`:
/// `QUADRILLE_MADE=FOLDER cargo test -p quadrille-syzygy --test all -- --ignored
/// write_made_tables`.
#[test]
#[ignore = "needs QUADRILLE_MADE, a folder to write to (100 MB)"]
fn write_made_tables() {
    let folder = std::env::var("QUADRILLE_MADE").expect("QUADRILLE_MADE names no folder");
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).unwrap();
    let mut random = Random(13);
    let mut lines = String::new();
    for name in SMALL.iter().chain(&LARGE) {
        let bytes = meaningless(name, &mut random);
        let file = format!("{name}.rtbw");
        fs::write(folder.join(&file), &bytes).unwrap();
        let mut tables = Tables::new();
        tables.add_bytes(&file, bytes).unwrap();
        assert_eq!(tables.check(), []);
        for position in random.positions(name, 2_000) {
            let value = tables.stored_wdl(&position).unwrap().value();
            writeln!(lines, "{name}|{}|{value}", position.text()).unwrap();
        }
    }
    fs::write(folder.join("answers.txt"), lines).unwrap();
}
