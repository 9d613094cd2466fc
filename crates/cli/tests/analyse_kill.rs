//! Killed at any moment and begun again, an analysis gives the file that it would
//! have given without interruption.
//!
//! The ordinary test kills six times in eight games; `cargo xtask analyse-kill`
//! twenty times in a hundred (`QUADRILLE_ANALYSE_KILLS`).

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use tempfile::TempDir;

fn quadrille(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(words.split_whitespace()).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    // The broken game is told again and again.
    command.stderr(Stdio::null());
    command
}

fn words(name: &str, nodes: u32) -> String {
    format!("analyse games.pgn --nodes {nodes} --concurrency 2 --cache {name}.db -o {name}.pgn")
}

#[test]
fn a_killed_analysis_goes_on_to_the_same_file() {
    let wanted = std::env::var("QUADRILLE_ANALYSE_KILLS");
    let whole = wanted.is_ok();
    let kills: u32 = wanted.ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let (rounds, nodes) = if whole { (50, 1500) } else { (4, 800) };
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let play = format!(
        "match -engine cmd=builtin name=A nodes=200 -engine cmd=builtin name=B nodes=60 \
         -rounds {rounds} -games 2 -repeat -srand 11 -maxmoves 60 -concurrency 2 \
         -openings format=random plies=6 -pgnout file=games.pgn min=true --quiet"
    );
    assert!(quadrille(folder, &play).status().unwrap().success());
    // One game is broken, and stays so through all of it.
    let mut games = fs::read_to_string(folder.join("games.pgn")).unwrap();
    games.insert_str(0, "[White \"odd\"]\n\n1. e4 e5 2. Ke3 {kept} *\n\n");
    fs::write(folder.join("games.pgn"), games).unwrap();

    let began = Instant::now();
    let status = quadrille(folder, &words("whole", nodes)).status();
    assert!(status.unwrap().success());
    let took = began.elapsed();
    let expected = fs::read(folder.join("whole.pgn")).unwrap();

    // Moments that come before the end even if every run goes on at once.
    let mut random = SplitMix64::new(u64::from(std::process::id()));
    let most = (took.as_micros() as u64 * 12 / 10 / u64::from(kills)).max(1);
    let mut killed = 0;
    while killed < kills {
        let mut child = quadrille(folder, &words("torn", nodes)).spawn().unwrap();
        sleep(Duration::from_micros(random.below(most)));
        let over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        if over {
            break;
        }
        killed += 1;
        assert!(
            !folder.join("torn.pgn").exists(),
            "half a file in its place"
        );
    }
    let status = quadrille(folder, &words("torn", nodes)).status();
    assert!(status.unwrap().success());
    let found = fs::read(folder.join("torn.pgn")).unwrap();
    assert!(
        found == expected,
        "killed {killed} times, and the file is another"
    );
    eprintln!(
        "killed {killed} times in {} games ({:.1} s without): the same {} bytes",
        rounds * 2 + 1,
        took.as_secs_f64(),
        found.len()
    );
    if whole {
        assert_eq!(killed, kills, "it was done before the last");
    }
    // Nothing is left of those that were killed but what they had begun.
    let parts = fs::read_dir(folder).unwrap().flatten();
    let left = parts.filter(|file| file.file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(left.count(), 0);
}
