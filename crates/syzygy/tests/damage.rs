//! Damaged tables: whatever the bytes are, there is an answer or an error, soon.

use std::fs;
use std::path::Path;

use quadrille_games::chess::Chess;
use quadrille_syzygy::{Fault, OpenError, RootRules, Tables};

use crate::answers::THREE;
use crate::random::Random;

const RULES: RootRules = RootRules {
    clock: 0,
    repeated: false,
    fifty_moves: true,
};

type File = (String, Vec<u8>);

fn files(folder: &Path) -> Vec<File> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains(".rtb") {
            files.push((name, fs::read(path).unwrap()));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no tables in {}", folder.display());
    files
}

/// Damages a table in one of many ways; most keep its length and its first bytes.
fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    let end = bytes.len() - 16;
    let head = end.min(4 + random.below(600));
    let from = 4 + random.below(end - 4);
    match random.below(11) {
        0 => bytes[4..end].fill_with(|| random.below(256) as u8),
        1 => bytes[5..end].fill_with(|| random.below(256) as u8),
        2 => bytes[from..end].fill_with(|| random.below(256) as u8),
        3 => bytes[from..end].fill(0),
        4 => bytes[from..end].fill(0xff),
        // A few bytes of the header, or anywhere.
        5 | 6 => {
            for _ in 0..=random.below(6) {
                bytes[4 + random.below(head - 3)] = random.below(256) as u8;
            }
        }
        7 => {
            for _ in 0..=random.below(6) {
                bytes[4 + random.below(head - 3)] ^= 1 << random.below(8);
            }
        }
        8 => {
            for _ in 0..=random.below(64) {
                bytes[4 + random.below(end - 4)] = random.below(256) as u8;
            }
        }
        // Cut short, but to a length that a table could have.
        9 => {
            let blocks = random.below(end / 64 + 1);
            bytes.truncate(64 * blocks);
            bytes.extend([7; 16]);
        }
        // One piece of it over another.
        _ => {
            let piece = bytes[from..end.min(from + 1 + random.below(200))].to_vec();
            let to = 4 + random.below(end - 4);
            let room = piece.len().min(end - to);
            bytes[to..to + room].copy_from_slice(&piece[..room]);
        }
    }
}

fn open(files: impl IntoIterator<Item = File>) -> Tables {
    let mut tables = Tables::new();
    for (name, bytes) in files {
        // What shows already here is not added; the others are asked.
        let _ = tables.add_bytes(&name, bytes);
    }
    tables
}

/// Asks everything that can be asked; gives how much was answered.
fn ask(tables: &Tables, positions: &[Chess]) -> (usize, usize) {
    let (mut answered, mut asked) = (0, 0);
    for position in positions {
        let answers = [
            tables.wdl(position).is_ok(),
            tables.dtz(position).is_ok(),
            tables.root_moves(position, RULES).is_ok(),
        ];
        asked += answers.len();
        answered += answers.iter().filter(|&&ok| ok).count();
    }
    (answered, asked)
}

fn damaged_sets(folder: &Path, sets: usize, positions: usize) {
    let whole = files(folder);
    let mut random = Random(250);
    let names: Vec<String> = whole
        .iter()
        .filter_map(|(name, _)| Some(name.strip_suffix(".rtbz")?.to_string()))
        .collect();
    let (mut answered, mut asked, mut refused) = (0, 0, 0);
    for _ in 0..sets {
        // Some of the tables of a set, or all of them.
        let few = random.below(2) == 0;
        let damaged = whole.iter().cloned().map(|(name, mut bytes)| {
            if !few || random.below(4) == 0 {
                damage(&mut bytes, &mut random);
            }
            (name, bytes)
        });
        let tables = open(damaged.collect::<Vec<_>>());
        refused += tables.check().len();
        let asking: Vec<Chess> = (0..positions)
            .flat_map(|_| {
                let name = &names[random.below(names.len())];
                random.positions(name, 1)
            })
            .collect();
        let (some, all) = ask(&tables, &asking);
        answered += some;
        asked += all;
    }
    println!("{sets} sets: {answered} of {asked} answered, {refused} tables refused");
    assert!(answered > 0 && answered < asked);
    assert!(refused > 0);
}

#[test]
fn damaged_sets_do_no_harm() {
    damaged_sets(Path::new(THREE), 250, 20);
}

/// More of them:
/// `QUADRILLE_SYZYGY=folder QUADRILLE_SETS=5000 cargo test -p quadrille-syzygy --test
/// all -- --ignored --nocapture many_damaged_sets`.
#[test]
#[ignore = "needs QUADRILLE_SYZYGY, a folder, and QUADRILLE_SETS, a number"]
fn many_damaged_sets() {
    let folder = std::env::var("QUADRILLE_SYZYGY").expect("QUADRILLE_SYZYGY names no folder");
    let sets = std::env::var("QUADRILLE_SETS").expect("QUADRILLE_SETS is no number");
    damaged_sets(Path::new(&folder), sets.parse().unwrap(), 20);
}

/// Every bit of the small tables turned round, one at a time: everything a header
/// has is met, and a change of one bit either shows or changes nothing that could
/// do harm.
#[test]
fn every_single_bit() {
    let mut random = Random(3);
    for (name, whole) in files(Path::new(THREE)) {
        let ending = name.split('.').next().unwrap();
        let positions = random.positions(ending, 4);
        let others = files(Path::new(THREE));
        let bits = 8 * whole.len().min(400);
        for bit in 0..bits {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // The first table of a name counts.
            let tables = open([(name.clone(), bytes)].into_iter().chain(others.clone()));
            ask(&tables, &positions);
        }
    }
}

/// Headers that are put together from parts that are each possible.
#[test]
fn headers_of_chance() {
    let mut random = Random(77);
    let (mut opened, mut all) = (0, 0);
    for name in ["KQvK", "KPvK", "KPvKP", "KQQvKRR", "KPPPvKPP", "KRBNvKQQ"] {
        let positions = random.positions(name, 4);
        for _ in 0..300 {
            let bytes = header(name, &mut random);
            let mut tables = Tables::new();
            for extension in ["rtbw", "rtbz"] {
                let mut bytes = bytes.clone();
                if extension == "rtbz" {
                    bytes[..4].copy_from_slice(&quadrille_syzygy::TableKind::Dtz.magic());
                }
                tables
                    .add_bytes(&format!("{name}.{extension}"), bytes)
                    .unwrap();
            }
            opened += 2 - tables.check().len();
            all += 2;
            ask(&tables, &positions);
        }
    }
    assert!(opened > 100 && opened < all, "{opened} of {all}");
}

/// A list of pieces that is right, and then flags, sizes and dictionaries of
/// chance.
fn header(name: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = crate::made::constant(name, [0, 4]);
    let parts = bytes.windows(2).position(|pair| pair[0] == 0x80).unwrap();
    bytes.truncate(parts);
    for _ in 0..8 {
        if random.below(3) == 0 {
            bytes.extend([0x80 | random.below(32) as u8, random.below(6) as u8]);
            continue;
        }
        let (shortest, span) = (1 + random.below(4) as u8, random.below(8) as u8);
        bytes.extend([random.below(32) as u8, 5 + random.below(3) as u8]);
        bytes.extend([12 + random.below(20) as u8, random.below(2) as u8]);
        bytes.extend((random.below(9) as u32).to_le_bytes());
        bytes.extend([shortest + span, shortest]);
        let symbols = 1 + random.below(40);
        let mut first: Vec<u16> = (0..=span).map(|_| random.below(symbols) as u16).collect();
        first.sort_unstable_by(|a, b| b.cmp(a));
        first[usize::from(span)] = 0;
        bytes.extend(first.iter().flat_map(|s| s.to_le_bytes()));
        bytes.extend((symbols as u16).to_le_bytes());
        for symbol in 0..symbols {
            let half = |random: &mut Random| random.below(symbol + 1) as u16;
            let [mut left, mut right] = [half(random), half(random)];
            if random.below(2) == 0 || symbol == 0 {
                (left, right) = (random.below(5) as u16, 0xfff);
            }
            bytes.extend([left as u8, (left >> 8 | (right & 15) << 4) as u8]);
            bytes.push((right >> 4) as u8);
        }
        bytes.resize(bytes.len().next_multiple_of(2), 0);
    }
    let rest = 64 * random.below(64);
    bytes.extend((0..rest).map(|_| random.below(256) as u8));
    bytes.resize(bytes.len().next_multiple_of(64), 0);
    bytes.extend([7; 16]);
    bytes
}

/// A symbol that is its own half would never end.
#[test]
fn circles_are_found() {
    let name = "KPvK.rtbw";
    let (_, whole) = files(Path::new(THREE))
        .into_iter()
        .find(|(n, _)| n == name)
        .unwrap();
    // The first dictionary, after magic, flags, four lists of four bytes and one
    // byte to align: flags and sizes, symbols of the least codes, then the symbols.
    let start = 4 + 1 + 4 * 4 + 1;
    let (longest, shortest) = (whole[start + 8], whole[start + 9]);
    let symbols = start + 12 + 2 * usize::from(longest - shortest + 1);
    let mut bytes = whole.clone();
    bytes[symbols..symbols + 3].fill(0);
    let mut tables = Tables::new();
    tables.add_bytes(name, bytes).unwrap();
    let circle = Fault::Header("a symbol that contains itself");
    assert_eq!(tables.check(), [(name.to_string(), circle)]);
}

/// What shows from outside is told at once.
#[test]
fn what_is_no_table_is_not_added() {
    let (name, whole) = files(Path::new(THREE)).remove(7);
    let damaged = |bytes: &[u8]| Tables::new().add_bytes(&name, bytes).unwrap_err();
    let fault = |fault| OpenError::Damaged((&name).into(), fault);
    assert_eq!(damaged(&[]), fault(Fault::Length));
    assert_eq!(damaged(&whole[..16]), fault(Fault::Length));
    assert_eq!(damaged(&whole[..100]), fault(Fault::Length));
    let mut other = whole.clone();
    other[1] ^= 1;
    assert_eq!(damaged(&other), fault(Fault::Magic));
    let mut unfinished = whole.clone();
    let end = whole.len() - 16;
    unfinished[end..].fill(0);
    assert_eq!(damaged(&unfinished), fault(Fault::Unfinished));
    for name in [
        "KvK.rtbw",
        "KPQvK.rtbw",
        "QvK.rtbw",
        "KQQQQQQvK.rtbw",
        "KQvK",
        "kqvk.rtbw",
    ] {
        let error = Tables::new().add_bytes(name, whole.clone()).unwrap_err();
        assert_eq!(error, OpenError::Name(name.into()));
    }
}
