//! Threads that run games, each with a runtime for itself.
//!
//! A line of an engine is read, judged and answered on the thread that waits for it.
//! A runtime of several threads would hand it from one to another first, and while two
//! engines think on two processors each of these steps waits for one.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use quadrille_driver::machine::{processors, wake_promptly};

/// The fewest threads that may be started, on however small a machine: games with
/// engines on other machines take no processor of ours.
const MOST: usize = 8;
/// How long files that take standard error are waited for.
const LAST_WRITES: Duration = Duration::from_secs(1);

/// The threads for the games of an event, started when they are first needed.
#[derive(Debug, Default)]
pub(super) struct GameThreads(Mutex<Vec<GameThread>>);

#[derive(Debug)]
struct GameThread {
    handle: Handle,
    /// Dropped before the thread is joined: that ends it.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl GameThreads {
    /// Returns the number of the thread for a place in the list of running games.
    pub(super) fn number(place: usize) -> usize {
        place % processors().max(MOST)
    }

    /// Returns the runtime of the thread for a place, and starts it if necessary.
    pub(super) fn runtime(&self, place: usize) -> io::Result<Handle> {
        let number = Self::number(place);
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while threads.len() <= number {
            let thread = GameThread::start(threads.len())?;
            threads.push(thread);
        }
        Ok(threads[number].handle.clone())
    }
}

impl GameThread {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::Builder::new()
            .name(format!("games-{number}"))
            .spawn(move || {
                wake_promptly();
                // Its sender is never used, only dropped.
                let _ = runtime.block_on(stopped);
                // What engines wrote to standard error is on its way to a file, which
                // may be a pipe that nobody reads.
                runtime.shutdown_timeout(LAST_WRITES);
            })?;
        Ok(Self {
            handle,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl Drop for GameThread {
    fn drop(&mut self) {
        self.stop = None;
        // The last owner may be a task of this very thread.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            // A panic in it has been reported with its game.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_a_thread_and_keeps_it() {
        let threads = GameThreads::default();
        let name = |place: usize| {
            let runtime = threads.runtime(place).unwrap();
            let (sender, receiver) = std::sync::mpsc::channel();
            runtime.spawn(async move { sender.send(thread::current().id()) });
            receiver.recv().unwrap()
        };
        let (first, second) = (name(0), name(1));
        assert_ne!(first, second);
        assert_eq!(first, name(0));
        assert_eq!(first, name(processors().max(MOST)), "there is a limit");
    }

    #[test]
    fn the_last_owner_may_be_one_of_its_own_tasks() {
        let threads = std::sync::Arc::new(GameThreads::default());
        let runtime = threads.runtime(0).unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        let (begin, began) = oneshot::channel::<()>();
        let own = std::sync::Arc::clone(&threads);
        runtime.spawn(async move {
            let _ = began.await;
            drop(own);
            let _ = sender.send(());
        });
        drop(threads);
        begin.send(()).unwrap();
        receiver.recv().unwrap();
    }
}
