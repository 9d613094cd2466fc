//! Choices that are not the search's: moves picked by random numbers.

use std::time::{SystemTime, UNIX_EPOCH};

use quadrille_search::Variation;

pub(crate) use quadrille_games::random::SplitMix64 as Random;

/// Numbers that follow from `seed` and the position, so that a game can be
/// repeated; with seed 0 they are different every time.
pub(crate) fn seeded(seed: u64, position: u64) -> Random {
    if seed != 0 {
        return Random::new(seed ^ position);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = now.map_or(0, |time| time.as_nanos() as u64);
    Random::new(nanos ^ position ^ u64::from(std::process::id()) << 40)
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
    fn a_seed_repeats_itself() {
        assert_eq!(seeded(7, 1), seeded(7, 1));
        assert_ne!(seeded(7, 1), seeded(7, 2));
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
        let mut random = seeded(11, 5);
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
