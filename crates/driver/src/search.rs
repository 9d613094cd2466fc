//! One search: events while it runs, one outcome.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use quadrille_client::findings::HostDiagnostic;
use quadrille_client::{Answered, ClientEvent, InfoLine, Limits, NamedMove, Reply};
use quadrille_games::{AnyLine, MoveError};
use quadrille_protocol::Score;

use super::engine::Engine;
use super::error::Failure;
use super::measure::Looks;
use super::wire::Silence;
use crate::machine::{Deadline, Mark, Taken};

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
    /// `stop`, and what it would have been before. The engine lives.
    TimedOut(Box<Self>),
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
    /// When a ponder search was told to stop.
    stopped: Option<Instant>,
    /// When to look at what the machine takes, and why.
    looks: Looks,
    /// Set when the search is over.
    done: Option<Done>,
}

#[derive(Debug)]
struct Done {
    answered: Result<Box<Answered>, Failure>,
    elapsed: Duration,
    taken: Taken,
}

impl Done {
    fn failed(failure: Failure, elapsed: Duration) -> Self {
        Self {
            answered: Err(failure),
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
            stopped: None,
            looks: Looks::default(),
            done: failure.map(|failure| Done::failed(failure, Duration::ZERO)),
        };
        if !search.limits.ponder {
            search.start_clock();
        }
        search
    }

    fn start_clock(&mut self) {
        self.engine.watch_own_waits(self.limits.flag);
        let flag = self.limits.flag.map(|flag| flag.saturating_sub(self.owed));
        self.looks = Looks::new(self.started, flag, self.engine.lag.is_alarmed());
    }

    /// Whether the answer is there.
    pub const fn is_over(&self) -> bool {
        self.done.is_some()
    }

    /// The next thing that happens; `None` when the search is over.
    pub async fn next(&mut self) -> Option<Event> {
        while self.done.is_none() {
            let event = self.listen(None, true).await;
            if event.is_some() {
                return event;
            }
        }
        None
    }

    /// Tells the engine to stop; its answer is still to come.
    pub fn stop(&mut self) {
        if self.done.is_some() || self.engine.client.is_stopping() {
            return;
        }
        let now = Instant::now();
        if self.engine.client.is_pondering() {
            self.engine.mark(Mark::Start, now);
            self.stopped = Some(now);
        }
        let (client, at) = self.engine.client_at(now);
        client.stop(at);
        self.engine.flush();
    }

    /// The opponent played the move that the engine ponders on: from now on its
    /// clock runs.
    pub fn ponderhit(&mut self) {
        let client = &self.engine.client;
        if self.done.is_none() && client.is_pondering() && !client.is_stopping() {
            self.engine.mark(Mark::Start, Instant::now());
            self.started = Instant::now();
            let (client, at) = self.engine.client_at(self.started);
            client.ponderhit(at);
            self.engine.flush();
            self.start_clock();
        }
    }

    /// Asks for a sign of life while the engine thinks. `false` if none came
    /// before the answer, or in time; the search goes on all the same.
    pub async fn ping(&mut self, patience: Duration) -> bool {
        self.engine.client.ping_in_search();
        self.engine.flush();
        let deadline = Deadline::after(Instant::now(), patience, &self.engine.lag);
        let asked = self.engine.client.awaited_readyok();
        while self.done.is_none() && deadline.as_ref().is_none_or(|d| !d.has_passed()) {
            let until = deadline.as_ref().map(Deadline::instant);
            self.listen(until, false).await;
            if self.engine.client.awaited_readyok() < asked {
                return true;
            }
        }
        let findings = self.engine.client.findings_mut();
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
            self.listen(None, false).await;
        };
        let outcome = Outcome {
            answer: Answer::NoMove,
            ponder: None,
            text: None,
            lines: Vec::new(),
            head: None,
            info_count: 0,
            score: None,
            started: self.started,
            elapsed: done.elapsed,
            taken: done.taken.all,
            excused: done.taken.unseen,
            owed: self.owed,
            premature: false,
        };
        match done.answered {
            Ok(answered) => Outcome {
                answer: answered.reply.into(),
                ponder: answered.ponder,
                text: answered.text,
                lines: answered.lines,
                head: answered.head,
                info_count: answered.info_count,
                score: answered.score,
                premature: answered.premature,
                ..outcome
            },
            Err(failure) => {
                let (lines, head, info_count) = self.engine.client.last_lines(self.line);
                Outcome {
                    answer: Answer::Failed(failure),
                    lines,
                    head,
                    info_count,
                    ..outcome
                }
            }
        }
    }

    /// Waits for a line or a moment when something is to be done. `reports` says whether
    /// lines about the search become events.
    async fn listen(&mut self, at_most: Option<Instant>, reports: bool) -> Option<Event> {
        self.engine.client.report_lines(reports);
        let until = at_most.into_iter().chain(self.looks.next()).min();
        let event = match self.engine.read(until).await {
            Ok(()) => {
                self.looks.look(self.engine);
                self.engine.hear()
            }
            Err(Silence::Late) if self.looks.is_due() => {
                self.looks.look(self.engine);
                None
            }
            // An engine that is gone will not answer `stop`.
            Err(Silence::Late) if self.is_late() && self.engine.wire.link.has_ended() => {
                let event = self.engine.client.take_stray();
                if event.is_none() {
                    let question = self.question();
                    self.fail(Silence::Late, question).await;
                }
                event
            }
            Err(Silence::Late) => self.engine.tick(),
            Err(Silence::Closed) => {
                let question = self.question();
                self.fail(Silence::Closed, question).await;
                None
            }
        };
        match event? {
            ClientEvent::Info(info) => Some(Event::Info(info)),
            ClientEvent::Text(text) => Some(Event::Text(text)),
            ClientEvent::Answered(answered) => {
                self.measure(answered);
                None
            }
            ClientEvent::Stalled { question, .. } => {
                self.fail(Silence::Late, question).await;
                None
            }
            _ => None,
        }
    }

    /// Whether the client's deadline has passed, and not only the caller's patience.
    fn is_late(&mut self) -> bool {
        let (client, now) = self.engine.client_at(Instant::now());
        client.deadline().is_some_and(|deadline| now >= deadline)
    }

    /// What the engine has not answered.
    fn question(&self) -> &'static str {
        if self.engine.client.is_stopping() {
            "stop"
        } else {
            "go"
        }
    }

    async fn fail(&mut self, silence: Silence, question: &'static str) {
        let elapsed = self.started.elapsed();
        let patience = self.engine.client.timeouts().stop;
        let failure = self.engine.give_up(silence, question, patience).await;
        self.done = Some(Done::failed(failure, elapsed));
    }

    /// Writes down how long the answer took, and what of that was the machine's.
    fn measure(&mut self, answered: Box<Answered>) {
        let arrived = self.engine.moment_of(answered.at);
        let elapsed = arrived.saturating_duration_since(self.started);
        // Where no clock runs there is nothing to give back.
        let taken = match self.limits.flag {
            Some(_) => self.engine.taken(self.started, arrived),
            None => Taken::default(),
        };
        self.done = Some(Done {
            answered: Ok(answered),
            elapsed,
            taken,
        });
        if let Some(stopped) = self.stopped.filter(|_| self.limits.flag.is_some()) {
            self.engine.made_wait(stopped, arrived);
        }
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        match reply {
            Reply::Move(best) => Self::Move(best),
            Reply::NoMove => Self::NoMove,
            Reply::Illegal(error) => Self::Illegal(error),
            Reply::TimedOut(late) => Self::TimedOut(Box::new((*late).into())),
        }
    }
}
