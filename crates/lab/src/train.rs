//! A small trainer without a graphics card.
//!
//! It learns from the same rows and writes the same file as the one in
//! `training/`, slowly: enough for a net of a few dozen neurons, and to know that
//! the way from games to a net is whole. Its targets are those of that trainer
//! without `--later`: the scores that followed in the game are not used.

use std::fs;
use std::path::{Path, PathBuf};

use quadrille_games::random::SplitMix64;
use quadrille_games::{Game, match_game};
use quadrille_search::net::{
    self, Inputs, LANES, MOST_NEURONS, Net, Numbers, ONE, Shape, WEIGHT_ONE,
};

use crate::export::{MAGIC, NOT_PLAYED};
use crate::file::{FileError, must_be_regular};

/// Beyond these, numbers do not fit the integers they are rounded to.
const MOST_ROW: f32 = 1.98;
const MOST_LAST: f32 = 127.0 / WEIGHT_ONE as f32;
/// The share of a weight that decays with each step, times the rate.
const DECAY: f32 = 0.01;

/// Settings of the trainer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Training {
    /// A multiple of 32, up to 2,048.
    pub neurons: usize,
    /// Passes over all rows.
    pub epochs: u32,
    /// Rows in a step.
    pub batch: usize,
    /// Of the first step; it falls to a fortieth.
    pub rate: f32,
    /// The share of the game's result in the target, from 0 to 1.
    pub wdl: f32,
    /// Seed: the same one gives the same net.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            neurons: LANES,
            epochs: 10,
            batch: 256,
            rate: 5e-3,
            wdl: 0.1,
            seed: 1,
        }
    }
}

/// A net that was trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Trained {
    /// Its file.
    pub file: Vec<u8>,
    /// Mean squares of what chances were off on games it has not seen.
    pub validation: f32,
    /// Validation loss of a net that knows nothing.
    pub ignorance: f32,
    /// Mean difference of integers from floats, in hundredths of a pawn.
    pub rounding: f32,
}

/// Progress after a pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// From 1.
    pub number: u32,
    /// Mean squares of what chances were off on the rows it learns from.
    pub loss: f32,
}

/// Reasons why nothing was trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another kind of file.
    #[error("{path}: not a file of rows: make one with `quadrille data export`")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Nothing in it.
    #[error("{path}: no rows")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The last row is not whole.
    #[error("{path}: cut short behind {rows} rows: make it anew with `quadrille data export`")]
    Cut {
        /// The file.
        path: PathBuf,
        /// Rows that are whole.
        rows: usize,
    },
    /// Results are needed to know what scores mean.
    #[error("{path}: no row of a position that was played")]
    Unplayed {
        /// The file.
        path: PathBuf,
    },
    /// Rows to validate with that are of another game.
    #[error("{path}: rows of '{found}', those to train with are of '{wanted}'")]
    Shapes {
        /// The file.
        path: PathBuf,
        /// Its contents.
        found: &'static str,
        /// Contents of the others.
        wanted: &'static str,
    },
    /// A number of neurons that no net has.
    #[error("{0} neurons: a multiple of {LANES} is needed, {MOST_NEURONS} at most")]
    Neurons(usize),
    /// A share of the result that is none.
    #[error("a share of {0} for the result: it must be from 0 to 1")]
    Share(f32),
}

/// Rows in memory.
struct Rows {
    shape: Shape,
    game: Game,
    bytes: Vec<u8>,
    begin: usize,
}

/// One row, taken apart.
struct Row<'a> {
    features: [&'a [u8]; 2],
    score: f32,
    by_hand: f32,
    /// From 0 to 1, if the position was played.
    result: Option<f32>,
    bucket: usize,
}

impl Rows {
    fn read(path: &Path) -> Result<Self, TrainError> {
        let foreign = || TrainError::Foreign { path: path.into() };
        must_be_regular(path)?;
        let bytes = fs::read(path).map_err(|source| FileError::io(path, source))?;
        let head = bytes
            .strip_prefix(MAGIC)
            .and_then(|rest| rest.split_first_chunk::<4>());
        let (length, rest) = head.ok_or_else(foreign)?;
        let length = u32::from_le_bytes(*length) as usize;
        let text = rest
            .get(..length)
            .and_then(|text| str::from_utf8(text).ok());
        let text = text.ok_or_else(foreign)?;
        let of = |key: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(k, _)| *k == key).map(|(_, value)| value)
        };
        let shapes = Game::ALL.map(|game| (game, match_game!(game, P => P::SHAPE)));
        let known = |name| shapes.into_iter().find(|(_, shape)| shape.name == name);
        let (game, shape) = of("inputs").and_then(known).ok_or_else(foreign)?;
        let rows = Self {
            shape,
            game,
            begin: MAGIC.len() + 4 + length,
            bytes,
        };
        if !(rows.bytes.len() - rows.begin).is_multiple_of(rows.row_bytes()) {
            return Err(TrainError::Cut {
                path: path.into(),
                rows: rows.len(),
            });
        }
        if rows.len() == 0 {
            return Err(TrainError::Empty { path: path.into() });
        }
        Ok(rows)
    }

    const fn row_bytes(&self) -> usize {
        4 * self.shape.most + 8
    }

    fn len(&self) -> usize {
        (self.bytes.len() - self.begin) / self.row_bytes()
    }

    fn row(&self, index: usize) -> Row<'_> {
        let begin = self.begin + index * self.row_bytes();
        let bytes = &self.bytes[begin..begin + self.row_bytes()];
        let (features, rest) = bytes.split_at(4 * self.shape.most);
        let (mover, other) = features.split_at(2 * self.shape.most);
        let number = |at: usize| f32::from(i16::from_le_bytes([rest[at], rest[at + 1]]));
        Row {
            features: [mover, other],
            score: number(0),
            by_hand: number(4),
            result: (rest[6] < NOT_PLAYED).then(|| f32::from(rest[6]) / 2.0),
            bucket: usize::from(rest[7]).min(self.shape.buckets - 1),
        }
    }

    /// The features of a view, without the empty places.
    fn features<'a>(&self, view: &'a [u8]) -> impl Iterator<Item = usize> + use<'a> {
        let all = self.shape.features;
        let numbers = view.as_chunks::<2>().0.iter();
        numbers
            .map(|b| u16::from_le_bytes(*b).into())
            .filter(move |&f| f < all)
    }
}

fn chance(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The scale at which scores say best how games end, found by thirds; `None` if
/// no row knows how its game ended.
fn fitted_scale(rows: &Rows) -> Option<f32> {
    let step = (rows.len() / 50_000).max(1);
    let seen: Vec<(f32, f32)> = (0..rows.len())
        .step_by(step)
        .map(|index| rows.row(index))
        .filter_map(|row| Some((row.score, row.result?)))
        .collect();
    if seen.is_empty() {
        return None;
    }
    let loss = |scale: f32| -> f32 {
        let each = seen.iter().map(|(score, result)| {
            let p = chance(score / scale).clamp(1e-6, 1.0 - 1e-6);
            -(result * p.ln() + (1.0 - result) * (1.0 - p).ln())
        });
        each.sum()
    };
    let (mut low, mut high) = (50.0, 1500.0);
    for _ in 0..25 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    Some(f32::midpoint(low, high).round())
}

/// All numbers of a net in one row, so that one rule moves them all.
struct Floats {
    shape: Shape,
    neurons: usize,
    all: Vec<f32>,
}

impl Floats {
    fn new(shape: Shape, neurons: usize, random: &mut SplitMix64) -> Self {
        let rows = shape.features * neurons;
        let last = rows + neurons;
        let bias = last + 2 * neurons * shape.buckets;
        let mut some = |bound: f32| (random.index(20_001) as f32 / 10_000.0 - 1.0) * bound;
        let all = (0..bias + shape.buckets).map(|at| match at {
            at if at < rows => some(0.25 / (shape.most as f32).sqrt()),
            at if at < last => 0.25,
            // What is added to a hand-written value begins as nothing.
            at if at < bias && shape.adds_to_hand_written => 0.0,
            at if at < bias => some(1.0 / (2.0 * neurons as f32).sqrt()),
            _ => 0.0,
        });
        Self {
            shape,
            neurons,
            all: all.collect(),
        }
    }

    const fn start(&self) -> usize {
        self.shape.features * self.neurons
    }

    const fn last(&self, bucket: usize, view: usize) -> usize {
        self.start() + self.neurons * (1 + 2 * bucket + view)
    }

    const fn bias(&self, bucket: usize) -> usize {
        self.last(self.shape.buckets, 0) + bucket
    }

    /// The sums of a view.
    fn sums(&self, features: impl Iterator<Item = usize>, sums: &mut [f32]) {
        let start = self.start();
        sums.copy_from_slice(&self.all[start..start + self.neurons]);
        for feature in features {
            let row = &self.all[feature * self.neurons..(feature + 1) * self.neurons];
            for (sum, number) in sums.iter_mut().zip(row) {
                *sum += number;
            }
        }
    }

    /// The value of a row without the hand-written part, and the sums it came
    /// from.
    fn value(&self, rows: &Rows, row: &Row<'_>, sums: &mut [Vec<f32>; 2]) -> f32 {
        let mut value = self.all[self.bias(row.bucket)];
        for (view, sums) in sums.iter_mut().enumerate() {
            self.sums(rows.features(row.features[view]), sums);
            let last = self.last(row.bucket, view);
            let weights = &self.all[last..last + self.neurons];
            let each = sums.iter().zip(weights);
            value += each
                .map(|(x, w)| x.clamp(0.0, 1.0).powi(2) * w)
                .sum::<f32>();
        }
        value
    }

    /// Adds what one row says about every number.
    fn learn(&self, rows: &Rows, row: &Row<'_>, sums: &[Vec<f32>; 2], slope: f32, to: &mut [f32]) {
        let start = self.start();
        to[self.bias(row.bucket)] += slope;
        for (view, sums) in sums.iter().enumerate() {
            let last = self.last(row.bucket, view);
            let mut back = vec![0.0; self.neurons];
            for (i, &x) in sums.iter().enumerate() {
                let held = x.clamp(0.0, 1.0);
                to[last + i] += slope * held * held;
                if x > 0.0 && x < 1.0 {
                    back[i] = slope * 2.0 * x * self.all[last + i];
                    to[start + i] += back[i];
                }
            }
            for feature in rows.features(row.features[view]) {
                let at = feature * self.neurons;
                for (sum, number) in to[at..at + self.neurons].iter_mut().zip(&back) {
                    *sum += number;
                }
            }
        }
    }

    fn rounded(&self, scale: f32) -> Numbers {
        let short = |range: core::ops::Range<usize>, unit: i16| {
            let each = self.all[range].iter();
            each.map(|x| (x * f32::from(unit)).round() as i16).collect()
        };
        let (start, last, bias) = (self.start(), self.last(0, 0), self.bias(0));
        let unit = f32::from(ONE) * f32::from(WEIGHT_ONE);
        Numbers {
            neurons: self.neurons,
            rows: short(0..start, ONE),
            start: short(start..last, ONE),
            last: short(last..bias, WEIGHT_ONE),
            bias: self.all[bias..]
                .iter()
                .map(|x| (x * unit).round() as i32)
                .collect(),
            scale: scale as i32,
        }
    }
}

/// Adam with decay.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn step(&mut self, floats: &mut Floats, slopes: &mut [f32], rate: f32) {
        self.steps += 1;
        let first = 1.0 - 0.9_f32.powi(self.steps);
        let second = 1.0 - 0.999_f32.powi(self.steps);
        let (last, bias) = (floats.last(0, 0), floats.bias(0));
        // However many rows a view adds up, the sum fits, rounded as it will be.
        let share = i16::MAX as usize / (floats.shape.most + 1);
        let most_row = MOST_ROW.min(share as f32 / f32::from(ONE));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        let numbers = floats.all.iter_mut().zip(slopes).zip(moments);
        for (at, ((number, slope), (mean, square))) in numbers.enumerate() {
            *mean += 0.1 * (*slope - *mean);
            *square += 0.001 * (*slope * *slope - *square);
            *slope = 0.0;
            *number -=
                rate * (*mean / first / ((*square / second).sqrt() + 1e-8) + DECAY * *number);
            if at < last {
                *number = number.clamp(-most_row, most_row);
            } else if (last..bias).contains(&at) {
                *number = number.clamp(-MOST_LAST, MOST_LAST);
            }
        }
    }
}

/// Returns the target of a row, as a chance.
fn target(row: &Row<'_>, scale: f32, wdl: f32) -> f32 {
    let by_score = chance(row.score / scale);
    row.result
        .map_or(by_score, |result| by_score + wdl * (result - by_score))
}

/// Trains a net on some rows; others say how good it is.
pub fn train(
    training: &Path,
    validation: &Path,
    how: &Training,
    mut tell: impl FnMut(Epoch),
) -> Result<Trained, TrainError> {
    if !(1..=MOST_NEURONS).contains(&how.neurons) || !how.neurons.is_multiple_of(LANES) {
        return Err(TrainError::Neurons(how.neurons));
    }
    if !(0.0..=1.0).contains(&how.wdl) {
        return Err(TrainError::Share(how.wdl));
    }
    let rows = Rows::read(training)?;
    let others = Rows::read(validation)?;
    if others.shape != rows.shape {
        return Err(TrainError::Shapes {
            path: validation.into(),
            found: others.shape.name,
            wanted: rows.shape.name,
        });
    }
    let scale = fitted_scale(&rows).ok_or_else(|| TrainError::Unplayed {
        path: training.into(),
    })?;
    let mut random = SplitMix64::new(how.seed);
    let mut floats = Floats::new(rows.shape, how.neurons, &mut random);
    let mut slopes = vec![0.0; floats.all.len()];
    let mut adam = Adam {
        mean: slopes.clone(),
        square: slopes.clone(),
        steps: 0,
    };
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let batch = how.batch.max(1);
    let steps = rows.len().div_ceil(batch) as f32 * how.epochs as f32;
    let mut sums = [vec![0.0; how.neurons], vec![0.0; how.neurons]];
    for number in 1..=how.epochs {
        let mut loss = 0.0;
        for last in (1..order.len()).rev() {
            order.swap(last, random.index(last + 1));
        }
        for part in order.chunks(batch) {
            for &index in part {
                let row = rows.row(index as usize);
                let value = floats.value(&rows, &row, &mut sums) + base(&rows, &row, scale);
                let p = chance(value);
                let apart = p - target(&row, scale, how.wdl);
                loss += f64::from(apart * apart);
                let slope = 2.0 * apart * p * (1.0 - p) / part.len() as f32;
                floats.learn(&rows, &row, &sums, slope, &mut slopes);
            }
            let done = adam.steps as f32 / steps;
            let rate =
                how.rate * (0.025 + 0.975 * (1.0 + (done * core::f32::consts::PI).cos()) / 2.0);
            adam.step(&mut floats, &mut slopes, rate);
        }
        tell(Epoch {
            number,
            loss: (loss / rows.len() as f64) as f32,
        });
    }
    Ok(finished(&rows, &others, &floats, scale, how))
}

/// The hand-written part of a value, where nets add to it.
fn base(rows: &Rows, row: &Row<'_>, scale: f32) -> f32 {
    if rows.shape.adds_to_hand_written {
        row.by_hand / scale
    } else {
        0.0
    }
}

/// Rounds and checks.
fn finished(rows: &Rows, others: &Rows, floats: &Floats, scale: f32, how: &Training) -> Trained {
    let numbers = floats.rounded(scale);
    let net = Net::new(rows.shape, &numbers, String::new());
    let mut sums = [vec![0.0; how.neurons], vec![0.0; how.neurons]];
    let (mut loss, mut ignorance, mut rounding) = (0.0, 0.0, 0.0);
    for index in 0..others.len() {
        let row = others.row(index);
        let value = floats.value(others, &row, &mut sums);
        let wanted = target(&row, scale, how.wdl);
        let known = base(others, &row, scale);
        loss += (chance(value + known) - wanted).powi(2);
        ignorance += (chance(known) - wanted).powi(2);
        rounding += (value * scale - whole(&net, others, &row)).abs();
    }
    let count = others.len() as f32;
    let validation = loss / count;
    let made = format!(
        "rows {}\nschedule {how:?}\nvalidation {validation:.6}\ntrainer quadrille data train",
        rows.len()
    );
    Trained {
        file: net::write(rows.game.name(), &rows.shape, &numbers, &made),
        validation,
        ignorance: ignorance / count,
        rounding: rounding / count,
    }
}

/// Returns the value of a row by the rounded net, in hundredths of a pawn.
fn whole(net: &Net, rows: &Rows, row: &Row<'_>) -> f32 {
    let [mover, other] = row
        .features
        .map(|view| rows.features(view).collect::<Vec<_>>());
    net.value_of(&mover, &other, row.bucket) as f32
}
