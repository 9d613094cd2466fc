//! Fits the weights of an evaluation that is one weighted sum to the quiet positions
//! of games.
//!
//! The fit minimises the squared error of a logistic curve through a share of the
//! result and the rest of the search's value.

use std::path::Path;

use quadrille_search::tuning::{Formula, WeightedSum};

use crate::adam::Adam;
use crate::blocks::each_block;
use crate::file::{FileError, Played};
use crate::fit::{chance, fitting_steepness};
use crate::openings::Opening;
use crate::positions::{half_points, quiet_positions};
use quadrille_games::random::SplitMix64;

/// Of so many games one is kept aside.
const GAMES_PER_HELD_OUT: u64 = 10;
/// Share of its change that a weight loses with each step at full rate: a little, so
/// that what is rarely seen stays near what it was.
const DECAY: f32 = 1e-3;
/// Positions for each step.
const BATCH: usize = 1024;

/// A position: how its value depends on the weights, and what it should be.
#[derive(Debug)]
pub struct Target {
    formula: Formula,
    /// The number of its game.
    game: u64,
    /// The result of that game, 0 to 1, and what the search saw.
    result: f32,
    value: f32,
}

/// Adds the quiet positions of a file of games. Returns how many torn bytes were left
/// out at its end.
pub fn read<P: WeightedSum + Opening>(
    path: &Path,
    threads: usize,
    targets: &mut Vec<Target>,
) -> Result<u64, FileError> {
    each_block::<P, _>(path, threads, targets_of, |mut some| {
        targets.append(&mut some);
        Ok(())
    })
}

fn targets_of<P: WeightedSum>(games: &[Played<P>]) -> Vec<Target> {
    let mut targets = Vec::new();
    for game in games {
        quiet_positions(game, |position, score| {
            targets.push(Target {
                formula: position.formula(),
                game: game.number,
                result: f32::from(half_points(game.winner)) / 2.0,
                value: score as f32,
            });
        });
    }
    targets
}

/// A fit on its way.
#[derive(Debug)]
pub struct Weights {
    taught: Vec<Target>,
    /// Whole games, to see whether what was learnt is true: positions of one
    /// game resemble each other.
    held_out: Vec<Target>,
    /// Steepness of the curve from values to chances: that which suits the first weights
    /// best, so that a fit does not change what a value means.
    steepness: f32,
    /// Share of the result in the target of a position.
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

    /// Returns the number of positions to learn from.
    pub fn len(&self) -> usize {
        self.taught.len()
    }

    /// Returns `true` if there are no positions to learn from.
    pub fn is_empty(&self) -> bool {
        self.taught.is_empty()
    }

    /// Returns the steepness of the curve from values to chances.
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

    use quadrille_games::gyges::Gyges;
    use quadrille_games::leiser::Leiser;
    use quadrille_games::liberty::Liberty;
    use std::sync::atomic::AtomicBool;

    use crate::generate::{Run, run};
    use crate::play::{Preset, Settings};
    use crate::stats::Stats;

    /// Plays games for weights, and reads them.
    fn games<P: WeightedSum + Opening>(games: u64) -> (Stats, Vec<Target>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let run_ = Run {
            settings: Settings {
                nodes: 60,
                hash: 4,
                seed: 3,
                preset: Preset::Weights,
            },
            games,
            threads: 2,
            engine: "test".into(),
        };
        run::<P>(&run_, &path, &AtomicBool::new(false), |_| {}).unwrap();
        let mut targets = Vec::new();
        assert_eq!(read::<P>(&path, 2, &mut targets).unwrap(), 0);
        (Stats::of::<P>(&path).unwrap(), targets)
    }

    #[test]
    fn quiet_positions_of_all_games_are_read() {
        fn check<P: WeightedSum + Opening>(wanted: u64) {
            let (stats, targets) = games::<P>(wanted);
            let (read, quiet) = (targets.len() as u64, stats.quiet);
            // Those with larger scores are left out.
            let scores = &stats.scores;
            let large = scores[4] + scores[5];
            assert!(stats.games > wanted / 2);
            assert!(
                read > 20 && read <= quiet && read + large >= quiet,
                "{read} {stats}"
            );
        }
        check::<Gyges>(8);
        check::<Leiser>(3);
        check::<Liberty>(3);
    }

    #[test]
    fn games_of_another_kind_are_refused() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let mut targets = Vec::new();
        let error = read::<Gyges>(&folder.join("leiser.games"), 1, &mut targets);
        let said = error.unwrap_err().to_string();
        assert!(
            said.contains("games of leiser, and games of gyges are needed"),
            "{said}"
        );
        assert!(targets.is_empty());
    }

    #[test]
    fn fitting_lowers_the_error() {
        let (_, targets) = games::<Leiser>(12);
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
        let fit = Weights::new::<Gyges>(games::<Gyges>(12).1, 0.5);
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
