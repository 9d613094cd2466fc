//! Contents of a file of games.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use quadrille_games::{Position, Side, match_game};

use crate::file::{Ending, FileError, Games, Header, Played};
use crate::openings::Opening;
use crate::positions::is_quiet;

/// Totals over a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// Header of the file.
    pub header: Header,
    /// Games.
    pub games: u64,
    /// Games whose number stands in the file twice.
    pub doubled: u64,
    /// Moves that were searched.
    pub plies: u64,
    /// Positions a static evaluation can learn from: not in check, and the best
    /// move takes or promotes nothing.
    pub quiet: u64,
    /// Games that White won, that were drawn, that Black won.
    pub results: [u64; 3],
    /// Games by their [`Ending`].
    pub endings: [u64; 4],
    /// Searched plies by the size of their score: below 50, 150, 400, 1,000,
    /// 3,000, and beyond.
    pub scores: [u64; 6],
    /// Different positions after the opening moves.
    pub openings: u64,
    /// Bytes of whole blocks.
    pub bytes: u64,
    /// Bytes behind them of a block that was not written to its end.
    pub torn: u64,
}

const STEPS: [i32; 5] = [50, 150, 400, 1_000, 3_000];

impl Stats {
    /// Reads a file from its beginning to its end: every move is found in its
    /// position, every ending by the rules is checked.
    pub fn of<P: Opening>(path: &Path) -> Result<Self, FileError> {
        let mut games = Games::open(path)?;
        let mut stats = Self {
            header: games.header().clone(),
            games: 0,
            doubled: 0,
            plies: 0,
            quiet: 0,
            results: [0; 3],
            endings: [0; 4],
            scores: [0; 6],
            openings: 0,
            bytes: 0,
            torn: 0,
        };
        let mut numbers = HashSet::new();
        let mut openings = HashSet::new();
        loop {
            let at = games.whole_bytes();
            let Some(block) = games.next_block::<P>(&P::run_rules())? else {
                break;
            };
            for game in block {
                stats.doubled += u64::from(!numbers.insert(game.number));
                let opening = stats.add(&game).map_err(|why| FileError::Damaged {
                    path: path.into(),
                    at,
                    why,
                })?;
                openings.insert(opening);
            }
        }
        stats.openings = openings.len() as u64;
        stats.bytes = games.whole_bytes();
        stats.torn = games.torn_bytes();
        Ok(stats)
    }

    /// Adds a game; gives the key of its position after the opening moves.
    fn add<P: Position>(&mut self, game: &Played<P>) -> Result<u64, String> {
        let mut position = game.start.clone();
        let mut opening = position.hash();
        for played in &game.moves {
            if let Some(score) = played.score {
                self.plies += 1;
                self.quiet += u64::from(is_quiet(&position, played.m));
                let step = STEPS.iter().position(|&step| score.abs() < step);
                self.scores[step.unwrap_or(STEPS.len())] += 1;
            }
            position.make(played.m, &mut ());
            if played.score.is_none() {
                opening = position.hash();
            }
        }
        if game.ending == Ending::Rules {
            let outcome = game.line().outcome_with_claims();
            if outcome.map(|outcome| outcome.winner) != Some(game.winner) {
                let number = game.number;
                return Err(format!("game {number} does not end as the rules say"));
            }
        }
        self.games += 1;
        self.results[game
            .winner
            .map_or(1, |side| 2 * (side == Side::Black) as usize)] += 1;
        self.endings[game.ending as usize] += 1;
        Ok(opening)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
        writeln!(f, "game       {} {}", self.header.game, self.header.rules)?;
        for (key, value) in &self.header.made {
            writeln!(f, "{key:<10} {value}")?;
        }
        writeln!(
            f,
            "games      {} ({} openings, {} doubled)",
            self.games, self.openings, self.doubled
        )?;
        let plies = self.plies;
        writeln!(
            f,
            "positions  {plies} ({:.1} a game), {} quiet ({:.1} %)",
            plies as f64 / self.games.max(1) as f64,
            self.quiet,
            share(self.quiet, plies)
        )?;
        writeln!(
            f,
            "bytes      {} ({:.2} a position){}",
            self.bytes,
            self.bytes as f64 / plies.max(1) as f64,
            if self.torn > 0 {
                ", torn at the end"
            } else {
                ""
            }
        )?;
        let [white, draws, black] = self.results.map(|n| share(n, self.games));
        writeln!(
            f,
            "results    White {white:.1} %, draws {draws:.1} %, Black {black:.1} %"
        )?;
        let [rules, decided, level, long] = self.endings.map(|n| share(n, self.games));
        writeln!(
            f,
            "endings    rules {rules:.1} %, decided {decided:.1} %, level {level:.1} %, too long {long:.1} %"
        )?;
        write!(f, "scores    ")?;
        for (i, &n) in self.scores.iter().enumerate() {
            match STEPS.get(i) {
                Some(step) => write!(f, " <{step}: {:.1} %", share(n, plies))?,
                None => write!(f, " more: {:.1} %", share(n, plies))?,
            }
        }
        Ok(())
    }
}

/// Totals over a file of whichever game it says it holds.
pub fn of_any(path: &Path) -> Result<Stats, FileError> {
    let game = Games::open(path)?.header().game;
    match_game!(game, P => Stats::of::<P>(path))
}
