//! The rules part of a description.

use std::path::PathBuf;

use quadrille_client::serial::game;
use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use crate::words::words;

/// The rules under which every game of a match is played and ends, whoever plays it and
/// wherever. They cannot be changed once a match has begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRules {
    /// The game that is played.
    #[serde(with = "game")]
    pub game: Game,
    /// The rules in the words of that game; empty for the usual ones.
    pub rules: String,
    /// When a lost game is given up.
    pub resign: Option<ResignRule>,
    /// When a drawn game is given up.
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side is drawn; `None` or 0 for no limit.
    pub max_moves: Option<u32>,
    /// Endgame tables that decide games.
    pub tablebases: Option<TablebaseConfig>,
    /// The time that clocks are charged with.
    #[serde(default)]
    pub clock: ClockMode,
}

/// The time that the clock of an engine is charged with for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ClockMode {
    /// The time that passed without what the machine took: time in which the
    /// engine waited for a processor, or we were late to read its answer.
    #[default]
    Fair,
    /// The time that passed.
    Wall,
}

words!(ClockMode: "kind of clock" {
    Fair => "fair",
    Wall => "wall",
});

/// Giving up a lost game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResignRule {
    /// So many moves in a row.
    pub movecount: u32,
    /// A score at least so bad, in hundredths of a pawn.
    pub score: i32,
    /// The winner must agree.
    pub twosided: bool,
}

impl Default for ResignRule {
    fn default() -> Self {
        Self {
            movecount: 3,
            score: 600,
            twosided: false,
        }
    }
}

/// Giving up a drawn game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawRule {
    /// Not before both sides have made so many moves, counted as the position counts them.
    pub movenumber: u32,
    /// So many moves in a row, of both sides.
    pub movecount: u32,
    /// A score at most so far from zero, in hundredths of a pawn.
    pub score: i32,
}

impl Default for DrawRule {
    fn default() -> Self {
        Self {
            movenumber: 40,
            movecount: 8,
            score: 10,
        }
    }
}

/// Endgame tables that decide games.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TablebaseConfig {
    /// Folders of Syzygy tables.
    pub paths: Vec<PathBuf>,
    /// Only positions of at most so many pieces; 0 for all there are.
    pub pieces: u32,
    /// Wins that the fifty-move rule would spoil count as wins.
    pub ignore50: bool,
    /// The results that are taken from the tables.
    pub adjudicate: TablebaseScope,
}

/// The results that are taken from endgame tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TablebaseScope {
    /// All.
    #[default]
    Both,
    /// Only decided games.
    WinLoss,
    /// Only draws.
    Draw,
}

words!(TablebaseScope: "choice of table results" {
    Both => "both",
    WinLoss => "win_loss" | "win-loss" | "winloss",
    Draw => "draw",
});
