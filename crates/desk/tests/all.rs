//! One program for all tests of this crate.

#[cfg(feature = "ts")]
mod types;
