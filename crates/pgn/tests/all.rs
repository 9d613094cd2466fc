//! One program for the tests of this crate. Beside it stands `pgn_memory`, which measures its
//! whole process.

mod pgn;
