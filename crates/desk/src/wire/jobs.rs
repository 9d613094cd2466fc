//! What takes long: reports, imports.

use quadrille_games::Side;
use serde::{Deserialize, Serialize};

use super::analysis::ScoreView;
use super::study::{NodeId, StudyId};

/// A job, by number.
pub type JobId = u32;

/// A job in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct JobView {
    /// Its number.
    pub id: JobId,
    /// What it does.
    pub kind: JobKind,
    /// For people.
    pub title: String,
    /// How it stands.
    pub state: JobState,
    /// What is done and what there is in all, in the units of the kind.
    pub done: u32,
    /// See [`done`](Self::done).
    pub all: u32,
    /// Milliseconds left, as far as one can say.
    pub left: Option<f64>,
    /// When it began: milliseconds since 1970.
    pub began: f64,
    /// What went wrong, in English.
    pub words: Option<String>,
    /// The study it belongs to.
    pub study: Option<StudyId>,
}

/// Kinds of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum JobKind {
    /// Positions are counted.
    Report,
    /// Games are counted.
    Import,
    /// Games are counted.
    Tournament,
    /// Checks are counted.
    Check,
}

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[expect(missing_docs, reason = "the names say it")]
pub enum JobState {
    Waiting,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// A report about a game, as far as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ReportView {
    /// The study it is about.
    pub study: StudyId,
    /// Who made it: engine and limits, in words.
    pub by: String,
    /// The positions of the main line that are done, by ply from 0.
    pub positions: Vec<PositionReport>,
    /// White and Black, once there is something to say.
    pub players: Option<(PlayerReport, PlayerReport)>,
    /// Where the game turned, most important first.
    pub moments: Vec<MomentView>,
}

/// A position of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PositionReport {
    /// The ply.
    pub ply: u32,
    /// The node.
    pub node: NodeId,
    /// The score.
    pub score: ScoreView,
    /// The best move here as people read it.
    pub best: Option<String>,
    /// How much win chance the move that led here lost, from 0 to 1.
    pub loss: f64,
    /// The glyph of the move that led here: 2, 4 or 6, or none.
    pub nag: Option<u8>,
}

/// How a player played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlayerReport {
    /// From 0 to 100.
    pub accuracy: f64,
    /// `?!`
    pub inaccuracies: u32,
    /// `?`
    pub mistakes: u32,
    /// `??`
    pub blunders: u32,
    /// The mean loss of a move, in centipawns.
    pub loss: f64,
    /// Milliseconds a move took on average, where the record has clocks.
    pub time: Option<f64>,
}

/// A moment at which a game turned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MomentView {
    /// The node behind the move.
    pub node: NodeId,
    /// Who moved.
    pub side: Side,
    /// The move that was made.
    pub played: String,
    /// The move that would have been better.
    pub best: String,
    /// From 0 to 1.
    pub loss: f64,
}
