//! One game: clocks, legality, adjudication, checks.
//!
//! [`play`] takes two engines and a line of play and gives back how the game
//! ended. The rules of the game come first, with every draw that could be
//! claimed taken as claimed; then the user's wishes ([`Adjudication`]). Time is
//! measured at the pipe, and what the machine took is not charged
//! ([`GameClock`], [`ClockMode`](crate::config::ClockMode)). What the engines say
//! about the game is held against it ([`Checks`]).

mod adjudicate;
mod checks;
mod game;
mod latency;
mod ply;
mod replay;

pub use adjudicate::{Adjudication, AdjudicationRules, Judge};
pub use checks::Checks;
pub use game::{Conditions, Played, Player, play};
pub use latency::Latencies;
pub use ply::Ply;
pub use quadrille_client::{Adjudicated, Ending, Fault, GameClock, Spent, Termination};
pub use replay::{Replay, ReplayError, Told as ToldGame};
