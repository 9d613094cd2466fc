//! `quadrille bench`: a fixed amount of search work. At one thread the node
//! count is the signature of the program.

use std::process::ExitCode;

use quadrille_games::Game;
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_search::bench::BENCH_DEPTH;
use quadrille_search::{Playable, bench};

/// What to measure.
pub(crate) struct Plan {
    /// One game, or all of them.
    pub(crate) game: Option<Game>,
    pub(crate) threads: usize,
    /// Plies; the usual depth if none is named.
    pub(crate) depth: Option<u32>,
    /// Mebibytes of transposition table.
    pub(crate) hash: usize,
}

/// Prints one line for each game.
pub(crate) fn run(plan: &Plan) -> ExitCode {
    let games = match plan.game {
        Some(game) => vec![game],
        None => Game::ALL.to_vec(),
    };
    for game in games {
        match game {
            Game::Chess => measure::<Chess>(plan),
            Game::Liberty => measure::<Liberty>(plan),
            Game::Leiser => measure::<Leiser>(plan),
            Game::Gyges => measure::<Gyges>(plan),
        }
    }
    ExitCode::SUCCESS
}

fn measure<P: Playable>(plan: &Plan) {
    let depth = plan.depth.unwrap_or(BENCH_DEPTH);
    let result = bench::<P>(&P::Rules::default(), depth, plan.threads, plan.hash);
    let micros = result.time.as_micros().max(1);
    let nps = u128::from(result.nodes) * 1_000_000 / micros;
    println!(
        "{:8} {} nodes {} nps (depth {depth}, {} threads, {} ms)",
        P::GAME,
        result.nodes,
        nps,
        plan.threads,
        result.time.as_millis()
    );
}
