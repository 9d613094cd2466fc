//! Deadlines that wait while this process is suspended.

use std::time::{Duration, Instant};

use super::heartbeat::LagMeter;

/// A moment by which something must have happened. Whoever suspends this process
/// (ctrl-Z, a signal) stops the waiting too: that time is added.
#[derive(Debug, Clone)]
pub struct Deadline {
    at: Instant,
    lag: LagMeter,
    /// How long we had been suspended when it was set.
    suspended: Duration,
}

impl Deadline {
    /// So long after a moment; `None` if that is beyond all time.
    pub fn after(from: Instant, patience: Duration, lag: &LagMeter) -> Option<Self> {
        Some(Self {
            at: from.checked_add(patience)?,
            suspended: lag.suspended(),
            lag: lag.clone(),
        })
    }

    /// When it is, as far as that is known now.
    pub fn instant(&self) -> Instant {
        let since = self.lag.suspended().saturating_sub(self.suspended);
        self.at + since
    }

    /// How long it is until then.
    pub fn left(&self) -> Duration {
        self.instant().saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn has_passed(&self) -> bool {
        Instant::now() >= self.instant()
    }
}
