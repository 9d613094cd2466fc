//! What a command line may change about a match that has begun.

use core::time::Duration;
use std::io;
use std::path::absolute;

use super::draft::Draft;
use super::error::ConfigError;
use super::finish::games_at_once;
use super::log::LogOutput;
use super::output::{OutputFile, PgnOutput};

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

impl Draft {
    /// Returns the changes that a draft asks for; what cannot be changed is not looked at.
    pub(super) fn changes(self, names: &[String]) -> Result<Changes, ConfigError> {
        if let Some(0) = self.rounds {
            return Err(ConfigError::new("rounds must be above zero"));
        }
        Ok(Changes {
            pgn: self.pgn()?,
            epd: self.epd()?,
            log: self.log(names.iter().map(String::as_str))?,
            rounds: self.rounds,
            concurrency: self.concurrency.map(games_at_once),
            recover: self.recover,
            strict: self.strict,
            wait: self.wait.map(Duration::from_millis),
            rating_interval: self.ratinginterval,
            score_interval: self.scoreinterval,
            show_latency: self.show_latency,
            affinity: self.affinity,
            processors: self.processors,
        })
    }
}
