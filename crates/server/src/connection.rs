//! One connection: bytes in, lines out, both bounded.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_net::Acceptor;
pub(crate) use quadrille_net::network;
use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::clock::ServerClock;
use crate::hall::{Address, ConnId};
use crate::server::{Note, Server, What};

/// The longest line of a client: positions of large boards need some.
pub const LINE: usize = 16 * 1024;
/// Lines and bytes that may wait for a client that does not read.
const QUEUE: usize = 4096;
const QUEUE_BYTES: usize = 1 << 20;
/// How long a write may take before the client counts as gone.
const WRITE: Duration = Duration::from_secs(20);
/// What is read at once.
const CHUNK: usize = 2048;
/// Connections that agree on TLS at the same time, and more of them from addresses that
/// owners of accounts have come from: strangers must not keep everybody out.
const THRESHOLD: usize = 256;
const KEPT: usize = 64;

/// What is to be sent to a client.
#[derive(Debug)]
pub(crate) struct Outbox {
    lines: mpsc::Sender<Arc<str>>,
    bytes: Arc<AtomicUsize>,
}

impl Outbox {
    /// Puts a line into the queue; `false` if there is no room.
    pub(crate) fn push(&self, line: Arc<str>) -> bool {
        let length = line.len() + 1;
        let waiting = self.bytes.fetch_add(length, Ordering::Relaxed);
        // A single line may be longer than the bound.
        let room = waiting == 0 || waiting + length <= QUEUE_BYTES;
        room && self.lines.try_send(line).is_ok()
    }
}

/// Lives as long as the connection.
pub(crate) async fn serve<S>(stream: S, conn: ConnId, address: Address, hub: Inbox)
where
    S: AsyncRead + AsyncWrite + Send + 'static,
{
    let (lines, queue) = mpsc::channel(QUEUE);
    let bytes = Arc::new(AtomicUsize::new(0));
    let outbox = Outbox {
        lines,
        bytes: Arc::clone(&bytes),
    };
    if !hub.send(conn, What::Connect(address, outbox)).await {
        return;
    }
    let (reader, writer) = tokio::io::split(stream);
    tokio::select! {
        // The writer ends when the hall has closed the connection and all is out.
        _ = write(writer, queue, &bytes) => {}
        () = read(reader, conn, &hub) => {}
    }
    // A server that has ended need not know.
    hub.send(conn, What::Closed).await;
}

/// Where connections tell the hall what happens, and when.
#[derive(Debug, Clone)]
pub(crate) struct Inbox {
    pub(crate) notes: mpsc::Sender<Note>,
    pub(crate) clock: Arc<ServerClock>,
}

impl Inbox {
    /// Sends something that happens now; `false` if the server has ended.
    async fn send(&self, conn: ConnId, what: What) -> bool {
        let (at, coming) = self.clock.stamp();
        let note = Note {
            conn,
            at,
            what,
            _coming: coming,
        };
        self.notes.send(note).await.is_ok()
    }
}

async fn read<R: AsyncRead + Unpin>(mut reader: R, conn: ConnId, hub: &Inbox) {
    let mut buffer = LineBuffer::with_limit(LINE);
    let mut chunk = vec![0; CHUNK];
    loop {
        let Ok(n @ 1..) = reader.read(&mut chunk).await else {
            return;
        };
        // A stamp lives in its note and nowhere else: one that is kept while something is
        // waited for would keep the timers of all from going on.
        let (at, coming) = hub.clock.stamp();
        buffer.feed(&chunk[..n]);
        let mut lines = String::new();
        while let Some(line) = buffer.next_line() {
            lines.push_str(&String::from_utf8_lossy(line));
            lines.push('\n');
        }
        if lines.is_empty() {
            drop(coming);
        } else {
            let note = Note {
                conn,
                at,
                what: What::Lines(Lines::new(lines)),
                _coming: coming,
            };
            if hub.notes.send(note).await.is_err() {
                return;
            }
        }
        if buffer.dropped() > 0 {
            // It is cut off; the writer ends the connection.
            if !hub.send(conn, What::TooLong).await {
                return;
            }
            std::future::pending::<()>().await;
        }
    }
}

/// The lines of one portion, which came at the same time. They go to the hall together,
/// or those of others that came later could go before the last of them.
pub(crate) struct Lines {
    text: String,
    next: usize,
}

impl Lines {
    const fn new(text: String) -> Self {
        Self { text, next: 0 }
    }

    /// Whether all were taken.
    pub(crate) const fn is_empty(&self) -> bool {
        self.next >= self.text.len()
    }

    /// The next one.
    pub(crate) fn take(&mut self) -> Option<&str> {
        let (line, _) = self.text.get(self.next..)?.split_once('\n')?;
        self.next += line.len() + 1;
        Some(line)
    }
}

async fn write<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::Receiver<Arc<str>>,
    bytes: &AtomicUsize,
) -> io::Result<()> {
    let mut lines = Vec::new();
    let mut text = String::new();
    while queue.recv_many(&mut lines, 64).await > 0 {
        for line in lines.drain(..) {
            text.push_str(&line);
            text.push('\n');
        }
        let sent = async {
            writer.write_all(text.as_bytes()).await?;
            writer.flush().await
        };
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        tokio::time::timeout(WRITE, sent).await.map_err(late)??;
        bytes.fetch_sub(text.len(), Ordering::Relaxed);
        text.clear();
        text.shrink_to(4 * CHUNK);
    }
    tokio::time::timeout(Duration::from_secs(1), writer.shutdown()).await?
}

/// Connections of each address that are on the threshold.
type Threshold = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// A place on the threshold, free again when it is dropped.
struct Place(Threshold, IpAddr);

impl Place {
    fn take(threshold: &Threshold, address: IpAddr, most: usize, known: bool) -> Option<Self> {
        let room = THRESHOLD + if known { KEPT } else { 0 };
        let mut places = threshold.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = places.values().sum();
        let own = places.entry(address).or_default();
        if *own >= most || all >= room {
            return None;
        }
        *own += 1;
        Some(Self(Arc::clone(threshold), address))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = places.get_mut(&self.1) {
            *own -= 1;
            if *own == 0 {
                places.remove(&self.1);
            }
        }
    }
}

impl Server {
    /// Lets clients in at an address, through a door that may ask for TLS, until
    /// the server ends.
    pub async fn listen(&self, listener: TcpListener, door: Acceptor) {
        let threshold = Threshold::default();
        let most = self.settings().handshakes;
        let accept = async {
            loop {
                let Ok((stream, from)) = listener.accept().await else {
                    // Too many open files, or a client that went at once.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let address = network(from.ip());
                let Some(place) = Place::take(&threshold, address, most, self.knows(address))
                else {
                    continue;
                };
                let (door, server) = (door.clone(), self.clone());
                tokio::spawn(async move {
                    if let Ok(connection) = door.enter(stream).await {
                        server.join(connection, Some(address));
                    }
                    drop(place);
                });
            }
        };
        tokio::select! {
            () = accept => {}
            _ = self.ended() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut lines = Lines::new("uci\n\nxä y\n".into());
        let mut taken = Vec::new();
        while !lines.is_empty() {
            taken.push(lines.take().expect("a line").to_owned());
        }
        assert_eq!(taken, ["uci", "", "xä y"]);
        assert!(lines.take().is_none() && Lines::new(String::new()).is_empty());
    }

    #[test]
    fn strangers_do_not_keep_out_who_was_in_before() {
        let threshold = Threshold::default();
        let address = |n: u32| IpAddr::from((n + 1).to_be_bytes());
        let take = |n, known| Place::take(&threshold, address(n), 8, known);
        let strangers: Vec<_> = (0..400).filter_map(|n| take(n, false)).collect();
        assert_eq!(strangers.len(), THRESHOLD);
        assert!(take(1000, false).is_none());
        let owners: Vec<_> = (1000..1100).filter_map(|n| take(n, true)).collect();
        assert_eq!(owners.len(), KEPT);
        drop(strangers);
        assert!(take(2000, false).is_some());
    }
}
