//! A worker without engines: it speaks the messages, and plays the first legal
//! moves. It can also lie.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::client::Request;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, AckKind};
use async_nats::{Client, HeaderMap};
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use quadrille_cluster::messages::{
    Beat, Card, GameJob, Job, Notice, Offer, Order, Outcome, PlayedGame, Reply, Task, Verdict,
};
use quadrille_driver::EngineScore;
use quadrille_driver::{Identity, OptionList};
use quadrille_games::{AnyLine, Game};
use quadrille_match::referee::{Ending, GameClock, Ply};

/// How long a slow one plays.
const SLOW: Duration = Duration::from_millis(300);

/// What it does with a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(dead_code, reason = "a bench has honest ones only")]
pub(crate) enum Habit {
    Honest,
    /// The other side wins.
    WrongResult,
    /// A move that cannot be made.
    IllegalMove,
    /// It says nothing, and beats as if it had nothing to do.
    Silent,
    /// It cannot play.
    Broken,
    /// Its engine goes away each time.
    Disconnects,
    /// It sends everything twice, under other numbers of messages.
    Twice,
    /// It plays for a while.
    Slow,
    /// It plays until it is let go on.
    Holds,
    /// Other legal moves than an engine would play, in one game of so many, and scores
    /// that fit none.
    Forges(u64),
    /// Its engine loses on time, because its machine does other things.
    Overloaded,
    /// What it is asked to look at again, it finds lost.
    SlandersOthers,
    /// It takes the checks of its own games and answers them.
    ChecksItself,
    /// It takes the checks of its own games, and holds them.
    HoldsItsChecks,
    /// Its engine goes away in games that it is to check.
    FailsChecks,
    /// It has time, and never asks for a job.
    NeverAsks,
}

/// Asks for a job until there is one.
pub(crate) async fn next_job(context: &jetstream::Context, event: &str) -> jetstream::Message {
    let subject = format!("$JS.API.CONSUMER.MSG.NEXT.QUADRILLE_JOBS_{event}.workers");
    let words = "{\"batch\":1,\"expires\":2000000000}";
    loop {
        let client = context.client();
        let request = Request::new().payload(words.into());
        let request = request.inbox(client.new_inbox());
        let asked = client.send_request(subject.clone(), request);
        match asked.await {
            Ok(message) if message.status.is_none() => {
                let context = context.clone();
                return jetstream::Message { message, context };
            }
            Ok(_) => {}
            // The stream goes with the event.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Scripted {
    pub(crate) name: String,
    pub(crate) habit: Habit,
    pub(crate) nps: u64,
    pub(crate) proof: String,
    pub(crate) capacity: usize,
    /// What its engines wrote to standard error in every game.
    pub(crate) stderr: [Vec<String>; 2],
    /// The word behind its name; another one each time it is started.
    pub(crate) id: String,
    /// What it says at random about its moves: scores differ each time it plays.
    pub(crate) noise: i64,
    /// Whether it has an account of its own on the server.
    pub(crate) has_account: bool,
    /// Whether one that holds may go on.
    pub(crate) released: Arc<AtomicBool>,
}

impl Scripted {
    pub(crate) fn new(name: &str, habit: Habit) -> Self {
        Self {
            name: name.into(),
            habit,
            nps: 1_000_000,
            proof: "bench 1".into(),
            capacity: 2,
            stderr: Default::default(),
            id: "x".into(),
            noise: 0,
            has_account: false,
            released: Arc::default(),
        }
    }

    /// Its name and word, as they stand in subjects.
    pub(crate) fn word(&self) -> String {
        format!("{}.{}", self.name, self.id)
    }

    /// Finds the event, asks to play, and says what it is told.
    pub(crate) async fn apply(&self, client: &Client) -> (Notice, Option<String>) {
        let mut notices = client.subscribe("quadrille.2.event.*").await.unwrap();
        let notice: Notice = loop {
            // Others may have something put there that is none.
            let message = notices.next().await.unwrap();
            if let Ok(notice) = serde_json::from_slice(&message.payload) {
                break notice;
            }
        };
        let offer = |game: Game, engine: &str| Offer {
            engine: engine.into(),
            game,
            identity: Identity {
                name: Some("Scripted".into()),
                ..Identity::default()
            },
            options: OptionList::default(),
            proof: self.proof.clone(),
        };
        let card = Card {
            v: 2,
            worker: self.word(),
            name: self.name.clone(),
            program: "test".into(),
            nps: self.nps,
            capacity: self.capacity,
            offers: notice
                .needs
                .iter()
                .map(|n| offer(n.game, &n.engine))
                .collect(),
            declines: None,
        };
        let subject = format!("quadrille.2.apply.{}.{}", notice.event, self.word());
        let card = serde_json::to_vec(&card).unwrap();
        // A director answers a worker at its own inbox only.
        let fresh = client.new_inbox();
        let inbox = format!("_INBOX.{}.{}", self.name, fresh.rsplit('.').next().unwrap());
        let mut answers = client.subscribe(inbox.clone()).await.unwrap();
        let asked = client.publish_with_reply(subject, inbox, card.into());
        asked.await.unwrap();
        let answer = answers.next().await.unwrap();
        let verdict: Verdict = serde_json::from_slice(&answer.payload).unwrap();
        (notice, verdict.refused)
    }

    /// Plays until it is aborted or set aside; then the reason.
    pub(crate) async fn work(self, url: String) -> String {
        let client = async_nats::connect(url).await.unwrap();
        self.work_on(client).await
    }

    /// The same over a connection that there is.
    pub(crate) async fn work_on(self, client: Client) -> String {
        let (notice, refused) = self.apply(&client).await;
        assert_eq!(refused, None);
        let mut orders = client
            .subscribe(format!("quadrille.2.worker.{}", self.word()))
            .await
            .unwrap();
        let context = jetstream::new(client.clone());
        let mut jobs = self.jobs(&context, &notice.event).await;
        let mut beats = tokio::time::interval(Duration::from_millis(100));
        let mut held: Vec<(Instant, Job)> = Vec::new();
        loop {
            tokio::select! {
                _ = beats.tick() => {
                    let over = |since: &Instant| match self.habit {
                        Habit::Holds => self.released.load(Ordering::Relaxed),
                        _ => since.elapsed() > SLOW,
                    };
                    while held.first().is_some_and(|(since, _)| over(since)) {
                        self.answer(&context, &held.remove(0).1).await;
                    }
                    let beat = Beat {
                        worker: self.word(),
                        busy: held.iter().map(|(_, job)| (job.number, job.attempt)).collect(),
                        free: 1,
                        live: Vec::new(),
                    };
                    let subject = format!("quadrille.2.beat.{}.{}", notice.event, self.word());
                    let beat = serde_json::to_vec(&beat).unwrap();
                    client.publish(subject, beat.into()).await.unwrap();
                }
                Some(order) = orders.next() => {
                    let order: Order = serde_json::from_slice(&order.payload).unwrap();
                    if let Some(reason) = order.aside {
                        return reason;
                    }
                }
                Some(message) = jobs.next() => {
                    if self.habit == Habit::Silent {
                        continue;
                    }
                    let job: Job = serde_json::from_slice(&message.payload).unwrap();
                    let own = [self.word(), self.name.clone()];
                    let avoids = job.avoid.iter().any(|avoided| own.contains(avoided));
                    if avoids && self.habit == Habit::HoldsItsChecks {
                        held.push((Instant::now() + Duration::from_hours(1), job));
                        continue;
                    }
                    if avoids && self.habit != Habit::ChecksItself {
                        let pause = self.pause_of(&message, &job);
                        let _ = message.ack_with(AckKind::Nak(Some(pause))).await;
                        continue;
                    }
                    if matches!(self.habit, Habit::Slow | Habit::Holds) {
                        held.push((Instant::now(), job));
                    } else {
                        self.answer(&context, &job).await;
                    }
                    let _ = message.ack().await;
                }
            }
        }
    }

    /// As long as a worker pauses that leaves a job to others, for a director without
    /// patience.
    fn pause_of(&self, message: &jetstream::Message, job: &Job) -> Duration {
        let delivered = message.info().map_or(1, |info| info.delivered);
        let mut hasher = DefaultHasher::new();
        (&self.name, job.number, job.attempt, delivered).hash(&mut hasher);
        let share = u32::try_from(hasher.finish() % 1000).unwrap() + 500;
        Duration::from_micros(10).saturating_mul(share << delivered.clamp(1, 5))
    }

    /// The jobs that the server gives it.
    async fn jobs<'a>(
        &self,
        context: &'a jetstream::Context,
        event: &'a str,
    ) -> BoxStream<'a, jetstream::Message> {
        if self.habit == Habit::NeverAsks {
            return stream::pending().boxed();
        }
        if self.has_account {
            let jobs = std::iter::repeat_with(move || next_job(context, event));
            return stream::iter(jobs).buffered(1).boxed();
        }
        // Who asks for many jobs at once is dealt one in turn with the others, and now and
        // then the check of its own game.
        let stream = format!("QUADRILLE_JOBS_{event}");
        let consumer = context.get_consumer_from_stream("workers", stream).await;
        let consumer: Consumer<pull::Config> = consumer.unwrap();
        let jobs = consumer.messages().await.unwrap();
        jobs.filter_map(async |job| job.ok()).boxed()
    }

    async fn answer(&self, context: &jetstream::Context, job: &Job) {
        let outcome = match &job.task {
            Task::Game(game) => self.outcome(game, job.number),
            Task::Look(look) => {
                let cp = if self.habit == Habit::SlandersOthers {
                    -900
                } else {
                    0
                };
                let found = EngineScore::Cp(cp + self.random(job.number));
                Outcome::Looked(vec![Some(found); look.looks.len()])
            }
            Task::Analyse(_) => panic!("nothing is analysed here"),
        };
        let reply = Reply {
            v: 2,
            event: job.event.clone(),
            number: job.number,
            attempt: job.attempt,
            ticket: job.ticket.clone(),
            worker: self.word(),
            name: self.name.clone(),
            outcome,
        };
        let payload: bytes::Bytes = serde_json::to_vec(&reply).unwrap().into();
        let subject = format!(
            "quadrille.2.result.{}.{}.{}",
            job.event,
            job.number,
            self.word()
        );
        let times = if self.habit == Habit::Twice { 2 } else { 1 };
        for time in 0..times {
            let mut headers = HeaderMap::new();
            let id = format!("{}.{}.{time}", job.number, job.ticket);
            headers.insert("Nats-Msg-Id", id.as_str());
            let sent = context
                .publish_with_headers(subject.clone(), headers, payload.clone())
                .await;
            // The stream goes with the event.
            if let Ok(acknowledged) = sent {
                let _ = acknowledged.await;
            }
        }
    }

    /// A small number that follows from a job and this worker.
    fn random(&self, number: u64) -> i64 {
        if self.noise == 0 {
            return 0;
        }
        let mut sum = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for byte in self.name.bytes() {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        (sum >> 33) as i64 % (2 * self.noise + 1) - self.noise
    }

    fn outcome(&self, game: &GameJob, number: u64) -> Outcome {
        // Those who check have numbers far from those of games.
        let forges = matches!(self.habit, Habit::Forges(every) if number.is_multiple_of(every));
        if self.habit == Habit::Broken {
            return Outcome::Trouble("it has no engine".into());
        }
        let mut line = AnyLine::new(game.game, &game.rules, &game.start).unwrap();
        for text in &game.moves {
            line.play(text).unwrap();
        }
        let mut clocks = game.seats.each_ref().map(|seat| {
            let margin = Duration::from_millis(seat.margin_ms);
            GameClock::new(&seat.time, margin)
        });
        let mut plies = Vec::new();
        let most = game.wishes.max_moves.unwrap_or(50) as usize * 2;
        let ending = loop {
            let breaks = match self.habit {
                Habit::Disconnects => true,
                Habit::FailsChecks => number >= 1 << 40,
                _ => false,
            };
            if breaks && plies.len() == 2 {
                let fault = quadrille_match::referee::Fault::Disconnect("gone".into());
                break Ending::by_fault(line.side(), fault);
            }
            if self.habit == Habit::Overloaded && plies.len() == 2 {
                let fault = quadrille_match::referee::Fault::Time(Duration::from_secs(10));
                break Ending::by_fault(line.side(), fault);
            }
            if let Some(outcome) = line.outcome_with_claims() {
                break Ending::by_rules(outcome);
            }
            if line.plies() >= most {
                break Ending::adjudicated(None, quadrille_match::referee::Adjudicated::MaxMoves);
            }
            let legal = line.legal_moves(if forges { 100 } else { 1 });
            let made = &legal[legal.len() - 1];
            let cp = if forges { 700 } else { 0 };
            let text = made.text.clone();
            let spent = Duration::from_micros(5);
            let side = line.side();
            clocks[(!side).index()].opponent_spent(spent);
            let clock = &mut clocks[side.index()];
            let _ = clock.spend(spent, spent);
            plies.push(Ply {
                clock_us: clock.left().map(|left| left.as_micros() as i64),
                text: text.clone(),
                notation: made.notation.clone(),
                score: Some(EngineScore::Cp(
                    cp + self.random(number + plies.len() as u64),
                )),
                nodes: Some(100),
                depth: Some(1),
                pv: Some(text.clone()),
                elapsed: Duration::from_micros(5),
                charged: Duration::from_micros(5),
                ..Ply::default()
            });
            line.play(&text).unwrap();
        };
        let mut ending = ending;
        match self.habit {
            Habit::WrongResult => {
                ending.result = quadrille_games::records::GameResult::WhiteWins;
            }
            Habit::IllegalMove => {
                let odd = Ply {
                    text: "a1a1".into(),
                    ..Ply::default()
                };
                plies[0] = odd;
            }
            _ => {}
        }
        Outcome::Played(Box::new(PlayedGame {
            plies,
            ending,
            ended: "2026-11-16T19:00:00Z".into(),
            duration_us: 1_000_000,
            findings: Vec::new(),
            permille: 1000,
            taken_us: if self.habit == Habit::Overloaded {
                900_000
            } else {
                0
            },
            stderr: self.stderr.clone(),
        }))
    }
}
