//! What the machine took in an event.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Less than this is the everyday cost of being one of many programs.
const NOTABLE: Duration = Duration::from_millis(1);

/// What the machine took from engines, over all moves.
#[derive(Debug, Default)]
pub struct Toll {
    total: AtomicU64,
    worst: AtomicU64,
    moves: AtomicU64,
}

impl Toll {
    /// Adds the time that the machine took from one move.
    pub fn add(&self, taken: Duration) {
        if taken < NOTABLE {
            return;
        }
        let micros = u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
        self.total.fetch_add(micros, Ordering::Relaxed);
        self.worst.fetch_max(micros, Ordering::Relaxed);
        self.moves.fetch_add(1, Ordering::Relaxed);
    }

    /// In all.
    pub fn total(&self) -> Duration {
        Duration::from_micros(self.total.load(Ordering::Relaxed))
    }

    /// In one move.
    pub fn worst(&self) -> Duration {
        Duration::from_micros(self.worst.load(Ordering::Relaxed))
    }

    /// The moves from which a millisecond or more was taken.
    pub fn moves(&self) -> u64 {
        self.moves.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_change_is_not_counted() {
        let toll = Toll::default();
        for micros in [999, 1500, 2500] {
            toll.add(Duration::from_micros(micros));
        }
        assert_eq!((toll.moves(), toll.total().as_micros()), (2, 4000));
        assert_eq!(toll.worst().as_micros(), 2500);
    }
}
