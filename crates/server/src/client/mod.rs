//! The other side of the connection: engines and people who play at a server.
//!
//! | file | what is in it |
//! |---|---|
//! | `mod` | [`Connector`]: who we are, coming in, coming back; [`Lines`]: messages both ways |
//! | `bot` | [`Bot`]: an engine that plays by itself |
//! | `search` | one search of its engine |
//! | `strength` | how weak it shall be, for each engine of its own |
//! | `person` | [`Person`]: what a player sees and may type, without input or output |
//! | `words` | what is listed, in words |
//! | `typed` | what is typed, read tolerantly |
//! | `board` | a game as the client follows it |

mod board;
mod bot;
mod person;
mod search;
mod strength;
mod typed;
mod words;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use quadrille_games::Game;
use quadrille_net::sanitize::{cut, one_line};
use quadrille_net::{AddressError, ConnectError, Connection, Remote, Secret, masked};
use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::message::{Id, Tell, ToClient, ToServer, Welcome, Wish};

pub use bot::{Bot, BotError, BotEvent};
pub use person::{Out, Person};

/// How long a server may take to let us in, and to take a line.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long we wait for a server's first word until we say one. A game server greets
/// at once; others wait for us, and show by their answer what they are.
const GREETING: Duration = Duration::from_secs(1);
/// How long a server may take to welcome us to its lobby. ULCI has no such word: a server
/// that says nothing after our `uciok` has let us in.
const LOBBY: Duration = Duration::from_secs(3);
/// The first and the longest pause between two tries to come back.
const PAUSES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(15)];
/// The longest line of a server: the largest board with the moves of a long game.
const LONGEST: usize = 1 << 18;
const CHUNK: usize = 1 << 14;
/// Lines of a server before its welcome that are kept.
const MOST_BEFORE: usize = 100;

/// The name of a person who gives none; the server puts a number behind it.
const GUEST: &str = "guest";

/// The port of a server that names none: that of ULCI's reference server.
pub const PORT: u16 = 25565;

/// Reads where a server is: `HOST`, `HOST:PORT`, or an address with `tcp://` or
/// `tls://` as a [`Remote`] is written.
///
/// ```
/// use quadrille_server::client::address;
///
/// assert_eq!(address("box.example").unwrap().to_string(), "tcp://box.example:25565");
/// assert_eq!(address("[::1]:7").unwrap().to_string(), "tcp://[::1]:7");
/// assert!(address("http://box").is_err());
/// ```
pub fn address(text: &str) -> Result<Remote, AddressError> {
    let (kind, place) = match text.split_once("://") {
        Some((kind @ ("tcp" | "tls"), place)) => (kind, place),
        Some(_) => {
            return Err(AddressError {
                text: masked(text),
                why: "write HOST, HOST:PORT, tcp://HOST:PORT or tls://HOST:PORT".into(),
            });
        }
        None => ("tcp", text),
    };
    let whole = format!("{kind}://{place}");
    let with_port = || {
        // The fragment comes behind the port.
        let (host, rest) = match place.find("#sha256:").or_else(|| place.find("#ca:")) {
            Some(at) => place.split_at(at),
            None => (place, ""),
        };
        format!("{kind}://{host}:{PORT}{rest}")
    };
    let read = |text: &str| Remote::read(text).and_then(Result::ok);
    if let Some(remote) = read(&whole).or_else(|| read(&with_port())) {
        return Ok(remote);
    }
    match Remote::read(&whole) {
        Some(Err(error)) => Err(error),
        _ => Err(AddressError {
            text: masked(text),
            why: "write HOST or HOST:PORT".into(),
        }),
    }
}

/// Reads a game that is wished: `chess 300+5 rated white`, in any order. What is
/// wrong, and what would be right, is in words.
pub fn wish(text: &str, usual: Game) -> Result<Wish, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    typed::wish(&words, usual).map(|(wish, _)| wish)
}

/// Whether the server says that the same player came in from elsewhere. To come back
/// then would send the other one away in turn, for ever.
pub fn is_elsewhere(said: &ToClient) -> bool {
    matches!(said, ToClient::Note(text) if text.contains("came in from elsewhere"))
}

/// What a program says that plays all of Liberty Chess by our own rules.
pub fn everything_of_liberty() -> Vec<Id> {
    let pieces: String = quadrille_games::liberty::Kind::ALL
        .iter()
        .map(|kind| kind.letter())
        .collect();
    let mut ids = vec![Id::Version(1), Id::Pieces(pieces)];
    let all = quadrille_games::liberty::Features::ALL;
    ids.extend(all.words().map(|word| Id::Feature(word.into())));
    ids
}

/// Whether a line belongs to a game. A server with a lobby says none of them before its
/// welcome.
const fn is_of_a_game(said: &ToClient) -> bool {
    matches!(
        said,
        ToClient::IsReady
            | ToClient::NewGame
            | ToClient::SetOption { .. }
            | ToClient::Position { .. }
            | ToClient::Go { .. }
            | ToClient::Clock(_)
    )
}

/// Why a client is not in.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server cannot be reached.
    #[error("cannot connect to {address}: {source}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        source: ConnectError,
    },
    /// The connection was lost.
    #[error("the connection to {address} was lost: {source}")]
    Lost {
        /// Where.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// The server does not want us.
    #[error("{address} does not let us in: {why}")]
    Refused {
        /// Where.
        address: String,
        /// What it says.
        why: String,
        /// Whether it is the server's state that is to blame, not what we said.
        passing: bool,
    },
    /// It was reached, and did not say what a game server says first.
    #[error(
        "{address} does not greet as a game server does{}",
        silence_hint(address)
    )]
    Silent {
        /// Where.
        address: String,
    },
    /// What answers there is no game server.
    #[error("{address} is no game server: {why}")]
    NoServer {
        /// Where.
        address: String,
        /// What it did.
        why: String,
    },
}

fn silence_hint(address: &str) -> &'static str {
    if address.starts_with("tcp://") {
        "; if it is one under TLS, write tls://HOST:PORT, with #sha256:... behind it for a \
         certificate of its own"
    } else {
        "; is it the port of a game server?"
    }
}

impl ClientError {
    /// Whether trying again may help.
    const fn may_pass(&self) -> bool {
        match self {
            Self::Connect { source, .. } => {
                matches!(source, ConnectError::Io(_) | ConnectError::Late)
            }
            // A server that is just being restarted is silent, too.
            Self::Lost { .. } | Self::Silent { .. } => true,
            Self::Refused { passing, .. } => *passing,
            Self::NoServer { .. } => false,
        }
    }
}

/// Who we are, and where to.
#[derive(Debug, Clone)]
pub struct Connector {
    /// The server.
    pub remote: Remote,
    /// A person's name, or that of an engine's account. A person without one is a
    /// guest.
    pub name: Option<String>,
    /// The password of the account.
    pub password: Option<Secret>,
    /// Whether a person plays.
    pub person: bool,
    /// The `id` lines that are about the program.
    pub about: Vec<Id>,
    /// Options of an engine that the server may set.
    pub options: Vec<String>,
    /// The games we play.
    pub games: Vec<Game>,
    /// How long we try to come back.
    pub patience: Duration,
    /// What the server knows us by when we come back.
    pub token: Option<String>,
    /// The password of a seat in an arranged match, which ULCI sends as the username.
    pub seat: Option<String>,
}

impl Connector {
    /// To a server, with nothing said about us.
    pub fn new(remote: Remote) -> Self {
        Self {
            remote,
            name: None,
            password: None,
            person: false,
            about: Vec::new(),
            options: Vec::new(),
            games: Game::ALL.to_vec(),
            patience: Duration::from_mins(10),
            token: None,
            seat: None,
        }
    }

    fn hello(&self) -> Vec<ToServer> {
        let mut hello: Vec<ToServer> = self.about.iter().cloned().map(ToServer::Id).collect();
        let mut id = |id| hello.push(ToServer::Id(id));
        id(Id::Games(self.games.clone()));
        id(Id::Lobby(1));
        match (&self.seat, self.person, &self.name, &self.password) {
            (Some(seat), ..) => id(Id::Username(seat.clone())),
            // Without a username the server would take us for an engine.
            (None, true, name, _) => {
                let name = name.as_deref().unwrap_or(GUEST);
                id(Id::Username(name.into()));
            }
            (None, false, Some(name), Some(_)) => id(Id::Account(name.clone())),
            // An engine without an account is known by its program.
            (None, false, ..) => {}
        }
        if let Some(password) = &self.password {
            id(Id::Password(password.reveal().into()));
        }
        if let Some(token) = &self.token {
            id(Id::Token(token.clone()));
        }
        hello.extend(self.options.iter().cloned().map(ToServer::Option));
        hello.push(ToServer::UciOk);
        hello
    }

    /// Connects, says who we are, and waits until we are in. A server without a lobby
    /// welcomes nobody; its first line about a game, or its silence, tells as much.
    pub async fn enter(&mut self) -> Result<(Lines, Option<Welcome>), ClientError> {
        let address = self.remote.to_string();
        let connected = self.remote.connect(PATIENCE).await;
        let connection = connected.map_err(|source| ClientError::Connect {
            address: address.clone(),
            source,
        })?;
        let mut lines = Lines::new(connection);
        let hands = async {
            self.greeting(&mut lines, &address).await?;
            let entering = self.shake_hands(&mut lines, &address);
            timeout(PATIENCE, entering).await.unwrap_or_else(|_| {
                let why = "it does not let us in, and does not say why".into();
                let address = address.clone();
                Err(ClientError::NoServer { address, why })
            })
        };
        let welcome = hands.await?;
        if let Some(welcome) = &welcome {
            self.remember(welcome);
        }
        Ok((lines, welcome))
    }

    /// Keeps what the server will know us by. A server that is slow may welcome us when
    /// we have taken it for one without a lobby.
    pub fn remember(&mut self, welcome: &Welcome) {
        self.token = Some(welcome.token.clone());
    }

    /// Waits for `uci`, the first word of a game server.
    async fn greeting(&self, lines: &mut Lines, address: &str) -> Result<(), ClientError> {
        let silent = || ClientError::Silent {
            address: address.into(),
        };
        let first = match timeout(GREETING, lines.next()).await {
            Ok(first) => first,
            Err(_) => {
                // Harmless at a game server that is slow.
                let name = ToServer::Id(Id::Name("Quadrille".into()));
                let asked = async {
                    lines.say(&name).await?;
                    lines.next().await
                };
                timeout(PATIENCE, asked).await.map_err(|_| silent())?
            }
        };
        let why = match first {
            Ok(Some(ToClient::Uci)) => return Ok(()),
            Ok(Some(ToClient::ClientError(why))) => return Err(refused(address, &why, false)),
            Ok(Some(ToClient::ServerError(why))) => return Err(refused(address, &why, true)),
            Ok(Some(ToClient::Unknown(text))) if text.starts_with("HTTP/") => {
                format!("it says '{}', as the port of a page does", cut(&text, 60))
            }
            Ok(Some(said)) => format!("it says '{}'", cut(&said.to_string(), 60)),
            Ok(None) | Err(_) => return Err(silent()),
        };
        Err(ClientError::NoServer {
            address: address.into(),
            why,
        })
    }

    async fn shake_hands(
        &self,
        lines: &mut Lines,
        address: &str,
    ) -> Result<Option<Welcome>, ClientError> {
        let lost = |source| ClientError::Lost {
            address: address.into(),
            source,
        };
        for line in self.hello() {
            lines.add(&line);
        }
        lines.send().await.map_err(lost)?;
        // Only a server with a lobby has accounts, and checking a password takes time.
        let patience = if self.password.is_some() {
            2 * PATIENCE
        } else {
            LOBBY
        };
        let silent = Instant::now() + patience;
        let mut last = None;
        let mut before = VecDeque::new();
        let welcome = loop {
            let Ok(said) = timeout_at(silent, lines.next()).await else {
                break None;
            };
            match said {
                Ok(Some(ToClient::Lobby(Tell::Welcome(welcome)))) => break Some(welcome),
                Ok(Some(said)) => {
                    match &said {
                        ToClient::ClientError(why) => last = Some(refused(address, why, false)),
                        ToClient::ServerError(why) => last = Some(refused(address, why, true)),
                        _ => {}
                    }
                    let plays = is_of_a_game(&said);
                    if before.len() < MOST_BEFORE {
                        before.push_back(said);
                    }
                    if plays {
                        break None;
                    }
                }
                // What was said before tells why it closed.
                end => {
                    let eof = || io::ErrorKind::UnexpectedEof.into();
                    return Err(last.unwrap_or_else(|| lost(end.err().unwrap_or_else(eof))));
                }
            }
        };
        if welcome.is_none() {
            lines.waiting = before;
        }
        Ok(welcome)
    }

    /// Tries to come in again after the connection was lost, as long as our patience
    /// lasts; `tell` hears of each try that failed.
    pub async fn come_back(
        &mut self,
        mut tell: impl FnMut(&ClientError),
    ) -> Result<(Lines, Option<Welcome>), ClientError> {
        let until = Instant::now() + self.patience;
        let [mut pause, longest] = PAUSES;
        loop {
            match self.enter().await {
                Ok(entered) => return Ok(entered),
                Err(error) if error.may_pass() && Instant::now() + pause < until => {
                    tell(&error);
                    sleep(pause).await;
                    pause = (pause * 2).min(longest);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// The server has said that it does not want us.
fn refused(address: &str, why: &str, passing: bool) -> ClientError {
    ClientError::Refused {
        address: address.into(),
        why: cut(why, 300).into_owned(),
        passing,
    }
}

/// Messages to and from a server.
#[derive(Debug)]
pub struct Lines {
    reads: ReadHalf<Connection>,
    writes: WriteHalf<Connection>,
    /// What was read already.
    waiting: VecDeque<ToClient>,
    buffer: LineBuffer,
    chunk: Vec<u8>,
    out: Vec<u8>,
}

impl Lines {
    fn new(connection: Connection) -> Self {
        let (reads, writes) = tokio::io::split(connection);
        Self {
            reads,
            writes,
            waiting: VecDeque::new(),
            buffer: LineBuffer::with_limit(LONGEST),
            chunk: vec![0; CHUNK],
            out: Vec::new(),
        }
    }

    /// The next message; `None` at the end. Nothing is lost when the future is
    /// dropped.
    pub async fn next(&mut self) -> io::Result<Option<ToClient>> {
        if let Some(said) = self.waiting.pop_front() {
            return Ok(Some(said));
        }
        loop {
            if let Some(line) = self.buffer.next_line() {
                let text = String::from_utf8_lossy(line);
                if text.trim().is_empty() {
                    continue;
                }
                return Ok(Some(ToClient::parse(&text)));
            }
            match self.reads.read(&mut self.chunk).await? {
                0 => return Ok(None),
                count => self.buffer.feed(&self.chunk[..count]),
            }
        }
    }

    /// Adds a message to what is sent next.
    pub fn add(&mut self, message: &ToServer) {
        let line = message.to_string();
        // A message has no line end in it; this is the last place to be sure.
        self.out.extend_from_slice(one_line(&line).as_bytes());
        self.out.push(b'\n');
    }

    /// Sends what was added.
    pub async fn send(&mut self) -> io::Result<()> {
        let sent = async {
            self.writes.write_all(&self.out).await?;
            self.writes.flush().await
        };
        let late = |_| io::Error::new(io::ErrorKind::TimedOut, "the server does not read");
        timeout(PATIENCE, sent).await.map_err(late)??;
        self.out.clear();
        Ok(())
    }

    /// Sends one message.
    pub async fn say(&mut self, message: &ToServer) -> io::Result<()> {
        self.add(message);
        self.send().await
    }

    /// Leaves.
    pub async fn leave(mut self) {
        let farewell = async {
            self.say(&ToServer::Quit).await?;
            self.writes.shutdown().await
        };
        // It may be gone already.
        let _ = timeout(Duration::from_secs(1), farewell).await;
    }
}
