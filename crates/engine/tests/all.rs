//! All tests of this crate as one program: linking many costs more than running them.
//!
//! Beside it stand those that measure their whole process: `fuzz`.

mod clients;
mod options;
mod pipes;
mod runners;
mod session;
mod support;
mod transcripts;
#[cfg(feature = "tune")]
mod tunables;
