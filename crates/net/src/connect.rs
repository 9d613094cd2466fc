//! The client's side of a new connection.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{
    CertificateError as Refusal, ClientConfig, Error as TlsError, InvalidMessage,
};

use super::certificate::{CertificateError, Fingerprint};
use super::connection::Connection;
use super::trust::{Judge, Trust};

/// A connection that could not be made.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// What the operating system says.
    #[error(transparent)]
    Io(io::Error),
    /// Neither yes nor no.
    #[error("no answer in time")]
    Late,
    /// The server's certificate is signed by none that is believed here.
    #[error(
        "its certificate is not known here ({why}). Its fingerprint is {found}: compare it with \
         the one that the server printed, and if they are the same, add #{found} to the address"
    )]
    Unknown {
        /// Why it is not believed.
        why: String,
        /// The sum of what it showed.
        found: Fingerprint,
    },
    /// The server shows another certificate than the one that is believed.
    #[error(
        "it shows another certificate than the one that is trusted: {found}, not {wanted}. Either \
         the server has a new one, which its operator can confirm, or this is another server"
    )]
    Other {
        /// The sum of what it showed.
        found: Fingerprint,
        /// The sum of what it should have shown.
        wanted: Fingerprint,
    },
    /// The server does not speak TLS.
    #[error("it does not speak TLS; if it is meant to be plain, write tcp:// for tls://")]
    NotTls,
    /// The host has a name that no certificate can have.
    #[error("'{0}' is no name that a certificate can be for")]
    Name(String),
    /// A file of authorities cannot be used.
    #[error(transparent)]
    Authority(#[from] CertificateError),
    /// This system believes none.
    #[error(
        "this system has no certificates of authorities; trust the server by its fingerprint: \
         add #sha256:... to the address, as the server printed it"
    )]
    NoAuthorities,
    /// Anything else that TLS has to say.
    #[error("TLS: {0}")]
    Tls(String),
}

impl From<ConnectError> for io::Error {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Io(error) => error,
            ConnectError::Late => Self::new(io::ErrorKind::TimedOut, error),
            other => Self::other(other),
        }
    }
}

/// Connects to `host:port`, under TLS where it is said who is believed. All of it
/// must be done in the given time.
pub async fn connect(
    host: &str,
    port: u16,
    trust: Option<&Trust>,
    patience: Duration,
) -> Result<Connection, ConnectError> {
    let all = async {
        let stream = TcpStream::connect((host, port)).await;
        let stream = stream.map_err(ConnectError::Io)?;
        // A line is sent whole; waiting for more to send with it only costs time.
        stream.set_nodelay(true).map_err(ConnectError::Io)?;
        match trust {
            None => Ok(Connection::Plain(stream)),
            Some(trust) => under_tls(stream, host, trust).await,
        }
    };
    match tokio::time::timeout(patience, all).await {
        Ok(result) => result,
        Err(_) => Err(ConnectError::Late),
    }
}

async fn under_tls(
    stream: TcpStream,
    host: &str,
    trust: &Trust,
) -> Result<Connection, ConnectError> {
    let judge = Arc::new(Judge::new(trust)?);
    let name =
        ServerName::try_from(host.to_owned()).map_err(|_| ConnectError::Name(host.into()))?;
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ConnectError::Tls(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&judge) as Arc<_>)
        .with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    match connector.connect(name, stream).await {
        Ok(stream) => Ok(Connection::Tls(Box::new(stream.into()))),
        Err(error) => Err(refused(error, trust, judge.seen())),
    }
}

/// What a failed handshake means to the user.
fn refused(error: io::Error, trust: &Trust, seen: Option<Fingerprint>) -> ConnectError {
    let tls = error.get_ref().and_then(|inner| inner.downcast_ref());
    match (tls, seen, trust) {
        (Some(TlsError::InvalidCertificate(_)), Some(found), Trust::Fingerprint(wanted)) => {
            let wanted = *wanted;
            ConnectError::Other { found, wanted }
        }
        (Some(TlsError::InvalidCertificate(why)), Some(found), _) => {
            let why = match why {
                Refusal::UnknownIssuer => "no authority that is trusted here has signed it".into(),
                other => other.to_string(),
            };
            ConnectError::Unknown { why, found }
        }
        (Some(TlsError::InvalidMessage(InvalidMessage::InvalidContentType)), ..) => {
            ConnectError::NotTls
        }
        (Some(other), ..) => ConnectError::Tls(other.to_string()),
        (None, ..) if error.kind() == io::ErrorKind::UnexpectedEof => ConnectError::Tls(
            "it closed the connection before both had agreed; does it speak TLS?".into(),
        ),
        (None, ..) => ConnectError::Io(error),
    }
}
