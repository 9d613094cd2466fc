//! A page as a client of a game server: lines to it and from it.
//!
//! The page speaks the protocol itself. Here lines are only carried: between its
//! socket and a game server of this process, or one that the owner names.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::ToPage;
use quadrille_net::Remote;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::{Hub, HubHandle};
use crate::guard::Role;

/// Lines that may wait for a game server, and how long one may be, either way.
const MOST_LINES: usize = 64;
const LONGEST: usize = 128 << 10;
/// How long a game server may take to answer a call.
const PATIENCE: Duration = Duration::from_secs(10);
/// Where ULCI's servers listen.
const PORT: u16 = 25565;

/// A connection to a game server.
pub trait Line: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Line for T {}

type Open = dyn Fn(IpAddr) -> Box<dyn Line> + Send + Sync;

/// The way into a game server of this process.
#[derive(Clone)]
pub struct Door(Arc<Open>);

impl Door {
    /// `open` gives a connection for a page that comes from an address. It must not wait.
    pub fn new(open: impl Fn(IpAddr) -> Box<dyn Line> + Send + Sync + 'static) -> Self {
        Self(Arc::new(open))
    }
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Door")
    }
}

/// The place of a page at a game server. It is left when this is dropped.
#[derive(Debug)]
pub(super) struct Online {
    lines: mpsc::Sender<String>,
    /// What comes from an earlier connection is not heard any more.
    number: u64,
}

/// Numbers of connections.
static NUMBERS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);

impl Hub {
    /// A page wants to play at a game server.
    pub(super) fn join_server(&mut self, page: PageId, address: Option<String>) {
        let Some(open) = self.pages.get_mut(page) else {
            return;
        };
        let from = match open.role {
            Role::Visitor(from) => from,
            _ => IpAddr::from([127, 0, 0, 1]),
        };
        let way = match (address, &self.hall) {
            (Some(address), _) => Way::Call(address),
            (None, Some(door)) => Way::Open((door.0)(from)),
            (None, None) => {
                let words = "there is no game server here: name one".into();
                return self.send(page, &ToPage::Parted { words });
            }
        };
        let (lines, waiting) = mpsc::channel(MOST_LINES);
        let number = NUMBERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        open.online = Some(Online { lines, number });
        let caller = Caller {
            hub: self.handle.clone(),
            page,
            number,
        };
        tokio::spawn(caller.talk(way, waiting));
    }

    /// A line for the game server.
    pub(super) fn tell_server(&mut self, page: PageId, line: String) {
        let Some(open) = self.pages.get_mut(page) else {
            return;
        };
        let words = match &open.online {
            // Two lines in one would be a way round everything that looks at lines.
            _ if line.contains(['\n', '\r']) || line.len() > LONGEST => "that is no line",
            Some(online) => match online.lines.try_send(line) {
                Ok(()) => return,
                Err(_) => "the game server does not listen any more",
            },
            None => "there is no connection to a game server",
        };
        open.online = None;
        let words = words.into();
        self.send(page, &ToPage::Parted { words });
    }

    /// Leaves the game server.
    pub(super) fn part(&mut self, page: PageId) {
        if let Some(open) = self.pages.get_mut(page) {
            open.online = None;
        }
    }

    fn heard_server(&mut self, page: PageId, number: u64, message: &ToPage) {
        let Some(open) = self.pages.get_mut(page) else {
            return;
        };
        if open.online.as_ref().is_none_or(|o| o.number != number) {
            return;
        }
        if matches!(message, ToPage::Parted { .. }) {
            open.online = None;
        }
        self.send(page, message);
    }
}

/// How a game server is reached.
enum Way {
    Open(Box<dyn Line>),
    Call(String),
}

/// Carries lines for a page.
struct Caller {
    hub: HubHandle,
    page: PageId,
    number: u64,
}

impl Caller {
    async fn talk(self, way: Way, lines: mpsc::Receiver<String>) {
        let line = match way {
            Way::Open(line) => Ok(line),
            Way::Call(address) => reach(&address).await,
        };
        let words = match line {
            Ok(line) => self.carry(line, lines).await,
            Err(words) => words,
        };
        self.tell(ToPage::Parted { words }).await;
    }

    async fn tell(&self, message: ToPage) {
        let (page, number) = (self.page, self.number);
        let call = move |hub: &mut Hub| hub.heard_server(page, number, &message);
        self.hub.call(call).await;
    }

    /// Until one of both ends it; why it is over.
    async fn carry(&self, line: Box<dyn Line>, mut lines: mpsc::Receiver<String>) -> String {
        let (reading, mut writing) = tokio::io::split(line);
        let mut reading = BufReader::new(reading);
        let mut heard = Vec::new();
        loop {
            tokio::select! {
                said = lines.recv() => {
                    let Some(mut said) = said else {
                        return "left".into();
                    };
                    said.push('\n');
                    let sent = tokio::time::timeout(PATIENCE, writing.write_all(said.as_bytes()));
                    if !matches!(sent.await, Ok(Ok(()))) {
                        return "the game server does not listen any more".into();
                    }
                }
                // What was read of a line stays in `heard` when the other branch is taken.
                read = next(&mut reading, &mut heard) => match read {
                    Ok(true) => {
                        let text = String::from_utf8_lossy(&heard);
                        let line = text.trim_end_matches(['\n', '\r']).to_owned();
                        heard.clear();
                        self.tell(ToPage::Heard { line }).await;
                    }
                    Ok(false) => return "the game server has ended the connection".into(),
                    Err(error) => return format!("the connection broke: {error}"),
                },
            }
        }
    }
}

/// Reads on until a line is whole; `false` at the end.
async fn next(
    reading: &mut (impl AsyncBufReadExt + Unpin),
    heard: &mut Vec<u8>,
) -> io::Result<bool> {
    let room = (LONGEST + 1).saturating_sub(heard.len()) as u64;
    reading.take(room).read_until(b'\n', heard).await?;
    if heard.ends_with(b"\n") {
        return Ok(true);
    }
    if heard.len() > LONGEST {
        return Err(io::Error::other("it sent a line without an end"));
    }
    Ok(false)
}

/// Calls a game server that the owner has named: `host:port`, or with `tcp://` or
/// `tls://` before it. The usual port is that of ULCI servers.
async fn reach(address: &str) -> Result<Box<dyn Line>, String> {
    let address = if address.contains("://") {
        address.to_owned()
    } else if address.contains(':') {
        format!("tcp://{address}")
    } else {
        format!("tcp://{address}:{PORT}")
    };
    let wrong = || format!("{address} is no address: right would be games.example:{PORT}");
    let remote = Remote::read(&address).ok_or_else(wrong)?;
    let remote = remote.map_err(|error| error.to_string())?;
    match remote.connect(PATIENCE).await {
        Ok(connection) => Ok(Box::new(connection)),
        Err(error) => Err(format!("{address} cannot be reached: {error}")),
    }
}
