//! The output part of a description.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::log::LogOutput;
use super::pgn_fields::PgnFields;
use crate::words::words;

/// Everything that a match leaves behind, shows and reports. No game depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputConfig {
    /// The name of the event in records.
    pub event: String,
    /// Where it takes place, in records.
    pub site: String,
    /// Ratings are shown every so many games; 0 for never. Like the next two, only
    /// the command line uses it; kept because a resumed event shows what it showed.
    pub rating_interval: u32,
    /// Scores are shown every so many games; 0 for never.
    pub score_interval: u32,
    /// Show the time that the host itself takes.
    pub show_latency: bool,
    /// Any finding about an engine makes the match fail in the end. Its games and
    /// their results are the same.
    pub strict: bool,
    /// Where games are recorded.
    pub pgn: Option<PgnOutput>,
    /// Where final positions are recorded.
    pub epd: Option<OutputFile>,
    /// The log of what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogOutput>,
    /// The file that holds everything; named after the event if missing.
    pub store: Option<PathBuf>,
}

/// The form of a file of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnOutput {
    /// The file.
    pub file: PathBuf,
    /// An existing file is continued; otherwise it is begun again.
    pub append: bool,
    /// The notation of moves.
    pub notation: Notation,
    /// No remarks at all.
    pub min: bool,
    /// The fields that stand in comments beside score, depth and time.
    pub fields: PgnFields,
    /// Tags that name the opening. An event that was begun before there were any
    /// goes on without them, so that what is in its file stays letter by letter
    /// what its store says.
    #[serde(default)]
    pub openings: bool,
}

impl PgnOutput {
    /// Score, depth and time, in the game's own notation.
    pub fn new(file: &Path) -> Self {
        Self {
            file: file.into(),
            append: true,
            notation: Notation::San,
            min: false,
            fields: PgnFields::default(),
            openings: true,
        }
    }
}

/// The notation of moves in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Notation {
    /// As people of the game write them.
    #[default]
    San,
    /// With both squares.
    Lan,
    /// As engines write them.
    Uci,
}

words!(Notation: "notation" {
    San => "san",
    Lan => "lan",
    Uci => "uci",
});

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// The file.
    pub file: PathBuf,
    /// An existing file is continued; otherwise it is begun again.
    pub append: bool,
}
