//! How late the machine is: with more work than processors, some of it waits, and
//! the clock of a game does not know who.
//!
//! Two things are measured. A heartbeat sleeps for a short while and looks how
//! much later than asked it woke up: so late is any thread that becomes ready,
//! ours that reads an answer as well as an engine's that gets a question. And
//! where the operating system counts it (Linux does), the time that an engine
//! was ready to run and did not get a processor is read for each move while the
//! heartbeat says that something is wrong.
//!
//! What the machine took from a player is remembered through the game: a flag
//! often falls long after the time was lost.

use std::collections::VecDeque;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::driver::processor_time;

/// The time between heartbeats. Shorter would cost more than it tells.
const BEAT: Duration = Duration::from_millis(10);
/// Less than this is the everyday noise of timers.
const NOISE: Duration = Duration::from_millis(1);
/// How long lateness is remembered: longer than any game waits for one move
/// that matters.
const MEMORY: Duration = Duration::from_mins(2);
/// After a late beat engines are watched for so long.
const ALARM: Duration = Duration::from_secs(10);
/// A beat this long before an answer tells how late we ourselves were.
const NEAR: Duration = Duration::from_millis(15);

/// A thread that measures how late it is. Cheap to clone and to ask.
#[derive(Debug, Clone)]
pub struct LagMeter {
    shared: Arc<Shared>,
    _thread: Arc<Heart>,
}

#[derive(Debug)]
struct Shared {
    birth: Instant,
    stop: AtomicBool,
    /// When the next beat is due, in microseconds since birth.
    due: AtomicU64,
    /// When a beat was late for the last time; 0 for never.
    alarm: AtomicU64,
    /// The worst lateness ever, in microseconds.
    worst: AtomicU64,
    /// When beats came late, and how much.
    late: Mutex<VecDeque<(Instant, Duration)>>,
}

#[derive(Debug)]
struct Heart {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = &*thread {
            thread.thread().unpark();
        }
    }
}

impl LagMeter {
    /// Starts to measure.
    pub fn start() -> Self {
        let shared = Arc::new(Shared {
            birth: Instant::now(),
            stop: AtomicBool::new(false),
            due: AtomicU64::new(u64::MAX),
            alarm: AtomicU64::new(0),
            worst: AtomicU64::new(0),
            late: Mutex::new(VecDeque::new()),
        });
        let beating = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("heartbeat".into())
            .spawn(move || beating.beat());
        let heart = Heart {
            shared: Arc::clone(&shared),
            // Without a thread nothing is ever late, which is where we started.
            thread: Mutex::new(thread.ok()),
        };
        Self {
            shared,
            _thread: Arc::new(heart),
        }
    }

    /// How late the machine was, all in all, between two moments.
    pub fn between(&self, from: Instant, to: Instant) -> Duration {
        let late = self.shared.late.lock();
        let late = late.unwrap_or_else(PoisonError::into_inner);
        let known: Duration = late
            .iter()
            .rev()
            .take_while(|(at, _)| *at >= from)
            .filter(|(at, lag)| at.checked_sub(*lag).is_none_or(|due| due <= to))
            .map(|(_, lag)| *lag)
            .sum();
        drop(late);
        known + self.shared.overdue()
    }

    /// How late a thread was that woke up just before this moment.
    pub fn at(&self, moment: Instant) -> Duration {
        let from = moment.checked_sub(NEAR).unwrap_or(moment);
        self.between(from, moment)
    }

    /// Whether a beat was late not long ago, so that engines should be watched.
    pub fn is_alarmed(&self) -> bool {
        let alarm = self.shared.alarm.load(Ordering::Relaxed);
        let now = self.shared.now();
        alarm > 0 && now.saturating_sub(alarm) < ALARM.as_micros() as u64
            || !self.shared.overdue().is_zero()
    }

    /// The worst lateness so far.
    pub fn worst(&self) -> Duration {
        Duration::from_micros(self.shared.worst.load(Ordering::Relaxed))
    }
}

impl Shared {
    fn now(&self) -> u64 {
        self.birth.elapsed().as_micros() as u64
    }

    /// How late the beat is that has not come yet.
    fn overdue(&self) -> Duration {
        let due = self.due.load(Ordering::Relaxed);
        let late = Duration::from_micros(self.now().saturating_sub(due));
        if late > NOISE { late } else { Duration::ZERO }
    }

    fn beat(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let asleep = Instant::now();
            self.due
                .store(self.now() + BEAT.as_micros() as u64, Ordering::Relaxed);
            thread::park_timeout(BEAT);
            let awake = Instant::now();
            self.due.store(u64::MAX, Ordering::Relaxed);
            let lag = (awake - asleep).saturating_sub(BEAT);
            if lag > NOISE {
                self.remember(awake, lag);
            }
        }
    }

    fn remember(&self, at: Instant, lag: Duration) {
        let micros = lag.as_micros() as u64;
        self.worst.fetch_max(micros, Ordering::Relaxed);
        self.alarm.store(self.now().max(1), Ordering::Relaxed);
        let mut late = self.late.lock().unwrap_or_else(PoisonError::into_inner);
        while late.front().is_some_and(|(then, _)| at - *then > MEMORY) {
            late.pop_front();
        }
        late.push_back((at, lag));
    }
}

/// What the machine takes from an engine in the course of a game.
#[derive(Debug)]
pub(super) struct LostTime {
    process: u32,
    /// What was counted when the game began.
    delays: RunDelays,
    pressure: Option<Duration>,
    /// Time of late moves in which the engine did not run.
    missed: Duration,
    /// Time that was given back already.
    returned: Duration,
}

impl LostTime {
    pub(super) fn new(process: u32) -> Self {
        Self {
            process,
            delays: RunDelays::of(process),
            pressure: pressure(),
            missed: Duration::ZERO,
            returned: Duration::ZERO,
        }
    }

    /// A move during which the machine was late.
    pub(super) fn missed(&mut self, time: Duration) {
        self.missed += time;
    }

    /// Gives back the time by which a flag fell, if so much was taken: what was
    /// taken before, if so.
    ///
    /// The threads of the engine were counted while they were ready and did not
    /// run. Those that have ended since are counted no more; but then the engine
    /// used less of the processors than the time that passed, and some thread on
    /// this machine waited for one meanwhile.
    pub(super) fn give_back(&mut self, over: Duration) -> Option<Duration> {
        let waited = RunDelays::of(self.process).since(&self.delays);
        let missed = match self.pressure.zip(pressure()) {
            Some((then, now)) => self.missed.min(now.saturating_sub(then)),
            None => self.missed,
        };
        let taken = missed.max(waited.unwrap_or_default());
        let left = taken.saturating_sub(self.returned);
        left.checked_sub(over)?;
        self.returned += over;
        Some(left)
    }
}

/// An engine that is watched while it thinks, because the machine is late.
#[derive(Debug)]
pub(super) struct Watch {
    process: u32,
    used: Option<Duration>,
    /// It did nothing when its flag fell.
    idle: bool,
}

impl Watch {
    pub(super) fn start(process: u32) -> Self {
        Self {
            process,
            used: processor_time(process),
            idle: false,
        }
    }

    /// The flag falls: an engine that works towards its answer is ready to run
    /// at this moment, whether or not it has a processor. One that sleeps has
    /// lost its time by itself.
    pub(super) fn flag_falls(&mut self) {
        self.idle = is_asleep(self.process);
    }

    /// Whether it slept when its flag fell.
    pub(super) const fn was_idle(&self) -> bool {
        self.idle
    }

    /// How much of this time the engine did not run; `None` if the operating
    /// system does not say.
    pub(super) fn missed(&self, elapsed: Duration) -> Option<Duration> {
        let used = processor_time(self.process)?.saturating_sub(self.used?);
        Some(elapsed.saturating_sub(used))
    }
}

/// Whether no thread of a process has anything to do; `false` where
/// that is not known.
fn is_asleep(process: u32) -> bool {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else {
        return false;
    };
    let sleeps = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("stat")).ok()?;
        // The name of the program stands in parentheses and may hold anything.
        let state = text.rsplit_once(')')?.1.trim_start().chars().next()?;
        Some(matches!(state, 'S' | 'Z' | 'X'))
    };
    tasks.flatten().filter_map(sleeps).all(|sleeps| sleeps)
}

/// How long any thread on this machine had to wait for a processor, since it was
/// switched on.
fn pressure() -> Option<Duration> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some"))?;
    let micros = some.rsplit_once("total=")?.1.trim().parse().ok()?;
    Some(Duration::from_micros(micros))
}

/// How long each thread of a process has been ready to run without a
/// processor.
#[derive(Debug, Default)]
struct RunDelays(Vec<(String, u64)>);

impl RunDelays {
    fn of(process: u32) -> Self {
        let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else {
            return Self::default();
        };
        let delay = |task: fs::DirEntry| {
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let nanos = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
            Some((task.file_name().to_string_lossy().into_owned(), nanos))
        };
        Self(tasks.flatten().filter_map(delay).collect())
    }

    /// How long an answer was held up since then, if that is known. The threads
    /// of a search wait side by side, so that the slowest counts; the one that
    /// reads and writes comes before and after them.
    fn since(&self, earlier: &Self) -> Option<Duration> {
        let grown = |(task, now): &(String, u64)| {
            let then = earlier.0.iter().find(|(known, _)| known == task);
            now.saturating_sub(then.map_or(0, |(_, then)| *then))
        };
        let mut waits: Vec<u64> = self.0.iter().map(grown).collect();
        waits.sort_unstable_by(|a, b| b.cmp(a));
        let longest = waits.iter().take(2).sum();
        (!waits.is_empty()).then(|| Duration::from_nanos(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_is_found_where_it_happened() {
        let meter = LagMeter::start();
        let start = Instant::now();
        let second = |n| start + Duration::from_secs(n);
        let ms = Duration::from_millis;
        meter.shared.remember(second(10), ms(30));
        meter.shared.remember(second(11), ms(12));
        let between = |from, to| {
            let all = meter.between(second(from), second(to));
            all.saturating_sub(meter.shared.overdue())
        };
        assert!(between(9, 10) >= ms(30));
        assert!(between(9, 12) >= ms(42));
        assert!(between(12, 14) < ms(12));
        assert!(meter.worst() >= ms(30));
        assert!(meter.is_alarmed());
        meter.shared.remember(second(200), ms(1));
        assert!(between(9, 12) < ms(30), "old lateness is forgotten");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_has_waited_for_some_time() {
        let now = RunDelays::of(std::process::id());
        assert_eq!(now.since(&now), Some(Duration::ZERO));
        let delays = |list: &[(&str, u64)]| {
            RunDelays(list.iter().map(|(task, n)| ((*task).into(), *n)).collect())
        };
        let (then, now) = (
            delays(&[("1", 10), ("2", 0), ("3", 7)]),
            delays(&[("1", 15), ("2", 30), ("3", 8), ("4", 4)]),
        );
        assert_eq!(now.since(&then), Some(Duration::from_nanos(35)));
        let none = RunDelays::of(u32::MAX);
        assert_eq!(none.since(&none), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn only_time_that_passed_can_be_missed() {
        let watch = Watch::start(std::process::id());
        assert!(watch.used > Some(Duration::ZERO));
        assert_eq!(watch.missed(Duration::ZERO), Some(Duration::ZERO));
        let missed = watch.missed(Duration::from_secs(1000));
        assert!(missed.is_some_and(|missed| missed <= Duration::from_secs(1000)));
        assert_eq!(Watch::start(u32::MAX).missed(Duration::from_secs(1)), None);
        assert_eq!((processor_time(0), processor_time(u32::MAX)), (None, None));
        assert!(!is_asleep(std::process::id()), "we are running");
        assert!(!is_asleep(u32::MAX));
    }

    #[test]
    fn time_is_given_back_once() {
        let ms = Duration::from_millis;
        let mut lost_time = LostTime {
            pressure: None,
            ..LostTime::new(u32::MAX)
        };
        assert_eq!(lost_time.give_back(ms(1)), None);
        lost_time.missed(ms(30));
        lost_time.missed(ms(12));
        assert_eq!(lost_time.give_back(ms(40)), Some(ms(42)));
        assert_eq!(lost_time.give_back(ms(3)), None);
        assert_eq!(lost_time.give_back(ms(2)), Some(ms(2)));
        // No thread on the machine waited: then nothing was taken.
        let mut lost_time = LostTime::new(u32::MAX);
        if lost_time.pressure.is_some() {
            lost_time.pressure = Some(Duration::MAX);
            lost_time.missed(ms(30));
            assert_eq!(lost_time.give_back(ms(1)), None);
        }
    }
}
