//! How long the threads of an engine waited for a processor, as the kernel
//! counts it.
//!
//! Linux counts for each thread how long it ran and how long it was ready to run
//! without a processor (`/proc/PID/task/TID/schedstat`). A wait is added when it
//! is over. The files stay open: reading one takes about a microsecond.
//!
//! Threads of a search wait side by side, and the one that reads and writes comes
//! before and after them: so the two longest waits count. Threads that wait for
//! each other's processor earn nothing, and every engine pays for what it used:
//! what was taken is never more than the time that passed without the processor
//! time of the process, shared among the threads that used it. A thread that has ended is
//! counted as far as it was looked at.
//!
//! The processor time of a process is one call of the system, its counts are several for
//! each thread. An engine that searches with one thread and has run nearly all the time
//! cannot have waited, so its counts are not read then.

use std::time::{Duration, Instant};

/// A moment of a move from which on is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `go` is written.
    Start,
    /// By now the engine has read it, if it ever got a processor.
    Heard,
    /// The flag is about to fall.
    Flag,
    /// The engine has run long enough since to have seen it fall.
    Seen,
}

/// What the machine took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taken {
    /// In the whole move.
    pub all: Duration,
    /// Of it, what the engine could not see coming: before it had read `go`, and
    /// from shortly before its flag fell until it had run for a while. Where no such
    /// moments were marked, all of it.
    pub unseen: Duration,
}

#[cfg(target_os = "linux")]
pub use linux::Waits;

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::os::unix::fs::MetadataExt;

    use super::{Duration, Instant, Mark, Taken};
    use crate::machine::processors;
    use crate::machine::schedstat::Count;
    use crate::processor_time;

    /// Files that are kept open for an engine. The threads of a search are alike;
    /// the first of them stand for all.
    const MOST_THREADS: usize = 8;
    /// Moves together may have waited for so long without having been looked at: what is
    /// not counted as taken in one move either.
    const UNREAD: Duration = Duration::from_millis(1);
    /// An engine that has used less since its answer has had nothing to do.
    const IDLE: Duration = Duration::from_micros(300);
    /// During a move, so much waiting is worth a look.
    const NOTABLE: Duration = Duration::from_millis(1);

    #[derive(Debug)]
    struct Thread {
        id: u32,
        /// `None` when it has ended.
        file: Option<File>,
        now: Count,
        marked: [Count; 4],
    }

    /// A moment that was marked, and what the whole process had used by then.
    #[derive(Debug, Clone, Copy)]
    struct Moment {
        at: Instant,
        used: Duration,
        /// How late we were to look.
        late: Duration,
    }

    /// The threads of a process.
    #[derive(Debug)]
    pub struct Waits {
        process: u32,
        tasks: File,
        /// How many threads there were when they were listed last.
        listed: u64,
        threads: Vec<Thread>,
        moments: [Option<Moment>; 4],
        /// The end of the last move, if nothing was looked at since.
        last: Option<Moment>,
        /// The search has one thread.
        one_thread: bool,
        /// The most that was waited in moves whose counts were not read.
        unread: Duration,
        /// What had passed of this move without processor time when it was looked at.
        idle: Duration,
    }

    impl Waits {
        /// `None` where the kernel does not count.
        pub fn of(process: u32) -> Option<Self> {
            let tasks = File::open(format!("/proc/{process}/task")).ok()?;
            let mut waits = Self {
                process,
                tasks,
                listed: 0,
                threads: Vec::new(),
                moments: [None; 4],
                last: None,
                one_thread: false,
                unread: Duration::ZERO,
                idle: Duration::ZERO,
            };
            waits.look();
            (!waits.threads.is_empty()).then_some(waits)
        }

        /// From here on is counted; [`Mark::Start`] forgets what was before. If we
        /// are late ourselves, what was taken meanwhile is not known any more: the
        /// engine gets all of it.
        pub fn mark(&mut self, mark: Mark, at: Instant) {
            if mark == Mark::Start {
                self.begin();
            }
            self.look();
            for thread in &mut self.threads {
                thread.marked[mark as usize] = thread.now;
            }
            self.moments[mark as usize] = self.moment(at);
        }

        /// From here on a move is counted. The counts at the end of the last one will do
        /// if the engine has been idle since.
        pub fn mark_start(&mut self, at: Instant, one_thread: bool) {
            self.one_thread = one_thread;
            let (last, now) = (self.last.take(), self.moment(at));
            let used = |(last, now): (Moment, Moment)| now.used.saturating_sub(last.used);
            if last.zip(now).is_none_or(|both| used(both) > IDLE) {
                return self.mark(Mark::Start, at);
            }
            self.begin();
            for thread in &mut self.threads {
                thread.marked[Mark::Start as usize] = thread.now;
            }
            self.moments[Mark::Start as usize] = now;
        }

        fn begin(&mut self) {
            self.moments = [None; 4];
            self.idle = Duration::ZERO;
            self.threads.retain(|thread| thread.file.is_some());
        }

        /// Whether a thread has run for so long since the flag was marked.
        pub fn ran_since_flag(&self, time: Duration) -> bool {
            let ran = |thread: &Thread| {
                let then = thread.marked[Mark::Flag as usize].ran;
                Duration::from_nanos(thread.now.ran.saturating_sub(then))
            };
            self.threads.iter().any(|thread| ran(thread) > time)
        }

        /// Lets the start be a moment later, if it is not much later.
        pub fn move_start(&mut self, at: Instant, most: Duration) -> bool {
            match &mut self.moments[0] {
                Some(start) if at.saturating_duration_since(start.at) <= most => {
                    start.at = at;
                    true
                }
                _ => false,
            }
        }

        fn moment(&self, at: Instant) -> Option<Moment> {
            Some(Moment {
                at,
                used: processor_time(self.process)?,
                late: at.elapsed(),
            })
        }

        /// Whether the process has run since the start, so that it can have heard
        /// what it was told.
        pub fn has_run(&self) -> bool {
            let used = processor_time(self.process);
            self.moments[0].is_none_or(|start| used > Some(start.used))
        }

        /// Reads all counts if much can have been waited since that was done.
        pub fn look_again(&mut self) {
            if self.one_thread
                && let (Some(start), Some(now)) = (self.moments[0], self.moment(Instant::now()))
            {
                let idle = idle(start, now);
                if idle < self.idle + NOTABLE {
                    return;
                }
                self.idle = idle;
            }
            self.look();
        }

        /// Whether the engine has run through a move but for moments, so that its counts
        /// need not be read.
        fn has_run_through(&mut self, start: Moment, now: Moment) -> bool {
            let passed = now.at.saturating_duration_since(start.at);
            let used = now.used.saturating_sub(start.used);
            let unread = self.unread + idle(start, now);
            let through = self.one_thread
                && self.moments[Mark::Flag as usize].is_none()
                // More is the work of several threads, which can wait side by side.
                && used <= passed + UNREAD
                && unread <= UNREAD;
            if through {
                self.unread = unread;
            }
            through
        }

        /// Reads all counts.
        pub fn look(&mut self) {
            self.last = None;
            self.unread = Duration::ZERO;
            let mut ended = false;
            for thread in &mut self.threads {
                match thread.file.as_ref().map(Count::read) {
                    Some(Some(now)) => thread.now = now,
                    Some(None) => {
                        thread.file = None;
                        ended = true;
                    }
                    None => {}
                }
            }
            // The number of links of the folder is that of the threads and two.
            let number = self.tasks.metadata().map_or(0, |folder| folder.nlink());
            if ended || number != self.listed {
                self.listed = number;
                self.list();
            }
        }

        /// Finds threads that are new.
        fn list(&mut self) {
            let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.process)) else {
                return;
            };
            for task in tasks.flatten() {
                let open = self.threads.iter().filter(|thread| thread.file.is_some());
                if open.count() >= MOST_THREADS {
                    return;
                }
                let Some(id) = task.file_name().to_str().and_then(|id| id.parse().ok()) else {
                    continue;
                };
                let known = |thread: &Thread| thread.id == id && thread.file.is_some();
                if self.threads.iter().any(known) {
                    continue;
                }
                let Ok(file) = File::open(task.path().join("schedstat")) else {
                    continue;
                };
                if let Some(now) = Count::read(&file) {
                    self.threads.push(Thread {
                        id,
                        file: Some(file),
                        now,
                        // It began after what is marked: all of it counts.
                        marked: [Count::default(); 4],
                    });
                }
            }
        }

        /// What was taken from the start to the end, which was just now, with what
        /// we ourselves were late.
        pub fn taken(&mut self, end: Instant, ours: Duration) -> Taken {
            let (Some(start), Some(now)) = (self.moments[0], self.moment(end)) else {
                return Taken::default();
            };
            if self.has_run_through(start, now) {
                self.last = Some(now);
                return Taken::default();
            }
            self.look();
            self.last = Some(now);
            let (all, most) = self.within((Mark::Start, None), (start, now));
            let all = (all + ours).min(most);
            let unseen = self.moments[2].map_or(all, |flag| {
                let before = self.moments[1].map_or(Duration::ZERO, |heard| {
                    let (waited, most) =
                        self.within((Mark::Start, Some(Mark::Heard)), (start, heard));
                    waited.min(most)
                });
                let seen = self.moments[3].map(|seen| (Some(Mark::Seen), seen));
                let (until, end) = seen.unwrap_or((None, now));
                let (waited, most) = self.within((Mark::Flag, until), (flag, end));
                before + waited.min(most) + flag.late + ours
            });
            Taken {
                all,
                unseen: unseen.min(all),
            }
        }

        /// How long threads waited between two marks, or since one; and the most
        /// that can have been taken: the time that passed, without the time that
        /// was used, shared among the threads that used it.
        fn within(
            &self,
            (from, to): (Mark, Option<Mark>),
            (start, end): (Moment, Moment),
        ) -> (Duration, Duration) {
            let grown = |thread: &Thread, part: fn(&Count) -> u64| {
                let end = to.map_or(thread.now, |to| thread.marked[to as usize]);
                part(&end).saturating_sub(part(&thread.marked[from as usize]))
            };
            let (mut longest, mut second, mut active) = (0, 0, 0);
            for thread in &self.threads {
                let waited = grown(thread, |count| count.waited);
                second = second.max(waited.min(longest));
                longest = longest.max(waited);
                active += u32::from(grown(thread, |count| count.ran) > 0);
            }
            let waited = Duration::from_nanos(longest + second);
            let side_by_side = active.clamp(1, processors() as u32);
            let passed = end.at.saturating_duration_since(start.at);
            let used = end.used.saturating_sub(start.used);
            (waited, passed.saturating_sub(used / side_by_side))
        }
    }

    /// The time between two moments without the processor time that was used.
    fn idle(start: Moment, end: Moment) -> Duration {
        let passed = end.at.saturating_duration_since(start.at);
        passed.saturating_sub(end.used.saturating_sub(start.used))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// An engine that ran all the time is not looked at; one that did not is, also if
        /// it is missing only a little in each of many moves.
        #[test]
        fn counts_are_read_when_something_can_have_been_waited() {
            let us = Duration::from_micros;
            let mut waits = Waits::of(std::process::id()).unwrap();
            waits.one_thread = true;
            let (start, mut end) = moments(10, 10);
            assert!(waits.has_run_through(start, end));
            end.used -= us(400);
            assert!(waits.has_run_through(start, end));
            assert!(waits.has_run_through(start, end));
            assert!(!waits.has_run_through(start, end), "1.2 ms together");
            waits.look();
            assert!(waits.has_run_through(start, end));
            end.used += us(5000);
            assert!(!waits.has_run_through(start, end), "two threads ran");
            end.used = start.used;
            assert!(!waits.has_run_through(start, end), "it never ran");
            waits.look();
            waits.one_thread = false;
            end.used = us(10_000);
            assert!(
                !waits.has_run_through(start, end),
                "it may have waited twice"
            );
            waits.one_thread = true;
            waits.moments[Mark::Flag as usize] = Some(start);
            assert!(!waits.has_run_through(start, end), "the flag was near");
        }

        #[test]
        fn threads_come_and_go() {
            let mut waits = Waits::of(std::process::id()).unwrap();
            let start = Instant::now();
            waits.mark(Mark::Start, start);
            assert!(waits.threads.iter().any(|thread| thread.now.ran > 0));
            let ids = |waits: &Waits| -> Vec<u32> { waits.threads.iter().map(|t| t.id).collect() };
            assert!(!ids(&waits).contains(&u32::MAX));
            let taken = waits.taken(Instant::now(), Duration::MAX / 2);
            assert!(taken.all <= start.elapsed());
            assert_eq!(taken.all, taken.unseen, "nothing was marked");
            assert!(Waits::of(u32::MAX).is_none());
        }

        fn thread(counts: [(u64, u64); 4]) -> Thread {
            let ms = |(ran, waited): (u64, u64)| Count {
                ran: ran * 1_000_000,
                waited: waited * 1_000_000,
            };
            Thread {
                id: 0,
                file: None,
                marked: [ms(counts[0]), ms(counts[1]), ms(counts[2]), ms(counts[3])],
                now: ms(counts[3]),
            }
        }

        /// Threads at the start, when the engine has heard, at the flag, and now.
        fn waits(threads: &[[(u64, u64); 4]]) -> Waits {
            Waits {
                threads: threads.iter().copied().map(thread).collect(),
                ..Waits::of(std::process::id()).unwrap()
            }
        }

        fn moments(passed: u64, used: u64) -> (Moment, Moment) {
            let moment = |at, used| Moment {
                at,
                used: Duration::from_millis(used),
                late: Duration::ZERO,
            };
            let at = Instant::now();
            let end = at + Duration::from_millis(passed);
            (moment(at, 0), moment(end, used))
        }

        const ALL: (Mark, Option<Mark>) = (Mark::Start, None);

        #[test]
        fn the_two_longest_waits_count() {
            let waits = waits(&[
                [(5, 5), (0, 0), (0, 0), (6, 9)],
                [(0, 0), (0, 0), (0, 0), (40, 30)],
                [(0, 0), (0, 0), (0, 0), (40, 20)],
            ]);
            let (waited, _) = waits.within(ALL, moments(1000, 80));
            assert_eq!(waited.as_millis(), 50);
        }

        #[test]
        fn threads_that_wait_for_each_other_earn_nothing() {
            let busy = [(0, 0), (0, 0), (0, 0), (50, 50)];
            let waits = waits(&[busy; 4]);
            let threads = processors().min(4) as u64;
            let (_, most) = waits.within(ALL, moments(100, 100 * threads));
            assert_eq!(most.as_millis(), 0);
        }

        #[test]
        fn an_engine_that_ran_behind_the_flag_has_seen_it() {
            let ms = Duration::from_millis;
            let waits = waits(&[
                [(0, 0), (0, 0), (80, 0), (100, 50)],
                [(0, 0), (0, 0), (10, 0), (45, 50)],
            ]);
            assert!(waits.ran_since_flag(ms(30)), "the second did");
            assert!(!waits.ran_since_flag(ms(35)), "not all of them together");
        }

        #[test]
        fn spans_of_a_move_are_told_apart() {
            let waits = waits(&[[(0, 1), (5, 4), (50, 400), (60, 420)]]);
            let (heard, _) = waits.within((Mark::Start, Some(Mark::Heard)), moments(30, 5));
            assert_eq!(heard.as_millis(), 3);
            let (behind, most) = waits.within((Mark::Flag, None), moments(25, 10));
            assert_eq!((behind.as_millis(), most.as_millis()), (20, 15));
        }
    }
}

/// Nothing is known.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub enum Waits {}

#[cfg(not(target_os = "linux"))]
#[expect(missing_docs, reason = "they are explained where something is known")]
impl Waits {
    pub fn of(_: u32) -> Option<Self> {
        None
    }

    pub fn mark(&mut self, _: Mark, _: Instant) {
        match *self {}
    }

    pub fn mark_start(&mut self, _: Instant, _: bool) {
        match *self {}
    }

    pub fn ran_since_flag(&self, _: Duration) -> bool {
        match *self {}
    }

    pub fn move_start(&mut self, _: Instant, _: Duration) -> bool {
        match *self {}
    }

    pub fn look(&mut self) {
        match *self {}
    }

    pub fn look_again(&mut self) {
        match *self {}
    }

    pub fn has_run(&self) -> bool {
        match *self {}
    }

    pub fn taken(&mut self, _: Instant, _: Duration) -> Taken {
        match *self {}
    }
}
