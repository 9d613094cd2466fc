//! `quadrille_pgn` beside pgn-extract (Debian has it): the same file, the
//! same question, in turn; prints the ratio of the best times.
//!
//! `QUADRILLE_PGN_GAMES=200000 cargo bench -p quadrille-pgn --bench pgn` for a
//! larger file.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use quadrille_games::records::{Notation, WriteOptions};
use quadrille_pgn::{Condition, Form, Input, Job, Outputs, Sameness, Summary, Task};

#[path = "../../games/benches/support/random_games.rs"]
mod random_games;

/// Where Debian puts games, and then everywhere else.
fn pgn_extract() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(PathBuf::from("/usr/games")).chain(std::env::split_paths(&path));
    folders
        .map(|folder| folder.join("pgn-extract"))
        .find(|file| file.is_file())
}

fn theirs(program: &Path, words: &[&str], file: &Path, out: &Path) -> Duration {
    let begun = Instant::now();
    let status = Command::new(program)
        .arg("-s")
        .args(words)
        .arg("-o")
        .arg(out)
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("pgn-extract runs").success());
    begun.elapsed()
}

fn ours(job: &Job, file: &Path, out: &Path) -> (Duration, Summary) {
    let begun = Instant::now();
    let input = Input {
        name: file.display().to_string(),
        source: Box::new(File::open(file).expect("the file is there")),
    };
    let mut out = BufWriter::new(File::create(out).expect("a folder of our own"));
    let outputs = Outputs {
        games: Some(&mut out),
        ..Outputs::default()
    };
    let summary = job.run(vec![input], outputs, &mut |_| ());
    out.flush().expect("a folder of our own");
    (begun.elapsed(), summary.expect("a file of ours"))
}

fn main() {
    let number = |name: &str, usual| {
        let value = std::env::var(name).ok();
        value.and_then(|text| text.parse().ok()).unwrap_or(usual)
    };
    let games = number("QUADRILLE_PGN_GAMES", 20_000);
    let rounds = number("QUADRILLE_PGN_ROUNDS", 3);
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = folder.path().join("games.pgn");
    eprintln!("making {games} games...");
    let mut out = BufWriter::new(File::create(&file).expect("a folder of our own"));
    random_games::write_games(&mut out, games, 1).expect("a folder of our own");
    out.flush().expect("a folder of our own");
    drop(out);
    let megabytes = fs::metadata(&file).map_or(0, |known| known.len()) as f64 / 1e6;
    let program = pgn_extract();
    if program.is_none() {
        println!("pgn-extract is not installed; only our own times follow");
    }
    let uci = WriteOptions {
        notation: Notation::Engine,
        ..WriteOptions::default()
    };
    let job = |task, form| Job {
        task,
        form,
        ..Job::default()
    };
    let mut by_name = job(Task::Write, Form::Same);
    by_name.conditions.all = vec![Condition::White("splitmix, a".into())];
    let works: [(&str, Job, &[&str]); 4] = [
        ("check every move", job(Task::Check, Form::Same), &["-r"]),
        ("filter by player", by_name, &["-TwSplitmix, A"]),
        (
            "moves as engines write them",
            job(Task::Write, Form::Pgn(uci)),
            &["-Wuci"],
        ),
        (
            "drop duplicates",
            job(Task::Dedupe(Sameness::Moves), Form::Same),
            &["-D"],
        ),
    ];
    println!(
        "{games} games, {megabytes:.1} MB, {} threads",
        Job::default().threads
    );
    for (what, job, words) in works {
        let (mut best, mut peer) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds {
            let (time, summary) = ours(&job, &file, &folder.path().join("ours.pgn"));
            assert_eq!((summary.games, summary.broken), (games, 0));
            best = best.min(time);
            if let Some(program) = &program {
                peer = peer.min(theirs(
                    program,
                    words,
                    &file,
                    &folder.path().join("theirs.pgn"),
                ));
            }
        }
        let speed = megabytes / best.as_secs_f64();
        print!("{what:28} {:7.3} s {speed:7.1} MB/s", best.as_secs_f64());
        match &program {
            Some(_) => {
                let ratio = peer.as_secs_f64() / best.as_secs_f64();
                println!(
                    "   pgn-extract {:7.3} s   ratio {ratio:.2}",
                    peer.as_secs_f64()
                );
            }
            None => println!(),
        }
    }
}
