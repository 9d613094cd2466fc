//! What a command line may change about a match that has begun.

use core::time::Duration;
use std::io;
use std::path::absolute;

use super::description::{OutputFile, PgnOutput};
use super::draft::Draft;
use super::error::ConfigError;
use super::finish::games_at_once;
use super::log::LogOutput;

/// What may be changed about a match that has begun: how long it goes on, how
/// it is run and what is written, but nothing that decides which games they are
/// or how they are played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are explained at MatchConfig")]
pub struct Changes {
    pub rounds: Option<u32>,
    pub concurrency: Option<usize>,
    pub pgn: Option<PgnOutput>,
    pub epd: Option<OutputFile>,
    pub recover: Option<bool>,
    pub strict: Option<bool>,
    pub wait: Option<Duration>,
    pub rating_interval: Option<u32>,
    pub score_interval: Option<u32>,
    pub show_latency: Option<bool>,
    pub affinity: Option<bool>,
    pub processors: Option<Vec<usize>>,
    pub log: Option<LogOutput>,
}

impl Changes {
    /// See [`MatchConfig::make_absolute`](super::MatchConfig::make_absolute).
    pub(crate) fn make_absolute(&mut self) -> io::Result<()> {
        if let Some(pgn) = &mut self.pgn {
            pgn.file = absolute(&pgn.file)?;
        }
        if let Some(epd) = &mut self.epd {
            epd.file = absolute(&epd.file)?;
        }
        if let Some(log) = &mut self.log {
            for path in [&mut log.file, &mut log.tapes].into_iter().flatten() {
                *path = absolute(&*path)?;
            }
        }
        Ok(())
    }
}

/// The flags for them.
const ALLOWED: &str = "-rounds, -concurrency, -pgnout, -epdout, -recover, -strict, -wait, \
     -use-affinity, -log, -ratinginterval, -scoreinterval and -show-latency can be changed";

impl Draft {
    /// The changes that a draft asks for, in a match of engines with these names; it is refused if it says anything that
    /// cannot be changed any more.
    pub fn changes(mut self, names: &[String]) -> Result<Changes, ConfigError> {
        if let Some(0) = self.rounds {
            return Err(ConfigError::new("rounds must be above zero"));
        }
        let changes = Changes {
            pgn: self.pgn()?,
            epd: self.epd()?,
            log: self.log(names.iter().map(String::as_str))?,
            rounds: self.rounds.take(),
            concurrency: self.concurrency.take().map(games_at_once),
            recover: self.recover.take(),
            strict: self.strict.take(),
            wait: self.wait.take().map(Duration::from_millis),
            rating_interval: self.ratinginterval.take(),
            score_interval: self.scoreinterval.take(),
            show_latency: self.show_latency.take(),
            affinity: self.affinity.take(),
            processors: self.processors.take(),
        };
        self.pgnout = None;
        self.epdout = None;
        self.log = None;
        if self == Self::default() {
            return Ok(changes);
        }
        let why = match self.said()[..] {
            [] => "this cannot be changed in a match that has begun".into(),
            ["sprt", ..] => {
                "-sprt cannot be changed in a match that has begun: a test whose bounds \
                 are chosen after its results proves nothing"
                    .into()
            }
            [first, ..] => format!(
                "-{first} cannot be changed in a match that has begun: its games would be others"
            ),
        };
        Err(ConfigError::new(why).hint(format!("{ALLOWED}; for anything else begin a new match")))
    }
}
