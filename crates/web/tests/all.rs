//! All tests of the server, over real sockets on loopback.

mod desk;
mod door;
#[cfg(unix)]
mod engines;
#[cfg(unix)]
mod events;
mod library;
mod online;
mod support;
