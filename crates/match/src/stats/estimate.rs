//! How much better one player is than another.

use serde::{Deserialize, Serialize};

use super::tally::{Outcomes, Pairs, Tally};

/// The 97.5 % point of the normal distribution: 95 % lie within so many
/// standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// 800 / ln 10: normalised Elo of one standard deviation.
pub(super) fn nelo_unit() -> f64 {
    800.0 / core::f64::consts::LN_10
}

/// What results say about the difference between two players. Errors are half
/// the width of a 95 % interval.
///
/// A player who won everything is infinitely better as far as the results go:
/// numbers may be infinite. Where all results are the same, or there is only
/// one, nothing is known about the errors, and they are not a number. JSON has
/// `null` for both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// How many results it rests on: games, or pairs of games.
    #[serde(default)]
    pub results: u64,
    /// Points for each game, from 0 to 1.
    pub score: f64,
    /// The difference in Elo.
    #[serde(with = "quadrille_client::serial::number")]
    pub elo: f64,
    /// How far that may be off.
    #[serde(with = "quadrille_client::serial::number")]
    pub error: f64,
    /// The difference in standard deviations of a game, on the scale of Elo.
    #[serde(with = "quadrille_client::serial::number")]
    pub nelo: f64,
    /// How far that may be off.
    #[serde(with = "quadrille_client::serial::number")]
    pub nelo_error: f64,
    /// How likely the player is the better one.
    #[serde(with = "quadrille_client::serial::number")]
    pub los: f64,
    /// The share of drawn games; with pairs, of pairs with one point.
    pub draw_ratio: f64,
}

/// With fewer results than this the normal distribution that all errors rest on
/// says little.
const FEWEST: u64 = 10;

impl Estimate {
    /// Whether the results are too few, or too much alike, for the errors to
    /// mean anything.
    pub fn is_vague(&self) -> bool {
        self.results < FEWEST || self.error.is_nan()
    }

    /// From single games.
    pub fn of(games: &Tally) -> Self {
        estimate(games)
    }

    /// From pairs of games. An unbalanced opening spoils neither game of a
    /// pair, so that the error is smaller than that of the single games.
    pub fn of_pairs(pairs: &Pairs) -> Self {
        estimate(pairs)
    }
}

fn estimate<const N: usize, O: Outcomes<N>>(outcomes: &O) -> Estimate {
    let numbers = outcomes.numbers();
    let total: u64 = numbers.iter().sum();
    let share = numbers.map(|n| n as f64 / total as f64);
    let (score, variance) = mean_and_variance(&O::scores(), &share);
    // Results that are all the same tell nothing about how they spread.
    let variance = if variance > 0.0 { variance } else { f64::NAN };
    let deviation = (variance / total as f64).sqrt();
    let (low, high) = (score - Z95 * deviation, score + Z95 * deviation);
    let per_game = (O::GAMES * variance).sqrt();
    let nelo = |score: f64| (score - 0.5) / per_game * nelo_unit();
    Estimate {
        results: total,
        score,
        elo: elo_of_score(score),
        error: (elo_of_score(high) - elo_of_score(low)) / 2.0,
        nelo: nelo(score),
        nelo_error: (nelo(high) - nelo(low)) / 2.0,
        los: normal_below((score - 0.5) / deviation),
        draw_ratio: share[N / 2],
    }
}

pub(super) fn mean_and_variance<const N: usize>(scores: &[f64; N], share: &[f64; N]) -> (f64, f64) {
    let each = || scores.iter().zip(share);
    let mean: f64 = each().map(|(score, share)| score * share).sum();
    let variance = each().map(|(score, share)| share * (score - mean).powi(2));
    (mean, variance.sum())
}

/// The difference in Elo at which a score is expected.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    // Not a minus sign before it all: level would be minus zero.
    0.0 - 400.0 * (1.0 / score - 1.0).log10()
}

/// The score that is expected at a difference in Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How likely a standard normal variable lies below `z`.
pub(crate) fn normal_below(z: f64) -> f64 {
    if z.is_nan() {
        return z;
    }
    let tail = upper_tail(z.abs());
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// How likely a standard normal variable lies above `z` (not negative).
///
/// Near the middle by the power series of the distribution, far out by the
/// continued fraction of Mills' ratio; both are exact to the last few bits.
fn upper_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * core::f64::consts::PI).sqrt();
    if z < 4.0 {
        // z + z^3/3 + z^5/15 + ...: every term is the one before times z^2/(2k+1).
        let mut term = z;
        let mut sum = z;
        let mut odd = 1.0;
        while term > sum * 1e-18 {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    if z > 40.0 {
        return 0.0;
    }
    let mut fraction = z;
    for k in (1..=200).rev() {
        fraction = z + f64::from(k) / fraction;
    }
    density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution() {
        // From a table with fifteen digits.
        for (z, below) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (1.959_963_984_540_054, 0.975),
            (3.0, 0.998_650_101_968_370),
            (4.5, 0.999_996_602_326_875),
            (-2.0, 0.022_750_131_948_179_2),
            (-6.0, 9.865_876_450_376_98e-10),
            (-10.0, 7.619_853_024_160_53e-24),
        ] {
            let found = normal_below(z);
            assert!((found / below - 1.0).abs() < 1e-12, "{z}: {found}");
        }
        assert!((normal_below(f64::INFINITY) - 1.0).abs() < 1e-300);
        assert!(normal_below(f64::NEG_INFINITY).abs() < 1e-300);
        assert!(normal_below(f64::NAN).is_nan());
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -10.0, 0.0, 3.5, 400.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
        assert!(
            elo_of_score(0.5).is_sign_positive(),
            "level is not below zero"
        );
        assert!(elo_of_score(1.0) > 1e300 && elo_of_score(0.0) < -1e300);
    }
}
