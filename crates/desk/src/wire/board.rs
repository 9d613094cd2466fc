//! A board to draw and to move on.

use quadrille_games::any_line::{BeamView, BounceView, FireView, MoveView, PieceView};
use quadrille_games::{Game, Outcome, Side};
use serde::{Deserialize, Serialize};

use super::study::StudyStart;

/// One of the games, and how it can begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct GameInfo {
    /// Which.
    pub game: Game,
    /// Its rule sets; the first is the usual one.
    pub rules: Vec<RulesChoice>,
}

/// A rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RulesChoice {
    /// What stands in [`StudyStart::rules`]; empty for the usual rules.
    pub rules: String,
    /// For people.
    pub name: String,
    /// Positions to begin with; the first is the usual one.
    pub presets: Vec<Preset>,
}

/// A position to begin with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Preset {
    /// For people.
    pub name: String,
    /// What stands in [`StudyStart::position`].
    pub position: String,
}

/// A position with everything that is needed to show it and to play on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct BoardView {
    /// The game.
    pub game: Game,
    /// The rules, as text.
    pub rules: String,
    /// The position as text: FEN, L-FEN, Leiserchess FEN, setpos.
    pub text: String,
    /// Files and ranks.
    pub size: (u16, u16),
    /// Whose turn it is.
    pub side: Side,
    /// The number of the move, from 1.
    pub number: u32,
    /// The pieces, in a fixed order.
    pub pieces: Vec<PieceView>,
    /// Squares of the King in check.
    pub check: Vec<String>,
    /// How it ended, if it did.
    pub outcome: Option<Outcome>,
    /// A draw that may be claimed.
    pub claim: Option<Outcome>,
    /// All legal moves, or as many as fit.
    pub moves: Vec<MoveView>,
    /// How many there are in all.
    pub move_count: u32,
    /// The laser beams that would be fired now, White's first (Leiserchess).
    pub beams: Vec<BeamView>,
    /// The move that led here.
    pub last: Option<LastMove>,
}

/// The move before a position, with what there is to animate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LastMove {
    /// The move.
    #[serde(flatten)]
    pub made: MoveView,
    /// Who made it.
    pub side: Side,
    /// What its laser did (Leiserchess).
    pub fire: Option<FireView>,
    /// Where it bounced (Gyges).
    pub bounces: Option<BounceView>,
    /// The square of what it captured or stomped, where a piece is gone.
    pub captured: Option<String>,
}

/// A move that is shown before it is confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Pending {
    /// The move as engines write it.
    pub text: String,
    /// The ply it was meant for.
    pub ply: u32,
}

/// The position editor: what the page changed goes in, and the same with
/// everything that is wrong comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EditorView {
    /// The game and its rules; where `position` is not empty the pieces and fields
    /// are taken from it, and those given are not looked at.
    pub start: StudyStart,
    /// Files and ranks.
    pub size: (u16, u16),
    /// Square and piece, in the letters of position texts.
    pub pieces: Vec<(String, String)>,
    /// Everything beside the pieces: name and value.
    pub fields: Vec<(String, String)>,
    /// What is wrong, in sentences; empty if it can be played.
    pub errors: Vec<String>,
    /// The text of the position, if it can be played.
    pub text: Option<String>,
}
