//! The schedule part of a description.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::stats::SprtConfig;
use crate::words::words;

/// The games of a match: who meets whom, how often, and from which positions. With the
/// number of engines it decides the list of all games, and how they count together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduleConfig {
    /// Who meets whom.
    pub format: Format,
    /// The number of the first engines that are the gauntlet's challengers; in a
    /// knockout, of those that are seeded.
    pub seeds: usize,
    /// The number of times that everybody meets; in a Swiss the number of rounds.
    pub rounds: u32,
    /// Games of one encounter.
    pub games: u32,
    /// The number of games in a row that begin with the same opening.
    pub repeat: u32,
    /// Colours are not exchanged within an encounter.
    pub noswap: bool,
    /// The second player of every encounter has White first.
    pub reverse: bool,
    /// Where games start. Not one of the rules: a game that is dealt brings its
    /// position along.
    pub openings: OpeningSource,
    /// The number that all lots are drawn with: openings, and places in a knockout.
    pub seed: u64,
    /// When the match is decided early. Part of the schedule because it decides
    /// how many games there are.
    pub sprt: Option<SprtConfig>,
    /// Statistics count pairs of games, as the schedule makes them. The test
    /// depends on it.
    pub pentanomial: bool,
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Everybody meets everybody; with two engines simply a match.
    #[default]
    RoundRobin,
    /// The first engines meet all others.
    Gauntlet,
    /// Equals meet, round by round, and never the same two twice.
    Swiss,
    /// The loser of an encounter is out.
    Knockout,
    /// Every engine meets all that come before it in the list.
    Pyramid,
}

words!(Format: "kind of tournament" {
    RoundRobin => "round-robin" | "roundrobin" | "rr" | "match",
    Gauntlet => "gauntlet",
    Swiss => "swiss",
    Knockout => "knockout" | "ko",
    Pyramid => "pyramid",
});

/// Where games start.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningSource {
    /// The file; none for the start position or what is drawn by lot.
    pub file: Option<PathBuf>,
    /// The kind of file, or the lot.
    pub format: OpeningFormat,
    /// In which order.
    pub order: OpeningOrder,
    /// At most so many half moves of every opening; of a random opening
    /// exactly so many, unless the game would be over.
    pub plies: Option<u32>,
    /// The first opening, counted from 1.
    pub start: u64,
    /// When the next opening is taken.
    pub policy: OpeningPolicy,
}

/// The kind of openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OpeningFormat {
    /// The start position of the game and its rules.
    #[default]
    Start,
    /// Positions with remarks, one on a line.
    Epd,
    /// Games in PGN.
    Pgn,
    /// Positions, one on a line, in the text form of the game: FEN, L-FEN,
    /// Leiserchess FEN, Gyges boards.
    Fen,
    /// A Polyglot book: one walk through it for every opening.
    Polyglot,
    /// Moves, one game on a line; before a semicolon the position they start
    /// from.
    Moves,
    /// Random legal moves from the start position.
    Random,
    /// A random Chess960 start.
    Chess960,
    /// A random Chess960 start, another for each side.
    Double960,
    /// Random home rows of Gyges.
    GygesRows,
}

words!(OpeningFormat: "kind of openings" {
    Start => "start" | "startpos",
    Epd => "epd",
    Pgn => "pgn",
    Fen => "fen" | "lfen" | "setpos" | "positions",
    Polyglot => "polyglot" | "bin" | "book",
    Moves => "moves" | "movelist",
    Random => "random",
    Chess960 => "chess960" | "frc" | "fischerandom",
    Double960 => "double960" | "dfrc" | "dchess960",
    GygesRows => "gyges-rows" | "rows",
});

/// In which order openings are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OpeningOrder {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled, the same way for the same seed.
    Random,
}

words!(OpeningOrder: "order" {
    Sequential => "sequential",
    Random => "random",
});

/// When the next opening is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OpeningPolicy {
    /// After every [`repeat`](ScheduleConfig::repeat) games of an encounter.
    #[default]
    Default,
    /// Once for an encounter: all its games begin alike.
    Encounter,
    /// Once for a round: all encounters of the round begin alike.
    Round,
}

words!(OpeningPolicy: "policy" {
    Default => "default",
    Encounter => "encounter",
    Round => "round",
});
