//! An engine in this program: two pipes in memory, one end for the driver and
//! one for a thread that reads and writes as it would at its standard input and
//! output.

use std::any::Any;
use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::link::{Death, Ended, Link};

/// As much as a pipe holds on Linux. An engine that talks while its host does
/// not listen waits here as it would there.
const CAPACITY: usize = 1 << 16;

/// What a thread that served as an engine came to.
type Served = Result<(), Box<dyn Error + Send + Sync>>;

/// A [`Link`] to an engine in this program.
///
/// ```
/// use std::io::{BufRead, BufReader, Write};
/// use quadrille_games::Game;
/// use quadrille_driver::{Engine, Memory};
/// use quadrille_driver::spec::EngineSpec;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let link = Memory::spawn(|reader, mut writer| {
///     for line in BufReader::new(reader).lines() {
///         match line?.as_str() {
///             "uci" => writeln!(writer, "id name Inside\nuciok")?,
///             "isready" => writeln!(writer, "readyok")?,
///             "quit" => break,
///             _ => {}
///         }
///     }
///     Ok(())
/// })?;
/// let mut engine = Engine::over(Box::new(link), &EngineSpec::default(), Game::Chess).await?;
/// assert_eq!(engine.name(), "Inside");
/// assert!(!engine.quit().await.killed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A thread cannot be killed. When the link is killed or dropped, its reader
/// comes to an end and its writer breaks; a thread that looks at neither stays.
#[derive(Debug)]
pub struct Memory {
    to_engine: Arc<Pipe>,
    from_engine: Arc<Pipe>,
    thread: Option<JoinHandle<Served>>,
}

/// What an engine in this program reads its commands from.
#[derive(Debug)]
pub struct MemoryReader(Arc<Pipe>);

/// What an engine in this program writes its answers to.
#[derive(Debug)]
pub struct MemoryWriter(Arc<Pipe>);

impl Memory {
    /// A link, and the two ends that are for the engine.
    pub fn pair() -> (Self, MemoryReader, MemoryWriter) {
        let link = Self {
            to_engine: Arc::default(),
            from_engine: Arc::default(),
            thread: None,
        };
        let reader = MemoryReader(Arc::clone(&link.to_engine));
        let writer = MemoryWriter(Arc::clone(&link.from_engine));
        (link, reader, writer)
    }

    /// A link to an engine that runs on a thread of its own.
    pub fn spawn<E>(engine: E) -> io::Result<Self>
    where
        E: FnOnce(MemoryReader, MemoryWriter) -> Served + Send + 'static,
    {
        let (mut link, reader, writer) = Self::pair();
        let thread = thread::Builder::new().name("engine".into());
        link.thread = Some(thread.spawn(move || engine(reader, writer))?);
        Ok(link)
    }

    fn is_finished(&self) -> bool {
        let thread = self.thread.as_ref();
        self.from_engine.lock().writer_gone && thread.is_none_or(JoinHandle::is_finished)
    }

    /// How it ended, once it has.
    fn death(&mut self) -> Death {
        let reason = match self.thread.take().map(JoinHandle::join) {
            None | Some(Ok(Ok(()))) => None,
            Some(Ok(Err(error))) => Some(format!("it ended: {error}")),
            Some(Err(panic)) => Some(format!("its thread panicked: {}", words(&*panic))),
        };
        Death {
            reason,
            ..Death::default()
        }
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a word")
}

impl Link for Memory {
    fn has_ended(&mut self) -> bool {
        self.is_finished()
    }

    fn ended(&mut self, patience: Duration) -> Ended<'_> {
        Box::pin(async move {
            let deadline = Instant::now() + patience;
            // The thread closes its output a moment before it is over.
            while !self.is_finished() {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return None;
                }
                tokio::time::sleep(left.min(Duration::from_millis(1))).await;
            }
            Some(self.death())
        })
    }

    fn kill(&mut self) {
        self.to_engine.close(|state| state.writer_gone = true);
        self.from_engine.close(|state| state.reader_gone = true);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Bytes on their way in one direction. One side of it waits as a thread, the
/// other as a future.
#[derive(Debug, Default)]
struct Pipe {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    bytes: VecDeque<u8>,
    reader_gone: bool,
    writer_gone: bool,
    /// The future that waits, if one does.
    waker: Option<Waker>,
}

impl Pipe {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// The future's side has changed something.
    fn wake_thread(&self, state: MutexGuard<'_, State>) {
        drop(state);
        self.changed.notify_all();
    }

    fn close(&self, mark: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        mark(&mut state);
        if state.reader_gone {
            state.bytes = VecDeque::new();
        }
        wake_future(state);
        self.changed.notify_all();
    }
}

/// The thread's side has changed something.
fn wake_future(mut state: MutexGuard<'_, State>) {
    let waker = state.waker.take();
    drop(state);
    if let Some(waker) = waker {
        waker.wake();
    }
}

impl State {
    /// Takes as much as there is; `None` if that is nothing, and more may come.
    fn take(&mut self, mut put: impl FnMut(&[u8]) -> usize) -> Option<usize> {
        if self.bytes.is_empty() {
            let over = self.writer_gone || self.reader_gone;
            return over.then_some(0);
        }
        let (front, back) = self.bytes.as_slices();
        let mut count = put(front);
        if count == front.len() {
            count += put(back);
        }
        self.bytes.drain(..count);
        Some(count)
    }

    /// Adds as much as there is room for; `None` if that is nothing.
    fn add(&mut self, bytes: &[u8]) -> Option<io::Result<usize>> {
        if self.reader_gone || self.writer_gone {
            return Some(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let room = CAPACITY.saturating_sub(self.bytes.len());
        if room == 0 && !bytes.is_empty() {
            return None;
        }
        let count = bytes.len().min(room);
        self.bytes.extend(&bytes[..count]);
        Some(Ok(count))
    }

    fn wait(&mut self, context: &Context<'_>) {
        match &mut self.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
    }
}

impl AsyncRead for Memory {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut state = self.from_engine.lock();
        let taken = state.take(|bytes| {
            let count = bytes.len().min(room.remaining());
            room.put_slice(&bytes[..count]);
            count
        });
        if taken.is_some() {
            self.from_engine.wake_thread(state);
            return Poll::Ready(Ok(()));
        }
        state.wait(context);
        Poll::Pending
    }
}

impl AsyncWrite for Memory {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut state = self.to_engine.lock();
        if let Some(added) = state.add(bytes) {
            self.to_engine.wake_thread(state);
            return Poll::Ready(added);
        }
        state.wait(context);
        Poll::Pending
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.to_engine.close(|state| state.writer_gone = true);
        Poll::Ready(Ok(()))
    }
}

impl Read for MemoryReader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        let mut state = self.0.lock();
        loop {
            let mut filled = 0;
            let taken = state.take(|bytes| {
                let count = bytes.len().min(room.len() - filled);
                room[filled..filled + count].copy_from_slice(&bytes[..count]);
                filled += count;
                count
            });
            if let Some(count) = taken {
                wake_future(state);
                return Ok(count);
            }
            state = self.0.wait(state);
        }
    }
}

impl Drop for MemoryReader {
    fn drop(&mut self) {
        self.0.close(|state| state.reader_gone = true);
    }
}

impl Write for MemoryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        loop {
            if let Some(added) = state.add(bytes) {
                wake_future(state);
                return added;
            }
            state = self.0.wait(state);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for MemoryWriter {
    fn drop(&mut self) {
        self.0.close(|state| state.writer_gone = true);
    }
}
