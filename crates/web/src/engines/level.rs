//! How strong an engine plays: the desk's levels for the options of a running engine.

use quadrille_desk::levels::{self, Known, Strength};
use quadrille_desk::wire::Level;
use quadrille_host::driver::{Engine, EngineOption, OptionKind};

/// How an engine is told.
pub(super) fn strength(engine: &Engine, level: Level) -> Strength {
    of(engine.options().iter(), level)
}

fn of<'o>(options: impl IntoIterator<Item = &'o EngineOption>, level: Level) -> Strength {
    let known = options.into_iter().map(|option| Known {
        name: option.name.clone(),
        range: match option.kind {
            OptionKind::Spin {
                min: Some(min),
                max: Some(max),
                ..
            } if min <= max => Some((min, max)),
            _ => None,
        },
    });
    // Of an engine of any origin nothing says what a number without a range may be.
    let usable = known.filter(|known| known.range.is_some() || !levels::is_elo(&known.name));
    levels::strength(&usable.collect::<Vec<_>>(), level)
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
            let strength = of([&switch, &number], level);
            assert_eq!(strength.options[1].1, "true");
            strength.options[0].1.clone()
        };
        assert_eq!(elo(Level::Step(1)), "600");
        assert_eq!(elo(Level::Step(8)), "2000");
        assert_eq!(elo(Level::Step(200)), "2000");
        assert_eq!(elo(Level::Elo(1500)), "1500");
        assert_eq!(elo(Level::Elo(9999)), "2000");
        let full = of([&switch, &number], Level::Full);
        assert_eq!(full.options, [("UCI_LimitStrength".into(), "false".into())]);
    }

    #[test]
    fn others_look_at_few_positions() {
        let nodes = |step| of([], Level::Step(step)).nodes;
        assert_eq!(
            (nodes(0), nodes(1), nodes(8)),
            (Some(20), Some(20), Some(327_680))
        );
        assert_eq!(of([], Level::Full), Strength::default());
        assert_eq!(of([], Level::Elo(1500)), Strength::default());
    }
}
