//! What directors and workers say to each other, as JSON. Every message carries
//! its version; texts that came over the network are never taken for programs,
//! files or subjects.

use std::time::Duration;

use quadrille_client::findings::Finding;
use quadrille_driver::EngineScore;
use quadrille_driver::spec::Timeouts;
use quadrille_driver::{Identity, OptionList};
use quadrille_games::Game;
use quadrille_match::config::{ClockMode, DrawRule, ResignRule, TablebaseScope, TimeControl};
use quadrille_match::referee::{Ending, Ply};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::analysis::{AnalysisJob, AnalysisResult};
use crate::names::VERSION;
use crate::queue::CHECKS;

/// The largest application that a director reads, in bytes: engines with hundreds of
/// options need a tenth of that.
pub(crate) const MOST_CARD: usize = 512 << 10;
/// The largest heartbeat that a director reads, in bytes.
pub(crate) const MOST_BEAT: usize = 256 << 10;
/// The most games that a heartbeat names; also the most that a worker plays at once.
pub(crate) const MOST_BUSY: usize = 4096;
/// Bytes that the moves in a heartbeat may take, so that there is room for the games.
pub(crate) const MOST_LIVE: usize = MOST_BEAT / 4;

/// Options of an engine, as a user writes them.
pub type Settings = Vec<(String, Option<String>)>;

/// Work is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// The form of all messages; others are not understood.
    pub v: u32,
    /// The event.
    pub event: String,
    /// Another one each time its director is started.
    pub session: u32,
    /// Whether there is work, or never will be again.
    pub open: bool,
    /// What it is called.
    pub title: String,
    /// The engines that are needed.
    pub needs: Vec<Need>,
    /// Whether endgame tables decide games.
    pub tables: bool,
    /// The speed that times are meant for, in nodes a second; 0 where nothing is
    /// timed.
    pub reference: u64,
    /// A worker that would need more than so many thousandths of the time cannot
    /// play.
    pub slowest_permille: u32,
    /// How long a worker may be silent, in milliseconds.
    pub patience_ms: u64,
    /// Whether moves are to be told while a game is played.
    pub live: bool,
}

/// An engine that an event needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// Its name in the files of the workers.
    pub engine: String,
    /// What it must play.
    pub game: Game,
    /// How it will be set.
    pub options: Settings,
}

/// A worker asks to play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// See [`Notice::v`].
    pub v: u32,
    /// `KEY.ID`: its name as it stands in subjects, and a word that is another one
    /// each time it is started.
    pub worker: String,
    /// Its name.
    pub name: String,
    /// The program and version.
    pub program: String,
    /// Its speed, in nodes a second.
    pub nps: u64,
    /// Games at once.
    pub capacity: usize,
    /// What it found out about the engines that are needed.
    pub offers: Vec<Offer>,
    /// Why it does not play, if it only says that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declines: Option<String>,
}

/// An engine that a worker has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Its name.
    pub engine: String,
    /// What it plays.
    pub game: Game,
    /// What it says it is.
    pub identity: Identity,
    /// What can be set in it.
    pub options: OptionList,
    /// That it is the same program as elsewhere: a signature of its search, or
    /// of its file.
    pub proof: String,
}

/// The answer to a [`Card`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Why not; nothing if it may play.
    pub refused: Option<String>,
}

/// What a director tells one worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// The event.
    pub event: String,
    /// Why it is set aside; nothing if it is only to apply again.
    pub aside: Option<String>,
}

/// A worker is alive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beat {
    /// See [`Card::worker`].
    pub worker: String,
    /// What it is playing: number and attempt.
    pub busy: Vec<(u64, u32)>,
    /// How many games more it could play.
    pub free: usize,
    /// Moves that were made since the last beat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub live: Vec<Live>,
}

/// Moves of a running game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// The game.
    pub number: u64,
    /// Which attempt at it.
    pub attempt: u32,
    /// How many moves were told before.
    pub from: usize,
    /// The moves.
    #[serde(with = "crate::plies")]
    pub plies: Vec<Ply>,
}

/// Something to be done by one worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// See [`Notice::v`].
    pub v: u32,
    /// The event.
    pub event: String,
    /// The number of the game.
    pub number: u64,
    /// The game that it checks, if it is a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<u64>,
    /// How often it was dealt.
    pub attempt: u32,
    /// What only those know to whom the server has delivered this job; a result
    /// without it does not count.
    pub ticket: String,
    /// Workers that leave it to others: `KEY.ID`, or `KEY` for all processes of that
    /// name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// What is to be done.
    pub task: Task,
}

/// Returns what a job is called in messages: `game 5` or `the check of game 5`.
#[must_use]
pub fn job_name(number: u64, checks: Option<u64>) -> String {
    match checks {
        Some(game) => format!("the check of game {game}"),
        // Directors of before do not say of which game.
        None if number >= CHECKS => "the check of a game".into(),
        None => format!("game {number}"),
    }
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// A game is to be played.
    Game(Box<GameJob>),
    /// A game is to be analysed.
    Analyse(Box<AnalysisJob>),
    /// Positions of a game are to be searched again.
    Look(Box<LookJob>),
}

/// A game to be played: everything but programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameJob {
    /// Which game.
    pub game: Game,
    /// Its rules.
    pub rules: String,
    /// The position before the opening.
    pub start: String,
    /// The moves of the opening.
    pub moves: Vec<String>,
    /// White and Black.
    pub seats: [SeatJob; 2],
    /// When it is cut short.
    pub wishes: Wishes,
    /// What is taken from clocks.
    pub clock: ClockMode,
    /// The seed of the event. Nothing is drawn by lot in one game; workers of before
    /// cannot read a job without it.
    pub seed: u64,
}

/// One side of a game to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SeatJob {
    /// The engine, by its name in the worker's file.
    pub engine: String,
    /// The player.
    pub name: String,
    /// How it is set.
    pub options: Settings,
    /// How long it may think, on the machine that times are meant for.
    pub time: TimeControl,
    /// How much later a move may come, in milliseconds.
    pub margin_ms: u64,
    /// Whether it thinks in the other's time.
    pub ponder: bool,
    /// Whether it is started again for every game.
    pub restart: bool,
    /// Whether its scores are White's, whichever side it plays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub white_pov: bool,
    /// How long it is waited for.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub timeouts: Timeouts,
}

fn is_usual(timeouts: &Timeouts) -> bool {
    *timeouts == Timeouts::default()
}

/// Positions of a game, to be searched by the engines that played there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LookJob {
    /// Which game.
    pub game: Game,
    /// Its rules.
    pub rules: String,
    /// The position before the opening.
    pub start: String,
    /// The moves of the game, as far as they are needed.
    pub moves: Vec<String>,
    /// White and Black.
    pub seats: [SeatJob; 2],
    /// The searches.
    pub looks: Vec<Look>,
}

/// One search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// After so many of the moves.
    pub after: usize,
    /// Whose engine searches: 0 White's, 1 Black's.
    pub seat: usize,
    /// Positions to search, where the engine counts them.
    pub nodes: Option<u64>,
    /// The time for it, or the most.
    pub movetime_ms: u64,
}

/// When games are cut short.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wishes {
    /// When a lost game is given up.
    pub resign: Option<ResignRule>,
    /// When a drawn game is given up.
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side is drawn.
    pub max_moves: Option<u32>,
    /// Endgame tables, which the worker must have itself.
    pub tables: Option<TableWish>,
}

/// How endgame tables decide games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableWish {
    /// The most pieces; 0 for all.
    pub pieces: u32,
    /// Whether wins that the fifty-move rule spoils count.
    pub ignore50: bool,
    /// Which results are taken.
    pub scope: TablebaseScope,
}

/// What became of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// See [`Notice::v`].
    pub v: u32,
    /// The event.
    pub event: String,
    /// The game.
    pub number: u64,
    /// Which attempt at it.
    pub attempt: u32,
    /// See [`Job::ticket`].
    pub ticket: String,
    /// Who did it.
    pub worker: String,
    /// Its name.
    pub name: String,
    /// What it was.
    pub outcome: Outcome,
}

/// What became of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A game was played.
    Played(Box<PlayedGame>),
    /// A game was analysed.
    Analysed(Box<AnalysisResult>),
    /// What each search of positions found.
    Looked(Vec<Option<EngineScore>>),
    /// It could not be done there.
    Trouble(String),
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its moves, without those of the opening.
    #[serde(with = "crate::plies")]
    pub plies: Vec<Ply>,
    /// How it ended.
    pub ending: Ending,
    /// When, UTC.
    pub ended: String,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// What was noticed.
    pub findings: Vec<Finding>,
    /// What times were multiplied with, in thousandths.
    pub permille: u32,
    /// What the machine took from the engines that played there meanwhile, in
    /// microseconds.
    #[serde(default)]
    pub taken_us: u64,
    /// The last lines that White's and Black's engine wrote to standard error.
    #[serde(default, skip_serializing_if = "are_empty")]
    pub stderr: [Vec<String>; 2],
}

fn are_empty(lines: &[Vec<String>; 2]) -> bool {
    lines.iter().all(Vec::is_empty)
}

/// A worker in a list of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// See [`Card::worker`].
    pub worker: String,
    /// Its name.
    pub name: String,
    /// The program and version.
    pub program: String,
    /// Its engines.
    pub engines: Vec<String>,
    /// Nodes a second.
    pub nps: u64,
    /// Games at once.
    pub capacity: usize,
    /// Games it plays now.
    pub playing: usize,
    /// Games it has finished.
    pub games: u64,
    /// What it does, in words.
    pub state: String,
    /// When it was last heard, in milliseconds before now.
    pub heard_ms: u64,
}

/// Reads a message; what cannot be read, or is of another version, is none.
pub(crate) fn read<T: DeserializeOwned>(payload: &[u8]) -> Option<T> {
    serde_json::from_slice(payload).ok()
}

/// Writes a message.
pub(crate) fn write<T: Serialize>(message: &T) -> bytes::Bytes {
    // Texts, numbers and lists of them always have a form.
    serde_json::to_vec(message).unwrap_or_default().into()
}

impl Notice {
    /// How long a worker may be silent.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms.clamp(300, 3_600_000))
    }

    /// Whether it can be understood and its words stand in subjects.
    pub(crate) fn is_sound(&self) -> bool {
        self.v == VERSION && crate::names::is_word(&self.event)
    }
}

/// How often a worker says that it is alive: several times before it is given up.
pub(crate) fn beat_interval(patience: Duration) -> Duration {
    (patience / 4).clamp(Duration::from_millis(100), Duration::from_secs(2))
}

/// What the times of a game are multiplied with on a machine of this speed, in
/// thousandths. A time is never cut to nothing, nor without a bound.
pub(crate) fn permille(reference: u64, nps: u64) -> u32 {
    if reference == 0 {
        return 1000;
    }
    let ratio = reference as f64 / nps.max(1) as f64;
    (ratio * 1000.0).round().clamp(1.0, 1_000_000.0) as u32
}

/// The same as a factor.
pub(crate) fn factor(permille: u32) -> f64 {
    f64::from(permille) / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_called_by_the_game_that_they_check() {
        assert_eq!(job_name(5, None), "game 5");
        assert_eq!(
            job_name(CHECKS + 5_000_000_005, Some(5)),
            "the check of game 5"
        );
        assert_eq!(job_name(CHECKS + 1, None), "the check of a game");
    }
}
