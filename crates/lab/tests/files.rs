//! Files of games: what is written is read, runs go on where they were killed,
//! damage is noticed.

use std::fs;
use std::path::Path;
use std::slice::from_ref;
use std::sync::atomic::AtomicBool;

use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_lab::openings::Opening;
use quadrille_lab::play::game;
use quadrille_lab::{
    FileError, Games, Played, Preset, Progress, Run, RunError, Settings, Stats, run, shuffle,
};
use quadrille_search::Searcher;

const NODES: u64 = 60;

pub(crate) fn settings(seed: u64) -> Settings {
    Settings {
        nodes: NODES,
        hash: 1,
        seed,
        preset: Preset::Standard,
    }
}

fn make(games: u64, threads: usize) -> Run {
    Run {
        settings: settings(5),
        games,
        threads,
        engine: "test".into(),
    }
}

fn play<P: Opening>(path: &Path, made: &Run) -> Result<Progress, RunError> {
    run::<P>(made, path, &AtomicBool::new(false), |_| {})
}

/// A file of several blocks, and where they begin; the last is the file's end.
fn blocks(path: &Path) -> (Vec<u8>, Vec<usize>) {
    let mut places = Vec::new();
    for games in 1..=4 {
        play::<Chess>(path, &make(games, 1)).expect("plays");
        if games == 1 {
            places.push(Games::open(path).expect("there").whole_bytes() as usize);
        }
        places.push(fs::read(path).expect("there").len());
    }
    (fs::read(path).expect("there"), places)
}

fn read<P: Opening>(path: &Path) -> Vec<Played<P>> {
    let mut file = Games::open(path).expect("a file of games");
    let mut games = Vec::new();
    while let Some(block) = file.next_block::<P>(&P::run_rules()).expect("whole") {
        games.extend(block);
    }
    games.sort_by_key(|game| game.number);
    games
}

fn comes_back<P: Opening>() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<P>(&path, &make(6, 2)).expect("plays");
    let mut searcher = Searcher::new();
    searcher.set_hash(1);
    let played: Vec<_> = (0..6)
        .filter_map(|number| game::<P>(&mut searcher, &settings(5), number))
        .collect();
    assert!(played.len() >= 5);
    assert_eq!(read::<P>(&path), played);
    let stats = Stats::of::<P>(&path).expect("sound");
    assert_eq!(stats.games, played.len() as u64);
    assert_eq!(stats.results.iter().sum::<u64>(), stats.games);
    assert!(stats.torn == 0 && stats.doubled == 0);
}

#[test]
fn what_is_played_comes_back() {
    comes_back::<Chess>();
    comes_back::<Leiser>();
    comes_back::<Gyges>();
    comes_back::<Liberty>();
}

#[test]
fn a_run_goes_on_wherever_it_was_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Chess>(&path, &make(8, 1)).expect("plays");
    let whole = read::<Chess>(&path);
    let bytes = fs::read(&path).expect("there");
    let header = Games::open(&path).expect("there").whole_bytes() as usize;
    for cut in (header..bytes.len()).step_by(bytes.len() / 5) {
        fs::write(&path, &bytes[..cut]).expect("writes");
        let progress = play::<Chess>(&path, &make(8, 1)).expect("goes on");
        assert_eq!(read::<Chess>(&path), whole, "cut at {cut}");
        assert_eq!(progress.cut, (cut - header) as u64);
    }
    // A file that is full stays as it is.
    let before = fs::read(&path).expect("there");
    play::<Chess>(&path, &make(8, 1)).expect("nothing to do");
    assert_eq!(fs::read(&path).expect("there"), before);
}

#[test]
fn a_file_made_otherwise_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Chess>(&path, &make(1, 1)).expect("plays");
    let before = fs::read(&path).expect("there");
    let mut other = make(2, 1);
    other.settings.nodes += 1;
    let error = play::<Chess>(&path, &other).expect_err("other nodes");
    assert!(error.to_string().contains("nodes 60, not 61"), "{error}");
    let error = play::<Gyges>(&path, &make(2, 1)).expect_err("another game");
    assert!(
        error.to_string().contains("game chess, not gyges"),
        "{error}"
    );
    fs::write(folder.path().join("notes"), "my notes").expect("writes");
    let error = play::<Chess>(&folder.path().join("notes"), &make(2, 1));
    assert!(matches!(
        error,
        Err(RunError::File(FileError::Foreign { .. }))
    ));
    assert_eq!(fs::read(&path).expect("there"), before);
}

#[test]
fn damage_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Chess>(&path, &make(3, 1)).expect("plays");
    let bytes = fs::read(&path).expect("there");
    let header = Games::open(&path).expect("there").whole_bytes() as usize;
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(&path, &damaged).expect("writes");
        match Stats::of::<Chess>(&path) {
            Ok(stats) => assert!(
                at >= header && stats.torn > 0 && stats.games == 0,
                "byte {at}"
            ),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A wrong bit in the middle of a file must not cost all that follows.
#[test]
fn damage_in_the_middle_is_never_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let (bytes, places) = blocks(&path);
    let last = places[3];
    // Lengths that are too small, too large and absurd; a checksum; a payload.
    for at in [0, 1, 2, 3, 5, 9].map(|at| places[1] + at) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).expect("writes");
        let error = play::<Chess>(&path, &make(5, 1)).expect_err("damaged");
        let place = format!("damaged at byte {}", places[1]);
        assert!(error.to_string().contains(&place), "{error}");
        let error = Stats::of::<Chess>(&path).expect_err("damaged").to_string();
        assert!(error.contains(&place), "{error}");
        assert!(shuffle(from_ref(&path), &folder.path().join("shuffled"), 1).is_err());
        assert_eq!(fs::read(&path).expect("there"), damaged);
    }
    // What a power cut leaves of the last block: all of its bytes, but not their
    // values, or zeros.
    let mut unfilled = bytes.clone();
    *unfilled.last_mut().expect("bytes") ^= 1;
    let mut zeros = bytes[..last].to_vec();
    zeros.resize(last + 300_000, 0);
    for torn in [unfilled, zeros] {
        fs::write(&path, &torn).expect("writes");
        let stats = Stats::of::<Chess>(&path).expect("torn, not damaged");
        assert_eq!(stats.torn, (torn.len() - last) as u64);
        let progress = play::<Chess>(&path, &make(4, 1)).expect("goes on");
        assert_eq!((progress.games, progress.cut), (4, stats.torn));
        assert_eq!(fs::read(&path).expect("there"), bytes);
    }
}

#[test]
fn a_header_that_was_cut_is_begun_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Gyges>(&path, &make(1, 1)).expect("plays");
    let bytes = fs::read(&path).expect("there");
    for cut in [0, 5, 12, 40] {
        fs::write(&path, &bytes[..cut]).expect("writes");
        play::<Gyges>(&path, &make(1, 1)).expect("as if it were new");
        assert_eq!(fs::read(&path).expect("there"), bytes, "cut at {cut}");
    }
}

#[test]
fn a_file_of_another_preset_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let [standard, values] = ["standard", "values"].map(|name| folder.path().join(name));
    let mut other = make(1, 1);
    other.settings.preset = Preset::Values;
    play::<Chess>(&standard, &make(1, 1)).expect("plays");
    play::<Chess>(&values, &other).expect("plays");
    let refused = |path: &Path, run: &Run| {
        let error = play::<Chess>(path, run).expect_err("other rules of play");
        error.to_string()
    };
    let said = refused(&standard, &other);
    assert!(said.contains("preset standard, not values"), "{said}");
    let said = refused(&values, &make(1, 1));
    assert!(said.contains("preset values, not standard"), "{said}");
    play::<Chess>(&values, &other).expect("nothing to do");
    let standard = Games::open(&standard).expect("there");
    assert_eq!(standard.header().get("preset"), None);
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Gyges>(&path, &make(1, 1)).expect("plays");
    let first = fs::File::open(&path).expect("there");
    first.try_lock().expect("nobody else has it");
    let error = play::<Gyges>(&path, &make(2, 1)).expect_err("locked");
    let said = error.to_string();
    assert!(said.ends_with("another run writes to this file"), "{said}");
    first.unlock().expect("it was locked");
    play::<Gyges>(&path, &make(2, 1)).expect("free again");
}

#[test]
fn no_run_goes_on_with_a_shuffled_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let shuffled = folder.path().join("shuffled");
    play::<Gyges>(&path, &make(1, 1)).expect("plays");
    shuffle(&[path], &shuffled, 1).expect("a file");
    let error = play::<Gyges>(&shuffled, &make(2, 1)).expect_err("shuffled");
    assert!(error.to_string().contains("is a shuffled file"), "{error}");
}

/// Blocks with the right checksum and any content: errors, never a panic.
#[test]
fn nonsense_with_the_right_checksum_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    play::<Liberty>(&path, &make(2, 1)).expect("plays");
    let bytes = fs::read(&path).expect("there");
    let header = Games::open(&path).expect("there").whole_bytes() as usize;
    let payload = &bytes[header + 8..];
    for at in (0..payload.len()).step_by(3) {
        for bit in [0, 7] {
            let mut changed = payload.to_vec();
            changed[at] ^= 1 << bit;
            let mut file = bytes[..header + 4].to_vec();
            file.extend_from_slice(&crc32fast::hash(&changed).to_le_bytes());
            file.extend_from_slice(&changed);
            fs::write(&path, &file).expect("writes");
            // What is not noticed is another game that can be played.
            if let Ok(stats) = Stats::of::<Liberty>(&path) {
                assert!(stats.games > 0);
            }
        }
    }
}
