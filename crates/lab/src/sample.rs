//! Positions as the tuner sees them: counts of features, and the result.

use quadrille_games::Position;
use quadrille_games::chess::{Chess, PieceKind};
use quadrille_search::chess::{FeatureCounts, trace};

use crate::record::{Record, SIZE};

/// What one position contributes.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Its features: where they begin in the set's lists, and how many.
    start: usize,
    length: u16,
    /// Whether it is kept out of training, to see whether that generalises.
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

    /// Reads a file's bytes, on several threads. Records that are damaged or
    /// cannot be used are skipped; the second value says how many.
    pub fn read(bytes: &[u8], threads: usize) -> (Self, usize) {
        let records = bytes.len() / SIZE;
        let per_thread = records.div_ceil(threads.max(1)).max(1) * SIZE;
        let mut whole = Self::default();
        let mut skipped = 0;
        std::thread::scope(|scope| {
            let parts: Vec<_> = bytes
                .chunks(per_thread)
                .map(|chunk| scope.spawn(move || Self::read_part(chunk)))
                .collect();
            for part in parts {
                if let Ok((samples, lost)) = part.join() {
                    whole.append(samples);
                    skipped += lost;
                }
            }
        });
        (whole, skipped)
    }

    fn read_part(bytes: &[u8]) -> (Self, usize) {
        let mut samples = Self::default();
        let mut counts = FeatureCounts::new();
        let mut skipped = 0;
        for chunk in bytes.chunks_exact(SIZE) {
            let record = Record(chunk.try_into().unwrap_or([0; SIZE]));
            match record.position() {
                Ok(position) if is_useful(&position) => {
                    skipped += usize::from(!samples.push(&record, &position, &mut counts));
                }
                _ => skipped += 1,
            }
        }
        (samples, skipped)
    }

    /// Adds one position, unless its value does not depend on any feature.
    fn push(&mut self, record: &Record, position: &Chess, counts: &mut FeatureCounts) -> bool {
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
            held_out: record.game().is_multiple_of(16),
            shares: [phase * fading, endgame * fading],
            result: record.result(),
            score: f32::from(record.score()),
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
