//! Work that takes long: what a session hands out instead of doing it at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How far a piece of work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// There is more to do.
    Working,
    /// There is nothing to do before the host says another word (`stop` or
    /// `ponderhit`).
    Waiting,
    /// It is done.
    Done,
}

/// What there is to do.
pub(crate) trait Work: Send {
    /// Works for about this long, or to the end. May take longer than it was
    /// given where it cannot be interrupted.
    fn step(&mut self, slice: Option<Duration>) -> Step;

    /// Sleeps until [`Step::Waiting`] is over. Only called on a thread of the
    /// work's own.
    fn wait(&self);

    /// The work cannot be done, or died: says so, and answers what is owed.
    fn give_up(&mut self, why: &str);
}

/// Set before work says its last word. A host may answer that word sooner than
/// the session hears that the task has ended; what it says then is not said in the
/// middle of the work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ending(Arc<AtomicBool>);

impl Ending {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Which of a session's two places a task fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The search that answers `go`.
    Search,
    /// What people ask for beside it: `perft`, `bench`.
    Aside,
}

/// A piece of work, to be run on a thread of its own. Its reports appear in the
/// session's [`Outbox`](crate::Outbox); when it has ended the session wants to
/// know ([`Session::take_back`](crate::Session::take_back)).
pub struct Task {
    work: Box<dyn Work>,
    place: Place,
}

/// A task that has ended.
#[derive(Debug)]
#[must_use = "the session waits for it"]
pub struct Finished(pub(crate) Place);

impl Task {
    pub(crate) fn new(place: Place, work: impl Work + 'static) -> Self {
        Self {
            work: Box::new(work),
            place,
        }
    }

    /// Runs to the end. The stack of this thread should have
    /// [`STACK`](crate::STACK) bytes.
    pub fn run(mut self) -> Finished {
        loop {
            match self.step(None) {
                Step::Working => {}
                Step::Waiting => self.work.wait(),
                Step::Done => return Finished(self.place),
            }
        }
    }

    /// Does nothing but answer what the host is owed: there is no thread to run
    /// on.
    pub fn refuse(mut self, why: &str) -> Finished {
        self.work.give_up(why);
        Finished(self.place)
    }

    /// Works for a slice. Work that dies must not take the host's answer with
    /// it.
    pub(crate) fn step(&mut self, slice: Option<Duration>) -> Step {
        let work = AssertUnwindSafe(|| self.work.step(slice));
        catch_unwind(work).unwrap_or_else(|_| {
            self.work.give_up("the search failed; this is a bug");
            Step::Done
        })
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }
}
