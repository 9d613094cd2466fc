//! Options are set, in every way that hosts and users set them.

use quadrille_games::Game;

use super::super::examiner::{Examiner, Step};
use super::super::positions::{line, middle, telling};
use super::super::searches::{Limit, set_option_words};
use super::discipline::CASTLING_MATES;
use quadrille_driver::{EngineOption, OptionKind};

/// Larger numbers mean memory that we do not want to ask for.
const COSTLY: [&str; 4] = ["hash", "cache", "mem", "size"];

/// And threads.
const THREADS: [&str; 2] = ["thread", "cores"];

/// What a spin that costs memory or threads is set to at most, unless its default
/// is more.
const MODEST: i64 = 64;
const FEW: i64 = 2;

pub(super) async fn options(x: &mut Examiner<'_>) -> Step {
    x.scene("options.unknown").await?;
    let line = set_option_words(x.dialect, "Joho Of Quadrille", Some("7"));
    x.say(&line);
    x.expect_ready("options.unknown", "an option that it does not have")
        .await;
    if x.options.is_empty() || x.dialect == quadrille_protocol::Dialect::Ugi {
        return Ok(());
    }
    to_defaults(x).await?;
    by_kind(x).await?;
    badly(x).await?;
    through_multipv(x).await?;
    value_case(x).await?;
    keeps_position(x).await?;
    weakest(x).await
}

/// `UCI_Chess960` shows whether a value was understood: castling is written otherwise.
async fn value_case(x: &mut Examiner<'_>) -> Step {
    let off = |option: &EngineOption| {
        matches!(
            option.kind,
            OptionKind::Check {
                default: Some(false)
            }
        )
    };
    if !x.option("UCI_Chess960").is_some_and(off) {
        let why = "there is no option UCI_Chess960 to see it by";
        x.skip("options.value-case", why);
        return Ok(());
    }
    for value in ["true", "TRUE"] {
        x.fresh_scene("options.value-case").await?;
        // Seen here by the answer alone.
        for general in ["bestmove.castling", "chess960.form", "pv.form"] {
            x.ignore(general);
        }
        x.set_option("UCI_Chess960", value);
        x.chess960 = true;
        x.position(&line(Game::Chess, "chess960", CASTLING_MATES, ""));
        let answer = x.look(Limit::Depth(2)).await;
        let said = answer.said.clone().unwrap_or_default();
        match value {
            "true" if said != "e1h1" => {
                x.skip("options.value-case", "the engine did not castle to show it");
                return Ok(());
            }
            "true" => {}
            _ => x.expect("options.value-case", said != "e1g1", || {
                format!("castling as {said} after UCI_Chess960 was set to {value}")
            }),
        }
    }
    x.drop_engine();
    Ok(())
}

/// A host may set an option between `position` and `go`.
async fn keeps_position(x: &mut Examiner<'_>) -> Step {
    x.fresh_scene("options.keeps-position").await?;
    let Some(OptionKind::Spin { min, max, .. }) = x.option("Hash").map(|hash| hash.kind.clone())
    else {
        x.skip("options.keeps-position", "there is no option Hash");
        return Ok(());
    };
    let size = 8.clamp(
        min.unwrap_or(1),
        max.unwrap_or(i64::MAX).max(min.unwrap_or(1)),
    );
    x.position(&telling(x.game, 40, 7));
    x.set_option("Hash", &size.to_string());
    if x.ready().await {
        x.expect_understood("options.keeps-position").await;
    }
    x.drop_engine();
    Ok(())
}

/// As weak as it can be, an engine plays by the rules.
async fn weakest(x: &mut Examiner<'_>) -> Step {
    let elo = x.option("UCI_Elo").map(|elo| elo.kind.clone());
    let limit = x.option("UCI_LimitStrength").is_some();
    let (true, Some(OptionKind::Spin { min: Some(min), .. })) = (limit, elo) else {
        let why = "there are no options UCI_LimitStrength and UCI_Elo";
        x.skip("options.limit-strength", why);
        return Ok(());
    };
    x.fresh_scene("options.limit-strength").await?;
    x.set_option("UCI_LimitStrength", "true");
    x.set_option("UCI_Elo", &min.to_string());
    // Weak moves are chosen among good lines.
    for general in [
        "bestmove.is-pv",
        "multipv.off",
        "bestmove.ponder-legal",
        "pv.legal",
    ] {
        x.ignore(general);
    }
    for plies in [8, 15, 24] {
        x.position(&middle(x.game, plies, 163));
        x.expect_understood("options.limit-strength").await;
    }
    x.drop_engine();
    Ok(())
}

async fn to_defaults(x: &mut Examiner<'_>) -> Step {
    x.scene("options.set-default").await?;
    for option in x.options.clone() {
        let default = match &option.kind {
            OptionKind::Check { default } => default.map(|value| value.to_string()),
            OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
            OptionKind::Combo { default, .. } => default.clone(),
            OptionKind::Text { .. } | OptionKind::Button | OptionKind::Untyped { .. } => None,
        };
        if let Some(value) = default {
            x.say(&set_option_words(x.dialect, &option.name, Some(&value)));
        }
    }
    x.expect_ready("options.set-default", "options were set to their defaults")
        .await;
    Ok(())
}

/// Sets all options of a kind, as the function says, and asks for a sign of life.
async fn each(
    x: &mut Examiner<'_>,
    id: &'static str,
    what: &str,
    values: impl Fn(&EngineOption) -> Vec<Option<String>>,
) -> Step {
    let lines: Vec<String> = x
        .options
        .iter()
        .flat_map(|option| {
            let words =
                |value: Option<String>| set_option_words(x.dialect, &option.name, value.as_deref());
            values(option).into_iter().map(words).collect::<Vec<_>>()
        })
        .collect();
    if lines.is_empty() {
        x.skip(id, "there is no option of this kind");
        return Ok(());
    }
    x.scene(id).await?;
    for line in lines {
        x.say(&line);
    }
    x.expect_ready(id, what).await;
    // Odd settings must not reach the next scene.
    x.drop_engine();
    Ok(())
}

/// The most that a spin is set to; `None` where that is its own maximum.
fn modest(name: &str) -> Option<i64> {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&THREADS) {
        Some(FEW)
    } else {
        has(&COSTLY).then_some(MODEST)
    }
}

async fn by_kind(x: &mut Examiner<'_>) -> Step {
    let text = |value: &str| Some(value.to_owned());
    each(
        x,
        "options.set-check",
        "checks were switched",
        |option| match option.kind {
            OptionKind::Check { .. } => vec![text("true"), text("false")],
            _ => Vec::new(),
        },
    )
    .await?;
    each(
        x,
        "options.set-spin",
        "spins were set to their bounds",
        |option| match option.kind {
            OptionKind::Spin {
                default,
                min: Some(min),
                max: Some(max),
            } => {
                let most = modest(&option.name).map(|most| most.max(default.unwrap_or(min)));
                let max = max.min(most.unwrap_or(i64::MAX));
                vec![Some(min.to_string()), Some(max.to_string())]
            }
            _ => Vec::new(),
        },
    )
    .await?;
    each(
        x,
        "options.set-combo",
        "combos were set to each value",
        |option| match &option.kind {
            OptionKind::Combo { values, .. } => values.iter().cloned().map(Some).collect(),
            _ => Vec::new(),
        },
    )
    .await?;
    each(
        x,
        "options.set-string",
        "strings were set to <empty>",
        |option| match option.kind {
            // An engine that takes the word as it is would write a file of that name.
            OptionKind::Text { .. } if !option.name.to_ascii_lowercase().contains("log") => {
                vec![text("<empty>")]
            }
            _ => Vec::new(),
        },
    )
    .await?;
    each(
        x,
        "options.press-button",
        "buttons were pressed",
        |option| match option.kind {
            OptionKind::Button => vec![None],
            _ => Vec::new(),
        },
    )
    .await
}

/// As no host should, and some do.
async fn badly(x: &mut Examiner<'_>) -> Step {
    let is_spin = |option: &EngineOption| matches!(option.kind, OptionKind::Spin { .. });
    each(
        x,
        "options.set-nothing",
        "setoption came without a value",
        |option| {
            let bare = is_spin(option) || matches!(option.kind, OptionKind::Combo { .. });
            if bare { vec![None] } else { Vec::new() }
        },
    )
    .await?;
    each(
        x,
        "options.set-words",
        "a spin was set to a word",
        |option| {
            if is_spin(option) {
                vec![Some("joho".into())]
            } else {
                Vec::new()
            }
        },
    )
    .await?;
    each(
        x,
        "options.set-beyond",
        "a spin was set beyond its range",
        |option| match option.kind {
            OptionKind::Spin { max: Some(max), .. } if modest(&option.name).is_none() => {
                vec![Some(max.saturating_add(1).to_string())]
            }
            _ => Vec::new(),
        },
    )
    .await
}

/// `MultiPV` shows whether a setting has reached the engine.
async fn through_multipv(x: &mut Examiner<'_>) -> Step {
    if x.option("MultiPV").is_none() {
        for id in ["options.case", "options.blanks"] {
            x.skip(id, "there is no option MultiPV to see it by");
        }
        return Ok(());
    }
    for (id, words) in [
        ("options.case", "setoption name mUlTiPv value 2"),
        ("options.blanks", "setoption   name   MultiPV   value   2"),
    ] {
        x.fresh_scene(id).await?;
        x.say(words);
        x.lines_wanted = 2;
        let start = quadrille_games::AnyLine::start(x.game);
        x.position(&start);
        let answer = x.look(Limit::Depth(2)).await;
        let two = answer.infos.iter().any(|heard| heard.multipv == Some(2));
        x.expect(id, two, || {
            "there was no second line after MultiPV was set to 2".into()
        });
    }
    x.drop_engine();
    Ok(())
}
