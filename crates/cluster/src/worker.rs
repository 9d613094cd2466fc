//! A worker: hears of events, proves that it can play, takes jobs and sends results.

mod event;
mod roll;
mod speed;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, context::Context};
use async_nats::{Client, Message};
use futures_util::StreamExt;
use quadrille_games::Game;
use tokio::sync::{Mutex as AsyncMutex, Semaphore, mpsc, watch};
use tokio::task::JoinSet;

use crate::access::Access;
use crate::config::WorkerConfig;
use crate::error::ClusterError;
use crate::messages::{Card, Notice, Offer, Order, Verdict, read, write};
use crate::names::{self, VERSION};
use crate::prove::{measure_speed, prove};
use crate::serve::{Served, reached};
use crate::server_version;
use crate::table::Tables;

pub use event::{Stop, WorkerEvent};

/// How soon a worker that was refused asks again.
const ASK_AGAIN: Duration = Duration::from_mins(1);
/// How long a director is waited for.
const REPLY: Duration = Duration::from_secs(10);
/// Events that one worker knows at a time.
const MOST_EVENTS: usize = 64;
/// Events beyond that are remembered so far that it is said once.
const MOST_IGNORED: usize = 1024;
/// A director that is silent for so many times its own patience is gone; it is
/// heard again if it comes back.
const SILENCES: u32 = 20;
/// How often it is looked whether one is.
const LOOK: Duration = Duration::from_secs(1);

/// A worker that is to be started.
#[derive(Debug)]
pub struct Worker {
    /// How the server is reached.
    pub access: Access,
    /// What it has and gives.
    pub config: WorkerConfig,
    /// The program that is the built-in engine.
    pub program: PathBuf,
}

/// What all tasks of a worker share.
#[derive(Debug)]
pub(crate) struct Shop {
    pub(crate) config: WorkerConfig,
    pub(crate) program: PathBuf,
    pub(crate) client: Client,
    pub(crate) context: Context,
    /// Our word.
    pub(crate) id: String,
    pub(crate) name: String,
    /// Nodes a second, as measured last.
    speed: AtomicU64,
    pub(crate) capacity: usize,
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) tables: Tables,
    pub(crate) played: AtomicU64,
    pub(crate) tell: mpsc::UnboundedSender<WorkerEvent>,
    pub(crate) stop: watch::Receiver<Stop>,
    offers: AsyncMutex<HashMap<(String, Game), Result<Offer, String>>>,
    events: Mutex<HashMap<String, Known>>,
    /// Events for which there was no room.
    ignored: Mutex<HashSet<String>>,
}

/// An event that was heard of.
#[derive(Debug)]
struct Known {
    session: u32,
    title: String,
    patience: Duration,
    /// When its director was last heard.
    heard: Instant,
    /// Where it is played for; nothing while it is asked, or if it is refused.
    served: Option<Arc<Served>>,
    refused: Option<(String, Instant)>,
    /// Why it was refused when that was last said.
    told: Option<String>,
}

impl Known {
    fn new(notice: &Notice) -> Self {
        Self {
            session: notice.session,
            title: notice.title.clone(),
            patience: notice.patience(),
            heard: Instant::now(),
            served: None,
            refused: None,
            told: None,
        }
    }

    /// It does not play there; `true` if that has not been said before.
    fn refuse(&mut self, reason: &str) -> bool {
        self.refused = Some((reason.into(), Instant::now()));
        let told = self.told.replace(reason.into());
        told.as_deref() != Some(reason)
    }

    /// Its director is not heard.
    fn is_silent(&self) -> bool {
        self.heard.elapsed() > self.patience
    }

    /// It never will be again, as it looks.
    fn is_gone(&self) -> bool {
        let busy = self.served.as_ref().is_some_and(|served| served.busy() > 0);
        !busy && self.heard.elapsed() > self.patience * SILENCES
    }
}

impl Worker {
    /// Works until it is told to stop. What happens goes to `tell`.
    pub async fn run(
        self,
        tell: mpsc::UnboundedSender<WorkerEvent>,
        stop: watch::Receiver<Stop>,
    ) -> Result<(), ClusterError> {
        let mut stopped = stop.clone();
        let shop = tokio::select! {
            shop = self.open(tell, stop) => shop?,
            () = reached(&mut stopped, |stop| *stop > Stop::No) => return Ok(()),
        };
        shop.listen().await
    }

    /// Connects, measures, and proves all engines.
    async fn open(
        self,
        tell: mpsc::UnboundedSender<WorkerEvent>,
        stop: watch::Receiver<Stop>,
    ) -> Result<Arc<Shop>, ClusterError> {
        let Self {
            access,
            config,
            program,
        } = self;
        let name = config.name();
        let capacity = config.capacity();
        let client = access
            .connect(&format!("quadrille worker: {name}"), &names::key(&name))
            .await?;
        let nps = match config.speed {
            Some(speed) => speed.max(1),
            None => measure_speed(&program, capacity).await?,
        };
        let mut context = jetstream::new(client.clone());
        context.set_timeout(Duration::from_secs(5));
        let shop = Arc::new(Shop {
            id: format!("{}.{}", names::key(&name), names::fresh(&client)),
            context,
            client,
            name,
            speed: AtomicU64::new(nps),
            capacity,
            permits: Arc::new(Semaphore::new(capacity)),
            tables: Tables::default(),
            played: AtomicU64::new(0),
            tell,
            stop,
            offers: AsyncMutex::default(),
            events: Mutex::default(),
            ignored: Mutex::default(),
            config,
            program,
        });
        shop.prove_all().await?;
        Ok(shop)
    }
}

impl Shop {
    fn events(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn nps(&self) -> u64 {
        self.speed.load(Ordering::Relaxed)
    }

    pub(crate) fn say(&self, event: WorkerEvent) {
        // An owner who does not listen misses it.
        let _ = self.tell.send(event);
    }

    /// Proves every engine of the file before the first job: one that cannot be
    /// started is its owner's mistake, and is told at once.
    async fn prove_all(&self) -> Result<(), ClusterError> {
        let mut pairs = vec![("builtin".to_owned(), Game::Chess)];
        for (engine, section) in &self.config.engine {
            match &section.games[..] {
                [] => pairs.push((engine.clone(), Game::Chess)),
                games => pairs.extend(games.iter().map(|game| (engine.clone(), *game))),
            }
        }
        let mut engines = Vec::new();
        for (engine, game) in pairs {
            match self.offer(&engine, game).await {
                Ok(offer) => engines.push((engine, offer.proof)),
                Err(why) => return Err(ClusterError::Input(why)),
            }
        }
        if let Some(reason) = server_version::warning_of(&self.client) {
            self.say(WorkerEvent::Warning { reason });
        }
        self.say(WorkerEvent::Ready {
            name: self.name.clone(),
            capacity: self.capacity,
            nps: self.nps(),
            engines,
        });
        Ok(())
    }

    /// What an engine proved to be; each is started once for that.
    async fn offer(&self, engine: &str, game: Game) -> Result<Offer, String> {
        let mut offers = self.offers.lock().await;
        let key = (engine.to_owned(), game);
        if let Some(known) = offers.get(&key) {
            return known.clone();
        }
        let found = prove(&self.config, &self.program, engine, game).await;
        // Names that are not ours come from the network, and would fill it.
        if self.config.has(engine, game) {
            offers.insert(key, found.clone());
        }
        found
    }

    /// Hears of events until it is told to stop.
    async fn listen(self: Arc<Self>) -> Result<(), ClusterError> {
        let subscribe = |subject: String| async {
            let made = self.client.subscribe(subject).await;
            made.map_err(|error| ClusterError::server(&error))
        };
        let mut notices = subscribe(names::notices()).await?;
        let mut orders = subscribe(names::orders(&self.id)).await?;
        let mut rolls = subscribe(names::roll()).await?;
        let mut stop = self.stop.clone();
        let mut tasks = JoinSet::new();
        let mut looks = tokio::time::interval(LOOK);
        let measuring = tokio::spawn(Arc::clone(&self).keep_measuring());
        loop {
            tokio::select! {
                _ = looks.tick() => self.let_go(),
                Some(message) = notices.next() => {
                    if let Some(notice) = read::<Notice>(&message.payload) {
                        self.noticed(notice, &mut tasks);
                    }
                }
                Some(message) = orders.next() => self.ordered(&message, &mut tasks),
                Some(_) = rolls.next() => self.answer_roll().await,
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {}
                // An owner who has gone wants nothing more.
                _ = stop.wait_for(|stop| *stop > Stop::No) => break,
            }
        }
        measuring.abort();
        // Those that serve see it too: they finish their games or give them back.
        while tasks.join_next().await.is_some() {}
        tokio::select! {
            _ = tokio::time::timeout(REPLY, self.client.flush()) => {}
            () = reached(&mut stop, |stop| *stop == Stop::Now) => {}
        }
        self.tables.close().await;
        // They hold this worker, and with it those who are told what happens.
        self.events().clear();
        Ok(())
    }

    /// Work is offered, or over.
    fn noticed(self: &Arc<Self>, mut notice: Notice, tasks: &mut JoinSet<()>) {
        if !notice.is_sound() {
            return;
        }
        notice.title = names::shown(&notice.title);
        let mut events = self.events();
        if !notice.open {
            if let Some(known) = events.remove(&notice.event)
                && let Some(served) = known.served
            {
                let title = known.title;
                let reason = "it is over".into();
                served.leave();
                self.say(WorkerEvent::Leaves { title, reason });
            }
            return;
        }
        let full = events.len() >= MOST_EVENTS;
        match events.get_mut(&notice.event) {
            Some(known) => {
                known.heard = Instant::now();
                if known.session == notice.session {
                    let refused = known.refused.as_ref();
                    if refused.is_none_or(|(_, at)| at.elapsed() <= ASK_AGAIN) {
                        return;
                    }
                } else {
                    // Its director was started again: what is being played goes on.
                    known.session = notice.session;
                    known.patience = notice.patience();
                    known.told = None;
                }
                known.refused = None;
            }
            None if full => {
                drop(events);
                self.ignore(&notice);
                return;
            }
            None => {
                events.insert(notice.event.clone(), Known::new(&notice));
            }
        }
        drop(events);
        let shop = Arc::clone(self);
        tasks.spawn(async move { shop.enrol(notice).await });
    }

    /// Says once that there is no room for an event.
    fn ignore(&self, notice: &Notice) {
        let mut ignored = self.ignored.lock().unwrap_or_else(PoisonError::into_inner);
        if ignored.len() < MOST_IGNORED && ignored.insert(notice.event.clone()) {
            let title = notice.title.clone();
            let reason = format!("it knows {MOST_EVENTS} matches already, which is the most");
            self.say(WorkerEvent::Refused { title, reason });
        }
    }

    /// Forgets events whose directors are gone, so that they are in the way of no
    /// other.
    fn let_go(&self) {
        let mut gone = Vec::new();
        self.events().retain(|_, known| {
            let keep = !known.is_gone();
            if !keep && let Some(served) = known.served.take() {
                served.leave();
                gone.push(std::mem::take(&mut known.title));
            }
            keep
        });
        for title in gone {
            let reason = "its director is silent".into();
            self.say(WorkerEvent::Leaves { title, reason });
        }
    }

    /// Whether jobs of another event are waited for.
    pub(crate) fn serves_others(&self, event: &str) -> bool {
        let events = self.events();
        let mut others = events.iter().filter(|(word, _)| *word != event);
        others.any(|(_, known)| known.served.is_some())
    }

    /// The events that it plays for.
    fn served(&self) -> Vec<Arc<Served>> {
        let events = self.events();
        events
            .values()
            .filter_map(|known| known.served.clone())
            .collect()
    }

    /// Returns whether it plays for an event with clocks.
    fn plays_timed(&self) -> bool {
        self.served()
            .iter()
            .any(|served| served.notice().reference > 0)
    }

    /// Whether the director of an event is not heard.
    pub(crate) fn is_silent(&self, event: &str) -> bool {
        let events = self.events();
        events.get(event).is_none_or(Known::is_silent)
    }

    /// Asks to play for an event, and if it may, does so to its end.
    async fn enrol(self: Arc<Self>, notice: Notice) {
        let mut stop = self.stop.clone();
        let verdict = tokio::select! {
            verdict = self.apply(&notice) => verdict,
            () = reached(&mut stop, |stop| *stop > Stop::No) => return,
        };
        let served = {
            let mut events = self.events();
            let Some(known) = events.get_mut(&notice.event) else {
                return;
            };
            match verdict {
                Err(reason) => {
                    let title = known.title.clone();
                    let left = known.served.take().inspect(|served| served.leave());
                    if known.refuse(&reason) || left.is_some() {
                        self.say(WorkerEvent::Refused { title, reason });
                    }
                    return;
                }
                Ok(()) => {
                    known.told = None;
                    if let Some(served) = &known.served {
                        served.renew(&notice);
                        return;
                    }
                    let served = Arc::new(Served::new(&notice, Arc::clone(&self)));
                    known.served = Some(Arc::clone(&served));
                    let title = known.title.clone();
                    self.say(WorkerEvent::Serves { title });
                    served
                }
            }
        };
        served.work().await;
    }

    /// What this worker offers for an event, or why it cannot play.
    async fn card(&self, notice: &Notice) -> Result<Card, String> {
        let mut offers: Vec<Offer> = Vec::new();
        for need in notice.needs.iter().take(256) {
            let offer = self.offer(&need.engine, need.game).await?;
            self.config
                .allows(&need.engine, &offer.options, &need.options)?;
            if !offers.contains(&offer) {
                offers.push(offer);
            }
        }
        if notice.tables && self.config.syzygy.is_empty() {
            return Err(
                "endgame tables decide games there, and it has none (syzygy = [...])".into(),
            );
        }
        Ok(Card {
            v: VERSION,
            worker: self.id.clone(),
            name: self.name.clone(),
            program: concat!("quadrille ", env!("CARGO_PKG_VERSION")).into(),
            nps: self.nps(),
            capacity: self.capacity,
            offers,
            declines: None,
        })
    }

    async fn apply(&self, notice: &Notice) -> Result<(), String> {
        let (card, declined) = match self.card(notice).await {
            Ok(card) => (card, None),
            Err(reason) => {
                // The director learns why as well.
                let card = Card {
                    v: VERSION,
                    worker: self.id.clone(),
                    name: self.name.clone(),
                    program: String::new(),
                    nps: self.nps(),
                    capacity: self.capacity,
                    offers: Vec::new(),
                    declines: Some(reason.clone()),
                };
                (card, Some(reason))
            }
        };
        let subject = names::apply(&notice.event, &self.id);
        loop {
            let asked = self.client.request(subject.clone(), write(&card));
            let answer = tokio::time::timeout(REPLY, asked).await;
            if let Some(reason) = declined {
                return Err(reason);
            }
            if let Ok(Ok(message)) = answer {
                let verdict = read::<Verdict>(&message.payload);
                return match verdict.map(|verdict| verdict.refused) {
                    Some(None) => Ok(()),
                    Some(Some(reason)) => Err(names::explained(&reason)),
                    None => Err("its director's answer cannot be read".into()),
                };
            }
            if !self.events().contains_key(&notice.event) {
                return Err("it is over".into());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// A director tells this worker something.
    fn ordered(self: &Arc<Self>, message: &Message, tasks: &mut JoinSet<()>) {
        let Some(order) = read::<Order>(&message.payload) else {
            return;
        };
        let mut events = self.events();
        let Some(known) = events.get_mut(&order.event) else {
            return;
        };
        if let Some(reason) = order.aside.as_deref().map(names::explained) {
            known.refuse(&reason);
            if let Some(served) = known.served.take() {
                served.leave();
                let title = known.title.clone();
                self.say(WorkerEvent::Leaves { title, reason });
            }
        } else {
            let Some(served) = known.served.clone() else {
                return;
            };
            drop(events);
            let shop = Arc::clone(self);
            tasks.spawn(async move { shop.enrol(served.notice()).await });
        }
    }

    /// Forgets an event whose streams are gone.
    pub(crate) fn forget(&self, event: &str) {
        self.events().remove(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_said_once_until_it_is_another() {
        let notice = Notice {
            v: VERSION,
            event: "e".into(),
            session: 1,
            open: true,
            title: "t".into(),
            needs: Vec::new(),
            tables: false,
            reference: 0,
            slowest_permille: 4000,
            patience_ms: 300,
            live: false,
        };
        let mut known = Known::new(&notice);
        assert!(known.refuse("it is too slow") && !known.refuse("it is too slow"));
        assert!(known.refuse("it was set aside: it lies"));
        assert!(!known.is_gone());
    }
}
