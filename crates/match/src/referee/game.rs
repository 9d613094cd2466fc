//! One game between two engines.

use std::convert::Infallible;
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille_client::findings::{Finding, Findings, HostDiagnostic};
use quadrille_client::{Ending, Fault, GameClock, Spent};
use quadrille_games::{AnyLine, AnyMove, Side};
use quadrille_protocol::Dialect;
use tokio::sync::oneshot;

use super::adjudicate::{Adjudication, Judge};
use super::checks::Checks;
use super::latency::Latencies;
use super::ply::{Ply, score_of};
use crate::config::{ClockMode, TimeControl};
use crate::stats::Effort;
use quadrille_driver::machine::{LagMeter, Toll};
use quadrille_driver::{Answer, Engine, Failure, Limits, NamedMove, Outcome};

/// An engine at the board.
#[derive(Debug)]
pub struct Player {
    /// It, ready to play.
    pub engine: Engine,
    /// How long it may think.
    pub time: TimeControl,
    /// How much later a move may come.
    pub margin: Duration,
    /// What is known about it from before this game.
    pub known: Findings,
    /// How long an answer is waited for after the flag fell, so that it is
    /// known how late it was.
    pub grace: Duration,
    /// Whether its scores are White's, whichever side it plays.
    pub white_pov: bool,
}

/// What all games of an event share.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// When a game is cut short.
    pub adjudication: Adjudication,
    /// What is taken from clocks.
    pub clock: ClockMode,
    /// How late the machine is.
    pub lag: LagMeter,
    /// What the machine took from engines.
    pub toll: Arc<Toll>,
    /// From an answer to the next question.
    pub latencies: Arc<Latencies>,
}

/// A game that was played.
#[derive(Debug)]
pub struct Played {
    /// The engines, White first; one may be broken.
    pub engines: [Engine; 2],
    /// How it ended.
    pub ending: Ending,
    /// What White and Black put into it.
    pub sides: [Effort; 2],
    /// What was noticed.
    pub findings: Vec<Finding>,
}

/// Plays a game from the end of a line. Every move is told with its number,
/// counted from 1 at the start of the line.
///
/// Dropping the future ends both engines.
pub async fn play(
    players: [Player; 2],
    line: AnyLine,
    conditions: &Conditions,
    told: &mut (dyn FnMut(usize, Ply) + Send),
) -> Played {
    let [white, black] = players;
    let mut game = GamePlay {
        judge: Judge::new(&conditions.adjudication),
        line,
        conditions,
        seats: [Seat::new(white), Seat::new(black)],
        checks: Checks::default(),
        sums: [Effort::default(); 2],
        answered: None,
        told,
    };
    let ending = game.run().await;
    game.finish(ending).await
}

struct GamePlay<'a> {
    line: AnyLine,
    conditions: &'a Conditions,
    judge: Judge<'a>,
    seats: [Seat; 2],
    checks: Checks,
    sums: [Effort; 2],
    /// When the last answer came.
    answered: Option<Instant>,
    told: &'a mut (dyn FnMut(usize, Ply) + Send),
}

/// A player with its clock.
struct Seat {
    clock: GameClock,
    grace: Duration,
    white_pov: bool,
    dialect: Dialect,
    /// What was known about the engine before this game.
    before: Findings,
    chair: Chair,
}

enum Chair {
    Idle(Box<Engine>),
    Pondering(Box<Ponder>),
    /// Only while its engine thinks.
    Empty,
}

/// A search in the opponent's time. The engine is inside the future.
struct Ponder {
    expected: AnyMove,
    verdict: Option<oneshot::Sender<bool>>,
    future: Pin<Box<dyn Future<Output = (Box<Engine>, Outcome)> + Send>>,
    /// It is over already.
    early: Option<(Box<Engine>, Outcome)>,
}

impl Seat {
    fn new(player: Player) -> Self {
        let clock = GameClock::new(&player.time, player.margin);
        Self {
            clock,
            grace: player.grace,
            white_pov: player.white_pov,
            dialect: player.engine.dialect(),
            before: player.known,
            chair: Chair::Idle(Box::new(player.engine)),
        }
    }
}

impl Ponder {
    fn start(engine: Box<Engine>, line: AnyLine, expected: AnyMove, limits: Limits) -> Self {
        let (sender, receiver) = oneshot::channel();
        Self {
            expected,
            verdict: Some(sender),
            future: Box::pin(ponder(engine, line, limits, receiver)),
            early: None,
        }
    }

    /// Lets the engine think on while the other one is waited for.
    async fn attend(&mut self) -> Infallible {
        if self.early.is_none() {
            self.early = Some((&mut self.future).await);
        }
        std::future::pending().await
    }

    /// Tells whether the expected move came, and waits for the answer.
    async fn settle(mut self, hit: bool) -> (Box<Engine>, Outcome) {
        if let Some(early) = self.early {
            return early;
        }
        if let Some(verdict) = self.verdict.take() {
            // A search that is over listens no more.
            let _ = verdict.send(hit);
        }
        self.future.await
    }
}

/// Thinks about what follows the expected move until told what was played.
async fn ponder(
    mut engine: Box<Engine>,
    line: AnyLine,
    limits: Limits,
    mut verdict: oneshot::Receiver<bool>,
) -> (Box<Engine>, Outcome) {
    let mut search = engine.search(&line, &limits).await;
    loop {
        tokio::select! {
            biased;
            hit = &mut verdict => {
                match hit {
                    Ok(true) => search.ponderhit(),
                    _ => search.stop(),
                }
                break;
            }
            event = search.next() => if event.is_none() {
                break;
            },
        }
    }
    let outcome = search.finish().await;
    (engine, outcome)
}

impl GamePlay<'_> {
    async fn run(&mut self) -> Ending {
        if let Some(outcome) = self.line.outcome_with_claims() {
            return Ending::by_rules(outcome);
        }
        let mut last = None;
        loop {
            let side = self.line.side();
            let mut outcome = self.think(side, last).await;
            self.answered = Some(outcome.started + outcome.elapsed);
            let (best, charged) = match self.accept(side, &outcome) {
                Ok(accepted) => accepted,
                Err(fault) => return Ending::by_fault(side, fault),
            };
            let m = best.value;
            last = Some(m);
            let ply = self.ply(side, best, charged, &mut outcome);
            let head = outcome.head.as_deref();
            self.checks.answer(&self.line, m, head, &ply);
            if let Some(ending) = self.push(side, m, ply) {
                return ending;
            }
            self.ponder(side, outcome.ponder);
        }
    }

    fn limits(&self, side: Side) -> Limits {
        let (own, other) = (&self.seats[side.index()], &self.seats[(!side).index()]);
        let mut limits = own.clock.limits(&other.clock, side == Side::White);
        limits.flag = own.clock.flag();
        limits.deadline = limits.flag.map(|flag| flag + own.grace);
        limits
    }

    /// Waits for the answer of the side to move, whatever the other one ponders
    /// about meanwhile.
    async fn think(&mut self, side: Side, last: Option<AnyMove>) -> Outcome {
        let limits = self.limits(side);
        let [white, black] = &mut self.seats;
        let (own, other) = match side {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        let chair = std::mem::replace(&mut own.chair, Chair::Empty);
        let thinking = search(chair, &self.line, &limits, last, |started| {
            if let Some(answered) = self.answered {
                self.conditions
                    .latencies
                    .add(started.saturating_duration_since(answered));
            }
        });
        let (engine, outcome) = match &mut other.chair {
            Chair::Pondering(ponder) => tokio::select! {
                biased;
                found = thinking => found,
                never = ponder.attend() => match never {},
            },
            _ => thinking.await,
        };
        own.chair = Chair::Idle(engine);
        if outcome.premature {
            self.checks.note(side, HostDiagnostic::EarlyPonder, || {
                format!("ply {}", self.line.plies() + 1)
            });
        }
        outcome
    }

    /// The move of an answer and what it took from the clock, or what is wrong
    /// with it.
    fn accept(&mut self, side: Side, outcome: &Outcome) -> Result<(NamedMove, Duration), Fault> {
        let found = match &outcome.answer {
            Answer::Move(best) => Ok(best.clone()),
            Answer::NoMove => Err(Fault::IllegalMove(
                outcome.text.clone().unwrap_or_else(|| "nothing".into()),
            )),
            Answer::Illegal(error) => Err(Fault::IllegalMove(error.text.clone())),
            Answer::TimedOut(late) => match &**late {
                Answer::Move(best) => Ok(best.clone()),
                _ => Err(Fault::Stall("bestmove in time".into())),
            },
            Answer::Failed(Failure::Died(death)) => Err(Fault::Disconnect(death.to_string())),
            Answer::Failed(Failure::Stalled { question, .. }) => {
                Err(Fault::Stall(format!("answer to {question}")))
            }
        };
        // An engine that is gone or deaf has no time to judge.
        let lost = matches!(found, Err(Fault::Disconnect(_) | Fault::Stall(_)));
        if lost && !matches!(outcome.answer, Answer::TimedOut(_)) {
            return found.map(|best| (best, Duration::ZERO));
        }
        let charged = self.charge(side, outcome)?;
        let has_flag = self.seats[side.index()].clock.flag().is_some();
        if matches!(outcome.answer, Answer::TimedOut(_)) && !has_flag {
            return Err(Fault::Stall("bestmove in time".into()));
        }
        found.map(|best| (best, charged))
    }

    /// Takes the time of an answer from the clock: what passed, without what the
    /// machine took, and with what the engine took before. What the machine took
    /// early in a move is no excuse for an answer after the flag has fallen: the
    /// engine could see the time too.
    fn charge(&mut self, side: Side, outcome: &Outcome) -> Result<Duration, Fault> {
        let passed = outcome.elapsed + outcome.owed;
        let (taken, excused) = match self.conditions.clock {
            ClockMode::Fair => (outcome.taken, outcome.excused),
            // The time on the wall stands still while we do.
            ClockMode::Wall => {
                let end = outcome.started + outcome.elapsed;
                let slept = self.conditions.lag.suspended_between(outcome.started, end);
                (slept, slept)
            }
        };
        let charged = passed.saturating_sub(taken);
        let clock = &mut self.seats[side.index()].clock;
        // A flag that has not fallen on the wall has not fallen.
        let in_time = clock.flag().is_none_or(|flag| passed <= flag);
        let judged = if in_time {
            charged
        } else {
            passed.saturating_sub(excused)
        };
        if clock.flag().is_some() {
            self.conditions.toll.add(outcome.taken);
        }
        let spent = clock.spend(charged, judged);
        self.seats[(!side).index()].clock.opponent_spent(charged);
        match spent {
            Spent::InTime => {}
            Spent::Late(late) => {
                let ply = self.line.plies() + 1;
                self.checks.note(side, HostDiagnostic::Late, || {
                    format!("ply {ply}: {:.1} ms late", late.as_secs_f64() * 1000.0)
                });
            }
            Spent::Over(over) => return Err(Fault::Time(over)),
        }
        Ok(charged)
    }

    /// What is written down about a move. The words of the expected line are
    /// taken from the outcome, not copied.
    fn ply(
        &mut self,
        side: Side,
        best: NamedMove,
        charged: Duration,
        outcome: &mut Outcome,
    ) -> Ply {
        let seat = &self.seats[side.index()];
        let pv = outcome.lines.first_mut().map(|info| take(&mut info.pv));
        let info = outcome.info();
        let score = info.and_then(|info| info.score).or(outcome.score);
        let score = score.and_then(|score| score_of(&score, seat.dialect));
        let score = match score {
            Some(score) if seat.white_pov && side == Side::Black => Some(score.reversed()),
            score => score,
        };
        // It was found legal on this very line.
        let notation = self.line.notation_of(best.value);
        Ply {
            notation: notation.unwrap_or_else(|_| best.text.clone()),
            text: best.text,
            book: false,
            score,
            depth: info.and_then(|info| info.depth),
            seldepth: info.and_then(|info| info.seldepth),
            nodes: info.and_then(|info| info.nodes),
            nps: info.and_then(|info| info.nps),
            hashfull: info.and_then(|info| info.hashfull),
            tbhits: info.and_then(|info| info.tbhits),
            pv: pv.filter(|pv| !pv.is_empty()),
            elapsed: outcome.elapsed,
            charged,
            told: info.and_then(|info| info.time),
            clock_us: seat.clock.left().map(|left| left.as_micros() as i64),
        }
    }

    /// Makes the move; how the game ends with it, if it does.
    fn push(&mut self, side: Side, m: AnyMove, ply: Ply) -> Option<Ending> {
        if self.line.push(m).is_err() {
            // It was found legal on this very line.
            return Some(Ending::by_fault(side, Fault::IllegalMove(ply.text)));
        }
        let score = ply.score;
        let depth = ply
            .depth
            .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
        self.sums[side.index()].add_move(Some(ply.elapsed), depth, ply.nodes);
        (self.told)(self.line.plies(), ply);
        let outcome = self.line.outcome_with_claims();
        self.checks.moved(&self.line, outcome.is_some());
        if let Some(outcome) = outcome {
            self.checks.ended(outcome);
            return Some(Ending::by_rules(outcome));
        }
        self.judge.heard(side, score, &self.line);
        self.judge.decide(&self.line)
    }

    /// Lets the engine that just moved think about the answer it expects.
    fn ponder(&mut self, side: Side, expected: Option<NamedMove>) {
        let limits = self.limits(side);
        let seat = &mut self.seats[side.index()];
        let Chair::Idle(engine) = &seat.chair else {
            return;
        };
        let Some(expected) = expected.filter(|_| engine.ponders()) else {
            return;
        };
        let mut line = self.line.clone();
        if line.push(expected.value).is_err() || line.outcome_with_claims().is_some() {
            return;
        }
        let limits = Limits {
            ponder: true,
            ..limits
        };
        if let Chair::Idle(engine) = std::mem::replace(&mut seat.chair, Chair::Empty) {
            let ponder = Ponder::start(engine, line, expected.value, limits);
            seat.chair = Chair::Pondering(Box::new(ponder));
        }
    }

    async fn finish(self, ending: Ending) -> Played {
        let mut findings = self.checks.findings();
        let [white, black] = self.seats;
        let white = clear(Side::White, white, &mut findings).await;
        let black = clear(Side::Black, black, &mut findings).await;
        Played {
            engines: [white, black],
            ending,
            sides: self.sums,
            findings,
        }
    }
}

/// One search, as the continuation of a ponder search if that expected this.
async fn search(
    chair: Chair,
    line: &AnyLine,
    limits: &Limits,
    last: Option<AnyMove>,
    asked: impl FnOnce(Instant),
) -> (Box<Engine>, Outcome) {
    let mut engine = match chair {
        Chair::Idle(engine) => engine,
        Chair::Pondering(ponder) => {
            let hit = Some(ponder.expected) == last;
            let (engine, mut outcome) = ponder.settle(hit).await;
            if hit {
                if outcome.premature {
                    (outcome.elapsed, outcome.taken) = (Duration::ZERO, Duration::ZERO);
                }
                return (engine, outcome);
            }
            engine
        }
        Chair::Empty => unreachable!("the side to move sits in its chair"),
    };
    let outcome = engine.search(line, limits).await.finish().await;
    asked(outcome.started);
    (engine, outcome)
}

/// Takes an engine from its chair, and what it did wrong in this game.
async fn clear(side: Side, seat: Seat, findings: &mut Vec<Finding>) -> Engine {
    let engine = match seat.chair {
        Chair::Idle(engine) => engine,
        Chair::Pondering(ponder) => ponder.settle(false).await.0,
        Chair::Empty => unreachable!("every search gives its engine back"),
    };
    findings.extend(engine.findings().since(&seat.before, side));
    *engine
}
