//! Lets an engine on the network play a game of chess against itself.
//!
//! Serve one with `socat TCP-LISTEN:4711,reuseaddr,fork EXEC:stockfish`, then
//! `cargo run -p quadrille-driver --example network_engine -- tcp://localhost:4711`
use std::error::Error;
use std::time::Duration;

use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Answer, Engine, Limits};
use quadrille_games::{AnyLine, Game};

/// Plays until the game is over, or so many plies long; gives its moves.
pub(crate) async fn play(address: &str, plies: usize) -> Result<Vec<String>, Box<dyn Error>> {
    let spec = EngineSpec {
        command: address.into(),
        ..EngineSpec::default()
    };
    let mut engine = Engine::start(&spec, Game::Chess).await?;
    engine.new_game().await?;
    let mut line = AnyLine::start(Game::Chess);
    let limits = Limits::movetime(Duration::from_millis(100));
    while line.plies() < plies && line.outcome().is_none() {
        let outcome = engine.search(&line, &limits).await.finish().await;
        match outcome.answer {
            Answer::Move(best) => line.play(&best.text)?,
            other => return Err(format!("{} did not move: {other:?}", engine.name()).into()),
        };
    }
    engine.quit().await;
    for finding in &engine.findings() {
        eprintln!("{finding}");
    }
    Ok(line.moves().into_iter().map(|m| m.notation).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1);
    let address = address.unwrap_or_else(|| "tcp://localhost:4711".into());
    let runtime = tokio::runtime::Runtime::new()?;
    println!("{}", runtime.block_on(play(&address, 200))?.join(" "));
    Ok(())
}
