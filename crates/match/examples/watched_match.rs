//! Plays a match of the two engines that are named and tells every move.
//!
//! `cargo run -p quadrille-match --example watched_match -- stockfish ./mine`
use std::error::Error;
use std::path::Path;

use quadrille_match::config::from_flags;
use quadrille_match::tournament::{MatchEvent, Results, Tournament, Watcher};
use tokio::sync::mpsc::unbounded_channel;

struct Teller;

impl Watcher for Teller {
    fn wants_plies(&self) -> bool {
        true
    }

    fn event(&mut self, event: &MatchEvent, results: &Results) {
        match event {
            MatchEvent::Ply { game, ply, made } => {
                println!("game {game}, ply {ply}: {} {:?}", made.notation, made.score);
            }
            MatchEvent::GameEnd { game, reason, .. } => println!("game {game}: {reason}"),
            MatchEvent::Score(standing) => {
                for player in &standing.players {
                    println!("{}: {:.1} points", player.name, player.tally.points());
                }
            }
            MatchEvent::Start { .. } => println!("{} play", results.names().join(" and ")),
            _ => {}
        }
    }
}

/// Two games, and where everything about them is kept.
pub(crate) async fn play(engines: [&str; 2], store: &Path) -> Result<(), Box<dyn Error>> {
    let [one, two] = engines.map(|engine| format!("cmd={engine}"));
    let words = ["-engine", &one, "name=one", "-engine", &two, "name=two"];
    let rest = "-each tc=2+0.02 -games 2 -repeat -openings format=random plies=6 -maxmoves 80";
    let words = words.into_iter().chain(rest.split_whitespace());
    let config = from_flags(words.map(Into::into))?.config;
    let tournament = Tournament::create(config, store)?;
    let (_commands, receiver) = unbounded_channel();
    let summary = tournament.run(receiver, &mut Teller).await?;
    println!(
        "{:?}; everything is in {}",
        summary.verdict(),
        store.display()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [one, two] = &arguments[..] else {
        return Err("name two engines".into());
    };
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(play([one, two], Path::new("watched-match.db")))
}
