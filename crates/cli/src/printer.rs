//! Standard output from a thread of its own.
//!
//! A pipe that is not read, or a terminal held by ctrl-S, blocks the thread that
//! writes to it. That must never be one on which engines are waited for: their
//! clocks run. What is to be printed is put on a desk; one thread takes it from
//! there, and if it is held up, only it waits.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

/// Bytes that may wait before a reader counts as slow.
const PATIENCE: usize = 1 << 20;

/// What may stand below the text that scrolls by.
pub(crate) trait Page: Send + 'static {
    /// How often to print although nothing was said.
    fn pause(&self) -> Option<Duration> {
        None
    }

    /// What goes out for a text, which may be empty. After the last one nothing
    /// is printed any more.
    fn lay_out(&mut self, text: Vec<u8>, _last: bool) -> Vec<u8> {
        text
    }
}

/// Text and nothing else.
impl Page for () {}

struct Desk<P> {
    state: Mutex<State<P>>,
    /// There is something to print.
    news: Condvar,
    /// Something was printed.
    room: Condvar,
}

struct State<P> {
    page: P,
    waiting: Vec<u8>,
    /// Bytes that the thread has taken and not got rid of.
    printing: usize,
    /// Print now, even without a text.
    due: bool,
    closed: bool,
    /// Why nothing can be printed any more.
    broken: Option<io::ErrorKind>,
}

impl<P> State<P> {
    const fn is_behind(&self) -> bool {
        self.broken.is_none() && self.waiting.len() + self.printing > PATIENCE
    }
}

impl<P> Desk<P> {
    fn lock(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that prints, and the desk in front of it.
pub(crate) struct Printer<P> {
    desk: Arc<Desk<P>>,
    ended: oneshot::Receiver<()>,
}

/// Another hand that reaches the desk.
pub(crate) struct Handle<P>(Arc<Desk<P>>);

impl<P: Page> Printer<P> {
    /// Prints to `out`.
    pub(crate) fn start(page: P, out: impl Write + Send + 'static) -> io::Result<Self> {
        let desk = Arc::new(Desk {
            state: Mutex::new(State {
                page,
                waiting: Vec::new(),
                printing: 0,
                due: false,
                closed: false,
                broken: None,
            }),
            news: Condvar::new(),
            room: Condvar::new(),
        });
        let (sender, ended) = oneshot::channel();
        let own = Arc::clone(&desk);
        std::thread::Builder::new()
            .name("printer".into())
            .spawn(move || {
                print(&own, out);
                // The other side may not wait for it.
                let _ = sender.send(());
            })?;
        Ok(Self { desk, ended })
    }

    pub(crate) fn handle(&self) -> Handle<P> {
        Handle(Arc::clone(&self.desk))
    }

    /// Puts a text on the desk. It never waits.
    pub(crate) fn say(&self, text: &str) {
        let mut state = self.desk.lock();
        if state.broken.is_none() {
            state.waiting.extend_from_slice(text.as_bytes());
        }
        drop(state);
        self.desk.news.notify_one();
    }

    /// Looks at the page, or changes it; it is seen when it is next printed.
    pub(crate) fn page<T>(&self, look: impl FnOnce(&mut P) -> T) -> T {
        look(&mut self.desk.lock().page)
    }

    /// Whether more waits than a reader who keeps up leaves.
    pub(crate) fn is_behind(&self) -> bool {
        self.desk.lock().is_behind()
    }

    /// Waits until everything is printed, however long its reader takes. A reader
    /// that has gone away is not waited for.
    pub(crate) async fn close(self) -> io::Result<()> {
        self.desk.lock().closed = true;
        self.desk.news.notify_one();
        // It only fails if the thread is gone, and then nothing is printed.
        let _ = self.ended.await;
        match self.desk.lock().broken {
            Some(kind) => Err(kind.into()),
            None => Ok(()),
        }
    }
}

impl<P: Page> Handle<P> {
    /// Changes the page, and shows it at once.
    pub(crate) fn change(&self, change: impl FnOnce(&mut P)) {
        let mut state = self.0.lock();
        change(&mut state.page);
        state.due = true;
        drop(state);
        self.0.news.notify_one();
    }
}

/// For a writer that may wait: it does when more is on the desk than a reader
/// who keeps up leaves there.
impl<P: Page> Write for Handle<P> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock();
        while state.is_behind() {
            let waited = self.0.room.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(kind) = state.broken {
            return Err(kind.into());
        }
        state.waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Sends it on its way; it is not waited for.
    fn flush(&mut self) -> io::Result<()> {
        self.0.news.notify_one();
        Ok(())
    }
}

fn print<P: Page>(desk: &Desk<P>, mut out: impl Write) {
    let mut state = desk.lock();
    loop {
        let idle = |state: &mut State<P>| !state.closed && !state.due && state.waiting.is_empty();
        state = match state.page.pause() {
            Some(pause) => {
                let waited = desk.news.wait_timeout_while(state, pause, idle);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => {
                let waited = desk.news.wait_while(state, idle);
                waited.unwrap_or_else(PoisonError::into_inner)
            }
        };
        let last = state.closed;
        state.due = false;
        let text = std::mem::take(&mut state.waiting);
        let text = state.page.lay_out(text, last);
        state.printing = text.len();
        drop(state);
        let written = if text.is_empty() {
            Ok(())
        } else {
            out.write_all(&text).and_then(|()| out.flush())
        };
        state = desk.lock();
        state.printing = 0;
        if let Err(error) = written {
            state.broken = Some(error.kind());
            state.waiting = Vec::new();
        }
        desk.room.notify_all();
        if last || state.broken.is_some() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Takes what is printed only when it is told to.
    struct Held {
        printed: Printed,
        go: Receiver<io::Result<()>>,
    }

    impl Write for Held {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.go.recv() {
                Ok(answer) => answer?,
                Err(_) => return Err(io::ErrorKind::BrokenPipe.into()),
            }
            self.printed.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    type Printed = Arc<Mutex<Vec<u8>>>;

    fn held() -> (Printed, Sender<io::Result<()>>, Printer<()>) {
        let printed = Arc::new(Mutex::new(Vec::new()));
        let (sender, go) = channel();
        let out = Held {
            printed: Arc::clone(&printed),
            go,
        };
        (printed, sender, Printer::start((), out).unwrap())
    }

    #[tokio::test]
    async fn saying_never_waits_and_nothing_is_lost() {
        let (printed, go, printer) = held();
        assert!(!printer.is_behind());
        let line = format!("{}\n", "x".repeat(999));
        for _ in 0..2000 {
            printer.say(&line);
        }
        // Not a byte was taken so far.
        assert!(printer.is_behind());
        assert!(printed.lock().unwrap().is_empty());
        for _ in 0..2001 {
            go.send(Ok(())).unwrap();
        }
        printer.close().await.unwrap();
        assert_eq!(printed.lock().unwrap().len(), 2_000_000);
    }

    #[tokio::test]
    async fn a_reader_that_has_gone_is_behind_no_more() {
        let (_, go, printer) = held();
        let mut handle = printer.handle();
        go.send(Err(io::ErrorKind::BrokenPipe.into())).unwrap();
        printer.say("a");
        let mut written = Ok(());
        // It is known as soon as the thread has tried.
        while written.is_ok() {
            written = handle.write_all(&[b'x'; 1000]);
        }
        assert!(!printer.is_behind());
        printer.say("more");
        let end = printer.close().await.unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::BrokenPipe);
    }
}
