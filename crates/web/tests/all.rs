//! All tests of the server, over real sockets on loopback.

mod desk;
mod door;
#[cfg(unix)]
mod engines;
#[cfg(unix)]
mod events;
mod files;
mod library;
mod online;
mod support;
