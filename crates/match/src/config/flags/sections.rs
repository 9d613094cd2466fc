//! Flags that are followed by `key=value`.

use std::path::{Path, PathBuf};

use quadrille_client::spelling::{excerpt, nearest};
use quadrille_client::time_control::TimeControl;

use super::super::draft::{Draft, EngineDraft, EpdDraft, PgnDraft};
use super::super::error::ConfigError;
use super::super::log::LogDraft;
use super::super::rules::{DrawRule, ResignRule};
use super::super::schedule::OpeningSource;
use super::flag::{WHOLE, value, word};
use crate::stats::SprtConfig;
use crate::words::words;

/// A word split at its first `=`; a word alone has no value.
type Pair<'a> = (&'a str, Option<&'a str>);

fn pairs(values: &[String]) -> impl Iterator<Item = Pair<'_>> {
    values.iter().map(|text| match text.split_once('=') {
        Some((key, value)) => (key, Some(value)),
        None => (text.as_str(), None),
    })
}

/// Keys that may stand in a section more than once.
const REPEATED: [&str; 2] = ["arg", "initstr"];

/// Returns whether two keys mean the same thing: names of options do in any case.
fn is_same_key(one: &str, other: &str) -> bool {
    match (one.strip_prefix("option."), other.strip_prefix("option.")) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => one == other,
    }
}

/// Refuses a key that is given twice with two values: which of them counts would be a guess.
pub(super) fn check_keys(section: &str, values: &[String]) -> Result<(), ConfigError> {
    let pairs: Vec<Pair<'_>> = pairs(values).collect();
    for (index, (key, value)) in pairs.iter().enumerate() {
        let before = pairs[..index]
            .iter()
            .find(|(known, _)| is_same_key(known, key));
        let Some((_, first)) = before.filter(|_| !REPEATED.contains(key)) else {
            continue;
        };
        if first != value {
            let said = |value: Option<&str>| excerpt(value.unwrap_or("nothing"));
            let message = format!(
                "-{section}: '{}' is given twice: '{}' and '{}'",
                excerpt(key),
                said(*first),
                said(*value)
            );
            return Err(ConfigError::new(message).hint("keep one of them"));
        }
    }
    Ok(())
}

/// Returns the keys that have other values in a second list, with the old and the new one.
pub(super) fn changed_keys<'a>(
    before: &'a [String],
    after: &'a [String],
) -> Vec<(&'a str, &'a str, &'a str)> {
    let text = |value: Option<&'a str>| value.unwrap_or("nothing");
    let mut changed = Vec::new();
    for (key, new) in pairs(after).filter(|(key, _)| !REPEATED.contains(key)) {
        // The last one counted until now.
        let old = pairs(before)
            .filter(|(known, _)| is_same_key(known, key))
            .last();
        if let Some((_, old)) = old.filter(|(_, old)| *old != new) {
            changed.push((key, text(old), text(new)));
        }
    }
    changed
}

pub(super) fn unknown(section: &str, key: &str, known: &[&str]) -> ConfigError {
    let error = ConfigError::new(format!("-{section}: there is no '{}'", excerpt(key)));
    match nearest(key, known.iter().copied()) {
        Some(word) => error.hint(format!("did you mean '{word}='?")),
        None => error.hint(format!("known are {}", known.join(", "))),
    }
}

/// One pair of a section and the names for messages.
pub(super) struct Field<'a> {
    pub(super) section: &'a str,
    pub(super) key: &'a str,
    pub(super) value: Option<&'a str>,
}

impl<'a> Field<'a> {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.section, self.key)
    }

    pub(super) fn text(&self) -> Result<&'a str, ConfigError> {
        self.value.ok_or_else(|| {
            let message = format!("-{}: '{}' needs a value", self.section, excerpt(self.key));
            ConfigError::new(message).hint(format!("write {}=VALUE", excerpt(self.key)))
        })
    }

    pub(super) fn whole<T: core::str::FromStr>(&self) -> Result<T, ConfigError> {
        value(&self.name(), self.text()?, WHOLE)
    }

    pub(super) fn number(&self) -> Result<f64, ConfigError> {
        let number: f64 = value(&self.name(), self.text()?, "number")?;
        if number.is_finite() {
            Ok(number)
        } else {
            let message = format!("-{}: {number} is not a number", self.name());
            Err(ConfigError::new(message))
        }
    }

    pub(super) fn word<T: core::str::FromStr<Err: core::fmt::Display>>(
        &self,
    ) -> Result<T, ConfigError> {
        word(&self.name(), self.text()?)
    }

    /// `true`, `false`, `on`, `off`; a word alone is `true`.
    pub(super) fn switch(&self) -> Result<bool, ConfigError> {
        match self.value.map(str::to_ascii_lowercase).as_deref() {
            None | Some("true" | "on" | "yes" | "1") => Ok(true),
            Some("false" | "off" | "no" | "0") => Ok(false),
            Some(other) => {
                let message = format!(
                    "-{}: '{}' is neither true nor false",
                    self.name(),
                    excerpt(other)
                );
                Err(ConfigError::new(message).hint(format!("write {0}=on or {0}=off", self.key)))
            }
        }
    }

    pub(super) fn explained<T>(&self, read: Result<T, String>) -> Result<T, ConfigError> {
        read.map_err(|why| ConfigError::new(format!("-{}: {why}", self.name())))
    }
}

pub(super) fn fields<'a>(
    section: &'a str,
    values: &'a [String],
) -> impl Iterator<Item = Field<'a>> {
    pairs(values).map(move |(key, value)| Field {
        section,
        key,
        value,
    })
}

/// The files to read. fastchess also names the file that it saves itself to
/// here, which the store is for us.
pub(super) fn config(
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<Vec<PathBuf>, ConfigError> {
    let mut files = Vec::new();
    for field in fields("config", values) {
        match (field.key, field.value) {
            ("file", _) => files.push(field.text()?.into()),
            ("outname" | "discard" | "stats", Some(_)) => notes.push(format!(
                "-config {} does nothing here: every ply is saved at once, see -store",
                field.key
            )),
            (file, None) => files.push(file.into()),
            (key, Some(_)) => return Err(unknown("config", key, &["file"])),
        }
    }
    Ok(files)
}

pub(super) fn openings(
    below: Option<&OpeningSource>,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<OpeningSource, ConfigError> {
    check_keys("openings", values)?;
    // Another file or another lot is another source; the rest is about the same one.
    let other = pairs(values).any(|(key, _)| matches!(key, "file" | "format"));
    let mut source = below.filter(|_| !other).cloned().unwrap_or_default();
    for field in fields("openings", values) {
        match field.key {
            "file" => source.file = Some(field.text()?.into()),
            "format" => source.format = field.word()?,
            "order" => source.order = field.word()?,
            "plies" => source.plies = Some(field.whole()?),
            "start" => {
                source.start = field.whole()?;
                if source.start == 0 {
                    let message = "-openings start: the first opening is number 1";
                    return Err(ConfigError::new(message));
                }
            }
            "policy" => source.policy = field.word()?,
            "srand" => notes.push("-openings srand does nothing here: use -srand".into()),
            key => {
                let known = ["file", "format", "order", "plies", "start", "policy"];
                return Err(unknown("openings", key, &known));
            }
        }
    }
    Ok(source)
}

/// Tells which values are taken for keys that a rule leaves out: other match runners take
/// other values, or ask for all of them.
fn tell_missing(section: &str, values: &[String], keys: &[(&str, i64)], notes: &mut Vec<String>) {
    for (key, taken) in keys {
        if !values.is_empty() && !pairs(values).any(|(known, _)| known == *key) {
            notes.push(format!("-{section} says no {key}: {taken} is taken"));
        }
    }
}

pub(super) fn resign(
    below: Option<&ResignRule>,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<ResignRule, ConfigError> {
    check_keys("resign", values)?;
    let mut rule = below.copied().unwrap_or_default();
    let usual = [
        ("movecount", i64::from(rule.movecount)),
        ("score", i64::from(rule.score)),
    ];
    if below.is_none() {
        tell_missing("resign", values, &usual, notes);
    }
    for field in fields("resign", values) {
        match field.key {
            "movecount" => rule.movecount = field.whole()?,
            "score" => rule.score = field.whole()?,
            "twosided" => rule.twosided = field.switch()?,
            key => return Err(unknown("resign", key, &["movecount", "score", "twosided"])),
        }
    }
    if rule.movecount == 0 {
        notes.push("-resign movecount=0 is off, as in cutechess-cli: no game is given up".into());
    }
    Ok(rule)
}

pub(super) fn draw(
    below: Option<&DrawRule>,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<DrawRule, ConfigError> {
    check_keys("draw", values)?;
    let mut rule = below.copied().unwrap_or_default();
    let usual = [
        ("movenumber", i64::from(rule.movenumber)),
        ("movecount", i64::from(rule.movecount)),
        ("score", i64::from(rule.score)),
    ];
    if below.is_none() {
        tell_missing("draw", values, &usual, notes);
    }
    for field in fields("draw", values) {
        match field.key {
            "movenumber" => rule.movenumber = field.whole()?,
            "movecount" => rule.movecount = field.whole()?,
            "score" => rule.score = field.whole()?,
            key => return Err(unknown("draw", key, &["movenumber", "movecount", "score"])),
        }
    }
    Ok(rule)
}

pub(super) fn sprt(
    below: Option<&SprtConfig>,
    values: &[String],
) -> Result<SprtConfig, ConfigError> {
    check_keys("sprt", values)?;
    let mut sprt = below.copied().unwrap_or_default();
    for field in fields("sprt", values) {
        match field.key {
            "elo0" => sprt.elo0 = field.number()?,
            "elo1" => sprt.elo1 = field.number()?,
            "alpha" => sprt.alpha = field.number()?,
            "beta" => sprt.beta = field.number()?,
            "model" => sprt.model = field.word()?,
            key => {
                let known = ["elo0", "elo1", "alpha", "beta", "model"];
                return Err(unknown("sprt", key, &known));
            }
        }
    }
    Ok(sprt)
}

pub(super) fn report(values: &[String]) -> Result<bool, ConfigError> {
    let mut penta = true;
    for field in fields("report", values) {
        match field.key {
            "penta" => penta = field.switch()?,
            key => return Err(unknown("report", key, &["penta"])),
        }
    }
    Ok(penta)
}

/// The program in whose words scores and ratings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// This one.
    Quadrille,
    /// fastchess.
    Fastchess,
    /// cutechess-cli.
    Cutechess,
}

words!(OutputFormat: "output format" {
    Quadrille => "quadrille",
    Fastchess => "fastchess" | "fast-chess",
    Cutechess => "cutechess" | "cutechess-cli",
});

pub(super) fn output(values: &[String]) -> Result<OutputFormat, ConfigError> {
    check_keys("output", values)?;
    let mut format = OutputFormat::Quadrille;
    for field in fields("output", values) {
        match field.key {
            "format" => format = field.word()?,
            key => return Err(unknown("output", key, &["format"])),
        }
    }
    Ok(format)
}

pub(super) fn pgnout(
    below: Option<&PgnDraft>,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<PgnDraft, ConfigError> {
    check_keys("pgnout", values)?;
    let mut pgn = below.cloned().unwrap_or_default();
    let mut bare = true;
    for field in fields("pgnout", values) {
        match (field.key, field.value) {
            ("file", _) => {
                pgn.file = Some(field.text()?.into());
                bare = false;
            }
            ("append", _) => pgn.append = Some(field.switch()?),
            ("notation", _) => pgn.notation = field.word()?,
            ("min", _) => pgn.min = field.switch()?,
            ("fi" | "match_line", _) => {
                notes.push(format!("-pgnout {} does nothing here", field.key));
            }
            (key, value) => match pgn.fields.switch(key) {
                Some(switch) => *switch = field.switch()?,
                // cutechess-cli takes the file without a key.
                None if value.is_none() && bare => {
                    pgn.file = Some(key.into());
                    bare = false;
                }
                None => return Err(unknown("pgnout", key, &PgnDraft::names())),
            },
        }
    }
    Ok(pgn)
}

pub(super) fn epdout(below: Option<&EpdDraft>, values: &[String]) -> Result<EpdDraft, ConfigError> {
    check_keys("epdout", values)?;
    let mut epd = below.cloned().unwrap_or_default();
    let mut bare = true;
    for field in fields("epdout", values) {
        match (field.key, field.value) {
            ("file", _) => {
                epd.file = Some(field.text()?.into());
                bare = false;
            }
            ("append", _) => epd.append = Some(field.switch()?),
            (file, None) if bare => {
                epd.file = Some(file.into());
                bare = false;
            }
            (key, _) => return Err(unknown("epdout", key, &["file", "append"])),
        }
    }
    Ok(epd)
}

pub(super) fn log(
    below: Option<&LogDraft>,
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<LogDraft, ConfigError> {
    check_keys("log", values)?;
    let mut log = below.cloned().unwrap_or_default();
    let mut bare = true;
    for field in fields("log", values) {
        match (field.key, field.value) {
            ("file", _) => {
                log.file = Some(field.text()?.into());
                bare = false;
            }
            ("append", _) => log.append = Some(field.switch()?),
            ("level", level) => {
                log.level = Some(field.word()?);
                if level.is_some_and(|word| word.eq_ignore_ascii_case("debug")) {
                    notes.push("-log level=debug is taken for level=trace: everything".into());
                }
            }
            ("tapes", _) => log.tapes = Some(field.text()?.into()),
            ("engine", None) => log.engine = Some("true".into()),
            ("engine", Some(engine)) => log.engine = Some(engine.into()),
            ("realtime", _) => {
                notes.push("-log realtime does nothing here: lines are never held back".into());
            }
            ("compress", _) => notes.push("-log compress does nothing here".into()),
            (file, None) if bare => {
                log.file = Some(file.into());
                bare = false;
            }
            (key, _) => {
                let known = ["file", "append", "level", "engine", "tapes"];
                return Err(unknown("log", key, &known));
            }
        }
    }
    Ok(log)
}

/// `-debug`, alone or with a value: a match that goes on can be told to say no more.
pub(super) fn debug(log: Option<LogDraft>, values: &[String]) -> Result<LogDraft, ConfigError> {
    let switch = Field {
        section: "debug",
        key: "debug",
        value: values.first().map(String::as_str),
    };
    let on = switch.value == Some("all") || switch.switch()?;
    Ok(LogDraft {
        debug: on,
        off: !on,
        ..log.unwrap_or_default()
    })
}

/// Processors as `3,5,7-11`.
pub(super) fn processors(name: &str, text: &str) -> Result<Vec<usize>, ConfigError> {
    /// More than any machine has.
    const MOST: usize = 65_536;
    let wrong = || {
        ConfigError::new(format!(
            "-{name}: '{}' is not a list of processors",
            excerpt(text)
        ))
        .hint("write for instance 3,5,7-11")
    };
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&n| n < MOST);
    let mut list = Vec::new();
    for part in text.split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let range = number(low)
            .zip(number(high))
            .filter(|(low, high)| low <= high);
        let (low, high) = range.ok_or_else(wrong)?;
        list.extend(low..=high);
        if list.len() > MOST {
            return Err(wrong());
        }
    }
    Ok(list)
}

/// Two programs and a book, everything else as one mostly wants it.
pub(super) fn quick(draft: &mut Draft, values: &[String]) -> Result<(), ConfigError> {
    for field in fields("quick", values) {
        match field.key {
            "cmd" => draft.engines.push(EngineDraft {
                cmd: Some(field.text()?.into()),
                ..EngineDraft::default()
            }),
            "book" => {
                draft.openings = Some(OpeningSource {
                    file: Some(Path::new(field.text()?).into()),
                    order: super::super::OpeningOrder::Random,
                    ..OpeningSource::default()
                });
            }
            key => return Err(unknown("quick", key, &["cmd", "book"])),
        }
    }
    let usual: TimeControl = "10+0.1".parse().map_err(ConfigError::new)?;
    draft.each.tc.get_or_insert(usual);
    draft.rounds.get_or_insert(25_000);
    draft.concurrency.get_or_insert(-2);
    draft.recover.get_or_insert(true);
    // Those of fastchess.
    draft.draw.get_or_insert(DrawRule {
        movenumber: 30,
        movecount: 8,
        score: 8,
    });
    Ok(())
}
