//! One conversation in the dialect of one game, from the first word to `quit`.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, Read};
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_games::Line;
use quadrille_protocol::{
    Code, Command, Diagnostic, Id, IdKey, Parsed, Register, Report, SetOption, Severity, Status,
    Text,
};
use quadrille_search::net::Net;
use quadrille_search::{Control, KnownValues, Moment, Searcher};

use crate::book::{self, Book};
use crate::dialect::{Blame, OptionsOf, Spoken};
use crate::machine::Machine;
use crate::options::{Effect, Judge, Options};
use crate::outbox::Outbox;
use crate::position_values;
use crate::session::SessionImpl;
use crate::waiting::{LineState, Urgent, Waiting};
use crate::work::{Ending, Finished, Place, Step, Task};

/// How many lines may wait for a task to end before no more are asked for.
const MOST_WAITING: usize = 1024;

/// The largest file that is read as a net.
const LARGEST_NET: u64 = 64 << 20;

/// Where the searcher is while no search runs.
pub(crate) type Home<P> = Arc<Mutex<Option<Box<Searcher<P>>>>>;

/// What the searcher must be told before it is used again. Kept apart from the
/// options because it may be away when they change.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a chore of its own")]
pub(crate) struct Chores {
    pub(crate) forget: bool,
    pub(crate) position_values: bool,
    pub(crate) endgame_tables: bool,
    pub(crate) net: bool,
}

pub(crate) struct Conversation<P: Spoken> {
    pub(crate) out: Outbox,
    pub(crate) machine: Machine,
    pub(crate) options: Arc<OptionsOf<P>>,
    pub(crate) rules: P::Rules,
    pub(crate) line: Arc<Line<P>>,
    /// Why the position on the board is not the one the host asked for.
    pub(crate) doubt: Option<String>,
    pub(crate) home: Home<P>,
    /// Steers the search that has the searcher now.
    pub(crate) search: Option<Control>,
    /// What is done beside the search: what stops it, and whether it is about to
    /// end.
    aside: Option<(Control, Ending)>,
    pub(crate) tasks: VecDeque<Task>,
    waiting: VecDeque<Waiting>,
    pub(crate) chores: Chores,
    /// The size of the transposition table and the threads that the searcher has
    /// now.
    pub(crate) size: Option<(usize, usize)>,
    pub(crate) book: Option<Book>,
    /// The one that comes with the program, or a file's.
    net: Option<Arc<Net>>,
    pub(crate) known: KnownValues,
    debug: bool,
    over: bool,
    #[cfg(feature = "tune")]
    tunables: bool,
}

impl<P: Spoken> SessionImpl for Conversation<P> {
    fn feed(&mut self, line: &[u8], arrived: Moment) {
        let parsed = Command::parse(line, P::DIALECT);
        let mut state = LineState::new(arrived, Urgent::of(&parsed.message));
        let in_turn = !self.over && self.waiting.is_empty() && self.aside.is_none();
        // A line that has to wait is parsed again in its turn: a command borrows its words.
        if !in_turn || !self.obey(&parsed, line, &mut state) {
            if in_turn {
                state.urgent = None;
            }
            let line = Some(line.to_vec());
            self.waiting.push_back(Waiting { line, state });
        }
        self.obey_what_waits();
    }

    fn end_input(&mut self) {
        let state = LineState::new(Moment::default(), None);
        self.waiting.push_back(Waiting { line: None, state });
        self.obey_what_waits();
    }

    fn accepts_lines(&self) -> bool {
        !self.over && self.waiting.len() < MOST_WAITING
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn take_task(&mut self) -> Option<Task> {
        self.tasks.pop_front()
    }

    fn take_back(&mut self, finished: Finished) {
        match finished.0 {
            Place::Search => {
                self.search = None;
                if lock(&self.home).is_none() {
                    self.size = None;
                }
            }
            Place::Aside => self.aside = None,
        }
        self.obey_what_waits();
    }

    /// What people ask for goes first: they look at the screen.
    fn step(&mut self, slice: Duration) -> Step {
        let aside = self.tasks.iter().position(|t| t.place() == Place::Aside);
        let at = aside.unwrap_or(0);
        let Some(task) = self.tasks.get_mut(at) else {
            return Step::Done;
        };
        match task.step(Some(slice)) {
            Step::Done => {}
            unfinished => return unfinished,
        }
        if let Some(task) = self.tasks.remove(at) {
            self.take_back(Finished(task.place()));
        }
        if self.tasks.is_empty() {
            Step::Done
        } else {
            Step::Working
        }
    }

    fn outbox(&self) -> Outbox {
        self.out.clone()
    }

    #[cfg(feature = "tune")]
    fn offer_tunables(&mut self) {
        self.tunables = true;
    }
}

impl<P: Spoken> Conversation<P> {
    /// Allocates nothing large: the host may only want to know who we are.
    pub(crate) fn new(rules: P::Rules, machine: Machine) -> Self {
        Self {
            out: Outbox::new(P::DIALECT),
            machine,
            options: Arc::new(Options::new(P::OFFERS)),
            line: Arc::new(Line::new(P::start(&rules))),
            rules,
            doubt: None,
            home: Arc::default(),
            search: None,
            aside: None,
            tasks: VecDeque::new(),
            waiting: VecDeque::new(),
            chores: Chores::default(),
            size: None,
            book: P::own_book(),
            net: P::own_net(),
            known: KnownValues::default(),
            debug: false,
            over: false,
            #[cfg(feature = "tune")]
            tunables: false,
        }
    }

    /// Whether the first line waits for a search to end.
    fn is_blocked(&self) -> bool {
        self.search.is_some() && self.waiting.front().is_some_and(|first| first.state.heard)
    }

    /// Obeys lines until one has to wait for a task, and stops a search that lines wait
    /// for if `stop` can no longer be read: the input has ended, or so many lines wait
    /// that no more are read. Any step can lead there, the end of a task too.
    fn obey_what_waits(&mut self) {
        self.obey_in_order();
        let full = self.waiting.len() >= MOST_WAITING;
        let ended = self.waiting.back().is_some_and(|last| last.line.is_none());
        // A count ends by itself, so the end of input leaves it alone.
        if self.is_blocked() && (full || ended) || full && self.aside.is_some() {
            self.stop();
        }
    }

    /// Obeys lines in their order, until one has to wait for a task. While moves
    /// are counted, or a search goes on that another `go` waits for, only urgent ones
    /// are obeyed; the others wait their turn.
    fn obey_in_order(&mut self) {
        while !self.over {
            let counting = self.aside.is_some() || self.is_blocked();
            if self.aside.iter().any(|(_, ending)| ending.is_set()) {
                return;
            }
            let next = self
                .waiting
                .iter()
                .position(|w| w.state.urgent.is_some() || !counting);
            let Some((at, mut next)) = next.and_then(|at| Some((at, self.waiting.remove(at)?)))
            else {
                return;
            };
            if counting {
                if self.attend(&mut next.state, at) {
                    self.waiting.insert(at, next);
                }
            } else if !self.take_turn(&mut next) {
                next.state.urgent = None;
                self.waiting.push_front(next);
            }
        }
        self.waiting.clear();
    }

    /// Obeys an urgent line in the middle of other work; `true` if it is to be obeyed
    /// in its turn. So many lines wait before it.
    fn attend(&mut self, state: &mut LineState, before: usize) -> bool {
        match state.urgent {
            Some(Urgent::IsReady) => {
                self.out.hear(&Command::IsReady);
                self.out.say(&Report::ReadyOk);
            }
            Some(Urgent::Stop) => {
                self.out.hear(&Command::Stop);
                self.stop();
                // Also one that waits.
                for line in self.waiting.iter_mut().take(before) {
                    line.state.stopped = true;
                }
            }
            Some(Urgent::PonderHit) => match &self.search {
                // One that was stopped has answered, or is about to.
                Some(control) if control.is_pondering() && !control.is_stopped() => {
                    control.ponder_hit_at(state.arrived);
                }
                // It is meant for a `go` that waits.
                _ => {
                    state.urgent = None;
                    return true;
                }
            },
            Some(Urgent::Quit) | None => self.quit(),
        }
        false
    }

    /// Obeys a line that has waited; `false` if it must wait until the search has ended.
    fn take_turn(&mut self, waiting: &mut Waiting) -> bool {
        let Some(line) = &waiting.line else {
            self.quit();
            return true;
        };
        let parsed = Command::parse(line, P::DIALECT);
        self.obey(&parsed, line, &mut waiting.state)
    }

    /// Obeys a line; `false` if it must wait until the search has ended.
    fn obey(
        &mut self,
        parsed: &Parsed<'_, Command<'_>>,
        line: &[u8],
        state: &mut LineState,
    ) -> bool {
        let again = mem::replace(&mut state.heard, true);
        let searches = matches!(&parsed.message, Command::Go(go) if go.get_perft().is_none());
        let counts = matches!(
            parsed.message,
            Command::Go(_) | Command::Perft(_) | Command::Bench(_)
        );
        let stopped = state.stopped && counts;
        if !again {
            self.report_findings(parsed, line);
            if stopped && searches {
                self.out.hear(&Command::Stop);
            }
        }
        match parsed.message {
            Command::Uci | Command::Ugi => self.introduce(&parsed.message),
            Command::Debug(on) => self.debug = on.unwrap_or(self.debug),
            Command::IsReady => return self.be_ready(),
            Command::SetOption(set) => self.set_option(set, line),
            Command::Register(register) => self.register(register),
            Command::UciNewGame => self.chores.forget = true,
            Command::Position(position) => self.set_position(position),
            Command::SetPos(setpos) => self.set_board(setpos),
            Command::Move(m) => self.play(m),
            Command::Go(ref go) => match go.get_perft() {
                Some(depth) => self.perft(Some(depth)),
                None if !self.go(go, state.arrived) => return false,
                None => {}
            },
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(control) = &self.search {
                    control.ponder_hit_at(state.arrived);
                }
            }
            Command::Quit => self.quit(),
            Command::Eval(m) => self.eval(m),
            Command::Bench(depth) => self.bench(depth),
            Command::Perft(depth) => self.perft(depth),
            Command::Display | Command::ShowPos => self.display(),
            Command::Generate => self.generate(),
            Command::Help => self.help(),
            // The clocks of others and messages of the server change nothing here;
            // unknown commands are ignored, as every dialect wants it.
            Command::Clock(_) | Command::Info(_) | Command::Empty | Command::Unknown(_) => {}
            _ => self.complain(Blame::Host, "this command is not implemented"),
        }
        if stopped {
            self.stop();
        }
        true
    }

    /// What was wrong with a line. A value that cannot be read is told always,
    /// the rest (skipped words, words of other dialects, commands at the wrong
    /// moment) only in debug mode: the texts want it ignored.
    fn report_findings(&mut self, parsed: &Parsed<'_, Command<'_>>, line: &[u8]) {
        let perft = matches!(&parsed.message, Command::Go(go) if go.get_perft().is_some());
        let out_of_place = if perft {
            quadrille_protocol::Findings::new()
        } else {
            self.out.hear(&parsed.message)
        };
        if self.debug {
            self.out.say_all(|lines| {
                lines.note(&format!("received: {}", Text::from_bytes(line)));
                for finding in parsed.diagnostics() {
                    lines.note(&finding.explain(line).to_string());
                }
                for code in out_of_place.iter() {
                    lines.note(&format!("{}[{code}]: {}", code.severity(), code.sentence()));
                }
            });
            return;
        }
        let told = |finding: &&Diagnostic| {
            finding.severity() > Severity::Note && is_about_a_value(finding.code)
        };
        for finding in parsed.diagnostics().iter().filter(told) {
            self.complain(Blame::Host, &finding.explain(line).to_string());
        }
    }

    pub(crate) fn complain(&self, blame: Blame, text: &str) {
        self.out.say_all(|lines| P::complain(lines, blame, text));
    }

    fn introduce(&mut self, hello: &Command<'_>) {
        if !P::is_greeting(hello) {
            let word = P::DIALECT.hello();
            self.complain(Blame::Host, &format!("this engine answers to {word}"));
            return;
        }
        let name = format!("{} {}", P::TITLE, env!("CARGO_PKG_VERSION"));
        self.out.say_all(|lines| {
            P::introduce(lines);
            lines.add(&Report::Id(Id::new(IdKey::Name, name.as_str())));
            lines.add(&Report::Id(Id::new(IdKey::Author, "the Quadrille authors")));
            for offer in P::OFFERS {
                lines.add(&Report::Option(offer.line()));
            }
            #[cfg(feature = "tune")]
            if self.tunables {
                crate::tunables::announce(lines);
            }
            lines.add(&P::greeted());
        });
    }

    /// `isready` is also the time to get ready: what the options ask for is done
    /// now. `false` if the last search has answered and not quite ended.
    fn be_ready(&mut self) -> bool {
        if !self.out.owes_move() {
            if self.search.is_some() {
                return false;
            }
            let mut searcher = self.prepare(self.threads());
            searcher.make_ready(self.line.position());
            *lock(&self.home) = Some(searcher);
        }
        self.out.say(&Report::ReadyOk);
        true
    }

    /// "After every attempt to register" there is an answer; putting it off is
    /// no attempt.
    fn register(&mut self, register: Register<'_>) {
        if P::REGISTERS && (register.name.is_some() || register.code.is_some()) {
            self.out.say_all(|lines| {
                lines.add(&Report::Registration(Status::Checking));
                lines.add(&Report::Registration(Status::Ok));
            });
        }
    }

    fn set_option(&mut self, set: SetOption<'_>, line: &[u8]) {
        let known = |set: &SetOption<'_>| P::OFFERS.iter().find(|o| o.answers_to(set.name));
        let found = set.readings(line).find_map(|set| Some((known(&set)?, set)));
        let Some((offer, set)) = found else {
            if !set.name.is_empty() && !self.set_tunable(set) {
                self.complain(Blame::Host, &format!("there is no option '{}'", set.name));
            }
            return;
        };
        let value = set.value.map(|value| value.to_string());
        match offer.set(Arc::make_mut(&mut self.options), value.as_deref()) {
            Ok((effect, note)) => {
                if let Some(note) = note {
                    self.complain(Blame::Host, &note);
                }
                self.carry_out(effect);
            }
            Err(why) => self.complain(Blame::Host, &why),
        }
    }

    /// Sets a number of the search; `false` if there is none of that name, or
    /// they are not offered.
    #[cfg(feature = "tune")]
    fn set_tunable(&mut self, set: SetOption<'_>) -> bool {
        let value = set.value.map(|value| value.to_string());
        let done = self
            .tunables
            .then(|| crate::tunables::set(set.name, value.as_deref()));
        match done.flatten() {
            None => return false,
            Some(Ok(None)) => {}
            Some(Ok(Some(note)) | Err(note)) => self.complain(Blame::Host, &note),
        }
        true
    }

    #[cfg(not(feature = "tune"))]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    fn set_tunable(&self, _: SetOption<'_>) -> bool {
        false
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Nothing => {}
            Effect::Forget => self.chores.forget = true,
            Effect::EndgameTables => self.chores.endgame_tables = true,
            Effect::Book(path) => self.open_book(&path),
            Effect::Net(path) => self.open_net(&path),
            Effect::Evaluation => self.chores.net = true,
            Effect::Rules(words) => match P::rules_from_text(&words) {
                Ok(rules) => self.change_rules(rules),
                Err(error) => self.complain(Blame::Host, &error.to_string()),
            },
            Effect::PositionValue(text) => {
                match position_values::change::<P>(&mut self.known, &text, &self.rules) {
                    Ok(()) => self.chores.position_values = true,
                    Err(why) => self.complain(Blame::Host, &why),
                }
            }
        }
    }

    /// Without a path it is our own again. A host that names a book which is no
    /// good gets none: its choice is not replaced by ours.
    fn open_book(&mut self, path: &str) {
        self.book = None;
        if path.is_empty() {
            self.book = P::own_book();
            return;
        }
        match book::open(Path::new(path)) {
            Ok(book) => self.book = Some(book),
            Err(error) => self.complain(Blame::Engine, &format!("book {path}: {error}")),
        }
    }

    /// Without a path it is our own again. A file that is no good changes nothing.
    fn open_net(&mut self, path: &str) {
        let opened = if path.is_empty() {
            Ok(P::own_net())
        } else {
            read_net::<P>(Path::new(path)).map(Some)
        };
        match opened {
            Ok(net) => {
                self.net = net;
                self.chores.net = true;
            }
            Err(why) => {
                let why = format!("{path}: {why}; the evaluation stays as it was");
                self.complain(Blame::Engine, &why);
            }
        }
    }

    /// The net that judges positions, if one does.
    pub(crate) fn judging_net(&self) -> Option<&Arc<Net>> {
        let wanted = self.options.judge == Judge::Net;
        self.net.as_ref().filter(|_| wanted)
    }

    /// Ends a running search, which still answers, and what is done beside it.
    fn stop(&mut self) {
        let aside = self.aside.as_ref().map(|(control, _)| control);
        for control in self.search.iter().chain(aside) {
            control.stop();
        }
    }

    /// Starts what is done beside a search.
    pub(crate) fn start_aside(&mut self, task: impl FnOnce(Control, Ending) -> Task) {
        let control = Control::timed_by(Arc::clone(&self.machine.time));
        let ending = Ending::default();
        self.aside = Some((control.clone(), ending.clone()));
        self.tasks.push_back(task(control, ending));
    }

    /// Nothing more is obeyed; a search that runs will still answer.
    fn quit(&mut self) {
        self.over = true;
        self.out.hear(&Command::Quit);
        self.stop();
    }
}

/// A panic while this lock is held cannot leave it half changed.
pub(crate) fn lock<T>(home: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    home.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Findings that mean the host wanted something it did not get.
fn is_about_a_value(code: Code) -> bool {
    matches!(
        code,
        Code::MissingValue
            | Code::NotANumber
            | Code::NumberTooLarge
            | Code::NegativeNumber
            | Code::FractionalNumber
            | Code::MissingMove
            | Code::OptionWithoutName
    )
}

/// Reads the file of a net; a file that cannot be one is not read to its end, and
/// a pipe not even opened: that would wait for somebody to write into it.
fn read_net<P: Spoken>(path: &Path) -> Result<Arc<Net>, String> {
    let read = || {
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a file"));
        }
        let mut bytes = Vec::new();
        File::open(path)?
            .take(LARGEST_NET + 1)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_NET {
        return Err("too large for a net".into());
    }
    P::read_net(&bytes).map_err(|error| error.to_string())
}
