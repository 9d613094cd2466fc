//! Writing that goes on after a fault.
//!
//! Each message has a savepoint of its own in the transaction, so that one which fails
//! leaves no trace and the others are written. What a passing fault kept from being written,
//! and nobody waits for, is put aside and tried again before anything newer is written.

use std::collections::VecDeque;
use std::path::PathBuf;

use rusqlite::{Connection, ffi};

use crate::fault::{Fault, may_pass};
use crate::writer::{Message, Notice, NoticeFn};

/// The messages that wait for another attempt, the oldest first.
pub(crate) struct Unwritten<M>(VecDeque<M>);

impl<M> Default for Unwritten<M> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

/// A file that is written, or the reason why it must not be.
type Target<'a> = Result<(&'a PathBuf, &'a Connection), Fault>;

impl<M: Message> Unwritten<M> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes what waits, then what is new.
    pub(crate) fn write(
        &mut self,
        target: Target<'_>,
        mut new: VecDeque<M>,
        capacity: usize,
        notify: &mut NoticeFn,
    ) {
        let waited = !self.is_empty();
        let written = match target {
            Ok((path, connection)) => {
                let mut attempt = Attempt {
                    path,
                    connection,
                    aside: &mut self.0,
                    notify,
                };
                let written = attempt.write_again();
                written.and(attempt.write_new(&mut new))
            }
            Err(fault) => {
                for message in new {
                    refuse_or_keep(message, &fault, &mut self.0);
                }
                Err(fault)
            }
        };
        match written {
            // Those who wait for a message know it already.
            Err(fault) if !waited && !self.is_empty() => notify(Notice::Waiting(&fault)),
            _ if waited && self.is_empty() => notify(Notice::Written),
            _ => {}
        }
        let excess = self.0.len().saturating_sub(capacity);
        self.0.drain(..excess);
    }
}

/// Answers a message that somebody waits for, and keeps any other for later.
fn refuse_or_keep<M: Message>(message: M, fault: &Fault, aside: &mut VecDeque<M>) {
    if message.is_awaited() {
        message.finish(Err(fault));
    } else {
        aside.push_back(message);
    }
}

struct Attempt<'a, M> {
    path: &'a PathBuf,
    connection: &'a Connection,
    aside: &'a mut VecDeque<M>,
    notify: &'a mut NoticeFn,
}

impl<M: Message> Attempt<'_, M> {
    /// Tries once more to write what could not be written.
    fn write_again(&mut self) -> Result<(), Fault> {
        let mut messages = std::mem::take(self.aside);
        if messages.is_empty() {
            return Ok(());
        }
        let written = self.write_together(&mut messages);
        // What comes after the first that failed keeps its place behind it.
        self.aside.extend(messages);
        written
    }

    /// Writes new messages, if need be in more than one transaction.
    fn write_new(&mut self, new: &mut VecDeque<M>) -> Result<(), Fault> {
        let mut written = Ok(());
        while !new.is_empty() {
            if !self.aside.is_empty() {
                // Newer values must not be overwritten by older ones later.
                let all = std::mem::take(new).into_iter();
                let kept: VecDeque<M>;
                (*new, kept) = all.partition(Message::is_awaited);
                self.aside.extend(kept);
            }
            written = written.and(self.write_together(new));
        }
        written
    }

    /// Writes messages in one transaction, or as many as come before the disk is full.
    /// Each is whole or not there at all; of those that could not be written the ones
    /// that nobody waits for are put aside.
    fn write_together(&mut self, messages: &mut VecDeque<M>) -> Result<(), Fault> {
        if let Err(fault) = self.execute("BEGIN IMMEDIATE") {
            // Without a transaction a savepoint would be one, and its end a commit.
            for message in messages.drain(..) {
                refuse_or_keep(message, &fault, self.aside);
            }
            return Err(fault);
        }
        let mut written = Ok(());
        let mut done = Vec::new();
        while let Some(mut message) = messages.pop_front() {
            let is_marked = self.execute("SAVEPOINT message").is_ok();
            let result = message.write(self.connection);
            if is_marked && self.is_open() {
                let back = if result.is_ok() {
                    ""
                } else {
                    "ROLLBACK TO message;"
                };
                let released = self.execute(&format!("{back} RELEASE message"));
                written = written.and(released);
            }
            match result {
                Ok(()) => done.push(message),
                Err(error) => written = written.and(self.sort_out(message, &error, &mut done)),
            }
            // A full disk makes SQLite take back everything by itself.
            if !self.is_open() {
                written = written.and(Err(self.fault(&taken_back())));
                break;
            }
        }
        written = self.end(written);
        for message in done {
            match &written {
                Ok(()) => message.finish(Ok(())),
                Err(fault) => refuse_or_keep(message, fault, self.aside),
            }
        }
        written
    }

    /// Answers a message that failed alone. A fault of the machine is one of all others too.
    fn sort_out(
        &mut self,
        message: M,
        error: &rusqlite::Error,
        done: &mut Vec<M>,
    ) -> Result<(), Fault> {
        let fault = self.fault(error);
        if message.is_awaited() {
            message.finish(Err(&fault));
        } else if may_pass(error) {
            done.push(message);
            return Err(fault);
        } else {
            // It would fail for ever, and hold up the others.
            (self.notify)(Notice::Refused(&fault));
            message.finish(Err(&fault));
        }
        Ok(())
    }

    /// Ends the transaction. What could not be written must not stand in the way of what
    /// comes.
    fn end(&self, mut written: Result<(), Fault>) -> Result<(), Fault> {
        if self.is_open() {
            let end = if written.is_ok() {
                "COMMIT"
            } else {
                "ROLLBACK"
            };
            written = written.and(self.execute(end));
        }
        if self.is_open() {
            let _ = self.execute("ROLLBACK");
        }
        written
    }

    fn is_open(&self) -> bool {
        !self.connection.is_autocommit()
    }

    fn execute(&self, statements: &str) -> Result<(), Fault> {
        let executed = self.connection.execute_batch(statements);
        executed.map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &rusqlite::Error) -> Fault {
        Fault::of_writing(self.path, self.connection, error)
    }
}

fn taken_back() -> rusqlite::Error {
    let words = "nothing could be written; is the disk full?";
    rusqlite::Error::SqliteFailure(
        ffi::Error::new(ffi::SQLITE_ABORT_ROLLBACK),
        Some(words.into()),
    )
}
