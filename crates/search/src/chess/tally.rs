//! Where the evaluation puts what it counts.

use quadrille_games::Side;

use super::features::{COUNT, GROUPS, PLAIN};
use super::king_tables::KING_TABLES;
use super::pair::Pair;
use super::params::VALUES;

/// Receives what the evaluation counts. The same code serves play (which wants
/// a sum), people (who want the parts) and tuning (which wants the counts).
pub trait Tally {
    /// `side` has `count` of a feature.
    fn add(&mut self, side: Side, feature: usize, count: i32);
}

/// What one of a feature is worth. The feature must be less than
/// [`COUNT`](super::features::COUNT).
#[inline]
pub fn worth(feature: usize) -> Pair {
    if feature < PLAIN {
        VALUES[feature]
    } else {
        KING_TABLES[feature - PLAIN]
    }
}

/// Only the sum, White's minus Black's.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sum(pub(super) Pair);

impl Tally for Sum {
    #[inline(always)]
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        let part = VALUES[feature] * count;
        match side {
            Side::White => self.0 += part,
            Side::Black => self.0 -= part,
        }
    }
}

/// A sum for each group of features and each side.
#[derive(Debug, Clone)]
pub(super) struct Parts(pub(super) Vec<[Pair; 2]>);

impl Parts {
    pub(super) fn new() -> Self {
        Self(vec![[Pair::ZERO; 2]; GROUPS.len()])
    }
}

impl Tally for Parts {
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        let group = GROUPS.partition_point(|g| g.start + g.length <= feature);
        self.0[group][side.index()] += worth(feature) * count;
    }
}

/// How often each feature counts for White, less how often for Black.
#[derive(Debug, Clone)]
pub struct Counts(pub(super) Vec<i16>);

impl Counts {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self(vec![0; COUNT])
    }

    /// Hands out every feature whose count is not zero, and forgets it.
    pub fn drain(&mut self, mut each: impl FnMut(usize, i16)) {
        for (feature, count) in self.0.iter_mut().enumerate() {
            if *count != 0 {
                each(feature, *count);
                *count = 0;
            }
        }
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally for Counts {
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        match side {
            Side::White => self.0[feature] += count as i16,
            Side::Black => self.0[feature] -= count as i16,
        }
    }
}
