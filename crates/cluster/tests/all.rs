//! All tests of this crate in one program.
