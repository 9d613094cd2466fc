//! Engines that other people wrote play a round robin to its end.

use crate::support::engines;
use quadrille_match::config::from_flags;
use quadrille_match::store::Reader;
use quadrille_match::tournament::Tournament;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

#[tokio::test]
#[ignore = "needs engines of other people: cargo xtask clients"]
async fn real_engines_play_a_round_robin() {
    let engines = engines();
    let present = engines.len();
    assert!(present >= 2, "one has no opponent: {engines:?}");
    let mut words: Vec<String> = Vec::new();
    for (program, args) in engines {
        words.push("-engine".into());
        words.push(format!("cmd={program}"));
        words.push(format!("args={}", args.join(" ")));
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
