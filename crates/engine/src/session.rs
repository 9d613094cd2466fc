//! A session for callers: fed lines, asked for lines.

use std::time::Duration;

use quadrille_games::{Game, PositionError, match_game};
use quadrille_search::Moment;

use crate::conversation::Conversation;
use crate::dialect::Spoken;
use crate::machine::Machine;
use crate::outbox::Outbox;
use crate::work::{Finished, Step, Task};

/// One conversation with an engine, without input and output of its own: it
/// never reads, prints, spawns a thread or looks for a clock.
///
/// Feed it every line that comes, with the moment at which it came. What takes
/// long (a search, `perft`, `bench`) is a task, and there are two ways to have it
/// done:
///
/// * with threads: [`take_task`](Self::take_task), [`Task::run`] on another
///   thread, [`take_back`](Self::take_back);
/// * with one thread: [`step`](Self::step) in a loop, and whatever comes is fed
///   between two steps.
///
/// ```
/// use std::time::Duration;
/// use quadrille_engine::{Machine, Session, Step};
/// use quadrille_games::Game;
///
/// let machine = Machine::native();
/// let mut session = Session::new(Game::Chess, "", &machine)?;
/// for line in ["position startpos moves e2e4", "go depth 3"] {
///     session.feed(line.as_bytes(), machine.time.now());
/// }
/// while session.step(Duration::from_millis(20)) == Step::Working {}
/// let said = String::from_utf8_lossy(&session.take_lines()).into_owned();
/// assert!(said.lines().last().unwrap().starts_with("bestmove "));
/// # Ok::<(), quadrille_games::PositionError>(())
/// ```
pub struct Session(Box<dyn SessionImpl>);

impl Session {
    /// A session of this game. `rules` are the words that choose rules on a
    /// command line, empty for the usual ones; fails only if they cannot be
    /// read. Nothing large is allocated: the host may only want to know who this
    /// is.
    pub fn new(game: Game, rules: &str, machine: &Machine) -> Result<Self, PositionError> {
        match_game!(game, P => open::<P>(rules, machine))
    }

    /// Takes in a line without its end, that came at this moment of the machine's
    /// clock.
    pub fn feed(&mut self, line: &[u8], arrived: Moment) {
        self.0.feed(line, arrived);
    }

    /// There will be no more lines, which is the same as `quit` after all those
    /// that wait, and after a count that runs (`perft`, `bench`).
    pub fn end_input(&mut self) {
        self.0.end_input();
    }

    /// Whether lines should be fed now. Feeding more is no mistake, but they only
    /// fill the memory.
    pub fn accepts_lines(&self) -> bool {
        self.0.accepts_lines()
    }

    /// Whether the conversation has ended. Tasks that still run will answer, and
    /// should be waited for.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The next task that was not started yet.
    pub fn take_task(&mut self) -> Option<Task> {
        self.0.take_task()
    }

    /// A task has ended.
    pub fn take_back(&mut self, finished: Finished) {
        self.0.take_back(finished);
    }

    /// Works on the session's tasks for about `slice`, on this thread and with no
    /// other. What cannot be interrupted takes longer: a position of `bench`, a root
    /// move of `perft`, and an iteration that has been begun again, by one more slice
    /// each time ([`Searcher::advance`](quadrille_search::Searcher::advance)). Not to be mixed with [`take_task`](Self::take_task).
    pub fn step(&mut self, slice: Duration) -> Step {
        self.0.step(slice)
    }

    /// Where the lines of this session and its tasks come out.
    pub fn outbox(&self) -> Outbox {
        self.0.outbox()
    }

    /// All lines said since the last time, each with its line end.
    pub fn take_lines(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.0.outbox().take(&mut bytes);
        bytes
    }

    /// Offers every number of the search as an option, for tools that tune
    /// engines. They are the same for all sessions of a process.
    #[cfg(feature = "tune")]
    pub fn offer_tunables(&mut self) {
        self.0.offer_tunables();
    }
}

fn open<P: Spoken>(rules: &str, machine: &Machine) -> Result<Session, PositionError> {
    let rules = P::rules_from_text(rules)?;
    let conversation = Conversation::<P>::new(rules, machine.clone());
    Ok(Session(Box::new(conversation)))
}

/// A conversation of any game.
pub(crate) trait SessionImpl: Send {
    fn feed(&mut self, line: &[u8], arrived: Moment);
    fn end_input(&mut self);
    fn accepts_lines(&self) -> bool;
    fn is_over(&self) -> bool;
    fn take_task(&mut self) -> Option<Task>;
    fn take_back(&mut self, finished: Finished);
    fn step(&mut self, slice: Duration) -> Step;
    fn outbox(&self) -> Outbox;
    #[cfg(feature = "tune")]
    fn offer_tunables(&mut self);
}
