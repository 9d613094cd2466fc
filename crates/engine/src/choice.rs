//! Choices that are not the search's: random numbers, and moves picked by them.

use std::time::{SystemTime, UNIX_EPOCH};

use quadrille_search::Variation;

/// Random numbers with a known start (the `SplitMix64` sequence).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// Numbers that follow from `seed` and the position, so that a game can be
    /// repeated; with seed 0 they are different every time.
    pub(crate) fn new(seed: u64, position: u64) -> Self {
        if seed != 0 {
            return Self(seed ^ position);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |time| time.as_nanos() as u64);
        Self(nanos ^ position ^ u64::from(std::process::id()) << 40)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// An index with the chance its weight gives it; `None` if all are 0.
    pub(crate) fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let total: u64 = weights.clone().sum();
        if total == 0 {
            return None;
        }
        let mut left = self.below(total);
        weights.into_iter().position(|weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        })
    }
}

/// The line that looks best once each score is off by up to `noise` either
/// way: how a weaker player sees them. A sure win is never missed.
pub(crate) fn blurred<M>(lines: &[Variation<M>], noise: u32, random: &mut Random) -> usize {
    let width = 2 * u64::from(noise) + 1;
    let seen = lines.iter().map(|line| {
        let blur = random.below(width) as i64 - i64::from(noise);
        i64::from(line.score.value()) + blur
    });
    let mut best = (0, i64::MIN);
    for (index, value) in seen.enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_search::{Bound, Score};

    #[test]
    fn a_seed_repeats_itself_and_numbers_stay_below() {
        let mut one = Random::new(7, 1);
        let mut two = Random::new(7, 1);
        for bound in 1..500 {
            let number = one.below(bound);
            assert_eq!(number, two.below(bound));
            assert!(number < bound);
        }
        assert_eq!(one.below(0), 0);
    }

    #[test]
    fn weights_decide() {
        let mut random = Random::new(3, 0);
        let mut hits = [0; 3];
        for _ in 0..1000 {
            hits[random.weighted([1, 0, 9].into_iter()).unwrap()] += 1;
        }
        assert_eq!(hits[1], 0);
        assert!(hits[0] > 40 && hits[2] > 800, "{hits:?}");
        assert_eq!(random.weighted([0, 0].into_iter()), None);
    }

    fn line(score: Score) -> Variation<u8> {
        Variation {
            rank: 1,
            depth: 1,
            seldepth: 1,
            score,
            bound: Bound::Exact,
            moves: vec![0],
        }
    }

    #[test]
    fn noise_picks_other_lines_but_never_misses_a_win() {
        let lines = [
            line(Score::Cp(30)),
            line(Score::Cp(10)),
            line(Score::Cp(-400)),
        ];
        let mut random = Random::new(11, 5);
        let mut hits = [0; 3];
        for _ in 0..500 {
            hits[blurred(&lines, 50, &mut random)] += 1;
        }
        assert!(hits[0] > 0 && hits[1] > 0 && hits[2] == 0, "{hits:?}");
        assert_eq!(blurred(&lines, 0, &mut random), 0);
        let won = [line(Score::Cp(500)), line(Score::Win(3))];
        assert!((0..100).all(|_| blurred(&won, 500, &mut random) == 1));
    }
}
