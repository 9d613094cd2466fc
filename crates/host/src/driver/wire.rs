//! Bytes to and from an engine, with a deadline on every wait.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::process::{Death, Process};

/// As much as a pipe holds on Linux: a flood is swallowed in few reads.
const CHUNK: usize = 1 << 16;

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
pub(super) enum Silence {
    /// The deadline passed.
    Late,
    /// The engine closed its output.
    Closed,
}

/// A process that is spoken to in lines.
pub(super) struct Wire {
    pub(super) process: Process,
    buffer: LineBuffer,
    chunk: Box<[u8]>,
    /// The line that was read last.
    pub(super) line: Vec<u8>,
    /// When its last bytes arrived.
    pub(super) arrived: Instant,
    /// What the pipe has not taken yet.
    unsent: Vec<u8>,
    closed: bool,
    timer: Pin<Box<Sleep>>,
    pub(super) tape: Option<Tape>,
}

impl Wire {
    pub(super) fn new(process: Process, tape: Option<Tape>) -> Self {
        Self {
            process,
            buffer: LineBuffer::new(),
            chunk: vec![0; CHUNK].into_boxed_slice(),
            line: Vec::new(),
            arrived: Instant::now(),
            unsent: Vec::new(),
            closed: false,
            timer: Box::pin(tokio::time::sleep(Duration::ZERO)),
            tape,
        }
    }

    /// Sends whole lines. What the pipe does not take at once goes out while
    /// we listen, so that an engine that does not read cannot stop us.
    pub(super) fn send(&mut self, lines: &[u8]) {
        if let Some(tape) = &mut self.tape {
            for line in lines.split_inclusive(|&b| b == b'\n') {
                tape(Speaker::Host, line.strip_suffix(b"\n").unwrap_or(line));
            }
        }
        self.unsent.extend_from_slice(lines);
        if let Some(input) = &self.process.input {
            let sent = input.try_write(&self.unsent);
            self.sent(sent);
        }
    }

    fn sent(&mut self, result: io::Result<usize>) {
        match result {
            Ok(count) => {
                self.unsent.drain(..count);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            // The engine does not read any more. Whether it is dead shows at
            // the other pipe.
            Err(_) => {
                self.process.input = None;
                self.unsent.clear();
            }
        }
    }

    /// How many bytes of lines that were too long are lost.
    pub(super) fn cut(&self) -> u64 {
        self.buffer.dropped()
    }

    /// Waits for the next line and leaves it in `line`. The deadline is for the
    /// whole wait: bytes that come do not extend it.
    pub(super) async fn read(&mut self, deadline: Option<Instant>) -> Result<(), Silence> {
        loop {
            if let Some(line) = self.buffer.next_line() {
                self.line.clear();
                self.line.extend_from_slice(line);
                break;
            }
            if self.closed {
                let rest = self.buffer.finish().ok_or(Silence::Closed)?;
                self.line.clear();
                self.line.extend_from_slice(rest);
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
        let mut room = ReadBuf::new(&mut self.chunk);
        let output = Pin::new(&mut self.process.output);
        if let Poll::Ready(result) = output.poll_read(context, &mut room) {
            self.arrived = Instant::now();
            let bytes = room.filled();
            // An error is as final as the end.
            self.closed = result.is_err() || bytes.is_empty();
            self.buffer.feed(bytes);
            return Poll::Ready(Ok(()));
        }
        while !self.unsent.is_empty()
            && let Some(input) = &mut self.process.input
        {
            match pin!(input).poll_write(context, &self.unsent) {
                Poll::Ready(result) => self.sent(result),
                Poll::Pending => break,
            }
        }
        if timed && self.timer.as_mut().poll(context).is_ready() {
            return Poll::Ready(Err(Silence::Late));
        }
        Poll::Pending
    }

    /// The end of an engine whose output is closed.
    pub(super) async fn death(&mut self) -> Death {
        let status = self.process.ended(DYING).await;
        let death = Death::new(status, self.process.stderr());
        self.process.kill();
        death
    }
}
