//! Gradient descent on the error of predicted results.
//!
//! The evaluation is a sum of counts times values, so that its gradient is the
//! counts themselves. Work is cut into a fixed number of pieces that are added
//! up in a fixed order: the result is the same to the last bit whatever the
//! number of threads.

use quadrille_search::chess::features::{COUNT, PLAIN};

use crate::adam::Adam;
use crate::sample::{Sample, Samples};
use quadrille_games::random::SplitMix64;

/// Pieces a batch is cut into.
const PIECES: usize = 64;

/// About how much one position that shows a feature curves the error: the
/// square of the steepness times the mean of the squared slope of a chance.
const CURVATURE: f32 = 1.4e-6;

/// A middlegame and an endgame value for every feature.
pub type Values = Vec<[f32; 2]>;

/// Settings of a fit.
#[derive(Debug, Clone)]
pub struct FitSettings {
    /// Passes over all samples.
    pub epochs: usize,
    /// Samples per step.
    pub batch: usize,
    /// Length of a step, in hundredths of a pawn.
    pub rate: f32,
    /// Share of the result against the score of the search.
    pub result_share: f32,
    /// Weight of the start values: as much as this many positions that
    /// show a feature.
    pub prior: f32,
    /// Weight of zero for the tables of the kings.
    pub king_prior: f32,
    /// Threads to use.
    pub threads: usize,
    /// Order of the samples.
    pub seed: u64,
}

/// The chance to win that a value stands for; `k` is the steepness.
#[inline]
pub fn chance(k: f32, value: f32) -> f32 {
    1.0 / (1.0 + (-k * value).exp())
}

/// The steepness that turns values into these results best, searched for by
/// sections.
pub(crate) fn fitting_steepness(seen: &[(f32, f32)]) -> f32 {
    let error = |k: f32| -> f64 {
        seen.iter()
            .map(|&(value, result)| f64::from(chance(k, value) - result).powi(2))
            .sum()
    };
    let (mut low, mut high) = (0.0005f32, 0.02f32);
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f32::midpoint(low, high)
}

/// The value of a sample under these values.
#[inline]
pub fn predict(samples: &Samples, sample: &Sample, values: &Values) -> f32 {
    let mut sums = [0.0; 2];
    for (feature, count) in samples.features(sample) {
        sums[0] += count * values[feature][0];
        sums[1] += count * values[feature][1];
    }
    sums[0] * sample.shares[0] + sums[1] * sample.shares[1]
}

/// Fits values to samples.
#[derive(Debug)]
pub struct Fit<'a> {
    samples: &'a Samples,
    settings: FitSettings,
    k: f32,
    values: Values,
    /// Values that the prior pulls to.
    start: Values,
    adam: Adam,
}

impl<'a> Fit<'a> {
    /// Starts from these values, and finds the steepness that fits them best.
    pub fn new(samples: &'a Samples, settings: FitSettings, values: Values) -> Self {
        let mut start = values.clone();
        start[PLAIN..].fill([0.0; 2]);
        let mut fit = Self {
            samples,
            start,
            settings,
            k: 0.0,
            adam: Adam::new(2 * values.len()),
            values,
        };
        fit.k = fit.steepness();
        fit
    }

    /// The steepness found.
    pub fn k(&self) -> f32 {
        self.k
    }

    /// The values as they are now.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The steepness that fits best, against results alone.
    fn steepness(&self) -> f32 {
        let every = (self.samples.list.len() / 200_000).max(1);
        let some: Vec<(f32, f32)> = self
            .samples
            .list
            .iter()
            .step_by(every)
            .map(|s| (predict(self.samples, s, &self.values), s.result))
            .collect();
        fitting_steepness(&some)
    }

    fn target(&self, sample: &Sample) -> f32 {
        let share = self.settings.result_share;
        share * sample.result + (1.0 - share) * chance(self.k, sample.score)
    }

    /// Mean squared error over the training samples and the held out ones.
    pub fn errors(&self) -> [f64; 2] {
        let work = |samples: &[Sample]| {
            let mut sums = [(0.0, 0u64); 2];
            for sample in samples {
                let value = predict(self.samples, sample, &self.values);
                let miss = chance(self.k, value) - self.target(sample);
                let sum = &mut sums[usize::from(sample.held_out)];
                sum.0 += f64::from(miss * miss);
                sum.1 += 1;
            }
            sums
        };
        let mut total = [(0.0, 0); 2];
        for part in self.in_parallel(&self.samples.list, work) {
            for i in 0..2 {
                total[i].0 += part[i].0;
                total[i].1 += part[i].1;
            }
        }
        total.map(|(sum, count)| sum / count.max(1) as f64)
    }

    /// Runs `work` on pieces of the list; results come back in order.
    fn in_parallel<T: Sync, R: Send>(&self, list: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
        let pieces: Vec<&[T]> = list.chunks(list.len().div_ceil(PIECES).max(1)).collect();
        let share = pieces.len().div_ceil(self.settings.threads.max(1)).max(1);
        let work = &work;
        std::thread::scope(|scope| {
            let running: Vec<_> = pieces
                .chunks(share)
                .map(|mine| {
                    scope.spawn(move || mine.iter().map(|piece| work(piece)).collect::<Vec<_>>())
                })
                .collect();
            running
                .into_iter()
                .flat_map(|thread| thread.join().unwrap_or_default())
                .collect()
        })
    }

    /// Goes once over all training samples in random order.
    pub fn epoch(&mut self, number: usize) {
        let mut order: Vec<Sample> = self
            .samples
            .list
            .iter()
            .filter(|s| !s.held_out)
            .copied()
            .collect();
        let mut random = SplitMix64::new(self.settings.seed.wrapping_add(number as u64));
        for i in (1..order.len()).rev() {
            order.swap(i, random.index(i + 1));
        }
        // Steps get smaller along half a cosine wave.
        let progress = number as f32 / self.settings.epochs.max(1) as f32;
        let wave = (core::f32::consts::PI * progress).cos();
        let rate = self.settings.rate * (0.01 + 0.99 * (0.5 + 0.5 * wave));
        for batch in order.chunks(self.settings.batch.max(1)) {
            let gradient = self.gradient(batch);
            let values = self.values.as_flattened_mut();
            self.adam.step(values, gradient.as_flattened(), rate);
        }
    }

    fn gradient(&self, batch: &[Sample]) -> Values {
        let work = |samples: &[Sample]| {
            let mut gradient = vec![[0.0f32; 2]; COUNT];
            for sample in samples {
                let value = predict(self.samples, sample, &self.values);
                let p = chance(self.k, value);
                let slope = (p - self.target(sample)) * p * (1.0 - p);
                let shares = sample.shares.map(|share| share * slope);
                for (feature, count) in self.samples.features(sample) {
                    gradient[feature][0] += count * shares[0];
                    gradient[feature][1] += count * shares[1];
                }
            }
            gradient
        };
        let mut total = vec![[0.0; 2]; COUNT];
        for part in self.in_parallel(batch, work) {
            for (sum, add) in total.iter_mut().zip(part) {
                sum[0] += add[0];
                sum[1] += add[1];
            }
        }
        let scale = 1.0 / batch.len().max(1) as f32;
        let all = self.samples.list.len() as f32;
        for (feature, sum) in total.iter_mut().enumerate() {
            let prior = if feature < PLAIN {
                self.settings.prior
            } else {
                self.settings.king_prior
            };
            let pull = prior * CURVATURE / all;
            for (phase, sum) in sum.iter_mut().enumerate() {
                let away = self.values[feature][phase] - self.start[feature][phase];
                *sum = *sum * scale + pull * away;
            }
        }
        total
    }
}
