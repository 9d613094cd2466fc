//! All tests of this crate as one program: linking many costs more than running them.

mod config;
mod config_files;
mod old_events;
mod openings;
mod pairing;
mod records;
mod stats;
mod store;
