//! How an engine is made to play weaker.
//!
//! An engine that offers a limit of strength and an Elo number (our own do, as
//! `UCI_LimitStrength` and `UCI_Elo`, in UGI `limitStrength` and `elo`; what the numbers
//! mean is measured in docs/strength.md) is set to a number of its range, one that offers
//! `Skill Level` to a level. Any other engine gets few positions to search.

use crate::options::{EngineOption, OptionKind, OptionList};

/// Steps of strength; the last is the strongest that is limited at all.
pub const STEPS: u8 = 8;

const LIMITS: [&str; 2] = ["UCI_LimitStrength", "limitStrength"];
const ELOS: [&str; 2] = ["UCI_Elo", "elo"];
const SKILLS: [&str; 1] = ["Skill Level"];

/// UGI's option lines tell no ranges; this is that of our own engine, the only one
/// with such an option.
const UGI_RANGE: Range = Range(260, 2000);

/// The positions of an engine that cannot be limited otherwise: so many at the lowest
/// step, four times as many with each further one.
const FEWEST: u64 = 20;

/// The smallest and the largest value of a number; never the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range(i64, i64);

impl Range {
    /// A range; `None` if it is empty.
    pub const fn new(min: i64, max: i64) -> Option<Self> {
        if min <= max {
            Some(Self(min, max))
        } else {
            None
        }
    }

    /// The largest value.
    pub const fn largest(self) -> i64 {
        self.1
    }

    const fn width(self) -> u128 {
        self.1.abs_diff(self.0) as u128
    }

    /// Returns where a value stands in the range.
    pub fn place(self, value: i64) -> Place {
        let value = value.clamp(self.0, self.1);
        Place {
            part: u128::from(value.abs_diff(self.0)),
            whole: self.width(),
        }
    }

    fn at(self, place: Place) -> i64 {
        let above = place.times(self.width());
        let value = i128::from(self.0) + i128::try_from(above).unwrap_or(0);
        i64::try_from(value).unwrap_or(self.1)
    }
}

/// A place between the weakest (0 of `whole`) and the strongest limited play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    part: u128,
    whole: u128,
}

impl Place {
    /// The place of a step, from 1 to [`STEPS`].
    pub fn of_step(step: u8) -> Self {
        Self {
            part: u128::from(step.clamp(1, STEPS) - 1),
            whole: u128::from(STEPS - 1),
        }
    }

    /// The same place on a scale of another width, rounded. All widths are below two to
    /// the 64th, so that nothing overflows.
    const fn times(self, width: u128) -> u128 {
        if self.whole == 0 {
            return 0;
        }
        (self.part * width + self.whole / 2) / self.whole
    }
}

/// What an engine is told to be as strong as is wished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strength {
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Positions it may search.
    pub nodes: Option<u64>,
}

/// A number that can be set.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Number {
    name: String,
    range: Range,
}

/// The options of an engine that make it weaker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StrengthOptions {
    limit: Option<String>,
    elo: Option<Number>,
    skill: Option<Number>,
}

impl StrengthOptions {
    /// Finds them among the options of an engine.
    pub fn of(options: &OptionList) -> Self {
        let range = |option: &EngineOption| match option.kind {
            OptionKind::Spin {
                min: Some(min),
                max: Some(max),
                ..
            } => Range::new(min, max),
            OptionKind::Untyped { .. } => Some(UGI_RANGE),
            _ => None,
        };
        Self::find(|name| {
            let option = options.get(name)?;
            Some((option.name.clone(), range(option)))
        })
    }

    /// Finds them by their names, in any case of letters: `find` gives an option in the
    /// engine's spelling, and its range where it is a number.
    pub fn find(find: impl Fn(&str) -> Option<(String, Option<Range>)>) -> Self {
        let any = |names: &[&str]| names.iter().find_map(|name| find(name));
        let number = |names: &[&str]| {
            let (name, range) = any(names)?;
            let range = range?;
            Some(Number { name, range })
        };
        Self {
            limit: any(&LIMITS).map(|(name, _)| name),
            elo: number(&ELOS),
            skill: number(&SKILLS),
        }
    }

    /// With those of another engine, where these lack something.
    pub fn or(self, other: Self) -> Self {
        let own = self.limit.is_some() && self.elo.is_some();
        let (limit, elo) = if own {
            (self.limit, self.elo)
        } else {
            (other.limit, other.elo)
        };
        Self {
            limit,
            elo,
            skill: self.skill.or(other.skill),
        }
    }

    /// The range of the Elo number, where it can be used.
    pub fn elo_range(&self) -> Option<Range> {
        let elo = self.elo.as_ref().filter(|_| self.limit.is_some());
        elo.map(|number| number.range)
    }

    /// The range of the skill level.
    pub fn skill_range(&self) -> Option<Range> {
        self.skill.as_ref().map(|number| number.range)
    }

    /// The lines that announce them, under UCI's names.
    pub fn lines(&self) -> Vec<String> {
        let spin = |name: &str, Range(min, max): Range| {
            format!("option name {name} type spin default {max} min {min} max {max}")
        };
        let elo = self.elo_range().map(|range| {
            let limit = format!("option name {} type check default false", LIMITS[0]);
            [limit, spin(ELOS[0], range)]
        });
        let skill = self.skill_range().map(|range| spin(SKILLS[0], range));
        elo.into_iter().flatten().chain(skill).collect()
    }

    /// The engine's best.
    pub fn full(&self) -> Strength {
        let limit = self.limit.iter().map(|name| (name.clone(), "false".into()));
        let skill = self.skill.iter();
        let skill = skill.map(|number| (number.name.clone(), number.range.1.to_string()));
        Strength {
            options: limit.chain(skill).collect(),
            nodes: None,
        }
    }

    /// A place between weakest and strongest.
    pub fn at(&self, place: Place) -> Strength {
        if let Some(range) = self.elo_range() {
            return self.elo(range.at(place));
        }
        if let Some(Number { name, range }) = &self.skill {
            return Strength {
                options: vec![(name.clone(), range.at(place).to_string())],
                nodes: None,
            };
        }
        Strength {
            options: Vec::new(),
            nodes: Some(FEWEST << (2 * place.times(u128::from(STEPS - 1)))),
        }
    }

    /// An Elo number of the engine's own scale; nothing where it has none.
    pub fn elo(&self, elo: i64) -> Strength {
        let (Some(limit), Some(Number { name, range })) = (&self.limit, &self.elo) else {
            return Strength::default();
        };
        let elo = elo.clamp(range.0, range.1);
        Strength {
            options: vec![
                (name.clone(), elo.to_string()),
                (limit.clone(), "true".into()),
            ],
            nodes: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_protocol::{Dialect, Report};

    fn options(lines: &[&str]) -> StrengthOptions {
        let mut list = OptionList::default();
        for line in lines {
            let text = format!("option name {line}");
            let parsed = Report::parse(text.as_bytes(), Dialect::Uci).message;
            let Report::Option(option) = parsed else {
                panic!("{text}");
            };
            list.declare(EngineOption::read(&option).expect("a name"));
        }
        StrengthOptions::of(&list)
    }

    const LIMIT: &str = "UCI_LimitStrength type check default false";

    #[test]
    fn steps_are_spread_over_what_is_offered() {
        let chess = options(&[LIMIT, "UCI_Elo type spin default 1500 min 600 max 2000"]);
        let ugi = options(&["limitStrength", "elo"]);
        let skill = options(&["skill level type spin default 20 min 0 max 20"]);
        let none = options(&[LIMIT, "UCI_Elo type spin min 5 max 1"]);
        for (step, elo, low, level, nodes) in [
            (0, "600", "260", "0", 20),
            (1, "600", "260", "0", 20),
            (2, "800", "509", "3", 80),
            (4, "1200", "1006", "9", 1_280),
            (8, "2000", "2000", "20", 327_680),
            (255, "2000", "2000", "20", 327_680),
        ] {
            let place = Place::of_step(step);
            let set = |options: &StrengthOptions| options.at(place).options;
            let limited = |name: &str, elo: &str, limit: &str| {
                vec![(name.into(), elo.into()), (limit.into(), "true".to_owned())]
            };
            assert_eq!(set(&chess), limited("UCI_Elo", elo, "UCI_LimitStrength"));
            assert_eq!(set(&ugi), limited("elo", low, "limitStrength"));
            assert_eq!(set(&skill), [("skill level".into(), level.into())]);
            assert_eq!((none.at(place).nodes, set(&none)), (Some(nodes), vec![]));
        }
    }

    #[test]
    fn full_strength_takes_every_limit_away() {
        let all = options(&[LIMIT, "Skill Level type spin default 20 min 0 max 20"]);
        let wanted = [("UCI_LimitStrength", "false"), ("Skill Level", "20")];
        let wanted = wanted.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(all.full().options, wanted);
        assert_eq!(options(&[]).full(), Strength::default());
    }

    #[test]
    fn elo_numbers_stay_in_their_range() {
        let chess = options(&[LIMIT, "UCI_Elo type spin default 1500 min 600 max 2000"]);
        for (wished, set) in [(1500, "1500"), (9, "600"), (9999, "2000")] {
            assert_eq!(chess.elo(wished).options[0].1, set);
        }
        assert_eq!(options(&[]).elo(1500), Strength::default());
    }

    #[test]
    fn odd_ranges_do_not_overflow() {
        let all = Range(i64::MIN, i64::MAX);
        assert_eq!(all.at(all.place(i64::MAX)), i64::MAX);
        assert_eq!(all.at(all.place(i64::MIN)), i64::MIN);
        assert_eq!(Range(5, 5).at(all.place(0)), 5);
        assert_eq!(all.at(Range(5, 5).place(9)), i64::MIN);
        assert_eq!(Range::new(5, 1), None);
    }
}
