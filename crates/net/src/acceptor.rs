//! The server's side of a new connection.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;

use super::certificate::{Certificate, CertificateError};
use super::connection::Connection;

/// How long a client may take to agree on TLS. One that does not speak holds its
/// place no longer.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// What a connection goes through before a word is said on it. Cheap to clone;
/// how many are on the threshold at once is the caller's to bound.
#[derive(Clone)]
pub struct Acceptor {
    tls: Option<TlsAcceptor>,
    patience: Duration,
}

impl std::fmt::Debug for Acceptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acceptor")
            .field("tls", &self.is_tls())
            .field("patience", &self.patience)
            .finish()
    }
}

impl Acceptor {
    /// Lets everything through as it is.
    pub const fn plain() -> Self {
        Self {
            tls: None,
            patience: HANDSHAKE,
        }
    }

    /// Agrees on TLS 1.2 or 1.3 and shows this certificate.
    pub fn tls(certificate: &Certificate) -> Result<Self, CertificateError> {
        let unusable =
            |error: tokio_rustls::rustls::Error| CertificateError::Unusable(error.to_string());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(unusable)?
            .with_no_client_auth()
            .with_single_cert(certificate.chain.clone(), certificate.key.clone_key())
            .map_err(unusable)?;
        Ok(Self {
            tls: Some(TlsAcceptor::from(Arc::new(config))),
            patience: HANDSHAKE,
        })
    }

    /// With another limit than [`HANDSHAKE`].
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Whether it is TLS.
    pub const fn is_tls(&self) -> bool {
        self.tls.is_some()
    }

    /// Takes a new connection in. Lines are sent whole, so nothing waits for more
    /// to send with it.
    pub async fn enter(&self, stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        let Some(tls) = &self.tls else {
            return Ok(Connection::Plain(stream));
        };
        match tokio::time::timeout(self.patience, tls.accept(stream)).await {
            Ok(accepted) => Ok(Connection::Tls(Box::new(accepted?.into()))),
            Err(_) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "no TLS handshake in time",
            )),
        }
    }
}
