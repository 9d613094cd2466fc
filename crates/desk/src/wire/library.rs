//! Everything that was played and loaded.

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use super::study::{StudyId, StudyStart};

/// What the library holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LibraryView {
    /// Games in all.
    pub games: u32,
    /// Where they came from.
    pub sources: Vec<SourceView>,
}

/// Where games came from: a file, or playing here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SourceView {
    /// Its number.
    pub id: u32,
    /// For people.
    pub name: String,
    /// Games.
    pub games: u32,
}

/// What is looked for; everything that is set must be so.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LibraryQuery {
    /// The game.
    pub game: Option<Game>,
    /// Part of a player's name.
    pub player: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Option<String>,
    /// Part of an opening's name, or the beginning of a code.
    pub opening: Option<String>,
    /// Where it came from.
    pub source: Option<u32>,
    /// A position that occurred in it.
    pub position: Option<StudyStart>,
    /// Leaves out so many.
    pub skip: u32,
    /// At most so many.
    pub most: u32,
}

/// A game in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LibraryGame {
    /// Its number.
    pub id: u32,
    /// The game.
    pub game: Game,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    /// As the record has it.
    pub date: String,
    /// As the record has it.
    pub event: String,
    /// ECO code and name.
    pub opening: Option<(String, String)>,
    /// Plies.
    pub plies: u32,
    /// What is wrong with its record, if anything.
    pub trouble: Option<String>,
    /// The study that it is open in.
    pub study: Option<StudyId>,
}

/// What became of a text that was pasted, dropped or loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ImportView {
    /// A single game or position: the study that it is now.
    pub study: Option<StudyId>,
    /// Games in the library: their source there.
    pub source: Option<u32>,
    /// How many.
    pub games: u32,
    /// What could not be read, with line and reason.
    pub troubles: Vec<String>,
}

/// What was played from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Explored {
    /// ECO code and name, in chess.
    pub opening: Option<(String, String)>,
    /// Moves, the most frequent first.
    pub moves: Vec<ExploredMove>,
}

/// A move and how it scored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ExploredMove {
    /// As engines write it.
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// Won by White, drawn, won by Black.
    pub results: (u32, u32, u32),
    /// The name of what it leads to.
    pub name: Option<String>,
}
