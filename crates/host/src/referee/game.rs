//! One game between two engines.

use std::convert::Infallible;
use std::future::Future;
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille_games::{AnyLine, AnyMove, Side};
use quadrille_protocol::Dialect;
use tokio::sync::oneshot;

use super::adjudicate::{Adjudication, Judge};
use super::checks::Checks;
use super::clock::{GameClock, Spent};
use super::ending::{Ending, Fault};
use super::lag::{LagMeter, LostTime, Watch};
use super::latency::Latencies;
use super::ply::{Ply, PlyScore};
use crate::config::TimeControl;
use crate::driver::{Answer, Engine, Failure, Limits, NamedMove, Outcome};
use crate::findings::{Finding, Findings, Oddity};
use crate::stats::Effort;

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
}

/// What all games of an event share.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// When a game is cut short.
    pub adjudication: Adjudication,
    /// How late the machine is.
    pub lag: LagMeter,
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
    dialect: Dialect,
    /// Only an engine on this machine can have lost time to others on it.
    process: Option<u32>,
    /// What was known about the engine before this game.
    before: Findings,
    /// What the machine takes from it; of no interest where there is no clock.
    lost_time: Option<LostTime>,
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
        let process = player.engine.process_id();
        let lost_time = process
            .filter(|_| clock.flag().is_some())
            .map(LostTime::new);
        Self {
            clock,
            grace: player.grace,
            dialect: player.engine.dialect(),
            process,
            before: player.known,
            lost_time,
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
            let mut watched = self.watch(side);
            let mut outcome = self.think(side, last, watched.as_mut()).await;
            self.answered = Some(outcome.started + outcome.elapsed);
            let best = match self.accept(side, &outcome, watched.as_ref()) {
                Ok(best) => best,
                Err(fault) => return Ending::by_fault(side, fault),
            };
            let m = best.value;
            last = Some(m);
            let ply = self.ply(side, best, &mut outcome);
            let head = outcome.head.as_deref();
            self.checks.answer(&self.line, m, head, &ply);
            if let Some(ending) = self.push(side, m, ply) {
                return ending;
            }
            self.ponder(side, outcome.ponder);
        }
    }

    /// While the machine is late, an engine's own waiting is measured too.
    fn watch(&self, side: Side) -> Option<Watch> {
        let seat = &self.seats[side.index()];
        let watch = seat.clock.flag().is_some() && self.conditions.lag.is_alarmed();
        seat.process.filter(|_| watch).map(Watch::start)
    }

    fn limits(&self, side: Side) -> Limits {
        let (own, other) = (&self.seats[side.index()], &self.seats[(!side).index()]);
        let mut limits = own.clock.limits(&other.clock, side == Side::White);
        limits.deadline = own.clock.flag().map(|flag| flag + own.grace);
        limits
    }

    /// Waits for the answer of the side to move, whatever the other one ponders
    /// about meanwhile.
    async fn think(
        &mut self,
        side: Side,
        last: Option<AnyMove>,
        watch: Option<&mut Watch>,
    ) -> Outcome {
        let limits = self.limits(side);
        let flag = self.seats[side.index()].clock.flag();
        let watch = flag.zip(watch);
        let [white, black] = &mut self.seats;
        let (own, other) = match side {
            Side::White => (white, black),
            Side::Black => (black, white),
        };
        let chair = std::mem::replace(&mut own.chair, Chair::Empty);
        let thinking = search(chair, &self.line, &limits, last, watch, |started| {
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
            self.checks.note(side, Oddity::EarlyPonder, || {
                format!("ply {}", self.line.plies() + 1)
            });
        }
        outcome
    }

    /// The move of an answer, its time taken from the clock, or what is wrong
    /// with it.
    fn accept(
        &mut self,
        side: Side,
        outcome: &Outcome,
        watched: Option<&Watch>,
    ) -> Result<NamedMove, Fault> {
        let found = match &outcome.answer {
            Answer::Move(best) => Ok(best.clone()),
            Answer::NoMove => Err(Fault::IllegalMove(
                outcome.text.clone().unwrap_or_else(|| "nothing".into()),
            )),
            Answer::Illegal(error) => Err(Fault::IllegalMove(error.text.clone())),
            Answer::TimedOut => {
                let text = outcome.text.as_deref().unwrap_or("");
                NamedMove::read(&self.line, text)
                    .map_err(|_| Fault::Stall("bestmove in time".into()))
            }
            Answer::Failed(Failure::Died(death)) => Err(Fault::Disconnect(death.to_string())),
            Answer::Failed(Failure::Stalled { question, .. }) => {
                Err(Fault::Stall(format!("answer to {question}")))
            }
        };
        // An engine that is gone or deaf has no time to judge.
        let lost = matches!(found, Err(Fault::Disconnect(_) | Fault::Stall(_)));
        if lost && !matches!(outcome.answer, Answer::TimedOut) {
            return found;
        }
        let lateness = self.lateness(outcome, watched);
        let seat = &mut self.seats[side.index()];
        if let Some(lost_time) = &mut seat.lost_time {
            lost_time.missed(lateness);
        }
        let has_flag = seat.clock.flag().is_some();
        let spent = seat.clock.spend(outcome.elapsed);
        self.seats[(!side).index()]
            .clock
            .opponent_spent(outcome.elapsed);
        match spent {
            Spent::InTime => {}
            Spent::Late(late) => self.late(side, Oddity::Late, late, Duration::ZERO),
            Spent::Over(over) => {
                let seat = &mut self.seats[side.index()];
                let slept = watched.is_some_and(Watch::was_idle);
                let lost_time = seat.lost_time.as_mut().filter(|_| !slept);
                let Some(taken) = lost_time.and_then(|lost_time| lost_time.give_back(over)) else {
                    return Err(Fault::Time(over));
                };
                self.late(side, Oddity::MachineLate, over, taken);
            }
        }
        if matches!(outcome.answer, Answer::TimedOut) && !has_flag {
            return Err(Fault::Stall("bestmove in time".into()));
        }
        found
    }

    fn late(&mut self, side: Side, oddity: Oddity, late: Duration, lag: Duration) {
        let ply = self.line.plies() + 1;
        self.checks.note(side, oddity, || {
            let late = late.as_secs_f64() * 1000.0;
            match lag.as_secs_f64() * 1000.0 {
                0.0 => format!("ply {ply}: {late:.1} ms late"),
                lag => {
                    format!("ply {ply}: {late:.1} ms over, after {lag:.1} ms lost by the machine")
                }
            }
        });
    }

    /// How late the machine made this answer.
    fn lateness(&self, outcome: &Outcome, watched: Option<&Watch>) -> Duration {
        let lag = &self.conditions.lag;
        let end = outcome.started + outcome.elapsed;
        let missed = watched.and_then(|watch| watch.missed(outcome.elapsed));
        let late = match missed {
            Some(missed) => missed + lag.at(end),
            None if lag.is_alarmed() => lag.between(outcome.started, end),
            None => Duration::ZERO,
        };
        late.min(outcome.elapsed)
    }

    /// What is written down about a move. The words of the expected line are
    /// taken from the outcome, not copied.
    fn ply(&mut self, side: Side, best: NamedMove, outcome: &mut Outcome) -> Ply {
        let seat = &self.seats[side.index()];
        let pv = outcome.lines.first_mut().map(|info| take(&mut info.pv));
        let info = outcome.info();
        let score = info.and_then(|info| info.score).or(outcome.score);
        let score = score.and_then(|score| {
            let mate = score.mate_in(seat.dialect).map(PlyScore::Mate);
            mate.or_else(|| score.to_cp(seat.dialect).map(PlyScore::Cp))
        });
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
            charged: outcome.elapsed,
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
    watch: Option<(Duration, &mut Watch)>,
    asked: impl FnOnce(Instant),
) -> (Box<Engine>, Outcome) {
    let mut engine = match chair {
        Chair::Idle(engine) => engine,
        Chair::Pondering(ponder) => {
            let hit = Some(ponder.expected) == last;
            let (engine, mut outcome) = ponder.settle(hit).await;
            if hit {
                if outcome.premature {
                    outcome.elapsed = Duration::ZERO;
                }
                return (engine, outcome);
            }
            engine
        }
        Chair::Empty => unreachable!("the side to move sits in its chair"),
    };
    let search = engine.search(line, limits).await;
    let outcome = match watch {
        None => search.finish().await,
        Some((flag, watch)) => {
            let mut finishing = std::pin::pin!(search.finish());
            tokio::select! {
                biased;
                outcome = &mut finishing => outcome,
                () = tokio::time::sleep(flag) => {
                    watch.flag_falls();
                    finishing.await
                }
            }
        }
    };
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
