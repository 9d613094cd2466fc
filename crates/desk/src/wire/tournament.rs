//! Events: engines against engines, watched.

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use super::analysis::ScoreView;
use super::engines::EngineId;
use super::study::StudyStart;
use super::table::{ClockView, TimeSetting};

/// An event, by number.
pub type EventId = u32;

/// An event to begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct NewEvent {
    /// Its name.
    pub name: String,
    /// The game and its rules; the position is where games begin without a book.
    pub start: StudyStart,
    /// Who plays.
    pub engines: Vec<EngineId>,
    /// `round-robin`, `gauntlet`, `knockout`, `swiss` or `sprt`.
    pub format: String,
    /// Rounds.
    pub rounds: u32,
    /// Games of a pairing in a round.
    pub games: u32,
    /// The clocks.
    pub time: TimeSetting,
    /// Games at once.
    pub concurrency: u32,
    /// Openings, one a line: positions or moves; empty for the built-in ones.
    pub openings: String,
    /// For a test: the two hypotheses in Elo.
    pub sprt: Option<(f64, f64)>,
}

/// An event in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EventInfo {
    /// Its number.
    pub id: EventId,
    /// Its name.
    pub name: String,
    /// The game.
    pub game: Game,
    /// Whether it runs, here or elsewhere.
    pub running: bool,
    /// Games finished.
    pub finished: u32,
    /// Games in all, where that is known.
    pub games: Option<u32>,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EventView {
    /// What the list says.
    pub info: EventInfo,
    /// Paused, stopping: in English; nothing while all is well.
    pub state: Option<String>,
    /// Run by another process of this machine.
    pub elsewhere: bool,
    /// Its store is not in our data folder: it is watched here, and stays when it is
    /// forgotten.
    pub attached: bool,
    /// The table, best first.
    pub table: Vec<CrossRow>,
    /// The player that was entered first: Elo and test are about that one.
    pub first: String,
    /// With two players, Elo of the first and the half width of its 95 % interval.
    pub elo: Option<(f64, f64)>,
    /// Points of the Elo graph: games, Elo, half width.
    pub elo_points: Vec<(u32, f64, f64)>,
    /// The test.
    pub sprt: Option<SprtView>,
    /// What is being played.
    pub live: Vec<LiveGame>,
    /// Finished games, the newest first; at most 500.
    pub games: Vec<GameRowView>,
    /// What engines did wrong, in sentences.
    pub findings: Vec<String>,
    /// Games at once.
    pub concurrency: u32,
}

/// A row of the cross-table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CrossRow {
    /// The name.
    pub name: String,
    /// Games won, drawn, lost.
    pub results: (u32, u32, u32),
    /// Points.
    pub points: f64,
    /// Elo beside the others and half its 95 % interval.
    pub elo: Option<(f64, f64)>,
    /// Against each of the table, in its order: points and games; `None` for
    /// itself.
    pub against: Vec<Option<(f64, u32)>>,
}

/// A sequential test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SprtView {
    /// The hypotheses.
    pub elo: (f64, f64),
    /// The log likelihood ratio.
    pub llr: f64,
    /// Its bounds.
    pub bounds: (f64, f64),
    /// `H0`, `H1` or nothing yet.
    pub accepted: Option<String>,
    /// Points of the graph: games, ratio.
    pub points: Vec<(u32, f64)>,
}

/// A game that is being played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LiveGame {
    /// Its number.
    pub game: u32,
    /// White's name and Black's.
    pub names: (String, String),
    /// The board; its list of moves is empty.
    pub board: super::BoardView,
    /// The clocks, where they are known.
    pub clock: Option<ClockView>,
    /// What the last mover thinks.
    pub score: Option<ScoreView>,
    /// And how deep it looked.
    pub depth: Option<u32>,
    /// Moves so far as people read them, the last ones.
    pub moves: Vec<String>,
}

/// A finished game in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameRowView {
    /// Its number.
    pub game: u32,
    /// The round.
    pub round: u32,
    /// White's name and Black's.
    pub names: (String, String),
    /// `1-0`, `0-1`, `1/2-1/2`.
    pub result: String,
    /// How it ended, in English.
    pub reason: String,
    /// Plies.
    pub plies: u32,
    /// The opening, for people.
    pub opening: String,
}
