//! Fits the weights of an evaluation that is one weighted sum to positions with
//! results, as [`games`](crate::games) writes them.
//!
//! The fit minimises the squared error of a logistic curve through a share of the
//! result and the rest of the search's value.

use std::io::{self, BufRead};

use quadrille_search::tuning::{Formula, WeightedSum};

use crate::adam::Adam;
use crate::fit::chance;
use crate::random::Random;

/// Values are turned into expected results with this steepness, as in chess:
/// 400 is ten to one.
const STEEPNESS: f32 = core::f32::consts::LN_10 / 400.0;
/// How much of its change a weight loses with each step at full rate: a little, so
/// that what is rarely seen stays near what it was.
const DECAY: f32 = 1e-3;
/// Positions for each step.
const BATCH: usize = 1024;

/// A position: how its value depends on the weights, and what it should be.
#[derive(Debug)]
pub struct Target {
    formula: Formula,
    chance: f32,
}

/// Reads positions; lines that cannot be read are left out. `share` of what a
/// position should be is its game's result, 0 to 1.
pub fn read<P: WeightedSum>(input: impl BufRead, share: f32) -> io::Result<Vec<Target>> {
    let rules = P::Rules::default();
    let mut targets = Vec::new();
    for line in input.lines() {
        let line = line?;
        let mut parts = line.rsplitn(3, '|');
        let value = parts.next().and_then(|t| t.parse::<f32>().ok());
        let result = parts.next().and_then(|t| t.parse::<f32>().ok());
        let position = parts.next().and_then(|t| P::from_text(t, &rules).ok());
        if let (Some(value), Some(result), Some(position)) = (value, result, position) {
            targets.push(Target {
                formula: position.formula(),
                chance: share * result / 2.0 + (1.0 - share) * chance(STEEPNESS, value),
            });
        }
    }
    Ok(targets)
}

/// A fit on its way.
#[derive(Debug)]
pub struct Weights {
    taught: Vec<Target>,
    /// Every tenth block of positions is kept aside, to see whether what was
    /// learnt is true.
    held_out: Vec<Target>,
    values: Vec<f32>,
    first: Vec<f32>,
    adam: Adam,
    random: Random,
}

impl Weights {
    /// Starts from the weights as they are.
    pub fn new<P: WeightedSum>(targets: Vec<Target>) -> Self {
        let mut index = 0;
        let (held_out, taught) = targets.into_iter().partition(|_| {
            index += 1;
            (index / 50) % 10 == 0
        });
        let values: Vec<f32> = P::weights().iter().map(|&w| w as f32).collect();
        Self {
            taught,
            held_out,
            adam: Adam::new(values.len()),
            first: values.clone(),
            values,
            random: Random::new(1),
        }
    }

    /// How many positions teach.
    pub fn len(&self) -> usize {
        self.taught.len()
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.taught.is_empty()
    }

    /// The weights, rounded.
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|w| w.round() as i32).collect()
    }

    /// Mean squared error over the positions that teach and over the others.
    pub fn errors(&self) -> [f64; 2] {
        [&self.taught, &self.held_out].map(|targets| {
            let miss = |t: &Target| f64::from(predict(&t.formula, &self.values) - t.chance);
            let sum: f64 = targets.iter().map(|t| miss(t).powi(2)).sum();
            sum / targets.len().max(1) as f64
        })
    }

    /// Goes once over all positions in random order.
    pub fn epoch(&mut self, rate: f32) {
        for i in (1..self.taught.len()).rev() {
            self.taught.swap(i, self.random.index(i + 1));
        }
        let mut gradient = vec![0.0; self.values.len()];
        for batch in self.taught.chunks(BATCH) {
            gradient.fill(0.0);
            for target in batch {
                let p = predict(&target.formula, &self.values);
                let slope = (p - target.chance) * p * (1.0 - p) / batch.len() as f32;
                for &(i, factor) in &target.formula.factors {
                    gradient[i as usize] += slope * factor;
                }
            }
            for (weight, first) in self.values.iter_mut().zip(&self.first) {
                *weight -= rate * DECAY * (*weight - first);
            }
            self.adam.step(&mut self.values, &gradient, rate);
        }
    }
}

/// The chance that a position stands for under these weights.
fn predict(formula: &Formula, weights: &[f32]) -> f32 {
    let terms = formula.factors.iter();
    let sum: f32 = terms.map(|&(i, f)| weights[i as usize] * f).sum();
    chance(STEEPNESS, formula.fixed + sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Opening, generate};
    use quadrille_games::gyges::Gyges;
    use quadrille_games::leiser::Leiser;
    use quadrille_games::liberty::Liberty;

    fn positions<P: Opening>(games: u64) -> Vec<u8> {
        let mut out = Vec::new();
        generate::<P>(games, 60, &mut Random::new(3), &mut out).unwrap();
        out
    }

    #[test]
    fn positions_of_all_games_are_read_again() {
        fn check<P: Opening>(games: u64) {
            let bytes = positions::<P>(games);
            let lines = bytes.lines().count();
            let read = read::<P>(&bytes[..], 0.5).unwrap();
            assert!(lines > 20 && read.len() == lines, "{lines} {}", read.len());
        }
        check::<Gyges>(8);
        check::<Leiser>(3);
        check::<Liberty>(3);
        assert!(read::<Gyges>(&b"nonsense|1\n"[..], 0.5).unwrap().is_empty());
    }

    #[test]
    fn fitting_lowers_the_error() {
        let bytes = positions::<Leiser>(12);
        let targets = read::<Leiser>(&bytes[..], 0.5).unwrap();
        let mut fit = Weights::new::<Leiser>(targets);
        let before = fit.errors()[0];
        for _ in 0..10 {
            fit.epoch(1.0);
        }
        assert!(fit.errors()[0] < before, "{before} {:?}", fit.errors());
        assert_eq!(fit.rounded().len(), Leiser::weights().len());
    }
}
