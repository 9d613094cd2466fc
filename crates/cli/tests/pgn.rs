//! `quadrille pgn` as a command.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const GAMES: &str = "[White \"b\"]\n[Date \"2020.01.01\"]\n\n1. e4 e5 1-0\n\n\
                     [White \"a\"]\n[Date \"2019.01.01\"]\n\n1. d4 { \u{1b}[2J } d5 2. Ke3 0-1\n\n\
                     [White \"a\"]\n[Date \"2019.01.01\"]\n\n1. c4 (1. Nf3) c5 *\n\n";

fn pgn(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("pgn")
        .args(words.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_broken_game_is_reported_and_the_others_go_on() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), GAMES).unwrap();
    let output = pgn(folder, "sort g.pgn --by white -o out.pgn --broken bad.pgn");
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.starts_with("g.pgn:9: game 2: error: the move is not legal"),
        "{said}"
    );
    assert!(
        said.ends_with("3 games, 1 broken (set aside in bad.pgn)\n"),
        "{said}"
    );
    let sorted = fs::read_to_string(folder.join("out.pgn")).unwrap();
    assert!(sorted.starts_with("[White \"a\"]") && sorted.contains("(1. Nf3)"));
    let bad = fs::read_to_string(folder.join("bad.pgn")).unwrap();
    assert!(GAMES.contains(&bad) && bad.contains("Ke3"));
    let counted = pgn(folder, "count out.pgn --by year");
    let wanted = "2 games\n4 plies; 1-0 1, 0-1 0, 1/2-1/2 0, * 1\n1 2019\n1 2020\n";
    assert_eq!(
        (text(&counted.stdout), counted.status.code()),
        (wanted.into(), Some(0))
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), GAMES).unwrap();
    for (words, wanted) in [
        ("filter g.pgn -o g.pgn", "are the same file"),
        ("filter g.pgn -o x --broken x", "are the same file"),
        ("filter g.pgn --elo x", "20..40"),
        ("filter g.pgn --position zz", "--position"),
        ("filter g.pgn --json", "standard output"),
        ("sort g.pgn --by colour", "nothing that games have"),
        ("filter nowhere.pgn", "cannot be read"),
        ("filter g.pgn --plies 3 --no-check", "must follow the moves"),
        ("split g.pgn --every 1", "--output"),
        ("filter g.pgn --duplicates d", "only dedupe"),
        ("split g.pgn --every 1 -o -", "--output"),
        ("filter g.pgn --rest -", "would both go to standard output"),
        ("filter g.pgn -o x --rest - --broken -", "would both go"),
        ("filter g.pgn --eco Z99", "B20..C19"),
        ("filter g.pgn --date 2020.13", "2020.05..2021"),
    ] {
        let output = pgn(folder, words);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(wanted), "{words}: {said}");
    }
    assert_eq!(fs::read_to_string(folder.join("g.pgn")).unwrap(), GAMES);
    fs::write(folder.join("g-1.pgn"), "mine").unwrap();
    let output = pgn(folder, "split g.pgn --every 1 -o g.pgn");
    assert!(text(&output.stderr).contains("g-1.pgn is there already"));
    assert_eq!(fs::read_to_string(folder.join("g-1.pgn")).unwrap(), "mine");
}

/// Standard output is full, or its reader has gone away.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_fails_is_told_once_and_truly() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("one.pgn"), "1. e4 e5 1-0\n\n".repeat(3)).unwrap();
    for words in [
        "count one.pgn",
        "count one.pgn --by result --json",
        "check one.pgn",
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .arg("pgn")
            .args(words.split_whitespace())
            .current_dir(folder)
            .stdout(full)
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {said}");
        assert_eq!(said.matches("cannot write").count(), 1, "{words}: {said}");
    }
    // It does not say that there were no games.
    fs::write(folder.join("many.pgn"), "1. e4 e5 1-0\n\n".repeat(50_000)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["pgn", "filter", "many.pgn"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (text(&output.stderr), output.status.code()),
        (String::new(), Some(0))
    );
}

#[test]
fn two_runs_do_not_write_into_one_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), GAMES).unwrap();
    let other = fs::File::create(folder.join("out.pgn.part")).unwrap();
    other.lock().unwrap();
    let output = pgn(folder, "filter g.pgn -o out.pgn");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("another program is writing it"), "{said}");
    // What a run that was killed left behind is in the way of none.
    drop(other);
    assert_eq!(
        pgn(folder, "filter g.pgn -o out.pgn").status.code(),
        Some(1)
    );
    assert!(folder.join("out.pgn").exists() && !folder.join("out.pgn.part").exists());
}

/// A file ten times as long as the memory that the whole program gets.
#[cfg(target_os = "linux")]
#[test]
fn a_file_may_be_longer_than_the_memory() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // What the program itself needs, before it has read anything, is not counted.
    let idle = |more: u64, words: &str| {
        let program = env!("CARGO_BIN_EXE_quadrille");
        let line = format!("ulimit -d {more} && exec {program} pgn {words}");
        Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder)
            .output()
            .unwrap()
    };
    let comment = "a comment that makes the game longer ".repeat(30);
    let game = format!("[White \"w\"]\n\n1. e4 {{ {comment}}} e5 *\n\n");
    let games = 100 * (1 << 20) / game.len();
    fs::write(folder.join("long.pgn"), game.repeat(games)).unwrap();
    // 10 MiB of data, of which the program may use one for games.
    let output = idle(
        10 << 10,
        "sort long.pgn --by white --memory 1 --threads 1 -o out.pgn",
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains(&format!("{games} games")));
    assert_eq!(
        fs::metadata(folder.join("out.pgn")).unwrap().len(),
        (game.len() * games) as u64
    );
}

#[test]
#[ignore = "needs python-chess: cargo xtask clients"]
fn python_chess_reads_what_pgn_writes() {
    let python = std::env::var("QUADRILLE_PYTHON").unwrap();
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("g.pgn"), GAMES.repeat(3)).unwrap();
    let count = "import chess.pgn, sys\nf = open(sys.argv[1])\nn = 0\n\
                 while (g := chess.pgn.read_game(f)) is not None:\n    assert not g.errors, g.errors\n    \
                 n += 1\n    assert g.end().ply() == 2 and g.headers['White'] in 'ab'\nprint(n)\n";
    for (words, wanted) in [
        ("filter g.pgn -o out.pgn", 6),
        ("convert g.pgn --to uci -o out.pgn", 6),
        ("convert g.pgn --to lan -o out.pgn", 6),
        ("sort g.pgn --by -date -o out.pgn", 6),
        ("dedupe g.pgn -o out.pgn", 2),
    ] {
        pgn(folder, words);
        let read = Command::new(&python)
            .args(["-c", count, "out.pgn"])
            .current_dir(folder)
            .output()
            .unwrap();
        let said = text(&read.stdout) + &text(&read.stderr);
        assert_eq!(said.trim(), wanted.to_string(), "{words}");
    }
}
