//! Engines that other people wrote play a round robin to its end.
//!
//! Engines that are not installed are named on standard error and left out;
//! with `QUADRILLE_REAL_ENGINES=all` in the environment that is a failure.

use crate::support::{ENGINES, find};
use quadrille_host::config::from_flags;
use quadrille_host::store::Reader;
use quadrille_host::tournament::Tournament;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

#[tokio::test]
async fn real_engines_play_a_round_robin() {
    let mut words: Vec<String> = Vec::new();
    let mut missing = Vec::new();
    for (name, args) in ENGINES {
        match find(name) {
            Some(path) => {
                words.push("-engine".into());
                words.push(format!("cmd={}", path.display()));
                words.push(format!("name={name}"));
                words.push(format!("args={}", args.join(" ")));
            }
            None => missing.push(name),
        }
    }
    if !missing.is_empty() {
        eprintln!("NOT INSTALLED, so not tried: {}", missing.join(", "));
        let all = std::env::var("QUADRILLE_REAL_ENGINES").is_ok_and(|value| value == "all");
        assert!(!all, "missing: {}", missing.join(", "));
    }
    let present = ENGINES.len() - missing.len();
    if present < 2 {
        eprintln!("SKIPPED: fewer than two real engines");
        return;
    }
    let rest = "-each depth=2 option.Hash=16 -rounds 1 -games 2 -repeat -concurrency 2 -srand 4 \
         -openings format=random plies=6 -maxmoves 20";
    words.extend(rest.split_whitespace().map(String::from));
    let config = from_flags(words).unwrap().config;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("event.db");
    let tournament = Tournament::create(config, &path).unwrap();
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, &mut ()).await.unwrap();
    assert!(summary.complete, "{:?}", summary.trouble);
    let games = Reader::open(&path).unwrap().games().unwrap();
    assert_eq!(games.len(), present * (present - 1));
    for game in games {
        let ending = game.end.unwrap().ending;
        let fault = ending.termination.is_fault();
        assert!(!fault, "game {}: {ending}", game.new.number);
    }
}
