//! Connections to and from other machines: plain, or under TLS.
//!
//! | file | what it does |
//! |---|---|
//! | `address` | [`Remote`]: where something is, and who we are there; a [`Secret`] is shown to none |
//! | `certificate` | [`Certificate`]: what a server shows, from files or made once and kept; its [`Fingerprint`] |
//! | `door` | [`Door`]: the server's side of a new connection, with a limit of time |
//! | `trust` | [`Trust`]: whom a client believes |
//! | `connect` | [`connect`]: the client's side |
//! | `connection` | [`Connection`]: bytes both ways, plain or not |
//! | `network` | [`network`]: who counts as one address |
//!
//! A server and a client that trusts it by its fingerprint:
//!
//! ```
//! use std::time::Duration;
//! use quadrille_host::net::{Certificate, Door, Trust, connect};
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let certificate = Certificate::kept_in(folder.path(), &[])?;
//! let trust = Trust::Fingerprint(certificate.fingerprint());
//! let door = Door::tls(&certificate)?;
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

mod address;
mod certificate;
mod connect;
mod connection;
mod door;
mod network;
mod trust;

pub use address::{AddressError, Login, LoginError, PASSWORD, Remote, Secret, Word, masked};
pub(crate) use certificate::sha256;
pub use certificate::{Certificate, CertificateError, Fingerprint, FingerprintError};
pub use connect::{ConnectError, connect};
pub use connection::Connection;
pub use door::{Door, HANDSHAKE};
pub use network::network;
pub use trust::Trust;
