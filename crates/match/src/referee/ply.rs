//! A move as it was played, with what its engine said about it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use quadrille_driver::EngineScore;
use quadrille_protocol::{Dialect, Score};

/// A move of a game. What an engine did not say is `None`. As JSON its times are
/// milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// As engines write it.
    #[serde(rename = "move")]
    pub text: String,
    /// As people read it.
    pub notation: String,
    /// Whether it comes from the opening; then everything below is empty.
    pub book: bool,
    /// The score.
    pub score: Option<EngineScore>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// The deepest line in plies.
    pub seldepth: Option<u64>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second, as the engine says.
    pub nps: Option<u64>,
    /// How full the hash table is, permill.
    pub hashfull: Option<u64>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// The line the engine expects, in its own words.
    #[serde(with = "quadrille_client::serial::some_words")]
    pub pv: Option<String>,
    /// The time it took, measured at the pipe.
    #[serde(with = "quadrille_client::serial::millis")]
    pub elapsed: Duration,
    /// What of it was taken from the engine's clock: without what the machine
    /// took, and with time that the engine took elsewhere in the game.
    #[serde(default, with = "quadrille_client::serial::millis")]
    pub charged: Duration,
    /// The time the engine says it took.
    #[serde(rename = "time", with = "quadrille_client::serial::some_millis")]
    pub told: Option<Duration>,
    /// What was left on the clock after the move; negative within the margin.
    #[serde(rename = "clock", with = "quadrille_client::serial::some_micros")]
    pub clock_us: Option<i64>,
}

impl Ply {
    /// A move of the opening.
    pub fn book(text: String, notation: String) -> Self {
        Self {
            text,
            notation,
            book: true,
            ..Self::default()
        }
    }

    /// Measured time that the engine does not account for, in microseconds:
    /// pipes, scheduling, and what it does after its last report.
    pub(crate) fn latency_us(&self) -> Option<i64> {
        let told = i64::try_from(self.told?.as_micros()).ok()?;
        let elapsed = i64::try_from(self.elapsed.as_micros()).ok()?;
        Some(elapsed - told)
    }
}

/// Reads a score in the words of a dialect. A number that means nothing is no score: a game
/// with one is refused where it is replayed.
pub(super) fn score_of(score: &Score, dialect: Dialect) -> Option<EngineScore> {
    let mate = score.mate_in(dialect).map(EngineScore::Mate);
    let score = mate.or_else(|| score.to_cp(dialect).map(EngineScore::Cp));
    score.filter(|score| score.is_reasonable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_means_nothing_is_no_score() {
        let of = |score| score_of(&score, Dialect::Uci);
        let most = i64::from(i32::MAX);
        for cp in [-most - 1, -31, 0, most] {
            assert_eq!(of(Score::cp(cp)), Some(EngineScore::Cp(cp)));
        }
        assert_eq!(of(Score::mate(-3)), Some(EngineScore::Mate(-3)));
        for odd in [i64::MIN, i64::MAX, 1 << 40] {
            assert_eq!((of(Score::cp(odd)), of(Score::mate(odd))), (None, None));
        }
    }
}
