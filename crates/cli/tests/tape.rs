//! `quadrille tape` as a command.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_quadrille");

fn tape(folder: &Path, words: &[&str], said: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .arg("tape")
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its words does not read.
    let _ = child.stdin.take().unwrap().write_all(said.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An engine that answers a little, and then does as it is told.
fn engine(folder: &Path, end: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'id name Shell'; echo uciok;;\nisready) printf ready; printf 'ok\\n';;\n\
         go*) echo 'info depth 1 score cp 5 pv e2e4'; echo 'bestmove e2e4';;\n\
         quit) {end};;\nesac; done; exit 4"
    );
    let path = folder.join("engine.sh");
    fs::write(&path, script).unwrap();
    path.display().to_string()
}

/// A session with such an engine, on the tape `a.tape`.
fn record(folder: &Path, engine: &str, said: &str) -> Output {
    let words = ["record", "-o", "a.tape", "--", "sh", engine];
    tape(folder, &words, said)
}

const SAID: &str = "uci\nisready\nposition startpos\ngo depth 1\nquit\n";
const HEARD: &str =
    "id name Shell\nuciok\nreadyok\ninfo depth 1 score cp 5 pv e2e4\nbestmove e2e4\n";

#[test]
fn a_session_is_recorded_replayed_and_compared() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let engine = engine(folder, "exit 3");
    let output = record(folder, &engine, SAID);
    assert_eq!(
        (text(&output.stdout), output.status.code()),
        (HEARD.into(), Some(3))
    );
    let output = tape(folder, &["replay", "a.tape", "--speed", "0"], SAID);
    assert_eq!(
        (text(&output.stdout), output.status.code()),
        (HEARD.into(), Some(3))
    );
    assert_eq!(text(&output.stderr), "");
    // The replay is an engine that can be recorded.
    let words = [
        "record", "-o", "b.tape", "--", PROGRAM, "tape", "replay", "a.tape", "--speed", "0",
    ];
    assert_eq!(tape(folder, &words, SAID).status.code(), Some(3));
    let output = tape(folder, &["diff", "a.tape", "b.tape"], "");
    let wanted = "5 commands in both, 5 with the same answers, 0 differences\n";
    assert_eq!(
        (text(&output.stdout), output.status.code()),
        (wanted.into(), Some(0))
    );
    let other = SAID.replace("depth 1", "depth 2");
    let output = tape(folder, &["replay", "a.tape", "--speed", "0"], &other);
    assert!(text(&output.stdout).ends_with("bestmove e2e4\n"));
    assert!(text(&output.stderr).contains("line 4, \"go depth 2\": the tape has this position"));
    let output = tape(folder, &["replay", "a.tape", "--strict"], &other);
    assert_eq!(output.status.code(), Some(1));
    let output = tape(folder, &["show", "a.tape"], "");
    let shown = text(&output.stdout);
    assert!(
        shown.contains("(depth 1, +0.05, best e2e4, 1 plies)"),
        "{shown}"
    );
    assert!(
        shown.contains("> go depth 1") && !shown.contains('\u{1b}'),
        "{shown}"
    );
    let output = tape(folder, &["check", "a.tape"], "");
    assert!(
        text(&output.stdout).ends_with(" notes\n"),
        "{}",
        text(&output.stdout)
    );
    let output = tape(folder, &["show", "engine.sh"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it is no tape"));
}

#[test]
fn go_writes_the_same_tapes() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let words = ["go", "builtin", "--depth", "2", "--tape", "g.tape"];
    let output = Command::new(PROGRAM)
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    // Our own engine keeps to the rules, and so do we.
    let output = tape(folder, &["check", "g.tape"], "");
    let said = text(&output.stdout);
    assert!(said.contains(": 0 errors, 0 warnings"), "{said}");
    let again = "uci\nisready\nposition startpos\ngo depth 2\nquit\n";
    let output = tape(folder, &["replay", "g.tape", "--speed", "0"], again);
    assert!(text(&output.stdout).contains("\nbestmove "));
}

#[test]
fn signals_and_exit_codes_go_through() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // Killed by a signal of its own.
    let engine = engine(folder, "kill -9 $$");
    let output = record(folder, &engine, SAID);
    assert_eq!(output.status.code(), Some(128 + 9));
    let recorded = fs::read_to_string(folder.join("a.tape")).unwrap();
    assert!(recorded.ends_with(" ! signal 9\n"), "{recorded}");
    // At the end of its input.
    let output = record(folder, &engine, "uci\n");
    assert_eq!(output.status.code(), Some(4));
    let output = tape(
        folder,
        &["record", "-o", "a.tape", "--", "./no-such-engine"],
        "uci\n",
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot be started"));
    // A signal for the recorder is one for the engine.
    let trap = "trap 'echo caught; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    let mut child = Command::new(PROGRAM)
        .args(["tape", "record", "-o", "a.tape", "--", "sh", "-c", trap])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    line.clear();
    out.read_line(&mut line).unwrap();
    assert_eq!(
        (line.as_str(), child.wait().unwrap().code()),
        ("caught\n", Some(7))
    );
}

#[test]
fn a_recorder_that_is_killed_leaves_a_tape() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let engine = engine(folder, "exit 0");
    let mut child = Command::new(PROGRAM)
        .args(["tape", "record", "-o", "a.tape", "--", "sh", &engine])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"uci\nisready\n")
        .unwrap();
    let mut line = String::new();
    while line != "readyok\n" {
        line.clear();
        assert_ne!(out.read_line(&mut line).unwrap(), 0);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Everything that was heard is there.
    let output = tape(folder, &["show", "a.tape", "--plain"], "");
    let shown = text(&output.stdout);
    for wanted in ["> uci", "< uciok", "> isready", "< readyok"] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

/// A session of python-chess with a real engine, and the same session with its tape.
#[test]
#[ignore = "needs python-chess and stockfish: cargo xtask clients"]
fn python_chess_hears_the_same_from_a_tape() {
    let python = std::env::var("QUADRILLE_PYTHON").unwrap();
    let engines = std::env::var("QUADRILLE_ENGINES").unwrap();
    let engine = engines
        .lines()
        .find(|line| line.contains("stockfish"))
        .unwrap();
    let engine = engine.trim();
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let script = "\
import chess, chess.engine, sys
engine = chess.engine.SimpleEngine.popen_uci(sys.argv[1:])
print(engine.id['name'], sorted(engine.options))
engine.configure({'Hash': 4})
board = chess.Board()
for limit in [chess.engine.Limit(depth=6), chess.engine.Limit(nodes=3000), chess.engine.Limit(time=0.05)]:
    played = engine.play(board, limit, info=chess.engine.INFO_ALL)
    print(played.move, played.ponder, sorted(played.info.items(), key=str))
    board.push(played.move)
for info in engine.analyse(board, chess.engine.Limit(depth=5), multipv=3):
    print(sorted(info.items(), key=str))
with engine.analysis(board) as analysis:
    for info in analysis:
        if info.get('depth', 0) >= 4:
            break
print(analysis.wait().move)
engine.ping()
engine.quit()
";
    let session = |words: &[&str]| {
        let output = Command::new(&python)
            .args(["-c", script])
            .args(words)
            .current_dir(folder)
            .output()
            .unwrap();
        let error = text(&output.stderr);
        assert!(output.status.success(), "{error}");
        (text(&output.stdout), error)
    };
    let (live, _) = session(&[PROGRAM, "tape", "record", "-o", "s.tape", "--", engine]);
    for speed in ["1", "0"] {
        let (again, said) = session(&[PROGRAM, "tape", "replay", "s.tape", "--speed", speed]);
        assert_eq!(again, live);
        assert_eq!(said, "", "it never leaves the tape");
    }
    let output = tape(folder, &["check", "s.tape"], "");
    assert!(
        text(&output.stdout).contains(" 0 errors"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_host_that_reads_late_hears_everything() {
    let folder = TempDir::new().unwrap();
    // More than one pipe holds and less than two, so that the engine
    // is gone when it is read.
    let script = "head -c 100000 /dev/zero | tr '\\0' y; echo > gone";
    let mut child = Command::new(PROGRAM)
        .args(["tape", "record", "-o", "a.tape", "--", "sh", "-c", script])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let gone = folder.path().join("gone");
    for _ in 0..1000 {
        if gone.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // Longer than last words are listened for.
    std::thread::sleep(std::time::Duration::from_millis(700));
    let mut heard = Vec::new();
    let mut output = child.stdout.take().unwrap();
    std::io::Read::read_to_end(&mut output, &mut heard).unwrap();
    assert_eq!(
        (heard.len(), child.wait().unwrap().code()),
        (100_000, Some(0))
    );
}

#[test]
fn a_tape_is_replaced_only_by_another() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let engine = engine(folder, "exit 0");
    record(folder, &engine, SAID);
    let kept = fs::read(folder.join("a.tape")).unwrap();
    let words = |tape| ["record", "-o", tape, "--", "./no-such-engine"];
    for name in ["a.tape", "new.tape"] {
        let output = tape(folder, &words(name), "");
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("no-such-engine cannot be started"));
    }
    assert_eq!(fs::read(folder.join("a.tape")).unwrap(), kept);
    assert!(!folder.join("new.tape").exists());
    // Two at once would write over each other.
    let file = fs::File::options()
        .write(true)
        .open(folder.join("a.tape"))
        .unwrap();
    file.lock().unwrap();
    let output = record(folder, &engine, SAID);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("another program is writing it"));
    assert_eq!(fs::read(folder.join("a.tape")).unwrap(), kept);
}

#[test]
fn a_tape_with_nothing_on_it_does_not_pass() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (name, whole) in [
        ("empty.tape", ""),
        ("head.tape", "# quadrille tape 1\n# engine x\n"),
    ] {
        fs::write(folder.join(name), whole).unwrap();
        let output = tape(folder, &["check", name], "");
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = text(&output.stdout);
        assert!(
            said.contains("tape-empty") && said.contains("0 lines: 1 errors"),
            "{said}"
        );
    }
    let whole = "# quadrille tape 1\n0.1 > uci\n0.2 < id name x\n0.2 < uciok\n";
    fs::write(folder.join("whole.tape"), whole).unwrap();
    let output = tape(folder, &["check", "whole.tape"], "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn facts_beyond_what_a_head_may_hold_are_reported() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let write = |name: &str, facts: usize| {
        let facts = "# name value\n".repeat(facts);
        let whole = format!("# quadrille tape 1\n{facts}0.1 > uci\n0.2 < id name x\n0.3 < uciok\n");
        fs::write(folder.join(name), whole).unwrap();
    };
    write("full.tape", 1000);
    write("more.tape", 1002);
    let wanted = "2 facts of the head are left out, from line 1002 on: \
                  a head may have 1000 facts with 65536 bytes in all";
    for command in ["check", "show"] {
        let said = text(&tape(folder, &[command, "full.tape"], "").stdout);
        assert!(!said.contains("tape-head"), "{said}");
        let said = text(&tape(folder, &[command, "more.tape"], "").stdout);
        assert!(
            said.contains(&format!("error[tape-head]: {wanted}")),
            "{said}"
        );
        assert!(!said.contains("no line of a tape"), "{said}");
    }
    let output = tape(folder, &["diff", "full.tape", "more.tape"], "");
    let said = text(&output.stdout);
    assert_eq!(said.lines().next(), Some(&*format!("more.tape: {wanted}")));
    assert_eq!(
        output.status.code(),
        Some(0),
        "the conversations are the same"
    );
    let said = text(&tape(folder, &["diff", "more.tape", "full.tape", "--json"], "").stdout);
    assert!(said.contains("\"facts_left_out\":[2,0]"), "{said}");
}

fn pipe(folder: &Path, name: &str) {
    let made = Command::new("mkfifo").arg(folder.join(name)).status();
    assert!(made.unwrap().success());
}

#[test]
fn a_tape_in_a_pipe_is_read_in_one_pass() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let whole = "# quadrille tape 1\n0.1 > uci\n0.2 < id name x\n0.2 < uciok\n";
    for word in ["check", "show"] {
        let name = format!("{word}.pipe");
        pipe(folder, &name);
        let mut child = Command::new(PROGRAM)
            .args(["tape", word, &name])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // While nobody writes, it says what it waits for.
        let mut said = String::new();
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        assert_eq!(
            said,
            format!("{name}: waiting for a program that writes to this pipe\n")
        );
        fs::write(folder.join(&name), whole).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
        let shown = text(&output.stdout);
        assert!(
            shown.contains("uciok") || shown.contains("3 lines: 0 errors"),
            "{shown}"
        );
    }
}

#[test]
fn a_pipe_is_not_compared_with_itself() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    pipe(folder, "a.pipe");
    let output = tape(folder, &["diff", "a.pipe", "./a.pipe"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a.pipe is a pipe, which can be read once"));
}
