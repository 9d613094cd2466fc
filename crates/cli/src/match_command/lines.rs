//! What happens, as plain lines for pipes and files.

use quadrille_match::config::{Format, MatchConfig};
use quadrille_match::tournament::{MatchEvent, Results};

use quadrille_net::sanitize::printable;

use crate::figure::number_of;

use super::imitate::Imitation;

/// A line for every event, in the words that scripts around other match
/// runners know.
pub(crate) struct Lines {
    scores: u64,
    ratings: u64,
    /// 0 where the number of games depends on results.
    total: u64,
    open: bool,
    words: Imitation,
}

impl Lines {
    pub(crate) fn new(config: &MatchConfig, words: Imitation) -> Self {
        Self {
            scores: config.output.score_interval.into(),
            ratings: config.output.rating_interval.into(),
            total: 0,
            open: matches!(config.schedule.format, Format::Swiss | Format::Knockout),
            words,
        }
    }
}

impl Lines {
    /// What is said about an event.
    pub(crate) fn event(&mut self, event: &MatchEvent, results: &Results) -> String {
        if let MatchEvent::Start { games, .. } = event {
            self.total = if self.open { 0 } else { *games };
        }
        let mut text = sentence(event, results.names(), self.total).unwrap_or_default();
        if !text.is_empty() {
            text.push('\n');
        }
        if matches!(event, MatchEvent::GameEnd { .. }) {
            let standing = results.standing();
            let due = |interval: u64| interval > 0 && standing.finished.is_multiple_of(interval);
            if due(self.scores) {
                text.push_str(&self.words.score(results));
            }
            if due(self.ratings) {
                text.push_str(&self.words.ratings(results));
            }
        }
        text
    }
}

/// What happened, in one line without its end.
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
            "Playing {}, {finished} of them finished, {concurrency} at once; everything is kept in {}",
            number_of(*games, "game"),
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
        MatchEvent::Warning { reason } => format!("Warning: {}", printable(reason)),
        MatchEvent::Paused => "Paused: running games are finished, no new ones begin".into(),
        MatchEvent::Resumed => "Going on".into(),
        MatchEvent::Concurrency { concurrency } => format!("Now {concurrency} games at once"),
        MatchEvent::Stopping { reason } => format!("Stopping: {reason}"),
        MatchEvent::GameAgain { game, reason } => {
            format!("Game {game} begins anew: {}", printable(reason))
        }
        MatchEvent::Ply { .. } | MatchEvent::Score(_) | MatchEvent::Workers { .. } => return None,
    })
}
