//! `quadrille analyse` from outside.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use quadrille_games::chess::Chess;
use quadrille_games::records::{Nag, NodeId, Reader, Record};
use serde_json::Value;
use tempfile::TempDir;

/// Black gives a piece away, White does not see it, Black gives a mate.
const BAD: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[TimeControl \"60+1\"]\n\n\
    1. e4 {[%clk 0:00:59]} e5 {[%clk 0:01:00]} 2. Nf3 {[%clk 0:00:50]} Qg5 {[%clk 0:00:31]} \
    3. a3 {[%clk 0:00:48]} Qf6 4. Bc4 Qb6 5. d3 d6 6. O-O h6 7. Nc3 a6 *\n";

fn analyse(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("analyse")
        .args(words.split_whitespace())
        .current_dir(folder)
        // What has no cache named finds none of ours.
        .env("XDG_CACHE_HOME", folder.join("home"))
        .env("HOME", folder.join("home"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn works(folder: &Path, words: &str) -> String {
    let output = analyse(folder, words);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, words: &str) -> String {
    let output = analyse(folder, words);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
    assert!(output.stdout.is_empty());
    errors
}

fn record(text: &str) -> Record<Chess> {
    let mut reader = Reader::<Chess, _>::new(text.as_bytes());
    let record = reader.read_record().unwrap().unwrap();
    assert_eq!(reader.diagnostics(), []);
    record
}

#[test]
fn a_blunder_gets_its_glyph_and_the_better_move() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("bad.pgn"), BAD).unwrap();
    let text = works(folder, "bad.pgn --nodes 4000 --lines 2");
    let game = record(&text);
    let nodes: Vec<NodeId> = game.main_line().collect();
    assert_eq!(nodes.len(), 14);
    // 2... Qg5 loses the Queen, 3. a3 does not take it.
    for blunder in [nodes[3], nodes[4]] {
        assert!(game.notes(blunder).nags.contains(&Nag::BLUNDER), "{text}");
        let parent = game.parent(blunder).unwrap();
        assert!(game.children(parent).count() > 1, "a better line\n{text}");
    }
    // Where lines end is of no matter.
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(words.join(" ").contains("Nxg5 was better."), "{text}");
    assert!(nodes.iter().all(|node| game.evaluation(*node).is_some()));
    // The clocks are still there.
    assert_eq!(game.clock(nodes[0]).unwrap().as_secs(), 59);
    assert_eq!(game.tag("ECO"), Some("C40"));
    assert!(game.tag("BlackAccuracy").is_some());
    assert!(game.tag("Annotator").unwrap().contains("nodes 4000"));
    // Without a cache named there is one where such files go.
    assert!(folder.join("home/quadrille/analysis.db").is_file());
    // What was analysed can be analysed again, and nothing piles up.
    fs::write(folder.join("again.pgn"), &text).unwrap();
    assert_eq!(works(folder, "again.pgn --nodes 4000 --lines 2"), text);
}

#[test]
fn all_four_games_are_analysed_in_one_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let games = "1. e4 e5 2. Nf3 *\n\n\
        [Variant \"Liberty\"]\n\n1. e2e4 e7e5 *\n\n\
        [Variant \"Leiserchess\"]\n\n1. h4g5 *\n\n\
        [Variant \"Gyges\"]\n\n1. d1-d2 *\n\n";
    fs::write(folder.join("all.pgn"), games).unwrap();
    let json = "all.pgn --nodes 300 --concurrency 2 --cache c.db --report json -o out.pgn";
    let report: Value = serde_json::from_str(&works(folder, json)).unwrap();
    let kinds: Vec<&str> = report["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["game"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["chess", "liberty", "leiser", "gyges"], "{report}");
    let written = fs::read_to_string(folder.join("out.pgn")).unwrap();
    // Behind each move; those of better lines come on top.
    let values = written.matches("[%eval ").count();
    assert!(values >= 7, "{written}");
    let words = "all.pgn --nodes 300 --cache c.db --report html --report-file r.html --pictures p";
    let said = works(folder, words);
    assert!(
        said.starts_with("4 games analysed; 0 positions searched"),
        "{said}"
    );
    let page = fs::read_to_string(folder.join("r.html")).unwrap();
    assert_eq!(page.matches("<section id=\"game-").count(), 4);
    assert!(
        !page.contains("http://")
            || page.matches("http").count() == page.matches("http://www.w3.org/2000/svg").count()
    );
    for number in 1..=4 {
        assert!(folder.join(format!("p/game-{number}-graph.svg")).is_file());
    }
    let text = works(folder, "all.pgn --nodes 300 --cache c.db --report text");
    assert!(text.contains("Game 4: ? - ? *"), "{text}");
}

#[test]
fn the_examples_of_the_page_can_be_analysed() {
    let folder = TempDir::new().unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/analysis/games.pgn");
    fs::copy(examples, folder.path().join("games.pgn")).unwrap();
    let said = works(folder.path(), "games.pgn --nodes 30 --no-cache -o out.pgn");
    assert!(said.starts_with("4 games analysed; "), "{said}");
}

/// What others wrote is shown, and does nothing.
#[test]
fn hostile_texts_are_inert() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let game = "[White \"<script>alert(1)</script>\x1b[31m\"]\n[Event \"a&b\"]\n\n\
                1. e4 { <b>\x1b } e5 *\n\n1. e4 \x1b[2J *\n";
    fs::write(folder.join("h.pgn"), game).unwrap();
    let output = analyse(folder, "h.pgn --depth 1 --no-cache --report html");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        page.contains("&lt;script&gt;") && !page.contains("<script"),
        "{page}"
    );
    assert!(!page.contains('\x1b'));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains('\x1b'), "{said}");
    let text = works(folder, "h.pgn --depth 1 --no-cache --report text");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn the_games_may_come_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["analyse", "-", "--depth", "2", "--no-cache"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"1. e4 e5 *")
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("1. e4 ") && text.contains("[%eval "),
        "{text}"
    );
}

#[test]
fn a_dash_is_standard_output() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), "1. e4 e5 *\n").unwrap();
    let words = "g.pgn --nodes 20 --no-cache";
    let games = works(folder, words);
    assert_eq!(works(folder, &format!("{words} -o -")), games);
    let report = works(folder, &format!("{words} --report text"));
    let dash = "--report text --report-file - -o games.pgn";
    assert_eq!(works(folder, &format!("{words} {dash}")), report);
    assert!(!folder.join("-").exists());
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_written() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), "1. e4 *\n").unwrap();
    fs::write(folder.join("empty.pgn"), "").unwrap();
    let same = refused(folder, "g.pgn -o ./g.pgn");
    assert!(same.contains("the same file"), "{same}");
    refused(
        folder,
        "g.pgn -o out.pgn --report text --report-file out.pgn",
    );
    refused(folder, "g.pgn --json --report text");
    for words in [
        "--json -o -",
        "--report text -o -",
        "-o - --report text --report-file -",
    ] {
        let both = refused(folder, &format!("g.pgn {words}"));
        assert!(both.contains("would both go to standard output"), "{both}");
    }
    refused(folder, "empty.pgn");
    refused(folder, "none.pgn");
    refused(folder, "g.pgn --lines 0");
    refused(folder, "g.pgn --concurrency 0");
    let missing = refused(
        folder,
        "g.pgn --engine /no/such/engine -o out.pgn --no-cache",
    );
    assert!(missing.contains("/no/such/engine"), "{missing}");
    let option = refused(folder, "g.pgn --option Nonsense=1 -o out.pgn --no-cache");
    assert!(option.contains("Nonsense"), "{option}");
    assert!(!folder.join("out.pgn").exists());
    assert_eq!(fs::read(folder.join("g.pgn")).unwrap(), b"1. e4 *\n");
    fs::write(
        folder.join("not.db"),
        "words, and no database at all; ".repeat(50),
    )
    .unwrap();
    let foreign = refused(folder, "g.pgn --cache not.db");
    assert!(foreign.contains("not a cache"), "{foreign}");
}

#[test]
fn a_broken_game_is_told_with_its_line() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let broken = "[White \"x\"]\n\n1. e4 e5\n2. Ke3 *\n";
    fs::write(folder.join("g.pgn"), format!("{broken}\n1. d4 *\n")).unwrap();
    let output = analyse(folder, "g.pgn --depth 1 --no-cache -o out.pgn");
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("game 1, line 4: stays as it is: "),
        "{said}"
    );
    let out = fs::read_to_string(folder.join("out.pgn")).unwrap();
    assert!(
        out.starts_with(broken) && out.contains("1. d4 { [%eval "),
        "{out}"
    );
}

/// Every game that was analysed is read by python-chess without an error, with
/// its evaluations, variations and clocks.
#[test]
#[ignore = "needs python-chess: cargo xtask clients"]
fn python_chess_reads_our_analyses() {
    let python = std::env::var("QUADRILLE_PYTHON").unwrap_or_else(|_| "python3".into());
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let play = "match -engine cmd=builtin name=A nodes=200 -engine cmd=builtin name=B nodes=50 \
         -rounds 4 -games 2 -repeat -srand 5 -maxmoves 80 -openings format=random plies=6 \
         -pgnout file=games.pgn --quiet";
    let status = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(play.split_whitespace())
        .current_dir(folder)
        .stdout(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let mut games = fs::read_to_string(folder.join("games.pgn")).unwrap();
    games += BAD;
    fs::write(folder.join("games.pgn"), games).unwrap();
    for (name, more) in [
        ("one", ""),
        ("all", "--variations all --lines 3"),
        ("two", "--engine builtin --engine builtin --variations all"),
    ] {
        works(
            folder,
            &format!("games.pgn --nodes 1000 --cache c.db -o {name}.pgn {more}"),
        );
    }
    let script = "\
import sys, chess.pgn
for name in sys.argv[1:]:
    games = variations = 0
    with open(name) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, (name, game.errors)
            for node in game.mainline():
                over = node.board().is_game_over()
                assert over or node.eval() is not None, (name, node)
                variations += len(node.parent.variations) - 1
            games += 1
    assert games == 9 and variations > 10, (name, games, variations)
";
    let status = Command::new(&python)
        .args(["-c", script, "one.pgn", "all.pgn", "two.pgn"])
        .current_dir(folder)
        .status();
    assert!(status.unwrap().success());
}

/// Waits until the program listens to SIGTERM, as its place in `/proc` says.
#[cfg(target_os = "linux")]
fn wait_until_it_listens(child: &mut std::process::Child) {
    const TERM: u64 = 1 << 14;
    let status = format!("/proc/{}/status", child.id());
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & TERM != 0) {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_game_does_not_hold_up_the_end() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(50_000);
    fs::write(folder.join("long.pgn"), format!("{BAD}\n{long}*\n")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args("analyse long.pgn --nodes 1 --no-cache --json -o out.pgn".split(' '))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until_it_listens(&mut child);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let events = String::from_utf8(output.stdout).unwrap();
    let events: Vec<Value> = events
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [start, end] = &events[..] else {
        panic!("{} events", events.len());
    };
    // The long game was not read to its end, and no engine was asked.
    assert_eq!(
        (&start["event"], &start["games"]),
        (&"start".into(), &2.into())
    );
    assert!(start["positions"].as_u64() <= Some(16), "{start}");
    assert_eq!(
        (&end["event"], &end["cancelled"]),
        (&"end".into(), &true.into())
    );
    assert!(!folder.join("out.pgn").exists());
}
