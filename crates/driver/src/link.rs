//! What carries bytes to and from an engine, whatever the engine is.

use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quadrille_games::Game;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::spec::EngineSpec;

/// Bytes to and from an engine: a local process, a connection, a thread of our
/// own. Everything above knows only this.
///
/// Reading gives what the engine says, and its end when the engine has closed
/// its side; writing reaches the engine. Both must return at once when there is
/// nothing to read or no room to write: all waiting is done by the caller. What
/// is asked beyond bytes has an answer only where there is something to ask: a
/// process has an exit code and a standard error, a connection has neither.
///
/// Dropping a link ends the engine as far as it can: a process tree is killed, a
/// connection closed.
pub trait Link: AsyncRead + AsyncWrite + Unpin + Send {
    /// Whether the engine is known to be gone. Its last words may still wait to
    /// be read.
    fn has_ended(&mut self) -> bool;

    /// Waits for the engine to end by itself, but not longer than this; `None`
    /// if it has not.
    fn ended(&mut self, patience: Duration) -> Ended<'_>;

    /// The engine will be asked to end by itself: the last chance to see what it
    /// has started, for a link that must leave nothing behind.
    fn about_to_quit(&mut self) {}

    /// Has its reads and writes reported by the runtime of the calling thread from now on.
    /// They work without that, by way of the runtime that opened it.
    fn move_here(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Ends the engine: kills its process tree, or closes the connection.
    fn kill(&mut self);

    /// The number of its process, where it is one on this machine. Only such an
    /// engine can be asked how long it waited for a processor.
    fn process_id(&self) -> Option<u32> {
        None
    }

    /// What it wrote to standard error, where it has one.
    fn stderr(&self) -> Stderr {
        Stderr::default()
    }
}

/// The end of an engine, once it is there.
pub type Ended<'a> = Pin<Box<dyn Future<Output = Option<Death>> + Send + 'a>>;

/// What an engine wrote to standard error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stderr {
    /// The last lines.
    pub tail: Vec<String>,
    /// How many lines there were.
    pub lines: u64,
}

/// Opens the engines that a caller has itself, such as one on a thread of this
/// program ([`Memory`](super::Memory)). Asked before a description is taken for
/// a program to start or an address to connect to.
#[derive(Clone)]
pub struct Opener(Arc<Open>);

type Open = dyn Fn(&EngineSpec, Game) -> Option<io::Result<Box<dyn Link>>> + Send + Sync;

impl Opener {
    /// `open` gives a link to the engine of a description, or `None` if that is
    /// not one of its own. It must not wait: a link that takes time to come up
    /// does so when it is read from.
    pub fn new(
        open: impl Fn(&EngineSpec, Game) -> Option<io::Result<Box<dyn Link>>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(open))
    }

    /// The link to an engine, or `None` if the description names no engine of this opener.
    pub fn open(&self, spec: &EngineSpec, game: Game) -> Option<io::Result<Box<dyn Link>>> {
        (self.0)(spec, game)
    }
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opener")
    }
}

/// The end of an engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Death {
    /// The exit code, if it was a process and ended by itself.
    pub code: Option<i32>,
    /// The signal that ended its process.
    pub signal: Option<i32>,
    /// What went wrong with a connection or a thread, in words.
    pub reason: Option<String>,
    /// The last lines it wrote to standard error.
    pub stderr: Vec<String>,
}

impl Death {
    /// Whether nothing speaks against it as an answer to `quit`.
    pub const fn is_clean(&self) -> bool {
        matches!(self.code, None | Some(0)) && self.signal.is_none() && self.reason.is_none()
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal, &self.reason) {
            (Some(code), ..) => write!(f, "it ended with exit code {code}")?,
            (_, Some(signal), _) => write!(f, "it was ended by signal {signal}")?,
            (.., Some(reason)) => f.write_str(reason)?,
            (None, None, None) => f.write_str("it closed its output")?,
        }
        match self.stderr.last() {
            Some(line) => write!(f, "; its last words: {line}"),
            None => Ok(()),
        }
    }
}

/// How an engine left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Farewell {
    /// Its end.
    pub death: Death,
    /// Whether it had to be killed.
    pub killed: bool,
}
