//! The keys of `-engine` and `-each`.

use quadrille_client::spelling::{excerpt, nearest};
use quadrille_client::time_control::{TimeControl, count, seconds};

use super::super::draft::{Arguments, EngineDraft};
use super::super::error::ConfigError;
use super::sections::{Field, check_keys, fields, processors, unknown};

pub(super) fn engine(
    engine: &mut EngineDraft,
    section: &str,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<(), ConfigError> {
    check_keys(section, values)?;
    for field in fields(section, values) {
        if let Some(option) = field.key.strip_prefix("option.") {
            if option.trim().is_empty() {
                let message = format!("-{section}: 'option.' names no option");
                return Err(ConfigError::new(message).hint("write option.Hash=16"));
            }
            engine.options.set(option, field.value.map(Into::into));
        } else if let Some(name) = field.key.strip_prefix("env.") {
            engine.env.set(name, field.text()?);
        } else {
            engine_key(engine, &field, notes)?;
        }
    }
    Ok(())
}

const ENGINE_KEYS: [&str; 30] = [
    "cmd",
    "name",
    "args",
    "arg",
    "dir",
    "tc",
    "st",
    "nodes",
    "depth",
    "plies",
    "timemargin",
    "handicap",
    "ponder",
    "restart",
    "proto",
    "initstr",
    "nice",
    "affinity",
    "registration",
    "startup-ms",
    "ucinewgame-ms",
    "ping-ms",
    "stop-ms",
    "quit-ms",
    "option.NAME",
    "env.NAME",
    "stderr",
    "bench",
    "whitepov",
    "tscale",
];

/// A key that an engine does not have: perhaps a slip, perhaps an option of the engine, or its
/// program without `cmd=`.
fn unknown_engine_key(engine: &EngineDraft, field: &Field<'_>) -> ConfigError {
    let (section, key) = (field.section, excerpt(field.key));
    if nearest(field.key, ENGINE_KEYS).is_some() {
        return unknown(section, field.key, &ENGINE_KEYS);
    }
    let error = ConfigError::new(format!("-{section}: there is no '{key}'"));
    let known = ENGINE_KEYS.join(", ");
    match field.value {
        Some(value) => error.hint(format!(
            "an option of the engine is written option.{key}={}; other keys are {known}",
            excerpt(value)
        )),
        None if engine.cmd.is_none() => error.hint(format!("the program is written cmd={key}")),
        None => error.hint(format!("known are {known}")),
    }
}

/// Keys of cutechess that would change the games, and why they are refused here.
const REFUSED: [(&str, &str, &str); 3] = [
    (
        "trust",
        "the rules decide games, not what an engine claims",
        "leave it out; -resign and -tb end games early",
    ),
    (
        "book",
        "no book is opened for an engine",
        "-openings file=BOOK format=polyglot starts games from a book; an engine that has a book \
         of its own is told by its options",
    ),
    (
        "bookdepth",
        "no book is opened for an engine",
        "-openings file=BOOK format=polyglot plies=N starts games from a book",
    ),
];

fn engine_key(
    engine: &mut EngineDraft,
    field: &Field<'_>,
    notes: &mut Vec<String>,
) -> Result<(), ConfigError> {
    if time_key(engine, field)? || timeout_key(engine, field)? {
        return Ok(());
    }
    match field.key {
        "cmd" => engine.cmd = Some(field.text()?.into()),
        "name" => engine.name = Some(field.text()?.into()),
        "args" => engine.args = Some(Arguments::Text(field.text()?.into())),
        "arg" => {
            let text = field.text()?.to_owned();
            match &mut engine.args {
                Some(Arguments::List(list)) => list.push(text),
                other => *other = Some(Arguments::List(vec![text])),
            }
        }
        "dir" => engine.dir = Some(field.text()?.into()),
        "ponder" => engine.ponder = Some(field.switch()?),
        "restart" if field.value == Some("auto") => engine.restart = None,
        "restart" => {
            let hint = "write restart=on, restart=off or restart=auto";
            engine.restart = Some(field.switch().map_err(|error| error.hint(hint))?);
        }
        "whitepov" => engine.white_pov = Some(field.switch()?),
        "proto" => {
            let word = field.text()?;
            if word == "xboard" {
                let message = format!(
                    "-{}: engines that speak xboard cannot play here",
                    field.section
                );
                return Err(ConfigError::new(message).hint("proto is uci, ulci, leiser or ugi"));
            }
            engine.proto = Some(word.into());
        }
        "initstr" => {
            let lines = field.text()?.split("\\n");
            let all = engine.init.get_or_insert_default();
            all.extend(lines.map(Into::into));
        }
        "nice" => engine.nice = Some(field.whole()?),
        "affinity" => engine.affinity = Some(processors(&field.name(), field.text()?)?),
        "registration" => {
            let (name, code) = field.text()?.split_once(',').ok_or_else(|| {
                ConfigError::new(format!("-{}: write registration=NAME,CODE", field.section))
            })?;
            engine.registration = Some((name.trim().into(), code.trim().into()));
        }
        "stderr" => engine.stderr = Some(field.text()?.into()),
        "bench" => engine.bench = Some(field.text()?.into()),
        "debug" => notes.push(format!(
            "-{} debug does nothing here: -log and -debug write down what is said",
            field.section
        )),
        "conf" => {
            let message = format!(
                "-{}: there is no list of engines to take 'conf' from",
                field.section
            );
            return Err(ConfigError::new(message).hint("write cmd=PROGRAM"));
        }
        key => {
            let Some((_, why, hint)) = REFUSED.iter().find(|refused| refused.0 == key) else {
                return Err(unknown_engine_key(engine, field));
            };
            let message = format!("-{}: there is no '{key}' here: {why}", field.section);
            return Err(ConfigError::new(message).hint(hint));
        }
    }
    Ok(())
}

/// Reads a limit of thinking; `false` if the key says something else.
fn time_key(engine: &mut EngineDraft, field: &Field<'_>) -> Result<bool, ConfigError> {
    match field.key {
        "tc" => {
            let text = field.text()?;
            let read = text.parse::<TimeControl>();
            engine.tc = Some(field.explained(read.map_err(|error| error.to_string()))?);
        }
        "st" => {
            let time = field.explained(seconds(field.text()?))?;
            engine.st = Some(time.as_secs_f64());
        }
        "nodes" => engine.nodes = Some(field.explained(count(field.text()?))?),
        "depth" | "plies" => engine.depth = Some(field.whole()?),
        "timemargin" => engine.timemargin = Some(field.whole()?),
        "handicap" => engine.handicap = Some(field.number()?),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Reads a limit of waiting for the engine; `false` if the key says something else.
fn timeout_key(engine: &mut EngineDraft, field: &Field<'_>) -> Result<bool, ConfigError> {
    match field.key {
        "startup-ms" => engine.startup_ms = Some(field.whole()?),
        "ucinewgame-ms" => engine.new_game_ms = Some(field.whole()?),
        "ping-ms" => engine.ping_ms = Some(field.whole()?),
        "stop-ms" => engine.stop_ms = Some(field.whole()?),
        "quit-ms" => engine.quit_ms = Some(field.whole()?),
        "tscale" => {
            let scale = field.number()?;
            if !(0.01..=1000.0).contains(&scale) {
                let message = format!("-{}: tscale is {scale}", field.section);
                return Err(ConfigError::new(message).hint("2 doubles every time-out"));
            }
            let millis = |usual: f64| Some((usual * scale) as u64);
            engine.startup_ms = millis(10_000.0);
            engine.new_game_ms = millis(60_000.0);
            engine.ping_ms = millis(60_000.0);
        }
        _ => return Ok(false),
    }
    Ok(true)
}
