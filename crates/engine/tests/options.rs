//! Options that must show in what the engine does, where a fixed script cannot
//! say what exactly that is.

use std::path::PathBuf;

use crate::support::Host;
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Game, Line, Position};
use quadrille_search::net::{self, Inputs, Numbers};

/// Searches and gives all lines of the search with times and speeds cut out, and
/// without those that only a slow machine sends.
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
    let timely = |line: &&String| !line.contains(" currmove ");
    lines.iter().filter(timely).map(timeless).collect()
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
    host.send("setoption name UCI_Elo value 600");
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

/// Whether a search ended before it began, with the move, a score and nothing
/// else to say.
fn is_book_move(lines: &[String]) -> bool {
    let move_told = format!(" pv {}", best(lines));
    lines.len() == 2
        && lines[0].starts_with("info depth 0 ")
        && lines[0].contains(" score cp ")
        && lines[0].contains(" nodes 0 ")
        && lines[0].ends_with(&move_told)
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
    assert!(is_book_move(&lines), "{lines:?}");
    assert_eq!(lines[1], "bestmove e2e4");
    host.send("setoption name MultiPV value 3");
    assert!(is_book_move(&search(&host, "go wtime 1000 btime 1000")));
    host.send("setoption name MultiPV value 1");
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

/// Without a file the book is our own. Games played from it agree for some
/// plies, then the search takes over.
#[test]
fn the_book_that_ships_is_played_from() {
    let host = Host::new(Game::Chess, "");
    host.send("setoption name OwnBook value true");
    let mut firsts = Vec::new();
    for seed in 1..=20 {
        host.send(&format!("setoption name Random Seed value {seed}"));
        let mut line = Line::new(Chess::start(&ChessRules::default()));
        let mut moves = String::new();
        loop {
            host.send(&format!("position startpos moves{moves}"));
            let lines = search(&host, "go depth 1");
            if !is_book_move(&lines) {
                break;
            }
            let m = best(&lines).to_owned();
            line.play(&m).expect("a legal move");
            moves = format!("{moves} {m}");
        }
        assert!(line.moves().len() >= 2, "{moves}");
        firsts.push(line.moves()[0]);
    }
    firsts.sort_unstable();
    firsts.dedup();
    assert!(firsts.len() > 1, "always the same first move");
    // A named book takes its place, an empty name brings it back.
    host.send("position startpos");
    host.send("setoption name BookFile value nowhere.bin");
    host.until(|line| line.contains("nowhere.bin"));
    assert!(search(&host, "go depth 1").len() > 2);
    host.send("setoption name BookFile value <empty>");
    assert_eq!(search(&host, "go depth 1").len(), 2);
    host.quit();
}

/// Moves are played as often as their weights say.
#[test]
fn weights_of_a_book_are_respected() {
    let key = Chess::default().polyglot_key();
    let mut bytes = Vec::new();
    for (code, weight) in [(0o1434_u16, 300_u16), (0o1333, 100), (0o1232, 0)] {
        bytes.extend(key.to_be_bytes());
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    let name = format!("quadrille-weights-{}.bin", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, bytes).expect("a place for temporary files");
    let host = Host::new(Game::Chess, "");
    host.send(&format!("setoption name BookFile value {}", path.display()));
    host.send("setoption name OwnBook value true");
    host.send("position startpos");
    let mut counts = [0; 3];
    for seed in 1..=400 {
        host.send(&format!("setoption name Random Seed value {seed}"));
        let lines = search(&host, "go depth 1");
        let known = ["e2e4", "d2d4", "c2c4"];
        let m = known.iter().position(|m| *m == best(&lines));
        counts[m.expect("a move of the book")] += 1;
    }
    host.quit();
    std::fs::remove_file(path).expect("it was there");
    assert_eq!(counts[2], 0);
    assert!((240..=360).contains(&counts[0]), "{counts:?}");
}

/// One test, because a process can open one set of tables only.
#[test]
fn endgame_tables_show_in_scores_and_hits() {
    let host = Host::new(Game::Chess, "");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/tests/data/syzygy");
    host.send(&format!("setoption name SyzygyPath value {folder}"));
    host.send("isready");
    let said = host.until(|line| line == "readyok");
    assert_eq!(
        said[0],
        "info string Syzygy: 5 tables, 5 with distances, 3 pieces"
    );
    let rook = "position fen 8/8/8/3k4/8/8/8/K6R w - -";
    let told = |host: &Host, text: &str| {
        let lines = search(host, "go nodes 500");
        let last = &lines[lines.len() - 2];
        assert!(last.contains(text), "{text}: {last}");
        let hits = last.split(' ').skip_while(|word| *word != "tbhits").nth(1);
        hits.expect("tbhits").parse::<u64>().expect("a number")
    };
    host.send(&format!("{rook} 0 1"));
    assert!(told(&host, " score cp 29999 ") > 0);
    // Too late to mate within fifty moves, unless they do not count.
    host.send(&format!("{rook} 80 90"));
    told(&host, " score cp 1 ");
    host.send("setoption name Syzygy50MoveRule value false");
    told(&host, " score cp 29999 ");
    host.send("setoption name SyzygyProbeLimit value 2");
    assert_eq!(told(&host, " score "), 0);
    host.send("setoption name SyzygyProbeLimit value 7");
    host.send("setoption name SyzygyPath value <empty>");
    host.send(&format!("{rook} 0 1"));
    assert_eq!(told(&host, " score "), 0);
    host.quit();
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

/// Plays the moves that follow `word` in a line; gives their number.
fn moves_after(line: &str, word: &str) -> usize {
    let words = line.split(' ').skip_while(|w| *w != word).skip(1);
    let mut played = Line::new(Chess::start(&ChessRules::default()));
    for m in words.filter(|w| w.parse::<u32>().is_err()) {
        played.play(m).unwrap_or_else(|e| panic!("{line}: {e}"));
    }
    played.moves().len()
}

/// "info currline" and "info refutation" come when asked for, with legal lines,
/// and only then.
#[test]
fn current_lines_and_refutations_are_told_when_asked_for() {
    let host = Host::new(Game::Chess, "");
    host.send("position startpos");
    // Details are told after a second; how long after, only the machine knows.
    host.send("go infinite");
    let mut lines = host.until(|line| line.contains(" currmove "));
    host.send("stop");
    lines.extend(host.until(|line| line.starts_with("bestmove")));
    let asked = |line: &str| line.contains("currline") || line.contains("refutation");
    assert!(!lines.iter().any(|line| asked(line)), "{lines:?}");

    host.send("setoption name UCI_ShowCurrLine value true");
    host.send("setoption name UCI_ShowRefutations value true");
    for threads in [1, 2] {
        host.send(&format!("setoption name Threads value {threads}"));
        host.send("go infinite");
        let (mut current, mut refuted) = (0, 0);
        while current < 2 || refuted == 0 {
            let line = host.line().expect("the search goes on");
            if line.starts_with("info currline") {
                assert!(moves_after(&line, "currline") > 0, "{line}");
                // The number of the thread only where there are several.
                let numbered = line.starts_with("info currline 1 ");
                assert_eq!(numbered, threads > 1, "{line}");
                current += 1;
            } else if line.starts_with("info refutation") {
                assert!(moves_after(&line, "refutation") > 0, "{line}");
                refuted += 1;
            }
        }
        host.send("stop");
        host.until(|line| line.starts_with("bestmove"));
    }
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

/// A net with random numbers, as a file.
fn random_net(seed: u64) -> Vec<u8> {
    let shape = <Chess as Inputs>::SHAPE;
    let neurons = net::LANES;
    let mut random = SplitMix64::new(seed);
    let mut some = |count: usize| (0..count).map(|_| random.index(101) as i16 - 50).collect();
    let numbers = Numbers {
        neurons,
        rows: some(shape.features * neurons),
        start: some(neurons),
        last: some(shape.buckets * 2 * neurons),
        bias: vec![0; shape.buckets],
        scale: 300,
    };
    net::write("chess", &shape, &numbers, "")
}

#[test]
fn a_net_judges_while_its_file_is_good() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let whole = random_net(3);
    std::fs::write(file("good.net"), &whole).expect("a file");
    std::fs::write(file("cut.net"), &whole[..whole.len() / 2]).expect("a file");
    let host = Host::new(Game::Chess, "");
    host.send("position startpos");
    host.send("setoption name Evaluation value hand-written");
    let by_hand = search(&host, "go depth 6");
    host.send("setoption name Evaluation value net");
    host.send(&format!(
        "setoption name EvalFile value {}",
        file("good.net")
    ));
    let by_net = search(&host, "go depth 6");
    assert_ne!(by_hand, by_net);
    for (bad, why) in [
        (file("cut.net"), "a damaged net: it is cut short"),
        (file("none.net"), "No such file"),
        (folder.path().display().to_string(), "not a file"),
    ] {
        host.send(&format!("setoption name EvalFile value {bad}"));
        let told = host.until(|line| line.contains("stays as it was"));
        assert!(
            told.last().is_some_and(|line| line.contains(why)),
            "{told:?}"
        );
        host.send("ucinewgame");
        assert_eq!(search(&host, "go depth 6"), by_net, "{bad}");
    }
    host.send("setoption name Evaluation value hand-written");
    assert_eq!(search(&host, "go depth 6"), by_hand);
    host.quit();
}
