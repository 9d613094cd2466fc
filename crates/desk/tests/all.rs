//! One program for all tests of this crate.

mod alone;
mod analysis;
mod boards;
mod common;
mod permissions;
mod random;
mod studies;
mod tables;
#[cfg(feature = "ts")]
mod types;
