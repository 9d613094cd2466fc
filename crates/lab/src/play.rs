//! One game of the engine against itself.

use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Side};
use quadrille_search::{Control, Limits, Searcher};

use crate::file::{Ending, Played, ScoredMove};
use crate::openings::{Opening, random_line};

/// An opening that already decides the game teaches nothing.
pub const BALANCED: i32 = 350;
/// Both sides agree for [`DECIDED_FOR`] plies that this is won.
const DECIDED: i32 = 2_000;
const DECIDED_FOR: u32 = 4;
/// Both sides agree for [`LEVEL_FOR`] plies that nothing happens any more, not
/// before [`LEVEL_FROM`] plies are played.
const LEVEL: i32 = 8;
const LEVEL_FOR: u32 = 12;
const LEVEL_FROM: usize = 80;
/// No game is longer.
const LONGEST: usize = 400;
/// The hard limit of nodes beside the soft one, for iterations that explode.
const HARD: u64 = 8;
/// Openings that are thrown away before a game is given up.
const TRIES: usize = 20;

/// How games are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Nodes for each move: no iteration begins beyond them, give or take a
    /// quarter.
    pub nodes: u64,
    /// Mebibytes of the transposition table, which each game begins empty.
    pub hash: usize,
    /// The same seed gives the same games.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            nodes: 400,
            hash: 4,
            seed: 1,
        }
    }
}

/// Plays game `number`; `None` if no balanced opening was found for it.
pub fn game<P: Opening>(
    searcher: &mut Searcher<P>,
    settings: &Settings,
    number: u64,
) -> Option<Played<P>> {
    let seed = SplitMix64::new(settings.seed ^ number.rotate_left(32)).next();
    let mut random = SplitMix64::new(seed);
    for _ in 0..TRIES {
        searcher.clear();
        let line = random_line(&mut random);
        if let Some(game) = from(searcher, settings, number, line, &mut random) {
            return Some(game);
        }
    }
    None
}

/// The same from an opening; `None` if it is not balanced.
fn from<P: Opening>(
    searcher: &mut Searcher<P>,
    settings: &Settings,
    number: u64,
    mut line: Line<P>,
    random: &mut SplitMix64,
) -> Option<Played<P>> {
    let unscored = |&m| ScoredMove { m, score: None };
    let mut moves: Vec<_> = line.moves().iter().map(unscored).collect();
    let opening = moves.len();
    let mut agreement = Agreement::default();
    let (winner, ending) = loop {
        if let Some(outcome) = line.outcome_with_claims() {
            break (outcome.winner, Ending::Rules);
        }
        if moves.len() >= LONGEST {
            break (None, Ending::Long);
        }
        let nodes = jittered(settings.nodes, random);
        let limits = Limits {
            soft_nodes: Some(nodes),
            ..Limits::to_nodes(nodes * HARD)
        };
        let (m, score) = think(searcher, &line, &limits)?;
        if moves.len() == opening && score.abs() > BALANCED {
            return None;
        }
        moves.push(ScoredMove {
            m,
            score: Some(score),
        });
        if let Some(end) = agreement.after(score, moves.len()) {
            break end;
        }
        line.push(m);
    };
    Some(Played {
        number,
        start: line.start().clone(),
        moves,
        winner,
        ending,
    })
}

/// A quarter more or less, so that games do not fall into step.
fn jittered(nodes: u64, random: &mut SplitMix64) -> u64 {
    nodes - nodes / 4 + random.index(nodes as usize / 2 + 1) as u64
}

/// The move to play and its score from White's point of view.
pub fn think<P: Opening>(
    searcher: &mut Searcher<P>,
    line: &Line<P>,
    limits: &Limits<P::Move>,
) -> Option<(P::Move, i32)> {
    let answer = searcher.go(line, limits, &Control::new(), &mut ());
    let score = answer.last.lines.first()?.score.value();
    let white = match line.position().side() {
        Side::White => score,
        Side::Black => -score,
    };
    Some((answer.best?, white))
}

/// Ends games that are decided long before the rules end them.
#[derive(Debug, Default)]
struct Agreement {
    white: u32,
    black: u32,
    level: u32,
}

impl Agreement {
    /// The end of the game, once both sides agree on it; the score is White's.
    fn after(&mut self, score: i32, plies: usize) -> Option<(Option<Side>, Ending)> {
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        if count(&mut self.white, score >= DECIDED) >= DECIDED_FOR {
            return Some((Some(Side::White), Ending::Decided));
        }
        if count(&mut self.black, score <= -DECIDED) >= DECIDED_FOR {
            return Some((Some(Side::Black), Ending::Decided));
        }
        let level = count(&mut self.level, score.abs() <= LEVEL);
        (level >= LEVEL_FOR && plies >= LEVEL_FROM).then_some((None, Ending::Level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_only_by_agreement() {
        let mut agreement = Agreement::default();
        for _ in 1..DECIDED_FOR {
            assert_eq!(agreement.after(DECIDED, 10), None);
        }
        assert_eq!(agreement.after(0, 10), None);
        for _ in 1..DECIDED_FOR {
            assert_eq!(agreement.after(-DECIDED, 10), None);
        }
        let end = agreement.after(-DECIDED, 10);
        assert_eq!(end, Some((Some(Side::Black), Ending::Decided)));
    }

    #[test]
    fn level_games_last_a_while() {
        let mut agreement = Agreement::default();
        for plies in 0..LEVEL_FROM {
            assert_eq!(agreement.after(0, plies), None);
        }
        assert_eq!(agreement.after(0, LEVEL_FROM), Some((None, Ending::Level)));
    }
}
