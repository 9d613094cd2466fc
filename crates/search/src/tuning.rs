//! What a tuner needs to know about an evaluation that is a weighted sum.

use crate::playable::Playable;
use crate::score::Value;

/// An evaluation as a sum of counts times weights, from White's point of view.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Formula {
    /// What does not depend on any weight.
    pub fixed: f32,
    /// Weights that play a part, each with its factor.
    pub factors: Vec<(u32, f32)>,
}

/// A game whose evaluation is a weighted sum, and can be fitted to results.
pub trait WeightedSum: Playable {
    /// The weights as they are now.
    fn weights() -> Vec<Value>;

    /// How the value of this position depends on the weights.
    fn formula(&self) -> Formula;
}
