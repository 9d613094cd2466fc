//! What results mean: Elo, likelihoods, ratings, tables.
//!
//! | what | where |
//! |---|---|
//! | wins, draws, losses; pairs of games | [`Tally`], [`Pairs`] |
//! | Elo and normalised Elo with error bars, likelihood of superiority | [`Estimate`] |
//! | sequential tests | [`Sprt`] |
//! | ratings of many players | [`ratings`](mod@ratings) |
//! | who did what against whom, and how games ended | [`Tables`], [`tables_of_pgn`] |
//!
//! The formulas are those of fastchess, so that numbers can be compared. Where
//! it stops a root finder early, ours goes on to the end, so that its log
//! likelihood ratios of the logistic and the Bayesian model differ from ours in
//! the fourth decimal, after hundreds of thousands of games in the third.
//!
//! ```
//! use quadrille_match::stats::{Decision, Estimate, Pairs, Sprt, SprtConfig, Tally};
//!
//! let games = Tally { wins: 300, draws: 1400, losses: 250 };
//! let estimate = Estimate::of(&games);
//! assert!((estimate.elo - 8.91).abs() < 0.01 && (estimate.error - 8.19).abs() < 0.01);
//!
//! let sprt = Sprt::new(SprtConfig { elo1: 10.0, ..SprtConfig::default() });
//! let pairs = Pairs([10, 180, 600, 240, 20]);
//! assert_eq!(sprt.decision(sprt.llr_of_pairs(&pairs)), Decision::AcceptH1);
//! ```

mod estimate;
mod pgn;
pub mod ratings;
mod sprt;
mod sprt_config;
mod tables;
mod tally;

pub use estimate::{Estimate, score_of_elo};
pub use pgn::{PgnTables, tables_of_files, tables_of_pgn};
pub use sprt::{Decision, Outlook, Sprt};
pub use sprt_config::{SprtConfig, SprtModel};
pub use tables::{Averages, Effort, Meeting, Played, Tables, Terminations};
pub use tally::{Pairs, Tally};
