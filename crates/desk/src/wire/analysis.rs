//! What engines think about a position, live.

use quadrille_client::SearchNumbers;
use quadrille_games::Side;
use serde::{Deserialize, Serialize};

use super::engines::EngineId;
use super::study::{NodeId, StudyId};

/// A score, seen from White.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScoreView {
    /// Hundredths of a Pawn, or of what a game counts in.
    pub cp: Option<i32>,
    /// Moves to mate or to another certain win; negative if Black wins. 0 with
    /// [`win`](Self::win) 0 or 1 is the end itself.
    pub mate: Option<i32>,
    /// White's expected score, from 0 to 1: the engine's own where it told, by our
    /// scale of the game otherwise.
    pub win: f64,
    /// White's wins, draws and losses in thousandths, as the engine told them.
    pub wdl: Option<(u16, u16, u16)>,
}

/// How long to think. Nothing set is without end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SearchLimits {
    /// Milliseconds.
    pub movetime: Option<f64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<f64>,
}

/// What the engines of a tab shall look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Focus {
    /// The study.
    pub study: StudyId,
    /// The node.
    pub node: NodeId,
    /// The engines, in order; those that are not here stop.
    pub engines: Vec<EngineId>,
    /// Best lines of each.
    pub lines: u32,
    /// How long.
    pub limits: SearchLimits,
    /// Only these moves; all where it is empty.
    pub moves: Vec<String>,
    /// What the other side would do if it were its turn.
    pub threat: bool,
}

/// The live analysis of a tab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct AnalysisView {
    /// What is looked at, if anything.
    pub focus: Option<Focus>,
    /// By engine, in the order of the focus.
    pub engines: Vec<EngineAnalysis>,
}

/// What one engine thinks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct EngineAnalysis {
    /// The engine.
    pub engine: EngineId,
    /// Rises with every search: lines of a smaller number are old.
    pub search: u32,
    /// The position that `lines` are about.
    pub study: StudyId,
    /// The position that `lines` are about.
    pub node: NodeId,
    /// Whether they are about what the other side would do.
    pub threat: bool,
    /// The moves that the search is confined to; all where it is empty.
    pub only: Vec<String>,
    /// Whether it is searching.
    pub running: bool,
    /// Whose turn it is in the position searched.
    pub side: Side,
    /// How far the search is, and what it costs.
    #[serde(flatten)]
    pub numbers: SearchNumbers,
    /// The best lines, the best first.
    pub lines: Vec<LineView>,
    /// Why there is nothing, in English.
    pub trouble: Option<String>,
    /// The last words of the engine to people (`info string`).
    pub said: Option<String>,
}

/// A best line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LineView {
    /// Its rank, from 1.
    pub rank: u32,
    /// Its depth, in plies; less than that of the search while the next iteration
    /// runs.
    pub depth: u32,
    /// Its score. Bounds are never shown: the last exact one stays.
    pub score: ScoreView,
    /// The moves as engines write them.
    pub moves: Vec<String>,
    /// The moves as people read them, with as many as are legal.
    pub notation: Vec<String>,
    /// The squares of the first move, for an arrow.
    pub squares: Vec<String>,
}
