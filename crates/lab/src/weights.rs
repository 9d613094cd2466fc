//! Fits the weights of an evaluation that is one weighted sum to positions with
//! results, as [`games`](crate::games) writes them.
//!
//! The fit minimises the squared error of a logistic curve through a share of the
//! result and the rest of the search's value.

use std::io::{self, BufRead};

use quadrille_search::tuning::{Formula, WeightedSum};

use crate::adam::Adam;
use crate::fit::{chance, fitting_steepness};
use quadrille_games::random::SplitMix64;

/// Of so many games one is kept aside.
const GAMES_PER_HELD_OUT: usize = 10;
/// How much of its change a weight loses with each step at full rate: a little, so
/// that what is rarely seen stays near what it was.
const DECAY: f32 = 1e-3;
/// Positions for each step.
const BATCH: usize = 1024;

/// A position: how its value depends on the weights, and what it should be.
#[derive(Debug)]
pub struct Target {
    formula: Formula,
    /// From the first game of the file on.
    game: usize,
    /// The result of that game, 0 to 1, and what the search saw.
    result: f32,
    value: f32,
}

/// Reads positions; lines that cannot be read are left out.
pub fn read<P: WeightedSum>(input: impl BufRead) -> io::Result<Vec<Target>> {
    let rules = P::Rules::default();
    let mut targets = Vec::new();
    let mut game = 0;
    for line in input.lines() {
        let line = line?;
        game += usize::from(line.is_empty());
        let mut parts = line.rsplitn(3, '|');
        let value = parts.next().and_then(|t| t.parse::<f32>().ok());
        let result = parts.next().and_then(|t| t.parse::<f32>().ok());
        let position = parts.next().and_then(|t| P::from_text(t, &rules).ok());
        if let (Some(value), Some(result), Some(position)) = (value, result, position) {
            targets.push(Target {
                formula: position.formula(),
                game,
                result: result / 2.0,
                value,
            });
        }
    }
    Ok(targets)
}

/// A fit on its way.
#[derive(Debug)]
pub struct Weights {
    taught: Vec<Target>,
    /// Whole games, to see whether what was learnt is true: positions of one
    /// game resemble each other.
    held_out: Vec<Target>,
    /// How steeply values become chances: that which suits the first weights
    /// best, so that a fit does not change what a value means.
    steepness: f32,
    /// How much of what a position should be is the result of its game.
    share: f32,
    values: Vec<f32>,
    first: Vec<f32>,
    adam: Adam,
    random: SplitMix64,
}

impl Weights {
    /// Starts from the weights as they are. `share` of what a position should be
    /// is its game's result, 0 to 1, the rest the value of the search.
    pub fn new<P: WeightedSum>(targets: Vec<Target>, share: f32) -> Self {
        let values: Vec<f32> = P::weights().iter().map(|&w| w as f32).collect();
        let seen = |t: &Target| (weigh(&t.formula, &values), t.result);
        let steepness = fitting_steepness(&targets.iter().map(seen).collect::<Vec<_>>());
        let aside = |t: &Target| t.game % GAMES_PER_HELD_OUT == GAMES_PER_HELD_OUT - 1;
        let (held_out, taught) = targets.into_iter().partition(aside);
        Self {
            taught,
            held_out,
            steepness,
            share,
            adam: Adam::new(values.len()),
            first: values.clone(),
            values,
            random: SplitMix64::new(1),
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

    /// How steeply values become chances.
    pub fn steepness(&self) -> f32 {
        self.steepness
    }

    /// By how much a position's chance is missed.
    fn miss(&self, target: &Target, p: f32) -> f32 {
        let searched = chance(self.steepness, target.value);
        p - (self.share * target.result + (1.0 - self.share) * searched)
    }

    /// The chance that a position stands for now.
    fn predict(&self, target: &Target) -> f32 {
        chance(self.steepness, weigh(&target.formula, &self.values))
    }

    /// The weights, rounded.
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|w| w.round() as i32).collect()
    }

    /// Mean squared error over the positions that teach and over the others.
    pub fn errors(&self) -> [f64; 2] {
        [&self.taught, &self.held_out].map(|targets| {
            let miss = |t: &Target| f64::from(self.miss(t, self.predict(t)));
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
        for start in (0..self.taught.len()).step_by(BATCH) {
            let batch = &self.taught[start..(start + BATCH).min(self.taught.len())];
            gradient.fill(0.0);
            for target in batch {
                let p = self.predict(target);
                let slope = self.miss(target, p) * p * (1.0 - p) / batch.len() as f32;
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

/// The value of a position under these weights.
fn weigh(formula: &Formula, weights: &[f32]) -> f32 {
    let terms = formula.factors.iter();
    let sum: f32 = terms.map(|&(i, f)| weights[i as usize] * f).sum();
    formula.fixed + sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::games::{Opening, generate};
    use quadrille_games::gyges::Gyges;
    use quadrille_games::leiser::Leiser;
    use quadrille_games::liberty::Liberty;

    fn positions<P: Opening>(games: u64) -> Vec<u8> {
        let mut out = Vec::new();
        generate::<P>(games, 60, &mut SplitMix64::new(3), &mut out).unwrap();
        out
    }

    #[test]
    fn positions_of_all_games_are_read_again() {
        fn check<P: Opening>(games: u64) {
            let bytes = positions::<P>(games);
            let written = bytes.lines().map_while(Result::ok);
            let lines = written.filter(|line| !line.is_empty()).count();
            let read = read::<P>(&bytes[..]).unwrap();
            assert!(lines > 20 && read.len() == lines, "{lines} {}", read.len());
        }
        check::<Gyges>(8);
        check::<Leiser>(3);
        check::<Liberty>(3);
        assert!(read::<Gyges>(&b"nonsense|1\n"[..]).unwrap().is_empty());
    }

    #[test]
    fn fitting_lowers_the_error() {
        let bytes = positions::<Leiser>(12);
        let targets = read::<Leiser>(&bytes[..]).unwrap();
        let mut fit = Weights::new::<Leiser>(targets, 0.5);
        let before = fit.errors()[0];
        for _ in 0..10 {
            fit.epoch(1.0);
        }
        assert!(fit.errors()[0] < before, "{before} {:?}", fit.errors());
        assert_eq!(fit.rounded().len(), Leiser::weights().len());
    }

    #[test]
    fn a_game_teaches_or_is_kept_aside_but_never_both() {
        let bytes = positions::<Gyges>(12);
        let fit = Weights::new::<Gyges>(read::<Gyges>(&bytes[..]).unwrap(), 0.5);
        let games = |targets: &[Target]| targets.iter().map(|t| t.game).collect::<BTreeSet<_>>();
        let (taught, held_out) = (games(&fit.taught), games(&fit.held_out));
        assert_eq!(held_out, BTreeSet::from([9]));
        assert!(
            taught.len() > 8 && taught.is_disjoint(&held_out),
            "{taught:?}"
        );
    }

    /// Weights twice as large stand for the same chances at half the steepness.
    #[test]
    fn the_steepness_follows_the_scale_of_the_values() {
        let wins = |value: f32| chance(0.004, value);
        let values = (-20..=20).map(|n| n as f32 * 40.0);
        let seen: Vec<_> = values.map(|v| (v, wins(v))).collect();
        let doubled: Vec<_> = seen.iter().map(|&(v, result)| (2.0 * v, result)).collect();
        assert!((fitting_steepness(&seen) - 0.004).abs() < 1e-4);
        assert!((fitting_steepness(&doubled) - 0.002).abs() < 1e-4);
    }
}
