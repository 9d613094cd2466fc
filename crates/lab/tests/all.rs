//! All tests of this crate as one program: linking many costs more than running them.

mod files;
mod golden;
mod nets;
mod tuning;
