//! The tests that need an engine, as one program: linking many costs more than running them.
//!
//! Beside it stand those that measure their whole process: `leaks`, `tape_memory`.

mod analyse;
mod check;
mod garbage;
mod lend;
#[cfg(unix)]
mod lend_input;
mod neighbours;
#[path = "../../driver/examples/network_engine.rs"]
#[expect(dead_code, reason = "its main is for the program")]
mod network_engine;
mod old_event;
mod real_engines;
mod real_tournament;
mod support;
mod tape;
mod zoo;
mod zoo_tournament;
