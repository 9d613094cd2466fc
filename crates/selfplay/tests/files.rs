//! Files of games: what is written is read, runs go on where they were killed,
//! damage is noticed.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_search::Searcher;
use quadrille_selfplay::openings::Opening;
use quadrille_selfplay::play::game;
use quadrille_selfplay::{FileError, Games, Played, Run, RunError, Settings, Stats, run};

const NODES: u64 = 60;

pub(crate) fn settings(seed: u64) -> Settings {
    Settings {
        nodes: NODES,
        hash: 1,
        seed,
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

fn play<P: Opening>(path: &Path, made: &Run) -> Result<(), RunError> {
    run::<P>(made, path, &AtomicBool::new(false), |_| {}).map(|_| ())
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
    assert!(!stats.torn && stats.doubled == 0);
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
        play::<Chess>(&path, &make(8, 1)).expect("goes on");
        assert_eq!(read::<Chess>(&path), whole, "cut at {cut}");
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
            Ok(stats) => assert!(at >= header && stats.torn && stats.games == 0, "byte {at}"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
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
