//! Connections to and from other machines: plain, or under TLS.
//!
//! | file | what it does |
//! |---|---|
//! | `address` | [`Remote`]: where something is, and who we are there; a [`Secret`] is shown to none |
//! | `certificate` | [`Certificate`]: what a server shows, from files or made once and kept; its [`Fingerprint`] |
//! | `acceptor` | [`Acceptor`]: the server's side of a new connection, with a limit of time |
//! | `trust` | [`Trust`]: whom a client believes |
//! | `connect` | [`connect`]: the client's side |
//! | `connection` | [`Connection`]: bytes both ways, plain or not |
//! | [`sanitize`] | text that others wrote, made fit to be shown and written down |
//! | `network` | [`network`]: who counts as one address |
//!
//! A server and a client that trusts it by its fingerprint:
//!
//! ```
//! use std::time::Duration;
//! use quadrille_net::{Certificate, Acceptor, Trust, connect};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let certificate = Certificate::kept_in(folder.path(), &[])?;
//! let trust = Trust::Fingerprint(certificate.fingerprint());
//! let door = Acceptor::tls(&certificate)?;
//!
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! let port = listener.local_addr()?.port();
//! let server = tokio::spawn(async move {
//!     let (stream, _) = listener.accept().await?;
//!     let mut connection = door.enter(stream).await?;
//!     connection.write_all(b"hello\n").await?;
//!     connection.shutdown().await
//! });
//! let mut connection = connect("127.0.0.1", port, Some(&trust), Duration::from_secs(10)).await?;
//! let mut said = String::new();
//! connection.read_to_string(&mut said).await?;
//! assert_eq!(said, "hello\n");
//! server.await??;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod acceptor;
mod address;
mod certificate;
mod connect;
mod connection;
mod network;
pub mod sanitize;
mod trust;

pub use acceptor::{Acceptor, HANDSHAKE};
pub use address::{AddressError, Login, LoginError, PASSWORD, Remote, Secret, Word, masked};
pub use certificate::{Certificate, CertificateError, Fingerprint, FingerprintError, sha256};
pub use connect::{ConnectError, connect};
pub use connection::Connection;
pub use network::network;
pub use trust::Trust;
