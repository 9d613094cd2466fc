//! The shipped examples hold a conversation with each other.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Cargo builds examples next to the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let profile = test
        .ancestors()
        .nth(2)
        .expect("target/<profile>/deps/<test>");
    let path = profile.join("examples").join(name);
    path.with_extension(std::env::consts::EXE_EXTENSION)
}

fn tiny_engine(input: &str) -> String {
    let mut engine = Command::new(example("tiny_engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cargo test without --test builds the examples too");
    let mut stdin = engine.stdin.take().expect("stdin is a pipe");
    stdin.write_all(input.as_bytes()).expect("the engine reads");
    drop(stdin);
    let output = engine.wait_with_output().expect("the engine ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("the engine writes UTF-8")
}

#[test]
fn the_tiny_engine_answers_as_the_text_demands() {
    let said = tiny_engine(
        "joho uci\r\nisready\nposition startpos moves e2e4 e7e5\ngo movetime 1\n\
         go infinite\nisready\nstop\nstop\n\
         position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 1\nquit\n",
    );
    let expected = "id name Tiny\nuciok\nreadyok\n\
                    info depth 1 nodes 1\nbestmove e1e2\n\
                    readyok\ninfo depth 1 nodes 1\nbestmove e1e2\n\
                    info depth 1 nodes 1\nbestmove 0000\n";
    assert_eq!(said, expected);
}

#[test]
fn the_tiny_engine_fits_forty_lines() {
    let source = include_str!("../examples/tiny_engine.rs");
    assert!(source.lines().count() <= 40);
}

#[test]
fn the_tiny_host_drives_the_tiny_engine() {
    let output = Command::new(example("tiny_host"))
        .arg(example("tiny_engine"))
        .output()
        .expect("cargo test without --test builds the examples too");
    let said = String::from_utf8(output.stdout).expect("the host writes UTF-8");
    assert!(output.status.success(), "{said}");
    assert!(said.ends_with("bestmove e1e2\n"), "{said}");
    assert!(
        !said.contains("    "),
        "no finding about a clean engine: {said}"
    );
}

#[test]
fn the_tiny_host_says_when_there_is_no_engine() {
    let output = Command::new(example("tiny_host"))
        .arg("/no/such/engine")
        .output()
        .expect("cargo test without --test builds the examples too");
    assert_eq!(output.status.code(), Some(2));
}
