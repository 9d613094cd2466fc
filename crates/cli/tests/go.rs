//! `quadrille go` from outside.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.arg("go").args(arguments);
    command
}

fn go(arguments: &[&str]) -> Output {
    command(arguments)
        .output()
        .expect("the binary was built for this test")
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("we print UTF-8");
    let object = |line: &str| serde_json::from_str(line).expect("one object per line");
    text.lines().map(object).collect()
}

/// An engine made of a few lines of shell.
fn shell(script: &str) -> [&str; 4] {
    ["sh", "--", "-c", script]
}

#[test]
fn every_game_as_json() {
    for game in ["chess", "liberty", "leiser", "gyges"] {
        let output = go(&["builtin", "--game", game, "--depth", "2", "--json"]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{game}: {errors}");
        let objects = objects(&output);
        let (first, last) = (&objects[0], &objects[objects.len() - 1]);
        assert_eq!(first["event"], "start");
        assert_eq!(first["game"], game);
        assert_eq!(last["event"], "result", "{game}");
        assert_eq!(last["answer"], "move");
        let best = last["best"]["move"].as_str().expect("a move");
        let shown = objects.iter().filter(|object| object["event"] == "info");
        let heads: Vec<&Value> = shown.map(|object| &object["pv"][0]).collect();
        assert!(
            heads.iter().any(|head| *head == best),
            "{game}: {heads:?} {best}"
        );
        assert_eq!(last["findings"], Value::Array(Vec::new()), "{game}");
    }
}

#[test]
fn our_own_engine_plays_by_the_rules_that_were_asked_for() {
    let this = env!("CARGO_BIN_EXE_quadrille");
    for (game, rules) in [("leiser", "2012"), ("gyges", "may-stay")] {
        let common = ["--game", game, "--rules", rules, "--depth", "3", "--json"];
        let result = |output: &Output| {
            let objects = objects(output);
            let nodes = objects.iter().rev().find_map(|o| o.get("nodes").cloned());
            (objects.last().map(|last| last["best"].clone()), nodes)
        };
        let named = go(&[&["builtin"], &common[..]].concat());
        let engine = ["--", "engine", "--game", game, "--rules", rules];
        let started = go(&[&[this], &common[..], &engine[..]].concat());
        assert!(named.status.success() && started.status.success());
        assert_eq!(result(&named), result(&started), "{game} {rules}");
    }
}

#[test]
fn a_table_for_people() {
    let moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6";
    let output = go(&[
        "builtin", "--moves", moves, "--depth", "3", "--option", "hash=8",
    ]);
    let text = String::from_utf8(output.stdout).expect("we print UTF-8");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.starts_with("Quadrille"), "{text}");
    assert!(text.contains("#1") && text.contains("  Qxf7#"), "{text}");
    assert!(text.contains("\nbest move Qxf7# (h5f7), after "), "{text}");
}

#[test]
fn several_lines_and_few_moves() {
    let arguments = ["builtin", "--multipv", "2", "--nodes", "2000", "--json"];
    let limited = ["--searchmoves", "a3 h2h3"];
    let output = go(&[&arguments[..], &limited[..]].concat());
    let objects = objects(&output);
    let last = &objects[objects.len() - 1];
    let mut heads: Vec<_> = (0..2).map(|i| last["lines"][i]["pv"][0].as_str()).collect();
    heads.sort_unstable();
    assert_eq!(heads, [Some("a2a3"), Some("h2h3")]);
}

#[test]
fn a_finished_game_has_no_move() {
    let mated = "4k3/8/8/8/8/8/5PPP/r5K1 w - - 0 1";
    let output = go(&["builtin", "--position", mated, "--depth", "1"]);
    let text = String::from_utf8(output.stdout).expect("we print UTF-8");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("no move: the game is over here"), "{text}");
}

#[test]
fn what_is_wrong_is_said() {
    for (arguments, code, words) in [
        (&["/nowhere/engine"][..], 2, "cannot start /nowhere/engine"),
        (&["builtin", "--option", "Hsah=1"], 2, "no option \"Hsah\""),
        (&["builtin", "--option", "Hash=x"], 2, "not a whole number"),
        (&["builtin", "--searchmoves", "e4 e5"], 2, "e5"),
        (&["builtin", "--moves", "e5"], 2, "e5"),
        (
            &shell("echo no licence >&2; exit 3"),
            1,
            "exit code 3; its last words: no licence",
        ),
        (&["builtin", "--multipv", "0"], 2, "multipv"),
    ] {
        let output = go(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
        assert!(errors.contains(words), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_engine_of_a_few_lines_and_what_was_noticed() {
    let script = "while read -r word rest; do case $word in \
        uci) echo hello; echo uciok;; isready) echo readyok;; \
        go) echo bestmove e2e5;; quit) exit;; esac; done";
    let output = go(&shell(script));
    let text = String::from_utf8(output.stdout).expect("we print UTF-8");
    assert_eq!(output.status.code(), Some(1));
    for word in ["noticed:", "missing-id", "illegal-move"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(
        !text.contains("hello"),
        "a banner is nothing to tell: {text}"
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("e2e5"));
}

/// An engine may be a stranger on the network: what it says must not reach the
/// terminal as orders.
#[test]
fn an_engine_does_not_command_the_terminal() {
    let script = r"while read -r word rest; do case $word in
        uci) printf 'id name a\033[31m\007b\nuciok\n';; isready) echo readyok;;
        go) printf 'info string \033[2J\ninfo depth 1 score cp 1 pv z\033]0;\007\n'
            printf 'bestmove z\033[0m\n';; quit) exit;; esac; done";
    let said = go(&shell(script));
    let died = go(&shell(
        r"printf '\033[31m\n'; printf '\033[32m\n' >&2; exit 3",
    ));
    for bytes in [said.stdout, said.stderr, died.stdout, died.stderr] {
        let text = String::from_utf8(bytes).expect("we print UTF-8");
        let odd = |c: char| c.is_control() && c != '\n';
        assert!(!text.contains(odd), "{text:?}");
    }
}

/// Ctrl-C is a wish to see the result, not to lose it.
#[test]
fn an_interrupt_stops_the_search() {
    let mut host = command(&["builtin", "--infinite", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut lines = BufReader::new(host.stdout.take().expect("a pipe")).lines();
    let object = |line: std::io::Result<String>| -> Value {
        serde_json::from_str(&line.expect("text")).expect("JSON")
    };
    let shown = lines
        .by_ref()
        .map(object)
        .find(|object| object["event"] == "info");
    assert!(shown.is_some());
    let id = host.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill is everywhere").success());
    let last = lines.map(object).last().expect("a result");
    assert_eq!(last["event"], "result");
    assert_eq!(last["answer"], "move");
    assert_eq!(host.wait().expect("it is ours").code(), Some(0));
}

/// An engine that answers and ends while the host is suspended has answered.
#[cfg(unix)]
#[test]
fn an_answer_that_came_while_the_host_was_suspended_counts() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().expect("a folder");
    let script = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
        go*) : > going; sleep 2; echo bestmove e2e4; : > gone; exit;; esac; done";
    let words = ["go", "--movetime", "500", "sh", "--", "-c", script];
    let child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it was built for this test");
    let there = |name: &str| {
        let begun = Instant::now();
        while !folder.path().join(name).exists() {
            assert!(begun.elapsed() < Duration::from_mins(1), "no {name}");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    there("going");
    let host = Pid::from_child(&child);
    kill_process(host, Signal::STOP).expect("our child");
    there("gone");
    kill_process(host, Signal::CONT).expect("our child");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("e4"),
        "{text}{error}"
    );
}
