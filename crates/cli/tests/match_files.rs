//! The files of a match: each its own, and a disk that is full.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use quadrille_host::store::{GameState, Reader};
use tempfile::TempDir;

use crate::matches::{SHORT, TWO, quadrille, run};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn matches_of_one_instant_do_not_meet() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 1 -pgnout all.pgn");
    let words = words.replace("-store event.db", "");
    let runs: Vec<_> = (0..4)
        .map(|_| {
            let mut command = quadrille(folder, &words);
            command.stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().unwrap().success());
    }
    let names = names(folder);
    assert_eq!(names.len(), 5, "{names:?}");
    assert!(names.iter().skip(1).all(|name| !name.contains("-lock")));
    let pgn = fs::read_to_string(folder.join("all.pgn")).unwrap();
    assert_eq!(pgn.matches("[GameNumber").count(), 8);
    assert_eq!(pgn.matches("[Event \"").count(), 8);
}

#[test]
fn one_file_for_two_things_is_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("book.epd"), "7k/8/8/8/8/8/2Q4n/K7 w - - 0 1\n").unwrap();
    for words in [
        "-pgnout event.db",
        "-pgnout x.pgn -epdout ./x.pgn",
        "-openings file=book.epd -pgnout file=../{}/book.epd",
    ] {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let words = format!("{TWO} {SHORT} {}", words.replace("{}", name));
        let (code, _, error) = run(folder, &words);
        assert_eq!(code, 2, "{error}");
        assert!(error.contains("are the same file"), "{error}");
        assert_eq!(names(folder), ["book.epd"], "{words}");
    }
}

/// No file of this match may grow beyond a limit, which is what a full disk is
/// like; signals about it are ignored, as they would not come from a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_a_match_in_order() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let rest = "-engine cmd=builtin name=Ann -engine cmd=builtin name=Bob -each nodes=20 \
         option.Hash=1 -rounds 20 -repeat -maxmoves 6 -store event.db -pgnout games.pgn";
    let program = env!("CARGO_BIN_EXE_quadrille");
    let limited = format!("trap '' XFSZ; ulimit -f 300; exec {program} match {rest}");
    let output = Command::new("sh")
        .args(["-c", &limited])
        .current_dir(folder)
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}{error}");
    assert!(
        error.contains("event.db: nothing can be written any more: File too large"),
        "{error}"
    );
    assert!(error.contains("--resume"), "{error}");
    let finished = |folder: &Path| {
        let games = Reader::open(&folder.join("event.db")).unwrap().games();
        let games = games.unwrap().into_iter();
        games
            .filter(|game| game.state == GameState::Finished)
            .count()
    };
    let before = finished(folder);
    assert!((1..40).contains(&before), "{before}");
    assert_eq!(said.matches("Finished game").count(), before);

    // There is room again.
    let (code, out, error) = run(folder, "--resume event.db");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains(&format!("{before} of them finished")), "{out}");
    assert_eq!(finished(folder), 40);
    let pgn = fs::read_to_string(folder.join("games.pgn")).unwrap();
    let numbers = pgn.lines().filter(|line| line.starts_with("[GameNumber"));
    let wanted = (1..=40).map(|number| format!("[GameNumber \"{number}\"]"));
    assert!(numbers.eq(wanted), "{pgn}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_record_that_cannot_be_written_stops_a_match() {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -rounds 500 -pgnout /dev/full");
    let (code, out, error) = run(folder.path(), &words);
    assert_eq!(code, 1, "{error}");
    assert!(
        error.contains("cannot write /dev/full: No space left"),
        "{error}"
    );
    assert!(out.contains("Stopping: cannot write"), "{out}");
}

/// Nothing can be made there, whoever asks.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_told() {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -rounds 1");
    let store = words.replace("event.db", "/proc/event.db");
    let pgn = format!("{words} -pgnout /proc/games.pgn");
    for (words, said) in [
        (store, "/proc/event.db: no file can be made in this folder"),
        (pgn, "cannot write /proc/games.pgn"),
    ] {
        let (code, _, error) = run(folder.path(), &words);
        assert_ne!(code, 0, "{words}");
        assert!(error.contains(said), "{error}");
        assert!(error.contains("folder"), "{error}");
        assert!(names(folder.path()).is_empty(), "{words}");
    }
}
