//! A match in which everything is decided.

use core::time::Duration;
use std::io;
use std::path::{Path, PathBuf, absolute};

use quadrille_client::serial::game;
use quadrille_client::time_control::{Clock, TimeControl};
use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use super::finish::SPRT_ROUNDS;
use super::log::LogOutput;
use super::pgn_fields::PgnFields;
use crate::stats::SprtConfig;
use crate::words::words;
use quadrille_driver::spec::EngineSpec;

/// A whole match: who plays what against whom, how long, and what is written
/// down. Made by [`Draft::finish`](super::Draft::finish); kept with the games,
/// so that a match can go on later exactly as it began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct MatchConfig {
    /// The name of the event in records.
    pub event: String,
    /// Where it takes place, in records.
    pub site: String,
    /// Which game is played.
    #[serde(with = "game")]
    pub game: Game,
    /// The rules in the words of that game; empty for the usual ones.
    pub rules: String,
    /// Who plays. At least two; names are unique.
    pub engines: Vec<Entrant>,
    /// Who meets whom.
    pub format: Format,
    /// How many of the first engines are the gauntlet's challengers; in a
    /// knockout, how many are seeded.
    pub seeds: usize,
    /// How often everybody meets; in a Swiss the number of rounds.
    pub rounds: u32,
    /// Games of one encounter.
    pub games: u32,
    /// How many games in a row begin with the same opening.
    pub repeat: u32,
    /// Colours are not exchanged within an encounter.
    pub noswap: bool,
    /// The second player of every encounter has White first.
    pub reverse: bool,
    /// Where games start.
    pub openings: OpeningSource,
    /// When a lost game is given up.
    pub resign: Option<ResignRule>,
    /// When a drawn game is given up.
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side is drawn; `None` or 0 for no limit.
    pub max_moves: Option<u32>,
    /// Endgame tables that decide games.
    pub tablebases: Option<TablebaseConfig>,
    /// When the match is decided early.
    pub sprt: Option<SprtConfig>,
    /// How many games run at once.
    pub concurrency: usize,
    /// Run them even if there are not so many processors.
    #[serde(default)]
    pub force_concurrency: bool,
    /// What is taken from clocks.
    #[serde(default)]
    pub clock: ClockMode,
    /// Bind every running game to processors of its own.
    pub affinity: bool,
    /// The processors to bind to; all of them where the list is empty.
    pub processors: Vec<usize>,
    /// What everything drawn by lot begins with.
    pub seed: u64,
    /// A crashed engine is started again; otherwise the match stops.
    pub recover: bool,
    /// The pause between two games.
    pub wait: Duration,
    /// Ratings are shown every so many games; 0 for never.
    pub rating_interval: u32,
    /// Scores are shown every so many games; 0 for never.
    pub score_interval: u32,
    /// Statistics count pairs of games.
    pub pentanomial: bool,
    /// Any finding about an engine makes the match fail in the end.
    pub strict: bool,
    /// Show how long the host itself takes.
    pub show_latency: bool,
    /// Where games are recorded.
    pub pgn: Option<PgnOutput>,
    /// Where final positions are recorded.
    pub epd: Option<OutputFile>,
    /// What is written down of what was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<LogOutput>,
    /// The file that holds everything; named after the event if missing.
    pub store: Option<PathBuf>,
}

impl MatchConfig {
    /// Makes all paths independent of the folder this process was started in: a
    /// resumed match may be started from another one.
    pub fn make_absolute(&mut self) -> io::Result<()> {
        let fix = |path: &mut PathBuf| {
            *path = absolute(&*path)?;
            Ok::<(), io::Error>(())
        };
        for entrant in &mut self.engines {
            entrant.spec.make_absolute()?;
        }
        self.openings.file.as_mut().map_or(Ok(()), fix)?;
        if let Some(pgn) = &mut self.pgn {
            fix(&mut pgn.file)?;
        }
        if let Some(epd) = &mut self.epd {
            fix(&mut epd.file)?;
        }
        if let Some(log) = &mut self.log {
            log.file.as_mut().map_or(Ok(()), fix)?;
            log.tapes.as_mut().map_or(Ok(()), fix)?;
        }
        for path in self.tablebases.iter_mut().flat_map(|tb| &mut tb.paths) {
            fix(path)?;
        }
        Ok(())
    }

    /// What the user should know before it begins, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let opening = &self.openings;
        let one_start = opening.format == OpeningFormat::Start && opening.file.is_none();
        // Two games with sides changed differ in who plays which.
        if one_start && self.rounds.saturating_mul(self.games) > 2 {
            warnings.push(
                "there are no openings: engines that always play alike repeat the same games, \
                 which count as if they were new; give -openings (format=random plies=8 needs no file)"
                    .into(),
            );
        }
        if self.sprt.is_some() && self.rounds == SPRT_ROUNDS {
            warnings.push(format!(
                "-sprt without -rounds: the match ends when the test is decided, or after {SPRT_ROUNDS} \
                 rounds"
            ));
        }
        for entrant in &self.engines {
            let time = &entrant.time;
            if time.clock != Clock::None && time.move_time.is_some() {
                warnings.push(format!(
                    "engine '{}' has a clock (tc) and a time for every move (st): it loses when \
                     either is over",
                    entrant.name()
                ));
            }
            warnings.extend(entrant.spec.warning());
        }
        warnings
    }
}

/// One participant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// What to start; the name is always there.
    pub spec: EngineSpec,
    /// How long it may think, its handicap already counted in.
    pub time: TimeControl,
    /// How much later than allowed a move may come.
    #[serde(with = "millis")]
    pub margin: Duration,
}

impl Entrant {
    /// The name in tables and records.
    pub fn name(&self) -> &str {
        self.spec.name.as_deref().unwrap_or("")
    }
}

mod millis {
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(time.as_millis() as u64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(from)?))
    }
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

/// What is taken from the clock of an engine for a move.
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

/// Where games start.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpeningSource {
    /// The file; none for the start position or what is drawn by lot.
    pub file: Option<PathBuf>,
    /// What kind of file, or which lot.
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

/// What kind of openings.
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
    /// After every [`repeat`](MatchConfig::repeat) games of an encounter.
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
    /// Which results are taken from the tables.
    pub adjudicate: TablebaseScope,
}

/// Which results are taken from endgame tables.
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

/// What is written into a file of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnOutput {
    /// The file.
    pub file: PathBuf,
    /// Whether an existing file is continued or begun again.
    pub append: bool,
    /// How moves are written.
    pub notation: Notation,
    /// No remarks at all.
    pub min: bool,
    /// What stands in comments beside score, depth and time.
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

/// How moves are written in a record.
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
    /// Whether an existing file is continued or begun again.
    pub append: bool,
}
