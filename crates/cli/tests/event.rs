//! What is in a store, and going on with it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use quadrille_match::store::Reader;
use serde_json::Value;
use tempfile::TempDir;

use crate::matches::{SHORT, TWO, json_events, run};

fn other(folder: &Path, words: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap_or(-1);
    (code, text(output.stdout), text(output.stderr))
}

/// What a command prints that must do its work.
fn said(folder: &Path, words: &str) -> String {
    let (code, out, error) = other(folder, words);
    assert_eq!((code, error.as_str()), (0, ""), "{words}");
    out
}

#[test]
fn a_store_gives_back_everything_that_was_told() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!(
        "{TWO} {SHORT} -rounds 2 -pgnout file=games.pgn nodes=true pv=true -epdout ends.epd --json"
    );
    let (code, live, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""));

    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(said(folder, "event event.db --pgn -"), read("games.pgn"));
    assert_eq!(said(folder, "event event.db --epd -"), read("ends.epd"));
    assert_eq!(
        said(folder, "event event.db --pgn again.pgn --epd again.epd"),
        ""
    );
    assert_eq!(read("again.pgn"), read("games.pgn"));
    assert_eq!(read("again.epd"), read("ends.epd"));
    let (code, _, error) = other(folder, "event event.db --pgn games.pgn");
    assert_eq!(code, 2);
    assert!(
        error.contains("name a file that is not there yet"),
        "{error}"
    );

    let (code, out, error) = other(folder, "event event.db --json --pgn -");
    assert_eq!((code, out.as_str()), (2, ""), "a mixture of both");
    assert!(error.contains("only one of"), "{error}");
    let both = said(folder, "elo event.db games.pgn");
    assert!(
        both.starts_with("4 games of 2 players, 4 found in two files"),
        "{both}"
    );

    // The games of one after the other are told again as they were.
    let of_games = |text: &str| -> Vec<Value> {
        let events = json_events(text).into_iter();
        let kind = |event: &Value| event["event"].as_str().unwrap().to_owned();
        events
            .filter(|event| ["game-start", "ply", "game-end"].contains(&kind(event).as_str()))
            .collect()
    };
    let again = said(folder, "event event.db --json");
    assert_eq!(of_games(&again), of_games(&live));
    let score = json_events(&again).pop().unwrap();
    assert_eq!(
        (&score["event"], &score["finished"]),
        (&"score".into(), &4.into())
    );
}

#[test]
fn a_store_is_shown() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let (code, ..) = run(folder, &format!("{TWO} {SHORT} -rounds 6 -event Testing"));
    assert_eq!(code, 0);
    let text = said(folder, "event event.db");
    for wanted in [
        "event     Testing",
        "game      chess",
        "player    Ann (Quadrille",
        "plan      round-robin, 6 rounds, 2 games each, seed 5",
        "state     12 of 12 games finished, over",
        "Score of Ann vs Bob: ",
        "How games ended",
        "\n    12 Bob - Ann ",
        "(2 before them: --games lists all, --game N shows one)",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    assert!(said(folder, "event event.db --games").contains("\n     1 Ann - Bob "));
    let game = said(folder, "event event.db --game 2");
    let end = Reader::open(&folder.join("event.db")).unwrap();
    let plies = end.plies(2).unwrap();
    assert!(game.starts_with("Game 2, round 1: Bob - Ann "), "{game}");
    assert!(
        game.contains("    6 ") && game.contains(" book\n"),
        "{game}"
    );
    assert!(game.contains(&format!(
        "{:>5} {}",
        plies.len(),
        plies.last().unwrap().notation
    )));
    assert!(
        game.contains("  a b c d e f g h") || game.contains("abcdefgh"),
        "a board in\n{game}"
    );
    let (code, _, error) = other(folder, "event event.db --game 13");
    assert_eq!(code, 2);
    assert!(
        error.contains("the last that was begun is game 12"),
        "{error}"
    );
    fs::write(folder.join("games.pgn"), "[Event \"x\"]\n\n*\n").unwrap();
    let (code, _, error) = other(folder, "event games.pgn");
    assert_eq!(code, 2);
    assert!(error.contains("a record of games (PGN)"), "{error}");
}

/// What is said of a file that is not a store, or has a pipe where its journal would be.
#[cfg(unix)]
#[test]
fn what_cannot_be_opened_is_told() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("server.db"), "").unwrap();
    let (code, _, error) = other(folder, "event server.db");
    assert_eq!(code, 2);
    assert!(error.contains("or the server in this folder"), "{error}");
    let pipe = |name: &str| {
        let made = Command::new("mkfifo").arg(folder.join(name)).status();
        assert!(made.unwrap().success());
    };
    pipe("pipe.db");
    let (code, _, error) = other(folder, "event pipe.db");
    assert_eq!(code, 2, "{error}");
    let words = format!("{TWO} {SHORT} -rounds 1");
    assert_eq!(run(folder, &words).0, 0);
    pipe("event.db-journal");
    for command in ["event event.db", "elo event.db", "match --resume event.db"] {
        let (code, _, error) = other(folder, command);
        assert_ne!(code, 0, "{command}");
        assert!(
            error.contains("event.db-journal: this is not a regular file"),
            "{command}: {error}"
        );
    }
}

#[test]
fn stores_are_rated_like_their_games() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 3 -pgnout file=games.pgn nodes=true");
    assert_eq!(run(folder, &words).0, 0);
    assert_eq!(said(folder, "elo event.db"), said(folder, "elo games.pgn"));
    let both = said(folder, "elo event.db games.pgn event.db");
    assert!(
        both.starts_with("6 games of 2 players, 12 found in two files and counted once"),
        "{both}"
    );
}

#[cfg(unix)]
#[test]
fn a_running_match_can_be_looked_at() {
    use crate::matches::Background;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 300 --json");
    let mut running = Background::start(folder, &words);
    running.wait_for("game-end");
    running.wait_for("ply");
    let text = said(folder, "event event.db");
    let state = format!("run by process {} (quadrille", running.child.id());
    assert!(text.contains(&state), "{text}");
    assert!(said(folder, "event event.db --pgn -").contains("[GameNumber \"1\"]"));
    running.signal("-KILL");
    running.child.wait().unwrap();
    let text = said(folder, "event event.db");
    assert!(text.contains("interrupted; go on with"), "{text}");
}

/// The moves of every game of a store.
fn moves(store: &Path) -> Vec<Vec<String>> {
    let reader = Reader::open(store).unwrap();
    let games = reader.games().unwrap().into_iter();
    games
        .map(|game| {
            let plies = reader.plies(game.new.number).unwrap();
            plies.into_iter().map(|ply| ply.text).collect()
        })
        .collect()
}

#[test]
fn a_finished_match_is_extended_and_not_dealt_anew() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let all = format!("{TWO} {SHORT}");
    assert_eq!(
        run(
            folder,
            &format!("{all} -rounds 4").replace("event", "whole")
        )
        .0,
        0
    );
    assert_eq!(run(folder, &format!("{all} -rounds 2")).0, 0);
    let (code, out, error) = run(
        folder,
        "--resume event.db -rounds 4 -concurrency 2 -pgnout g.pgn",
    );
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(
        out.contains("Playing 8 games, 4 of them finished, 2 at once"),
        "{out}"
    );
    assert!(
        !out.contains("Started game 4 ") && out.contains("Started game 5 of 8"),
        "{out}"
    );
    assert_eq!(
        moves(&folder.join("event.db")),
        moves(&folder.join("whole.db"))
    );
    let pgn = fs::read_to_string(folder.join("g.pgn")).unwrap();
    assert_eq!(pgn.matches("[GameNumber").count(), 8);
    let text = said(folder, "event event.db");
    for wanted in [
        "4 rounds",
        "rounds: 2 -> 4",
        "concurrency: 1 -> 2",
        "pgnout: none -> /",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }

    for (words, wanted) in [
        (
            "-rounds 3",
            "-rounds 3 instead of 4 cannot be: game 7 is finished",
        ),
        ("-rounds 4000000000", "too many games"),
        ("-games 4", "-games cannot be changed"),
        (
            "-sprt elo0=0 elo1=5",
            "a test whose bounds are chosen after its results",
        ),
        ("-each tc=1+1", "-each cannot be changed"),
        ("-engine cmd=builtin", "-engine cannot be changed"),
        ("-pgnout event.db", "are the same file"),
    ] {
        let (code, _, error) = run(folder, &format!("--resume event.db {words}"));
        assert_eq!(code, 2, "{words}: {error}");
        assert!(error.contains(wanted), "{words}: {error}");
    }
    assert_eq!(moves(&folder.join("event.db")).len(), 8);
}

#[test]
fn only_rounds_that_follow_from_results_may_be_added_to_a_swiss() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let three = "-engine cmd=builtin name=A -engine cmd=builtin name=B -engine cmd=builtin name=C \
         -store event.db";
    for (format, code) in [("swiss", 0), ("knockout", 2)] {
        let store = format!("{format}.db");
        let words = format!("{three} {SHORT} -tournament {format} -rounds 1");
        assert_eq!(run(folder, &words.replace("event.db", &store)).0, 0);
        let before = moves(&folder.join(&store));
        let (found, _, error) = run(folder, &format!("--resume {store} -rounds 2"));
        assert_eq!(found, code, "{format}: {error}");
        let after = moves(&folder.join(&store));
        assert_eq!(after[..before.len()], before);
        assert_eq!(after.len() > before.len(), code == 0, "{format}");
    }
}

#[cfg(unix)]
#[test]
fn a_changed_program_is_noticed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let engine = folder.join("engine");
    let script = format!(
        "#!/bin/sh\nexec {} engine --game chess\n",
        env!("CARGO_BIN_EXE_quadrille")
    );
    fs::write(&engine, &script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let words = format!(
        "-engine cmd=./engine name=Ann -engine cmd=builtin name=Bob -store event.db {SHORT}"
    );
    assert_eq!(run(folder, &format!("{words} -rounds 1")).0, 0);
    let (_, out, error) = run(folder, "--resume event.db -rounds 2");
    assert!(!out.contains("Warning") && error.is_empty(), "{out}{error}");

    fs::write(&engine, script + "# another build\n").unwrap();
    let (code, out, _) = run(folder, "--resume event.db -rounds 3");
    assert_eq!(code, 0);
    let wanted = "Warning: the program of engine 'Ann': ";
    assert!(
        out.contains(wanted) && out.contains("engine has changed ("),
        "{out}"
    );
    assert!(!out.contains("engine 'Bob'"), "{out}");
    // It is said once, and kept.
    let (_, out, _) = run(folder, "--resume event.db -rounds 4");
    assert!(!out.contains("Warning"), "{out}");
    assert!(said(folder, "event event.db").contains("the program of engine 'Ann'"));
}
