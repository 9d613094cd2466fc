//! What one may say to a running search: stop, and that the opponent played the
//! expected move. The clock it goes by is here too.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::Limits;
use crate::time_source::{Moment, SystemClock, TimeSource};

/// Steers a running search from another thread. Clones steer the same search.
#[derive(Debug, Clone)]
pub struct Control(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    time: Arc<dyn TimeSource>,
    stop: AtomicBool,
    pondering: AtomicBool,
    hit_at: Mutex<Option<Moment>>,
    /// Notified, with the lock held, whenever one of the above changes.
    changed: Condvar,
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}

impl Control {
    /// A control for a search that has not begun, by the clock of the system.
    pub fn new() -> Self {
        Self::timed_by(Arc::new(SystemClock))
    }

    /// A control for a search that has not begun, by this clock.
    pub fn timed_by(time: Arc<dyn TimeSource>) -> Self {
        Self(Arc::new(Shared {
            time,
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(false),
            hit_at: Mutex::new(None),
            changed: Condvar::new(),
        }))
    }

    /// The present moment by the clock of this search.
    pub fn now(&self) -> Moment {
        self.0.time.now()
    }

    /// Ends the search as soon as possible; it still gives its answer.
    pub fn stop(&self) {
        let _held = self.hit();
        self.0.stop.store(true, Ordering::Release);
        self.0.changed.notify_all();
    }

    /// The opponent played the expected move: go on with the limits that were
    /// given, time already used counted. Does nothing when not pondering.
    pub fn ponder_hit(&self) {
        self.ponder_hit_at(self.now());
    }

    /// The same, when the news came at this moment.
    pub fn ponder_hit_at(&self, moment: Moment) {
        let mut hit = self.hit();
        if self.is_pondering() {
            *hit = Some(moment);
            self.0.pondering.store(false, Ordering::Release);
            self.0.changed.notify_all();
        }
    }

    /// Whether [`stop`](Self::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.0.stop.load(Ordering::Relaxed)
    }

    /// Whether the search thinks on the opponent's time right now.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.0.pondering.load(Ordering::Relaxed)
    }

    /// When the ponder hit came, if it did.
    pub fn hit_at(&self) -> Option<Moment> {
        *self.hit()
    }

    /// Declares that the search to come begins on the opponent's time. To be
    /// called before the search thread exists, so that a ponder hit can never
    /// come too early.
    pub fn begin_pondering(&self) {
        self.0.pondering.store(true, Ordering::Release);
    }

    /// Whether an answer that is ready has to wait for `stop` or the ponder hit.
    pub fn holds_answer<M>(&self, limits: &Limits<M>) -> bool {
        let held = limits.infinite || limits.ponder && self.is_pondering();
        held && !self.is_stopped()
    }

    /// Waits until an answer that is ready may be given.
    pub fn wait_for_release<M>(&self, limits: &Limits<M>) {
        let mut held = self.hit();
        while self.holds_answer(limits) {
            held = self
                .0
                .changed
                .wait(held)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A panic while this lock is held cannot leave it half written.
    fn hit(&self) -> MutexGuard<'_, Option<Moment>> {
        self.0.hit_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
