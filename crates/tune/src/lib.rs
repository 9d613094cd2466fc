//! Where the numbers of the chess evaluation come from.
//!
//! ```text
//! selfplay  our engine against itself from random openings ──> quiet positions,
//!           32 bytes each, with the search's score and the result of the game
//! tune      positions ──> counts of features ──> gradient descent ──> params.rs
//! duel      two builds against each other, to see whether it helped
//! ```
//!
//! Nothing comes from games of others. `HISTORY.md` in this crate lists what was
//! tried, what it was worth, and the commands for the next round.

pub mod args;
pub mod fit;
pub mod opening;
pub mod play;
pub mod random;
pub mod record;
pub mod sample;
pub mod write;
