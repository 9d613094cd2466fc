//! Takes connections, counts places, tells what happens.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use quadrille_games::Game;
use quadrille_net::sanitize::cut;
use quadrille_net::{Acceptor, Connection, Secret};
use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::entrance::{Entrance, Threshold, is_password};
use super::filter::{Filter, Rules};
use super::session::{self, lines};
use crate::spec::EngineSpec;
use crate::{Engine, StartError, open};

/// How long a client may take to say its password.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a client waits for a place that is about to be free.
const TURN: Duration = Duration::from_secs(3);
/// Names, passwords and what else may stand before the engine's first word.
const LONGEST_GREETING: usize = 1024;
/// After a connection could not be taken, because the system has no room.
const PAUSE: Duration = Duration::from_millis(100);

/// An engine that is lent.
///
/// ```no_run
/// use quadrille_driver::lend::Lender;
/// use quadrille_net::Secret;
/// use quadrille_driver::spec::EngineSpec;
///
/// # async fn example() -> std::io::Result<()> {
/// let engine = EngineSpec { command: "stockfish".into(), ..EngineSpec::default() };
/// let mut lender = Lender::new(engine);
/// lender.password = Secret::new("open sesame");
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:4711").await?;
/// let (events, mut told) = tokio::sync::mpsc::channel(100);
/// tokio::spawn(lender.serve(listener, events));
/// while let Some(event) = told.recv().await {
///     println!("{event}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Lender {
    /// What is started for each client. Its options are set for everybody, and no
    /// client can change them.
    pub engine: EngineSpec,
    /// What clients must know.
    pub password: Option<Secret>,
    /// Plain, or TLS.
    pub door: Acceptor,
    /// How many clients at once.
    pub most: usize,
    /// How long a client may say nothing.
    pub idle: Duration,
    /// Options that clients may set though they may name files.
    pub allow_options: Vec<String>,
    /// Words that clients may say though they are not of the protocol.
    pub allow_words: Vec<String>,
}

/// What happened, for the owner. As text it is one line that is fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LendEvent {
    /// A client has a place.
    Came {
        /// Where it is.
        address: SocketAddr,
        /// What it calls itself.
        name: String,
        /// How many there are now.
        taken: usize,
        /// How many there can be.
        most: usize,
    },
    /// A client's session is over.
    Went {
        /// Where it was.
        address: SocketAddr,
        /// What it called itself.
        name: String,
        /// How long it was there.
        stay: Duration,
        /// Why it is over.
        why: String,
    },
    /// A connection did not become a session.
    Refused {
        /// Where it came from.
        address: SocketAddr,
        /// Why.
        why: String,
        /// How many more there were of which nothing was told.
        untold: u64,
    },
}

fn guest(address: &SocketAddr, name: &str) -> String {
    match name {
        "" => address.to_string(),
        name => format!("{} ({address})", cut(name, 40)),
    }
}

impl fmt::Display for LendEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Came {
                address,
                name,
                taken,
                most,
            } => {
                let guest = guest(address, name);
                write!(f, "{guest} came; {taken} of {most} places are taken")
            }
            Self::Went {
                address,
                name,
                stay,
                why,
            } => {
                let (guest, seconds) = (guest(address, name), stay.as_secs_f64());
                write!(f, "{guest} went after {seconds:.1} s: {}", cut(why, 300))
            }
            Self::Refused {
                address,
                why,
                untold,
            } => {
                write!(f, "{address} was refused: {}", cut(why, 300))?;
                if *untold > 0 {
                    write!(f, " (and {untold} more)")?;
                }
                Ok(())
            }
        }
    }
}

/// What all connections share.
struct Shared {
    lender: Lender,
    places: Arc<Semaphore>,
    entrance: Arc<Entrance>,
    events: mpsc::Sender<LendEvent>,
    untold: AtomicU64,
}

impl Lender {
    /// One client at a time, plain and without a password.
    pub fn new(engine: EngineSpec) -> Self {
        Self {
            engine,
            password: None,
            door: Acceptor::plain(),
            most: 1,
            idle: Duration::from_hours(1),
            allow_options: Vec::new(),
            allow_words: Vec::new(),
        }
    }

    /// Starts the engine once and lets it go again: whether it can be lent, with the
    /// options that are set for everybody, and what it calls itself.
    pub async fn prove(&self, game: Game) -> Result<String, StartError> {
        let mut engine = Engine::start(&self.engine, game).await?;
        for (name, value) in &self.engine.options {
            // For the driver it is only odd: the option may be meant for another engine.
            engine.options().find(name)?.check(value.as_deref())?;
        }
        let name = engine.name().to_owned();
        engine.quit().await;
        Ok(name)
    }

    /// Serves clients until the future is dropped; then all engines are killed. What
    /// happens is told as long as there is room in the channel.
    pub async fn serve(self, listener: TcpListener, events: mpsc::Sender<LendEvent>) {
        let shared = Arc::new(Shared {
            places: Arc::new(Semaphore::new(self.most)),
            entrance: Arc::default(),
            lender: self,
            events,
            untold: AtomicU64::new(0),
        });
        // Dropped with us, and every session with it.
        let mut sessions = JoinSet::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                Some(_) = sessions.join_next() => continue,
            };
            let Ok((stream, address)) = accepted else {
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            match shared.entrance.step_on(address.ip()) {
                Ok(threshold) => {
                    let shared = Arc::clone(&shared);
                    sessions.spawn(async move { shared.receive(stream, address, threshold).await });
                }
                Err(why) => shared.refused(address, why),
            }
        }
    }

    fn filter(&self) -> Filter {
        let rules = Rules {
            options: self.allow_options.clone(),
            words: self.allow_words.clone(),
            set: self.engine.options.clone(),
            most: self.most,
        };
        Filter::new(rules, self.engine.dialect.unwrap_or_default())
    }
}

impl Shared {
    /// The owner hears of everything in time; what comes faster than it is read is
    /// counted.
    fn refused(&self, address: SocketAddr, why: impl Into<String>) {
        // Room is kept for those who came in.
        if self.events.capacity() < self.events.max_capacity() / 2 {
            self.untold.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let event = LendEvent::Refused {
            address,
            why: why.into(),
            untold: self.untold.swap(0, Ordering::Relaxed),
        };
        let _ = self.events.try_send(event);
    }

    async fn receive(&self, stream: TcpStream, address: SocketAddr, threshold: Threshold) {
        if let Err(error) = self.session(stream, address, threshold).await {
            self.refused(address, error.to_string());
        }
    }

    /// An error is one before the session has begun.
    async fn session(
        &self,
        stream: TcpStream,
        address: SocketAddr,
        threshold: Threshold,
    ) -> io::Result<()> {
        let mut connection = self.lender.door.enter(stream).await?;
        let greeting = timeout(PATIENCE, self.greet(&mut connection)).await;
        let greeting = greeting.unwrap_or(Err(Refusal::Silent));
        let (name, heard) = match greeting {
            Ok(greeting) => greeting,
            Err(refusal) => {
                if matches!(refusal, Refusal::WrongPassword) {
                    threshold.was_wrong();
                }
                say(&mut connection, refusal.words()).await;
                return Err(io::Error::other(refusal.words()));
            }
        };
        // Without a password everybody is a stranger.
        if self.lender.password.is_some() {
            threshold.was_right();
        }
        // A host that starts an engine anew is quicker than the end of the old one.
        let place = Arc::clone(&self.places).acquire_owned();
        let Ok(Ok(place)) = timeout(TURN, place).await else {
            let words = "all places are taken; try again later";
            say(&mut connection, words).await;
            return Err(io::Error::other(words));
        };
        drop(threshold);
        let engine = match open(&self.lender.engine).await {
            Ok(engine) => engine,
            Err(error) => {
                // Why is the owner's affair: it speaks of folders.
                say(&mut connection, "the engine could not be started").await;
                return Err(io::Error::other(error.to_string()));
            }
        };
        let most = self.lender.most;
        let taken = most - self.places.available_permits().min(most);
        let _ = self.events.try_send(LendEvent::Came {
            address,
            name: name.clone(),
            taken,
            most,
        });
        let began = Instant::now();
        let (filter, idle) = (self.lender.filter(), self.lender.idle);
        let end = session::lead(&mut connection, heard, engine, filter, idle).await;
        drop(place);
        let _ = self.events.try_send(LendEvent::Went {
            address,
            name,
            stay: began.elapsed(),
            why: end.words(),
        });
        Ok(())
    }

    /// Reads `username NAME` and `password WORD`. What comes behind them belongs to
    /// the engine, and is given back unread. Where there is no password, clients that
    /// give one are welcome too: their first other word begins the session.
    async fn greet(&self, connection: &mut Connection) -> Result<(String, LineBuffer), Refusal> {
        let mut name = String::new();
        let mut line = Vec::new();
        for _ in 0..2 * LONGEST_GREETING {
            // One byte at a time: what is behind the greeting may be long, and is not
            // ours to look at before the password is known to be right.
            match connection.read_u8().await {
                Ok(b'\n') => {}
                Ok(byte) if line.len() < LONGEST_GREETING => {
                    line.push(byte);
                    continue;
                }
                Ok(_) => return Err(Refusal::NoPassword),
                Err(_) => return Err(Refusal::Silent),
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
            match (word, &self.lender.password) {
                ("username", _) => name = cut(rest.trim(), 40).into_owned(),
                ("password", Some(password)) if is_password(password, rest.trim()) => {
                    return Ok((name, lines()));
                }
                ("password", Some(_)) => return Err(Refusal::WrongPassword),
                ("password", None) | ("", _) => {}
                (_, Some(_)) => return Err(Refusal::NoPassword),
                (_, None) => {
                    let mut heard = lines();
                    heard.feed(&line);
                    heard.feed(b"\n");
                    return Ok((name, heard));
                }
            }
            line.clear();
        }
        Err(Refusal::NoPassword)
    }
}

/// Why a client does not get in.
enum Refusal {
    Silent,
    NoPassword,
    WrongPassword,
}

impl Refusal {
    const fn words(&self) -> &'static str {
        match self {
            Self::Silent => "it said nothing in time",
            Self::NoPassword => "this engine is lent with a password: :PASSWORD@ before the host",
            Self::WrongPassword => "the password is wrong",
        }
    }
}

/// Tells a client why it is not served; it may not listen.
async fn say(connection: &mut Connection, words: &str) {
    let line = format!("info error {words}\n");
    let said = async {
        connection.write_all(line.as_bytes()).await?;
        connection.shutdown().await?;
        // What it has said meanwhile is read, so that closing does not take our words
        // away from it.
        let mut rest = [0; 1024];
        while connection.read(&mut rest).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = timeout(Duration::from_millis(500), said).await;
}
