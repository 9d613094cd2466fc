//! All tests of this crate as one program: linking many costs more than running them.
//!
//! Beside it stand those that measure their whole process: `leaks`.

mod config;
mod garbage;
mod openings;
mod pairing;
mod real_engines;
mod real_tournament;
mod stats;
mod store;
mod support;
mod zoo;
mod zoo_tournament;
