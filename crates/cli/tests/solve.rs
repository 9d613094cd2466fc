//! `quadrille solve` as a command.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::matches::json_events;

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"back rank\";\nnonsense\n\
                     7k/5Q2/6K1/8/8/8/8/8 w - - dm 1;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8; id \"no\";\n";

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

fn solve(folder: &Path, words: &str) -> Output {
    command(folder, &format!("solve {words}")).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn two_engines_solve_a_suite() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.epd"), SUITE).unwrap();
    let words = "s.epd -e builtin -e builtin --nodes 3000 --concurrency 2 --store s.db";
    let output = solve(folder, words);
    let (out, said) = (text(&output.stdout), text(&output.stderr));
    assert!(said.starts_with("s.epd:2: "), "{said}");
    // A broken line is no success.
    assert_eq!(output.status.code(), Some(1), "{out}");
    assert_eq!(out.matches(": 2 of 3 solved (66.7 %)").count(), 2, "{out}");
    assert!(out.contains("no ") && out.contains("- (Ra8#)"), "{out}");
    assert!(!out.contains("back rank"), "only what was missed: {out}");
    let events = json_events(&text(&solve(folder, &format!("{words} --json")).stdout));
    let answers = events.iter().filter(|event| event["event"] == "answer");
    // A run that came to its end leaves nothing behind.
    assert!(answers.clone().all(|answer| answer["known"] == false));
    for answer in answers.clone().filter(|answer| answer["solved"] == true) {
        assert!(
            answer["found"].as_f64() <= answer["elapsed"].as_f64(),
            "{answer}"
        );
    }
    assert_eq!(answers.count(), 6);
}

/// Every problem of the suite that we ship has the solution it says.
#[test]
fn the_suite_of_the_page_is_right() {
    let folder = TempDir::new().unwrap();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/suites/mates.epd");
    let output = solve(folder.path(), &format!("{suite} --nodes 20000 --no-store"));
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains(": 5 of 5 solved (100.0 %)"), "{out}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("s.epd"), SUITE).unwrap();
    fs::write(folder.join("empty.epd"), "nonsense\n").unwrap();
    for (words, wanted) in [
        ("nowhere.epd", "cannot be read"),
        ("empty.epd", "there is no problem in it; line 1"),
        ("s.epd -e ./no-such-engine --no-store", "no-such-engine"),
        ("s.epd --option Colour=red --no-store", "Colour"),
        ("s.epd --concurrency 0 --no-store", "from 1 on"),
    ] {
        let output = solve(folder, words);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(wanted), "{words}: {said}");
    }
}

/// An engine that answers slowly, so that a run can be killed in the middle.
#[cfg(unix)]
#[test]
fn a_run_that_was_killed_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
                  uci) echo 'id name Slow'; echo uciok;;\nisready) echo readyok;;\n\
                  go*) sleep 0.2; echo 'info depth 1 score mate 1 pv a1a8'; echo 'bestmove a1a8';;\n\
                  quit) exit 0;;\nesac; done\n";
    let engine = folder.join("slow");
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    let problem = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm Ra8#;";
    // Problems that differ, so that each is asked.
    let suite: Vec<_> = (0..8)
        .map(|n| problem.replace("0 1 bm", &format!("{n} 1 bm")))
        .collect();
    fs::write(folder.join("s.epd"), suite.join("\n")).unwrap();
    let words = "solve s.epd -e ./slow --depth 1 --store s.db --json";
    let mut child = command(folder, words)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let answers = lines
        .map_while(Result::ok)
        .filter(|line| line.contains("\"answer\""));
    assert_eq!(answers.take(3).count(), 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let output = command(folder, words).output().unwrap();
    let events = json_events(&text(&output.stdout));
    let answers: Vec<_> = events.iter().filter(|e| e["event"] == "answer").collect();
    assert_eq!(answers.len(), 8);
    let known = answers.iter().filter(|e| e["known"] == true).count();
    assert!((3..8).contains(&known), "{known}");
    assert!(answers.iter().all(|answer| answer["solved"] == true));
    let end = events.last().unwrap();
    assert_eq!(end["engines"][0]["solved"], 8);
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_fails_is_told_once() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("s.epd"),
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#;\n",
    )
    .unwrap();
    for words in ["", "--json"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let words = format!("solve s.epd --nodes 1000 --no-store {words}");
        let output = command(folder, &words).stdout(full).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert_eq!(said.matches("cannot write").count(), 1, "{words}: {said}");
    }
}
