//! One game of the engine against itself.

use quadrille_games::chess::{Chess, Move};
use quadrille_games::{Line, Position, Side};
use quadrille_search::{Control, Limits, Searcher};

use crate::opening;
use crate::record::Record;
use quadrille_games::random::SplitMix64;

/// How games are played.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Nodes for each move.
    pub nodes: u64,
    /// Random plies at the start.
    pub random_plies: usize,
    /// Percent of games from shuffled start positions.
    pub shuffled: usize,
}

/// An opening that already decides the game teaches nothing.
const BALANCED: i32 = 350;
/// Positions with larger scores teach nothing; smaller ones do, won or not.
const KEPT: i32 = 3_000;
/// Both sides agree for [`AGREED`] plies that this is won.
const WON: i32 = 1_800;
/// Both sides agree for [`LEVEL_FOR`] plies that nothing happens any more.
const LEVEL: i32 = 8;
const AGREED: u32 = 5;
const LEVEL_FOR: u32 = 16;
/// Level games go on at least this long.
const LEVEL_FROM: usize = 90;
/// No game is longer.
const LONGEST: usize = 400;

/// Who won a game; `None` for a draw.
pub type Winner = Option<Side>;

/// Plays one game; gives its quiet positions with the result.
pub fn game(
    searcher: &mut Searcher<Chess>,
    settings: &Settings,
    random: &mut SplitMix64,
    number: u64,
) -> Vec<Record> {
    let start = opening::random(random, settings.random_plies, settings.shuffled);
    searcher.clear();
    let mut line = Line::new(start);
    let mut records = Vec::new();
    let winner = play_out(
        searcher,
        &mut line,
        || settings.nodes,
        |line, m, score| {
            if line.moves().is_empty() && score.abs() > BALANCED {
                return false;
            }
            let position = line.position();
            if is_quiet(position, m) && score.abs() < KEPT {
                records.extend(Record::new(position, score, number));
            }
            true
        },
    );
    let Some(winner) = winner else {
        return Vec::new();
    };
    for record in &mut records {
        record.set_result(winner);
    }
    records
}

/// Plays a game to its end. `nodes` says how long to think about the next move;
/// `heed` sees each move before it is played, with its score for White, and
/// breaks the game off with `false`: then there is no result.
pub fn play_out(
    searcher: &mut Searcher<Chess>,
    line: &mut Line<Chess>,
    mut nodes: impl FnMut() -> u64,
    mut heed: impl FnMut(&Line<Chess>, Move, i32) -> bool,
) -> Option<Winner> {
    let mut referee = Referee::default();
    loop {
        if let Some(outcome) = line.outcome_with_claims() {
            return Some(outcome.winner);
        }
        if line.moves().len() >= LONGEST {
            return Some(None);
        }
        let Some((m, score)) = think(searcher, line, nodes()) else {
            return Some(None);
        };
        if !heed(line, m, score) {
            return None;
        }
        if let Some(winner) = referee.judge(score, line.moves().len()) {
            return Some(winner);
        }
        line.push(m);
    }
}

/// The move to play and its score from White's point of view.
fn think(searcher: &mut Searcher<Chess>, line: &Line<Chess>, nodes: u64) -> Option<(Move, i32)> {
    let answer = searcher.go(line, &Limits::to_nodes(nodes), &Control::new(), &mut ());
    let score = answer.last.lines.first()?.score.value();
    let score = match line.position().side() {
        Side::White => score,
        Side::Black => -score,
    };
    Some((answer.best?, score))
}

/// A static evaluation can only be right where nothing is about to be taken.
fn is_quiet(position: &Chess, best: Move) -> bool {
    !position.in_check() && !position.is_tactical(best) && best.promotion().is_none()
}

/// Ends games that are decided long before mate.
#[derive(Debug, Default)]
struct Referee {
    won: u32,
    lost: u32,
    level: u32,
}

impl Referee {
    /// `Some(winner)` once the game is over; the score is White's.
    fn judge(&mut self, score: i32, ply: usize) -> Option<Winner> {
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        if count(&mut self.won, score >= WON) >= AGREED {
            return Some(Some(Side::White));
        }
        if count(&mut self.lost, score <= -WON) >= AGREED {
            return Some(Some(Side::Black));
        }
        let level = count(&mut self.level, score.abs() <= LEVEL);
        (level >= LEVEL_FOR && ply >= LEVEL_FROM).then_some(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_repeatable_and_end() {
        let settings = Settings {
            nodes: 200,
            random_plies: 8,
            shuffled: 50,
        };
        let play = || {
            let mut searcher = Searcher::new();
            searcher.set_hash(1);
            let mut random = SplitMix64::new(5);
            (0..4)
                .flat_map(|n| game(&mut searcher, &settings, &mut random, n))
                .collect::<Vec<_>>()
        };
        let records = play();
        assert!(records.len() > 20);
        assert_eq!(records, play());
        for record in &records {
            assert!(!record.position().unwrap().in_check());
        }
    }

    #[test]
    fn the_referee_wants_agreement() {
        let mut referee = Referee::default();
        for _ in 0..AGREED - 1 {
            assert_eq!(referee.judge(WON, 10), None);
        }
        assert_eq!(referee.judge(0, 10), None);
        for _ in 0..AGREED - 1 {
            assert_eq!(referee.judge(-WON, 10), None);
        }
        assert_eq!(referee.judge(-WON, 10), Some(Some(Side::Black)));
    }
}
