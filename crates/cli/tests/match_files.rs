//! The files of a match: each its own, and a disk that is full.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use quadrille_match::store::{GameState, Reader};
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
        let short = SHORT.replace("-openings format=random plies=6", "");
        let words = format!("{TWO} {short} {}", words.replace("{}", name));
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

/// Waits until a file holds a text, and reads it.
#[cfg(unix)]
fn wait_for_text(path: &Path, wanted: &str) {
    let begun = std::time::Instant::now();
    while !fs::read_to_string(path).is_ok_and(|text| text.contains(wanted)) {
        assert!(begun.elapsed().as_secs() < 60, "no {wanted}");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// `> games.pgn` while it is written: nothing is lost, and it is told.
#[cfg(unix)]
#[test]
fn a_record_that_is_cut_during_the_match_is_whole_at_the_end() {
    use crate::matches::Background;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 200 -concurrency 1 -pgnout games.pgn --json");
    let mut running = Background::start(folder, &words);
    running.wait_for("game-end");
    let games = folder.join("games.pgn");
    for number in [2, 4] {
        wait_for_text(&games, &format!("[GameNumber \"{number}\"]"));
        fs::File::options()
            .write(true)
            .open(&games)
            .unwrap()
            .set_len(0)
            .unwrap();
    }
    let warning = running.wait_for("warning");
    let reason = warning["reason"].as_str().unwrap();
    assert!(reason.contains("written again from the store"), "{reason}");
    running.signal("-INT");
    running.wait_for("end");
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
    let pgn = fs::read_to_string(&games).unwrap();
    let stored = Reader::open(&folder.join("event.db")).unwrap().games();
    let finished = stored.unwrap().len();
    let numbers = pgn.lines().filter(|line| line.starts_with("[GameNumber"));
    let wanted = (1..=finished).map(|number| format!("[GameNumber \"{number}\"]"));
    assert!(numbers.eq(wanted), "{pgn}");
}

/// A reader that leaves is told, holds up nothing, and costs no game.
#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_leaves_its_pipe_costs_no_game() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    // It reads a little of what no pipe holds at once, and goes.
    let script = format!(
        "head -c 100 pipe >part & $0 match {TWO} {SHORT} -rounds 10 -pgnout pipe \
         -event $(printf 'e%070000d' 1)"
    );
    let mut command = Command::new("timeout");
    command.args(["-s", "KILL", "100", "sh", "-c", &script]);
    command.arg(env!("CARGO_BIN_EXE_quadrille"));
    // The reader may not have opened it yet: then the match does not begin.
    let mut done = command.current_dir(folder).output().unwrap();
    for _ in 0..20 {
        if folder.join("event.db").exists() {
            break;
        }
        done = command.output().unwrap();
    }
    let out = String::from_utf8(done.stdout).unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{out}{error}");
    assert!(out.contains("Warning: cannot write"), "{out}{error}");
    assert!(
        error.contains("the program that read it has ended"),
        "{error}"
    );
    assert_eq!(out.matches("Finished game").count(), 20, "{out}");
    let stored = Reader::open(&folder.join("event.db")).unwrap().games();
    let finished = |game: &quadrille_match::store::GameRow| game.state == GameState::Finished;
    assert_eq!(
        stored.unwrap().iter().filter(|game| finished(game)).count(),
        20
    );
}

/// The first match moves away under the second's feet, and is moved back.
#[cfg(unix)]
#[test]
fn a_store_that_was_moved_can_be_moved_back() {
    use crate::matches::Background;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 2000 -concurrency 1 --json");
    let mut running = Background::start(folder, &words);
    running.wait_for("game-end");
    fs::rename(folder.join("event.db"), folder.join("elsewhere.db")).unwrap();
    let stopping = running.wait_for("stopping");
    let reason = stopping["reason"].as_str().unwrap();
    assert!(reason.contains("move it back beside"), "{reason}");
    assert!(reason.contains("go on with --resume"), "{reason}");
    assert_eq!(running.child.wait().unwrap().code(), Some(1));
    fs::rename(folder.join("elsewhere.db"), folder.join("event.db")).unwrap();
    let mut running = Background::start(folder, "--resume event.db --json");
    let start = running.wait_for("start");
    assert!(start["finished"].as_u64().unwrap() >= 1, "{start}");
    running.wait_for("game-end");
    running.signal("-INT");
    running.wait_for("end");
    assert_eq!(running.child.wait().unwrap().code(), Some(4));
}
