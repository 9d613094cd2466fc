//! Command lines in the manner of fastchess and cutechess-cli.
//!
//! A flag begins with one dash or two and a letter; what follows up to the
//! next flag belongs to it. Most sections are pairs, `key=value`. What the two
//! programs mean by the same word is meant here too; what has no meaning here
//! is read and noted, so that an old command line still works.

mod engine_keys;
mod flag;
mod sections;
mod table;

use std::path::PathBuf;

use quadrille_client::spelling::{excerpt, nearest};

use super::changes::Changes;
use super::description::MatchConfig;
use super::draft::Draft;
use super::error::ConfigError;
use super::file;
use super::rules::TablebaseConfig;
use flag::{Given, Values};

pub use flag::Flag;
pub use sections::OutputFormat;
pub use table::{FLAGS, flags};

/// A match from a command line.
#[derive(Debug, Clone, PartialEq)]
pub struct Flags {
    /// The match.
    pub config: MatchConfig,
    /// Sentences about flags that have no meaning here, or were given twice.
    pub notes: Vec<String>,
}

/// A command line, before anything is checked.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct FlagsDraft {
    /// The description, over that of the file if one was named.
    pub draft: Draft,
    /// Sentences about flags that have no meaning here, or were given twice.
    pub notes: Vec<String>,
    /// `--resume STORE`: the match to go on with.
    pub resume: Option<PathBuf>,
    /// `--control STORE WORD...`: what to tell a running match.
    pub control: Option<(PathBuf, Vec<String>)>,
    /// `-output format=`: the words of another program.
    pub output: Option<OutputFormat>,
    /// `--json`: events for scripts.
    pub json: bool,
    /// `--quiet`: only the result.
    pub quiet: bool,
    /// `--help`.
    pub help: bool,
    /// `--version`.
    pub version: bool,
    /// The description in the file, which flags go over.
    below: Draft,
    /// The flags and the keys of the file that say something about the match.
    said: Vec<&'static str>,
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
    let mut all: Vec<Given> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let given = read_flag(&word, &mut words)?;
        note_twice(&all, &given, &mut flags.notes);
        all.push(given);
    }
    // Flags go over the file, wherever it is named among them.
    let keys = flags.read_file(&all)?;
    for given in &all {
        let flag = given.flag;
        if flag.is_ignored() {
            let note = format!("-{} does nothing here: {}", flag.name, flag.help);
            flags.notes.push(note);
        } else {
            given.apply(&mut flags)?;
        }
        if !flag.may_change() {
            flags.said.push(flag.name);
        }
    }
    let below = std::mem::take(&mut flags.below);
    flags.draft = flags.draft.over(&below);
    let refused = table::flags().filter(|flag| !flag.may_change());
    let refused = refused.filter(|flag| keys.iter().any(|key| flag.has_key(key)));
    flags.said.extend(refused.map(|flag| flag.name));
    Ok(flags)
}

/// Reads a flag and the words that belong to it.
fn read_flag(
    word: &str,
    words: &mut std::iter::Peekable<impl Iterator<Item = String>>,
) -> Result<Given, ConfigError> {
    let Some(name) = flag_name(word) else {
        return Err(stray(word));
    };
    // `--rounds=5` as other programs take it.
    let (name, inline) = match name.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (name, None),
    };
    let lower = name.to_ascii_lowercase();
    let Some(flag) = flags().find(|flag| flag.is_called(&lower)) else {
        return Err(unknown(name));
    };
    let mut values: Vec<String> = inline.into_iter().collect();
    while let Some(value) = words.next_if(|word| flag_name(word).is_none()) {
        values.push(value);
    }
    check_number(&lower, flag.values, &values)?;
    Ok(Given { flag, values })
}

/// Notes a flag that is given twice with different values: the later one counts, as in
/// fastchess, so that a script can append to a command line. The pieces of `-each` are put
/// together, key by key.
fn note_twice(earlier: &[Given], given: &Given, notes: &mut Vec<String>) {
    let (name, values) = (given.flag.name, &given.values);
    if matches!(name, "engine" | "config" | "quick") {
        return;
    }
    let mut same = earlier.iter().filter(|other| other.flag.name == name);
    if name == "each" {
        let before: Vec<String> = same.flat_map(|other| other.values.clone()).collect();
        for (key, first, second) in sections::changed_keys(&before, values) {
            notes.push(format!(
                "-each: '{}' is given twice: '{}' counts, not '{}'",
                excerpt(key),
                excerpt(second),
                excerpt(first)
            ));
        }
    } else if let Some(before) = same.next_back().filter(|other| other.values != *values) {
        let said = |values: &[String]| excerpt(&values.join(" "));
        notes.push(format!(
            "-{name} is given twice: '{}' counts, not '{}'",
            said(values),
            said(&before.values)
        ));
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
    match nearest(name, names()) {
        Some(flag) => error.hint(format!("did you mean '-{flag}'?")),
        None => error.hint("flags begin with a dash, for instance -rounds 10"),
    }
}

fn unknown(name: &str) -> ConfigError {
    let error = ConfigError::new(format!("there is no flag '-{}'", excerpt(name)));
    match nearest(name, names()) {
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

/// The names of all flags.
fn names() -> impl Iterator<Item = &'static str> {
    flags().flat_map(|flag| std::iter::once(flag.name).chain(flag.also.iter().copied()))
}

impl FlagsDraft {
    /// Reads the file that `-config` names, and returns its keys.
    fn read_file(&mut self, all: &[Given]) -> Result<Vec<String>, ConfigError> {
        let mut file: Option<PathBuf> = None;
        for given in all.iter().filter(|given| given.flag.name == "config") {
            for path in sections::config(&given.values, &mut self.notes)? {
                if file.replace(path).is_some() {
                    return Err(ConfigError::new("-config is there twice"));
                }
            }
        }
        let Some(path) = file else {
            return Ok(Vec::new());
        };
        let (below, keys) = file::read(&path)?;
        self.below = below;
        Ok(keys)
    }

    /// The endgame tables that were named, or those of the file.
    fn tables(&mut self) -> &mut TablebaseConfig {
        let below = &self.below.tb;
        self.draft
            .tb
            .get_or_insert_with(|| below.clone().unwrap_or_default())
    }

    /// Returns the changes to a match of engines with these names that has begun.
    ///
    /// # Errors
    ///
    /// Refuses everything that decides which games are played and how.
    pub fn changes(self, names: &[String]) -> Result<Changes, ConfigError> {
        // A test comes first: the reason is another.
        let first = if self.said.contains(&"sprt") {
            Some(&"sprt")
        } else {
            self.said.first()
        };
        match first {
            None => self.draft.changes(names),
            Some(name) => Err(refused(name)),
        }
    }
}

/// Says that a flag came too late.
fn refused(name: &str) -> ConfigError {
    let why = match name {
        "sprt" => "a test whose bounds are chosen after its results proves nothing",
        _ => "its games would be others",
    };
    let changeable = flags().filter(|flag| flag.is_changeable());
    let mut changeable: Vec<String> = changeable.map(|flag| format!("-{}", flag.name)).collect();
    let last = changeable.pop().unwrap_or_default();
    ConfigError::new(format!(
        "-{name} cannot be changed in a match that has begun: {why}"
    ))
    .hint(format!(
        "{} and {last} can be changed; for anything else begin a new match",
        changeable.join(", ")
    ))
}
