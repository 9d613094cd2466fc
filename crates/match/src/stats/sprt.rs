//! Sequential tests: play until it is decided.
//!
//! The log likelihood ratio compares the distribution of outcomes that fits the
//! results best among those of the second hypothesis with the best among those
//! of the first (Van den Bergh's generalised ratio). A test is over when the
//! ratio leaves its bounds.

use serde::{Deserialize, Serialize};

use super::estimate::{mean_and_variance, nelo_unit, normal_below, score_of_elo};
use super::sprt_config::{SprtConfig, SprtModel};
use super::tally::{Outcomes, Pairs, Tally};

/// What stands for a number of outcomes that is zero, so that nothing is
/// impossible.
const NEARLY_NONE: f64 = 1e-3;

/// A sequential test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    config: SprtConfig,
}

/// What a sequential test says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// Not decided yet.
    Continue,
    /// The first hypothesis: no better than `elo0`.
    AcceptH0,
    /// The second hypothesis: at least `elo1` better.
    AcceptH1,
}

/// How a test is likely to go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outlook {
    /// How likely the second hypothesis is accepted.
    pub pass: f64,
    /// How many games it takes on average.
    pub games: f64,
}

impl Sprt {
    /// A test. The numbers should have been [checked](SprtConfig::check).
    pub const fn new(config: SprtConfig) -> Self {
        Self { config }
    }

    /// The numbers of the test.
    pub const fn config(&self) -> &SprtConfig {
        &self.config
    }

    /// Below this the first hypothesis is accepted.
    pub fn lower(&self) -> f64 {
        (self.config.beta / (1.0 - self.config.alpha)).ln()
    }

    /// Above this the second hypothesis is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.config.beta) / self.config.alpha).ln()
    }

    /// What a log likelihood ratio decides.
    pub fn decision(&self, llr: f64) -> Decision {
        if llr >= self.upper() {
            Decision::AcceptH1
        } else if llr <= self.lower() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }

    /// How far the ratio is on its way to a bound: from -1 at the lower to 1 at
    /// the upper.
    pub fn fraction(&self, llr: f64) -> f64 {
        if llr >= 0.0 {
            llr / self.upper()
        } else {
            -llr / self.lower()
        }
    }

    /// The log likelihood ratio of single games.
    pub fn llr(&self, games: &Tally) -> f64 {
        let SprtConfig { elo0, elo1, .. } = self.config;
        match self.config.model {
            SprtModel::Bayesian => {
                // Without a win or a loss nothing is known about draws.
                if games.wins == 0 || games.losses == 0 {
                    return 0.0;
                }
                let (_, [loss, _, win]) = shares(games);
                let draw_elo = 200.0 * ((1.0 - loss) / loss * (1.0 - win) / win).log10();
                let score = |elo| bayes_score(elo, draw_elo);
                mean_ratio(games, score(elo0), score(elo1))
            }
            _ => self.plain_llr(games),
        }
    }

    /// The log likelihood ratio of pairs of games. The Bayesian model knows
    /// single games only; here it is taken as the logistic one.
    pub fn llr_of_pairs(&self, pairs: &Pairs) -> f64 {
        self.plain_llr(pairs)
    }

    fn plain_llr<const N: usize, O: Outcomes<N>>(&self, outcomes: &O) -> f64 {
        let SprtConfig { elo0, elo1, .. } = self.config;
        if self.config.model == SprtModel::Normalized {
            let unit = O::GAMES.sqrt() / nelo_unit();
            deviation_ratio(outcomes, elo0 * unit, elo1 * unit)
        } else {
            mean_ratio(outcomes, score_of_elo(elo0), score_of_elo(elo1))
        }
    }

    /// How the test is likely to go if the true difference is `elo` (in the
    /// model's own sense) and this share of games is drawn. The ratio is taken
    /// as a Brownian motion, which is close as long as tests are long.
    pub fn outlook(&self, elo: f64, draw_ratio: f64) -> Outlook {
        let SprtConfig { elo0, elo1, .. } = self.config;
        let deviation = ((1.0 - draw_ratio.clamp(0.0, 0.99)) / 4.0).sqrt();
        // Everything in standard deviations of a game.
        let effect = |elo: f64| match self.config.model {
            SprtModel::Normalized => elo / nelo_unit(),
            SprtModel::Logistic => (score_of_elo(elo) - 0.5) / deviation,
            SprtModel::Bayesian => {
                let share = (1.0 - draw_ratio.clamp(0.0, 0.99)) / 2.0;
                let draw_elo = 400.0 * ((1.0 - share) / share).log10();
                (bayes_score(elo, draw_elo) - 0.5) / deviation
            }
        };
        let (t0, t1, t) = (effect(elo0), effect(elo1), effect(elo));
        let step = t1 - t0;
        let drift = step * (t - (t0 + t1) / 2.0);
        let variance = step * step;
        let (low, high) = (self.lower(), self.upper());
        let lean = 2.0 * drift / variance;
        if (lean * (high - low)).abs() < 1e-9 {
            return Outlook {
                pass: -low / (high - low),
                games: -low * high / variance,
            };
        }
        // The same fraction twice, so that no power overflows into another.
        let pass = if lean > 0.0 {
            (1.0 - (lean * low).exp()) / (1.0 - (lean * (low - high)).exp())
        } else {
            (1.0 - (-lean * low).exp()) / ((-lean * high).exp() - (-lean * low).exp())
        };
        Outlook {
            pass,
            games: (pass * high + (1.0 - pass) * low) / drift,
        }
    }

    /// How many games a plain comparison, with their number fixed beforehand,
    /// needs for the same error rates.
    pub fn fixed_games(&self, draw_ratio: f64) -> f64 {
        let SprtConfig { elo0, elo1, .. } = self.config;
        let deviation = ((1.0 - draw_ratio.clamp(0.0, 0.99)) / 4.0).sqrt();
        let step = match self.config.model {
            SprtModel::Normalized => (elo1 - elo0) / nelo_unit(),
            _ => (score_of_elo(elo1) - score_of_elo(elo0)) / deviation,
        };
        let z = quantile(1.0 - self.config.alpha) + quantile(1.0 - self.config.beta);
        (z / step).powi(2)
    }
}

/// Where a share of a standard normal variable lies below, by halving.
fn quantile(share: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if normal_below(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// The expected score in the `BayesElo` model.
fn bayes_score(elo: f64, draw_elo: f64) -> f64 {
    let win = score_of_elo(elo - draw_elo);
    let loss = score_of_elo(-elo - draw_elo);
    win + (1.0 - win - loss) / 2.0
}

/// How many outcomes and the share of each.
fn shares<const N: usize, O: Outcomes<N>>(outcomes: &O) -> (f64, [f64; N]) {
    let numbers = outcomes.numbers().map(|n| match n {
        0 => NEARLY_NONE,
        n => n as f64,
    });
    let total = numbers.iter().sum();
    (total, numbers.map(|n| n / total))
}

/// The ratio for hypotheses about the mean score.
fn mean_ratio<const N: usize, O: Outcomes<N>>(outcomes: &O, s0: f64, s1: f64) -> f64 {
    let (total, share) = shares(outcomes);
    let scores = O::scores();
    let best = |mean: f64| reweighted(&share, &scores.map(|score| score - mean));
    total * log_ratio(&share, &best(s0), &best(s1))
}

/// The ratio for hypotheses about the mean in standard deviations away from an
/// even score. The best distribution depends on its own variance, so it is
/// approached step by step.
fn deviation_ratio<const N: usize, O: Outcomes<N>>(outcomes: &O, t0: f64, t1: f64) -> f64 {
    let (total, share) = shares(outcomes);
    let scores = O::scores();
    let best = |t: f64| {
        let mut fit = [1.0 / N as f64; N];
        // Nearly always a handful of steps; the bound is for the rest.
        for _ in 0..500 {
            let (mean, variance) = mean_and_variance(&scores, &fit);
            let deviation = variance.sqrt();
            let direction = scores.map(|score| {
                let z = (score - mean) / deviation;
                score - 0.5 - 0.5 * t * deviation * (1.0 + z * z)
            });
            let next = reweighted(&share, &direction);
            let change = fit.iter().zip(&next).map(|(a, b)| (a - b).abs());
            let change = change.fold(0.0, f64::max);
            fit = next;
            if change < 1e-14 {
                break;
            }
        }
        fit
    };
    total * log_ratio(&share, &best(t0), &best(t1))
}

/// The distribution nearest to `share` (in likelihood) under which `direction`
/// has the mean zero: every share divided by `1 + x * direction` with the right
/// `x`. The mean falls as `x` grows between the points where a divisor would be
/// zero, so that Newton's steps, and halving where they leave the interval,
/// find it.
fn reweighted<const N: usize>(share: &[f64; N], direction: &[f64; N]) -> [f64; N] {
    let most = direction.iter().copied().fold(f64::MIN, f64::max);
    let least = direction.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x: f64 = 0.0;
    for _ in 0..200 {
        let (mut mean, mut slope) = (0.0, 0.0);
        for (share, d) in share.iter().zip(direction) {
            let part = d / (1.0 + x * d);
            mean += share * part;
            slope -= share * part * part;
        }
        if mean > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - mean / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            (low + high) / 2.0
        };
        let settled = (next - x).abs() <= 1e-15 * (1.0 + x.abs());
        x = next;
        if settled {
            break;
        }
    }
    core::array::from_fn(|i| share[i] / (1.0 + x * direction[i]))
}

/// The mean logarithm of the quotient of two distributions.
fn log_ratio<const N: usize>(share: &[f64; N], p0: &[f64; N], p1: &[f64; N]) -> f64 {
    let terms = share.iter().zip(p0.iter().zip(p1));
    terms.map(|(share, (a, b))| share * (b.ln() - a.ln())).sum()
}
