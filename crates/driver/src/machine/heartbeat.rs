//! How late this process is: a thread that sleeps for a short while and looks
//! how much later than asked it woke up.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle, ThreadId};
use std::time::{Duration, Instant};

/// The time between heartbeats. Shorter would cost more than it tells.
const BEAT: Duration = Duration::from_millis(10);
/// Less than this is the everyday noise of timers.
const NOISE: Duration = Duration::from_millis(1);
/// How long lateness is remembered: longer than any move that matters takes.
const MEMORY: Duration = Duration::from_mins(10);
/// After a late beat the machine counts as busy for so long.
const ALARM: Duration = Duration::from_secs(10);
/// A beat this long before an answer tells how late we ourselves were.
const NEAR: Duration = Duration::from_millis(15);
/// So long a thread that sleeps nearly always hardly ever waits: if it did not wait
/// for a processor all the time, we were suspended.
const SUSPENDED: Duration = Duration::from_millis(500);

/// A thread that measures how late it is, one for the whole process. Cheap to
/// clone and to ask; it ends with the last of its kind.
#[derive(Debug, Clone)]
pub struct LagMeter {
    heart: Arc<Heart>,
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
    /// How long we were suspended in all, in microseconds.
    suspended: AtomicU64,
    /// Beats that came late.
    late: Mutex<VecDeque<Late>>,
}

/// A beat that came late.
#[derive(Debug, Clone, Copy)]
struct Late {
    at: Instant,
    lag: Duration,
    /// The machine was not busy: we slept.
    suspended: bool,
}

#[derive(Debug)]
struct Heart {
    shared: Arc<Shared>,
    /// Without a thread nothing is ever late.
    thread: Option<JoinHandle<()>>,
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

static HEART: Mutex<Weak<Heart>> = Mutex::new(Weak::new());

impl LagMeter {
    /// Starts to measure, or joins a measurement that is running.
    pub fn start() -> Self {
        let mut known = HEART.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heart) = known.upgrade() {
            return Self { heart };
        }
        let shared = Arc::new(Shared::new());
        let beating = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("heartbeat".into())
            .spawn(move || beating.beat());
        let heart = Arc::new(Heart {
            shared,
            thread: thread.ok(),
        });
        *known = Arc::downgrade(&heart);
        Self { heart }
    }

    /// How late a thread of ours was that woke up just before this moment:
    /// as late as the latest beat near it. Suspensions are not among these.
    pub fn at(&self, moment: Instant) -> Duration {
        let shared = &self.heart.shared;
        let from = moment.checked_sub(NEAR).unwrap_or(moment);
        let near = |late: &&Late| {
            !late.suspended
                && late
                    .at
                    .checked_sub(late.lag)
                    .is_none_or(|due| due <= moment)
        };
        let late = shared.late();
        let recent = late.iter().rev().take_while(|late| late.at >= from);
        let known = recent.filter(near).map(|late| late.lag).max();
        let open = Some(shared.overdue()).filter(|open| *open < SUSPENDED);
        known.max(open).unwrap_or_default()
    }

    /// How late the machine was, all in all, between two moments.
    pub fn between(&self, from: Instant, to: Instant) -> Duration {
        self.overlap(from, to, false)
    }

    /// How long we were suspended between two moments.
    pub fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        self.overlap(from, to, true)
    }

    /// What lies between two moments of the times in which a beat was late, or of
    /// those in which we were suspended.
    fn overlap(&self, from: Instant, to: Instant, suspended: bool) -> Duration {
        let shared = &self.heart.shared;
        let within = |at: Instant, lag: Duration| {
            let due = at.checked_sub(lag).unwrap_or(at);
            at.min(to).saturating_duration_since(due.max(from))
        };
        let late = shared.late();
        let (now, open) = (Instant::now(), shared.overdue());
        let recent = late.iter().rev().take_while(|late| late.at >= from);
        let known: Duration = recent
            .filter(|late| late.suspended || !suspended)
            .map(|late| within(late.at, late.lag))
            .sum();
        known
            + if open >= SUSPENDED || !suspended {
                within(now, open)
            } else {
                Duration::ZERO
            }
    }

    /// How long we have been suspended in all.
    pub fn suspended(&self) -> Duration {
        let shared = &self.heart.shared;
        let _late = shared.late();
        let open = Some(shared.overdue()).filter(|open| *open >= SUSPENDED);
        let known = shared.suspended.load(Ordering::Relaxed);
        Duration::from_micros(known) + open.unwrap_or_default()
    }

    /// Whether a beat was late not long ago: then engines are looked at more
    /// often.
    pub fn is_alarmed(&self) -> bool {
        let shared = &self.heart.shared;
        let alarm = shared.alarm.load(Ordering::Relaxed);
        alarm > 0 && shared.now().saturating_sub(alarm) < ALARM.as_micros() as u64
            || !shared.overdue().is_zero()
    }

    /// The worst lateness so far, suspensions not counted.
    pub fn worst(&self) -> Duration {
        Duration::from_micros(self.heart.shared.worst.load(Ordering::Relaxed))
    }
}

impl Shared {
    fn new() -> Self {
        Self {
            birth: Instant::now(),
            stop: AtomicBool::new(false),
            due: AtomicU64::new(u64::MAX),
            alarm: AtomicU64::new(0),
            worst: AtomicU64::new(0),
            suspended: AtomicU64::new(0),
            late: Mutex::new(VecDeque::new()),
        }
    }

    fn late(&self) -> MutexGuard<'_, VecDeque<Late>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
        let queue = RunQueue::of_this_thread();
        let mut waited = queue.waited();
        while !self.stop.load(Ordering::Relaxed) {
            let asleep = Instant::now();
            self.due
                .store(self.now() + BEAT.as_micros() as u64, Ordering::Relaxed);
            thread::park_timeout(BEAT);
            let awake = Instant::now();
            let before = std::mem::replace(&mut waited, queue.waited());
            let lag = (awake - asleep).saturating_sub(BEAT);
            self.remember(awake, lag, waited.saturating_sub(before));
        }
    }

    /// A beat came that was so late and waited so long of that for a processor. That it is over and how late it was becomes known at once: who
    /// asks holds the lock, and finds either an open gap or a closed one.
    fn remember(&self, at: Instant, lag: Duration, waited: Duration) {
        let mut late = self.late();
        self.due.store(u64::MAX, Ordering::Relaxed);
        if lag <= NOISE {
            return;
        }
        let micros = lag.as_micros() as u64;
        let suspended = lag >= SUSPENDED && waited < lag / 2;
        if suspended {
            self.suspended.fetch_add(micros, Ordering::Relaxed);
        } else {
            self.worst.fetch_max(micros, Ordering::Relaxed);
        }
        self.alarm.store(self.now().max(1), Ordering::Relaxed);
        while late.front().is_some_and(|then| at - then.at > MEMORY) {
            late.pop_front();
        }
        late.push_back(Late { at, lag, suspended });
    }
}

/// How long the thread that reads an engine waited for a processor before it read the
/// last bytes: so much earlier they could have been read.
#[derive(Debug, Default)]
pub struct OwnWaits {
    /// What had been waited when something was read last, and by which thread.
    before: Option<(ThreadId, Duration)>,
    last: Duration,
}

impl OwnWaits {
    /// From now on reads are counted.
    pub fn start() -> Self {
        Self {
            before: Some(Self::now()),
            last: Duration::ZERO,
        }
    }

    /// Something was read just now.
    pub fn has_read(&mut self) {
        let now = Self::now();
        let before = self.before.replace(now);
        let same = before.filter(|before| before.0 == now.0);
        self.last = same.map_or(Duration::ZERO, |before| now.1.saturating_sub(before.1));
    }

    /// What was waited before the last read.
    pub const fn last(&self) -> Duration {
        self.last
    }

    fn now() -> (ThreadId, Duration) {
        thread_local! {
            static QUEUE: RunQueue = RunQueue::of_this_thread();
        }
        (thread::current().id(), QUEUE.with(RunQueue::waited))
    }
}

/// How long the thread that asks has waited for a processor, where the kernel
/// counts that; nothing elsewhere.
#[cfg(target_os = "linux")]
struct RunQueue(Option<std::fs::File>);

#[cfg(target_os = "linux")]
impl RunQueue {
    fn of_this_thread() -> Self {
        Self(std::fs::File::open("/proc/thread-self/schedstat").ok())
    }

    fn waited(&self) -> Duration {
        let count = self.0.as_ref().and_then(super::schedstat::Count::read);
        Duration::from_nanos(count.unwrap_or_default().waited)
    }
}

/// Elsewhere the system does not tell.
#[cfg(not(target_os = "linux"))]
struct RunQueue(Duration);

#[cfg(not(target_os = "linux"))]
impl RunQueue {
    // Not const, or clippy asks for that where it is used, which is impossible on Linux.
    fn of_this_thread() -> Self {
        Self(Duration::ZERO)
    }

    const fn waited(&self) -> Duration {
        self.0
    }
}

#[cfg(test)]
impl LagMeter {
    /// One that does not beat, so that only the test is late.
    pub(crate) fn still() -> Self {
        let heart = Arc::new(Heart {
            shared: Arc::new(Shared::new()),
            thread: None,
        });
        Self { heart }
    }

    /// Counts a suspension that has just ended.
    pub(crate) fn suspend(&self, time: Duration) {
        let shared = &self.heart.shared;
        shared.remember(Instant::now(), time, Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Deadline;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_deadline_waits_while_we_are_suspended() {
        let (meter, start) = still();
        let deadline = Deadline::after(start, ms(100), &meter).unwrap();
        meter
            .heart
            .shared
            .remember(start + ms(50), ms(30), Duration::ZERO);
        assert_eq!(deadline.instant(), start + ms(100), "we were only late");
        meter
            .heart
            .shared
            .remember(start + ms(2000), ms(1500), Duration::ZERO);
        assert_eq!(deadline.instant(), start + ms(1600));
        assert!(!deadline.has_passed());
        let later = Deadline::after(start, ms(100), &meter).unwrap();
        assert_eq!(later.instant(), start + ms(100), "that was before");
    }

    #[test]
    fn a_thread_that_waits_for_a_processor_is_not_suspended() {
        let (meter, start) = still();
        let shared = &meter.heart.shared;
        shared.remember(start + ms(1000), ms(900), ms(800));
        assert_eq!(meter.suspended(), Duration::ZERO);
        assert_eq!(
            meter.suspended_between(start, start + ms(2000)),
            Duration::ZERO
        );
        assert_eq!(meter.at(start + ms(1000)), ms(900), "it was only late");
        shared.remember(start + ms(3000), ms(900), ms(100));
        assert_eq!(meter.suspended(), ms(900));
    }

    fn still() -> (LagMeter, Instant) {
        // Far enough from now that nothing before it is before all time.
        (LagMeter::still(), Instant::now() + Duration::from_secs(100))
    }

    #[test]
    fn lateness_is_found_where_it_happened() {
        let (meter, start) = still();
        let shared = &meter.heart.shared;
        shared.remember(start + ms(1000), ms(30), Duration::ZERO);
        shared.remember(start + ms(2000), ms(12), Duration::ZERO);
        assert_eq!(meter.at(start + ms(1000)), ms(30));
        assert_eq!(meter.at(start + ms(1010)), ms(30));
        assert_eq!(meter.at(start + ms(1020)), ms(0), "long ago");
        assert_eq!(meter.at(start + ms(960)), ms(0), "not yet");
        assert_eq!(meter.between(start, start + ms(3000)), ms(42));
        assert_eq!(meter.between(start, start + ms(980)), ms(10));
        assert_eq!(meter.between(start + ms(990), start + ms(1995)), ms(17));
        assert_eq!((meter.worst(), meter.suspended()), (ms(30), ms(0)));
        assert!(meter.is_alarmed());
        shared.remember(start + 2 * MEMORY, ms(2), Duration::ZERO);
        assert_eq!(meter.at(start + ms(1000)), ms(0), "it is forgotten");
    }

    #[test]
    fn a_suspension_is_no_lateness() {
        let (meter, start) = still();
        let shared = &meter.heart.shared;
        shared.remember(start + ms(5000), ms(3000), Duration::ZERO);
        assert_eq!(meter.at(start + ms(5000)), ms(0));
        assert_eq!(meter.suspended(), ms(3000));
        assert_eq!(meter.worst(), ms(0));
        let between = |from, to| meter.suspended_between(start + ms(from), start + ms(to));
        assert_eq!(between(1000, 6000), ms(3000));
        assert_eq!(between(3000, 4000), ms(1000));
        assert_eq!(between(5001, 6000), ms(0));
    }

    #[test]
    fn there_is_one_heart() {
        let (a, b) = (LagMeter::start(), LagMeter::start());
        assert!(Arc::ptr_eq(&a.heart, &b.heart));
    }
}
