//! An engine at the other end of a connection.

use std::future::ready;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::link::{Death, Ended, Link};

/// Any stream of bytes as a [`Link`]: TCP, TLS, one half of a pair.
///
/// There is nothing to kill at the other end: closing the connection is all that
/// can be done, and a server that serves an engine takes that for `quit`.
#[derive(Debug)]
pub struct Stream<S> {
    /// Gone once it is closed from our side.
    inner: Option<S>,
    /// The other side has closed it, or it broke.
    end: Option<Death>,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream<S> {
    /// A link over an open stream.
    pub const fn new(stream: S) -> Self {
        Self {
            inner: Some(stream),
            end: None,
        }
    }

    fn broke(&mut self, error: &io::Error) {
        self.end.get_or_insert_with(|| Death {
            reason: Some(format!("the connection broke: {error}")),
            ..Death::default()
        });
    }
}

/// Connects to an engine that waits at `host:port`.
pub(super) async fn connect(
    host: &str,
    port: u16,
    patience: Duration,
) -> io::Result<Stream<TcpStream>> {
    let late = |_| io::Error::new(io::ErrorKind::TimedOut, "no answer in time");
    let stream = tokio::time::timeout(patience, TcpStream::connect((host, port)));
    let stream = stream.await.map_err(late)??;
    // A line is sent whole; waiting for more to send with it only costs time.
    stream.set_nodelay(true)?;
    Ok(Stream::new(stream))
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Some(inner) = &mut self.inner else {
            return Poll::Ready(Ok(()));
        };
        let before = room.filled().len();
        let result = std::task::ready!(Pin::new(inner).poll_read(context, room));
        match &result {
            Ok(()) if room.filled().len() == before && room.remaining() > 0 => {
                self.end.get_or_insert_default();
            }
            Ok(()) => {}
            Err(error) => self.broke(error),
        }
        Poll::Ready(result)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.inner {
            // What broke shows when it is read from: last words come first.
            Some(inner) => Pin::new(inner).poll_write(context, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_flush(context),
            None => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_shutdown(context),
            None => Poll::Ready(Ok(())),
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Link for Stream<S> {
    fn has_ended(&mut self) -> bool {
        self.end.is_some()
    }

    /// The end shows when the stream is read to it; waiting tells no more.
    fn ended(&mut self, _: Duration) -> Ended<'_> {
        Box::pin(ready(self.end.clone()))
    }

    fn kill(&mut self) {
        self.inner = None;
    }
}
