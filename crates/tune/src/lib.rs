//! Where the numbers of evaluations and search and the opening book come from.
//!
//! ```text
//! selfplay  our engine against itself from random openings ──> quiet positions,
//!           32 bytes each, with the search's score and the result of the game
//! tune      positions ──> counts of features ──> gradient descent ──> params.rs
//! weights   the same for Gyges, Leiserchess and Liberty Chess, whose evaluations
//!           are one weighted sum: plays, then fits
//! chances   positions ──> what a score says about the result, for UCI_ShowWDL
//! spsa      games between numbers of the search moved one way and the other ──> better
//!           numbers (feature `search-numbers`; `docs/tuning.md`)
//! book      games from a growing tree of openings ──> a Polyglot book
//! ```
//!
//! Whether new numbers are better is decided by `quadrille match` between two builds.
//!
//! Nothing comes from games of others. `HISTORY.md` in this crate lists what was
//! tried, what it was worth, and the commands for the next round.

pub mod adam;
pub mod args;
pub mod book;
pub mod chances;
pub mod fit;
pub mod games;
pub mod opening;
pub mod play;
pub mod random;
pub mod record;
pub mod sample;
#[cfg(feature = "search-numbers")]
pub mod spsa;
pub mod weights;
pub mod write;
