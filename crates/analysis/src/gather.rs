//! Games that were analysed elsewhere, put together.

use std::io::Write;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::event::{AnalysisEvent, Kept, Watch};
use super::games::Games;
use super::options::Options;
use super::run::{AnalyseError, Desk, Message, Summary, as_it_was, count};
use super::subject::Unfit;

/// Puts together games that are analysed elsewhere, as a run here would: events
/// and games in order, numbers, a summary.
pub struct Gatherer<'a, V: ?Sized, W: ?Sized> {
    desk: Desk<'a, V, W>,
    began: Instant,
}

impl<'a, V: Watch + ?Sized, W: Write + ?Sized> Gatherer<'a, V, W> {
    /// Reads these games. When `stop` says so, those that are left are not read.
    pub async fn new(
        options: &Options,
        games: &Games,
        watcher: &'a mut V,
        out: &'a mut W,
        stop: watch::Receiver<bool>,
    ) -> Result<Self, AnalyseError> {
        options.check()?;
        let began = Instant::now();
        let counted = count(games, stop).await?;
        Ok(Self {
            desk: Desk::new(options, games, counted, watcher, out),
            began,
        })
    }

    /// A game is done, counted from 0: what was told about it alone, and its text.
    pub fn take(
        &mut self,
        index: usize,
        events: Vec<AnalysisEvent>,
        text: Vec<u8>,
    ) -> Result<(), AnalyseError> {
        let mut result = None;
        let (mut done, mut positions) = (0, 0);
        for event in events {
            match event {
                AnalysisEvent::Start { positions: all, .. } => positions = all,
                AnalysisEvent::GameStart { .. } => self.desk.take(Message::Started(event))?,
                AnalysisEvent::Position {
                    number,
                    ply,
                    engine,
                    cached,
                    evaluation,
                    ..
                } => {
                    done += 1;
                    self.desk.take(Message::Position {
                        number,
                        ply,
                        engine,
                        cached,
                        evaluation,
                        took: Duration::ZERO,
                    })?;
                }
                AnalysisEvent::GameEnd { report } => result = Some(Ok(report)),
                AnalysisEvent::GameKept {
                    line, why, reason, ..
                } => result = Some(Err(Unfit { line, why, reason })),
                AnalysisEvent::End { .. } => {}
            }
        }
        let engines = self.desk.engines;
        let result = result.ok_or_else(|| AnalyseError::Fault("a game has no result".into()))?;
        self.desk.take(Message::Done {
            index,
            text,
            result,
            owed: positions.saturating_mul(engines).saturating_sub(done),
        })
    }

    /// A game could not be done elsewhere, and stays as it is.
    pub fn keep(
        &mut self,
        games: &Games,
        index: usize,
        reason: String,
    ) -> Result<(), AnalyseError> {
        let Some(text) = games.get(index) else {
            return Ok(());
        };
        self.desk.take(Message::Done {
            index,
            text: as_it_was(text.bytes),
            result: Err(Unfit {
                line: text.line,
                why: Kept::Failed,
                reason,
            }),
            owed: self.desk.questions(index),
        })
    }

    /// What became of all.
    pub fn finish(self, cancelled: bool) -> Summary {
        self.desk.finish(self.began.elapsed(), cancelled)
    }
}
