//! What the director's side tells: who is there, how many, how fast.

use std::time::{Duration, Instant};

use quadrille_host::tournament::MatchEvent;

use super::{MOST_NEWS, State};

/// Games over which the speed of an event is measured.
const WINDOW: Duration = Duration::from_mins(5);
/// Workers of which it is remembered why they do not play.
const MOST_REFUSED: usize = 10_000;

impl State {
    /// Says when the server or the last worker goes away, and that it is back.
    pub(super) fn tell_who_is_there(&mut self, connected: bool, workers: usize) {
        let before = self.connected.replace(connected);
        if before.is_some_and(|before| before != connected) {
            let reason = if connected {
                "the NATS server is back"
            } else {
                "the NATS server is not reached; it is tried again"
            };
            self.warn(reason.into());
        }
        if connected && self.manned && workers == 0 && self.stopped_at.is_none() {
            let aside = match self.crew.count_aside() {
                0 => String::new(),
                1 => ", one is set aside".into(),
                many => format!(", {many} are set aside"),
            };
            self.warn(format!("no worker is there any more{aside}; games wait"));
        }
        self.manned = workers > 0;
    }

    /// Says something of a worker unless it was the last thing said of it.
    pub(super) fn warn_once(&mut self, name: &str, reason: String) {
        let known = self.refused.get(name) == Some(&reason);
        if !known && (self.refused.len() < MOST_REFUSED || self.refused.contains_key(name)) {
            self.refused.insert(name.into(), reason.clone());
            self.warn(reason);
        }
    }

    fn warn(&mut self, reason: String) {
        // Read a few times a second; with no reader it must not grow.
        if self.news.len() < MOST_NEWS {
            self.news.push(MatchEvent::Warning { reason });
        }
    }

    /// Tells how many workers and games there are, when it has changed.
    pub(super) fn tell_counts(&mut self, workers: usize, in_flight: usize) {
        while self
            .ended
            .front()
            .is_some_and(|(end, _)| end.elapsed() > WINDOW)
        {
            self.ended.pop_front();
        }
        let games = self.ended.iter().map(|(_, games)| games).sum();
        let counts: (usize, usize, u64) = (workers, in_flight, games);
        let due = self
            .told_at
            .is_none_or(|at| at.elapsed() >= Duration::from_secs(1));
        if due && counts != self.told {
            self.told = counts;
            self.told_at = Some(Instant::now());
            let since = self
                .ended
                .front()
                .map_or(1.0, |(first, _)| first.elapsed().as_secs_f64());
            self.news.push(MatchEvent::Workers {
                workers,
                in_flight,
                games_per_minute: (counts.2 as f64 * 600.0 / since.max(1.0)).round() / 10.0,
            });
        }
    }
}
