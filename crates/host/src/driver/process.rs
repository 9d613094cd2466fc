//! An engine's process: its pipes, its standard error, its end.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use serde::Serialize;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::task::JoinHandle;

use super::caretaker::{self, Orphan};
use super::system;
use crate::spec::EngineSpec;

/// How much of standard error is kept: the last lines, none of them longer
/// than a screen is wide a few times.
const TAIL_LINES: usize = 50;
const TAIL_WIDTH: usize = 500;

/// How long to wait for the rest of standard error when an engine has died.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The end of an engine's process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Death {
    /// The exit code, if it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The last lines it wrote to standard error.
    pub stderr: Vec<String>,
}

impl Death {
    pub(super) fn new(status: Option<ExitStatus>, stderr: Vec<String>) -> Self {
        Self {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            stderr,
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "it ended with exit code {code}")?,
            (None, Some(signal)) => write!(f, "it was ended by signal {signal}")?,
            (None, None) => f.write_str("it closed its output")?,
        }
        match self.stderr.last() {
            Some(line) => write!(f, "; its last words: {line}"),
            None => Ok(()),
        }
    }
}

/// A running process with pipes. Dropping it kills the whole tree.
#[derive(Debug)]
pub(super) struct Process {
    child: Option<Child>,
    id: u32,
    /// Closed when the engine stopped reading.
    pub(super) input: Option<pipe::Sender>,
    pub(super) output: pipe::Receiver,
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

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// The last lines of standard error.
    pub(super) fn stderr(&self) -> Vec<String> {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().cloned().collect()
    }

    /// How many lines were written to standard error.
    pub(super) fn stderr_lines(&self) -> u64 {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.count
    }

    pub(super) fn has_ended(&self) -> bool {
        self.child.is_none() || system::has_ended(self.id)
    }

    /// Waits for the end, but not for ever; then nothing of the tree is left.
    pub(super) async fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
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
        status
    }

    /// Kills the whole tree.
    pub(super) fn kill(&mut self) {
        if let Some(child) = self.child.take() {
            system::kill_group(self.id);
            caretaker::bury(child);
        }
        self.input = None;
        self.stderr.abort();
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
