//! What is kept, as values.

use quadrille_client::findings::Finding;
use quadrille_games::records::GameResult;
use quadrille_games::{Game, Side};
use serde::{Deserialize, Serialize};

use crate::referee::{Ending, Ply};
use crate::stats::Effort;

/// The event itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// The program and version that wrote the file.
    pub program: String,
    /// When it began, UTC.
    pub created: String,
    /// The whole description as JSON.
    pub config: String,
}

/// A player; its place in the list is its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerRow {
    /// The name in tables.
    pub name: String,
    /// What the engine calls itself.
    pub engine: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
}

/// A game that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGame {
    /// From 1.
    pub number: u64,
    /// The round.
    pub round: u64,
    /// Games of the same pairing share an opening.
    pub pairing: u64,
    /// The numbers of the players, White first.
    pub players: [usize; 2],
    /// The opening's number in the book.
    pub opening: u64,
    /// What the opening is called.
    pub label: String,
    /// Which game.
    pub game: Game,
    /// Its rules.
    pub rules: String,
    /// The position it starts from, before the moves of the opening.
    pub start: String,
    /// The moves of the opening.
    pub book: Vec<Ply>,
    /// When, UTC.
    pub started: String,
}

/// A game that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEnd {
    /// How.
    pub ending: Ending,
    /// When, UTC.
    pub ended: String,
    /// Microseconds from start to end.
    pub duration_us: u64,
    /// What White and Black put into it.
    pub sides: [Effort; 2],
    /// What the engines did wrong.
    pub findings: Vec<Finding>,
    /// Where it was played, if not here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_at: Option<PlayedAt>,
}

/// The machine that played a game for another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedAt {
    /// Its name.
    pub worker: String,
    /// What all times were multiplied with, because it is slower or faster than
    /// the one they were meant for; in thousandths.
    pub permille: u32,
}

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameState {
    /// Being played, or cut short with its process.
    Running,
    /// Over, with a result that counts.
    Finished,
    /// Given up; it will be played again.
    Abandoned,
}

/// A game as it is in the file, without its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// What was known when it began. The opening's moves are with the plies.
    pub new: NewGame,
    /// Where it stands.
    pub state: GameState,
    /// How it ended, if it did.
    pub end: Option<GameEnd>,
}

impl GameRow {
    /// The result; open while the game is not finished.
    pub fn result(&self) -> GameResult {
        match (&self.end, self.state) {
            (Some(end), GameState::Finished) => end.ending.result,
            _ => GameResult::Open,
        }
    }

    /// The number of the player of a side.
    pub fn player(&self, side: Side) -> usize {
        self.new.players[side.index()]
    }
}
