//! An engine's process as a [`Link`]: its pipes, its standard error, its end.
//!
//! What differs between operating systems is the `body`: how a process and all
//! it starts are held together, and what kills them.

#[cfg(unix)]
#[path = "unix.rs"]
mod body;
#[cfg(windows)]
#[path = "windows.rs"]
mod body;
#[cfg(unix)]
mod caretaker;
#[cfg(unix)]
mod system;
#[cfg(target_os = "linux")]
mod tree;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::task::JoinHandle;

use self::body::{Body, Errors, Input, Output, signal};
use super::link::{Death, Ended, Link, Stderr};
use crate::files::open_file_to_write;
use crate::spec::EngineSpec;

#[cfg(target_os = "linux")]
pub use self::system::processor_time;

/// How much of standard error is kept: the last lines, none of them longer
/// than a screen is wide a few times.
const TAIL_LINES: usize = 50;
const TAIL_WIDTH: usize = 500;

/// How long to wait for the rest of standard error when an engine has died.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A process that was started and is ours: the whole tree, and its pipes.
struct Started {
    body: Body,
    input: Input,
    output: Output,
    errors: Errors,
}

/// A running process with pipes. Dropping it kills the whole tree.
#[derive(Debug)]
pub(super) struct Process {
    body: Body,
    /// Closed when it was killed.
    input: Option<Input>,
    output: Output,
    tail: Arc<Mutex<Tail>>,
    stderr: JoinHandle<()>,
}

/// What a description asks to start, before what each system adds.
fn command(spec: &EngineSpec) -> Command {
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
    command
}

/// The wish of a program to find and kill also what engines leave behind when
/// they end by themselves, whatever session and environment it has.
///
/// For programs that start no processes of their own beside the engines: on Linux
/// this one becomes the parent of everything that is left behind below it, and
/// whatever child it then gets that is no engine is killed after each engine's end,
/// and when this is dropped. Children that it has before are left alone. Elsewhere it does nothing: there, and without it,
/// only what an engine had started when it was told to quit is found, and what
/// inherited its group or its environment.
#[derive(Debug)]
#[must_use = "the last look round is when it is dropped"]
pub struct Orphans(());

impl Orphans {
    /// From now on, until the end of the program.
    pub fn adopt() -> Self {
        #[cfg(unix)]
        caretaker::adopt();
        Self(())
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        #[cfg(unix)]
        caretaker::look_round();
    }
}

impl Process {
    pub(super) async fn start(spec: &EngineSpec) -> io::Result<Self> {
        // Before anything is started: a file that cannot be written is told.
        let errors = spec.stderr.as_deref().map(open_errors).transpose()?;
        let started = Started::new(spec).await?;
        let tail = Arc::new(Mutex::new(Tail::default()));
        Ok(Self {
            body: started.body,
            input: Some(started.input),
            output: started.output,
            stderr: tokio::spawn(listen(started.errors, Arc::clone(&tail), errors)),
            tail,
        })
    }

    /// Waits for the end, but not for ever; then nothing of the tree is left.
    async fn wait(&mut self, patience: Duration) -> Option<Death> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_millis(1);
        while !self.body.has_ended() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            tokio::time::sleep(pause.min(left)).await;
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        let status = self.body.bury()?;
        // Something that left the tree may still hold the pipe open.
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.stderr).await;
        Some(Death {
            code: status.code(),
            signal: signal(status),
            reason: None,
            stderr: self.stderr().tail,
        })
    }
}

impl Link for Process {
    fn has_ended(&mut self) -> bool {
        self.body.has_ended()
    }

    fn ended(&mut self, patience: Duration) -> Ended<'_> {
        Box::pin(self.wait(patience))
    }

    fn about_to_quit(&mut self) {
        self.body.look_below();
    }

    fn move_here(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            if let Some(input) = &mut self.input {
                body::input_here(input)?;
            }
            body::output_here(&mut self.output)?;
        }
        Ok(())
    }

    /// Kills the whole tree.
    fn kill(&mut self) {
        self.body.kill();
        self.input = None;
        self.stderr.abort();
    }

    fn process_id(&self) -> Option<u32> {
        Some(self.body.id())
    }

    fn stderr(&self) -> Stderr {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
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

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.input {
            Some(input) => Pin::new(input).poll_flush(context),
            None => Poll::Ready(Ok(())),
        }
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

/// The file that standard error goes to: behind what is there, so that all
/// processes of an engine share it.
fn open_errors(path: &Path) -> io::Result<tokio::fs::File> {
    let mut options = std::fs::File::options();
    options.create(true).append(true);
    match open_file_to_write(path, &options) {
        Ok(file) => Ok(tokio::fs::File::from_std(file)),
        Err(error) => {
            let words = format!("its stderr={} cannot be written: {error}", path.display());
            // The kind would be taken for the program's.
            Err(io::Error::other(words))
        }
    }
}

/// Reads standard error to its end, so that no engine ever waits for us to.
/// What it is written to takes its time on a thread that no game waits for.
async fn listen(mut errors: Errors, tail: Arc<Mutex<Tail>>, mut file: Option<tokio::fs::File>) {
    let mut buffer = LineBuffer::with_limit(TAIL_WIDTH);
    let mut chunk = vec![0; 8192];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        if let Some(open) = &mut file
            && let Err(error) = open.write_all(&chunk[..count]).await
        {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.push(format!("(its stderr= file cannot be written: {error})").as_bytes());
            file = None;
        }
        buffer.feed(&chunk[..count]);
        {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(line) = buffer.next_line() {
                tail.push(line);
            }
        }
        // A flood must not keep others waiting.
        tokio::task::yield_now().await;
    }
    if let Some(mut open) = file {
        // What was handed over is written in any case; this waits for it.
        let _ = open.flush().await;
    }
    if let Some(line) = buffer.finish() {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.push(line);
    }
}
