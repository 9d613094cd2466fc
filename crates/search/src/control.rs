//! The three words one may say to a running search.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Steers a running search from another thread. Clones steer the same search.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    pondering: AtomicBool,
    hit_at: Mutex<Option<Instant>>,
}

impl Control {
    /// A control for a search that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the search as soon as possible; it still gives its answer.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
    }

    /// The opponent played the expected move: go on with the limits that were
    /// given, time already used counted. Does nothing when not pondering.
    pub fn ponder_hit(&self) {
        if self.is_pondering() {
            *self.hit() = Some(Instant::now());
            self.0.pondering.store(false, Ordering::Release);
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
    pub fn hit_at(&self) -> Option<Instant> {
        *self.hit()
    }

    /// Declares that the search to come begins on the opponent's time. Called
    /// by whoever starts the search, before the search thread exists, so that a
    /// ponder hit can never come too early.
    pub fn begin_pondering(&self) {
        self.0.pondering.store(true, Ordering::Release);
    }

    /// A panic while this lock is held cannot leave it half written.
    fn hit(&self) -> MutexGuard<'_, Option<Instant>> {
        self.0.hit_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
