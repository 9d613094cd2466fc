//! An event whose log is kept.

use super::event::MatchEvent;
use super::results::Results;
use super::run::Watcher;
use crate::config::LogLevel;
use crate::log::Log;

/// Writes down what happens before another watcher is told of it.
pub(super) struct Logged<'a> {
    pub(super) log: Log,
    pub(super) watcher: &'a mut dyn Watcher,
}

impl Watcher for Logged<'_> {
    fn wants_plies(&self) -> bool {
        self.watcher.wants_plies()
    }

    fn is_behind(&self) -> bool {
        self.watcher.is_behind()
    }

    fn event(&mut self, event: &MatchEvent, results: &Results) {
        if let Some((level, game, text)) = words(event, results.names()) {
            self.log.say(level, game, &text);
        }
        self.watcher.event(event, results);
        if let Some(reason) = self.log.failure() {
            let reason = format!("{reason}; the match goes on without this log");
            self.watcher.event(&MatchEvent::Warning { reason }, results);
        }
    }
}

/// What happened, how important it is, and in which game.
fn words(event: &MatchEvent, names: &[String]) -> Option<(LogLevel, u64, String)> {
    let name = |player: usize| names.get(player).map_or("?", String::as_str);
    Some(match event {
        MatchEvent::GameStart {
            game,
            white,
            black,
            opening,
            ..
        } => {
            let (white, black) = (name(*white), name(*black));
            let text = format!("begins: {white} - {black}, opening {opening:?}");
            (LogLevel::Info, *game, text)
        }
        MatchEvent::GameEnd {
            game,
            result,
            reason,
            plies,
            ..
        } => {
            let text = format!("ends: {} {reason}, {plies} plies", result.word());
            (LogLevel::Info, *game, text)
        }
        MatchEvent::GameAbandoned { game } => (LogLevel::Info, *game, "given up".into()),
        MatchEvent::Trouble { game, reason } => {
            (LogLevel::Warn, *game, format!("trouble: {reason}"))
        }
        MatchEvent::Warning { reason } => (LogLevel::Warn, 0, format!("warning: {reason}")),
        MatchEvent::Stopping { reason } => (LogLevel::Info, 0, format!("stopping: {reason}")),
        MatchEvent::Paused => (LogLevel::Info, 0, "paused".into()),
        MatchEvent::Resumed => (LogLevel::Info, 0, "going on".into()),
        MatchEvent::Concurrency { concurrency } => {
            (LogLevel::Info, 0, format!("{concurrency} games at once"))
        }
        MatchEvent::GameAgain { game, reason } => {
            (LogLevel::Warn, *game, format!("begins anew: {reason}"))
        }
        MatchEvent::Start { .. }
        | MatchEvent::Ply { .. }
        | MatchEvent::Score(_)
        | MatchEvent::Workers { .. } => return None,
    })
}
