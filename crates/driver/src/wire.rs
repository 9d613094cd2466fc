//! Bytes to and from an engine, with a deadline on every wait.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use tokio::io::ReadBuf;
use tokio::time::Sleep;

use super::link::{Death, Link};
use crate::machine::OwnWaits;

/// As much as a pipe holds on Linux: a flood is swallowed in few reads.
const CHUNK: usize = 1 << 16;

/// How much is read before others get their turn, in lines; so many bytes count
/// as a line even if there is no end of one. An engine that floods is served as
/// often as the others, not as long as it likes.
const TURN: usize = 256;
const LINE: usize = 256;

/// How long an engine that closed its output may take to end.
const DYING: Duration = Duration::from_millis(500);

/// Who said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// We did.
    Host,
    /// The engine did.
    Engine,
}

/// Hears every line of a conversation, for logs.
pub type Tape = Box<dyn FnMut(Speaker, &[u8]) + Send>;

/// Why no line came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// The deadline passed.
    Late,
    /// The engine closed its output.
    Closed,
}

/// Where the engine's side of the conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Output {
    Open,
    Closed,
    /// Closed, and the last line came without its end.
    BrokenOff,
}

/// An engine that is spoken to in lines.
pub struct Wire {
    /// The link that carries the lines.
    pub link: Box<dyn Link>,
    buffer: LineBuffer,
    chunk: Box<[u8]>,
    /// The line that was read last.
    pub line: Vec<u8>,
    /// When its last bytes arrived.
    pub arrived: Instant,
    /// What the link has not taken yet.
    unsent: Vec<u8>,
    /// What it has taken may still be held back there.
    unflushed: bool,
    /// The engine does not read any more.
    deaf: bool,
    output: Output,
    /// What was read since there was last nothing to read.
    turn: usize,
    timer: Pin<Box<Sleep>>,
    /// How late we are to read, while it is asked for.
    own_waits: Option<OwnWaits>,
    /// Listener to every line, if any.
    pub tape: Option<Tape>,
}

impl Wire {
    /// Wraps a link whose engine has not been spoken to yet.
    pub fn new(link: Box<dyn Link>, tape: Option<Tape>) -> Self {
        Self {
            link,
            buffer: LineBuffer::new(),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            line: Vec::new(),
            arrived: Instant::now(),
            unsent: Vec::new(),
            unflushed: false,
            deaf: false,
            output: Output::Open,
            turn: 0,
            timer: Box::pin(tokio::time::sleep(Duration::ZERO)),
            own_waits: None,
            tape,
        }
    }

    /// Has the runtime of the calling thread report what comes, and keep its deadlines.
    pub fn move_here(&mut self) {
        self.timer = Box::pin(tokio::time::sleep(Duration::ZERO));
        // If it stays with the other runtime a line only takes longer.
        let _ = self.link.move_here();
    }

    /// Sends whole lines. What the link does not take at once goes out while
    /// we listen, so that an engine that does not read cannot stop us.
    pub fn send(&mut self, lines: &[u8]) {
        if let Some(tape) = &mut self.tape {
            for line in lines.split_inclusive(|&b| b == b'\n') {
                tape(Speaker::Host, line.strip_suffix(b"\n").unwrap_or(line));
            }
        }
        if !self.deaf {
            self.unsent.extend_from_slice(lines);
            self.push(&mut Context::from_waker(Waker::noop()));
        }
    }

    /// Sends as much as the link takes now.
    fn push(&mut self, context: &mut Context<'_>) {
        if let Poll::Ready(Err(_)) = self.poll_push(context) {
            // The engine does not read any more. Whether it is dead shows when
            // it is listened to.
            self.deaf = true;
            self.unsent = Vec::new();
            self.unflushed = false;
        }
    }

    fn poll_push(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.unsent.is_empty() {
            let link = Pin::new(&mut *self.link);
            let count = ready!(link.poll_write(context, &self.unsent))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.unsent.drain(..count);
            self.unflushed = true;
        }
        if self.unflushed {
            ready!(Pin::new(&mut *self.link).poll_flush(context))?;
            self.unflushed = false;
        }
        Poll::Ready(Ok(()))
    }

    /// From now on it is looked at how late we are to read, or not any more.
    pub fn watch_own_waits(&mut self, watch: bool) {
        if watch != self.own_waits.is_some() {
            self.own_waits = watch.then(OwnWaits::start);
        }
    }

    /// How long we waited for a processor before the last bytes were read, if that was
    /// looked at.
    pub fn own_wait(&self) -> Duration {
        self.own_waits
            .as_ref()
            .map_or(Duration::ZERO, OwnWaits::last)
    }

    /// Whether the line that was read last has no end but that of everything.
    pub fn is_broken_off(&self) -> bool {
        self.output == Output::BrokenOff
    }

    /// How many bytes of lines that were too long are lost.
    pub fn cut(&self) -> u64 {
        self.buffer.dropped()
    }

    /// Waits for the next line and leaves it in `line`. The deadline is for the
    /// whole wait: bytes that come do not extend it.
    pub async fn read(&mut self, deadline: Option<Instant>) -> Result<(), Silence> {
        loop {
            if self.turn >= TURN {
                self.turn = 0;
                tokio::task::yield_now().await;
            }
            if let Some(line) = self.buffer.next_line() {
                self.line.clear();
                self.line.extend_from_slice(line);
                self.turn += 1;
                break;
            }
            if self.output != Output::Open {
                let rest = self.buffer.finish().ok_or(Silence::Closed)?;
                self.line.clear();
                self.line.extend_from_slice(rest);
                self.output = Output::BrokenOff;
                break;
            }
            self.fill(deadline).await?;
        }
        if let Some(tape) = &mut self.tape {
            tape(Speaker::Engine, &self.line);
        }
        Ok(())
    }

    async fn fill(&mut self, deadline: Option<Instant>) -> Result<(), Silence> {
        if let Some(deadline) = deadline {
            if Instant::now() >= deadline {
                return Err(Silence::Late);
            }
            self.timer.as_mut().reset(deadline.into());
        }
        poll_fn(|context| self.poll_fill(context, deadline.is_some())).await
    }

    fn poll_fill(&mut self, context: &mut Context<'_>, timed: bool) -> Poll<Result<(), Silence>> {
        // First what we have to say: an engine that talks without end must
        // still be told to stop.
        if !self.unsent.is_empty() || self.unflushed {
            self.push(context);
        }
        let mut room = ReadBuf::new(&mut self.chunk);
        let link = Pin::new(&mut *self.link);
        if let Poll::Ready(result) = link.poll_read(context, &mut room) {
            self.arrived = Instant::now();
            if let Some(waits) = &mut self.own_waits {
                waits.has_read();
            }
            let bytes = room.filled();
            // An error is as final as the end.
            if result.is_err() || bytes.is_empty() {
                self.output = Output::Closed;
            }
            self.turn += bytes.len() / LINE;
            self.buffer.feed(bytes);
            return Poll::Ready(Ok(()));
        }
        self.turn = 0;
        if timed && self.timer.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(Silence::Late));
        }
        Poll::Pending
    }

    /// The end of an engine whose output is closed.
    pub async fn death(&mut self) -> Death {
        let death = match self.link.ended(DYING).await {
            Some(death) => death,
            None => self.unexplained(),
        };
        self.link.kill();
        death
    }

    /// An end of which no more is known than that nothing comes any more.
    pub fn unexplained(&self) -> Death {
        Death {
            stderr: self.link.stderr().tail,
            ..Death::default()
        }
    }
}
