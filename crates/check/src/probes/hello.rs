//! The handshake and what is declared in it.

use std::time::Duration;

use quadrille_protocol::Dialect;

use super::super::examiner::{Examiner, Lost, Step};
use super::super::report::Role;
use super::super::table;
use super::super::watch::Said;
use quadrille_driver::{EngineOption, OptionKind};

/// Longer is not quick.
const QUICK: Duration = Duration::from_secs(2);

/// A larger table is not very small.
const SMALL_HASH: i64 = 256;

/// Options with a meaning of their own, and their types.
const FIXED: [(&str, &str); 16] = [
    ("hash", "spin"),
    ("nalimovpath", "string"),
    ("nalimovcache", "spin"),
    ("ponder", "check"),
    ("ownbook", "check"),
    ("multipv", "spin"),
    ("uci_showcurrline", "check"),
    ("uci_showrefutations", "check"),
    ("uci_limitstrength", "check"),
    ("uci_elo", "spin"),
    ("uci_analysemode", "check"),
    ("uci_opponent", "string"),
    ("uci_engineabout", "string"),
    ("uci_shredderbasespath", "string"),
    ("uci_setpositionvalue", "string"),
    ("uci_chess960", "check"),
];

pub(super) async fn hello(x: &mut Examiner<'_>) -> Step {
    let greeting = meet(x).await?;
    let Some(lines) = greeting else {
        return Ok(());
    };
    judge_identity(x, &lines);
    judge_options(x, &lines);
    x.expect_ready("handshake.uciok", "the handshake").await;
    again(x).await;
    for id in [
        "output.plain-text",
        "output.extra-words",
        "output.utf8",
        "output.long-line",
        "handshake.unasked",
        "handshake.banner",
        "handshake.once",
        "handshake.late",
        "handshake.id-value",
    ] {
        x.pass(id);
    }
    stderr(x);
    Ok(())
}

/// Starts the engine and greets it. The lines that it answered with, if the
/// handshake came to its end.
async fn meet(x: &mut Examiner<'_>) -> Step<Option<Vec<String>>> {
    if let Err(lost) = x.open().await {
        if let Lost::NoEngine(why) = &lost {
            x.fail("handshake.starts", why.clone());
        }
        return Err(lost);
    }
    // What it says unasked.
    x.listen(x.patience.watch / 2).await;
    let alive = x.is_alive();
    let word = x.dialect.hello();
    if let Some(talk) = &mut x.talk {
        talk.mark();
    }
    x.say(word);
    let patience = x.patience.hello;
    let greeted = x.wait_for(Said::Greeted, patience).await;
    // On a busy machine a program that ends at once ends when it was greeted already.
    let boots = alive && (greeted || x.is_alive() || !x.transcript_lines().is_empty());
    x.expect("handshake.starts", boots, || "the engine ended".into());
    let now = std::time::Instant::now();
    let spent = x.talk.as_mut().map(|talk| talk.spent(now));
    x.expect("handshake.uciok", greeted, || {
        format!("no answer to {word} in {} s", patience.as_secs())
    });
    if !greeted {
        return Err(x.lost(&format!("no answer to {word}")));
    }
    let spent = spent.unwrap_or_default();
    x.judge_time("handshake.quick", spent, QUICK, || {
        format!("{} ms from {word} to its answer", spent.own().as_millis())
    });
    let transcript = x.transcript_lines();
    // Declarations that come late.
    x.listen(x.patience.watch / 2).await;
    Ok(Some(transcript))
}

fn judge_identity(x: &mut Examiner<'_>, lines: &[String]) {
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    let (names, authors) = (count("id name"), count("id author"));
    x.judge("handshake.id-name", names > 0, || {
        "there is no id name".into()
    });
    x.judge("handshake.id-author", authors > 0, || {
        "there is no id author".into()
    });
    x.judge("handshake.one-name", names <= 1 && authors <= 1, || {
        format!("{names} names, {authors} authors")
    });
    let first = lines.iter().position(|line| line.starts_with("option "));
    let last = lines.iter().rposition(|line| line.starts_with("id "));
    let ordered = first.zip(last).is_none_or(|(option, id)| id < option);
    x.judge("handshake.order", ordered, || {
        "an id line comes after an option line".into()
    });
    x.skip(
        "handshake.status",
        "the engine does not ask for a registration",
    );
}

fn judge_options(x: &mut Examiner<'_>, lines: &[String]) {
    if x.dialect == Dialect::Ugi {
        let has = |name: &str| x.option(name).is_some();
        let both = has("maxply") && has("maxtime");
        x.judge("ugi.options", both, || {
            "maxPly and maxTime are not both declared".into()
        });
        return;
    }
    let options = x.options.clone();
    if options.is_empty() && !lines.iter().any(|line| line.starts_with("option")) {
        for check in table::of(Role::Engine, x.dialect) {
            if check.group() == "options" && check.probe == "hello" {
                x.skip(check.id, "no option is declared");
            }
        }
        return;
    }
    judge_kinds(x, lines, &options);
    judge_names(x, &options);
    judge_fixed(x, &options);
    // What the lines themselves show has been judged as they came.
    for check in table::of(Role::Engine, x.dialect) {
        if check.group() == "options" && check.probe == "hello" {
            x.pass(check.id);
        }
    }
}

fn judge_kinds(x: &mut Examiner<'_>, lines: &[String], options: &[EngineOption]) {
    for option in options {
        let name = &option.name;
        match &option.kind {
            OptionKind::Spin { min, max, .. } => {
                x.judge("options.spin-range", min.is_some() && max.is_some(), || {
                    format!("{name} has no min or no max")
                });
            }
            OptionKind::Combo { values, .. } => {
                x.judge("options.combo-values", !values.is_empty(), || {
                    format!("{name} has no var")
                });
            }
            _ => {}
        }
    }
    for line in lines.iter().filter(|line| line.starts_with("option")) {
        let is = |kind: &str| line.contains(&format!(" type {kind}"));
        if is("button") {
            let value = [" default", " min ", " max ", " var "];
            let plain = !value.iter().any(|word| line.contains(word));
            x.judge("options.button-plain", plain, || line.clone());
        }
        if is("string") {
            let empty = line.trim_end().ends_with(" default") || !line.contains(" default");
            x.judge("options.string-default", !empty, || line.clone());
        }
    }
}

fn judge_names(x: &mut Examiner<'_>, options: &[EngineOption]) {
    let twice = options.iter().enumerate().find(|(index, option)| {
        let same = |other: &EngineOption| other.name.eq_ignore_ascii_case(&option.name);
        options[..*index].iter().any(same)
    });
    x.judge("options.unique", twice.is_none(), || {
        format!(
            "two options are called {}",
            twice.map_or("", |(_, option)| &option.name)
        )
    });
    let odd = options.iter().find(|option| {
        let mut words = option.name.split_whitespace();
        words.any(|word| word == "name" || word == "value")
    });
    x.judge("options.unambiguous", odd.is_none(), || {
        format!(
            "an option is called {}",
            odd.map_or("", |option| &option.name)
        )
    });
    let has = |name: &str| options.iter().any(|o| o.name.eq_ignore_ascii_case(name));
    x.judge("options.hash", has("hash"), || {
        "there is no option Hash".into()
    });
    if x.dialect == Dialect::Leiser {
        let both = has("hash") && has("ponder");
        x.judge("leiser.options", both, || {
            "hash and Ponder are not both declared".into()
        });
    }
    let (limit, elo) = (has("uci_limitstrength"), has("uci_elo"));
    x.judge("options.elo-pair", limit == elo, || {
        let missing = if limit {
            "UCI_Elo"
        } else {
            "UCI_LimitStrength"
        };
        format!("{missing} is missing")
    });
}

/// The word for a type.
fn type_word(kind: &OptionKind) -> &str {
    match kind {
        OptionKind::Check { .. } => "check",
        OptionKind::Spin { .. } => "spin",
        OptionKind::Combo { .. } => "combo",
        OptionKind::Button => "button",
        OptionKind::Text { .. } => "string",
        OptionKind::Untyped { word } => word.as_deref().unwrap_or("nothing"),
    }
}

fn judge_fixed(x: &mut Examiner<'_>, options: &[EngineOption]) {
    for option in options {
        let name = option.name.to_ascii_lowercase();
        let fixed = FIXED.iter().find(|(fixed, _)| *fixed == name);
        if let Some((_, kind)) = fixed {
            let own = type_word(&option.kind);
            x.judge("options.fixed-type", own == *kind, || {
                format!("{} has type {own}, not {kind}", option.name)
            });
        }
        match (name.as_str(), &option.kind) {
            (
                "hash",
                OptionKind::Spin {
                    default: Some(default),
                    ..
                },
            ) => {
                x.judge("options.hash-small", *default <= SMALL_HASH, || {
                    format!("the default hash table has {default} MB")
                });
            }
            ("multipv", OptionKind::Spin { default, .. }) => {
                x.judge("options.multipv-default", *default == Some(1), || {
                    format!("the default of MultiPV is {default:?}")
                });
            }
            (
                "uci_showcurrline" | "uci_showrefutations" | "uci_limitstrength",
                OptionKind::Check { default },
            ) => {
                x.judge("options.off-by-default", *default != Some(true), || {
                    format!("{} is true by default", option.name)
                });
            }
            ("uci_chess960", kind) => {
                let off = matches!(
                    kind,
                    OptionKind::Check {
                        default: Some(false)
                    }
                );
                x.judge("options.chess960-default", off, || {
                    "UCI_Chess960 is not `type check default false`".into()
                });
            }
            _ => {}
        }
    }
}

/// The opening word once more.
async fn again(x: &mut Examiner<'_>) {
    let word = x.dialect.hello();
    x.say(word);
    x.listen(x.patience.watch / 2).await;
    x.expect_ready("handshake.again", "a second opening word")
        .await;
}

/// Whether there was something on standard error. Judged where an engine has
/// said most of what it has to say.
pub(super) fn stderr(x: &mut Examiner<'_>) {
    let stderr = x.talk.as_ref().map(super::super::talk::Talk::stderr);
    if let Some(stderr) = stderr {
        let first = stderr.tail.first().cloned().unwrap_or_default();
        x.judge("output.stderr", stderr.lines == 0, || {
            format!("{} lines, the first of those kept: {first}", stderr.lines)
        });
    }
}
