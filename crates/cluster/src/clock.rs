//! The clock by which a director judges the silence of workers.

use std::time::{Duration, Instant};

/// A clock that does not run while the process does not.
///
/// A director that was suspended, or had no processor for long, has read nothing
/// meanwhile: what workers sent still waits, and its own silence must not count as
/// theirs. So the clock goes on only when it is told to, and each time by no more than it
/// should have been.
#[derive(Debug)]
pub(crate) struct Clock {
    now: Instant,
    /// The time at which it was last moved on.
    read: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        let now = Instant::now();
        Self { now, read: now }
    }
}

impl Clock {
    pub(crate) const fn now(&self) -> Instant {
        self.now
    }

    /// Returns how long ago a time of this clock was.
    pub(crate) fn since(&self, time: Instant) -> Duration {
        self.now.saturating_duration_since(time)
    }

    /// Moves it on to a real time, but by no more than `most`.
    pub(crate) fn tick(&mut self, real: Instant, most: Duration) {
        let passed = real.saturating_duration_since(self.read);
        self.now += passed.min(most);
        self.read = real;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_counts_as_one_tick() {
        let mut clock = Clock::default();
        let (begun, second) = (clock.now(), Duration::from_secs(1));
        clock.tick(begun + second, second * 2);
        assert_eq!(clock.since(begun), second);
        clock.tick(begun + second * 1000, second * 2);
        assert_eq!(clock.since(begun), second * 3);
        clock.tick(begun + second * 1001, second * 2);
        assert_eq!(clock.since(begun), second * 4);
    }
}
