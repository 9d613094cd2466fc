//! `quadrille elo` and `quadrille sprt` from outside.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{json, refusal, stdout};
use serde_json::Value;

fn near(value: &Value, wanted: f64) {
    let number = value.as_f64().unwrap_or_else(|| panic!("{value}"));
    assert!((number - wanted).abs() < 1e-6, "{number} is not {wanted}");
}

#[test]
fn a_test_is_judged() {
    // The numbers are fastchess's for the same results.
    let games = json(&["sprt", "--wdl", "300,1400,250", "--json"]);
    assert_eq!(games["games"], 1950);
    near(&games["upper"], 2.944_438_979_166_44);
    near(&games["estimate"]["elo"], 8.910_557_884_461);
    near(&games["estimate"]["error"], 8.187_070_303_154);
    near(&games["llr"], 1.153_261_774_018);
    let pairs = json(&[
        "sprt",
        "--penta",
        "15 120 333 160 22",
        "--model",
        "logistic",
        "--json",
    ]);
    assert_eq!(pairs["pairs"], 650);
    let text = stdout(&[
        "sprt",
        "--penta",
        "3,40,150,45,5",
        "--elo0",
        "-5",
        "--elo1",
        "0",
    ]);
    assert!(text.contains("LLR 0.315"), "{text}");
    assert!(text.contains("not decided yet"), "{text}");
    for (wdl, decision) in [("900,100,100", "accept-h1"), ("100,100,900", "accept-h0")] {
        let judged = json(&["sprt", "--wdl", wdl, "--json"]);
        assert_eq!(judged["decision"], decision);
    }
    // Without a loss there is no finite Elo, and JSON has no word for that.
    let won = json(&["sprt", "--wdl", "5,0,0", "--json"]);
    assert_eq!(won["estimate"]["elo"], Value::Null);
}

#[test]
fn a_test_is_planned() {
    let plan = json(&[
        "sprt", "--plan", "--json", "--alpha", "0.05", "--beta", "0.1",
    ]);
    let rows = plan["plan"].as_array().expect("rows");
    assert_eq!(rows.len(), 7);
    near(&rows[2]["elo"], 0.0);
    near(&rows[2]["pass"], 0.05);
    near(&rows[4]["pass"], 0.9);
    let text = stdout(&["sprt", "--plan", "--wdl", "3,2,1", "--draws", "0.7"]);
    assert!(
        text.contains("fixed length") && text.contains("LLR"),
        "{text}"
    );
}

#[test]
fn bad_tests_are_explained() {
    for (arguments, wanted) in [
        (&["sprt"][..], "no results to judge"),
        (&["sprt", "--wdl", "1,2"], "there are 2 numbers"),
        (&["sprt", "--wdl", "1,2,3,4"], "there are 4 numbers"),
        (&["sprt", "--wdl", "1,2,-3"], "'-3' is not a whole number"),
        (&["sprt", "--wdl", "1,2,x"], "'x' is not a whole number"),
        (&["sprt", "--wdl", "0,0,0"], "nothing has been played"),
        (&["sprt", "--wdl", "1,1,99999999999999"], "is too large"),
        (&["sprt", "--penta", "1,2,3"], "there are 3 numbers"),
        (
            &["sprt", "--wdl", "1,2,3", "--penta", "1,2,3,4,5"],
            "cannot be used with",
        ),
        (
            &["sprt", "--wdl", "1,2,3", "--elo0", "9"],
            "must be smaller",
        ),
        (&["sprt", "--wdl", "1,2,3", "--alpha", "1"], "alpha is 1"),
        (&["sprt", "--wdl", "1,2,3", "--model", "x"], "no SPRT model"),
        (
            &["sprt", "--penta", "1,2,3,4,5", "--model", "bayesian"],
            "single games only",
        ),
        (&["sprt", "--plan", "--draws", "1"], "--draws is 1"),
    ] {
        let errors = refusal(arguments);
        assert!(errors.contains(wanted), "{arguments:?}: {errors}");
    }
}

/// Anchors put a player with fewer points above others: both tables say so.
#[test]
fn a_player_has_one_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let games = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("c", "d")];
    let text: String = games
        .iter()
        .enumerate()
        .map(|(round, (white, black))| game(white, black, &round.to_string(), "1/2-1/2", "\n1. e4"))
        .collect();
    fs::write(&path, text + &game("d", "e", "9", "1-0", "\n1. e4")).expect("a file");
    let path = path.to_str().expect("a plain path");
    let text = stdout(&["elo", path, "--anchor", "e=3000", "--anchor", "a=0"]);
    let numbers = |table: &str| -> Vec<(String, String)> {
        let lines = table.lines().skip_while(|line| !line.starts_with("  #"));
        let rows = lines.skip(1).take_while(|line| !line.is_empty());
        rows.map(|line| {
            let mut words = line.split_whitespace().map(String::from);
            (
                words.next().unwrap_or_default(),
                words.next().unwrap_or_default(),
            )
        })
        .collect()
    };
    let (list, cross) = text.split_at(text.rfind("  # player").expect("a second table"));
    assert_eq!(numbers(list).len(), 5, "{text}");
    assert_eq!(numbers(list), numbers(cross), "{text}");
    let one = folder.path().join("one.pgn");
    fs::write(&one, game("a", "b", "1", "1-0", "\n1. e4")).expect("a file");
    let text = stdout(&["elo", one.to_str().expect("a plain path")]);
    assert!(text.starts_with("1 game of 2 players\n"), "{text}");
}

/// A game of a file.
fn game(white: &str, black: &str, round: &str, result: &str, rest: &str) -> String {
    format!(
        "[Event \"x\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n\
         [Result \"{result}\"]\n{rest} {result}\n\n"
    )
}

const PLAIN: &str = "\n1. e4 {+0.30/10 0.500s, n=1000} e5 {-0.10/12 1.5s, n=6000}";

#[test]
fn two_players_are_compared() {
    let mut file = String::new();
    for (round, first, second) in [("1", "1-0", "1/2-1/2"), ("2.1", "0-1", "1/2-1/2")] {
        let other = if round == "1" { "1" } else { "2.2" };
        file += &game("a", "b", round, first, PLAIN);
        file += &game("b", "a", other, second, PLAIN);
    }
    file += &game(
        "a",
        "b",
        "3",
        "1-0",
        "[Termination \"time forfeit\"]\n\n1. e4",
    );
    file += &game(
        "b",
        "a",
        "3",
        "*",
        "[Termination \"unterminated\"]\n\n1. e4",
    );
    file += &game("?", "a", "4", "1-0", "\n1. e4");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    fs::write(&path, file).expect("a file");
    let path = path.to_str().expect("a plain path");

    let text = stdout(&["elo", path]);
    assert!(
        text.contains("5 games of 2 players, 1 without a result, 1 without names"),
        "{text}"
    );
    assert!(text.contains("games +2 =2 -1"), "{text}");
    assert!(text.contains("pairs [0, 1, 0, 1, 0]"), "{text}");
    assert!(text.contains("1 game belongs to no pair"), "{text}");
    assert!(text.contains("time forfeit 1/0/0"), "{text}");

    let value = json(&["elo", path, "--json", "--anchor", "b=2000"]);
    assert_eq!(value["players"][0]["name"], "a");
    assert_eq!(value["players"][1]["rating"], 2000.0);
    assert_eq!(value["players"][1]["error"], 0.0);
    assert_eq!(
        value["meetings"][0]["pairs"],
        serde_json::json!([0, 1, 0, 1, 0])
    );
    assert_eq!(value["open"]["unterminated"], 1);
    // Of each pair White has one note and Black has one.
    near(&value["players"][0]["effort"]["elapsed_per_move"], 1000.0);
    near(&value["players"][0]["effort"]["depth"], 11.0);
    near(&value["players"][0]["effort"]["nps"], 3500.0);

    for (arguments, wanted) in [
        (
            &["elo", path, "--anchor", "c=5"][..],
            "no player is called 'c'",
        ),
        (&["elo", path, "--anchor", "b"], "is no anchor"),
        (&["elo", path, "--anchor", "b=high"], "is no anchor"),
        (&["elo", "/nowhere/at/all.pgn"], "cannot be read"),
        (&["elo"], "required"),
    ] {
        let errors = refusal(arguments);
        assert!(errors.contains(wanted), "{arguments:?}: {errors}");
    }
}

#[test]
fn many_players_of_all_games_are_rated() {
    let mut file = String::new();
    // Every game in one file: moves are not looked at.
    for (variant, moves) in [
        ("Standard", "1. e4 e5 {White mates}"),
        ("Liberty", "1. e4 e5"),
        ("Leiserchess", "1. Ph4-g5 {a zapped King}"),
        ("Gyges", "1. 0|3|2|12"),
    ] {
        for (white, black, result) in [
            ("one", "two", "1-0"),
            ("two", "three", "1-0"),
            ("three", "one", "1/2-1/2"),
        ] {
            let rest = format!("[Variant \"{variant}\"]\n\n{moves}");
            file += &game(white, black, "?", result, &rest);
        }
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["elo", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(file.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("we print UTF-8");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[0],
        "12 games of 3 players".split(' ').collect::<Vec<_>>()
    );
    let rated = rows
        .iter()
        .filter(|row| row.len() == 10 && row[0] != "#")
        .count();
    assert_eq!(rated, 3, "{text}");
    assert!(text.contains("4/4"), "{text}");
    assert!(
        text.contains("a zapped King") && text.contains("checkmate"),
        "{text}"
    );
}

#[test]
fn an_empty_file_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("empty.pgn");
    fs::write(&path, "").expect("a file");
    let errors = refusal(&["elo", path.to_str().expect("a plain path")]);
    assert!(errors.contains("no game with two players"), "{errors}");
}
