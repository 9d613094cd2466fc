//! Views for pipes and files: plain lines, JSON, nothing.

use std::io::{self, Write};

use quadrille_host::config::{Format, MatchConfig};
use quadrille_host::tournament::{MatchEvent, Results};

use super::View;
use super::report::{rating_lines, score_lines};
use crate::printable::printable;

/// Only what is said at the end.
pub(crate) struct Quiet;

impl View for Quiet {
    fn event(&mut self, _: &MatchEvent, _: &Results) {}
}

/// One object on a line for every event.
pub(crate) struct Json;

impl View for Json {
    fn wants_plies(&self) -> bool {
        true
    }

    fn event(&mut self, event: &MatchEvent, _: &Results) {
        let mut out = io::stdout().lock();
        // A reader that has gone away does not stop a match.
        if let Ok(text) = serde_json::to_string(event) {
            let _ = writeln!(out, "{text}");
        }
        let _ = out.flush();
    }
}

/// A line for every event, in the words that scripts around other match
/// runners know.
pub(crate) struct Lines {
    scores: u64,
    ratings: u64,
    /// 0 where the number of games depends on results.
    total: u64,
    open: bool,
}

impl Lines {
    pub(crate) fn new(config: &MatchConfig) -> Self {
        Self {
            scores: config.score_interval.into(),
            ratings: config.rating_interval.into(),
            total: 0,
            open: matches!(config.format, Format::Swiss | Format::Knockout),
        }
    }
}

impl View for Lines {
    fn event(&mut self, event: &MatchEvent, results: &Results) {
        if let MatchEvent::Start { games, .. } = event {
            self.total = if self.open { 0 } else { *games };
        }
        let mut out = io::stdout().lock();
        if let Some(text) = sentence(event, results.names(), self.total) {
            let _ = writeln!(out, "{}", printable(&text));
        }
        if matches!(event, MatchEvent::GameEnd { .. }) {
            let standing = results.standing();
            let due = |interval: u64| interval > 0 && standing.finished.is_multiple_of(interval);
            if due(self.scores) {
                let _ = write!(out, "{}", score_lines(standing));
            }
            if due(self.ratings) {
                let _ = write!(out, "{}", rating_lines(results));
            }
        }
        let _ = out.flush();
    }
}

/// What happened, in one line.
pub(crate) fn sentence(event: &MatchEvent, names: &[String], total: u64) -> Option<String> {
    let name = |player: &usize| names.get(*player).map_or("?", String::as_str);
    Some(match event {
        MatchEvent::Start {
            store,
            finished,
            concurrency,
            ..
        } if total == 0 => format!(
            "Playing round by round, {finished} games finished, {concurrency} at once; everything is kept in {}",
            store.display()
        ),
        MatchEvent::Start {
            store,
            finished,
            games,
            concurrency,
            ..
        } => format!(
            "Playing {games} games, {finished} of them finished, {concurrency} at once; everything is kept in {}",
            store.display()
        ),
        MatchEvent::GameStart {
            game, white, black, ..
        } => format!(
            "Started game {game}{} ({} vs {})",
            match total {
                0 => String::new(),
                total => format!(" of {total}"),
            },
            name(white),
            name(black)
        ),
        MatchEvent::GameEnd {
            game,
            white,
            black,
            result,
            reason,
            ..
        } => format!(
            "Finished game {game} ({} vs {}): {} {{{reason}}}",
            name(white),
            name(black),
            result.word()
        ),
        MatchEvent::GameAbandoned { game } => format!("Gave up game {game}"),
        MatchEvent::Trouble { game, reason } => format!("Trouble in game {game}: {reason}"),
        MatchEvent::Paused => "Paused: running games are finished, no new ones begin".into(),
        MatchEvent::Resumed => "Going on".into(),
        MatchEvent::Concurrency { concurrency } => format!("Now {concurrency} games at once"),
        MatchEvent::Stopping { reason } => format!("Stopping: {reason}"),
        MatchEvent::Ply { .. } | MatchEvent::Score(_) => return None,
    })
}
