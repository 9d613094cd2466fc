//! Many games do not make the host grow.
//!
//! ```sh
//! cargo test --release -p quadrille --test all -- match_growth --ignored --nocapture
//! ```
//!
//! `QUADRILLE_GAMES` says how many (10000).

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Resident memory in kibibytes and open files of a process.
fn size(process: u32) -> (u64, usize) {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let resident = resident.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok());
    let files = fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count);
    (resident.unwrap_or(0), files)
}

#[test]
#[ignore = "plays ten thousand games"]
fn many_games_do_not_make_the_host_grow() {
    let games: u64 = std::env::var("QUADRILLE_GAMES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10_000);
    let folder = TempDir::new().unwrap();
    let rounds = (games / 2).to_string();
    let words = "-engine cmd=builtin name=A -engine cmd=builtin name=B -each nodes=100 \
         option.Hash=1 -games 2 -repeat -concurrency 2 -srand 1 -maxmoves 30 \
         -openings format=random plies=8 -pgnout file=g.pgn -store g.db --json";
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("match")
        .args(words.split_whitespace())
        .args(["-rounds", &rounds])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut sizes = Vec::new();
    let mut finished = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        if !line.starts_with("{\"event\":\"game-end\"") {
            continue;
        }
        let event: Value = serde_json::from_str(&line).unwrap();
        let fault = !matches!(
            event["termination"].as_str(),
            Some("normal" | "adjudication")
        );
        assert!(!fault, "{line}");
        finished += 1;
        if finished % (games / 10).max(1) == 0 {
            let (resident, files) = size(child.id());
            println!("{finished} games: {resident} KiB resident, {files} files open");
            sizes.push((resident, files));
        }
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(finished, games);
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    assert!(last.1 <= first.1 + 2, "files: {first:?} to {last:?}");
    // Results are kept: sixteen bytes of a game, not its moves.
    let allowed = first.0 + 4096 + games / 16;
    assert!(last.0 <= allowed, "memory: {first:?} to {last:?}");
}
