//! Mistakes on command lines as they are made: each is told with what to do about it, and by
//! the exit code of a wrong command line.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Runs the program with words as a shell splits them, single quotes only.
fn run(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            1 => words.push(part),
            _ => words.extend(part.split_whitespace()),
        }
    }
    let done = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

const TWO: &str = "match -engine cmd=builtin name=a -engine cmd=builtin name=b -each nodes=20 \
     option.Hash=1 -maxmoves 3 -rounds 1 --quiet -store e.db";

/// Lines, and what is said about them. `TWO` stands for a good match.
#[cfg(unix)]
const MISTAKES: &[(&str, &str)] = &[
    (
        "match -engine cmd=./folder -engine cmd=builtin -each nodes=1",
        "hint: it is a folder: name the program in it",
    ),
    (
        "match -engine cmd=./text -engine cmd=builtin -each nodes=1",
        "hint: may it be run? chmod +x",
    ),
    (
        "match -engine cmd=builtin Hash=16 -engine cmd=builtin -each nodes=1",
        "hint: an option of the engine is written option.Hash=16",
    ),
    (
        "match -engine ./text -engine cmd=builtin -each nodes=1",
        "hint: the program is written cmd=./text",
    ),
    (
        "TWO -openings file=games.epd format=epd",
        "games.epd:1: this is a record of games (PGN): write format=pgn",
    ),
    (
        "TWO -openings file=games.epd format=fen",
        "games.epd:1: this is a record of games (PGN): write format=pgn",
    ),
    (
        "TWO -openings file=positions.pgn",
        "positions.pgn: there is no opening in this file; if it holds positions, write format=epd",
    ),
    ("TWO -each tc=1:60", "write 2:00 or 120"),
    ("TWO -each tc=10+0,1", "as a decimal point, write 10+0.1"),
    ("TWO -draw movecount=0", "-maxmoves N ends long games"),
    ("TWO -wait -5", "-wait: '-5' is below zero"),
    (
        "TWO -each restart=maybe",
        "hint: write restart=on, restart=off or restart=auto",
    ),
    (
        "TWO -each trust",
        "the rules decide games, not what an engine claims",
    ),
    (
        "TWO -each book=x.bin",
        "hint: -openings file=BOOK format=polyglot",
    ),
    ("TWO -log level=debug", "log needs a file"),
    (
        "sprt --wdl 1e3,2,3",
        "--wdl 1e3,2,3: '1e3' is not a whole number",
    ),
    ("sprt --wdl 1,2", "--wdl 1,2: there are 2 numbers"),
    (
        "sprt --penta 1,2,3",
        "hint: write 5 whole numbers, parted by commas: 3,40,150,45,5",
    ),
    (
        "go builtin --movetime abc",
        "invalid value 'abc' for '--movetime <MS>': it is not a whole number",
    ),
    ("go builtin --nodes 99999999999999999999", "it is too large"),
    ("sprt --wdl 1,2,3 --elo0 x", "it is not a number"),
    (
        "analyse games.epd --engine builtin --nodes 10 --cache no/such/x.db",
        "no/such/x.db: there is no folder no/such; make it first",
    ),
    (
        "check ./nothing",
        "cannot start ./nothing: No such file or directory",
    ),
    (
        "check no-such-engine-anywhere",
        "hint: it is in no folder of PATH",
    ),
    ("check ./folder", "hint: it is a folder"),
    ("check ./text", "hint: may it be run?"),
    ("check x --folder nowhere", "in the folder"),
    ("selfplay --out no/such --games 1", "no/such: No such file"),
    ("data stats nothing", "nothing: No such file"),
    ("data check nothing", "nothing: No such file"),
    ("data check nothing neither", "2 of 2 files cannot be used"),
    ("data shuffle nothing --out new", "nothing: No such file"),
    ("data export nothing --out new", "nothing: No such file"),
    ("data train nothing --out new", "No such file"),
    ("elo nothing", "nothing"),
];

#[cfg(unix)]
#[test]
fn a_mistake_is_told_with_what_to_do() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("text"), "no program\n").unwrap();
    let game = "[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    fs::write(folder.join("games.epd"), game).unwrap();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    fs::write(folder.join("positions.pgn"), start).unwrap();
    let names = || {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for (line, said) in MISTAKES {
        let (code, out, error) = run(folder, &line.replace("TWO", TWO));
        assert_eq!(code, Some(2), "{line}: {out}{error}");
        assert!(
            error.contains(said),
            "{line}\n  says: {error}\n  not:  {said}"
        );
        assert_eq!(out, "", "{line}");
        assert_eq!(names(), before, "files after {line}");
    }
}

/// What looks odd and is right.
#[test]
fn what_others_accept_is_played() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for (more, said) in [
        (
            "-draw movenumber=34",
            "note: -draw says no movecount: 8 is taken",
        ),
        ("-resign movecount=0", "note: -resign movecount=0 is off"),
        (
            "-log file=log level=debug",
            "note: -log level=debug is taken for level=trace",
        ),
        (
            "-each tc=10 st=1",
            "warning: engine 'a' has a clock (tc) and a time for every move (st)",
        ),
        ("-sprt -rounds 1", ""),
        ("-rounds 1 -recover -recover", ""),
    ] {
        let (code, _, error) = run(folder, &format!("{TWO} {more}"));
        assert!(matches!(code, Some(0 | 6)), "{more}: {error}");
        assert!(error.contains(said), "{more}: {error}");
        fs::remove_file(folder.join("e.db")).unwrap();
    }
}

#[test]
fn no_moves_at_most_plays_games_to_their_end() {
    let folder = TempDir::new().unwrap();
    let line = TWO
        .replace("-maxmoves 3", "-maxmoves 0")
        .replace(" --quiet", "");
    let (code, out, error) = run(folder.path(), &line);
    assert_eq!(code, Some(0), "{error}");
    assert!(!out.contains("too many moves"), "{out}");
    assert_eq!(out.matches("Finished game").count(), 2, "{out}");
}

/// fastchess looks for `cmd` in `dir`.
#[cfg(unix)]
#[test]
fn a_program_is_looked_for_in_its_folder() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("bin")).unwrap();
    let program = folder.join("bin/some-engine");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_quadrille"), program).unwrap();
    for cmd in ["some-engine", "./some-engine"] {
        let line = format!(
            "match -engine cmd={cmd} dir=bin 'args=engine --game chess' name=a -engine cmd=builtin \
             -each nodes=20 -maxmoves 3 -rounds 1 --quiet -store {}.db",
            cmd.len()
        );
        let (code, _, error) = run(folder, &line);
        assert_eq!(code, Some(0), "{error}");
    }
    let words = "go some-engine --folder bin --nodes 20 -- engine --game chess";
    let (code, out, error) = run(folder, words);
    assert_eq!(code, Some(0), "{out}{error}");
}

/// Both say that White is winning, from White's point of view: Black gives up.
#[cfg(unix)]
#[test]
fn scores_may_be_whites() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let script = "n=0\n\
         while read -r word rest; do case $word in\n\
         uci) echo uciok;; isready) echo readyok;; quit) exit;;\n\
         position) set -- $rest; n=$#;;\n\
         go) echo info depth 1 score cp 900\n\
         case $n in 1) m=g1f3;; *) case $(( n % 4 )) in\n\
         2) m=g1f3;; 3) m=g8f6;; 0) m=f3g1;; 1) m=f6g8;; esac;; esac\n\
         echo bestmove $m;;\n\
         esac; done\n";
    fs::write(folder.join("white.sh"), script).unwrap();
    for (more, ending) in [
        ("", "too many moves"),
        ("whitepov", "White wins by adjudication: resignation"),
    ] {
        let line = format!(
            "match -engine cmd=sh args=white.sh name=a -engine cmd=sh args=white.sh name=b \
             -each nodes=1 {more} -resign movecount=2 score=600 -maxmoves 3 -rounds 1 -games 1 \
             -store {}.db",
            more.len()
        );
        let (code, out, error) = run(folder, &line);
        assert_eq!(code, Some(0), "{error}");
        assert!(out.contains(ending), "{more}: {out}");
    }
}
