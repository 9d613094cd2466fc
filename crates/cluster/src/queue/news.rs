//! What the director's side tells: who is there, how many, how fast.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use quadrille_match::tournament::MatchEvent;

use super::{MOST_NEWS, Queue, State};
use crate::names::{key_of, shown};

/// Games over which the speed of an event is measured.
const WINDOW: Duration = Duration::from_mins(5);
/// Workers of which it is remembered why they do not play.
const MOST_REFUSED: usize = 10_000;
/// Warnings of a kind that are told one by one in a period; the others are counted.
const MOST_TOLD: u32 = 5;
/// How long a period is.
const PERIOD: Duration = Duration::from_secs(30);

/// What a stranger can bring about as often as it likes: a warning of these kinds is
/// told a few times, and then counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A worker was not let in.
    Refused,
    /// A result of a worker that was never let in.
    Stranger,
    /// A message in the name of another worker, or a result without its ticket.
    Forged,
    /// A result of a game that has one.
    Duplicate,
    /// A message that is larger than a director reads.
    TooLarge,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Refused,
        Self::Stranger,
        Self::Forged,
        Self::Duplicate,
        Self::TooLarge,
    ];

    /// Names what was counted.
    const fn words(self) -> &'static str {
        match self {
            Self::Refused => "more workers were not let in",
            Self::Stranger => "more results of workers that were never let in",
            Self::Forged => "more messages that their senders could not prove to be theirs",
            Self::Duplicate => "results of games that had one already; they do not count",
            Self::TooLarge => "more workers sent messages that are too large",
        }
    }
}

/// The warnings of one kind.
#[derive(Debug, Default)]
struct Budget {
    since: Option<Instant>,
    told: u32,
    counted: u64,
    last: String,
}

impl Budget {
    /// Returns a warning that is told now, or counts it.
    fn offer(&mut self, most: u32, reason: String) -> Option<String> {
        self.since.get_or_insert_with(Instant::now);
        if self.told < most {
            self.told += 1;
            return Some(reason);
        }
        self.counted += 1;
        self.last = reason;
        None
    }

    /// Returns the count at the end of a period, or at the end of everything.
    fn close(&mut self, kind: Kind, over: bool) -> Option<String> {
        let since = self.since?;
        if !over && since.elapsed() < PERIOD {
            return None;
        }
        let Self { counted, last, .. } = std::mem::take(self);
        let seconds = since.elapsed().as_secs_f64().ceil();
        (counted > 0).then(|| {
            format!(
                "{counted} {} in {seconds:.0} s; the last: {last}",
                kind.words()
            )
        })
    }
}

/// The warnings of all kinds.
#[derive(Debug, Default)]
pub(super) struct Warnings([Budget; Kind::ALL.len()]);

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
    pub(super) fn warn_once(&mut self, kind: Kind, name: &str, reason: String) {
        if self.refused.get(name) == Some(&reason) {
            return;
        }
        if self.refused.len() < MOST_REFUSED || self.refused.contains_key(name) {
            self.refused.insert(name.into(), reason.clone());
        }
        self.warn_of(kind, reason);
    }

    /// Tells a warning that others can bring about, or counts it.
    pub(super) fn warn_of(&mut self, kind: Kind, reason: String) {
        // That is ordinary after a job was dealt again: only the sum is of interest.
        let most = if kind == Kind::Duplicate {
            0
        } else {
            MOST_TOLD
        };
        if let Some(told) = self.warnings.0[kind as usize].offer(most, reason) {
            self.warn(told);
        }
    }

    /// Warns once of a worker that sent what is too large.
    pub(super) fn warn_of_size(&mut self, worker: &str, what: &str) {
        let name = shown(key_of(worker));
        if self.oversized.len() < MOST_REFUSED && self.oversized.insert(name.clone()) {
            let reason = format!(
                "worker {name} sent {what}: the message was dropped, and others like it will be"
            );
            self.warn_of(Kind::TooLarge, reason);
        }
    }

    /// Tells the counts of periods that are over, or all.
    pub(super) fn tell_counted(&mut self, over: bool) {
        for kind in Kind::ALL {
            if let Some(told) = self.warnings.0[kind as usize].close(kind, over) {
                self.warn(told);
            }
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

impl Queue {
    /// Warns once when messages came faster than they were read.
    pub(super) fn tell_of_flood(&self) {
        let dropped = self.plan.dropped.load(Ordering::Relaxed);
        let mut state = self.lock();
        if dropped > 0 && !std::mem::replace(&mut state.told_of_flood, true) {
            state.warn(
                "messages of workers come faster than they are read here, and some were dropped"
                    .into(),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_applications_makes_few_warnings_and_a_count() {
        let mut state = State::default();
        for number in 0..20_000 {
            let name = format!("w{number}");
            state.warn_once(Kind::Refused, &name, format!("worker {name} does not play"));
        }
        assert_eq!(state.news.len(), MOST_TOLD as usize);
        state.tell_counted(false);
        assert_eq!(
            state.news.len(),
            MOST_TOLD as usize,
            "the period is not over"
        );
        state.tell_counted(true);
        let last = state.news.last();
        let Some(MatchEvent::Warning { reason }) = last else {
            panic!("{last:?}");
        };
        assert!(
            reason.starts_with("19995 more workers were not let in"),
            "{reason}"
        );
        assert!(reason.contains("w19999"), "{reason}");
        state.tell_counted(true);
        assert_eq!(state.news.len(), MOST_TOLD as usize + 1, "told once");
    }
}
