//! How strong an engine plays.

use quadrille_desk::wire::Level;
use quadrille_host::driver::{Engine, EngineOption, OptionKind};

/// The names of the two options that limit strength, as dialects write them.
const SWITCHES: [&str; 2] = ["UCI_LimitStrength", "limitStrength"];
const NUMBERS: [&str; 2] = ["UCI_Elo", "elo"];

/// Steps there are.
const STEPS: u8 = 8;

/// What makes an engine as strong as is wished.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Strength {
    /// Options to set, in order.
    pub(super) options: Vec<(String, String)>,
    /// Positions it may look at, where it has no such options.
    pub(super) nodes: Option<u64>,
}

/// How an engine is told.
pub(super) fn strength(engine: &Engine, level: Level) -> Strength {
    let options = engine.options();
    let first = |names: &[&str]| names.iter().find_map(|name| options.get(name)).cloned();
    of(first(&SWITCHES).as_ref(), first(&NUMBERS).as_ref(), level)
}

fn of(switch: Option<&EngineOption>, number: Option<&EngineOption>, level: Level) -> Strength {
    let limited = |on: bool| switch.map(|switch| (switch.name.clone(), on.to_string()));
    let range = number.and_then(|number| match number.kind {
        OptionKind::Spin {
            min: Some(min),
            max: Some(max),
            ..
        } if min <= max => Some((number.name.clone(), min, max)),
        _ => None,
    });
    let to = |elo: Option<i64>, steps: u8| match (limited(true), &range) {
        (Some(on), Some((name, min, max))) => {
            let part = (max - min) * i64::from(steps - 1) / i64::from(STEPS - 1);
            let elo = elo.unwrap_or(min + part).clamp(*min, *max);
            Strength {
                options: vec![(name.clone(), elo.to_string()), on],
                nodes: None,
            }
        }
        _ => Strength {
            options: Vec::new(),
            nodes: Some(20 * 4_u64.pow(u32::from(steps - 1))),
        },
    };
    match level {
        Level::Full => Strength {
            options: limited(false).into_iter().collect(),
            nodes: None,
        },
        Level::Step(step) => to(None, step.clamp(1, STEPS)),
        // Only an engine that has such numbers is asked for one.
        Level::Elo(_) if range.is_none() || switch.is_none() => Strength::default(),
        Level::Elo(elo) => to(Some(i64::from(elo)), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: OptionKind) -> EngineOption {
        EngineOption {
            name: name.into(),
            kind,
            value: None,
        }
    }

    #[test]
    fn levels_are_spread_over_what_the_engine_offers() {
        let switch = option("UCI_LimitStrength", OptionKind::Check { default: None });
        let kind = OptionKind::Spin {
            default: None,
            min: Some(600),
            max: Some(2000),
        };
        let number = option("UCI_Elo", kind);
        let elo = |level| {
            let strength = of(Some(&switch), Some(&number), level);
            assert_eq!(strength.options[1].1, "true");
            strength.options[0].1.clone()
        };
        assert_eq!(elo(Level::Step(1)), "600");
        assert_eq!(elo(Level::Step(8)), "2000");
        assert_eq!(elo(Level::Step(200)), "2000");
        assert_eq!(elo(Level::Elo(1500)), "1500");
        assert_eq!(elo(Level::Elo(9999)), "2000");
        let full = of(Some(&switch), Some(&number), Level::Full);
        assert_eq!(full.options, [("UCI_LimitStrength".into(), "false".into())]);
    }

    #[test]
    fn others_look_at_few_positions() {
        let nodes = |step| of(None, None, Level::Step(step)).nodes;
        assert_eq!(
            (nodes(0), nodes(1), nodes(8)),
            (Some(20), Some(20), Some(327_680))
        );
        assert_eq!(of(None, None, Level::Full), Strength::default());
        assert_eq!(of(None, None, Level::Elo(1500)), Strength::default());
    }
}
