//! Connections: taken in bounded numbers, and given up when nothing is said on them.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use quadrille_net::network;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

/// How long is waited, and for how many.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    /// For the head of a request, the first and each that follows on the same connection.
    pub(crate) head: Duration,
    /// From one address at once. Sockets of pages, which are counted elsewhere, do not
    /// count.
    pub(crate) most_from_one: usize,
    pub(crate) most: usize,
    /// Proxies, which ask for many and may have as many connections.
    pub(crate) proxies: Vec<IpAddr>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(15),
            most_from_one: 64,
            most: 256,
            proxies: Vec::new(),
        }
    }
}

/// Where a request comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Answers until `closing` is over, and then what was asked before.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    closing: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.head);
    let (mut seats, closed) = (Seats::default(), watch::Sender::new(()));
    let mut open = JoinSet::new();
    let mut closing = pin!(closing);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut closing => break,
        };
        while open.try_join_next().is_some() {}
        let router = router.clone().layer(axum::Extension(Peer(peer.ip())));
        let service = TowerToHyperService::new(router);
        let connection = http.serve_connection(TokioIo::new(stream), service);
        let (connection, mut closed) = (connection.with_upgrades(), closed.subscribe());
        let task = open.spawn(async move {
            let mut connection = pin!(connection);
            tokio::select! {
                // What goes wrong on a connection is the end of it, and nothing more.
                _ = connection.as_mut() => {}
                _ = closed.changed() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        });
        seats.take(peer.ip(), task, &bounds);
    }
    closed.send_replace(());
    open.join_all().await;
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_theirs(&error) => {}
            // No file descriptors, most likely: some may be closed meanwhile.
            Err(_) => sleep(Duration::from_millis(500)).await,
        }
    }
}

/// Whether a connection was given up before it was taken.
fn is_theirs(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

/// The connections that are open, the oldest first, by where they come from.
#[derive(Default)]
struct Seats(HashMap<IpAddr, VecDeque<AbortHandle>>);

impl Seats {
    /// Takes one in. Where there is no room the oldest has to go, and not the new one:
    /// who holds many and says nothing keeps nobody out.
    fn take(&mut self, from: IpAddr, connection: AbortHandle, bounds: &Bounds) {
        self.0.retain(|_, known| {
            known.retain(|connection| !connection.is_finished());
            !known.is_empty()
        });
        let mine = self.0.entry(network(from)).or_default();
        mine.push_back(connection);
        let many = bounds.proxies.contains(&from.to_canonical());
        let crowded = if mine.len() > bounds.most_from_one && !many {
            Some(mine)
        } else if self.0.values().map(VecDeque::len).sum::<usize>() > bounds.most {
            self.0.values_mut().max_by_key(|known| known.len())
        } else {
            None
        };
        if let Some(oldest) = crowded.and_then(VecDeque::pop_front) {
            oldest.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, TcpStream};
    use tokio::sync::oneshot;
    use tokio::task::spawn_blocking;

    async fn begun(bounds: Bounds) -> (SocketAddr, oneshot::Sender<()>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route("/", axum::routing::get(|| async { "here" }));
        let (end, ended) = oneshot::channel();
        tokio::spawn(serve(listener, router, bounds, async {
            let _ = ended.await;
        }));
        (address, end)
    }

    fn connected(address: SocketAddr, said: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        let patience = Duration::from_secs(20);
        stream.set_read_timeout(Some(patience)).unwrap();
        stream.write_all(said.as_bytes()).unwrap();
        stream
    }

    /// Everything until the connection is closed from there.
    fn rest(mut stream: TcpStream) -> String {
        let mut heard = String::new();
        match stream.read_to_string(&mut heard) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("not closed: {error}"),
        }
        heard
    }

    #[tokio::test]
    async fn connections_on_which_nothing_is_said_are_closed() {
        let head = Duration::from_millis(100);
        let bounds = Bounds {
            head,
            ..Bounds::default()
        };
        let (address, _end) = begun(bounds).await;
        spawn_blocking(move || {
            assert_eq!(rest(connected(address, "")), "");
            rest(connected(address, "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: "));
            // Nor are those kept on which nothing more is said.
            let heard = rest(connected(address, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
            assert!(heard.ends_with("here"), "{heard}");
        })
        .await
        .unwrap();
    }

    #[tokio::test]
    async fn who_holds_many_connections_keeps_nobody_out() {
        for bounds in [
            Bounds {
                most_from_one: 2,
                ..Bounds::default()
            },
            Bounds {
                most: 2,
                ..Bounds::default()
            },
        ] {
            let (address, _end) = begun(bounds).await;
            spawn_blocking(move || {
                let silent: Vec<_> = (0..5).map(|_| connected(address, "")).collect();
                let asked = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
                let heard = rest(connected(address, asked));
                assert!(heard.ends_with("here"), "{heard}");
                // The oldest had to go.
                let first = silent.into_iter().next().unwrap();
                assert_eq!(rest(first), "");
            })
            .await
            .unwrap();
        }
    }
}
