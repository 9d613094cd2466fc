//! How an engine is made to play weaker.
//!
//! An engine that offers a limit of strength and an Elo number (our own do, as
//! `UCI_LimitStrength` and `UCI_Elo`, in UGI `limitStrength` and `elo`; what the numbers
//! mean is measured in docs/strength.md) gets the eight steps spread evenly over its
//! range: step 1 is its weakest, step 8 its strongest limited play. Any other engine
//! gets few positions to look at: 20, and four times as many with each step.

use quadrille_client::{EngineOption, OptionKind, OptionList};

use crate::wire::Level;

/// Steps there are.
pub const STEPS: u8 = 8;

const SWITCHES: [&str; 2] = ["UCI_LimitStrength", "limitStrength"];
const NUMBERS: [&str; 2] = ["UCI_Elo", "elo"];

/// UGI's option lines tell no ranges; this is that of our own engine, the only one
/// with such an option.
const UGI_RANGE: (i64, i64) = (260, 2000);

/// What makes an engine as strong as is wished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strength {
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Positions it may look at.
    pub nodes: Option<u64>,
}

/// How an engine with these options is told.
///
/// ```
/// use quadrille_client::OptionList;
/// use quadrille_desk::levels::strength;
/// use quadrille_desk::wire::Level;
///
/// assert_eq!(strength(&OptionList::default(), Level::Step(2)).nodes, Some(80));
/// ```
pub fn strength(options: &OptionList, level: Level) -> Strength {
    let find = |names: &[&str]| names.iter().find_map(|name| options.get(name));
    let switch = find(&SWITCHES);
    let number = find(&NUMBERS).and_then(|option| Some((option, range(option)?)));
    let set = |option: &EngineOption, value: String| (option.name.clone(), value);
    let limited = |elo: &dyn Fn(i64, i64) -> i64| {
        let (switch, (number, (min, max))) = switch.zip(number)?;
        let elo = elo(min, max).clamp(min, max);
        Some(Strength {
            options: vec![set(number, elo.to_string()), set(switch, "true".into())],
            nodes: None,
        })
    };
    match level {
        Level::Full => Strength {
            options: switch.map(|s| set(s, "false".into())).into_iter().collect(),
            nodes: None,
        },
        Level::Step(step) => {
            let step = step.clamp(1, STEPS) - 1;
            let spread = |min: i64, max: i64| {
                min + max.saturating_sub(min) / i64::from(STEPS - 1) * i64::from(step)
                    + max.saturating_sub(min) % i64::from(STEPS - 1) * i64::from(step)
                        / i64::from(STEPS - 1)
            };
            limited(&spread).unwrap_or_else(|| Strength {
                options: Vec::new(),
                nodes: Some(20 * 4_u64.pow(step.into())),
            })
        }
        Level::Elo(elo) => limited(&|_, _| elo.into()).unwrap_or_default(),
    }
}

/// Smallest and largest value of a number.
fn range(option: &EngineOption) -> Option<(i64, i64)> {
    match option.kind {
        OptionKind::Spin {
            min: Some(min),
            max: Some(max),
            ..
        } => (min <= max).then_some((min, max)),
        OptionKind::Untyped { .. } => Some(UGI_RANGE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_protocol::{Dialect, Report};

    fn list(lines: &[&str]) -> OptionList {
        let mut list = OptionList::default();
        for line in lines {
            let text = format!("option name {line}");
            let parsed = Report::parse(text.as_bytes(), Dialect::Uci).message;
            let Report::Option(option) = parsed else {
                panic!("{text}");
            };
            list.declare(EngineOption::read(&option).expect("a name"));
        }
        list
    }

    fn elo(options: &OptionList, level: Level) -> String {
        let strength = strength(options, level);
        assert_eq!(strength.options[1].1, "true");
        strength.options[0].1.clone()
    }

    #[test]
    fn steps_are_spread_over_what_is_offered() {
        let uci = list(&[
            "UCI_LimitStrength type check default false",
            "UCI_Elo type spin default 1500 min 600 max 2000",
        ]);
        for (level, number) in [
            (Level::Step(0), "600"),
            (Level::Step(1), "600"),
            (Level::Step(8), "2000"),
            (Level::Step(255), "2000"),
            (Level::Elo(1500), "1500"),
            (Level::Elo(9), "600"),
            (Level::Elo(9999), "2000"),
        ] {
            assert_eq!(elo(&uci, level), number, "{level:?}");
        }
        let full = strength(&uci, Level::Full);
        assert_eq!(full.options, [("UCI_LimitStrength".into(), "false".into())]);
        // UGI tells no ranges.
        let ugi = list(&["limitStrength", "elo"]);
        assert_eq!(elo(&ugi, Level::Step(1)), "260");
        assert_eq!(elo(&ugi, Level::Step(8)), "2000");
        let odd = list(&[
            "UCI_LimitStrength type check",
            "UCI_Elo type spin min -9223372036854775808 max 9223372036854775807",
        ]);
        let _ = strength(&odd, Level::Step(5));
    }

    #[test]
    fn others_look_at_few_positions() {
        let none = OptionList::default();
        let turned = list(&[
            "UCI_LimitStrength type check",
            "UCI_Elo type spin min 5 max 1",
        ]);
        for options in [&none, &turned] {
            for (step, nodes) in [(0, 20), (1, 20), (8, 327_680)] {
                let strength = strength(options, Level::Step(step));
                assert_eq!(
                    (strength.nodes, strength.options),
                    (Some(nodes), Vec::new())
                );
            }
            assert_eq!(strength(options, Level::Elo(1500)), Strength::default());
        }
        assert_eq!(strength(&none, Level::Full), Strength::default());
    }
}
