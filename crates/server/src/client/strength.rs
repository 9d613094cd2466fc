//! How weak an engine shall be.
//!
//! A server knows one set of options of a client and sets them before a game. The
//! client may have another engine for each game, with another range or no such
//! options at all. So what the server sets is read as a place between weakest and
//! strongest on the scale that was announced, and each engine is put at the same
//! place by the means it has.

use quadrille_client::strength::{Place, Strength, StrengthOptions};

const SWITCH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SKILL: &str = "Skill Level";

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

impl Level {
    /// How an engine with these options is made so strong.
    pub(super) fn strength(self, options: &StrengthOptions) -> Strength {
        match self {
            Self::Unsaid => Strength::default(),
            Self::Full => options.full(),
            Self::At(place) => options.at(place),
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
    pub(super) fn level(&self, announced: &StrengthOptions) -> Level {
        let limited = self.limited == Some(true);
        if let (true, Some(elo), Some(range)) = (limited, self.elo, announced.elo_range()) {
            return Level::At(range.place(elo));
        }
        match (self.skill, announced.skill_range()) {
            (Some(skill), Some(range)) if skill < range.largest() => Level::At(range.place(skill)),
            _ if self.limited.is_none() && self.skill.is_none() => Level::Unsaid,
            _ => Level::Full,
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_client::strength::Range;

    use super::*;

    /// Options with these ranges.
    fn options(elo: Option<(i64, i64)>, skill: Option<(i64, i64)>) -> StrengthOptions {
        StrengthOptions::find(|name| {
            let range = match name {
                SWITCH => return elo.map(|_| (name.to_owned(), None)),
                ELO => elo,
                SKILL => skill,
                _ => None,
            };
            let (min, max) = range?;
            Some((name.to_owned(), Range::new(min, max)))
        })
    }

    fn chess() -> StrengthOptions {
        options(Some((600, 2000)), None)
    }

    fn leiser() -> StrengthOptions {
        options(Some((1210, 2000)), None)
    }

    fn skilled() -> StrengthOptions {
        options(None, Some((0, 20)))
    }

    fn none() -> StrengthOptions {
        StrengthOptions::default()
    }

    fn wished(set: &[(&str, &str)]) -> Wished {
        let mut wished = Wished::default();
        for (name, value) in set {
            wished.hear(name, Some(value));
        }
        wished
    }

    #[test]
    fn one_level_fits_every_engine() {
        let announced = chess().or(leiser()).or(none());
        assert_eq!(announced, chess());
        for (elo, own, other, skill, nodes) in [
            ("600", "600", "1210", "0", 20),
            ("800", "800", "1323", "3", 80),
            ("2000", "2000", "2000", "20", 327_680),
            // What is outside is the end of the scale.
            ("9999", "2000", "2000", "20", 327_680),
        ] {
            let level = wished(&[("uci_elo", elo), (SWITCH, "true")]).level(&announced);
            for (means, value) in [(chess(), own), (leiser(), other), (skilled(), skill)] {
                let strength = level.strength(&means);
                assert_eq!(strength.options[0].1, value, "{elo} {means:?}");
                assert_eq!(strength.nodes, None);
            }
            let strength = level.strength(&none());
            assert!(strength.options.is_empty());
            assert_eq!(strength.nodes, Some(nodes), "{elo}");
        }
    }

    #[test]
    fn full_strength_and_silence() {
        let full = wished(&[("UCI_Elo", "600"), (SWITCH, "false")]).level(&chess());
        assert_eq!(full, Level::Full);
        assert_eq!(
            full.strength(&chess()).options,
            [(SWITCH.into(), "false".into())]
        );
        assert_eq!(
            full.strength(&skilled()).options,
            [(SKILL.into(), "20".into())]
        );
        assert_eq!(full.strength(&none()), Strength::default());
        let unsaid = wished(&[("Hash", "9"), ("Skill Level", "x")]).level(&chess());
        assert_eq!(unsaid.strength(&chess()), Strength::default());
        let best = wished(&[(SKILL, "20")]).level(&skilled());
        assert_eq!(best, Level::Full);
        let weak = wished(&[(SKILL, "10")]).level(&skilled());
        assert_eq!(weak.strength(&chess()).options[0].1, "1300");
    }
}
