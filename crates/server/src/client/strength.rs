//! How weak an engine shall be.
//!
//! A server knows one set of options of a client and sets them before a game. The
//! client may have another engine for each game, with another range or no such
//! options at all. So what the server sets is read as a place between weakest and
//! strongest on the scale that was announced, and each engine is put at the same
//! place by the means it has.

use quadrille_host::driver::{EngineOption, OptionKind, OptionList};

const SWITCH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SKILL: &str = "Skill Level";

/// Levels of a server, from 0.
const LEVELS: u128 = 8;
/// The positions that an engine without means may look at: so many at the lowest
/// level, four times as many with each further one, as the server does it with
/// clients that announce nothing.
const FEWEST: u64 = 20;

/// The smallest and the largest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range(i64, i64);

impl Range {
    fn of(options: &OptionList, name: &str) -> Option<Self> {
        match options.get(name)?.kind {
            OptionKind::Spin {
                min: Some(min),
                max: Some(max),
                ..
            } if min <= max => Some(Self(min, max)),
            _ => None,
        }
    }

    const fn width(self) -> u128 {
        self.1.abs_diff(self.0) as u128
    }

    fn place(self, value: i64) -> Place {
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

/// A place on a scale: 0 of whole is the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    part: u128,
    whole: u128,
}

impl Place {
    /// The same place on a scale of another width, rounded. All widths are below
    /// two to the 64th, so that nothing overflows.
    const fn times(self, width: u128) -> u128 {
        if self.whole == 0 {
            return 0;
        }
        (self.part * width + self.whole / 2) / self.whole
    }
}

/// What the server wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// It has said nothing: the engine stays as its owner has set it.
    Unsaid,
    /// The engine's best.
    Full,
    /// Weaker.
    At(Place),
}

/// What can make an engine weaker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Means {
    elo: Option<Range>,
    skill: Option<Range>,
}

/// What an engine is told to be as strong as is wished.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Strength {
    pub(super) options: Vec<(&'static str, String)>,
    pub(super) nodes: Option<u64>,
}

impl Means {
    /// Those of an engine.
    pub(super) fn of(options: &OptionList) -> Self {
        let check = |option: &EngineOption| matches!(option.kind, OptionKind::Check { .. });
        let switch = options.get(SWITCH).is_some_and(check);
        Self {
            elo: Range::of(options, ELO).filter(|_| switch),
            skill: Range::of(options, SKILL),
        }
    }

    /// With those of another engine, where these lack something.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            elo: self.elo.or(other.elo),
            skill: self.skill.or(other.skill),
        }
    }

    /// The lines that announce them.
    pub(super) fn lines(self) -> Vec<String> {
        let spin = |name: &str, Range(min, max): Range| {
            format!("option name {name} type spin default {max} min {min} max {max}")
        };
        let elo = self.elo.map(|range| {
            let switch = format!("option name {SWITCH} type check default false");
            [switch, spin(ELO, range)]
        });
        let skill = self.skill.map(|range| spin(SKILL, range));
        elo.into_iter().flatten().chain(skill).collect()
    }

    /// How an engine with these means is made so strong.
    pub(super) fn strength(self, level: Level) -> Strength {
        let set = |name, value: &dyn ToString| (name, value.to_string());
        let options = |options| Strength {
            options,
            nodes: None,
        };
        match (level, self.elo, self.skill) {
            (Level::Unsaid, ..) => Strength::default(),
            (Level::Full, elo, skill) => {
                let elo = elo.map(|_| set(SWITCH, &false));
                let skill = skill.map(|range| set(SKILL, &range.1));
                options(elo.into_iter().chain(skill).collect())
            }
            (Level::At(place), Some(range), _) => {
                options(vec![set(ELO, &range.at(place)), set(SWITCH, &true)])
            }
            (Level::At(place), None, Some(range)) => options(vec![set(SKILL, &range.at(place))]),
            (Level::At(place), None, None) => Strength {
                options: Vec::new(),
                nodes: Some(FEWEST << (2 * place.times(LEVELS - 1))),
            },
        }
    }
}

/// What the server has set. Nothing but these options: an engine trusts its host,
/// and the server is not that.
#[derive(Debug, Default)]
pub(super) struct Wished {
    limited: Option<bool>,
    elo: Option<i64>,
    skill: Option<i64>,
}

impl Wished {
    /// An option is set.
    pub(super) fn hear(&mut self, name: &str, value: Option<&str>) {
        let value = value.unwrap_or_default().trim();
        let number = || value.parse().ok();
        if name.eq_ignore_ascii_case(SWITCH) {
            self.limited = Some(value.eq_ignore_ascii_case("true"));
        } else if name.eq_ignore_ascii_case(ELO) {
            self.elo = number().or(self.elo);
        } else if name.eq_ignore_ascii_case(SKILL) {
            self.skill = number().or(self.skill);
        }
    }

    /// What that means on the scale that was announced.
    pub(super) fn level(&self, announced: Means) -> Level {
        let limited = self.limited == Some(true);
        if let (true, Some(elo), Some(range)) = (limited, self.elo, announced.elo) {
            return Level::At(range.place(elo));
        }
        match (self.skill, announced.skill) {
            (Some(skill), Some(range)) if skill < range.1 => Level::At(range.place(skill)),
            _ if self.limited.is_none() && self.skill.is_none() => Level::Unsaid,
            _ => Level::Full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHESS: Means = Means {
        elo: Some(Range(600, 2000)),
        skill: None,
    };
    const LEISER: Means = Means {
        elo: Some(Range(1210, 2000)),
        skill: None,
    };
    const SKILLED: Means = Means {
        elo: None,
        skill: Some(Range(0, 20)),
    };
    const NONE: Means = Means {
        elo: None,
        skill: None,
    };

    fn wished(set: &[(&str, &str)]) -> Wished {
        let mut wished = Wished::default();
        for (name, value) in set {
            wished.hear(name, Some(value));
        }
        wished
    }

    #[test]
    fn one_level_fits_every_engine() {
        let announced = CHESS.or(LEISER).or(NONE);
        assert_eq!(announced, CHESS);
        for (elo, own, leiser, skill, nodes) in [
            ("600", "600", "1210", "0", 20),
            ("800", "800", "1323", "3", 80),
            ("2000", "2000", "2000", "20", 327_680),
            // What is outside is the end of the scale.
            ("9999", "2000", "2000", "20", 327_680),
        ] {
            let level = wished(&[("uci_elo", elo), (SWITCH, "true")]).level(announced);
            for (means, value) in [(CHESS, own), (LEISER, leiser), (SKILLED, skill)] {
                let strength = means.strength(level);
                assert_eq!(strength.options[0].1, value, "{elo} {means:?}");
                assert_eq!(strength.nodes, None);
            }
            let strength = NONE.strength(level);
            assert!(strength.options.is_empty());
            assert_eq!(strength.nodes, Some(nodes), "{elo}");
        }
    }

    #[test]
    fn full_strength_and_silence() {
        let full = wished(&[("UCI_Elo", "600"), (SWITCH, "false")]).level(CHESS);
        assert_eq!(full, Level::Full);
        assert_eq!(CHESS.strength(full).options, [(SWITCH, "false".into())]);
        assert_eq!(SKILLED.strength(full).options, [(SKILL, "20".into())]);
        assert_eq!(NONE.strength(full), Strength::default());
        let unsaid = wished(&[("Hash", "9"), ("Skill Level", "x")]).level(CHESS);
        assert_eq!(CHESS.strength(unsaid), Strength::default());
        let best = wished(&[(SKILL, "20")]).level(SKILLED);
        assert_eq!(best, Level::Full);
        let weak = wished(&[(SKILL, "10")]).level(SKILLED);
        assert_eq!(CHESS.strength(weak).options[0].1, "1300");
    }

    #[test]
    fn odd_ranges_do_not_overflow() {
        let all = Range(i64::MIN, i64::MAX);
        assert_eq!(all.at(all.place(i64::MAX)), i64::MAX);
        assert_eq!(all.at(all.place(i64::MIN)), i64::MIN);
        assert_eq!(Range(5, 5).at(all.place(0)), 5);
        assert_eq!(all.at(Range(5, 5).place(9)), i64::MIN);
    }
}
