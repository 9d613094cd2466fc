//! Positions as the tuner sees them: counts of features, and the result.

use std::path::Path;

use quadrille_games::Position;
use quadrille_games::chess::{Chess, PieceKind};
use quadrille_search::chess::{FeatureCounts, trace};

use crate::blocks::each_block;
use crate::file::{FileError, Played};
use crate::positions::{half_points, quiet_positions};

/// One game of so many is kept out of training.
const GAMES_PER_HELD_OUT: u64 = 16;

/// Counts of what a file of games gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Positions to fit to.
    pub positions: usize,
    /// Quiet positions that are of no use.
    pub skipped: usize,
    /// Bytes of a last block that was not written to its end.
    pub torn: u64,
}

/// One position to fit to.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Its features: where they begin in the set's lists, and how many.
    start: usize,
    length: u16,
    /// `true` if it is kept out of training, to see whether that generalises.
    pub held_out: bool,
    /// The share of a middlegame and of an endgame value in the whole.
    pub shares: [f32; 2],
    /// 0 to 1 from White's point of view.
    pub result: f32,
    /// The search's score in pawns hundredths, White's point of view.
    pub score: f32,
}

/// Many samples with their features in two flat lists.
#[derive(Debug, Default)]
pub struct Samples {
    /// The samples.
    pub list: Vec<Sample>,
    features: Vec<u16>,
    counts: Vec<i8>,
}

impl Samples {
    /// Each feature of a sample with its count, White's less Black's.
    #[inline]
    pub fn features(&self, sample: &Sample) -> impl Iterator<Item = (usize, f32)> + '_ {
        let range = sample.start..sample.start + usize::from(sample.length);
        let counts = &self.counts[range.clone()];
        self.features[range]
            .iter()
            .zip(counts)
            .map(|(&feature, &count)| (usize::from(feature), f32::from(count)))
    }

    /// Adds the quiet positions of the games of a file, read on several threads.
    pub fn read(&mut self, path: &Path, threads: usize) -> Result<Contents, FileError> {
        let before = self.list.len();
        let mut skipped = 0;
        let torn = each_block::<Chess, _>(path, threads, Self::of_games, |(samples, lost)| {
            self.append(samples);
            skipped += lost;
            Ok(())
        })?;
        Ok(Contents {
            positions: self.list.len() - before,
            skipped,
            torn,
        })
    }

    fn of_games(games: &[Played<Chess>]) -> (Self, usize) {
        let mut samples = Self::default();
        let mut counts = FeatureCounts::new();
        let mut skipped = 0;
        for game in games {
            quiet_positions(game, |position, score| {
                let added = samples.push(game, position, score, &mut counts);
                skipped += usize::from(!added);
            });
        }
        (samples, skipped)
    }

    /// Adds a position of a game with its score for White. Returns `false` if its value
    /// does not depend on any feature.
    pub fn push(
        &mut self,
        game: &Played<Chess>,
        position: &Chess,
        score: i32,
        counts: &mut FeatureCounts,
    ) -> bool {
        if !is_useful(position) {
            return false;
        }
        let balance = trace(position, counts);
        if balance.scale == 0 {
            counts.drain(|_, _| ());
            return false;
        }
        let start = self.features.len();
        counts.drain(|feature, count| {
            self.features.push(feature as u16);
            self.counts.push(count.clamp(-127, 127) as i8);
        });
        let phase = balance.phase as f32 / 24.0;
        let fading = 1.0 - position.halfmove_clock().min(100) as f32 / 200.0;
        let endgame = (1.0 - phase) * balance.scale as f32 / 64.0;
        self.list.push(Sample {
            start,
            length: (self.features.len() - start) as u16,
            held_out: game.number.is_multiple_of(GAMES_PER_HELD_OUT),
            shares: [phase * fading, endgame * fading],
            result: f32::from(half_points(game.winner)) / 2.0,
            score: score as f32,
        });
        true
    }

    /// Joins two sets.
    pub fn append(&mut self, other: Self) {
        let shift = self.features.len();
        self.features.extend(other.features);
        self.counts.extend(other.counts);
        self.list.extend(other.list.into_iter().map(|mut sample| {
            sample.start += shift;
            sample
        }));
    }
}

/// Bare kings are judged by other means than the sum, see the evaluation.
fn is_useful(position: &Chess) -> bool {
    let kings = position.by_kind(PieceKind::King);
    quadrille_games::Side::BOTH
        .into_iter()
        .all(|side| !(position.by_side(side) - kings).is_empty())
        && position.outcome().is_none()
}
