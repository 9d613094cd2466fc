//! A session with threads around it: one that reads, this one, which feeds the
//! session, and a crew that carries out its tasks.

use std::io::{Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use quadrille_games::{Game, PositionError};
use quadrille_search::Moment;

use crate::machine::Machine;
use crate::mailbox::{Mailbox, News};
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
    let mailbox = Mailbox::open(reader, machine.time);
    hold(session, &mailbox, writer);
    Ok(())
}

/// As [`run`], with the game left to the host: one that opens with `ugi` gets
/// Gyges, every other one chess. `false` if the input ended without a word.
pub fn run_any(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> bool {
    let machine = Machine::native();
    let mailbox = Mailbox::open(reader, machine.time.clone());
    let game = match mailbox.peek_word() {
        Some(word) if word == b"ugi" => Game::Gyges,
        Some(_) => Game::Chess,
        None => return false,
    };
    // Without words there are no rules that could be wrong.
    if let Ok(session) = Session::new(game, "", &machine) {
        hold(session, &mailbox, writer);
    }
    true
}

/// Holds the conversation of this session to its end.
pub(crate) fn hold(mut session: Session, mailbox: &Mailbox, writer: impl Write + Send + 'static) {
    let printer = Printer::new(Box::new(writer), mailbox.clone());
    session
        .outbox()
        .on_lines(move |outbox| printer.print(outbox));
    let mut crew = Crew::new(mailbox.clone());
    loop {
        while let Some(task) = session.take_task() {
            crew.start(task, &mut session);
        }
        if session.is_over() {
            mailbox.close();
            if crew.is_idle() {
                break;
            }
        }
        match mailbox.next(session.accepts_lines()) {
            News::Line(line, arrived) => session.feed(&line, arrived),
            News::End => session.end_input(),
            // Nothing is worth doing for a host that does not hear of it.
            News::Refused => session.feed(b"quit", Moment::default()),
            News::Finished(thread, finished) => {
                crew.rest(thread);
                session.take_back(finished);
            }
        }
    }
    crew.dismiss();
}

/// Writes what is in the outbox, whichever thread put it there.
struct Printer {
    page: Mutex<Page>,
    /// Where it is told that the host reads no more.
    mailbox: Mailbox,
}

struct Page {
    writer: Box<dyn Write + Send>,
    bytes: Vec<u8>,
    /// The writer refused.
    broken: bool,
}

impl Printer {
    fn new(writer: Box<dyn Write + Send>, mailbox: Mailbox) -> Self {
        let page = Mutex::new(Page {
            writer,
            bytes: Vec::new(),
            broken: false,
        });
        Self { page, mailbox }
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
            self.mailbox.refuse();
        }
        bytes.clear();
    }

    /// A panic while the lock is held leaves at worst an unfinished line.
    fn page(&self) -> MutexGuard<'_, Page> {
        self.page.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Threads for tasks. One is enough but for people who count moves during a
/// search, so they are started when they are needed, and kept.
struct Crew {
    hands: Vec<Hand>,
    mailbox: Mailbox,
}

struct Hand {
    tasks: Sender<Task>,
    thread: JoinHandle<()>,
    busy: bool,
}

impl Crew {
    fn new(mailbox: Mailbox) -> Self {
        let hands = Vec::new();
        Self { hands, mailbox }
    }

    /// Starts a task; where the system has no thread to give, the session is
    /// told at once.
    fn start(&mut self, task: Task, session: &mut Session) {
        let free = self.hands.iter().position(|hand| !hand.busy);
        let at = match free.map_or_else(|| self.hire(), Ok) {
            Ok(at) => at,
            Err(error) => {
                let finished = task.refuse(&format!("no thread to search with: {error}"));
                session.take_back(finished);
                return;
            }
        };
        let hand = &mut self.hands[at];
        hand.busy = true;
        if let Err(refused) = hand.tasks.send(task) {
            // Cannot be: a hand ends only when its sender is gone.
            hand.busy = false;
            session.take_back(refused.0.refuse("the search thread is gone; this is a bug"));
        }
    }

    fn hire(&mut self) -> std::io::Result<usize> {
        let number = self.hands.len();
        let (sender, tasks) = channel::<Task>();
        let mailbox = self.mailbox.clone();
        let thread = thread::Builder::new()
            .name("search".into())
            .stack_size(STACK)
            .spawn(move || {
                for task in tasks {
                    mailbox.finish(number, task.run());
                }
            })?;
        self.hands.push(Hand {
            tasks: sender,
            thread,
            busy: false,
        });
        Ok(number)
    }

    fn rest(&mut self, number: usize) {
        if let Some(hand) = self.hands.get_mut(number) {
            hand.busy = false;
        }
    }

    fn is_idle(&self) -> bool {
        self.hands.iter().all(|hand| !hand.busy)
    }

    /// Ends all threads; they have nothing to do.
    fn dismiss(self) {
        for hand in self.hands {
            drop(hand.tasks);
            // A thread that panicked has said so already.
            let _ = hand.thread.join();
        }
    }
}
