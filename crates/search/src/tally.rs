//! Counting what an evaluation counts, once for playing, once for people and
//! once for tuning.

use quadrille_games::Side;

use crate::pair::Pair;
use crate::score::Value;

/// Receives an evaluation's findings: "this side has `count` of weight
/// `weight`". One piece of evaluation code serves every receiver.
pub trait Tally {
    /// Counts for one side; `weight` is an index into the evaluation's weights.
    fn add(&mut self, side: Side, weight: usize, count: Value);
}

/// Sums up at once: what a search uses.
#[derive(Debug, Clone, Copy)]
pub struct Sum<'a> {
    weights: &'a [Value],
    sides: [Value; 2],
}

impl<'a> Sum<'a> {
    /// Nothing yet, to be counted with these weights.
    #[inline(always)]
    pub const fn new(weights: &'a [Value]) -> Self {
        Self {
            weights,
            sides: [0; 2],
        }
    }

    /// What White has more than Black.
    #[inline(always)]
    pub const fn difference(&self) -> Value {
        self.sides[0] - self.sides[1]
    }
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Side, weight: usize, count: Value) {
        self.sides[side.index()] += self.weights[weight] * count;
    }
}

/// Sums up pairs.
#[derive(Debug, Clone, Copy)]
pub struct PairSum<'a> {
    weights: &'a [Pair],
    /// White's sum and Black's.
    pub sides: [Pair; 2],
}

impl<'a> PairSum<'a> {
    /// Nothing yet, to be counted with these weights.
    #[inline(always)]
    pub fn new(weights: &'a [Pair]) -> Self {
        Self {
            weights,
            sides: [Pair::default(); 2],
        }
    }
}

impl Tally for PairSum<'_> {
    #[inline(always)]
    fn add(&mut self, side: Side, weight: usize, count: Value) {
        self.sides[side.index()] += self.weights[weight] * count;
    }
}

/// Remembers how often each weight was counted for each side: what people and
/// the tuner look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts(pub Vec<[Value; 2]>);

impl Counts {
    /// Nothing yet, for that many weights.
    pub fn new(weights: usize) -> Self {
        Self(vec![[0; 2]; weights])
    }

    /// What White has more than Black of each weight, where there is a
    /// difference.
    pub fn differences(&self) -> Vec<(u32, f32)> {
        let each = self.0.iter().zip(0..);
        each.map(|(&[white, black], index)| (index, (white - black) as f32))
            .filter(|&(_, difference)| difference != 0.0)
            .collect()
    }

    /// The shares of both sides in a range of weights.
    pub fn share(&self, weights: &[Value], range: core::ops::Range<usize>) -> [Value; 2] {
        let mut sides = [0; 2];
        for index in range {
            for (side, sum) in sides.iter_mut().enumerate() {
                *sum += self.0[index][side] * weights[index];
            }
        }
        sides
    }
}

impl Tally for Counts {
    fn add(&mut self, side: Side, weight: usize, count: Value) {
        self.0[weight][side.index()] += count;
    }
}
