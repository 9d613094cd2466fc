//! How an engine is made to play weaker.
//!
//! An engine that offers a limit of strength and an Elo number (our own do, as
//! `UCI_LimitStrength` and `UCI_Elo`, in UGI `limitStrength` and `elo`; what the numbers
//! mean is measured in docs/strength.md) gets the eight steps spread evenly over its
//! range: step 1 is its weakest, step 8 its strongest limited play. Any other engine
//! gets few positions to look at: 20, and four times as many with each step.

use crate::wire::Level;

/// Steps there are.
pub const STEPS: u8 = 8;

const SWITCHES: [&str; 2] = ["UCI_LimitStrength", "limitStrength"];
const NUMBERS: [&str; 2] = ["UCI_Elo", "elo"];

/// UGI's option lines tell no ranges; this is that of our own engine, the only one
/// with such an option.
const UGI_RANGE: (i64, i64) = (260, 2000);

/// An option of an engine, as far as levels need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its name, in the engine's spelling.
    pub name: String,
    /// Smallest and largest number, if it is one.
    pub range: Option<(i64, i64)>,
}

/// What makes an engine as strong as is wished.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strength {
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Positions it may look at.
    pub nodes: Option<u64>,
}

/// Whether an option of this name is an Elo number.
pub fn is_elo(name: &str) -> bool {
    NUMBERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// How an engine with these options is told.
///
/// ```
/// use quadrille_desk::levels::{Known, strength};
/// use quadrille_desk::wire::Level;
///
/// let options = [
///     Known { name: "UCI_LimitStrength".into(), range: None },
///     Known { name: "UCI_Elo".into(), range: Some((600, 2000)) },
/// ];
/// let weak = strength(&options, Level::Step(1));
/// assert_eq!(weak.options[0], ("UCI_Elo".into(), "600".into()));
/// assert_eq!(strength(&[], Level::Step(2)).nodes, Some(80));
/// ```
pub fn strength(options: &[Known], level: Level) -> Strength {
    let find = |names: &[&str]| {
        let named = |name: &&str| options.iter().find(|k| k.name.eq_ignore_ascii_case(name));
        names.iter().find_map(named)
    };
    let switch = find(&SWITCHES);
    let number = find(&NUMBERS).map(|known| (known, known.range.unwrap_or(UGI_RANGE)));
    let set = |known: &Known, value: String| (known.name.clone(), value);
    let limited = |elo: &dyn Fn(i64, i64) -> i64| {
        let (switch, (number, (min, max))) = switch.zip(number)?;
        let elo = elo(min, max).clamp(min, max.max(min));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_spread_over_what_is_offered() {
        let known = |name: &str, range| Known {
            name: name.into(),
            range,
        };
        let ugi = [
            known("limitStrength", None),
            known("elo", Some((1470, 2000))),
        ];
        let elo = |level| strength(&ugi, level).options[0].1.clone();
        assert_eq!(elo(Level::Step(0)), "1470");
        assert_eq!(elo(Level::Step(8)), "2000");
        assert_eq!(elo(Level::Step(255)), "2000");
        assert_eq!(elo(Level::Elo(9)), "1470");
        let off = strength(&ugi, Level::Full);
        assert_eq!(off.options, [("limitStrength".into(), "false".into())]);
        let odd = [
            known("limitStrength", None),
            known("elo", Some((i64::MIN, i64::MAX))),
        ];
        let _ = strength(&odd, Level::Step(5));
        assert_eq!(strength(&[], Level::Elo(1500)), Strength::default());
        assert_eq!(strength(&[], Level::Step(8)).nodes, Some(327_680));
    }
}
