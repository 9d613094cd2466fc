//! docs/json.md says what is written, and nothing else is.

#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use quadrille_analysis::AnalysisEvent;
use quadrille_analysis::solve::SolveEvent;
use quadrille_games::Side;
use quadrille_games::records::GameResult;
use quadrille_match::tournament::MatchEvent;
use serde_json::Value;
use tempfile::TempDir;

use crate::matches::json_events;

/// The fields of each kind of event.
type Fields = BTreeMap<String, BTreeSet<String>>;

/// What the page says: a heading for each command, one below it for each event,
/// and the names in the first column of its table.
fn documented() -> BTreeMap<String, Fields> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let page = fs::read_to_string(page).unwrap();
    let mut commands: BTreeMap<String, Fields> = BTreeMap::new();
    let (mut command, mut event) = (String::new(), String::new());
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            command = name.into();
            event.clear();
        } else if let Some(name) = line.strip_prefix("### `") {
            event = name.trim_end_matches('`').into();
            let events = commands.entry(command.clone()).or_default();
            let before = events.insert(event.clone(), BTreeSet::new());
            assert_eq!(before, None, "{command} {event} is there twice");
        } else if let Some(row) = line.strip_prefix("| `") {
            let names = row.split(" | ").next().unwrap();
            let fields = commands.get_mut(&command).and_then(|e| e.get_mut(&event));
            let names = names.split('`').step_by(2).filter(|name| !name.is_empty());
            // A command that prints one object, as `check` does, has no events.
            if let Some(fields) = fields {
                fields.extend(names.map(Into::into));
            }
        }
    }
    commands
}

/// Objects whose names are data.
const OPEN: [&str; 3] = ["players[].terminations", "players[].findings", "tags"];

/// Messages of the protocol, whose form is that of the protocol library.
const WHOLE: &str = "message";

fn collect(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        _ if path == WHOLE => {
            fields.insert(path.into());
        }
        Value::Object(object) => {
            for (name, value) in object {
                let name = if OPEN.contains(&path) { "<x>" } else { name };
                let path = match path {
                    "" if name == "event" => continue,
                    "" => name.to_owned(),
                    path => format!("{path}.{name}"),
                };
                collect(value, &path, fields);
            }
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            // The lines of a result are those of `info`.
            if path == "lines" {
                fields.insert("lines[]".into());
                return;
            }
            for value in list {
                collect(value, &format!("{path}[]"), fields);
            }
        }
        // A list or an object that happens to be empty says nothing of its
        // elements.
        Value::Array(list) if list.is_empty() && path.ends_with("findings") => {}
        _ => {
            fields.insert(path.into());
        }
    }
}

fn written(events: &[Value]) -> Fields {
    let mut kinds = Fields::new();
    for event in events {
        let kind = event["event"].as_str().unwrap().to_owned();
        collect(event, "", kinds.entry(kind).or_default());
    }
    kinds
}

/// A field that was only ever empty where it may hold an object.
fn forget_nulls(found: &mut Fields, page: &Fields) {
    for (kind, fields) in found {
        let known = &page.get(kind).cloned().unwrap_or_default();
        let inner = |field: &String| {
            let inside = [format!("{field}."), format!("{field}[].")];
            let is_in = |name: &String| inside.iter().any(|inside| name.starts_with(inside));
            known.iter().any(is_in)
        };
        fields.retain(|field| known.contains(field) || !inner(field));
    }
}

fn quadrille(folder: &Path, words: &str) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    json_events(&String::from_utf8(output.stdout).unwrap())
}

/// An engine that is our own, with what it says run through `sed`.
fn odd_engine(folder: &Path, name: &str, script: &str) {
    let program = env!("CARGO_BIN_EXE_quadrille");
    let text = format!("#!/bin/sh\n{program} engine --game chess | sed -u '{script}'\n");
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn compare(what: &str, mut found: Fields, page: &Fields) {
    forget_nulls(&mut found, page);
    for (kind, fields) in &found {
        let known = page.get(kind);
        let known = known.unwrap_or_else(|| panic!("{what}: '{kind}' is not in docs/json.md"));
        let missing: Vec<_> = fields.difference(known).collect();
        assert!(
            missing.is_empty(),
            "{what} {kind}: not in docs/json.md: {missing:?}"
        );
        let idle: Vec<_> = known.difference(fields).collect();
        assert!(
            idle.is_empty(),
            "{what} {kind}: only in docs/json.md: {idle:?}"
        );
    }
    let never: Vec<_> = page
        .keys()
        .filter(|kind| !found.contains_key(*kind))
        .collect();
    assert!(never.is_empty(), "{what}: never written: {never:?}");
}

/// What no short match comes to.
fn rare() -> Vec<Value> {
    let reason = String::from("why");
    let events = [
        MatchEvent::GameAbandoned { game: 1 },
        MatchEvent::Trouble {
            game: 1,
            reason: reason.clone(),
        },
        MatchEvent::Warning {
            reason: reason.clone(),
        },
        MatchEvent::GameAgain {
            game: 1,
            reason: reason.clone(),
        },
        MatchEvent::Workers {
            workers: 2,
            in_flight: 3,
            games_per_minute: 4.5,
        },
        MatchEvent::Paused,
        MatchEvent::Resumed,
        MatchEvent::Concurrency { concurrency: 2 },
        MatchEvent::Stopping { reason },
    ];
    events
        .iter()
        .map(|event| serde_json::to_value(event).unwrap())
        .collect()
}

#[test]
fn the_page_about_matches_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    odd_engine(folder, "odd", "s/^info depth/info foo 1 depth/");
    // In the second opening there is a mate to be found.
    fs::write(
        folder.join("book.epd"),
        "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\n4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\n",
    )
    .unwrap();
    let match_words = "match -engine cmd=./odd name=A -engine cmd=builtin name=B \
         -each tc=5+0.1 depth=2 option.Hash=1 -rounds 2 -repeat -maxmoves 4 -sprt elo0=0 elo1=5 \
         -openings file=book.epd format=epd -store e.db --json";
    let mut events = quadrille(folder, match_words);
    let replayed = quadrille(folder, "event e.db --json");
    let page = &documented()["match, event"];
    let known = written(&events);
    for (kind, fields) in written(&replayed) {
        assert_eq!(fields.difference(&known[&kind]).count(), 0, "event {kind}");
    }
    events.extend(rare());
    compare("match", written(&events), page);
    // Each time is a number of milliseconds, and each event is read back.
    for event in &events {
        let kind = event["event"].as_str().unwrap();
        if kind == "end" {
            continue;
        }
        let read: MatchEvent = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(&serde_json::to_value(&read).unwrap(), event);
        match read {
            MatchEvent::Ply { made, .. } => {
                let millis = made.elapsed.as_secs_f64() * 1000.0;
                assert!((event["elapsed"].as_f64().unwrap() - millis).abs() < 1e-6);
            }
            MatchEvent::GameEnd {
                duration, result, ..
            } => {
                assert_ne!(result, GameResult::Open);
                let millis = duration.as_secs_f64() * 1000.0;
                assert!((event["duration"].as_f64().unwrap() - millis).abs() < 1e-6);
            }
            MatchEvent::GameStart { first, .. } => assert_eq!(first, Side::White),
            _ => {}
        }
    }
}

#[test]
fn the_page_about_go_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    odd_engine(
        folder,
        "odd",
        "s/^bestmove/info string hm\\nhello\\ninfo currmove e2e4 currmovenumber 1\\n\
         info depth 1 score mate 1 upperbound wdl 1 2 3 multipv 2 pv e2e4\\nbestmove/",
    );
    let mut events = quadrille(folder, "go ./odd --depth 2 --json");
    events.extend(quadrille(
        folder,
        "go builtin --game gyges --depth 1 --json",
    ));
    compare("go", written(&events), &documented()["go"]);
}

#[test]
fn the_page_about_analyses_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // Clocks, a mistake, a mate, and a game that is broken.
    fs::write(
        folder.join("g.pgn"),
        "[TimeControl \"60\"]\n\n1. f3 {[%clk 0:00:59]} e5 {[%clk 0:00:58]} 2. g4 {[%clk 0:00:50]} \
         Qh4# {[%clk 0:00:57]} 0-1\n\n1. e4 e5 2. Ke3 *\n",
    )
    .unwrap();
    let words = "analyse g.pgn --nodes 500 --lines 2 --no-cache -o out.pgn --json";
    let events = quadrille(folder, words);
    compare("analyse", written(&events), &documented()["analyse"]);
    for event in &events {
        let read: AnalysisEvent = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(&serde_json::to_value(&read).unwrap(), event);
    }
}

#[test]
fn the_page_about_files_of_games_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("g.pgn"),
        "words\n\n1. f3 {[%clk 0:00:59] [%emt 0:00:01] [%eval -0.5]} e5!? (1... d5) 2. {so} g4 0-1\n\n\
         1. e4 e5 2. Ke3 *\n",
    )
    .unwrap();
    let mut events = quadrille(folder, "pgn count g.pgn --by result --json");
    events.extend(quadrille(folder, "pgn convert g.pgn --to json"));
    compare("pgn", written(&events), &documented()["pgn"]);
}

#[test]
fn the_page_about_suites_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    odd_engine(folder, "odd", "s/^bestmove.*/bestmove e2e5/");
    fs::write(
        folder.join("s.epd"),
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3 Nc3;\nnonsense\n",
    )
    .unwrap();
    let words = "solve s.epd -e builtin -e ./odd --nodes 500 --no-store --json";
    let events = quadrille(folder, words);
    compare("solve", written(&events), &documented()["solve"]);
    for event in &events {
        let read: SolveEvent = serde_json::from_value(event.clone()).unwrap();
        assert_eq!(&serde_json::to_value(&read).unwrap(), event);
    }
}

#[test]
fn the_page_about_tapes_is_whole() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let tape = |answer: &str, more: &str| {
        format!(
            "# quadrille tape 1\n0.1 > uci\n0.2 < id name x\n0.2 < uciok\n0.3 > isready\n\
             0.4 < readyok\n0.5 > position startpos\n0.5 > go depth 1\n0.6 < bestmove {answer}\n{more}"
        )
    };
    fs::write(folder.join("a.tape"), tape("e2e4", "0.7 < bestmove e2e4\n")).unwrap();
    fs::write(folder.join("b.tape"), tape("d2d4", "0.7 > d\n")).unwrap();
    for command in ["show", "check", "diff"] {
        let more = if command == "diff" { " b.tape" } else { "" };
        let events = quadrille(folder, &format!("tape {command} a.tape{more} --json"));
        let name = format!("tape {command}");
        compare(&name, written(&events), &documented()[&name]);
    }
}

#[test]
fn the_examples_of_the_page_are_json() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/json.md");
    let page = fs::read_to_string(page).unwrap();
    let examples = page.lines().filter(|line| line.starts_with("{\""));
    let mut count = 0;
    for example in examples {
        let value: Value = serde_json::from_str(example).expect(example);
        assert!(value["event"].is_string());
        count += 1;
    }
    assert!(count > 6, "{count}");
}
