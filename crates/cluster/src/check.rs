//! What is compared when a worker's game is checked by others, and what follows.
//!
//! A game of fixed nodes is played again: the same moves, scores and end must come.
//! Of a game with clocks some positions are searched again: the score that was told
//! must be near, and the move that was played must not throw the game away. One other
//! worker can only differ; who is wrong is decided by a third.

use quadrille_driver::EngineScore;
use quadrille_games::{AnyLine, Game};
use quadrille_match::referee::{Ending, Ply};

use crate::crew::Checked;
use crate::messages::{Look, LookJob, SeatJob};

/// Moves of a game that are looked at.
const MOVES: u64 = 6;
/// The fewest that say anything.
const FEWEST: usize = 3;
/// A difference in the expected score of a game that no search of the same engine makes
/// often.
const TOLERANCE: f64 = 0.25;
/// Nodes of a search that looks again, at least and at most.
const NODES: (u64, u64) = (5_000, 5_000_000);
/// Milliseconds of one, at least and at most.
const MILLIS: (u64, u64) = (100, 10_000);

/// How often a check finds an honest worker wrong, at most, and how unlikely a run of
/// such findings must be before its worker is set aside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rule {
    by_chance: f64,
    limit: f64,
}

/// Games that are played again: an engine that counts nodes repeats itself, so one
/// difference is enough, unless there were many checks without one.
pub(crate) const REPLAYED: Rule = Rule {
    by_chance: 0.001,
    limit: 0.001_000_1,
};
/// Positions that are searched again.
pub(crate) const LOOKED: Rule = Rule {
    by_chance: 0.02,
    limit: 0.000_1,
};

impl Rule {
    /// Returns whether so many wrong ones cannot be chance.
    pub(crate) fn condemns(self, checked: Checked) -> bool {
        checked.wrong > 0 && tail(checked.checks, checked.wrong, self.by_chance) <= self.limit
    }
}

/// The chance of at least `wrong` among `checks`, each wrong with the chance `p`.
fn tail(checks: u32, wrong: u32, p: f64) -> f64 {
    // Summed from below, where there are few terms.
    let mut term = (1.0 - p).powf(f64::from(checks));
    let mut below = 0.0;
    for k in 0..wrong.min(checks) {
        below += term;
        term *= f64::from(checks - k) / f64::from(k + 1) * p / (1.0 - p);
    }
    if wrong > checks {
        return 0.0;
    }
    // Far from the middle the difference to one is lost in rounding: then the terms.
    if below > 0.99 {
        let mut sum = 0.0;
        for k in wrong..=checks.min(wrong.saturating_add(1000)) {
            sum += term;
            term *= f64::from(checks - k) / f64::from(k + 1) * p / (1.0 - p);
        }
        return sum;
    }
    1.0 - below
}

/// A game as one worker played it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Opinion {
    moves: Vec<String>,
    ending: String,
    /// Score, depth and nodes of each move.
    reports: Vec<(Option<EngineScore>, Option<u64>, Option<u64>)>,
}

impl Opinion {
    pub(crate) fn new(plies: &[Ply], ending: &Ending) -> Self {
        Self {
            moves: plies.iter().map(|ply| ply.text.clone()).collect(),
            ending: ending.to_string(),
            reports: plies
                .iter()
                .map(|ply| (ply.score, ply.depth, ply.nodes))
                .collect(),
        }
    }

    /// The same without what was said about the moves.
    fn played(&self) -> (&[String], &str) {
        (&self.moves, &self.ending)
    }

    pub(crate) fn agrees(&self, other: &Self, moves_only: bool) -> bool {
        self.played() == other.played() && (moves_only || self.reports == other.reports)
    }

    /// Says where two games part.
    pub(crate) fn difference(&self, other: &Self) -> String {
        let both = self.moves.iter().zip(&other.moves);
        if let Some(at) = both.clone().position(|(a, b)| a != b) {
            let (ours, theirs) = (&self.moves[at], &other.moves[at]);
            return format!("move {} after the opening is {ours}, not {theirs}", at + 1);
        }
        let reports = self.reports.iter().zip(&other.reports);
        if let Some(at) = reports.clone().position(|(a, b)| a != b) {
            return format!(
                "score, depth or nodes of move {} after the opening differ",
                at + 1
            );
        }
        format!("it ends so: {}, not: {}", self.ending, other.ending)
    }
}

/// What three opinions come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Majority {
    First,
    Second,
    /// All three played the same moves, and said different things about them.
    ReportsVary,
    /// There is none.
    None,
}

/// Who of the first two is in the minority, or whether anybody is.
pub(crate) fn wrong_of(opinions: [&Opinion; 3]) -> Majority {
    let [first, second, third] = opinions;
    for moves_only in [false, true] {
        let agrees = |a: &Opinion, b: &Opinion| a.agrees(b, moves_only);
        match (agrees(first, third), agrees(second, third)) {
            (true, true) => return Majority::ReportsVary,
            (true, false) => return Majority::Second,
            (false, true) => return Majority::First,
            (false, false) => {}
        }
    }
    Majority::None
}

/// The expected score of one to move: a common curve, which need not fit an engine
/// exactly.
fn expected(score: EngineScore) -> f64 {
    match score {
        EngineScore::Mate(moves) => f64::from(u8::from(moves > 0)),
        EngineScore::Cp(cp) => {
            1.0 / (1.0 + 10_f64.powf(-(cp.clamp(-10_000, 10_000) as f64) / 400.0))
        }
    }
}

/// What is to be looked at in a game: pairs of searches, before and after a move.
#[derive(Debug)]
pub(crate) struct Looks {
    pub(crate) job: LookJob,
    /// What was told before each of the moves.
    told: Vec<Option<EngineScore>>,
}

impl Looks {
    /// Draws moves of a game; nothing if there are too few to judge by. `line` is that of
    /// the opening.
    pub(crate) fn of(
        line: &AnyLine,
        plies: &[Ply],
        seats: [SeatJob; 2],
        mut draw: impl FnMut(u64) -> u64,
    ) -> Option<Self> {
        let mut at = line.clone();
        let mut able = Vec::new();
        for (index, ply) in plies.iter().enumerate() {
            // A move without a choice says nothing, nor does one that ends the game.
            let choice = at.legal_moves(2).len() > 1;
            at.play(&ply.text).ok()?;
            if choice && at.outcome_with_claims().is_none() {
                able.push(index);
            }
        }
        let mut chosen = Vec::new();
        for turn in 0..MOVES.min(able.len() as u64) {
            let index = usize::try_from(draw(turn) % able.len() as u64).unwrap_or(0);
            chosen.push(able.swap_remove(index));
        }
        if chosen.len() < FEWEST {
            return None;
        }
        chosen.sort_unstable();
        let opening = line.played_texts();
        let mut job = LookJob {
            game: line.game(),
            rules: line.rules_text(),
            start: line.start_text(),
            moves: opening.clone(),
            seats,
            looks: Vec::new(),
        };
        job.moves.extend(plies.iter().map(|ply| ply.text.clone()));
        let mut told = Vec::new();
        for index in chosen {
            let ply = &plies[index];
            let white = line.side() == quadrille_games::Side::White;
            let seat = usize::from(white == (index % 2 == 1));
            let millis = u64::try_from(ply.charged.as_millis()).unwrap_or(u64::MAX);
            for after in [index, index + 1] {
                job.looks.push(Look {
                    after: opening.len() + after,
                    seat,
                    nodes: ply.nodes.map(|nodes| nodes.clamp(NODES.0, NODES.1)),
                    movetime_ms: match ply.nodes {
                        Some(_) => MILLIS.1,
                        None => millis.clamp(MILLIS.0, MILLIS.1),
                    },
                });
            }
            told.push(ply.score);
        }
        Some(Self { job, told })
    }

    /// Returns which moves a second look does not find as they were told; nothing if it
    /// is not one of these searches.
    pub(crate) fn wrong(&self, found: &[Option<EngineScore>]) -> Option<Vec<bool>> {
        if found.len() != self.job.looks.len() {
            return None;
        }
        let pairs = found.chunks_exact(2).zip(&self.told);
        let wrong = pairs.map(|(pair, told)| {
            let [Some(before), Some(after)] = [pair[0], pair[1]].map(|s| s.map(expected)) else {
                return false;
            };
            // The other side is to move there.
            let lost = before - (1.0 - after);
            let far = told.is_none_or(|told| (expected(told) - before).abs() > TOLERANCE);
            far || lost > TOLERANCE
        });
        Some(wrong.collect())
    }
}

/// Returns whether two looks find the same in most places.
pub(crate) fn alike(one: &[Option<EngineScore>], other: &[Option<EngineScore>]) -> bool {
    let near = one.iter().zip(other).filter(|pair| match pair {
        (Some(a), Some(b)) => (expected(*a) - expected(*b)).abs() <= TOLERANCE,
        (None, None) => true,
        _ => false,
    });
    near.count() * 3 >= one.len() * 2
}

/// Returns whether a game is not what was told: two thirds of the moves are wrong.
pub(crate) fn is_wrong(moves: &[bool]) -> bool {
    moves.iter().filter(|wrong| **wrong).count() * 3 >= moves.len() * 2
}

/// Returns whether a game of these seats comes out the same each time: no clock, and one
/// thread.
pub(crate) fn repeats(seats: &[SeatJob; 2]) -> bool {
    let threads = |(name, value): &(String, Option<String>)| {
        let number = value.as_deref().map(str::trim);
        name.eq_ignore_ascii_case("threads") && number.is_some_and(|n| n != "1")
    };
    seats
        .iter()
        .all(|seat| !seat.time.is_timed() && !seat.ponder && !seat.options.iter().any(threads))
}

/// Returns a game's line after so many of the moves of a look.
pub(crate) fn line_after(job: &LookJob, after: usize) -> Result<AnyLine, String> {
    let game: Game = job.game;
    let line = AnyLine::new(game, &job.rules, &job.start);
    let mut line = line.map_err(|error| format!("its position: {error}"))?;
    for text in job.moves.iter().take(after) {
        line.play(text)
            .map_err(|error| format!("its moves: {error}"))?;
    }
    Ok(line)
}

#[cfg(test)]
mod tests;
