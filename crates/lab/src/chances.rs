//! Chances of a result by the score: a fit of the two numbers of
//! `UCI_ShowWDL`'s curves to games.
//!
//! `win(v) = 1 / (1 + exp((margin - v) / spread))`, `loss(v) = win(-v)`, and what
//! is left is the draw. The fit takes the numbers under which the results that
//! were seen are likeliest.

use std::path::Path;

use quadrille_games::match_game;

use crate::blocks::each_block;
use crate::file::{FileError, Games, Played};
use crate::openings::Opening;
use crate::positions::{half_points, quiet_positions};

/// Scores are counted in steps of this many hundredths.
const STEP: i32 = 10;
/// Larger scores count as this.
const MOST: i32 = 3000;
/// Rounds of the fit; each shrinks the ranges to [`GOLDEN`] of what they were.
const ROUNDS: usize = 60;
const GOLDEN: f64 = 0.618_033_988_749_895;

/// Counts of each result at each score.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Lost, drawn, won by the side whose score it is, by step.
    counts: Vec<[u64; 3]>,
}

/// The curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// The score at which winning is an even chance.
    pub margin: f64,
    /// Scale on which chances change around it.
    pub spread: f64,
}

impl Default for Seen {
    fn default() -> Self {
        let steps = (2 * MOST / STEP + 1) as usize;
        Self {
            counts: vec![[0; 3]; steps],
        }
    }
}

impl Seen {
    /// Counts a position: its score, and 0, 1 or 2 half points, both for the same
    /// side. The other side sees the mirror image, and is counted too.
    pub fn add(&mut self, score: i32, half_points: u8) {
        let half_points = usize::from(half_points.min(2));
        for (score, result) in [(score, half_points), (-score, 2 - half_points)] {
            let step = (score.clamp(-MOST, MOST) + MOST + STEP / 2) / STEP;
            self.counts[step as usize][result] += 1;
        }
    }

    /// Counts the quiet positions of a file of games, whichever game they are of. Returns
    /// how many torn bytes were left out at its end.
    pub fn read(&mut self, path: &Path, threads: usize) -> Result<u64, FileError> {
        let game = Games::open(path)?.header().game;
        match_game!(game, P => self.read_of::<P>(path, threads))
    }

    fn read_of<P: Opening>(&mut self, path: &Path, threads: usize) -> Result<u64, FileError> {
        let work = |games: &[Played<P>]| {
            let mut seen = Vec::new();
            for game in games {
                let result = half_points(game.winner);
                quiet_positions(game, |_, score| seen.push((score, result)));
            }
            seen
        };
        each_block(path, threads, work, |seen| {
            for (score, result) in seen {
                self.add(score, result);
            }
            Ok(())
        })
    }

    /// Returns the number of positions counted.
    pub fn len(&self) -> u64 {
        self.counts.iter().flatten().sum::<u64>() / 2
    }

    /// Returns `true` if no position was counted.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The mean logarithm of the chances of what was seen; 0 would be knowing it.
    pub fn likelihood(&self, curve: Curve) -> f64 {
        let mut sum = 0.0;
        for (step, counts) in self.counts.iter().enumerate() {
            let score = f64::from(step as i32 * STEP - MOST);
            let win = curve.win(score);
            let loss = curve.win(-score);
            let chances = [loss, 1.0 - win - loss, win];
            for (chance, &count) in chances.into_iter().zip(counts) {
                sum += count as f64 * chance.max(1e-6).ln();
            }
        }
        sum / (2 * self.len()).max(1) as f64
    }

    /// The likeliest curve.
    pub fn fit(&self) -> Curve {
        let mut curve = Curve {
            margin: 100.0,
            spread: 100.0,
        };
        for _ in 0..4 {
            curve.margin = best(0.5..1000.0, |margin| {
                self.likelihood(Curve { margin, ..curve })
            });
            curve.spread = best(5.0..1500.0, |spread| {
                self.likelihood(Curve { spread, ..curve })
            });
        }
        curve
    }
}

impl Curve {
    /// The chance to win with this score.
    pub fn win(self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.margin - score) / self.spread).exp())
    }
}

/// Returns the place of the summit of a function that has one.
fn best(range: core::ops::Range<f64>, of: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (range.start, range.end);
    for _ in 0..ROUNDS {
        let left = high - GOLDEN * (high - low);
        let right = low + GOLDEN * (high - low);
        if of(left) > of(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::random::SplitMix64;

    #[test]
    fn quiet_positions_of_files_are_counted() {
        for game in ["chess", "leiser", "gyges", "liberty"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
            let path = folder.join(format!("{game}.games"));
            let mut seen = Seen::default();
            assert_eq!(seen.read(&path, 2).expect("whole"), 0);
            let stats = crate::stats::of_any(&path).expect("whole");
            assert!(
                (1..=stats.quiet).contains(&seen.len()),
                "{game} {}",
                seen.len()
            );
        }
    }

    #[test]
    fn a_known_curve_is_found_again() {
        let truth = Curve {
            margin: 120.0,
            spread: 70.0,
        };
        let mut random = SplitMix64::new(5);
        let mut seen = Seen::default();
        for _ in 0..60_000 {
            let score = random.index(1200) as i32 - 600;
            let lot = random.index(1_000_000) as f64 / 1e6;
            let win = truth.win(score.into());
            let not_lost = 1.0 - truth.win((-score).into());
            seen.add(score, u8::from(lot < win) + u8::from(lot < not_lost));
        }
        let found = seen.fit();
        assert!((found.margin - truth.margin).abs() < 4.0, "{found:?}");
        assert!((found.spread - truth.spread).abs() < 4.0, "{found:?}");
        assert!(seen.likelihood(found) >= seen.likelihood(truth));
        assert_eq!(seen.len(), 60_000);
    }
}
