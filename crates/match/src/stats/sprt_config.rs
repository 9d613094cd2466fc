//! Hypotheses and error rates of a sequential test.

use serde::{Deserialize, Serialize};

use crate::words::words;

/// A sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SprtConfig {
    /// The first hypothesis: no better than this.
    pub elo0: f64,
    /// The second hypothesis: at least this good.
    pub elo1: f64,
    /// How often the second may be accepted wrongly.
    pub alpha: f64,
    /// How often the first may be accepted wrongly.
    pub beta: f64,
    /// What is meant by Elo.
    pub model: SprtModel,
}

impl Default for SprtConfig {
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: SprtModel::Normalized,
        }
    }
}

impl SprtConfig {
    /// Whether the numbers make a test, and if not, why.
    pub fn check(&self) -> Result<(), String> {
        let rate = |name: &str, rate: f64| {
            if rate > 0.0 && rate < 1.0 {
                Ok(())
            } else {
                Err(format!("{name} is {rate}, but must lie between 0 and 1"))
            }
        };
        rate("alpha", self.alpha)?;
        rate("beta", self.beta)?;
        if self.alpha + self.beta >= 1.0 {
            return Err("alpha and beta together must stay below 1".into());
        }
        // Beyond this a hypothesis leaves hardly any room for results.
        let most = match self.model {
            SprtModel::Normalized => 200.0,
            SprtModel::Logistic | SprtModel::Bayesian => 800.0,
        };
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if !(elo.is_finite() && elo.abs() <= most) {
                return Err(format!(
                    "{name} is {elo}, but must lie between -{most} and {most}"
                ));
            }
        }
        if self.elo0 >= self.elo1 {
            return Err(format!(
                "elo0 ({}) must be smaller than elo1 ({})",
                self.elo0, self.elo1
            ));
        }
        Ok(())
    }
}

/// What is meant by Elo in a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SprtModel {
    /// The expected score in standard deviations of a game.
    #[default]
    Normalized,
    /// The expected score through the logistic curve.
    Logistic,
    /// The `BayesElo` model, whose draws have a parameter of their own; counts
    /// single games only.
    Bayesian,
}

words!(SprtModel: "SPRT model" {
    Normalized => "normalized" | "normalised",
    Logistic => "logistic",
    Bayesian => "bayesian",
});
