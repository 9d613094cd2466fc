//! The binary from outside: what it prints, and how it fails.

use crate::support::{json, refusal, stdout};
use serde_json::Value;

#[test]
fn the_first_screen_helps() {
    let screen = stdout(&[]);
    for word in [
        "quadrille match",
        "quadrille perft",
        "quadrille help",
        "Gyges",
    ] {
        assert!(screen.contains(word), "{word}");
    }
    for help in [&["--help"][..], &["-h"], &["help"]] {
        assert!(stdout(help).contains("perft"), "{help:?}");
    }
    for help in [["match", "--help"], ["match", "-h"], ["help", "match"]] {
        assert!(stdout(&help).contains("-concurrency"), "{help:?}");
    }
    assert!(stdout(&["--version"]).contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_example_of_the_first_screen_works() {
    let screen = stdout(&[]);
    let mut run = 0;
    for line in screen
        .lines()
        .filter_map(|l| l.strip_prefix("  quadrille "))
    {
        // Words, with quotes as a shell reads them.
        let mut words = Vec::new();
        for (i, part) in line.split('"').enumerate() {
            match i % 2 {
                0 => words.extend(part.split_whitespace()),
                _ => words.push(part),
            }
        }
        // Little of what takes long.
        let words: Vec<&str> = words
            .iter()
            .map(|w| match *w {
                "3" | "5" => "2",
                "1000" => "10",
                "tc=1+0.01" => "nodes=20",
                word => word,
            })
            .collect();
        stdout(&words);
        run += 1;
    }
    assert_eq!(run, 10);
}

#[test]
fn perft_counts_all_games() {
    for (arguments, nodes) in [
        (&["perft", "4"][..], 197_281),
        (&["perft", "3", "-g", "liberty"], 8_902),
        (
            &["perft", "3", "-g", "leiser", "--count", "generated"],
            473_126,
        ),
        (&["perft", "2", "-g", "gyges"], 56_352),
        (
            &["perft", "--game", "chess", "--position", "kiwipete", "3"],
            97_862,
        ),
        (&["perft", "2", "--moves", "e4"], 600),
        (&["perft", "0"], 1),
    ] {
        let mut arguments = arguments.to_vec();
        arguments.push("--json");
        let plain = json(&arguments);
        assert_eq!(plain["nodes"], nodes, "{arguments:?}");
        arguments.extend(["--threads", "3", "--hash", "2", "--divide"]);
        let shared = json(&arguments);
        assert_eq!(shared["nodes"], plain["nodes"], "{arguments:?}");
        let divided = shared["divide"].as_array().expect("a list");
        let sum: u64 = divided.iter().filter_map(|m| m["nodes"].as_u64()).sum();
        if plain["depth"] != 0 {
            assert_eq!(Some(sum), plain["nodes"].as_u64());
        }
    }
}

#[test]
fn perft_prints_moves_and_a_total() {
    let text = stdout(&["perft", "2", "--divide"]);
    assert_eq!(text.lines().filter(|l| l.ends_with(" 20")).count(), 20);
    assert!(text.contains("e2e4 20\n") && text.contains("\nnodes  400\n"));
    assert!(text.contains("nodes/s"));
}

#[test]
fn both_rules_of_gyges_count() {
    let count =
        |rules| json(&["perft", "2", "-g", "gyges", "-r", rules, "--json"])["nodes"].as_u64();
    assert_eq!(count("must-change"), Some(56_352));
    assert!(count("may-stay") > count("must-change"));
}

#[test]
fn show_draws_and_explains() {
    let text = stdout(&["show"]);
    assert!(text.contains("8  r n b q k b n r"));
    assert!(text.contains("White to move\nin progress"));
    assert!(text.contains("20 legal"));
    assert!(text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    let mate = stdout(&["show", "--moves", "1. f3 e5 2. g4 Qh4#"]);
    assert!(mate.contains("White to move, in check\n0-1 (Black wins by checkmate)"));
    assert!(mate.contains("played    f3 e5 g4 Qh4#"));
    let claim = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let claim = stdout(&["show", "--moves", claim]);
    assert!(claim.contains("White can claim a draw by threefold repetition"));
    let leiser = stdout(&["show", "-g", "leiser"]);
    assert_eq!(leiser.matches("to move").count(), 1);
    assert!(stdout(&["show", "-p", "chess960 0"]).contains("1  B B Q N N R K R"));
}

#[test]
fn wide_boards_are_cut_into_panels() {
    let empty = "256/".repeat(254);
    let lfen = format!("k255/{empty}255K w - - 0 1");
    let text = stdout(&["show", "-g", "liberty", "-p", &lfen, "--width", "100"]);
    let board = text.split("\n\nWhite to move").next().expect("a board");
    assert!(board.lines().all(|line| line.len() <= 100));
    assert!(board.contains(" iv") && board.lines().count() > 2 * 256);
    let whole = stdout(&["show", "-g", "liberty", "-p", &lfen]);
    assert!(whole.lines().next().is_some_and(|line| line.len() > 700));
}

#[test]
fn show_as_json() {
    for game in ["chess", "liberty", "leiser", "gyges"] {
        let shown = json(&["show", "-g", game, "--json"]);
        assert_eq!(shown["game"], game);
        assert_eq!(shown["side"], "white");
        assert_eq!(shown["outcome"], Value::Null);
        let moves = shown["legal_moves"].as_array().expect("a list");
        assert_eq!(Some(moves.len() as u64), shown["legal_move_count"].as_u64());
        let first = moves[0]["move"].as_str().expect("a text");
        let next = json(&["show", "-g", game, "--moves", first, "--json"]);
        assert_eq!(next["side"], "black");
        assert_eq!(next["played"][0]["move"], first);
        assert_eq!(next["start"], shown["position"]);
        assert!(!shown["pieces"].as_array().expect("a list").is_empty());
        assert_eq!(shown["hash"].as_str().map(str::len), Some(16));
        assert_eq!(shown["beams"].is_object(), game == "leiser");
    }
}

#[test]
fn bad_texts_are_pointed_at() {
    let fen = "rnbqybnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let error = refusal(&["show", "--position", fen]);
    let lines: Vec<&str> = error.lines().collect();
    assert!(
        lines[0].contains("chess position, placement (column 5)"),
        "{error}"
    );
    assert_eq!(lines[1], format!("  {fen}"));
    assert_eq!(lines[2], "      ^");

    let rules = refusal(&["perft", "2", "-g", "leiser", "--rules", "2016 fast"]);
    assert!(
        rules.contains("rules (column 6)") && rules.contains("\n       ^\n"),
        "{rules}"
    );

    let moves = refusal(&["show", "--moves", "e4 e5 Ke3"]);
    assert!(
        moves.contains("move 3 of --moves") && moves.contains("\n        ^\n"),
        "{moves}"
    );

    let name = refusal(&["show", "-p", "kiwi"]);
    assert!(
        name.contains("hint: known positions are startpos, kiwipete"),
        "{name}"
    );

    let long = format!("{}y", "8/".repeat(5000));
    let error = refusal(&["show", "-g", "liberty", "-p", &long]);
    assert!(error.lines().all(|line| line.len() < 200), "{error}");
}

#[test]
fn malformed_input_of_every_kind_is_refused() {
    for game in ["chess", "liberty", "leiser", "gyges"] {
        for text in [
            "x",
            "/",
            "//",
            "-",
            "\u{1F600}",
            "w w w",
            "9999999999999999999999/8",
            "\t\n?",
        ] {
            refusal(&["show", "-g", game, "-p", text]);
            refusal(&["perft", "3", "-g", game, "-p", text]);
        }
        for text in ["??", "e9e9", "\u{e4}\u{f6}", "0000", "a1a1a1a1a1a1"] {
            refusal(&["show", "-g", game, "--moves", text]);
        }
        refusal(&["show", "-g", game, "--rules", "no such rules"]);
    }
}

#[test]
fn bad_usage_is_refused() {
    for arguments in [
        &["perft"][..],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "99999999999"],
        &["perft", "5000"],
        &["perft", "2", "--game", "go"],
        &["perft", "2", "--count", "leaves"],
        &["perft", "2", "--count", "generated"],
        &[
            "perft",
            "2",
            "-g",
            "liberty",
            "--count",
            "reference",
            "--hash",
            "1",
        ],
        &["show", "--no-such-option"],
        &["dance"],
    ] {
        refusal(arguments);
    }
}

/// The node count is a signature: the same on every run.
#[test]
fn bench_repeats_itself() {
    let signature = || -> Vec<String> {
        let text = stdout(&["bench", "--depth", "2"]);
        let nodes = |line: &str| line.split(" nodes").next().map(String::from);
        text.lines().filter_map(nodes).collect()
    };
    let first = signature();
    assert_eq!(first.len(), 4);
    assert_eq!(first, signature());
}
