//! Ratings by Glicko-2 (Mark Glickman, "Example of the Glicko-2 system", 2022).
//!
//! A rating is a number, how sure we are of it, and how steady the player is.
//! Each game is a rating period of its own, so that a rating is right at once.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::message::Rating;

/// Between the scale of Elo and Glicko-2's own.
const SCALE: f64 = 173.7178;
/// How much steadiness may change: 0.3 to 1.2, small for games with upsets.
const TAU: f64 = 0.5;
/// When the iteration has come close enough.
const NEAR: f64 = 0.000_001;
/// Above this a rating is shown as not certain.
const UNCERTAIN: f64 = 110.0;

/// A player's strength in one game.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Glicko {
    /// In points of Elo.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// The expected change of the rating in a period.
    pub volatility: f64,
    /// Games that made it.
    pub games: u32,
}

impl Default for Glicko {
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
            games: 0,
        }
    }
}

impl Glicko {
    /// As it is shown.
    pub fn shown(&self) -> Rating {
        Rating {
            points: self.rating.round() as i32,
            provisional: self.deviation > UNCERTAIN,
        }
    }

    /// After a period with these opponents and scores (1, 0.5, 0).
    #[must_use]
    pub fn after(&self, results: &[(Self, f64)]) -> Self {
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        let sigma = self.volatility;
        if results.is_empty() {
            // Step 6 alone: who does not play is less certain.
            return Self {
                deviation: (phi * phi + sigma * sigma).sqrt().min(350.0 / SCALE) * SCALE,
                ..*self
            };
        }
        // Steps 3 and 4: the variance, and the improvement that was shown.
        let (mut inverse, mut shown) = (0.0, 0.0);
        for (other, score) in results {
            let mu_j = (other.rating - 1500.0) / SCALE;
            let phi_j = other.deviation / SCALE;
            let g = 1.0 / (1.0 + 3.0 * phi_j * phi_j / (PI * PI)).sqrt();
            let e = 1.0 / (1.0 + (-g * (mu - mu_j)).exp());
            inverse += g * g * e * (1.0 - e);
            shown += g * (score - e);
        }
        let v = 1.0 / inverse;
        let sigma = volatility(v * shown, phi, v, sigma);
        // Steps 6 and 7.
        let before = (phi * phi + sigma * sigma).sqrt();
        let phi = 1.0 / (1.0 / (before * before) + 1.0 / v).sqrt();
        Self {
            rating: (mu + phi * phi * shown) * SCALE + 1500.0,
            deviation: (phi * SCALE).clamp(30.0, 350.0),
            volatility: sigma,
            games: self.games.saturating_add(results.len() as u32),
        }
    }
}

/// Step 5: the new volatility, by the Illinois variant of regula falsi. It comes
/// near in a few turns; the bound is for numbers that are none.
fn volatility(delta: f64, phi: f64, v: f64, sigma: f64) -> f64 {
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let d = phi * phi + v + e;
        e * (delta * delta - d) / (2.0 * d * d) - (x - a) / (TAU * TAU)
    };
    let mut low = a;
    let mut high = if delta * delta > phi * phi + v {
        (delta * delta - phi * phi - v).ln()
    } else {
        let steps = (1..100).find(|k| f(a - f64::from(*k) * TAU) >= 0.0);
        a - f64::from(steps.unwrap_or(1)) * TAU
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    for _ in 0..200 {
        if (high - low).abs() <= NEAR {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Glicko {
        Glicko {
            rating,
            deviation,
            ..Glicko::default()
        }
    }

    /// The example that Glickman computes in his paper.
    #[test]
    fn the_published_example() {
        let before = player(1500.0, 200.0);
        let results = [
            (player(1400.0, 30.0), 1.0),
            (player(1550.0, 100.0), 0.0),
            (player(1700.0, 300.0), 0.0),
        ];
        let after = before.after(&results);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
        assert_eq!(after.games, 3);
    }

    #[test]
    fn who_does_not_play_is_less_certain() {
        let after = player(1500.0, 50.0).after(&[]);
        assert!((after.deviation - 51.07).abs() < 0.01, "{after:?}");
        assert!((player(1500.0, 350.0).after(&[]).deviation - 350.0).abs() < 1e-9);
    }

    #[test]
    fn a_long_row_of_wins_stays_a_number() {
        let (mut strong, weak) = (Glicko::default(), player(800.0, 60.0));
        for _ in 0..2000 {
            strong = strong.after(&[(weak, 1.0)]);
        }
        assert!(
            strong.rating.is_finite() && strong.deviation >= 30.0,
            "{strong:?}"
        );
        assert!(strong.rating > 1500.0);
        let mut steady = Glicko::default();
        for game in 0..30 {
            let score = f64::from(game % 2);
            steady = steady.after(&[(player(1500.0, 60.0), score)]);
        }
        assert!(!steady.shown().provisional, "{steady:?}");
        assert!(Glicko::default().shown().provisional);
    }

    #[test]
    fn a_draw_between_equals_changes_no_rating() {
        let one = Glicko::default();
        let after = one.after(&[(one, 0.5)]);
        assert!((after.rating - 1500.0).abs() < 1e-9 && after.deviation < 350.0);
    }
}
