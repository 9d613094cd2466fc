//! The director's side of an event on the server: jobs go into one stream, results
//! come out of another, workers are heard and watched.
//!
//! Nothing here is believed to happen once. A job may be lost, delivered twice or
//! played twice; a result may wait for a director that was killed. What makes it
//! exactly once is that a game has a number, that the first sound result of a
//! number is kept, and that a message is acknowledged only when it is.

mod beats;
mod entry;
mod expected;
mod intake;
mod news;
mod overdue;
mod results;
mod streams;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::{Client, jetstream::context::Context};
use quadrille_match::tournament::MatchEvent;
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use crate::crew::{Crew, Entry, Numbers, Standing, was_set_aside};
use crate::error::ClusterError;
use crate::messages::{Live, Notice, Reply, beat_interval, write};
use crate::names::{self, VERSION, shown};
use crate::parcel::{Receipt, give};
use crate::secret::Secret;
use crate::server_version;
use intake::Subscriptions;
use news::{Kind, Warnings};
use results::{Early, Strangers};

pub(crate) use expected::Expected;
pub(crate) use overdue::HoldLimit;
use overdue::{Holders, Times};

/// A pause before something that failed is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// Attempts that belong to one run of a director.
const SESSION: u32 = 1000;
/// Checks of games that are kept have numbers from here on.
pub(crate) const CHECKS: u64 = 1 << 40;
/// Words of a job that wait for the one who waits for it. While its result is being
/// checked nobody takes them.
const MOST_WORDS: usize = 64;
/// Those of them that workers bring about with their heartbeats.
const MOST_HEARD: usize = 16;
/// What waits to be told.
const MOST_NEWS: usize = 10_000;

/// What is offered to workers.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// A word of its own, the same after a resume.
    pub(crate) event: String,
    /// Counts the runs of its director.
    pub(crate) session: u32,
    pub(crate) title: String,
    pub(crate) entry: Entry,
    pub(crate) tables: bool,
    pub(crate) live: bool,
    /// Jobs at once.
    pub(crate) jobs: usize,
    pub(crate) keep: Keep,
    /// How long a worker may hold a job; nothing if as long as it likes.
    pub(crate) hold: Option<HoldLimit>,
    pub(crate) secret: Secret,
    /// Messages that came faster than they were read, and were dropped.
    pub(crate) dropped: Arc<AtomicU64>,
}

/// What becomes of the streams of an event whose director is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// They wait until it goes on.
    Resumable,
    /// They are of no use to any other run.
    ThisRun,
}

/// What is heard of a job.
#[derive(Debug)]
pub(crate) enum Word {
    Reply(Box<Reply>, Vec<Receipt>),
    Live(String, Live),
    /// It is with no worker any more.
    Lost(String),
    /// The server gave it only to workers that leave it to others, as often as it gives a
    /// job, and those others have no time.
    Left,
    /// A worker has it that was told to leave it to others.
    Grabbed(String),
    /// These workers hold it for too long.
    Overdue(Vec<String>),
    /// The event ends, and no worker plays it.
    GivenUp,
}

/// An event on the server.
#[derive(Debug)]
pub(crate) struct Queue {
    plan: Plan,
    client: Client,
    context: Context,
    state: Mutex<State>,
    /// Rings when a worker comes in.
    pub(crate) came: Notify,
    tasks: Mutex<JoinSet<()>>,
    /// Nothing new is dealt any more.
    stopped: watch::Sender<bool>,
}

#[derive(Debug, Default)]
struct State {
    crew: Crew,
    waiting: HashMap<u64, Waiting>,
    /// Jobs that were in the stream when this run began, by number.
    adopted: HashMap<u64, u32>,
    early: Early,
    strangers: Strangers,
    kept: Numbers,
    times: Times,
    /// What is acknowledged when its game is kept.
    owed: HashMap<u64, (String, Vec<Receipt>)>,
    /// The games of this run that count, by the keys of their workers.
    played: HashMap<String, Vec<u64>>,
    /// Checks so far.
    checks: u64,
    news: Vec<MatchEvent>,
    /// Workers that were refused, so that it is said once.
    refused: HashMap<String, String>,
    warnings: Warnings,
    /// Workers that sent what is too large, by their names.
    oversized: HashSet<String>,
    /// It was told that messages came too fast.
    told_of_flood: bool,
    /// Games that ended in the last minutes, second by second.
    ended: VecDeque<(Instant, u64)>,
    told: (usize, usize, u64),
    told_at: Option<Instant>,
    connected: Option<bool>,
    /// Workers were there when it was last looked.
    manned: bool,
    stopped_at: Option<Instant>,
    jobs: usize,
}

#[derive(Debug)]
struct Waiting {
    sender: mpsc::Sender<Word>,
    /// When it was last seen with a worker, or could not be with one.
    seen: Instant,
    /// When it was last seen with a worker, or dealt.
    held: Instant,
    /// The keys of workers that are not to take it.
    closed_to: Vec<String>,
    /// The game that it checks, if it is a check.
    checks: Option<u64>,
    /// The attempts that were dealt: a worker can have no others.
    attempts: Vec<u32>,
    holders: Holders,
}

impl Queue {
    /// Opens the streams of an event, those of an earlier run as they are.
    /// `finished` are the games whose results need not be waited for, `roster` the
    /// workers that were let in before.
    pub(crate) async fn over(
        client: Client,
        plan: Plan,
        finished: impl IntoIterator<Item = u64>,
        roster: Option<&str>,
    ) -> Result<Arc<Self>, ClusterError> {
        let mut context = jetstream::new(client.clone());
        context.set_timeout(Duration::from_secs(5));
        let mut state = State {
            jobs: plan.jobs,
            ..State::default()
        };
        for number in finished {
            state.kept.insert(number);
        }
        if let Some(roster) = roster {
            state.crew.recall(roster);
        }
        if let Some(reason) = server_version::warning_of(&client) {
            state.news.push(MatchEvent::Warning { reason });
        }
        let queue = Arc::new(Self {
            plan,
            client,
            context,
            state: Mutex::new(state),
            came: Notify::new(),
            tasks: Mutex::new(JoinSet::new()),
            stopped: watch::Sender::new(false),
        });
        // Before there are streams: those without a director who listens are swept.
        let heard = queue.subscribe().await?;
        queue.sweep().await;
        queue.make_streams().await?;
        let consumer = queue.make_results_consumer(true).await?;
        queue.drain(&consumer).await;
        let adopted = queue.jobs_in_stream().await?;
        for (number, attempt) in &adopted {
            // The game that an earlier run checked is judged anew.
            if *number >= CHECKS {
                queue.withdraw(*number, *attempt).await;
            }
        }
        queue.lock().adopted = adopted;
        queue.start(heard);
        Ok(queue)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(self: &Arc<Self>, heard: Subscriptions) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        self.listen(heard, &mut tasks);
        let queue = Arc::clone(self);
        tasks.spawn(async move { queue.collect().await });
        let queue = Arc::clone(self);
        tasks.spawn(async move {
            let pause = beat_interval(queue.patience()).min(Duration::from_secs(1));
            let mut ticks = tokio::time::interval(pause);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut said = None;
            loop {
                ticks.tick().await;
                queue.crew(|crew| crew.tick(Instant::now(), pause * 2));
                queue.forget_strangers().await;
                queue.lock().tell_counted(false);
                queue.tell_of_flood();
                queue.end_overdue().await;
                // Every worker hears it: the more there are, the more seldom.
                let workers = queue.watch() as u64;
                let pause = Duration::from_millis((workers * 2).min(10_000));
                if said.is_none_or(|said: Instant| said.elapsed() >= pause) {
                    said = Some(Instant::now());
                    queue.say(true).await;
                }
            }
        });
    }

    /// Returns the time by which the silence of workers is judged.
    pub(crate) fn now(&self) -> Instant {
        self.lock().crew.clock().now()
    }

    pub(crate) fn patience(&self) -> Duration {
        self.plan.entry.patience
    }

    /// Offers the work, or ends it.
    async fn say(&self, open: bool) {
        let entry = &self.plan.entry;
        let notice = Notice {
            v: VERSION,
            event: self.plan.event.clone(),
            session: self.plan.session,
            open,
            title: self.plan.title.clone(),
            needs: entry.needs.clone(),
            tables: self.plan.tables,
            reference: entry.reference,
            slowest_permille: entry.slowest_permille,
            patience_ms: u64::try_from(entry.patience.as_millis()).unwrap_or(u64::MAX),
            live: self.plan.live,
        };
        // Said again soon.
        let _ = self
            .client
            .publish(names::notice(&self.plan.event), write(&notice))
            .await;
    }

    /// Lets go of results of workers that have not come in.
    async fn forget_strangers(&self) {
        let unknown = self.lock().expired_strangers(self.patience());
        for (reply, receipts) in unknown {
            let name = shown(&reply.name);
            let job = self.lock().job_name(reply.number);
            let words = format!(
                "a result of worker {name}, which was never let in, does not count ({job})"
            );
            self.lock().warn_once(Kind::Stranger, &name, words);
            give(receipts).await;
        }
    }

    /// What happened since it was last asked.
    pub(crate) fn news(&self) -> Vec<MatchEvent> {
        std::mem::take(&mut self.lock().news)
    }

    pub(crate) fn tell(&self, event: MatchEvent) {
        let mut state = self.lock();
        if state.news.len() < MOST_NEWS {
            state.news.push(event);
        }
    }

    /// Asks the crew something, or tells it.
    pub(crate) fn crew<T>(&self, ask: impl FnOnce(&mut Crew) -> T) -> T {
        ask(&mut self.lock().crew)
    }

    /// The first attempt at a job in this run; `true` if it is in the stream from
    /// an earlier run, or its result came before.
    pub(crate) fn first_attempt(&self, number: u64) -> (u32, bool) {
        let mut guard = self.lock();
        let state = &mut *guard;
        match state.adopted.remove(&number) {
            Some(attempt) => {
                if let Some(waiting) = state.waiting.get_mut(&number) {
                    waiting.attempts.push(attempt);
                }
                (attempt, true)
            }
            None => (
                self.plan.session.saturating_mul(SESSION).saturating_add(1),
                false,
            ),
        }
    }

    /// The attempt after this one.
    pub(crate) fn next_attempt(&self, attempt: u32) -> u32 {
        (attempt + 1).max(self.plan.session.saturating_mul(SESSION).saturating_add(1))
    }

    /// A result is taken; it is acknowledged when it is kept. The receipts come back if
    /// its worker has been set aside meanwhile: then it does not count.
    pub(crate) fn taken(
        &self,
        number: u64,
        worker: String,
        receipts: Vec<Receipt>,
    ) -> Result<(), Vec<Receipt>> {
        let mut state = self.lock();
        if state.crew.standing(&worker) == Standing::Aside {
            return Err(receipts);
        }
        let key = names::key_of(&worker).to_owned();
        if let Some(waiting) = state.waiting.get(&number) {
            let time = waiting.holders.time(&worker);
            state.times.push(&key, time);
        }
        state.played.entry(key).or_default().push(number);
        state.owed.insert(number, (worker, receipts));
        Ok(())
    }

    /// A job is done for good.
    pub(crate) async fn kept(&self, number: u64) {
        let owed = {
            let mut state = self.lock();
            state.kept.insert(number);
            match state.ended.back_mut() {
                Some((second, games)) if second.elapsed() < Duration::from_secs(1) => *games += 1,
                _ => state.ended.push_back((Instant::now(), 1)),
            }
            let owed = state.owed.remove(&number);
            if let Some((worker, _)) = &owed {
                state.crew.played(worker);
            }
            owed
        };
        give(owed.into_iter().flat_map(|(_, receipts)| receipts)).await;
    }

    /// Sets a worker aside, and says so.
    pub(crate) async fn set_aside(&self, worker: &str, name: &str, reason: &str) {
        if self.crew(|crew| crew.set_aside(worker, reason)) {
            let reason = format!("worker {name} is set aside: {reason}");
            self.tell(MatchEvent::Warning { reason });
        }
        self.order(worker, Some(was_set_aside(reason))).await;
    }

    /// Sets all workers of a key aside for good, and returns, once, their games of this run
    /// that count.
    pub(crate) async fn expel(&self, key: &str, reason: &str) -> Vec<u64> {
        let (gone, games) = {
            let mut state = self.lock();
            let games = state.played.remove(key).unwrap_or_default();
            (state.crew.expel(key, reason), games)
        };
        for (worker, name) in gone {
            let words = format!("worker {name} is set aside: {reason}");
            self.tell(MatchEvent::Warning { reason: words });
            self.order(&worker, Some(was_set_aside(reason))).await;
        }
        games
    }

    /// The number of a new check.
    pub(crate) fn next_check(&self) -> u64 {
        let mut state = self.lock();
        state.checks += 1;
        CHECKS + u64::from(self.plan.session) * 1_000_000_000 + state.checks
    }

    /// Returns a number that follows from these, and that only the director can know.
    pub(crate) fn draw(&self, what: &str, number: u64, more: u64) -> u64 {
        self.plan.secret.draw(what, number, more)
    }

    /// Something went wrong with a worker; the third time in a row it is set aside.
    pub(crate) async fn blame(&self, worker: &str, name: &str, reason: &str) {
        if self.crew(|crew| crew.trouble(worker)) {
            self.set_aside(worker, name, reason).await;
        }
    }

    /// Whether there is another worker than this one.
    pub(crate) fn has_others(&self, worker: &str) -> bool {
        let patience = self.patience();
        self.crew(|crew| crew.has_others(worker, patience))
    }

    /// Deals nothing more. What a worker plays may end; what none has is given up.
    pub(crate) fn stop(self: &Arc<Self>) {
        self.lock().stopped_at.get_or_insert_with(Instant::now);
        if self.stopped.send_replace(true) {
            return;
        }
        let queue = Arc::clone(self);
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.spawn(async move { queue.withdraw_all().await });
    }

    /// Returns when nothing is dealt any more.
    pub(crate) async fn stopped(&self) {
        let mut stopped = self.stopped.subscribe();
        // The sender lives as long as this.
        let _ = stopped.wait_for(|stopped| *stopped).await;
    }

    /// Another number of jobs at once.
    pub(crate) fn resize(self: &Arc<Self>, jobs: usize) {
        self.lock().jobs = jobs;
        let queue = Arc::clone(self);
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.spawn(async move {
            // Then it holds as many as before, and others wait.
            let _ = queue.context.update_stream(queue.job_stream(jobs)).await;
        });
    }

    /// Ends the work: jobs are withdrawn, workers stop theirs. What is `complete`
    /// leaves nothing on the server.
    pub(crate) async fn close(&self, complete: bool) {
        let mut tasks = {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *tasks)
        };
        tasks.shutdown().await;
        let work = async {
            self.say(false).await;
            if complete {
                self.delete_streams(&self.plan.event).await;
            } else {
                self.withdraw_all().await;
            }
            let _ = self.client.flush().await;
        };
        self.lock().tell_counted(true);
        // A server that is away keeps its streams; nothing depends on them.
        let _ = tokio::time::timeout(Duration::from_secs(10), work).await;
    }
}
