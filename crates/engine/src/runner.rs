//! A session with threads around it: one that reads lines and feeds them to the
//! session, and others that carry out its tasks.
//!
//! A thread that has something for the session takes it, does what follows, and hands it
//! back. So `isready` is answered by the thread that read it, a `go` wakes one thread,
//! and the answer is written by the thread that found it: where other programs keep the
//! processors busy, each thread between the two would wait for its turn.

use std::io::{Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use quadrille_games::{Game, PositionError};
use quadrille_search::Moment;

use crate::input::Input;
use crate::machine::Machine;
use crate::outbox::Outbox;
use crate::session::Session;
use crate::work::Task;

/// Bytes of stack for the deepest line of the largest board.
pub const STACK: usize = 64 << 20;

/// Holds one conversation: answers commands of the game's dialect from
/// `reader` on `writer` until `quit` or the end of input.
///
/// `rules` are the words that choose rules on a command line, empty for the
/// usual ones. Fails only if they cannot be read.
///
/// ```
/// use quadrille_engine::run;
/// use quadrille_games::Game;
///
/// run(Game::Chess, "", &b"isready\nquit\n"[..], std::io::sink())?;
/// # Ok::<(), quadrille_games::PositionError>(())
/// ```
pub fn run(
    game: Game,
    rules: &str,
    reader: impl Read + Send + 'static,
    writer: impl Write + Send + 'static,
) -> Result<(), PositionError> {
    let machine = Machine::native();
    let session = Session::new(game, rules, &machine)?;
    hold(session, Input::new(reader, machine.time), writer);
    Ok(())
}

/// As [`run`], with the game left to the host: one that opens with `ugi` gets
/// Gyges, every other one chess. `false` if the input ended without a word.
pub fn run_any(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> bool {
    let machine = Machine::native();
    let mut input = Input::new(reader, machine.time.clone());
    let game = match input.peek_word() {
        Some(word) if word == b"ugi" => Game::Gyges,
        Some(_) => Game::Chess,
        None => return false,
    };
    // Without words there are no rules that could be wrong.
    if let Ok(session) = Session::new(game, "", &machine) {
        hold(session, input, writer);
    }
    true
}

/// Holds the conversation of this session to its end.
pub(crate) fn hold(
    session: Session,
    input: Input<impl Read + Send + 'static>,
    writer: impl Write + Send + 'static,
) {
    let events = Arc::new(Events::default());
    let printer = Printer::new(Box::new(writer), Arc::clone(&events));
    session
        .outbox()
        .on_lines(move |outbox| printer.print(outbox));
    let runner = Arc::new(Runner {
        state: Mutex::new(State {
            session: Some(session),
            threads: Vec::new(),
        }),
        changed: Condvar::new(),
        events: Arc::clone(&events),
    });
    let reading = Arc::clone(&runner);
    let reader = thread::Builder::new()
        .name("reader".into())
        .stack_size(READER_STACK)
        .spawn(move || reading.guarded(|runner| runner.read(input)));
    if reader.is_err() {
        // Without a reader there is no input.
        runner.with_session(Session::end_input);
    }
    loop {
        match events.wait() {
            // Nothing is worth doing for a host that does not hear of it.
            Event::Refused => {
                runner.with_session(|session| session.feed(b"quit", Moment::default()));
            }
            Event::Over => return runner.close(),
            Event::Panicked => panic!("a thread of the engine has failed; this is a bug"),
        }
    }
}

/// Large positions are read and shown on this stack.
const READER_STACK: usize = 8 << 20;

/// What all threads share.
struct Runner {
    state: Mutex<State>,
    /// A task has ended, or the conversation has.
    changed: Condvar,
    events: Arc<Events>,
}

struct State {
    /// `None` when the conversation is over and nothing runs any more.
    session: Option<Session>,
    /// One is enough but for people who count moves during a search, so they are
    /// started when they are needed, and kept.
    threads: Vec<Worker>,
}

/// A thread for tasks.
struct Worker {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
    busy: bool,
}

impl Runner {
    /// Feeds lines to the session until there are no more or none are wanted.
    fn read(self: &Arc<Self>, mut input: Input<impl Read>) {
        loop {
            let line = input.next_line();
            let mut state = self.state();
            while state.session.as_ref().is_some_and(must_wait) {
                state = wait(&self.changed, state);
            }
            let Some(session) = state.session.as_mut().filter(|s| !s.is_over()) else {
                return;
            };
            let ended = line.is_none();
            match line {
                Some((line, arrived)) => session.feed(&line, arrived),
                None => session.end_input(),
            }
            self.follow_up(&mut state);
            if ended || state.session.as_ref().is_none_or(Session::is_over) {
                return;
            }
        }
    }

    /// Does something with the session, and what follows from it.
    fn with_session(self: &Arc<Self>, act: impl FnOnce(&mut Session)) {
        let mut state = self.state();
        if let Some(session) = &mut state.session {
            act(session);
        }
        self.follow_up(&mut state);
    }

    /// Starts the tasks of the session, and notices its end.
    fn follow_up(self: &Arc<Self>, state: &mut State) {
        let State { session, threads } = state;
        let Some(session) = session else { return };
        while let Some(task) = session.take_task() {
            self.start(task, session, threads);
        }
        if session.is_over() && threads.iter().all(|thread| !thread.busy) {
            self.events.end();
        }
        self.changed.notify_all();
    }

    /// Starts a task; where the system has no thread to give, the session is
    /// told at once.
    fn start(self: &Arc<Self>, task: Task, session: &mut Session, threads: &mut Vec<Worker>) {
        let free = threads.iter().position(|thread| !thread.busy);
        let at = match free.map_or_else(|| self.spawn(threads), Ok) {
            Ok(at) => at,
            Err(error) => {
                let finished = task.refuse(&format!("no thread to search with: {error}"));
                session.take_back(finished);
                return;
            }
        };
        let worker = &mut threads[at];
        worker.busy = true;
        if let Err(refused) = worker.tasks.send(task) {
            // Cannot be: a worker ends only when its sender is gone.
            worker.busy = false;
            session.take_back(refused.0.refuse("the search thread is gone; this is a bug"));
        }
    }

    fn spawn(self: &Arc<Self>, threads: &mut Vec<Worker>) -> std::io::Result<usize> {
        let number = threads.len();
        let (sender, tasks) = channel::<Task>();
        let runner = Arc::clone(self);
        let thread = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || {
                runner.guarded(|runner| {
                    for task in tasks {
                        let finished = task.run();
                        let mut state = runner.state();
                        state.threads[number].busy = false;
                        if let Some(session) = &mut state.session {
                            session.take_back(finished);
                        }
                        runner.follow_up(&mut state);
                    }
                });
            })?;
        threads.push(Worker {
            tasks: sender,
            thread,
            busy: false,
        });
        Ok(number)
    }

    /// Ends all threads but the reader, which may wait for input that never comes.
    fn close(&self) {
        let (session, threads) = {
            let mut state = self.state();
            (state.session.take(), std::mem::take(&mut state.threads))
        };
        self.changed.notify_all();
        drop(session);
        for worker in threads {
            drop(worker.tasks);
            // A thread that panicked has said so already.
            let _ = worker.thread.join();
        }
    }

    /// Runs the body of a thread: a panic in it ends the conversation.
    fn guarded(self: Arc<Self>, body: impl FnOnce(&Arc<Self>)) {
        struct Guard(Arc<Events>);
        impl Drop for Guard {
            fn drop(&mut self) {
                if thread::panicking() {
                    self.0.panicked();
                }
            }
        }
        let _guard = Guard(Arc::clone(&self.events));
        body(&self);
    }

    /// A panic while the lock is held ends the conversation.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the session takes no lines before a task has ended.
fn must_wait(session: &Session) -> bool {
    !session.accepts_lines() && !session.is_over()
}

fn wait<'a>(bell: &Condvar, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
    bell.wait(state).unwrap_or_else(PoisonError::into_inner)
}

/// What the thread that called us waits for. Has a lock of its own, because the printer
/// is called while the session is held.
#[derive(Default)]
struct Events {
    pending: Mutex<Pending>,
    happened: Condvar,
}

#[derive(Default)]
struct Pending {
    /// What is said does not arrive any more; told once.
    refused: bool,
    over: bool,
    panicked: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Event {
    /// What is said does not arrive any more.
    Refused,
    /// The conversation is over.
    Over,
    /// It cannot go on.
    Panicked,
}

impl Events {
    fn refuse(&self) {
        self.pending().refused = true;
        self.happened.notify_all();
    }

    fn end(&self) {
        self.pending().over = true;
        self.happened.notify_all();
    }

    fn panicked(&self) {
        self.pending().panicked = true;
        self.happened.notify_all();
    }

    fn wait(&self) -> Event {
        let mut pending = self.pending();
        loop {
            if pending.panicked {
                return Event::Panicked;
            }
            if pending.over {
                return Event::Over;
            }
            if std::mem::take(&mut pending.refused) {
                return Event::Refused;
            }
            let woken = self.happened.wait(pending);
            pending = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Two flags cannot be left half changed.
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes what is in the outbox, whichever thread put it there.
struct Printer {
    page: Mutex<Page>,
    /// Where it is reported that the host reads no more.
    events: Arc<Events>,
}

struct Page {
    writer: Box<dyn Write + Send>,
    bytes: Vec<u8>,
    /// The writer refused.
    broken: bool,
}

impl Printer {
    fn new(writer: Box<dyn Write + Send>, events: Arc<Events>) -> Self {
        let page = Mutex::new(Page {
            writer,
            bytes: Vec::new(),
            broken: false,
        });
        Self { page, events }
    }

    /// The page is held before lines are taken, so that they stay in order.
    fn print(&self, outbox: &Outbox) {
        let mut page = self.page();
        let Page {
            writer,
            bytes,
            broken,
        } = &mut *page;
        outbox.take(bytes);
        if !*broken
            && writer
                .write_all(bytes)
                .and_then(|()| writer.flush())
                .is_err()
        {
            *broken = true;
            self.events.refuse();
        }
        bytes.clear();
    }

    /// A panic while the lock is held leaves at worst an unfinished line.
    fn page(&self) -> MutexGuard<'_, Page> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
