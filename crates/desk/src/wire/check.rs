//! Whether an engine keeps to its protocol: what a check has found.

use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use super::engines::LogLine;

/// A check of an engine, as far as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckView {
    /// What it calls itself, or the name of its program.
    pub name: String,
    /// Its author, as it says.
    pub author: Option<String>,
    /// The program and its arguments.
    pub command: String,
    /// What it was spoken to in: `uci`, `ulci`, `leiser`, `ugi`.
    pub dialect: String,
    /// What it plays.
    pub game: Game,
    /// What is wrong, the worst first.
    pub findings: Vec<CheckFinding>,
    /// The names of the checks that were passed.
    pub passed: Vec<String>,
    /// The names of those that could not be made, and why.
    pub skipped: Vec<(String, String)>,
    /// What was measured on the way.
    pub measures: Vec<CheckMeasure>,
    /// The part that runs now, by name.
    pub now: Option<String>,
    /// How often the engine had to be started again because it had died or hung.
    pub restarts: u32,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Whether all that was asked for was looked at.
    pub complete: bool,
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckFinding {
    /// The stable name of the check: `go.depth`.
    pub id: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// What an engine should do.
    pub title: String,
    /// The document of the rule.
    pub document: String,
    /// The section or command in it.
    pub section: String,
    /// What it says, in our words.
    pub says: String,
    /// What was seen instead.
    pub seen: String,
    /// How often.
    pub count: u32,
    /// How to mend it.
    pub hint: String,
    /// The part of the conversation that shows it.
    pub transcript: Vec<LogLine>,
}

/// Something that was measured several times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct CheckMeasure {
    /// What, in a few words.
    pub what: String,
    /// How often.
    pub count: u32,
    /// Half of them are not above this.
    pub median: f64,
    /// Nine of ten are not above this.
    pub p90: f64,
    /// None is above this.
    pub worst: f64,
}
