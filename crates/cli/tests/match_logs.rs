//! What was said, in a file.

use std::fs;
use std::path::Path;

use quadrille_match::store::Reader;
use quadrille_protocol::Severity;
use quadrille_transcript::Tape;
use tempfile::TempDir;

use crate::matches::{SHORT, TWO, run};

/// The lines of a log without what changes from run to run: game, engine,
/// direction and words.
fn lines(path: &Path) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(path).unwrap();
    let entries = text.lines().filter(|line| !line.starts_with('#'));
    entries
        .map(|line| {
            let mut words = line.split_whitespace();
            let time: f64 = words.next().unwrap().parse().expect(line);
            assert!(time >= 0.0);
            let game = words.next().unwrap().to_owned();
            let who = words.next().unwrap().to_owned();
            (game, who, words.collect::<Vec<_>>().join(" "))
        })
        .collect()
}

#[test]
fn a_log_has_what_both_sides_said() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 1 -log file=all.log level=trace engine=true");
    let (code, out, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let all = lines(&folder.join("all.log"));
    let has = |game: &str, who: &str, said: &str| {
        let found = |line: &&(String, String, String)| {
            line.0 == game && line.1 == who && line.2.starts_with(said)
        };
        all.iter().filter(found).count()
    };
    // Both engines were greeted before the first game.
    for name in ["Ann", "Bob"] {
        assert_eq!(has("-", name, "> uci"), 1, "{all:?}");
        assert_eq!(has("-", name, "< uciok"), 1);
    }
    // Every move of the store was asked for and answered in its game.
    let reader = Reader::open(&folder.join("event.db")).unwrap();
    for game in ["1", "2"] {
        let plies = reader.plies(game.parse().unwrap()).unwrap();
        let moves = plies.iter().filter(|ply| !ply.book);
        let moves: Vec<String> = moves
            .map(|ply| format!("< bestmove {}", ply.text))
            .collect();
        let said = all.iter().filter(|line| line.0 == game);
        let said = said.filter(|line| line.2.starts_with("< bestmove"));
        let said: Vec<&str> = said
            .map(|line| line.2.split(" ponder").next().unwrap())
            .collect();
        assert_eq!(said, moves);
        let asked = has(game, "Ann", "> go nodes") + has(game, "Bob", "> go nodes");
        assert_eq!(asked, moves.len());
        assert_eq!(has(game, "*", "begins: ") + has(game, "*", "ends: "), 2);
    }
    // A second run goes behind the first.
    let before = fs::read_to_string(folder.join("all.log")).unwrap();
    assert_eq!(run(folder, "--resume event.db -rounds 2").0, 0);
    let after = fs::read_to_string(folder.join("all.log")).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len());
    assert_eq!(after.matches("# quadrille ").count(), 2);
}

#[test]
fn a_log_can_be_of_one_engine_or_of_the_match_alone() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let one = format!("{TWO} {SHORT} -rounds 1 -log file=one.log engine=Bob");
    assert_eq!(run(folder, &one).0, 0);
    let all = lines(&folder.join("one.log"));
    assert!(
        all.iter()
            .any(|line| line.1 == "Bob" && line.2 == "> isready")
    );
    assert!(!all.iter().any(|line| line.1 == "Ann"));
    let info = one
        .replace("one.log engine=Bob", "info.log level=info")
        .replace("event.db", "i.db");
    assert_eq!(run(folder, &info).0, 0);
    let all = lines(&folder.join("info.log"));
    assert_eq!(all.len(), 4, "{all:?}");
    assert!(all.iter().all(|line| line.1 == "*"));
    let debug = format!("{TWO} {SHORT} -rounds 1 -debug").replace("event.db", "d.db");
    let (code, _, error) = run(folder, &debug);
    assert_eq!(code, 0);
    assert!(error.contains(" Ann > ucinewgame\n"), "{error}");
    for (words, said) in [
        ("-log level=trace", "log needs a file"),
        (
            "-log file=x engine=Cid",
            "engine= is true, false or one of Ann, Bob",
        ),
        ("-log file=x level=loud", "choose trace, info, warn"),
        ("-log file=event.db", "are the same file"),
        ("-log file=no/such/folder", "its folder must be there"),
    ] {
        let new = format!("{TWO} {SHORT} -rounds 1 {words}").replace("event.db", "new.db");
        let new = new.replace("file=event.db", "file=new.db");
        let (code, _, error) = run(folder, &new);
        assert_ne!(code, 0, "{words}");
        assert!(error.contains(said), "{words}: {error}");
    }
    assert!(!folder.join("new.db").exists());
}

#[cfg(unix)]
#[test]
fn standard_error_goes_to_its_file_in_full() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let engine = folder.join("engine");
    let program = env!("CARGO_BIN_EXE_quadrille");
    let script = format!(
        "#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do echo \"line $i of many\" >&2; i=$((i+1)); done\n\
         exec {program} engine --game chess\n"
    );
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let words = format!(
        "-engine cmd=./engine name=Ann stderr=ann.txt -engine cmd=builtin name=Bob \
         -store event.db {SHORT} -rounds 1"
    );
    let (code, _, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""));
    let wanted = (0..3000).map(|i| format!("line {i} of many"));
    let text = fs::read_to_string(folder.join("ann.txt")).unwrap();
    assert!(text.lines().eq(wanted), "{text}");
    let bad = words
        .replace("ann.txt", "no/such")
        .replace("event.db", "b.db");
    let (code, _, error) = run(folder, &bad);
    assert_eq!(code, 2);
    assert!(error.contains("its stderr="), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_begun_is_told() {
    let folder = TempDir::new().unwrap();
    let words = format!("{TWO} {SHORT} -rounds 2 -log file=/dev/full");
    let (code, out, error) = run(folder.path(), &words);
    assert_eq!(code, 1, "{out}");
    assert!(error.contains("/dev/full: No space left"), "{error}");
}

/// To open a pipe is to wait for its reader, perhaps for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_no_program_reads_is_refused() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    for (flag, why) in [
        ("-log file=", "it is a pipe that no program reads"),
        ("-pgnout ", "it is a pipe that no program reads"),
        ("-epdout ", "it is a pipe that no program reads"),
        ("-each stderr=", "it is not a file"),
    ] {
        let words = format!("match {TWO} {SHORT} -rounds 1 {flag}pipe");
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "60", env!("CARGO_BIN_EXE_quadrille")]);
        let done = command.args(words.split_whitespace()).current_dir(folder);
        let done = done.output().unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        assert!(error.contains(why), "{flag}: {:?} {error}", done.status);
    }
    // One that is read is as good as a file.
    let words = format!("match {TWO} {SHORT} -rounds 1 -log file=pipe -pgnout /dev/null");
    let reader = Command::new("timeout")
        .args(["-s", "KILL", "60", "cat", "pipe"])
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut code = None;
    // The reader may not have begun yet.
    for _ in 0..100 {
        let (now, ..) = run(folder, words.strip_prefix("match ").unwrap());
        code = Some(now);
        if now == 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(code, Some(0));
    let read = reader.wait_with_output().unwrap();
    let text = String::from_utf8(read.stdout).unwrap();
    assert!(text.contains("Bob < bestmove"), "{text}");
}

/// A log is waited for a while, and then its end is missing.
#[cfg(target_os = "linux")]
#[test]
fn a_log_that_is_not_read_does_not_hold_up_the_end() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    let mut both = fs::OpenOptions::new();
    let _reader = both.read(true).write(true).open(folder.join("pipe"));
    let (code, out, error) = run(folder, &format!("{TWO} {SHORT} -rounds 40 -log file=pipe"));
    assert_eq!(code, 1, "{out}");
    assert!(error.contains("the end of the log is missing"), "{error}");
    assert!(out.contains("Score of Ann vs Bob"), "{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_told() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let shell = |script: &str| {
        let script = script.replace("MATCH", &format!("$0 match {TWO} {SHORT} -rounds 2"));
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_quadrille")]);
        let done = command.current_dir(folder).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    let (code, error) = shell("MATCH --json >/dev/full");
    assert_eq!(code, Some(1), "{error}");
    assert!(
        error.contains("standard output cannot be written"),
        "{error}"
    );
    // More than a file may have here, whichever is written first.
    let (code, error) =
        shell("rm event.db; ulimit -f 200; MATCH -pgnout big.pgn -event $(printf 'e%060000d' 1)");
    assert_eq!(code, Some(1), "{error}");
    assert!(
        error.contains("File too large") || error.contains("full"),
        "{error}"
    );
}

/// The limit is told in words from the first byte of the store on.
#[cfg(unix)]
#[test]
fn a_store_that_may_not_be_made_is_told() {
    use std::process::Command;
    let folder = TempDir::new().unwrap();
    for blocks in [0, 8, 40] {
        let script = format!("ulimit -f {blocks}; exec $0 match {TWO} {SHORT} -rounds 1");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_quadrille")]);
        let done = command.current_dir(folder.path()).output().unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        let code = done.status.code();
        assert!(
            matches!(code, Some(1 | 2)),
            "{blocks}: {:?} {error}",
            done.status
        );
        assert!(error.contains("error: event.db: "), "{blocks}: {error}");
        let _ = fs::remove_file(folder.path().join("event.db"));
    }
}

/// Engines that say nothing are waited for; the user is not.
#[cfg(unix)]
#[test]
fn a_match_can_be_stopped_while_engines_start() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = TempDir::new().unwrap();
    let words = "match -engine cmd=sleep args=100 name=a -engine cmd=sleep args=100 name=b -each nodes=1 -store t.db";
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words.split(' '))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(100);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < patience);
        if folder.path().join("t.db").exists() {
            let mut kill = Command::new("kill");
            assert!(
                kill.args(["-INT", &child.id().to_string()])
                    .status()
                    .is_ok()
            );
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    // Without the signals the engines would be told to be silent: 1.
    assert_eq!(status.code(), Some(4));
}

/// A reader that holds a pipe open and never reads: the record cannot be finished,
/// and two signals end the waiting for it.
#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_does_not_read_can_be_given_up() {
    use std::process::Command;
    use std::time::{Duration, Instant};
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let made = Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    // Both ends, so that opening waits for none.
    let open = |path| {
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).open(path)
    };
    let _reader = open(folder.join("pipe")).unwrap();
    let event = "e".repeat(70_000);
    let words = format!("match {TWO} {SHORT} -rounds 1 -pgnout pipe --json -event {event}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let ended = || {
        Reader::open(&folder.join("event.db")).is_ok_and(|store| {
            let games = store.games().unwrap_or_default();
            games.len() == 2 && games.iter().all(|game| game.end.is_some())
        })
    };
    let patience = Instant::now() + Duration::from_secs(100);
    while !ended() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(
        child.try_wait().unwrap().is_none(),
        "the record is not written"
    );
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < patience, "it waits for ever");
        let signal = Command::new("kill").arg(child.id().to_string()).status();
        assert!(signal.is_ok());
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(status.code(), Some(1));
}

#[test]
fn every_engine_has_a_tape() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = format!("{TWO} {SHORT} -rounds 1 -log tapes=tapes");
    let (code, out, error) = run(folder, &words);
    assert_eq!((code, error.as_str()), (0, ""), "{out}");
    let reader = Reader::open(&folder.join("event.db")).unwrap();
    let plies = |game| {
        reader
            .plies(game)
            .unwrap()
            .into_iter()
            .filter(|ply| !ply.book)
    };
    let moves = plies(1).chain(plies(2)).count();
    let mut said = 0;
    for name in ["Ann-1.tape", "Bob-1.tape"] {
        let tape = Tape::read(&fs::read(folder.join("tapes").join(name)).unwrap()).unwrap();
        let conversation = tape.conversation(tape.dialect());
        assert!(
            conversation
                .oddities()
                .all(|(_, odd)| odd.severity < Severity::Error)
        );
        let answers = tape
            .lines()
            .filter(|line| line.bytes.starts_with(b"bestmove"));
        said += answers.count();
    }
    assert_eq!(said, moves);
    assert!(!lines(&folder.join("tapes/match.log")).is_empty());
}
