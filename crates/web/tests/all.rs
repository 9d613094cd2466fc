//! All tests of the server, over real sockets on loopback.

mod desk;
mod door;
#[cfg(unix)]
mod engines;
mod library;
mod support;
