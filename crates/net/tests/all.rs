//! One program for the tests of this crate.

mod net;
