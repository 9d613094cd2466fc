//! Workers that hold a job for too long. One that beats and never sends a result would
//! stop the match otherwise: its beats say that the job is not lost.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use quadrille_match::tournament::MatchEvent;

use super::{Queue, State, Word};
use crate::names::key_of;

/// Workers that are remembered for one job.
const MOST_HOLDERS: usize = 16;
/// Games whose time is remembered.
const MOST_TIMES: usize = 101;
/// Games after which their median says how long a game lasts.
const ENOUGH_TIMES: usize = 3;
/// Games after which the median says so for certain, where there are no clocks.
const CERTAIN_TIMES: usize = 20;
/// Games of one worker that count for that: no worker alone makes the limit certain.
const CERTAIN_OF_ONE: usize = 10;
/// A game may take so many times the median.
const TIMES_MEDIAN: u32 = 20;
/// How often the limit is doubled for one job where it is a guess.
const MOST_DOUBLINGS: u32 = 10;
/// How often a worker holds a job for too long until it is set aside.
pub(crate) const MOST_OVERDUE: u32 = 3;

/// How long a worker may hold a job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HoldLimit {
    /// Never less than this: what the clocks permit, and some time.
    pub(crate) least: Duration,
    /// Whether clocks bound the time of a game.
    pub(crate) timed: bool,
}

impl HoldLimit {
    /// Returns the limit, from the times of games that are over.
    fn now(self, times: &Times) -> Limit {
        let median = times.median();
        let games = median.unwrap_or_default().saturating_mul(TIMES_MEDIAN);
        Limit {
            time: self.least.max(games),
            guessed: !self.timed && !times.are_certain(),
        }
    }
}

/// How long a worker may hold a job, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limit {
    time: Duration,
    /// Neither clocks nor enough games that are over say how long a game lasts: an honest worker
    /// may need longer, so nobody is blamed, and each attempt at the job has twice the time.
    guessed: bool,
}

impl Limit {
    /// Returns the limit for the next attempt at a job.
    fn of(self, holders: &Holders) -> Duration {
        if !self.guessed {
            return self.time;
        }
        let doublings = holders.count_overdue().min(MOST_DOUBLINGS);
        self.time.saturating_mul(1 << doublings)
    }
}

/// How long the last games took, from the first beat of their workers to the result.
#[derive(Debug, Default)]
pub(super) struct Times(VecDeque<(String, Duration)>);

impl Times {
    /// Adds the time of a game that the worker of a key has played.
    pub(super) fn push(&mut self, key: &str, time: Duration) {
        if self.0.len() >= MOST_TIMES {
            self.0.pop_front();
        }
        self.0.push_back((key.into(), time));
    }

    /// Returns whether enough games of several workers are over. A few results at once say
    /// little: they may be of short games, or of one worker that does not play them.
    fn are_certain(&self) -> bool {
        let mut of_each: HashMap<&str, usize> = HashMap::new();
        for (key, _) in &self.0 {
            *of_each.entry(key).or_default() += 1;
        }
        let counted = of_each.values().map(|count| (*count).min(CERTAIN_OF_ONE));
        counted.sum::<usize>() >= CERTAIN_TIMES
    }

    fn median(&self) -> Option<Duration> {
        if self.0.len() < ENOUGH_TIMES {
            return None;
        }
        let mut sorted: Vec<Duration> = self.0.iter().map(|(_, time)| *time).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }
}

/// The workers that say they have a job.
#[derive(Debug, Default)]
pub(super) struct Holders(Vec<Holder>);

#[derive(Debug)]
struct Holder {
    worker: String,
    attempt: u32,
    since: Instant,
    seen: Instant,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Plays,
    /// Its result came after this time.
    Done(Duration),
    /// It was too slow; what it says of this attempt does not count any more.
    Overdue,
}

impl Holders {
    /// A worker says that it has an attempt; `false` if that does not count. All
    /// processes of a name are one: another process does not begin anew.
    pub(super) fn beat(&mut self, worker: &str, attempt: u32, now: Instant) -> bool {
        let key = key_of(worker);
        let known = |h: &&mut Holder| h.attempt == attempt && key_of(&h.worker) == key;
        if let Some(holder) = self.0.iter_mut().find(known) {
            holder.seen = now;
            return holder.phase != Phase::Overdue;
        }
        if self.0.len() >= MOST_HOLDERS {
            return false;
        }
        self.0.push(Holder {
            worker: worker.into(),
            attempt,
            since: now,
            seen: now,
            phase: Phase::Plays,
        });
        true
    }

    /// Returns whether a worker has an attempt for too long.
    pub(super) fn is_overdue(&self, worker: &str, attempt: u32) -> bool {
        let mut holders = self.0.iter();
        holders.any(|h| {
            h.attempt == attempt && key_of(&h.worker) == key_of(worker) && h.phase == Phase::Overdue
        })
    }

    /// Returns whether a worker ever said that it has an attempt.
    #[cfg(test)]
    pub(super) fn is_known(&self, worker: &str, attempt: u32) -> bool {
        let mut holders = self.0.iter();
        holders.any(|h| h.attempt == attempt && h.worker == worker)
    }

    /// Returns whether a worker plays an attempt, as it says.
    pub(super) fn has(&self, attempt: u32, now: Instant, patience: Duration) -> bool {
        let mut holders = self.0.iter();
        holders.any(|h| {
            let silent = now.saturating_duration_since(h.seen);
            h.attempt == attempt && h.phase == Phase::Plays && silent <= patience
        })
    }

    fn count_overdue(&self) -> u32 {
        let overdue = self.0.iter().filter(|h| h.phase == Phase::Overdue);
        u32::try_from(overdue.count()).unwrap_or(u32::MAX)
    }

    /// The result of a worker came.
    pub(super) fn done(&mut self, worker: &str, now: Instant) {
        let key = key_of(worker);
        for holder in self.0.iter_mut().filter(|h| key_of(&h.worker) == key) {
            if holder.phase == Phase::Plays {
                holder.phase = Phase::Done(now.saturating_duration_since(holder.since));
            }
        }
    }

    /// Returns how long a worker took; no time at all if it never said that it played.
    pub(super) fn time(&self, worker: &str) -> Duration {
        let theirs = self
            .0
            .iter()
            .filter(|h| key_of(&h.worker) == key_of(worker));
        let times = theirs.map(|h| match h.phase {
            Phase::Done(time) => time,
            Phase::Plays | Phase::Overdue => Duration::ZERO,
        });
        times.max().unwrap_or_default()
    }

    /// Returns those that have the job for too long, if all that have it do. Who was not
    /// heard for `patience` does not have it.
    fn overdue(&mut self, now: Instant, limit: Duration, patience: Duration) -> Vec<&mut Holder> {
        let silent = |h: &Holder| now.saturating_duration_since(h.seen);
        // Not at once: a worker that pauses its beats does not begin anew.
        self.0
            .retain(|h| h.phase != Phase::Plays || silent(h) <= patience * 3);
        let has_it = |h: &Holder| h.phase == Phase::Plays && silent(h) <= patience;
        let late = |h: &Holder| now.saturating_duration_since(h.since) > limit;
        if self.0.iter().any(|h| has_it(h) && !late(h)) {
            return Vec::new();
        }
        self.0.iter_mut().filter(|h| has_it(h)).collect()
    }
}

/// A worker that held a job for too long.
struct Late {
    number: u64,
    worker: String,
    held: Duration,
    limit: Duration,
}

impl State {
    /// Marks workers that hold jobs for too long where others are there, and tells those
    /// who wait for the jobs.
    fn mark_overdue(&mut self, now: Instant, limit: Limit, patience: Duration) -> Vec<Late> {
        let mut late = Vec::new();
        for (number, waiting) in &mut self.waiting {
            let limit = limit.of(&waiting.holders);
            let holders = waiting.holders.overdue(now, limit, patience);
            let workers: Vec<String> = holders.iter().map(|h| h.worker.clone()).collect();
            let keys: Vec<&str> = workers.iter().map(|worker| key_of(worker)).collect();
            // A slow worker is better than none.
            if keys.is_empty() || !self.crew.has_beside(&keys, patience) {
                continue;
            }
            for holder in holders {
                holder.phase = Phase::Overdue;
                late.push(Late {
                    number: *number,
                    worker: holder.worker.clone(),
                    held: now.saturating_duration_since(holder.since),
                    limit,
                });
            }
            let _ = waiting.sender.try_send(Word::Overdue(workers));
        }
        late
    }
}

impl Queue {
    /// Deals jobs again that workers hold for too long, and sets aside workers that do so
    /// again and again.
    pub(super) async fn end_overdue(&self) {
        let Some(hold) = self.plan.hold else {
            return;
        };
        let (late, guessed) = {
            let mut state = self.lock();
            let limit = hold.now(&state.times);
            let now = state.crew.clock().now();
            let late = state.mark_overdue(now, limit, self.patience());
            (late, limit.guessed)
        };
        for Late {
            number,
            worker,
            held,
            limit,
        } in late
        {
            let (name, times, job) = {
                let mut state = self.lock();
                let name = state.crew.name_of(&worker).unwrap_or_default().to_owned();
                let times = if guessed {
                    0
                } else {
                    state.crew.overdue(&worker)
                };
                (name, times, state.job_name(number))
            };
            let reason = format!(
                "worker {name} has {job} for {:.0} s without a result, and {:.0} s is the limit; it \
                 is dealt again to another worker",
                held.as_secs_f64(),
                limit.as_secs_f64()
            );
            self.tell(MatchEvent::Warning { reason });
            if times >= MOST_OVERDUE {
                let reason = format!("it held {times} jobs for too long without a result");
                self.set_aside(&worker, &name, &reason).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);
    const LIMIT: Duration = Duration::from_mins(10);

    fn minutes(minutes: u64) -> Duration {
        Duration::from_mins(minutes)
    }

    /// Who is overdue when all of these beat every half minute from the minute beside them.
    fn overdue_after(holders: &mut Holders, all: &[(&str, u64)], end: u64) -> Vec<String> {
        let begun = Instant::now();
        for half in 0..=end * 2 {
            let now = begun + Duration::from_secs(half * 30);
            for (worker, from) in all.iter().filter(|(_, from)| from * 2 <= half) {
                assert!(holders.beat(worker, 1001, now), "{worker} {from}");
            }
        }
        let late = holders.overdue(begun + minutes(end), LIMIT, PATIENCE);
        late.iter().map(|h| h.worker.clone()).collect()
    }

    #[test]
    fn who_beats_for_ever_is_overdue() {
        let mut holders = Holders::default();
        assert!(overdue_after(&mut holders, &[("a.x", 0)], 10).is_empty());
        let mut holders = Holders::default();
        assert_eq!(overdue_after(&mut holders, &[("a.x", 0)], 11), ["a.x"]);
        // Another process of it does not begin anew.
        let mut holders = Holders::default();
        let all = [("a.x", 0), ("a.y", 9)];
        assert_eq!(overdue_after(&mut holders, &all, 11), ["a.x"]);
    }

    #[test]
    fn a_job_that_another_worker_plays_is_not_overdue() {
        let mut holders = Holders::default();
        // One says it has the job of the other.
        let all = [("liar.x", 0), ("a.x", 8)];
        assert!(overdue_after(&mut holders, &all, 12).is_empty());
    }

    #[test]
    fn what_an_overdue_worker_says_does_not_count() {
        let mut holders = Holders::default();
        overdue_after(&mut holders, &[("a.x", 0)], 11);
        let now = Instant::now() + minutes(11);
        for holder in holders.overdue(now, LIMIT, PATIENCE) {
            holder.phase = Phase::Overdue;
        }
        assert!(!holders.beat("a.x", 1001, now) && holders.is_overdue("a.y", 1001));
        assert!(holders.beat("a.x", 1002, now) && !holders.is_overdue("a.x", 1002));
        assert!(holders.overdue(now, LIMIT, PATIENCE).is_empty());
    }

    #[test]
    fn a_result_ends_the_time_and_pauses_do_not() {
        let begun = Instant::now();
        let mut holders = Holders::default();
        holders.beat("a.x", 1001, begun);
        holders.done("a.x", begun + minutes(2));
        holders.beat("a.x", 1001, begun + minutes(12));
        let late = holders.overdue(begun + minutes(12), LIMIT, PATIENCE);
        assert!(late.is_empty(), "{late:?}");
        assert_eq!(holders.time("a.x"), minutes(2));
        let mut holders = Holders::default();
        for minute in 0..=11 {
            holders.beat("a.x", 1001, begun + minutes(minute));
            let _ = holders.overdue(begun + minutes(minute), LIMIT, PATIENCE);
        }
        assert_eq!(
            holders.overdue(begun + minutes(11), LIMIT, PATIENCE).len(),
            1
        );
    }

    #[test]
    fn the_limit_follows_from_games_and_clocks() {
        let mut times = Times::default();
        let hold = |timed| HoldLimit {
            least: LIMIT,
            timed,
        };
        let certain = |time| Limit {
            time,
            guessed: false,
        };
        assert_eq!(hold(true).now(&times), certain(LIMIT));
        let guess = hold(false).now(&times);
        assert!(guess.guessed);
        // Honest workers may need longer than that: each attempt has twice the time.
        let mut holders = Holders::default();
        assert_eq!(guess.of(&holders), LIMIT);
        let now = Instant::now();
        for attempt in [1001, 1002] {
            holders.beat("a.x", attempt, now);
            for holder in holders.overdue(now + minutes(11), LIMIT, minutes(20)) {
                holder.phase = Phase::Overdue;
            }
        }
        assert_eq!(guess.of(&holders), LIMIT * 4);
        let names = ["a", "b"].iter().cycle();
        for (key, _) in names.clone().zip(0..MOST_TIMES * 2) {
            times.push(key, minutes(1));
        }
        assert_eq!(times.0.len(), MOST_TIMES);
        assert_eq!(hold(false).now(&times), certain(minutes(20)));
        for (key, _) in names.zip(0..MOST_TIMES) {
            times.push(key, Duration::ZERO);
        }
        assert_eq!(hold(false).now(&times), certain(LIMIT));
    }

    #[test]
    fn a_few_instant_results_make_no_limit_certain() {
        let hold = |timed| HoldLimit {
            least: LIMIT,
            timed,
        };
        let mut times = Times::default();
        for _ in 0..ENOUGH_TIMES {
            times.push("a", Duration::ZERO);
        }
        assert!(hold(false).now(&times).guessed);
        assert!(!hold(true).now(&times).guessed, "clocks bound the time");
        // Nor do many of one worker alone.
        for _ in 0..MOST_TIMES {
            times.push("a", Duration::ZERO);
        }
        assert!(hold(false).now(&times).guessed);
        for count in 1..=CERTAIN_OF_ONE {
            assert!(hold(false).now(&times).guessed);
            times.push("b", Duration::from_secs(1));
            assert_eq!(hold(false).now(&times).guessed, count < CERTAIN_OF_ONE);
        }
        // Long games raise the limit before that: a guess may be too short.
        let mut times = Times::default();
        for _ in 0..ENOUGH_TIMES {
            times.push("a", minutes(3));
        }
        let limit = hold(false).now(&times);
        assert!(limit.guessed && limit.time == minutes(60));
    }

    #[test]
    fn the_list_of_a_job_is_bounded() {
        let mut holders = Holders::default();
        let now = Instant::now();
        for number in 0..MOST_HOLDERS * 2 {
            holders.beat(&format!("w{number}.x"), 1001, now);
        }
        assert_eq!(holders.0.len(), MOST_HOLDERS);
    }
}
