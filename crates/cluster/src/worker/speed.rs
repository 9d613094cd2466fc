//! The speed of a worker, measured again from time to time: what else a machine does
//! changes, and so do the clocks of processors.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Shop, WorkerEvent};
use crate::prove::measure_speed;

/// The first time: what runs while a machine starts is over.
const FIRST: Duration = Duration::from_mins(10);
/// How often after that.
const OFTEN: Duration = Duration::from_hours(1);
/// A difference in percent that is no more than two measurements of one machine have.
const SMALL: u64 = 3;

/// Returns how long it is until the next measurement; nothing if there is none. `file` is
/// what the worker's file says, in minutes.
fn pause(file: Option<u64>, times: u32) -> Option<Duration> {
    match (file, times) {
        (Some(0), _) => None,
        (Some(minutes), _) => Some(Duration::from_secs(minutes.saturating_mul(60))),
        (None, 0) => Some(FIRST),
        (None, _) => Some(OFTEN),
    }
}

/// Returns whether a new speed is another one.
const fn differs(before: u64, now: u64) -> bool {
    before.abs_diff(now) > before / 100 * SMALL
}

impl Shop {
    /// Measures from time to time, as long as it is wanted.
    pub(super) async fn keep_measuring(self: Arc<Self>) {
        if self.config.speed.is_some() {
            return;
        }
        for times in 0.. {
            let Some(pause) = pause(self.config.measure, times) else {
                return;
            };
            tokio::time::sleep(pause).await;
            self.measure_again().await;
        }
    }

    /// Measures when no game runs: new ones wait until it is done. A game keeps the speed
    /// that it began with.
    pub(crate) async fn measure_again(self: &Arc<Self>) {
        // Without a clock that counts it is of no use, and games would wait.
        if !self.plays_timed() {
            return;
        }
        let all = u32::try_from(self.capacity).unwrap_or(u32::MAX);
        // It is never closed.
        let Ok(permits) = Arc::clone(&self.permits).acquire_many_owned(all).await else {
            return;
        };
        let measured = measure_speed(&self.program, self.capacity).await;
        drop(permits);
        // One that fails is made again later.
        let Ok(now) = measured else {
            return;
        };
        let before = self.nps();
        if !differs(before, now) {
            return;
        }
        self.speed.store(now, Ordering::Relaxed);
        self.say(WorkerEvent::Speed { before, nps: now });
        for served in self.served() {
            Arc::clone(self).enrol(served.notice()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_measured_soon_and_then_every_hour_unless_the_file_says_otherwise() {
        assert_eq!(
            [0, 1, 2].map(|n| pause(None, n)),
            [Some(FIRST), Some(OFTEN), Some(OFTEN)]
        );
        assert_eq!(pause(Some(5), 3), Some(Duration::from_mins(5)));
        assert_eq!(pause(Some(0), 0), None);
        assert!(!differs(1000, 1029) && differs(1000, 1040) && differs(1000, 900));
    }
}
