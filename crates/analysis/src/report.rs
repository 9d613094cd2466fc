//! What is told about a game, as values for pages and scripts.
//!
//! Scores and chances are White's here, whoever is to move.

use std::time::Duration;

use quadrille_games::{Game, Side};
use quadrille_protocol::Wdl;
use serde::{Deserialize, Serialize};

use super::judge::{Judgement, seen_by};
use quadrille_driver::EngineScore;

/// Everything about an analysed game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The line of the file where it begins.
    pub line: u64,
    /// Which game it is.
    pub game: Game,
    /// The rules, in words; empty for the usual ones.
    pub rules: String,
    /// The position it starts from.
    pub start: String,
    /// What its tags say.
    pub heading: Heading,
    /// The name of its opening, in chess.
    pub opening: Option<OpeningName>,
    /// The engines; the first one judges.
    pub engines: Vec<String>,
    /// Every position of the main line, the start first.
    pub positions: Vec<PositionReport>,
    /// Every move of the main line.
    pub moves: Vec<MoveReport>,
    /// White and Black.
    pub players: [PlayerReport; 2],
    /// The plies, from 1, of the moves that decided most.
    pub critical: Vec<usize>,
}

/// Who played, when and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// The tag `Event`, and so on.
    pub event: String,
    /// Where.
    pub site: String,
    /// When.
    pub date: String,
    /// Which round.
    pub round: String,
    /// The first player.
    pub white: String,
    /// The second player.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: String,
}

/// An opening by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningName {
    /// `B90`
    pub eco: String,
    /// `Sicilian Defense: Najdorf Variation`
    pub name: String,
}

/// A position of the main line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PositionReport {
    /// White's win chance: by the rules where they have ended the game, by the
    /// first engine otherwise.
    pub chance: Option<f64>,
    /// Why the game is over here, in words.
    pub over: Option<String>,
    /// What each engine says; `None` where it was not asked or said nothing.
    pub evaluations: Vec<Option<Evaluation>>,
}

/// What an engine says of a position.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The best lines, the best first.
    pub lines: Vec<BestLine>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Positions searched.
    pub nodes: Option<u64>,
}

/// A line that an engine proposes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BestLine {
    /// White's score.
    pub score: Option<EngineScore>,
    /// White's chances in permill, where the engine gives them.
    pub wdl: Option<Wdl>,
    /// White's win chance.
    pub chance: Option<f64>,
    /// The moves as engines write them.
    pub moves: Vec<String>,
    /// The same as people read them.
    pub notation: Vec<String>,
}

impl Evaluation {
    /// The best line.
    pub fn best(&self) -> Option<&BestLine> {
        self.lines.first()
    }
}

/// A move of the main line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoveReport {
    /// From 1.
    pub ply: usize,
    /// The number of the move, as it is written before it.
    pub number: u32,
    /// Who moved.
    pub side: Side,
    /// As engines write it.
    #[serde(rename = "move")]
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// The names of its squares.
    pub squares: Vec<String>,
    /// There was no other move.
    pub forced: bool,
    /// The best move, by the first engine, as people read it.
    pub best: Option<String>,
    /// What it took from the mover's win chance, 0 to 1.
    pub loss: Option<f64>,
    /// How bad it was.
    pub judgement: Option<Judgement>,
    /// It was the only move that did not lose as much as a mistake does; known
    /// only with two best lines or more.
    pub only: bool,
    /// 0 to 100.
    pub accuracy: Option<f64>,
    /// The time it took.
    #[serde(with = "quadrille_client::serial::some_millis")]
    pub elapsed: Option<Duration>,
    /// The mover's clock after it.
    #[serde(with = "quadrille_client::serial::some_millis")]
    pub clock: Option<Duration>,
}

impl MoveReport {
    /// `12.` or `12...`, as it stands before the move.
    pub fn numbered(&self) -> String {
        let dots = if self.side == Side::White { "." } else { "..." };
        format!("{}{dots} {}", self.number, self.notation)
    }
}

/// How a player did.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerReport {
    /// Moves made.
    pub moves: usize,
    /// The mean accuracy of the moves for which there was a choice, 0 to 100.
    pub accuracy: Option<f64>,
    /// The mean loss of win chance of the same moves.
    pub loss: Option<f64>,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
    /// What the record says about time.
    pub time: Option<TimeUse>,
}

/// How a player used the clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimeUse {
    /// Moves of which the time is known.
    pub moves: usize,
    /// All of it.
    #[serde(with = "quadrille_client::serial::millis")]
    pub total: Duration,
    /// For a move.
    #[serde(with = "quadrille_client::serial::millis")]
    pub average: Duration,
    /// For the slowest move.
    #[serde(with = "quadrille_client::serial::millis")]
    pub longest: Duration,
    /// Which that was, as a ply from 1.
    pub longest_ply: usize,
    /// For moves that got a glyph, on average.
    #[serde(with = "quadrille_client::serial::some_millis")]
    pub on_mistakes: Option<Duration>,
    /// The least that was left on the clock.
    #[serde(with = "quadrille_client::serial::some_millis")]
    pub least: Option<Duration>,
}

impl GameReport {
    /// A move, by its ply from 1.
    pub fn played(&self, ply: usize) -> Option<&MoveReport> {
        self.moves.get(ply.checked_sub(1)?)
    }

    /// The mover's win chances before and after a move.
    pub(crate) fn swing(&self, ply: usize) -> Option<(f64, f64)> {
        let side = self.played(ply)?.side;
        let chance = |index: usize| self.positions.get(index)?.chance;
        let (before, after) = (chance(ply - 1)?, chance(ply)?);
        Some((seen_by(side, before), seen_by(side, after)))
    }

    /// The best line before a move, by the first engine.
    pub(crate) fn best_line(&self, ply: usize) -> Option<&BestLine> {
        let position = self.positions.get(ply.checked_sub(1)?)?;
        position.evaluations.first()?.as_ref()?.best()
    }
}

impl PlayerReport {
    /// How many moves were marked so.
    pub const fn count(&self, judgement: Judgement) -> usize {
        match judgement {
            Judgement::Inaccuracy => self.inaccuracies,
            Judgement::Mistake => self.mistakes,
            Judgement::Blunder => self.blunders,
        }
    }
}
