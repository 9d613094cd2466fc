//! Games as PGN and EPD.
//!
//! Both are made from the store, so that what is written after a crash is what
//! would have been written without it. Games stand in the file in the order of
//! their numbers: a game that ends before one with a smaller number waits in
//! the store. [`Output`] keeps to that order through a resume.

mod epd;
mod output;
mod pgn;
mod shared;
mod source;

pub use epd::epd;
pub use output::{Output, OutputError, Outputs};
pub use pgn::{GameText, PgnStyle, pgn};
pub use source::{Form, GameSource, Heading, pgn_style};
