//! All tests of this crate as one program: linking many costs more than running them.

mod director;
mod doors;
mod support;
mod trouble;
