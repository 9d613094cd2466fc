//! What the machine takes from an engine while we wait for it, and what the engine
//! takes from a game.

use std::time::{Duration, Instant};

use quadrille_client::findings::HostDiagnostic;

use super::engine::Engine;
use super::wire::Silence;
use crate::machine::{Deadline, Mark, Taken};

/// What an engine may take before it is ready for its move, without paying for
/// it: many times what any engine takes that has nothing to do.
const READY: Duration = Duration::from_millis(10);

/// So quick an answer leaves nothing to be measured.
const AT_ONCE: Duration = Duration::from_millis(1);

/// After this time an engine has read `go` if it got a processor.
const HEARD: Duration = Duration::from_millis(5);
/// An engine that gets a processor earlier than this before its flag falls can
/// see the time and answer; what is taken from then on it could not reckon with.
const BEFORE_FLAG: Duration = Duration::from_millis(20);
/// An engine that has run for so long since then has run for at least a third of it
/// after its flag had fallen, and could have answered.
const SEEN: Duration = Duration::from_millis(30);
/// With less on the clock than this, it is looked at how late each line is read.
const CLOSE: Duration = Duration::from_millis(100);
/// Behind the flag an engine is looked at this often.
const BEHIND_FLAG: Duration = Duration::from_millis(5);
/// While the machine is busy an engine is looked at this often, if it speaks.
const LOOK: Duration = Duration::from_millis(2);

impl Engine {
    /// Where the time of a question begins.
    pub(super) fn mark(&mut self, mark: Mark, at: Instant) {
        if let Some(waits) = &mut self.waits {
            waits.mark(mark, at);
        }
    }

    /// Where the time of a move begins.
    pub(super) fn mark_start(&mut self, at: Instant) {
        let one_thread = self.options().has_one_thread();
        if let Some(waits) = &mut self.waits {
            waits.mark_start(at, one_thread);
        }
    }

    /// The time of a move begins, with so much on the clock.
    pub(super) fn watch_own_waits(&mut self, flag: Option<Duration>) {
        let close = self.waits.is_some() && flag.is_some_and(|flag| flag <= CLOSE);
        self.wire.watch_own_waits(close);
    }

    /// Where the time of a move begins. What was read before `isready` will do if
    /// that was answered at once.
    pub(super) fn start_clock(&mut self, at: Instant) {
        if let Some(waits) = &mut self.waits
            && !waits.move_start(at, AT_ONCE)
        {
            waits.mark(Mark::Start, at);
        }
    }

    /// What the machine took between a question and its answer: what the engine
    /// waited for a processor, what we were late to read the answer, and what we
    /// slept meanwhile.
    pub(super) fn taken(&mut self, start: Instant, end: Instant) -> Taken {
        let late = self.lag.at(end).max(self.wire.own_wait());
        let ours = late + self.lag.suspended_between(start, end);
        let ours = ours.min(end.saturating_duration_since(start));
        match &mut self.waits {
            Some(waits) => waits.taken(end, ours),
            None => Taken {
                all: ours,
                unseen: ours,
            },
        }
    }

    /// The engine made a game wait between two moves. Where it is a process of
    /// ours, no network has part in that, and it pays for what is more than a
    /// moment.
    pub(super) fn made_wait(&mut self, start: Instant, end: Instant) {
        let passed = end.saturating_duration_since(start);
        if passed <= READY || self.process_id().is_none() {
            return;
        }
        let mut taken = self.taken(start, end).all;
        if self.waits.is_none() {
            taken = taken.max(self.lag.between(start, end));
        }
        let waited = passed.saturating_sub(taken);
        let owed = waited.saturating_sub(READY);
        if !owed.is_zero() {
            self.owed += owed;
            self.client
                .findings_mut()
                .note(HostDiagnostic::SlowReady, || {
                    format!("{:.1} ms", waited.as_secs_f64() * 1000.0)
                });
        }
    }

    /// Waits for a line, but not beyond a deadline.
    pub(super) async fn read_until(&mut self, deadline: Option<&Deadline>) -> Result<(), Silence> {
        loop {
            let until = deadline.map(Deadline::instant);
            match self.wire.read(until).await {
                // We slept: then it is later than it seemed.
                Err(Silence::Late) if deadline.is_some_and(|d| !d.has_passed()) => {}
                result => return result,
            }
        }
    }
}

/// When an engine is looked at during a search with a flag.
#[derive(Debug)]
pub(super) struct Looks {
    heard: Option<Instant>,
    flag: Option<Instant>,
    /// The next look behind the flag.
    seen: Option<Instant>,
    /// When it was looked at last for no special reason; `None` without a flag.
    last: Option<Instant>,
}

impl Default for Looks {
    fn default() -> Self {
        Self::new(Instant::now(), None, false)
    }
}

impl Looks {
    /// A short move is looked at as a whole, at its end. On a calm machine an
    /// engine hears at once.
    pub(super) fn new(started: Instant, flag: Option<Duration>, busy: bool) -> Self {
        let before = flag.and_then(|flag| flag.checked_sub(BEFORE_FLAG));
        let before = before.filter(|before| *before > HEARD);
        Self {
            heard: before.filter(|_| busy).map(|_| started + HEARD),
            flag: before.and_then(|before| started.checked_add(before)),
            seen: None,
            last: flag.map(|_| started),
        }
    }

    pub(super) fn next(&self) -> Option<Instant> {
        [self.heard, self.flag, self.seen]
            .into_iter()
            .flatten()
            .min()
    }

    pub(super) fn is_due(&self) -> bool {
        self.next().is_some_and(|next| Instant::now() >= next)
    }

    /// The mark that is due and since when, once.
    fn due(&mut self, now: Instant) -> Option<(Mark, Instant)> {
        let take = |at: &mut Option<Instant>| at.take_if(|at| now >= *at);
        // If the engine has not run until the flag falls, it has not heard.
        let flag = take(&mut self.flag).map(|due| (Mark::Flag, due));
        if flag.is_some() {
            self.heard = None;
        }
        let heard = || take(&mut self.heard).map(|_| (Mark::Heard, now));
        let seen = || take(&mut self.seen).map(|_| (Mark::Seen, now));
        flag.or_else(heard).or_else(seen)
    }

    /// Looks at what the machine takes from the engine: at the moments that
    /// matter, and often while the machine is busy, because threads may end.
    pub(super) fn look(&mut self, engine: &mut Engine) {
        let now = Instant::now();
        if let Some((mark, due)) = self.due(now) {
            let Some(waits) = &mut engine.waits else {
                return;
            };
            match mark {
                Mark::Heard if !waits.has_run() => self.heard = Some(now + HEARD),
                Mark::Seen => {
                    waits.look();
                    if waits.ran_since_flag(SEEN) {
                        waits.mark(Mark::Seen, now);
                    } else {
                        self.seen = Some(now + BEHIND_FLAG);
                    }
                }
                Mark::Flag => {
                    waits.mark(mark, due);
                    engine.wire.watch_own_waits(true);
                    self.seen = Some(now + BEFORE_FLAG);
                }
                _ => waits.mark(mark, due),
            }
        } else if let Some(last) = &mut self.last
            && now.saturating_duration_since(*last) > LOOK
            && engine.lag.is_alarmed()
            && let Some(waits) = &mut engine.waits
        {
            waits.look_again();
            *last = now;
        }
    }
}
