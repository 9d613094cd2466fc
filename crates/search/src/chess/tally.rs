//! Where the evaluation puts what it counts: one sum for play, the parts for
//! people, the counts for tuning.

use quadrille_games::Side;

use super::features::{COUNT, GROUPS, PLAIN};
use super::king_tables::KING_TABLES;
use super::params::VALUES;
use crate::pair::Pair;
use crate::tally::Tally;

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
pub(super) struct Difference(pub(super) Pair);

impl Tally for Difference {
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
pub struct FeatureCounts(pub(super) Vec<i16>);

impl FeatureCounts {
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

impl Default for FeatureCounts {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally for FeatureCounts {
    fn add(&mut self, side: Side, feature: usize, count: i32) {
        match side {
            Side::White => self.0[feature] += count as i16,
            Side::Black => self.0[feature] -= count as i16,
        }
    }
}
