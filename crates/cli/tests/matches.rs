//! `quadrille match` as a user meets it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use quadrille_games::Game;
use quadrille_games::records::Reader as RecordReader;
use quadrille_match::store::{GameState, Reader};
use serde_json::Value;
use tempfile::TempDir;

pub(crate) fn quadrille(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.arg("match").args(words.split_whitespace());
    command.current_dir(folder).stdin(Stdio::null());
    command
}

pub(crate) fn run(folder: &Path, words: &str) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = quadrille(folder, words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

pub(crate) const TWO: &str = "-engine cmd=builtin name=Ann -engine cmd=builtin name=Bob \
     -each option.Hash=1 -store event.db";

/// Short games of weak players.
pub(crate) const SHORT: &str = "-each nodes=200 -openings format=random plies=6 -srand 5 -games 2 -repeat \
     -maxmoves 12";

pub(crate) fn json_events(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event["event"] == name)
        .collect()
}

#[test]
fn a_match_is_played_shown_and_recorded() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!(
        "{TWO} {SHORT} -rounds 2 -concurrency 2 -event Testing -site Here -ratinginterval 4 \
         -show-latency -epdout file=ends.epd \
         -pgnout file=games.pgn nodes=true seldepth=true nps=true hashfull=true tbhits=true \
         pv=true timeleft=true latency=true"
    );
    let (code, out, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    for said in [
        "Playing 4 games, 0 of them finished, 2 at once; everything is kept in event.db",
        "Started game 4 of 4 (Bob vs Ann)",
        "Finished game 1 (Ann vs Bob): ",
        "Score of Ann vs Bob: ",
        "Elo: ",
        "Ptnml(0-2): [",
        "How games ended",
        "Per move",
        "Host: ",
    ] {
        assert!(out.contains(said), "{said} in\n{out}");
    }
    let pgn = fs::read_to_string(folder.join("games.pgn")).unwrap();
    let numbers: Vec<&str> = pgn
        .lines()
        .filter(|line| line.starts_with("[GameNumber"))
        .collect();
    assert_eq!(numbers.len(), 4);
    for part in [
        "[Event \"Testing\"]",
        "[Site \"Here\"]",
        "nps=",
        "pv=\"",
        "sd=",
    ] {
        assert!(pgn.contains(part), "{part}");
    }
    assert_eq!(
        fs::read_to_string(folder.join("ends.epd"))
            .unwrap()
            .lines()
            .count(),
        4
    );

    // The event is over: to resume it is to see its table again.
    let (code, out, _) = run(folder, "--resume event.db");
    assert_eq!(code, 0);
    assert!(out.contains("Playing 4 games, 4 of them finished") && out.contains("Score of"));
    assert_eq!(fs::read_to_string(folder.join("games.pgn")).unwrap(), pgn);
}

#[test]
fn every_game_and_format_is_played() {
    let folder = TempDir::new().unwrap();
    for (game, format, games) in [
        ("chess", "round-robin", 6),
        ("liberty", "gauntlet", 4),
        ("leiser", "swiss", 2),
        ("gyges", "knockout", 4),
    ] {
        let words = format!(
            "-game {game} -tournament {format} -engine cmd=builtin name=A -engine cmd=builtin name=B \
             -engine cmd=builtin:{game} name=C -each nodes=60 -rounds 1 -games 2 -repeat -maxmoves 20 \
             -openings format=random plies=4 -srand 3 -store {game}.db -pgnout file={game}.pgn --json"
        );
        let (code, out, error) = run(folder.path(), &words);
        assert_eq!(code, 0, "{game}: {error}");
        let events = json_events(&out);
        let ends = named(&events, "game-end");
        assert!(ends.len() >= games, "{game}: {}", ends.len());
        for end in &ends {
            let how = end["termination"].as_str().unwrap();
            assert!(how == "normal" || how == "adjudication", "{game}: {end}");
        }
        let pgn = fs::read(folder.path().join(format!("{game}.pgn"))).unwrap();
        assert_eq!(records(game.parse().unwrap(), &pgn), ends.len(), "{game}");
    }
}

#[test]
fn places_count_the_last_round() {
    let folder = TempDir::new().unwrap();
    let three = "-engine cmd=builtin name=A -engine cmd=builtin name=B -engine cmd=builtin name=C";
    // One game is played for each encounter and who rests has won as much.
    for (format, points) in [("swiss", 2.0), ("knockout", 0.0)] {
        let short = SHORT.replace("-games 2 -repeat", "-games 1 -repeat 1");
        let words = format!("{three} {short} -rounds 1 -tournament {format} -store {format}.db");
        let (code, out, error) = run(folder.path(), &words);
        assert_eq!((code, error.as_str()), (0, ""), "{out}");
        assert!(out.contains("Started game 1 (") && !out.contains(" of 1 "));
        let (_, places) = out.split_once("\nPlaces and points").expect("places");
        let places = places.lines().skip(1).take_while(|line| !line.is_empty());
        let sum: f64 = places
            .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
            .sum();
        let finished = out.matches("Finished game").count();
        let expected = if points > 0.0 {
            points
        } else {
            finished as f64
        };
        assert!(
            (sum - expected).abs() < 1e-9,
            "{sum}, not {expected}:\n{out}"
        );
    }
}

#[test]
fn a_match_that_cannot_begin_leaves_nothing_in_the_way() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let missing = "-engine cmd=builtin -engine cmd=./no-such-engine -each nodes=60 -store event.db";
    for (words, code) in [
        (missing.to_owned(), 2),
        (format!("{TWO} {SHORT} -openings file=none.epd"), 2),
        (format!("{TWO} {SHORT} -tb ./no-such-tables"), 2),
    ] {
        let (found, _, error) = run(folder, &words);
        assert_eq!(found, code, "{words}: {error}");
        let left = fs::read_dir(folder).unwrap().count();
        assert_eq!(left, 0, "files after {words}");
    }
    let (code, _, error) = run(folder, &format!("{TWO} {SHORT}"));
    assert_eq!(code, 0, "{error}");
}

/// How many records are in a file, all of them without a complaint.
fn records(game: Game, pgn: &[u8]) -> usize {
    use quadrille_games::{chess::Chess, gyges::Gyges, leiser::Leiser, liberty::Liberty};
    fn count<P: quadrille_games::Position>(pgn: &[u8]) -> usize {
        let mut reader = RecordReader::<P, _>::new(pgn);
        let mut number = 0;
        while let Some(record) = reader.read_record().unwrap() {
            assert!(
                reader.diagnostics().is_empty(),
                "{:?}",
                reader.diagnostics()
            );
            assert!(!record.is_empty());
            number += 1;
        }
        number
    }
    match game {
        Game::Chess => count::<Chess>(pgn),
        Game::Liberty => count::<Liberty>(pgn),
        Game::Leiser => count::<Leiser>(pgn),
        Game::Gyges => count::<Gyges>(pgn),
    }
}

#[test]
fn events_tell_everything() {
    let folder = TempDir::new().unwrap();
    let (code, out, _) = run(folder.path(), &format!("{TWO} {SHORT} -rounds 1 --json"));
    assert_eq!(code, 0);
    let events = json_events(&out);
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["players"], serde_json::json!(["Ann", "Bob"]));
    assert_eq!(named(&events, "game-start").len(), 2);
    assert_eq!(named(&events, "game-end").len(), 2);
    assert_eq!(named(&events, "score").len(), 2);
    let plies = named(&events, "ply");
    assert!(plies.len() > 10);
    let ply = plies[0];
    for key in [
        "game", "ply", "move", "notation", "score", "nodes", "elapsed",
    ] {
        assert!(!ply[key].is_null(), "{key} in {ply}");
    }
    let end = events.last().unwrap();
    assert_eq!(
        (&end["event"], &end["complete"]),
        (&"end".into(), &true.into())
    );
    assert_eq!(end["exit"], 0);
}

#[test]
fn wrong_words_are_told_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("other.db"),
        "not a store at all, just some text",
    )
    .unwrap();
    let missing = "-engine cmd=./no-such-engine name=X -engine cmd=builtin -each nodes=1";
    let folder_missing = "-engine cmd=builtin name=X dir=nowhere -engine cmd=builtin -each nodes=1";
    let value = "-engine cmd=builtin option.Hash=none -engine cmd=builtin -each nodes=1";
    let mute = "-engine cmd=true name=X -engine cmd=builtin -each nodes=1";
    for (words, code, said) in [
        ("-engine cmd=builtin", 2, "a match needs two engines"),
        ("-round 5", 2, "did you mean '-rounds'?"),
        ("--resume nothing.db", 2, "no such file"),
        ("--resume other.db", 2, "not the file of an event"),
        ("--control nothing.db pause", 2, "no such file"),
        ("--control other.db dance", 2, "is no command"),
        (missing, 2, "engine 'X'"),
        (folder_missing, 2, "in the folder "),
        (value, 2, "Hash"),
        (mute, 1, "engine 'X'"),
    ] {
        let (found, _, error) = run(folder, words);
        assert_eq!(found, code, "{words}: {error}");
        assert!(error.contains(said), "{words}: {error}");
    }
    let (code, out, _) = run(folder, "--help");
    assert_eq!(code, 0);
    assert!(out.contains("Exit codes"));
}

/// To open it is to wait for its writer.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_book() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    for words in [
        &format!("{TWO} {SHORT} -openings file=pipe format=epd"),
        &format!("{TWO} {SHORT} -openings file=pipe format=pgn"),
        &format!("{TWO} {SHORT} -openings file=pipe format=polyglot"),
        "--config pipe",
        "--resume pipe",
    ] {
        let (code, _, error) = run(folder, words);
        assert_eq!(code, 2, "{words}: {error}");
        assert!(error.contains("pipe"), "{words}: {error}");
    }
    let elo = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["elo", "pipe"])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8(elo.stderr).unwrap();
    assert_eq!(elo.status.code(), Some(2), "{error}");
    assert!(error.contains("it is a pipe"), "{error}");
}

#[test]
fn a_file_describes_a_match_too() {
    let folder = TempDir::new().unwrap();
    let text = "\
        rounds = 1\n games = 2\n srand = 1\n maxmoves = 6\n store = \"t.db\"\n\
        [each]\n nodes = 50\n\
        [[engine]]\n name = \"one\"\n cmd = \"builtin\"\n\
        [[engine]]\n name = \"two\"\n cmd = \"builtin\"\n";
    fs::write(folder.path().join("match.toml"), text).unwrap();
    let (code, out, error) = run(folder.path(), "--config match.toml -rounds 2 --quiet");
    assert_eq!(code, 0, "{error}");
    assert!(
        out.contains("Score of one vs two") && !out.contains("Started"),
        "{out}"
    );
}

#[test]
fn a_test_that_is_decided_ends_the_match_with_its_code() {
    // The stronger one searches fifty times as much.
    let sprt = |first: &str, second: &str| {
        let folder = TempDir::new().unwrap();
        let words = format!(
            "-engine cmd=builtin name=Ann {first} -engine cmd=builtin name=Bob {second} \
             -each option.Hash=1 -store e.db -rounds 500 -games 2 -repeat -srand 9 -concurrency 2 \
             -openings format=random plies=6 -sprt elo0=0 elo1=200 model=logistic \
             -resign movecount=2 score=300 -maxmoves 60 --json"
        );
        let (code, out, error) = run(folder.path(), &words);
        assert_eq!(error, "");
        let events = json_events(&out);
        let end = events.last().unwrap().clone();
        // To resume it is to hear the same again, without another game.
        let (again, out, error) = run(folder.path(), "--resume e.db --json");
        assert_eq!((again, error.as_str()), (code, ""));
        let events = json_events(&out);
        assert!(named(&events, "game-start").is_empty(), "{out}");
        let scores = named(&events, "score");
        assert_eq!(scores.len(), 1);
        assert_eq!(scores[0]["sprt"], end["sprt"]);
        (code, end)
    };
    let (code, end) = sprt("nodes=3000", "nodes=30");
    assert_eq!(code, 0);
    assert_eq!(end["sprt"]["decision"], "accept-h1");
    let (code, end) = sprt("nodes=30", "nodes=3000");
    assert_eq!(code, 3);
    assert_eq!(end["sprt"]["decision"], "accept-h0");
}

#[test]
fn a_test_that_is_not_decided_has_a_code_of_its_own() {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -rounds 1 -sprt elo0=0 elo1=5");
    let (code, out, error) = run(folder.path(), &words);
    assert_eq!((code, error.as_str()), (6, ""), "{out}");
    assert!(out.contains("the test is not decided"), "{out}");
}

/// Its engine is gone before it can be asked, and there is nothing left by which to
/// know it but that it is ours.
#[cfg(target_os = "linux")]
#[test]
fn what_a_dead_engine_left_behind_does_not_survive_the_match() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // A time by which it can be found.
    let time = format!("36{:07}", std::process::id());
    let script = format!(
        "setsid env -i sleep {time} >/dev/null 2>&1 &\n\
         while read -r word rest; do case $word in\n\
         uci) echo uciok;; isready) echo readyok;; go) exit 3;; quit) exit;;\n\
         esac; done\n"
    );
    fs::write(folder.join("dies.sh"), script).unwrap();
    let words = format!("{TWO} {SHORT} -rounds 1 -recover");
    let words = words.replacen("cmd=builtin", "cmd=sh args=dies.sh", 1);
    let words = words.replacen("-each option.Hash=1", "", 1);
    let (code, out, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let left: Vec<_> = fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&time)
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A long match that runs in the background, its events line by line.
pub(crate) struct Background {
    pub(crate) child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Background {
    pub(crate) fn start(folder: &Path, words: &str) -> Self {
        Self::spawn(quadrille(folder, words))
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Reads on to an event.
    pub(crate) fn wait_for(&mut self, name: &str) -> Value {
        loop {
            let line = self.lines.next().expect("the match goes on").unwrap();
            let event: Value = serde_json::from_str(&line).unwrap();
            if event["event"] == name {
                return event;
            }
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(status.success());
    }
}

#[cfg(unix)]
#[test]
fn a_running_match_is_controlled_stopped_and_resumed() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 200 -concurrency 1 --json");
    let mut running = Background::start(folder, &words);
    running.wait_for("game-end");
    let control = |words: &str| {
        let (code, _, error) = run(folder, &format!("--control event.db {words}"));
        assert_eq!(code, 0, "{error}");
    };
    let (code, _, error) = run(folder, "--resume event.db");
    assert_eq!(code, 2);
    let runner = format!(
        "another process is running this event: process {} (",
        running.child.id()
    );
    assert!(error.contains(&runner), "{error}");

    control("pause");
    running.wait_for("paused");
    control("concurrency 3");
    assert_eq!(running.wait_for("concurrency")["concurrency"], 3);
    control("resume");
    running.wait_for("resumed");
    running.wait_for("game-end");

    // One ctrl-c finishes what is running.
    running.signal("-INT");
    running.wait_for("stopping");
    let end = running.wait_for("end");
    assert_eq!(end["complete"], false);
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
    let before = Reader::open(&folder.join("event.db"))
        .unwrap()
        .games()
        .unwrap();
    assert!(before.iter().all(|game| game.state == GameState::Finished));

    // Two give it up.
    let mut running = Background::start(folder, "--resume event.db --json");
    let start = running.wait_for("start");
    assert_eq!(start["finished"], before.len());
    running.wait_for("ply");
    running.signal("-INT");
    running.wait_for("stopping");
    running.signal("-INT");
    running.wait_for("end");
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
    let after = Reader::open(&folder.join("event.db"))
        .unwrap()
        .games()
        .unwrap();
    assert!(after.len() >= before.len());
    assert!(after.iter().all(|game| game.state != GameState::Running));
}

#[cfg(unix)]
#[test]
fn a_match_that_loses_its_terminal_stops_in_order_unless_told_otherwise() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 5000 -concurrency 1 --json");
    let mut running = Background::start(folder, &words);
    running.wait_for("game-end");
    running.signal("-HUP");
    running.wait_for("stopping");
    running.wait_for("end");
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
    let games = Reader::open(&folder.join("event.db")).unwrap().games();
    let mut games = games.unwrap().into_iter();
    assert!(games.all(|game| game.state == GameState::Finished));

    let mut command = Command::new("nohup");
    command.arg(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["match", "--resume", "event.db", "--json"]);
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let mut running = Background::spawn(command);
    running.wait_for("game-end");
    running.signal("-HUP");
    for _ in 0..3 {
        running.wait_for("game-end");
    }
    running.signal("-TERM");
    assert_eq!(running.wait_for("stopping")["reason"], "stopped");
    running.wait_for("end");
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
}

/// What others wrote is spelled out where it would do something.
#[cfg(unix)]
#[test]
fn names_command_neither_terminal_nor_record() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let script = format!(
        "'{}' engine --game chess | sed -u 's/^id name .*/id name A\x1b[2Jnn\x07a/'\n",
        env!("CARGO_BIN_EXE_quadrille")
    );
    fs::write(folder.join("ann.sh"), script).unwrap();
    let words = format!("{TWO} {SHORT} -rounds 1 -pgnout file=games.pgn");
    let words = words.replacen("cmd=builtin", "cmd=sh args=ann.sh", 1);
    let (code, _, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""));
    let pgn = fs::read_to_string(folder.join("games.pgn")).unwrap();
    // A file of another program, which was not as careful.
    fs::write(
        folder.join("raw.pgn"),
        "[White \"A\x1b[2Jnn\x07a\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\ne4 1-0\n",
    )
    .unwrap();
    let elo = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["elo", "raw.pgn"])
        .current_dir(folder)
        .output()
        .unwrap();
    let elo = String::from_utf8(elo.stdout).unwrap();
    for text in [&pgn, &elo] {
        assert!(text.contains("u{1b}[2Jnn"), "{text}");
        assert!(!text.contains(['\x1b', '\x07']), "{text:?}");
    }
}

/// Twice nothing is read for longer than the clocks run, while the pipe is full:
/// that is neither a lost game nor anything else that happened to it, and all of
/// it is told in the end.
#[test]
fn a_reader_that_is_slow_costs_no_game() {
    let folder = TempDir::new().unwrap();
    let words = format!(
        "{TWO} -each tc=1+0.01 nodes=3000 -openings format=random plies=6 -srand 5 -games 2 \
         -repeat -maxmoves 40 -rounds 4 -concurrency 2 -force-concurrency --json"
    );
    let mut command = quadrille(folder.path(), &words);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut text = Vec::new();
    for _ in 0..2 {
        std::thread::sleep(Duration::from_secs(2));
        let mut part = vec![0; 60_000];
        out.read_exact(&mut part).unwrap();
        text.extend(part);
    }
    out.read_to_end(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let events = json_events(&String::from_utf8(text).unwrap());
    let (ends, plies) = (named(&events, "game-end"), named(&events, "ply"));
    assert_eq!(ends.len(), 8);
    for end in ends {
        assert_ne!(end["termination"], "time forfeit", "{end}");
        // A busy machine may make an engine slow, but no move late.
        let late = |finding: &Value| finding["code"].as_str().is_some_and(|c| c.contains("late"));
        assert!(
            !end["findings"].as_array().unwrap().iter().any(late),
            "{end}"
        );
        let told = plies
            .iter()
            .filter(|ply| ply["game"] == end["game"])
            .count();
        let book = 6;
        assert_eq!(end["plies"], told + book, "{end}");
    }
    assert_eq!(events.last().unwrap()["event"], "end");
}

/// We sleep for longer than the clocks run, as with ctrl-Z; the engines do not.
#[cfg(unix)]
#[test]
fn a_host_that_was_suspended_blames_no_engine() {
    let folder = TempDir::new().unwrap();
    let words = format!(
        "{TWO} -each tc=1+0.05 -openings format=random plies=6 -srand 5 -games 2 -repeat \
         -maxmoves 20 -rounds 1 --json"
    );
    let mut command = quadrille(folder.path(), &words);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.find(|line| line.as_ref().unwrap().contains("\"ply\""));
    assert!(first.is_some());
    for signal in ["-STOP", "-CONT"] {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(sent.success());
        std::thread::sleep(Duration::from_millis(1800));
    }
    let text: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let events = json_events(&text.join("\n"));
    let ends = named(&events, "game-end");
    assert_eq!(ends.len(), 2);
    for end in ends {
        assert_ne!(end["termination"], "time forfeit", "{end}");
    }
}

/// Every record of chess is read by python-chess without an error.
#[test]
#[ignore = "needs python-chess: cargo xtask clients"]
fn python_chess_reads_our_records() {
    let python = std::env::var("QUADRILLE_PYTHON").unwrap_or_else(|_| "python3".into());
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let fields = "nodes=true seldepth=true nps=true hashfull=true tbhits=true pv=true \
         timeleft=true latency=true";
    for (name, more) in [
        ("san", format!("-pgnout file=san.pgn {fields}")),
        ("lan", format!("-pgnout file=lan.pgn notation=lan {fields}")),
        ("min", "-pgnout file=min.pgn min=true".into()),
        (
            "frc",
            format!(
                "-variant fischerandom -openings format=chess960 -pgnout file=frc.pgn {fields}"
            ),
        ),
    ] {
        let words = format!(
            "{TWO} -each nodes=150 -rounds 3 -games 2 -repeat -srand 5 -maxmoves 60 \
             -openings format=random plies=6 {more} --quiet"
        )
        .replace("event.db", &format!("{name}.db"));
        let (code, _, error) = run(folder, &words);
        assert_eq!(code, 0, "{error}");
    }
    let script = "\
import sys, chess.pgn
for name in sys.argv[1:]:
    with open(name) as file:
        games = 0
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, (name, game.errors)
            assert game.end().ply() > 6, name
            assert game.headers['Result'] != '*', name
            games += 1
        assert games == 6, (name, games)
";
    let status = Command::new(&python)
        .args(["-c", script, "san.pgn", "lan.pgn", "min.pgn", "frc.pgn"])
        .current_dir(folder)
        .status();
    assert!(status.unwrap().success());
}

/// After the capture three pieces are left, and no move counts towards fifty: the
/// tables know who wins.
#[test]
fn endgame_tables_end_a_game() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("ends.epd"), "7k/8/8/8/8/8/2Q4n/K7 w - - 0 1\n").unwrap();
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../search/tests/data/syzygy");
    let words = format!(
        "{TWO} -each nodes=200 -rounds 1 -games 2 -repeat -openings file=ends.epd format=epd \
         -tb {tables} --json"
    );
    let (code, out, err) = run(folder, &words);
    assert_eq!(code, 0, "{err}");
    let events = json_events(&out);
    let ends = named(&events, "game-end");
    assert_eq!(ends.len(), 2);
    for end in ends {
        assert_eq!(end["result"], "1-0", "{end}");
        assert_eq!(end["termination"], "adjudication", "{end}");
        assert_eq!(end["plies"], 1, "{end}");
        let reason = end["reason"].as_str().unwrap();
        assert!(reason.contains("table"), "{reason}");
    }
}
