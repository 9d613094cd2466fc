//! A fixed amount of work, to compare builds and to prove that the search is
//! what it was.

use std::time::Duration;

use quadrille_games::{Game, Line};

use crate::control::Control;
use crate::limits::Limits;
use crate::playable::Playable;
use crate::searcher::Searcher;

/// The depth of a game's usual benchmark: about a second of work. The boards of
/// Liberty Chess are large and many.
pub const fn bench_depth(game: Game) -> u32 {
    match game {
        Game::Liberty => 5,
        _ => 10,
    }
}

/// What a benchmark found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes in all: at one thread always the same for the same program.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Searches the presets of the rules and the game's own list to a fixed depth,
/// each with an empty memory.
pub fn bench<P: Playable>(
    rules: &P::Rules,
    depth: u32,
    threads: usize,
    mebibytes: usize,
) -> BenchResult {
    let mut searcher = Searcher::<P>::new();
    searcher.set_hash(mebibytes);
    searcher.set_threads(threads);
    let clock = Control::new();
    let start = clock.now();
    let mut nodes = 0;
    for position in bench_positions::<P>(rules) {
        searcher.clear();
        let line = Line::new(position);
        let answer = searcher.go(&line, &Limits::to_depth(depth), &Control::new(), &mut ());
        nodes += answer.last.nodes;
    }
    BenchResult {
        nodes,
        time: clock.now().since(start),
    }
}

/// The positions of the benchmark.
pub fn bench_positions<P: Playable>(rules: &P::Rules) -> Vec<P> {
    let presets = P::presets(rules).into_iter().map(|(_, text)| text);
    let listed = P::BENCH.iter().map(|&text| text.to_owned());
    presets
        .chain(listed)
        .filter_map(|text| P::from_text(&text, rules).ok())
        .collect()
}
