//! The numbers of the search, tuned by games: *simultaneous perturbation stochastic
//! approximation* (Spall, 1992), with the gains that Stockfish's testing framework
//! fishtest uses.
//!
//! Each iteration flips a coin for every number, plays the values moved one way
//! against the values moved the other way, and follows the winner a little. However
//! many numbers there are, an iteration costs the same games; what a single one is
//! worth shows only over hundreds of them.
//!
//! The numbers belong to the whole process, so that one game is played at a time and
//! each player sets its own before every search.

mod duel;
mod settings;
mod state;

use std::path::Path;

use crate::openings::Opening;
use quadrille_games::match_game;

use duel::Duel;
use quadrille_games::random::SplitMix64;
pub use settings::{Number, SpsaSettings, numbers};
pub use state::read_text;

/// Exponent by which the steps of the values shrink (Spall, 1998).
const ALPHA: f64 = 0.602;
/// Exponent by which the distance between the two players shrinks.
const GAMMA: f64 = 0.101;
/// The share of all iterations by which the first steps are held back.
const HELD_BACK: f64 = 0.1;

/// State of a run. The next iteration depends on this alone, so that a run goes
/// on from it as if it had never stopped.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    settings: SpsaSettings,
    done: u32,
    values: Vec<f64>,
}

impl Course {
    /// The beginning: all numbers as they are in a normal build.
    fn new(settings: SpsaSettings) -> Self {
        let values = settings.numbers.iter();
        Self {
            values: values.map(|number| f64::from(number.of.default)).collect(),
            done: 0,
            settings,
        }
    }

    /// Iterations played.
    pub const fn done(&self) -> u32 {
        self.done
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        u64::from(self.done) * u64::from(self.settings.games)
    }

    /// Returns `true` once all iterations are played.
    pub const fn is_over(&self) -> bool {
        self.done >= self.settings.iterations
    }

    /// The numbers and what they are now.
    pub fn values(&self) -> impl Iterator<Item = (&Number, f64)> {
        self.settings
            .numbers
            .iter()
            .zip(self.values.iter().copied())
    }

    /// One iteration. `pair` plays two games between two sets of numbers and gives
    /// the wins of the first less its losses.
    fn advance(&mut self, mut pair: impl FnMut(&mut SplitMix64, [&[i32]; 2]) -> i32) {
        self.done += 1;
        let mut random = SplitMix64::of(self.settings.seed, u64::from(self.done));
        let numbers = self.settings.numbers.iter();
        let shifts: Vec<Shift> = numbers
            .map(|number| Shift::new(&self.settings, number, self.done, &mut random))
            .collect();
        let mut result = 0;
        for _ in 0..self.settings.games / 2 {
            // Rounded anew for each opening: over an iteration the players have the
            // values in the mean, even where a step is less than 1.
            let plus = self.moved(&shifts, 1.0, &mut random);
            let minus = self.moved(&shifts, -1.0, &mut random);
            result += pair(&mut random, [&plus, &minus]);
        }
        let numbers = self.settings.numbers.iter();
        for ((value, number), shift) in self.values.iter_mut().zip(numbers).zip(&shifts) {
            *value = number.within(*value + shift.gain * f64::from(result));
        }
    }

    /// The values moved one way or the other.
    fn moved(&self, shifts: &[Shift], way: f64, random: &mut SplitMix64) -> Vec<i32> {
        let each = self.values().zip(shifts);
        each.map(|((number, value), shift)| number.rounded(value + way * shift.apart, random))
            .collect()
    }
}

/// Shift of one number in one iteration.
struct Shift {
    /// Distance of the players from the value: `c_k` with the sign of the coin.
    apart: f64,
    /// Change of the value for each game won: `a_k / c_k` with the same sign.
    gain: f64,
}

impl Shift {
    fn new(settings: &SpsaSettings, number: &Number, k: u32, random: &mut SplitMix64) -> Self {
        let (n, k) = (f64::from(settings.iterations), f64::from(k));
        let held_back = HELD_BACK * n;
        let c = number.step * (n / k).powf(GAMMA);
        let a_end = settings.rate * number.step * number.step;
        let a = a_end * ((held_back + n) / (held_back + k)).powf(ALPHA);
        let coin = if random.index(2) == 0 { 1.0 } else { -1.0 };
        Self {
            apart: c * coin,
            gain: a / c * coin,
        }
    }
}

/// Begins a run, or goes on with the one that the file `state` holds, and keeps it
/// there after every iteration. `heed` sees the course each time and stops it with
/// `false`.
pub fn run(
    settings: SpsaSettings,
    state: Option<&Path>,
    heed: impl FnMut(&Course) -> Result<bool, String>,
) -> Result<Course, String> {
    settings.check()?;
    let game = settings.game;
    let kept = match state {
        Some(path) => state::load(path, &settings)?,
        None => None,
    };
    let course = kept.unwrap_or_else(|| Course::new(settings));
    match_game!(game, P => play::<P>(course, state, heed))
}

fn play<P: Opening>(
    mut course: Course,
    state: Option<&Path>,
    mut heed: impl FnMut(&Course) -> Result<bool, String>,
) -> Result<Course, String> {
    let save = |course: &Course| state.map_or(Ok(()), |path| state::save(path, course));
    // A file that cannot be written is better known before the first game.
    save(&course)?;
    let mut duel = Duel::<P>::new(&course.settings);
    while !course.is_over() {
        course.advance(|random, numbers| duel.pair(random, numbers));
        save(&course)?;
        if !heed(&course)? {
            break;
        }
    }
    Ok(course)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(iterations: u32) -> Course {
        let numbers = numbers(["lmr_cut=200", "futility_margin=10", "null_base"].into_iter());
        Course::new(SpsaSettings {
            iterations,
            numbers: numbers.expect("they exist"),
            ..SpsaSettings::default()
        })
    }

    /// A game that is won by being nearer to the best numbers finds them.
    #[test]
    fn values_go_where_games_are_won() {
        let best = [700.0, 120.0, 6.0];
        let mut course = course(2000);
        let steps: Vec<f64> = course.values().map(|(number, _)| number.step).collect();
        let far = |numbers: &[i32]| -> f64 {
            let each = numbers.iter().zip(best).zip(&steps);
            each.map(|((&x, best), step)| ((f64::from(x) - best) / step).powi(2))
                .sum()
        };
        while !course.is_over() {
            course.advance(|random, [plus, minus]| {
                let chance = 1.0 / (1.0 + (far(plus) - far(minus)).exp());
                (0..2)
                    .map(|_| if random.unit() < chance { 1 } else { -1 })
                    .sum()
            });
        }
        for (((number, value), best), step) in course.values().zip(best).zip(&steps) {
            assert!(
                (value - best).abs() < 0.6 * step,
                "{} {value}",
                number.of.name
            );
        }
    }

    /// Whoever always wins with more of it gets the most there is, and no more.
    #[test]
    fn values_stay_in_their_range() {
        let mut course = course(400);
        while !course.is_over() {
            course.advance(|_, [plus, minus]| 2 * (plus[0] - minus[0]).signum());
            for (number, value) in course.values() {
                assert!(number.range().contains(&value), "{}", number.of.name);
            }
        }
        let (number, value) = course.values().next().expect("there are three");
        assert!(value >= f64::from(number.of.max), "{value}");
    }

    #[test]
    fn the_gains_are_those_of_fishtest() {
        let settings = course(900).settings;
        let number = &settings.numbers[0];
        let at = |k| Shift::new(&settings, number, k, &mut SplitMix64::new(1));
        // c_900 = c_end, a_900 = r c_end^2.
        assert!((at(900).apart.abs() - 200.0).abs() < 1e-9);
        assert!((at(900).gain.abs() - 0.012 * 200.0).abs() < 1e-9);
        // 900^0.101 = 1.98783; (990 / 91)^0.602 / 1.98783 = 2.11666.
        assert!((at(1).apart.abs() / 200.0 - 1.98783).abs() < 1e-4);
        assert!((at(1).gain.abs() / 2.4 - 2.11666).abs() < 1e-4);
    }
}
