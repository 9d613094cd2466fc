//! All tests of this crate as one program: linking many costs more than running them.

mod checks;
mod director;
mod doors;
mod permissions;
mod support;
#[cfg(unix)]
mod suspended;
mod trouble;
