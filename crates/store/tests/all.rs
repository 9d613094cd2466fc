//! All tests of the crate in one program, which is also the process that tests kill.

mod faults;
mod format;
mod processes;
mod support;
