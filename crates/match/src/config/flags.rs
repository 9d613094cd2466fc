//! Command lines in the manner of fastchess and cutechess-cli.
//!
//! A flag begins with one dash or two and a letter; what follows up to the
//! next flag belongs to it. Most sections are pairs, `key=value`. What the two
//! programs mean by the same word is meant here too; what has no meaning here
//! is read and noted, so that an old command line still works.

mod sections;

use std::path::PathBuf;
use std::str::FromStr;

use quadrille_client::spelling::{excerpt, nearest};

use super::description::MatchConfig;
use super::draft::{Draft, GameWord};
use super::error::ConfigError;
use super::file::from_file;

/// A match from a command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Flags {
    /// The match.
    pub config: MatchConfig,
    /// What was read and has no meaning here, in sentences.
    pub notes: Vec<String>,
}

/// What a command line says, before anything is checked.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct FlagsDraft {
    /// The description, over that of the file if one was named.
    pub draft: Draft,
    /// What was read and has no meaning here, in sentences.
    pub notes: Vec<String>,
    /// `--resume STORE`: the match to go on with.
    pub resume: Option<PathBuf>,
    /// `--control STORE WORD...`: what to tell a running match.
    pub control: Option<(PathBuf, Vec<String>)>,
    /// `--json`: events for scripts.
    pub json: bool,
    /// `--quiet`: only the result.
    pub quiet: bool,
    /// `--help`.
    pub help: bool,
    /// `--version`.
    pub version: bool,
}

/// How many words follow a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    None,
    One,
    /// One, or none.
    Maybe,
    /// Any number, at least one.
    Some,
    /// Any number.
    Any,
}

/// Every flag we know. The last ones have no meaning here; the sentence says
/// why.
const FLAGS: &[(&str, Values, Option<&str>)] = &[
    ("engine", Values::Some, None),
    ("each", Values::Some, None),
    ("config", Values::Some, None),
    ("store", Values::One, None),
    ("resume", Values::One, None),
    ("control", Values::Some, None),
    ("json", Values::None, None),
    ("quiet", Values::None, None),
    ("help", Values::None, None),
    ("h", Values::None, None),
    ("version", Values::None, None),
    ("game", Values::One, None),
    ("variant", Values::One, None),
    ("rules", Values::Some, None),
    ("tournament", Values::One, None),
    ("format", Values::One, None),
    ("seeds", Values::One, None),
    ("rounds", Values::One, None),
    ("games", Values::One, None),
    ("repeat", Values::Maybe, None),
    ("noswap", Values::None, None),
    ("reverse", Values::None, None),
    ("openings", Values::Some, None),
    ("resign", Values::Any, None),
    ("draw", Values::Any, None),
    ("maxmoves", Values::One, None),
    ("tb", Values::One, None),
    ("tbpieces", Values::One, None),
    ("tbignore50", Values::None, None),
    ("tbadjudicate", Values::One, None),
    ("sprt", Values::Any, None),
    ("concurrency", Values::One, None),
    ("force-concurrency", Values::None, None),
    ("clock", Values::One, None),
    ("use-affinity", Values::Maybe, None),
    ("srand", Values::One, None),
    ("recover", Values::None, None),
    ("wait", Values::One, None),
    ("ratinginterval", Values::One, None),
    ("scoreinterval", Values::One, None),
    ("report", Values::Some, None),
    ("strict", Values::None, None),
    ("show-latency", Values::None, None),
    ("pgnout", Values::Some, None),
    ("epdout", Values::Some, None),
    ("log", Values::Some, None),
    ("debug", Values::Maybe, None),
    ("event", Values::Some, None),
    ("site", Values::Some, None),
    ("startup-ms", Values::One, None),
    ("ucinewgame-ms", Values::One, None),
    ("ping-ms", Values::One, None),
    ("quick", Values::Some, None),
    (
        "autosaveinterval",
        Values::One,
        Some("every ply is saved at once"),
    ),
    (
        "outcomeinterval",
        Values::One,
        Some("every result is shown"),
    ),
    (
        "resultformat",
        Values::One,
        Some("the table has one form; scripts use --json"),
    ),
    (
        "output",
        Values::Any,
        Some("the table has one form; scripts use --json"),
    ),
    ("crc32", Values::Any, Some("the store checks itself")),
    ("bookmode", Values::One, Some("books are searched in place")),
    ("check-mate-pvs", Values::None, Some("it is always checked")),
    ("testenv", Values::None, Some("there is no such mode")),
];

/// The names of all flags that mean something here, without dashes.
pub fn flag_names() -> impl Iterator<Item = &'static str> {
    let flags = FLAGS
        .iter()
        .filter(|(_, _, meaningless)| meaningless.is_none());
    flags.map(|(name, ..)| *name)
}

/// Reads a command line and finishes the match.
pub fn from_flags(words: impl IntoIterator<Item = String>) -> Result<Flags, ConfigError> {
    let read = read_flags(words)?;
    Ok(Flags {
        config: read.draft.finish()?,
        notes: read.notes,
    })
}

/// Reads a command line, and the file that it names.
pub fn read_flags(words: impl IntoIterator<Item = String>) -> Result<FlagsDraft, ConfigError> {
    let mut flags = FlagsDraft::default();
    let mut file: Option<PathBuf> = None;
    let mut given: Vec<(&'static str, Vec<String>)> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let Some(name) = flag_name(&word) else {
            return Err(stray(&word));
        };
        // `--rounds=5` as other programs take it.
        let (name, inline) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (name, None),
        };
        let lower = name.to_ascii_lowercase();
        let Some(&(name, wanted, meaningless)) = FLAGS.iter().find(|flag| flag.0 == lower) else {
            return Err(unknown(name));
        };
        let mut values: Vec<String> = inline.into_iter().collect();
        while let Some(value) = words.next_if(|word| flag_name(word).is_none()) {
            values.push(value);
        }
        check_number(name, wanted, &values)?;
        note_twice(&mut given, name, &values, &mut flags.notes);
        if let Some(why) = meaningless {
            flags
                .notes
                .push(format!("-{name} does nothing here: {why}"));
        } else if name == "config" {
            for path in sections::config(&values, &mut flags.notes)? {
                if file.replace(path).is_some() {
                    return Err(ConfigError::new("-config is there twice"));
                }
            }
        } else {
            flags.take(name, &values)?;
        }
    }
    if let Some(path) = file {
        flags.draft = flags.draft.over(&from_file(&path)?);
    }
    Ok(flags)
}

/// Notes a flag that is given twice with different values: the later one counts, as in
/// fastchess, so that a script can append to a command line. The pieces of `-each` are put
/// together, key by key.
fn note_twice(
    given: &mut Vec<(&'static str, Vec<String>)>,
    name: &'static str,
    values: &[String],
    notes: &mut Vec<String>,
) {
    if matches!(name, "engine" | "config" | "quick") {
        return;
    }
    let Some((_, before)) = given.iter_mut().find(|(known, _)| *known == name) else {
        return given.push((name, values.to_vec()));
    };
    if name == "each" {
        for (key, first, second) in sections::changed_keys(before, values) {
            notes.push(format!(
                "-each: '{}' is given twice: '{}' counts, not '{}'",
                excerpt(key),
                excerpt(second),
                excerpt(first)
            ));
        }
        before.extend_from_slice(values);
    } else if before != values {
        let said = |values: &[String]| excerpt(&values.join(" "));
        notes.push(format!(
            "-{name} is given twice: '{}' counts, not '{}'",
            said(values),
            said(before)
        ));
        *before = values.to_vec();
    }
}

/// The name if the word is a flag. A negative number is a value.
fn flag_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    name.starts_with(|c: char| c.is_alphabetic())
        .then_some(name)
}

fn stray(word: &str) -> ConfigError {
    let error = ConfigError::new(format!("'{}' belongs to no flag", excerpt(word)));
    let name = word.split('=').next().unwrap_or(word);
    match nearest(name, FLAGS.iter().map(|flag| flag.0)) {
        Some(flag) => error.hint(format!("did you mean '-{flag}'?")),
        None => error.hint("flags begin with a dash, for instance -rounds 10"),
    }
}

fn unknown(name: &str) -> ConfigError {
    let error = ConfigError::new(format!("there is no flag '-{}'", excerpt(name)));
    match nearest(name, FLAGS.iter().map(|flag| flag.0)) {
        Some(flag) => error.hint(format!("did you mean '-{flag}'?")),
        None => error.hint("quadrille match --help lists them all"),
    }
}

fn check_number(name: &str, wanted: Values, values: &[String]) -> Result<(), ConfigError> {
    let problem = match (wanted, values.len()) {
        (Values::None, 1..) => format!("takes no value, but there is '{}'", excerpt(&values[0])),
        (Values::One | Values::Some, 0) => "needs a value".into(),
        (Values::One | Values::Maybe, 2..) => {
            format!(
                "takes one value, but there is also '{}'",
                excerpt(&values[1])
            )
        }
        _ => return Ok(()),
    };
    Err(ConfigError::new(format!("-{name} {problem}")))
}

/// Reads a value and says whose it was if that fails.
fn value<T: FromStr>(name: &str, text: &str, what: &str) -> Result<T, ConfigError> {
    text.parse().map_err(|_| {
        // What is wrong about a number is not that it is none.
        let why = match text.parse::<i128>() {
            Ok(number) if number < 0 => "is below zero".into(),
            Ok(_) => "is too large".into(),
            Err(_) => format!("is not a {what}"),
        };
        ConfigError::new(format!("-{name}: '{}' {why}", excerpt(text)))
    })
}

/// The same for words whose own error says more.
fn word<T: FromStr<Err: core::fmt::Display>>(name: &str, text: &str) -> Result<T, ConfigError> {
    text.parse()
        .map_err(|error| ConfigError::new(format!("-{name}: {error}")))
}

const WHOLE: &str = "whole number";

impl FlagsDraft {
    fn take(&mut self, name: &'static str, values: &[String]) -> Result<(), ConfigError> {
        let draft = &mut self.draft;
        let first = values.first().map_or("", String::as_str);
        match name {
            "engine" => {
                let mut engine = super::EngineDraft::default();
                sections::engine(&mut engine, name, values, &mut self.notes)?;
                draft.engines.push(engine);
            }
            "each" => sections::engine(&mut draft.each, name, values, &mut self.notes)?,
            "store" => draft.store = Some(first.into()),
            "resume" => self.resume = Some(first.into()),
            "control" => self.control = Some((first.into(), values[1..].to_vec())),
            "json" => self.json = true,
            "quiet" => self.quiet = true,
            "help" | "h" => self.help = true,
            "version" => self.version = true,
            "game" => draft.game = Some(GameWord(word(name, first)?)),
            "variant" => draft.variant = Some(first.into()),
            "rules" => draft.rules = Some(values.join(" ")),
            "tournament" | "format" => draft.tournament = Some(word(name, first)?),
            "seeds" => draft.seeds = Some(value(name, first, WHOLE)?),
            "rounds" => draft.rounds = Some(value(name, first, WHOLE)?),
            "games" => draft.games = Some(value(name, first, WHOLE)?),
            "repeat" if values.is_empty() => draft.repeat = Some(2),
            "repeat" => draft.repeat = Some(value(name, first, WHOLE)?),
            "noswap" => draft.noswap = Some(true),
            "reverse" => draft.reverse = Some(true),
            "openings" => draft.openings = Some(sections::openings(values, &mut self.notes)?),
            "resign" => draft.resign = Some(sections::resign(values, &mut self.notes)?),
            "draw" => draft.draw = Some(sections::draw(values, &mut self.notes)?),
            "maxmoves" => draft.maxmoves = Some(value(name, first, WHOLE)?),
            "tb" => {
                let paths = std::env::split_paths(first);
                let paths = paths.filter(|path| !path.as_os_str().is_empty());
                draft.tb.get_or_insert_default().paths = paths.collect();
            }
            "tbpieces" => draft.tb.get_or_insert_default().pieces = value(name, first, WHOLE)?,
            "tbignore50" => draft.tb.get_or_insert_default().ignore50 = true,
            "tbadjudicate" => draft.tb.get_or_insert_default().adjudicate = word(name, first)?,
            "sprt" => draft.sprt = Some(sections::sprt(values)?),
            "concurrency" => draft.concurrency = Some(value(name, first, WHOLE)?),
            "force-concurrency" => draft.force_concurrency = Some(true),
            "clock" => draft.clock = Some(word(name, first)?),
            "use-affinity" => {
                draft.affinity = Some(true);
                if !first.is_empty() {
                    draft.processors = Some(sections::processors(name, first)?);
                }
            }
            "srand" => draft.srand = Some(value(name, first, WHOLE)?),
            "recover" => draft.recover = Some(true),
            "wait" => draft.wait = Some(value(name, first, "number of milliseconds")?),
            "ratinginterval" => draft.ratinginterval = Some(value(name, first, WHOLE)?),
            "scoreinterval" => draft.scoreinterval = Some(value(name, first, WHOLE)?),
            "report" => draft.pentanomial = Some(sections::report(values)?),
            "strict" => draft.strict = Some(true),
            "show-latency" => draft.show_latency = Some(true),
            "pgnout" => draft.pgnout = Some(sections::pgnout(values, &mut self.notes)?),
            "epdout" => draft.epdout = Some(sections::epdout(values)?),
            "log" => draft.log = Some(sections::log(values, &mut self.notes)?),
            "debug" => draft.log.get_or_insert_default().debug = true,
            "event" => draft.event = Some(values.join(" ")),
            "site" => draft.site = Some(values.join(" ")),
            "startup-ms" => draft.each.startup_ms = Some(value(name, first, WHOLE)?),
            "ucinewgame-ms" => draft.each.new_game_ms = Some(value(name, first, WHOLE)?),
            "ping-ms" => draft.each.ping_ms = Some(value(name, first, WHOLE)?),
            "quick" => sections::quick(draft, values)?,
            _ => return Err(unknown(name)),
        }
        Ok(())
    }
}
