//! The hall with connections, a store and a clock.
//!
//! One task owns the [`Hall`]. It takes one note after the other and never waits:
//! connections, the store and threads that hash passwords send it notes, and it
//! carries out the hall's [`Effect`]s.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc as std_mpsc};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot, watch};

use crate::clock::{Coming, ServerClock};
use crate::connection::{self, Inbox, Lines, Outbox};
use crate::hall::{
    Address, ConnId, Effect, HASHING, Hall, Keep, Log, Logins, Order, Refused, Settings,
};
use crate::password::{Hasher, Work};
use crate::store::{Command, News, Store, StoreError};

/// Lines that wait for the hall; connections wait beyond.
const WAITING: usize = 4096;
/// So many notes are taken before news of the store and of threads are looked at.
const PORTION: usize = 64;
/// How soon a line is looked for again that has its stamp and has not come yet.
const ON_ITS_WAY: Duration = Duration::from_millis(1);
/// How long lines that have a stamp and do not come keep the timers from going on. None
/// should take nearly as long.
const LONGEST_WAY: Duration = Duration::from_secs(1);

/// Takes what happens, for the operator.
pub type Logger = Box<dyn Fn(&Log) + Send>;

/// What a server is made of.
pub struct Options {
    /// What the operator decides.
    pub settings: Settings,
    /// The file.
    pub store: PathBuf,
    /// What clients are told that we are.
    pub program: String,
    /// Where news go.
    pub log: Logger,
    /// How much work a password is.
    pub work: Work,
}

impl core::fmt::Debug for Options {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Options")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

/// What a connection tells the hall.
pub(crate) struct Note {
    pub(crate) conn: ConnId,
    /// When it happened.
    pub(crate) at: Duration,
    pub(crate) what: What,
    pub(crate) _coming: Coming,
}

/// What happened at a connection.
pub(crate) enum What {
    Connect(Address, Outbox),
    Lines(Lines),
    TooLong,
    Closed,
}

enum Inner {
    Checked(ConnId, bool),
    Hashed(ConnId, Option<String>),
    Written(u64),
    Command(Command),
    /// The store cannot write; what it says is looked at after every note.
    Failed,
    Order(Box<Order>, oneshot::Sender<Result<Value, Refused>>),
    Stop,
}

/// A running server. It ends when it is drained or [stopped](Self::stop), not when
/// this is dropped.
#[derive(Clone)]
pub struct Server {
    inbox: Inbox,
    inner: mpsc::UnboundedSender<Inner>,
    next: Arc<AtomicU64>,
    ended: watch::Receiver<Option<Result<(), String>>>,
    settings: Arc<Settings>,
    known: Known,
}

/// Addresses that are remembered.
const MOST_KNOWN: usize = 1_000_000;

/// Addresses that owners of accounts have come from.
type Known = Arc<Mutex<HashSet<IpAddr>>>;

fn learn(known: &Known, logins: &Logins) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST_KNOWN {
        return;
    }
    let addresses = logins.known.iter();
    known.extend(addresses.filter_map(|text| text.parse::<IpAddr>().ok()));
}

impl core::fmt::Debug for Server {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}

impl Server {
    /// Opens the store and begins. Must be called inside a runtime.
    pub fn start(options: Options) -> Result<Self, StoreError> {
        let (notes, lines) = mpsc::channel(WAITING);
        let (inner, news) = mpsc::unbounded_channel();
        let orders = inner.clone();
        let (store, kept) = Store::open(&options.store, move |news| {
            let news = match news {
                News::Order(command) => Inner::Command(command),
                News::Failed => Inner::Failed,
            };
            // A server that has ended hears nothing.
            let _ = orders.send(news);
        })?;
        let secrets = Box::new(|| getrandom::u64().unwrap_or_else(|_| fallback()));
        let settings = Arc::new(options.settings.clone());
        let known = Known::default();
        for (_, logins) in &kept.logins {
            learn(&known, logins);
        }
        let clock = ServerClock::start();
        let hall = Hall::new(options.settings, &options.program, secrets, kept);
        let (told, ended) = watch::channel(None);
        let hub = Hub {
            hall,
            store,
            log: options.log,
            work: options.work,
            outboxes: HashMap::new(),
            inner: inner.clone(),
            clock: Arc::clone(&clock),
            lines,
            ahead: None,
            waits: None,
            hashing: hashers(&inner),
            known: Arc::clone(&known),
            over: None,
        };
        tokio::spawn(async move {
            let result = hub.run(news).await;
            // It is not waited for: fine.
            let _ = told.send(Some(result));
        });
        Ok(Self {
            inbox: Inbox { notes, clock },
            inner,
            next: Arc::new(AtomicU64::new(1)),
            ended,
            settings,
            known,
        })
    }

    /// Whether the owner of an account has come from there.
    pub(crate) fn knows(&self, address: IpAddr) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&address)
    }

    /// What the operator decided.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A client comes in on any stream of bytes: TCP, TLS, or a pipe in memory.
    pub fn join<S>(&self, stream: S, address: Address)
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let conn = ConnId(self.next.fetch_add(1, Ordering::Relaxed));
        let address = address.map(connection::network);
        tokio::spawn(connection::serve(stream, conn, address, self.inbox.clone()));
    }

    /// Carries out an order of the operator.
    pub async fn operate(&self, order: Order) -> Result<Value, Refused> {
        let gone = || Refused("the server has ended".into());
        let (told, answer) = oneshot::channel();
        let sent = self.inner.send(Inner::Order(Box::new(order), told));
        sent.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Ends now. Games that run go on when the server is there again.
    pub fn stop(&self) {
        // One that has ended need not be told.
        let _ = self.inner.send(Inner::Stop);
    }

    /// Waits for the end: drained, stopped, or why it could not go on.
    pub async fn ended(&self) -> Result<(), String> {
        let mut ended = self.ended.clone();
        let result = ended.wait_for(Option::is_some).await;
        match result {
            Ok(result) => result.clone().unwrap_or(Ok(())),
            Err(_) => Err("the server broke down".into()),
        }
    }
}

/// Without random numbers of the system: the time and an address in memory, which
/// is better than a constant.
fn fallback() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::time::Instant::now())
}

struct Hub {
    hall: Hall,
    store: Store,
    log: Logger,
    work: Work,
    outboxes: HashMap<ConnId, Outbox>,
    inner: mpsc::UnboundedSender<Inner>,
    clock: Arc<ServerClock>,
    lines: mpsc::Receiver<Note>,
    /// The next note, whose stamp the clock of the hall does not go past.
    ahead: Option<Note>,
    /// Since when lines have a stamp and none has come.
    waits: Option<Duration>,
    /// Where passwords are hashed.
    hashing: std_mpsc::Sender<Hashing>,
    known: Known,
    over: Option<Result<(), String>>,
}

impl Hub {
    async fn run(mut self, mut news: mpsc::UnboundedReceiver<Inner>) -> Result<(), String> {
        loop {
            self.carry_out();
            if let Some(result) = self.over.take() {
                return self.close(result).await;
            }
            let due = self.hall.deadline().map(|at| self.clock.instant(at));
            let coming = self.are_coming();
            let sleep = async {
                match due {
                    _ if coming => tokio::time::sleep(ON_ITS_WAY).await,
                    Some(at) => tokio::time::sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            if self.ahead.is_some() {
                if let Ok(inner) = news.try_recv() {
                    self.hear(inner);
                }
            } else {
                tokio::select! {
                    biased;
                    Some(inner) = news.recv() => self.hear(inner),
                    Some(note) = self.lines.recv() => self.ahead = Some(note),
                    () = sleep => {}
                }
            }
            self.take_portion();
            // Others of this thread get their turn, readers among them.
            if self.ahead.is_some() {
                tokio::task::yield_now().await;
            }
        }
    }

    /// Takes notes in the order in which they happened. Timers come between them, and
    /// none that was due after a note that is not taken yet: a move that came in time
    /// must not lose because the hall was late.
    fn take_portion(&mut self) {
        for _ in 0..PORTION {
            let Some(note) = self.ahead.take() else { break };
            self.waits = None;
            self.hall.tick(note.at);
            self.carry_out();
            self.ahead = self.take(note).or_else(|| self.lines.try_recv().ok());
        }
        match self.ahead.as_ref().map(|note| note.at) {
            Some(at) => self.hall.tick(at),
            // What has a stamp and is not here yet comes in a moment.
            None if self.are_coming() => {}
            None => self.hall.tick(self.clock.now()),
        }
    }

    /// Whether lines that have a stamp are waited for. Not for ever: whatever keeps one
    /// from coming must not keep the timers of all.
    fn are_coming(&mut self) -> bool {
        if !self.clock.are_coming() {
            self.waits = None;
            return false;
        }
        let now = self.clock.now();
        let since = *self.waits.get_or_insert(now);
        now.saturating_sub(since) < LONGEST_WAY
    }

    /// Tells everybody that the server goes, and waits a little until they heard.
    async fn close(mut self, result: Result<(), String>) -> Result<(), String> {
        let line: Arc<str> = "info string the server ends: games go on when it is back".into();
        for outbox in self.outboxes.values() {
            outbox.push(line.clone());
        }
        self.outboxes.clear();
        tokio::time::sleep(Duration::from_millis(50)).await;
        result
    }

    /// Takes a note, or the first of its lines: what is left of it is given back.
    fn take(&mut self, mut note: Note) -> Option<Note> {
        let (conn, now) = (note.conn, self.clock.now());
        match note.what {
            What::Lines(ref mut lines) => {
                if let Some(line) = lines.take() {
                    self.hall.line(conn, line, note.at, now);
                }
                let over = lines.is_empty();
                self.carry_out();
                return (!over).then_some(note);
            }
            What::Connect(address, outbox) => {
                self.outboxes.insert(conn, outbox);
                self.hall.connect(conn, address, now);
            }
            What::TooLong => self.hall.too_long(conn, now),
            What::Closed => {
                self.outboxes.remove(&conn);
                self.hall.closed(conn, now);
            }
        }
        self.carry_out();
        None
    }

    fn hear(&mut self, inner: Inner) {
        let now = self.clock.now();
        match inner {
            Inner::Checked(conn, right) => self.hall.checked(conn, right, now),
            Inner::Hashed(conn, hash) => self.hall.hashed(conn, hash.as_deref(), now),
            Inner::Failed => {}
            Inner::Written(game) => self.hall.written(game, now),
            Inner::Command(command) => {
                let order = serde_json::from_str::<Order>(&command.text);
                let order = order.map_err(|error| Refused(error.to_string()));
                let answer = match order.and_then(|order| self.hall.operate(order, now)) {
                    Ok(answer) => serde_json::json!({ "ok": answer }),
                    Err(why) => serde_json::json!({ "error": why.to_string() }),
                };
                self.store.answer(command.id, answer.to_string());
            }
            Inner::Order(order, told) => {
                // It is not waited for any more: fine.
                let _ = told.send(self.hall.operate(*order, now));
            }
            Inner::Stop => self.over = Some(Ok(())),
        }
    }

    fn carry_out(&mut self) {
        for effect in self.hall.effects() {
            match effect {
                Effect::Send(conn, line) => self.post(conn, line),
                Effect::Close(conn) => drop(self.outboxes.remove(&conn)),
                Effect::Check {
                    conn,
                    password,
                    hash,
                } => self.hash(move |hasher| Inner::Checked(conn, hasher.is(&password, &hash))),
                Effect::Hash { conn, password } => {
                    let work = self.work;
                    self.hash(move |hasher| Inner::Hashed(conn, hasher.hash(&password, work).ok()));
                }
                Effect::Keep(keep) => self.keep(keep),
                Effect::Log(log) => (self.log)(&log),
                Effect::Drained => self.over = Some(Ok(())),
            }
        }
        if let Some(why) = self.store.failure() {
            self.over = Some(Err(format!("nothing can be written any more: {why}")));
        }
    }

    /// A client that does not read is cut off: others must not wait for it.
    fn post(&mut self, conn: ConnId, line: Arc<str>) {
        let Some(outbox) = self.outboxes.get(&conn) else {
            return;
        };
        if !outbox.push(line) {
            self.outboxes.remove(&conn);
            self.hall.closed(conn, self.clock.now());
        }
    }

    fn keep(&self, keep: Keep) {
        if let Keep::Logins(_, Some(logins)) = &keep {
            learn(&self.known, logins);
        }
        let told = match &keep {
            Keep::End(game, ..) => {
                let (game, inner) = (*game, self.inner.clone());
                let told = move || drop(inner.send(Inner::Written(game)));
                Some(Box::new(told) as Box<dyn FnOnce() + Send>)
            }
            _ => None,
        };
        self.store.keep(keep, told);
    }

    /// Hashes a password on another thread.
    fn hash(&self, work: impl FnOnce(&mut Hasher) -> Inner + Send + 'static) {
        // The threads last as long as this.
        let _ = self.hashing.send(Box::new(work));
    }
}

/// A password to be hashed, and what that tells the hall.
type Hashing = Box<dyn FnOnce(&mut Hasher) -> Inner + Send>;

/// Threads that hash passwords, each in memory of its own, until the server ends.
fn hashers(inner: &mpsc::UnboundedSender<Inner>) -> std_mpsc::Sender<Hashing> {
    let (sender, waiting) = std_mpsc::channel::<Hashing>();
    let waiting = Arc::new(Mutex::new(waiting));
    for _ in 0..HASHING {
        let (inner, waiting) = (inner.clone(), Arc::clone(&waiting));
        std::thread::spawn(move || {
            let mut hasher = Hasher::default();
            loop {
                let next = waiting
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .recv();
                let Ok(work) = next else { return };
                let _ = inner.send(work(&mut hasher));
            }
        });
    }
    sender
}
