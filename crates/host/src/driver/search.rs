//! One search: events while it runs, one outcome.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use quadrille_client::findings::HostDiagnostic;
use quadrille_client::moves::{NamedMove, Understood, cut, in_our_view, is_finished, understand};
use quadrille_client::{InfoLine, Limits};
use quadrille_games::{AnyLine, MoveError, MoveErrorKind};
use quadrille_protocol::{BestMove, Command, Phase, Report, Score, Status, Text};

use super::engine::Engine;
use super::error::Failure;
use super::measure::Looks;
use super::stray::{DOUBT, Doubt, Stray, is_stray};
use super::wire::Silence;
use crate::machine::{Deadline, Mark, Taken};

/// More than the longest move there is.
const LONGEST_MOVE: usize = 100;

/// What a search may go beyond four times its nodes.
const NODES_IN_HAND: u64 = 20_000;

/// Something that happened during a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The engine tells about its search.
    Info(Box<InfoLine>),
    /// The engine says something that is no message of the protocol.
    Text(String),
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// The move to ponder on; only one that is legal after the best move.
    pub ponder: Option<NamedMove>,
    /// The words after `bestmove`.
    pub text: Option<String>,
    /// The last line for each of the best lines: exact where there was an exact
    /// one.
    pub lines: Vec<InfoLine>,
    /// The first move of the last best line, even if its score was only a
    /// bound: what the engine should play.
    pub head: Option<String>,
    /// How many `info` lines came.
    pub info_count: u64,
    /// The score that UGI sends with the best move.
    pub score: Option<Score>,
    /// When `go` (or `ponderhit`) was sent.
    pub started: Instant,
    /// From then to the answer, measured at the pipe.
    pub elapsed: Duration,
    /// What of this time the machine took: see [`machine`](crate::machine).
    pub taken: Duration,
    /// Of that, what the engine could not see coming. Only this excuses an answer
    /// after the flag has fallen.
    pub excused: Duration,
    /// Time that the engine took before this search and has to pay for: between
    /// `isready` and `readyok`, or between `stop` and the end of pondering.
    pub owed: Duration,
    /// The answer came before it was asked for: in an infinite search without
    /// `stop`, or in a ponder search without `ponderhit`.
    pub premature: bool,
}

impl Outcome {
    /// The last word on the best line.
    pub fn info(&self) -> Option<&InfoLine> {
        self.lines.first()
    }

    /// The best move, if there is one that can be played.
    pub fn best(&self) -> Option<&NamedMove> {
        match &self.answer {
            Answer::Move(best) => Some(best),
            _ => None,
        }
    }
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A legal move.
    Move(NamedMove),
    /// No move, and rightly so: the game is over here.
    NoMove,
    /// Something that cannot be played. The engine lives.
    Illegal(MoveError),
    /// An answer came, but only after the deadline, when the host had sent
    /// `stop`. The engine lives.
    TimedOut,
    /// The engine is gone, or has been killed because it did not even answer
    /// `stop`.
    Failed(Failure),
}

/// A running search. Read its events with [`next`](Self::next) or go straight
/// to its outcome with [`finish`](Self::finish).
///
/// A search that is dropped is stopped when the engine is used again; until
/// then what it says is not read.
#[derive(Debug)]
pub struct Search<'a> {
    engine: &'a mut Engine,
    line: &'a AnyLine,
    limits: Cow<'a, Limits>,
    started: Instant,
    /// See [`Outcome::owed`].
    owed: Duration,
    /// When to send `stop`; in a ponder search not before `ponderhit`.
    deadline: Option<Deadline>,
    /// When to give up, once `stop` was sent.
    stop_by: Option<Deadline>,
    /// When a ponder search was told to stop.
    stopped: Option<Instant>,
    /// When to look at what the machine takes, and why.
    looks: Looks,
    overdue: bool,
    premature: bool,
    /// A line that may not be the answer to this search.
    stray: Option<Stray>,
    /// Set when the search is over.
    done: Option<Done>,
}

#[derive(Debug)]
struct Done {
    answer: Answer,
    ponder: Option<NamedMove>,
    text: Option<String>,
    score: Option<Score>,
    elapsed: Duration,
    taken: Taken,
}

impl Done {
    fn failed(failure: Failure, elapsed: Duration) -> Self {
        Self {
            answer: Answer::Failed(failure),
            ponder: None,
            text: None,
            score: None,
            elapsed,
            taken: Taken::default(),
        }
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        engine: &'a mut Engine,
        line: &'a AnyLine,
        limits: Cow<'a, Limits>,
        started: Instant,
        owed: Duration,
        failure: Option<Failure>,
    ) -> Self {
        let mut search = Self {
            engine,
            line,
            limits,
            started,
            owed,
            deadline: None,
            stop_by: None,
            stopped: None,
            looks: Looks::default(),
            overdue: false,
            premature: false,
            stray: None,
            done: failure.map(|failure| Done::failed(failure, Duration::ZERO)),
        };
        if !search.limits.ponder {
            search.start_clock();
        }
        search
    }

    fn start_clock(&mut self) {
        let patience = self
            .limits
            .patience(self.line.side(), &self.engine.timeouts);
        self.engine.watch_own_waits(self.limits.flag);
        let lag = &self.engine.lag;
        self.deadline = patience.and_then(|patience| Deadline::after(self.started, patience, lag));
        let flag = self.limits.flag.map(|flag| flag.saturating_sub(self.owed));
        self.looks = Looks::new(self.started, flag, lag.is_alarmed());
    }

    /// Whether the answer is there.
    pub const fn is_over(&self) -> bool {
        self.done.is_some()
    }

    /// The next thing that happens; `None` when the search is over.
    pub async fn next(&mut self) -> Option<Event> {
        while self.done.is_none() {
            if self.listen().await
                && let Some(event) = self.hear(true)
            {
                return Some(event);
            }
        }
        None
    }

    /// Tells the engine to stop; its answer is still to come.
    pub fn stop(&mut self) {
        if self.done.is_none() && self.stop_by.is_none() {
            if self.engine.ear.talk.phase() == Phase::Pondering {
                let now = Instant::now();
                self.engine.mark(Mark::Start, now);
                self.stopped = Some(now);
            }
            self.engine.say(&Command::Stop);
            self.engine.flush();
            self.stop_by = self.engine.deadline(self.engine.timeouts.stop);
        }
    }

    /// The opponent played the move that the engine ponders on: from now on its
    /// clock runs.
    pub fn ponderhit(&mut self) {
        let pondering = self.engine.ear.talk.phase() == Phase::Pondering;
        if self.done.is_none() && pondering && self.stop_by.is_none() {
            self.engine.mark(Mark::Start, Instant::now());
            self.started = Instant::now();
            self.engine.say(&Command::PonderHit);
            self.engine.flush();
            self.start_clock();
        }
    }

    /// Asks for a sign of life while the engine thinks. `false` if none came
    /// before the answer, or in time; the search goes on all the same.
    pub async fn ping(&mut self, patience: Duration) -> bool {
        self.engine.say(&Command::IsReady);
        self.engine.flush();
        let deadline = self.engine.deadline(patience);
        let asked = self.engine.ear.talk.owed().readyok;
        while self.done.is_none() && deadline.as_ref().is_none_or(|d| !d.has_passed()) {
            let until = deadline.as_ref().map(Deadline::instant);
            if self.listen_until(until).await {
                self.hear(false);
            }
            if self.engine.ear.talk.owed().readyok < asked {
                return true;
            }
        }
        let findings = &mut self.engine.ear.findings;
        findings.add(HostDiagnostic::DeafWhileSearching, b"isready");
        false
    }

    /// Waits for the answer. Every wait ends: when the deadline passes, `stop`
    /// is sent, and when that does not help either, the engine is killed.
    pub async fn finish(mut self) -> Outcome {
        let done = loop {
            if let Some(done) = self.done.take() {
                break done;
            }
            if self.listen().await {
                self.hear(false);
            }
        };
        let Engine { last, ear, .. } = &mut *self.engine;
        let lines = last.read(ear.dialect, self.line);
        Outcome {
            answer: done.answer,
            ponder: done.ponder,
            text: done.text,
            lines,
            head: last.head(self.line),
            info_count: last.count,
            score: done.score,
            started: self.started,
            elapsed: done.elapsed,
            taken: done.taken.all,
            excused: done.taken.unseen,
            owed: self.owed,
            premature: self.premature,
        }
    }

    async fn listen(&mut self) -> bool {
        self.listen_until(None).await
    }

    /// Waits for a line; `false` if something else happened.
    async fn listen_until(&mut self, at_most: Option<Instant>) -> bool {
        let own = self.stop_by.as_ref().or(self.deadline.as_ref());
        let own = own.map(Deadline::instant);
        let doubt = self.doubt_until();
        let look = self.looks.next();
        let deadline = [own, at_most, doubt, look].into_iter().flatten().min();
        match self.engine.wire.read(deadline).await {
            Ok(()) => {
                self.looks.look(self.engine);
                return true;
            }
            Err(Silence::Late) if self.looks.is_due() => self.looks.look(self.engine),
            Err(Silence::Late) if doubt.is_some_and(|doubt| Instant::now() >= doubt) => {
                self.take_stray();
            }
            // Only the caller's patience is over, or we slept.
            Err(Silence::Late) if !self.is_late() => {}
            Err(Silence::Late) if self.stop_by.is_none() && !self.engine_has_ended() => {
                self.overdue = true;
                self.stop();
            }
            // It was the answer to this search after all: there is no other.
            Err(Silence::Late) if self.stray.is_some() => self.take_stray(),
            Err(silence) => self.fail(silence).await,
        }
        false
    }

    fn is_late(&self) -> bool {
        let own = self.stop_by.as_ref().or(self.deadline.as_ref());
        own.is_some_and(Deadline::has_passed)
    }

    /// How long a doubtful line is kept from being the answer. Without a clock there
    /// might be no other deadline for hours. Where `stop` is still to come there is no
    /// hurry, and an engine that tells about its search will answer it. One that has
    /// talked while it thinks may go on to do so.
    fn doubt_until(&self) -> Option<Instant> {
        let waiting = matches!(
            self.engine.ear.talk.phase(),
            Phase::Infinite | Phase::Pondering
        );
        let stray = self.stray.as_ref()?;
        let (doubted, since) = match stray.doubt {
            Doubt::SaidBefore => (self.engine.last.count == 0, stray.arrived),
            Doubt::AmidWords => (!self.engine.answers_plainly, self.engine.wire.arrived),
        };
        (doubted && !waiting).then(|| since + DOUBT)
    }

    fn take_stray(&mut self) {
        if let Some(stray) = self.stray.take() {
            self.engine.wire.line = stray.line;
            self.engine.wire.arrived = stray.arrived;
            self.engine.answered.clear();
            self.overdue = false;
            self.read_line(false, false);
        }
    }

    fn engine_has_ended(&mut self) -> bool {
        self.engine.wire.link.has_ended()
    }

    async fn fail(&mut self, silence: Silence) {
        let elapsed = self.started.elapsed();
        let patience = self.engine.timeouts.stop;
        let question = if self.stop_by.is_some() { "stop" } else { "go" };
        let failure = self.engine.give_up(silence, question, patience).await;
        if matches!(failure, Failure::Stalled { .. }) {
            let findings = &mut self.engine.ear.findings;
            findings.add(HostDiagnostic::NoAnswer, question.as_bytes());
        }
        self.done = Some(Done::failed(failure, elapsed));
    }

    /// Takes in the line that was read.
    fn hear(&mut self, wants_event: bool) -> Option<Event> {
        self.read_line(wants_event, true)
    }

    /// Takes in a line, which may be put by if it is doubtful.
    fn read_line(&mut self, wants_event: bool, may_doubt: bool) -> Option<Event> {
        let Engine {
            wire,
            ear,
            last,
            answered,
            answers_plainly,
            ..
        } = &mut *self.engine;
        let parsed = Report::parse(&wire.line, ear.dialect);
        if let Report::BestMove(best) = &parsed.message
            && wire.is_broken_off()
            && is_broken_off(self.line, best)
        {
            return None;
        }
        if let Report::BestMove(best) = &parsed.message
            && may_doubt
        {
            let doubt = if parsed.is_amid_words() {
                Some(Doubt::AmidWords)
            } else {
                let said = last.count == 0 && is_stray(self.line, best, answered);
                said.then_some(Doubt::SaidBefore)
            };
            if let Some(doubt) = doubt {
                let (line, arrived) = (wire.line.clone(), wire.arrived);
                self.stray = Some(Stray {
                    line,
                    arrived,
                    doubt,
                });
                return None;
            }
            *answers_plainly = true;
        }
        let waiting = matches!(ear.talk.phase(), Phase::Infinite | Phase::Pondering);
        ear.note(&parsed);
        match parsed.message {
            Report::BestMove(best) => {
                self.premature = waiting;
                let arrived = wire.arrived;
                // That was an answer to an earlier search: this is the one to ours.
                if let Some(stray) = self.stray.take()
                    && stray.doubt == Doubt::SaidBefore
                {
                    ear.findings.add(HostDiagnostic::StrayBestmove, &stray.line);
                }
                let said = wire.line.clone();
                let words = Words::from(&best);
                self.done = Some(self.answer(&said, words));
                self.measure(arrived);
                None
            }
            Report::Info(info) => {
                last.keep(&wire.line, &info);
                let event =
                    wants_event.then(|| Event::Info(Box::new(InfoLine::read(&info, self.line))));
                let beyond = info
                    .get_nodes()
                    .is_some_and(|n| goes_beyond(n, &self.limits));
                if beyond && self.stop_by.is_none() && !waiting {
                    ear.findings.add(HostDiagnostic::IgnoresNodes, &wire.line);
                    self.stop();
                }
                event
            }
            Report::Registration(Status::Error) => {
                self.engine.answer_registration();
                None
            }
            Report::Text(text) => wants_event.then(|| Event::Text(text.to_string())),
            _ => None,
        }
    }

    /// Writes down how long the answer took, and what of that was the machine's.
    fn measure(&mut self, arrived: Instant) {
        let elapsed = arrived.saturating_duration_since(self.started);
        // Where no clock runs there is nothing to give back.
        let taken = match self.limits.flag {
            Some(_) => self.engine.taken(self.started, arrived),
            None => Taken::default(),
        };
        if let Some(done) = &mut self.done {
            (done.elapsed, done.taken) = (elapsed, taken);
        }
        if let Some(stopped) = self.stopped.filter(|_| self.limits.flag.is_some()) {
            self.engine.made_wait(stopped, arrived);
        }
    }

    /// What the words after `bestmove` mean here; `said` is the whole answer.
    fn answer(&mut self, said: &[u8], best: Words) -> Done {
        let understood = match &best.best {
            Some(text) => understand(self.line, Text::from(text.as_str())),
            None => Understood::Null,
        };
        // Only a move that could be played can come again by mistake.
        self.engine.answered.clear();
        if let (Understood::Move(..), Some(text)) = (&understood, &best.best) {
            self.engine.answered.extend_from_slice(text.as_bytes());
        }
        let mut note = |oddity: HostDiagnostic| self.engine.ear.findings.add(oddity, said);
        let mut ponder = None;
        let answer = match understood {
            Understood::Move(found, oddity) => {
                if let Some(oddity) = oddity {
                    note(oddity);
                }
                if !is_allowed(self.line, &self.limits.searchmoves, &found) {
                    note(HostDiagnostic::OutsideSearchmoves);
                }
                if let Some(text) = &best.ponder {
                    ponder = ponder_move(self.line, &found, text);
                    if ponder.is_none() {
                        note(HostDiagnostic::IllegalPonder);
                    }
                }
                Answer::Move(found)
            }
            Understood::Null if is_finished(self.line) => Answer::NoMove,
            Understood::Null => {
                note(HostDiagnostic::NullMoveInPlay);
                let text = best.best.as_deref().unwrap_or_default();
                Answer::Illegal(MoveError::new(text, MoveErrorKind::NullMove))
            }
            Understood::Illegal(error) => {
                note(HostDiagnostic::IllegalMove);
                Answer::Illegal(error)
            }
        };
        if self.overdue {
            note(HostDiagnostic::Overdue);
        }
        let Engine { last, ear, .. } = &mut *self.engine;
        if let Some(report) = last.only_bounds() {
            ear.findings.add(HostDiagnostic::OnlyBounds, report);
        }
        let answer = if self.overdue {
            Answer::TimedOut
        } else {
            answer
        };
        Done {
            answer,
            ponder,
            text: best.best,
            score: best.score,
            elapsed: Duration::ZERO,
            taken: Taken::default(),
        }
    }
}

/// Whether an engine that was given so many nodes does not care. Engines count
/// in batches, and each thread for itself.
fn goes_beyond(nodes: u64, limits: &Limits) -> bool {
    let most = |limit: u64| limit.saturating_mul(4).saturating_add(NODES_IN_HAND);
    limits.nodes.is_some_and(|limit| nodes > most(limit))
}

/// The words of a `bestmove` line.
struct Words {
    best: Option<String>,
    ponder: Option<String>,
    score: Option<Score>,
}

impl From<&BestMove<'_>> for Words {
    fn from(best: &BestMove<'_>) -> Self {
        let text = |text: Text<'_>| cut(text, LONGEST_MOVE);
        Self {
            best: best.best.map(text),
            ponder: best.ponder.filter(|m| !m.is_null_move()).map(text),
            score: best.score,
        }
    }
}

/// An answer without the end of its line that is no move here: the engine died in
/// the middle of a word, and what it would have said is not known.
fn is_broken_off(line: &AnyLine, best: &BestMove<'_>) -> bool {
    let text = best.best.unwrap_or_default();
    !is_finished(line) && !matches!(understand(line, text), Understood::Move(..))
}

fn is_allowed(line: &AnyLine, searchmoves: &[String], found: &NamedMove) -> bool {
    let same = |text: &String| line.parse_notation(text).is_ok_and(|m| m == found.value);
    searchmoves.is_empty() || searchmoves.iter().any(same)
}

fn ponder_move(line: &AnyLine, best: &NamedMove, text: &str) -> Option<NamedMove> {
    let mut after = line.variation();
    after.push(best.value).ok()?;
    let value = after.parse_notation(&in_our_view(line, text)).ok()?;
    let text = after.text_of(value).ok()?;
    Some(NamedMove { value, text })
}
