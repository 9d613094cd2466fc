//! Options that must show in what the engine does, where a fixed script cannot
//! say what exactly that is.

mod support;

use std::path::PathBuf;

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::{Game, Line, Position};
use support::Host;

/// Searches and gives all lines of the search with times and speeds cut out.
fn search(host: &Host, go: &str) -> Vec<String> {
    host.send(go);
    let lines = host.until(|line| line.starts_with("bestmove"));
    let timeless = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for key in ["time", "nps", "cpuload"] {
            if let Some(at) = words.iter().position(|word| *word == key) {
                words.drain(at..(at + 2).min(words.len()));
            }
        }
        words.join(" ")
    };
    lines.iter().map(timeless).collect()
}

fn best(lines: &[String]) -> &str {
    let last = lines.last().expect("an answer");
    last.split(' ').nth(1).expect("a move")
}

#[test]
fn a_new_game_is_a_fresh_start() {
    for (game, go) in [
        (Game::Chess, "go nodes 20000"),
        (Game::Liberty, "go nodes 20000"),
        (Game::Leiser, "go nodes 20000"),
    ] {
        let host = Host::new(game, "");
        host.send("position startpos");
        let first = search(&host, go);
        host.send("ucinewgame");
        let second = search(&host, go);
        assert_eq!(first, second, "{game}");
        host.send("setoption name Clear Hash");
        assert_eq!(first, search(&host, go), "{game}");
        host.quit();
    }
}

#[test]
fn a_seed_makes_a_weak_player_repeat_itself() {
    let game = |seed: u32| {
        let host = Host::new(Game::Chess, "");
        host.send(&format!("setoption name Random Seed value {seed}"));
        host.send("setoption name UCI_LimitStrength value true");
        host.send("setoption name UCI_Elo value 600");
        let mut line = Line::new(Chess::start(&ChessRules::default()));
        let mut moves = String::new();
        for _ in 0..12 {
            host.send("ucinewgame");
            host.send(&format!("position startpos moves{moves}"));
            let lines = search(&host, "go wtime 100000 btime 100000");
            let m = best(&lines).to_owned();
            line.play(&m).expect("a legal move");
            moves = format!("{moves} {m}");
        }
        host.quit();
        moves
    };
    assert_eq!(game(5), game(5));
    assert_ne!(game(5), game(6));
}

#[test]
fn a_weak_player_searches_no_more_than_its_nodes() {
    let host = Host::new(Game::Chess, "");
    host.send("setoption name UCI_LimitStrength value true");
    host.send("setoption name UCI_Elo value 1400");
    host.send("position startpos");
    let lines = search(&host, "go wtime 100000 btime 100000");
    let info = &lines[lines.len() - 2];
    let words: Vec<&str> = info.split(' ').collect();
    let at = words
        .iter()
        .position(|word| *word == "nodes")
        .expect("nodes");
    let nodes: u64 = words[at + 1].parse().expect("a number");
    assert!(nodes <= 1000, "{info}");
    assert!(!info.contains("multipv"), "{info}");
    host.quit();
}

/// A book with one move for the start position and two after it.
fn write_book() -> PathBuf {
    let key = |moves: &str| {
        let mut line = Line::new(Chess::start(&ChessRules::default()));
        for m in moves.split_whitespace() {
            line.play(m).expect("a legal move");
        }
        line.position().polyglot_key()
    };
    // From and to as octal digits, file and rank counted from 0.
    let castle = "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7";
    let mut entries = [
        (key(""), 0o1434_u16, 10_u16), // e2e4
        (key("e2e4"), 0o6444, 1),      // e7e5
        (key("e2e4"), 0o6343, 0),      // d7d5, which is never played
        (key("e2e4 e7e5"), 0o1454, 5), // e2e6, which is not legal
        (key(castle), 0o0407, 1),      // e1h1: castling
    ];
    entries.sort_unstable();
    let mut bytes = Vec::new();
    for (key, code, weight) in entries {
        bytes.extend(key.to_be_bytes());
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    let path = std::env::temp_dir().join(format!("quadrille-book-{}.bin", std::process::id()));
    std::fs::write(&path, bytes).expect("a place for temporary files");
    path
}

#[test]
fn the_book_is_played_from_when_the_host_allows_it() {
    let path = write_book();
    let host = Host::new(Game::Chess, "");
    host.send(&format!("setoption name BookFile value {}", path.display()));
    host.send("position startpos");
    assert!(search(&host, "go depth 1").len() > 2, "the book is off");
    host.send("setoption name OwnBook value true");
    let lines = search(&host, "go wtime 1000 btime 1000");
    assert_eq!(lines, ["info depth 0 nodes 0 pv e2e4", "bestmove e2e4"]);
    host.send("position startpos moves e2e4");
    assert_eq!(best(&search(&host, "go depth 1")), "e7e5");
    host.send("position startpos moves e2e4 e7e5");
    assert!(
        search(&host, "go depth 1").len() > 2,
        "an illegal book move"
    );
    host.send("position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7");
    assert_eq!(best(&search(&host, "go depth 1")), "e1g1");
    host.send("position startpos");
    assert_eq!(best(&search(&host, "go depth 1 searchmoves a2a3")), "a2a3");
    host.send("setoption name UCI_AnalyseMode value true");
    assert!(search(&host, "go depth 1").len() > 2, "no book in analysis");
    host.quit();
    std::fs::remove_file(path).expect("it was there");
}

#[test]
fn random_moves_do_not_lose_at_once() {
    let host = Host::new(Game::Gyges, "");
    host.send("setoption randomize true");
    host.send("setoption maxPly 1");
    let mut seen = Vec::new();
    for seed in 1..30 {
        host.send(&format!("setoption seed {seed}"));
        let lines = search(&host, "go");
        seen.push(best(&lines).to_owned());
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 5, "{seen:?}");
    host.quit();
}

#[test]
fn two_threads_answer_like_one_engine() {
    let host = Host::new(Game::Chess, "");
    host.send("setoption name Threads value 2");
    host.send("setoption name UCI_ShowCurrLine value true");
    host.send("setoption name UCI_ShowRefutations value true");
    host.send("position startpos");
    for _ in 0..3 {
        let lines = search(&host, "go depth 5");
        assert!(lines[lines.len() - 2].starts_with("info depth"));
    }
    host.quit();
}
