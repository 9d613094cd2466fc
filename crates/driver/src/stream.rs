//! An engine at the other end of a connection.

use std::future::ready;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use quadrille_net::{Connection, Remote, Secret};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};

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

/// Connects to an engine that waits at this place, and says who we are. The words
/// for that go before everything else and past every tape.
pub(super) async fn open(
    remote: &Remote,
    password: Option<&Secret>,
    patience: Duration,
) -> io::Result<Stream<Connection>> {
    let mut connection = remote.connect(patience).await?;
    if let Some(password) = password {
        let name = remote.login.as_ref().map_or("", |login| &login.name);
        let password = password.reveal();
        let words = match name {
            "" => format!("password {password}\n"),
            name => format!("username {name}\npassword {password}\n"),
        };
        // So little fits into every buffer: it does not wait for the other side.
        connection.write_all(words.as_bytes()).await?;
        connection.flush().await?;
    }
    Ok(Stream::new(connection))
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
