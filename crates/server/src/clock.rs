//! The time of a server: it stands while the process does.
//!
//! A server that is suspended, or that gets no processor, can read no move, and the
//! players know nothing of it. So a task looks at the clock every few milliseconds;
//! where two looks lie far apart, nobody could have been served in between, and that
//! time is left out. All moments of the [hall](crate::hall) are of this clock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the clock is looked at.
const BEAT: Duration = Duration::from_millis(10);
/// Two looks this far apart mean that the server stood still. Less than the margin
/// over a clock, more than the timers of any system are late.
const STALL: Duration = Duration::from_millis(40);

/// The clock, shared by all that stamp lines.
#[derive(Debug)]
pub(crate) struct ServerClock {
    begun: Instant,
    state: Mutex<State>,
    /// Lines that have a stamp and are not yet where the hall finds them.
    coming: Arc<AtomicUsize>,
}

#[derive(Debug, Default)]
struct State {
    /// When the clock was last looked at, stalls included.
    seen: Duration,
    /// The stalls so far.
    lost: Duration,
}

impl State {
    /// The time of the server, so long after its beginning.
    fn look(&mut self, real: Duration) -> Duration {
        let gap = real.saturating_sub(self.seen);
        if gap >= STALL {
            self.lost += gap.saturating_sub(BEAT);
        }
        self.seen = self.seen.max(real);
        self.seen.saturating_sub(self.lost)
    }
}

/// Stands for a line that is on its way to the hall, from its stamp on.
#[derive(Debug)]
pub(crate) struct Coming(Arc<AtomicUsize>);

impl Drop for Coming {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl ServerClock {
    /// Starts the clock. Must be called inside a runtime.
    pub(crate) fn start() -> Arc<Self> {
        let clock = Arc::new(Self {
            begun: Instant::now(),
            state: Mutex::default(),
            coming: Arc::default(),
        });
        let beating = Arc::downgrade(&clock);
        tokio::spawn(async move {
            let mut beat = tokio::time::interval(BEAT);
            beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            loop {
                beat.tick().await;
                match beating.upgrade() {
                    Some(clock) => clock.now(),
                    None => return,
                };
            }
        });
        clock
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time since the server began, without stalls. Whoever asks first after a
    /// stall finds it.
    pub(crate) fn now(&self) -> Duration {
        let mut state = self.state();
        // Asked inside, so that no later look comes before an earlier one.
        state.look(self.begun.elapsed())
    }

    /// When a moment of this clock comes, if nothing stalls before.
    pub(crate) fn instant(&self, at: Duration) -> Instant {
        let lost = self.state().lost;
        self.begun + at.saturating_add(lost).min(FAR)
    }

    /// A stamp for what was just read. The hall does not go past it while the line is
    /// on its way.
    pub(crate) fn stamp(&self) -> (Duration, Coming) {
        self.coming.fetch_add(1, Ordering::Acquire);
        let coming = Coming(Arc::clone(&self.coming));
        (self.now(), coming)
    }

    /// Whether lines have a stamp and are still on their way.
    pub(crate) fn are_coming(&self) -> bool {
        self.coming.load(Ordering::Acquire) > 0
    }
}

/// Later than any timer that is meant; an instant must not overflow.
const FAR: Duration = Duration::from_hours(24 * 366 * 100);

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_stall_takes_no_time() {
        let mut state = State::default();
        assert_eq!(state.look(ms(10)), ms(10));
        assert_eq!(state.look(ms(49)), ms(49), "timers are late");
        // Suspended for five seconds: one beat is left of it.
        assert_eq!(state.look(ms(5049)), ms(59));
        assert_eq!(state.look(ms(5059)), ms(69));
        assert_eq!(state.look(ms(5050)), ms(69), "never backwards");
        for n in 1..=500 {
            state.look(ms(5059 + 200 * n));
        }
        assert_eq!(state.look(ms(5059 + 100_000)), ms(69 + 5000));
    }

    #[tokio::test]
    async fn a_line_is_on_its_way_until_it_is_dropped() {
        let clock = ServerClock::start();
        assert!(!clock.are_coming());
        let (at, coming) = clock.stamp();
        assert!(clock.are_coming() && clock.now() >= at);
        drop(coming);
        assert!(!clock.are_coming());
    }
}
