//! Long work on a thread for such work.
//!
//! Games are read in one piece, and a game may have a million moves. Where that is
//! done on the thread on which everything else waits for its turn, no wish to end
//! is heard meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;
use tokio::task::{JoinError, spawn_blocking};

/// Says that the work is to end: the work asks again and again.
pub(super) type Stopped<'a> = &'a mut dyn FnMut() -> bool;

/// Tells the work when it is not waited for any more.
struct Leave(Arc<AtomicBool>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does `work` elsewhere. It is told to stop when `cancel` says so, and when the
/// future is dropped.
pub(super) async fn apart<T: Send + 'static>(
    cancel: watch::Receiver<bool>,
    work: impl FnOnce(Stopped<'_>) -> T + Send + 'static,
) -> Result<T, JoinError> {
    let left = Arc::new(AtomicBool::new(false));
    let _leave = Leave(Arc::clone(&left));
    let mut stopped = move || left.load(Ordering::Relaxed) || *cancel.borrow();
    spawn_blocking(move || work(&mut stopped)).await
}
