//! An engine's process: its pipes, its standard error, its end.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};
use tokio::net::unix::pipe;
use tokio::task::JoinHandle;

use super::caretaker::{self, Orphan};
use super::link::{Death, Ended, Link, Stderr};
use super::system;
use crate::spec::EngineSpec;

/// How much of standard error is kept: the last lines, none of them longer
/// than a screen is wide a few times.
const TAIL_LINES: usize = 50;
const TAIL_WIDTH: usize = 500;

/// How long to wait for the rest of standard error when an engine has died.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A running process with pipes. Dropping it kills the whole tree.
#[derive(Debug)]
pub(super) struct Process {
    child: Option<Child>,
    id: u32,
    /// Closed when it was killed.
    input: Option<pipe::Sender>,
    output: pipe::Receiver,
    tail: Arc<Mutex<Tail>>,
    stderr: JoinHandle<()>,
}

impl Process {
    pub(super) async fn start(spec: &EngineSpec) -> io::Result<Self> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.args)
            .envs(spec.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        system::prepare(&mut command, spec.nice, &spec.affinity);
        Self::adopt(caretaker::start(command).await?)
    }

    fn adopt(mut orphan: Orphan) -> io::Result<Self> {
        let missing = || io::Error::other("a pipe to the engine is missing");
        let child = orphan.0.as_mut().ok_or_else(missing)?;
        let id = child.id();
        let input = OwnedFd::from(child.stdin.take().ok_or_else(missing)?);
        let output = OwnedFd::from(child.stdout.take().ok_or_else(missing)?);
        let errors = OwnedFd::from(child.stderr.take().ok_or_else(missing)?);
        let input = pipe::Sender::from_owned_fd(input)?;
        let output = pipe::Receiver::from_owned_fd(output)?;
        let errors = pipe::Receiver::from_owned_fd(errors)?;
        let tail = Arc::new(Mutex::new(Tail::default()));
        Ok(Self {
            child: orphan.0.take(),
            id,
            input: Some(input),
            output,
            stderr: tokio::spawn(listen(errors, Arc::clone(&tail))),
            tail,
        })
    }

    fn tail(&self) -> MutexGuard<'_, Tail> {
        self.tail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end, but not for ever; then nothing of the tree is left.
    async fn wait(&mut self, patience: Duration) -> Option<Death> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_millis(1);
        while !self.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            tokio::time::sleep(pause.min(left)).await;
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        let mut child = self.child.take()?;
        // Its children may live on. Its number is its own until it is waited
        // for, so that nobody else is hit.
        system::kill_group(self.id);
        let status = child.wait().ok();
        caretaker::forget(self.id);
        // Something that left the group may still hold the pipe open.
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.stderr).await;
        Some(Death {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            reason: None,
            stderr: self.stderr().tail,
        })
    }
}

impl Link for Process {
    fn has_ended(&mut self) -> bool {
        self.child.is_none() || system::has_ended(self.id)
    }

    fn ended(&mut self, patience: Duration) -> Ended<'_> {
        Box::pin(self.wait(patience))
    }

    /// Kills the whole tree.
    fn kill(&mut self) {
        if let Some(child) = self.child.take() {
            system::kill_group(self.id);
            caretaker::bury(child);
        }
        self.input = None;
        self.stderr.abort();
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.id)
    }

    fn stderr(&self) -> Stderr {
        let tail = self.tail();
        Stderr {
            tail: tail.lines.iter().cloned().collect(),
            lines: tail.count,
        }
    }
}

impl AsyncRead for Process {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.output).poll_read(context, room)
    }
}

impl AsyncWrite for Process {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.input {
            Some(input) => Pin::new(input).poll_write(context, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    /// A pipe holds nothing back.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.input = None;
        Poll::Ready(Ok(()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The end of what was written to standard error.
#[derive(Debug, Default)]
struct Tail {
    lines: VecDeque<String>,
    count: u64,
}

impl Tail {
    fn push(&mut self, line: &[u8]) {
        self.count += 1;
        if self.lines.len() == TAIL_LINES {
            self.lines.pop_front();
        }
        let kept = &line[..line.len().min(TAIL_WIDTH)];
        self.lines
            .push_back(String::from_utf8_lossy(kept).into_owned());
    }
}

/// Reads standard error to its end, so that no engine ever waits for us to.
async fn listen(mut errors: pipe::Receiver, tail: Arc<Mutex<Tail>>) {
    let mut buffer = LineBuffer::with_limit(TAIL_WIDTH);
    let mut chunk = vec![0; 8192];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        buffer.feed(&chunk[..count]);
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(line) = buffer.next_line() {
            tail.push(line);
        }
    }
    if let Some(line) = buffer.finish() {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.push(line);
    }
}
