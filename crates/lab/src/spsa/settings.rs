//! Numbers that are tuned, and settings of a run.

use core::ops::RangeInclusive;

use quadrille_games::{Game, match_game};
use quadrille_search::Playable as _;
use quadrille_search::tunables::{TUNABLES, Tunable};

use quadrille_games::random::SplitMix64;

/// The finest step: what is less never changes a whole number.
const FINEST: f64 = 0.001;
const MOST_ITERATIONS: u32 = 10_000_000;
const MOST_GAMES: u32 = 10_000;
const MOST_NODES: u64 = 1_000_000_000;

/// A number of the search that is tuned.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its name, its start and its range.
    pub of: Tunable,
    /// Distance of the players from its value in the last iteration.
    pub step: f64,
}

impl Number {
    /// Reads `name=step`, or `name` for a step of a tenth of the value.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, step) = match text.split_once('=') {
            Some((name, step)) => (name.trim(), Some(step.trim())),
            None => (text.trim(), None),
        };
        let of = TUNABLES.iter().find(|number| number.name == name);
        let of = *of.ok_or_else(|| format!("{name:?}: the search has no such number"))?;
        if name.starts_with("time_") {
            return Err(format!(
                "{name}: moves have a number of nodes here, so that time changes nothing"
            ));
        }
        let widest = f64::from(of.max) - f64::from(of.min);
        let step = match step {
            None => (f64::from(of.default).abs() / 10.0).max(1.0),
            Some(step) => step
                .parse()
                .ok()
                .filter(|step| (FINEST..=widest).contains(step))
                .ok_or_else(|| format!("{name}={step}: a step is from {FINEST} to {widest}"))?,
        };
        Ok(Self { of, step })
    }

    /// Returns the range of its value.
    pub fn range(&self) -> RangeInclusive<f64> {
        f64::from(self.of.min)..=f64::from(self.of.max)
    }

    /// The nearest value in the range.
    pub(super) fn within(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.of.min), f64::from(self.of.max))
    }

    /// A whole number above or below the value, each with the chance that makes the
    /// value the mean.
    pub(super) fn rounded(&self, value: f64, random: &mut SplitMix64) -> i32 {
        let whole = (self.within(value) + random.unit()).floor() as i32;
        whole.clamp(self.of.min, self.of.max)
    }
}

/// Reads a list of numbers; none may be there twice.
pub fn numbers<'a>(list: impl Iterator<Item = &'a str>) -> Result<Vec<Number>, String> {
    let mut numbers: Vec<Number> = Vec::new();
    for text in list {
        let number = Number::parse(text)?;
        if numbers.iter().any(|other| other.of == number.of) {
            return Err(format!("{} is there twice", number.of.name));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// Settings of a run; with the same settings it is the same run.
#[derive(Debug, Clone, PartialEq)]
pub struct SpsaSettings {
    /// The game.
    pub game: Game,
    /// Iterations in all. They decide how fast steps shrink.
    pub iterations: u32,
    /// Games of an iteration, two for each opening.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Seed of openings, coins and roundings.
    pub seed: u64,
    /// Change of values by a result: `r` of fishtest.
    pub rate: f64,
    /// Numbers that are tuned.
    pub numbers: Vec<Number>,
}

impl Default for SpsaSettings {
    fn default() -> Self {
        Self {
            game: Game::Chess,
            iterations: 1000,
            games: 10,
            nodes: 5000,
            seed: 1,
            rate: 0.012,
            numbers: Vec::new(),
        }
    }
}

impl SpsaSettings {
    /// Refuses settings that no run can have.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(1..=MOST_ITERATIONS).contains(&self.iterations) {
            return Err(format!("iterations: from 1 to {MOST_ITERATIONS}"));
        }
        if !(2..=MOST_GAMES).contains(&self.games) || !self.games.is_multiple_of(2) {
            return Err(format!(
                "games: an even number from 2 to {MOST_GAMES}, because each opening is played with both colours"
            ));
        }
        if !(1..=MOST_NODES).contains(&self.nodes) {
            return Err(format!("nodes: from 1 to {MOST_NODES}"));
        }
        let tuned = match_game!(self.game, P => P::TUNED);
        let unread = |number: &&Number| number.of.tuned.is_some_and(|of| of != tuned);
        if let Some(Number { of, .. }) = self.numbers.iter().find(unread) {
            let name = of.name;
            let other = name.strip_suffix("_tuned");
            let other = other.map_or_else(|| format!("{name}_tuned"), str::to_owned);
            return Err(format!("{name}: {} reads {other} instead", self.game));
        }
        if !(1e-6..=1e3).contains(&self.rate) {
            return Err("rate: from 0.000001 to 1000".into());
        }
        if self.numbers.is_empty() {
            let names = TUNABLES.iter().map(|number| number.name);
            let names: Vec<_> = names.filter(|name| !name.starts_with("time_")).collect();
            return Err(format!("name at least one of: {}", names.join(" ")));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_steps() {
        let list = numbers(["lmr_cut", " lmr_pv = 77.5 ", "null_base"].into_iter());
        let steps: Vec<f64> = list.expect("they exist").iter().map(|n| n.step).collect();
        assert_eq!(steps, [140.0, 77.5, 1.0]);
    }

    #[test]
    fn mistakes_are_named() {
        for text in [
            "",
            "=",
            "lmr",
            "time_base",
            "lmr_cut=",
            "lmr_cut=0",
            "lmr_cut=-1",
        ] {
            assert!(Number::parse(text).is_err(), "{text}");
        }
        for text in ["lmr_cut=NaN", "lmr_cut=inf", "lmr_cut=3001", "lmr_cut=1=1"] {
            assert!(Number::parse(text).is_err(), "{text}");
        }
        assert!(numbers(["lmr_cut", "lmr_cut=5"].into_iter()).is_err());
    }

    #[test]
    fn settings_are_checked() {
        let numbers = numbers(["lmr_cut_tuned"].into_iter()).expect("it exists");
        let with = |change: fn(&mut SpsaSettings)| {
            let mut settings = SpsaSettings {
                numbers: numbers.clone(),
                ..SpsaSettings::default()
            };
            change(&mut settings);
            settings.check()
        };
        assert_eq!(with(|_| ()), Ok(()));
        let unread = with(|s| s.game = Game::Leiser).expect_err("it reads another number");
        assert!(unread.contains("reads lmr_cut instead"), "{unread}");
        assert!(with(|s| s.iterations = 0).is_err());
        assert!(with(|s| s.games = 0).is_err());
        assert!(with(|s| s.games = 3).is_err());
        assert!(with(|s| s.nodes = 0).is_err());
        assert!(with(|s| s.rate = f64::NAN).is_err());
        assert!(with(|s| s.numbers.clear()).is_err());
    }

    #[test]
    fn rounding_keeps_the_mean() {
        let number = Number::parse("lmr_cut").expect("it exists");
        let mut random = SplitMix64::new(1);
        let sum: i32 = (0..1000).map(|_| number.rounded(10.25, &mut random)).sum();
        assert!((10_200..10_300).contains(&sum), "{sum}");
        assert_eq!(number.rounded(1e9, &mut random), number.of.max);
        assert_eq!(number.rounded(-1e9, &mut random), number.of.min);
    }
}
