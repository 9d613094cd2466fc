//! The thread that writes.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::fault::Fault;
use crate::files::{FileId, file_id};
use crate::format::end_log;
use crate::retry::Unwritten;

/// Something to be written.
pub trait Message: Send + 'static {
    /// Writes it, in a transaction that others share. It is called again where that
    /// transaction had to be taken back and [`OnFault::Continue`] asks for it.
    fn write(&mut self, transaction: &Connection) -> rusqlite::Result<()>;

    /// Returns `true` if somebody waits for it to be written. Then it does not wait for
    /// others to share a transaction with, and is not tried again after a fault.
    fn is_awaited(&self) -> bool;

    /// Hands out the receipt: it is in the file, or it will never be.
    ///
    /// With [`OnFault::Stop`] it is called for what was committed only; all other messages
    /// are dropped, after [`Writer::failure`] has the reason.
    fn finish(self, written: Result<(), &Fault>);
}

/// The answer to a fault.
///
/// Both kinds keep the promise of a receipt: nobody is told that something is in the file
/// that is not. They differ in who is there to make room and begin again.
#[derive(Debug, Clone, Copy)]
pub enum OnFault {
    /// Stops at the first fault. For a run that reports results to others and can be
    /// resumed from its file: to go on would be to play what can never be told.
    Stop,
    /// Goes on. A message that somebody waits for fails; what a passing fault (a full disk,
    /// a lock, a lost name) kept from being written is tried again, in order. For a service
    /// whose only other copy is in memory: to stop would be to lose what is there.
    Continue {
        /// The time between two attempts.
        retry: Duration,
        /// The most messages that wait for another attempt: of more the oldest is given up.
        capacity: usize,
    },
}

/// News from the thread that writes.
#[derive(Debug)]
pub enum Notice<'a> {
    /// The end of writing; [`Writer::failure`] has the same reason.
    Stopped(&'a Fault),
    /// Messages wait for another attempt.
    Waiting(&'a Fault),
    /// All messages that waited for another attempt are written.
    Written,
    /// A message that nobody waits for can never be written, and is given up.
    Refused(&'a Fault),
}

/// Work to be done from time to time on the writing connection, such as a look for
/// commands that other processes left in the file.
pub struct Poll {
    /// The time between two calls.
    pub interval: Duration,
    /// The work.
    pub run: Box<PollFn>,
}

/// The work of a [`Poll`].
pub type PollFn = dyn FnMut(&Connection) -> rusqlite::Result<()> + Send;

/// The listener of a [`Writer`].
pub type NoticeFn = dyn FnMut(Notice<'_>) + Send;

/// The settings of a [`Writer`].
pub struct WriterOptions {
    /// The name of the thread.
    pub name: &'static str,
    /// The most messages in one transaction: one that is awaited waits for at most so many.
    pub batch: usize,
    /// The time that a message which nobody awaits may wait for others to share its
    /// transaction.
    pub linger: Duration,
    /// The answer to a fault.
    pub on_fault: OnFault,
    /// Work to be done from time to time.
    pub poll: Option<Poll>,
    /// Called on the thread that writes.
    pub notify: Box<NoticeFn>,
}

/// A thread that owns the writing connection of a file. Dropping it writes what remains.
pub struct Writer<M> {
    /// `None` once it is closed.
    sender: Option<Sender<M>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<OnceLock<Fault>>,
}

impl<M> fmt::Debug for Writer<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<M: Message> Writer<M> {
    /// Starts the thread for the file at `path`, which `connection` has open.
    pub fn start(path: &Path, connection: Connection, options: WriterOptions) -> io::Result<Self> {
        let (sender, receiver) = channel();
        let failure = Arc::new(OnceLock::new());
        let cell = Arc::clone(&failure);
        let builder = thread::Builder::new().name(options.name.into());
        let mut work = WriterThread {
            connection,
            path: path.into(),
            id: file_id(path),
            last_poll: Instant::now(),
            batch: VecDeque::new(),
            unwritten: Unwritten::default(),
            options,
        };
        let run = move || {
            let run = || work.run(&receiver).and_then(|()| work.end());
            // Nobody may wait for a thread that has panicked without a reason.
            let ended = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err(Fault::panic()));
            if let Err(fault) = ended {
                // The first reason is the true one.
                let fault = cell.get_or_init(|| fault);
                (work.options.notify)(Notice::Stopped(fault));
            }
            // Only now are the messages dropped that were not written, and those who wait
            // for them find the reason.
            drop(receiver);
        };
        Ok(Self {
            sender: Some(sender),
            thread: Some(builder.spawn(run)?),
            failure,
        })
    }

    /// Sends something to be written.
    pub fn send(&self, message: M) {
        let wakes = message.is_awaited();
        if let Some(sender) = &self.sender {
            // A thread that has stopped has left its reason.
            let _ = sender.send(message);
        }
        if wakes {
            self.wake();
        }
    }
}

impl<M> Writer<M> {
    /// Returns the reason why nothing is written any more.
    pub fn failure(&self) -> Option<&Fault> {
        self.failure.get()
    }

    /// Writes what remains and ends the thread.
    pub fn close(&mut self) {
        self.sender = None;
        self.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Ends the time in which messages wait for others.
    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl<M> Drop for Writer<M> {
    fn drop(&mut self) {
        self.close();
    }
}

struct WriterThread<M> {
    connection: Connection,
    path: PathBuf,
    /// The file that was opened.
    id: Option<FileId>,
    options: WriterOptions,
    last_poll: Instant,
    /// The messages of the transaction. They outlive it, so that nobody learns that one
    /// is dropped before the reason is known.
    batch: VecDeque<M>,
    /// The messages that wait for another attempt.
    unwritten: Unwritten<M>,
}

impl<M: Message> WriterThread<M> {
    fn run(&mut self, receiver: &Receiver<M>) -> Result<(), Fault> {
        loop {
            match self.receive(receiver) {
                Ok(first) => {
                    if !first.is_awaited() && !self.options.linger.is_zero() {
                        // Woken early by a message that is awaited.
                        thread::park_timeout(self.options.linger);
                    }
                    let rest = receiver
                        .try_iter()
                        .take(self.options.batch.saturating_sub(1));
                    self.batch = std::iter::once(first).chain(rest).collect();
                    self.write_batch()?;
                }
                Err(RecvTimeoutError::Timeout) if self.unwritten.is_empty() => {}
                Err(RecvTimeoutError::Timeout) => self.write_batch()?,
                Err(RecvTimeoutError::Disconnected) if self.unwritten.is_empty() => return Ok(()),
                // The last attempt.
                Err(RecvTimeoutError::Disconnected) => return self.write_batch(),
            }
            self.poll()?;
        }
    }

    /// Waits for a message, the next poll, or the next attempt.
    fn receive(&self, receiver: &Receiver<M>) -> Result<M, RecvTimeoutError> {
        let poll = self.options.poll.as_ref().map(|poll| poll.interval);
        let retry = match self.options.on_fault {
            OnFault::Continue { retry, .. } if !self.unwritten.is_empty() => Some(retry),
            _ => None,
        };
        match [poll, retry].into_iter().flatten().min() {
            Some(time) => receiver.recv_timeout(time),
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn write_batch(&mut self) -> Result<(), Fault> {
        match self.options.on_fault {
            OnFault::Stop => self.write_or_stop(),
            OnFault::Continue { capacity, .. } => {
                let batch = std::mem::take(&mut self.batch);
                let place = match self.check_name() {
                    Ok(()) => Ok((&self.path, &self.connection)),
                    Err(fault) => Err(fault),
                };
                let notify = &mut self.options.notify;
                self.unwritten.write(place, batch, capacity, notify);
                Ok(())
            }
        }
    }

    /// Writes the batch in one transaction, and hands out its receipts.
    fn write_or_stop(&mut self) -> Result<(), Fault> {
        let batch = &mut self.batch;
        let mut write = |connection: &mut Connection| {
            let transaction = connection.transaction()?;
            for message in batch.iter_mut() {
                message.write(&transaction)?;
            }
            transaction.commit()
        };
        let written = write(&mut self.connection);
        written.map_err(|error| Fault::of_writing(&self.path, &self.connection, &error))?;
        if self.batch.iter().any(Message::is_awaited) {
            self.check_name()?;
        }
        for message in self.batch.drain(..) {
            message.finish(Ok(()));
        }
        Ok(())
    }

    /// Refuses a file that has lost its name: `SQLite` goes on with it, and all of it
    /// would be lost at the end.
    fn check_name(&self) -> Result<(), Fault> {
        if file_id(&self.path) == self.id {
            return Ok(());
        }
        Err(Fault::renamed())
    }

    /// Does what is to be done from time to time, and checks the name.
    fn poll(&mut self) -> Result<(), Fault> {
        let Some(poll) = &mut self.options.poll else {
            return Ok(());
        };
        if self.last_poll.elapsed() < poll.interval {
            return Ok(());
        }
        self.last_poll = Instant::now();
        let checked = self.check_name();
        let done = checked.and_then(|()| self.run_poll());
        match self.options.on_fault {
            OnFault::Stop => done,
            // It comes again.
            OnFault::Continue { .. } => Ok(()),
        }
    }

    fn run_poll(&mut self) -> Result<(), Fault> {
        let Some(poll) = &mut self.options.poll else {
            return Ok(());
        };
        let done = (poll.run)(&self.connection);
        done.map_err(|error| Fault::of_writing(&self.path, &self.connection, &error))
    }

    /// Makes one file of it again.
    fn end(&mut self) -> Result<(), Fault> {
        let ended = end_log(&self.connection);
        ended.map_err(|error| Fault::of_writing(&self.path, &self.connection, &error))
    }
}
