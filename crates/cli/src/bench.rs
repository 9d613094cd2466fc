//! `quadrille bench`: a fixed amount of search work. At one thread the node
//! count is the signature of the program.

use std::fmt::Write as _;

use clap::Args;
use quadrille_games::{Game, match_game};
use quadrille_search::bench::bench_depth;
use quadrille_search::{Playable, bench};
use serde_json::json;

/// What to measure.
#[derive(Args)]
pub(crate) struct Arguments {
    /// chess, liberty, leiser or gyges; all four if missing
    #[arg(long, short, value_name = "GAME")]
    game: Option<Game>,

    /// Search threads
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Plies; if missing, as many as take about a second
    #[arg(long, short, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,

    /// Mebibytes of transposition table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// One JSON object for each game
    #[arg(long)]
    json: bool,
}

/// One line for each game.
pub(crate) fn run(arguments: &Arguments) -> String {
    let games = match arguments.game {
        Some(game) => vec![game],
        None => Game::ALL.to_vec(),
    };
    let mut text = String::new();
    for game in games {
        match_game!(game, P => measure::<P>(arguments, &mut text));
    }
    text
}

fn measure<P: Playable>(arguments: &Arguments, text: &mut String) {
    let Arguments {
        depth,
        threads,
        hash,
        ..
    } = *arguments;
    let depth = depth.unwrap_or(bench_depth(P::GAME));
    let result = bench::<P>(&P::Rules::default(), depth, threads.into(), hash as usize);
    let micros = result.time.as_micros().max(1);
    let nps = u128::from(result.nodes) * 1_000_000 / micros;
    let (nodes, ms) = (result.nodes, result.time.as_millis());
    // Writing to a string cannot fail.
    if arguments.json {
        let object = json!({
            "game": P::GAME.name(),
            "nodes": nodes,
            "nps": nps as u64,
            "depth": depth,
            "threads": threads,
            "hash_mib": hash,
            "elapsed": result.time.as_micros() as f64 / 1000.0,
        });
        let _ = writeln!(text, "{object}");
        return;
    }
    let _ = writeln!(
        text,
        "{:8} {nodes} nodes {nps} nps (depth {depth}, threads {threads}, {ms} ms)",
        P::GAME
    );
}
