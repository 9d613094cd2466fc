//! Flags that are followed by `key=value`.

use std::path::{Path, PathBuf};

use quadrille_client::spelling::{excerpt, nearest};
use quadrille_client::time_control::{TimeControl, count, seconds};

use super::super::description::{DrawRule, OpeningSource, ResignRule};
use super::super::draft::{Arguments, Draft, EngineDraft, EpdDraft, PgnDraft};
use super::super::error::ConfigError;
use super::super::log::LogDraft;
use super::{WHOLE, value, word};
use crate::stats::SprtConfig;

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

fn unknown(section: &str, key: &str, known: &[&str]) -> ConfigError {
    let error = ConfigError::new(format!("-{section}: there is no '{}'", excerpt(key)));
    match nearest(key, known.iter().copied()) {
        Some(word) => error.hint(format!("did you mean '{word}='?")),
        None => error.hint(format!("known are {}", known.join(", "))),
    }
}

/// One pair of a section and the names for messages.
struct Field<'a> {
    section: &'a str,
    key: &'a str,
    value: Option<&'a str>,
}

impl<'a> Field<'a> {
    fn name(&self) -> String {
        format!("{} {}", self.section, self.key)
    }

    fn text(&self) -> Result<&'a str, ConfigError> {
        self.value.ok_or_else(|| {
            let message = format!("-{}: '{}' needs a value", self.section, excerpt(self.key));
            ConfigError::new(message).hint(format!("write {}=VALUE", excerpt(self.key)))
        })
    }

    fn whole<T: core::str::FromStr>(&self) -> Result<T, ConfigError> {
        value(&self.name(), self.text()?, WHOLE)
    }

    fn number(&self) -> Result<f64, ConfigError> {
        let number: f64 = value(&self.name(), self.text()?, "number")?;
        if number.is_finite() {
            Ok(number)
        } else {
            let message = format!("-{}: {number} is not a number", self.name());
            Err(ConfigError::new(message))
        }
    }

    fn word<T: core::str::FromStr<Err: core::fmt::Display>>(&self) -> Result<T, ConfigError> {
        word(&self.name(), self.text()?)
    }

    /// `true`, `false`, `on`, `off`; a word alone is `true`.
    fn switch(&self) -> Result<bool, ConfigError> {
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

    fn explained<T>(&self, read: Result<T, String>) -> Result<T, ConfigError> {
        read.map_err(|why| ConfigError::new(format!("-{}: {why}", self.name())))
    }
}

fn fields<'a>(section: &'a str, values: &'a [String]) -> impl Iterator<Item = Field<'a>> {
    pairs(values).map(move |(key, value)| Field {
        section,
        key,
        value,
    })
}

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

/// What cutechess knows and would change the games, and why it is refused here.
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

/// How long an engine may think; `false` if the key says something else.
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

/// How long the host waits for what; `false` if the key says something else.
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
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<OpeningSource, ConfigError> {
    check_keys("openings", values)?;
    let mut source = OpeningSource::default();
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

/// What is taken for keys that a rule leaves out, if it says anything at all: other match
/// runners take other values, or ask for all of them.
fn tell_missing(section: &str, values: &[String], keys: &[(&str, i64)], notes: &mut Vec<String>) {
    for (key, taken) in keys {
        if !values.is_empty() && !pairs(values).any(|(known, _)| known == *key) {
            notes.push(format!("-{section} says no {key}: {taken} is taken"));
        }
    }
}

pub(super) fn resign(
    values: &[String],
    notes: &mut Vec<String>,
) -> Result<ResignRule, ConfigError> {
    check_keys("resign", values)?;
    let mut rule = ResignRule::default();
    let usual = [
        ("movecount", i64::from(rule.movecount)),
        ("score", i64::from(rule.score)),
    ];
    tell_missing("resign", values, &usual, notes);
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

pub(super) fn draw(values: &[String], notes: &mut Vec<String>) -> Result<DrawRule, ConfigError> {
    check_keys("draw", values)?;
    let mut rule = DrawRule::default();
    let usual = [
        ("movenumber", i64::from(rule.movenumber)),
        ("movecount", i64::from(rule.movecount)),
        ("score", i64::from(rule.score)),
    ];
    tell_missing("draw", values, &usual, notes);
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

pub(super) fn sprt(values: &[String]) -> Result<SprtConfig, ConfigError> {
    check_keys("sprt", values)?;
    let mut sprt = SprtConfig::default();
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

pub(super) fn pgnout(values: &[String], notes: &mut Vec<String>) -> Result<PgnDraft, ConfigError> {
    check_keys("pgnout", values)?;
    let mut pgn = PgnDraft::default();
    for field in fields("pgnout", values) {
        match (field.key, field.value) {
            ("file", _) => pgn.file = Some(field.text()?.into()),
            ("append", _) => pgn.append = Some(field.switch()?),
            ("notation", _) => pgn.notation = field.word()?,
            ("min", _) => pgn.min = field.switch()?,
            ("fi" | "match_line", _) => {
                notes.push(format!("-pgnout {} does nothing here", field.key));
            }
            (key, value) => match pgn.fields.switch(key) {
                Some(switch) => *switch = field.switch()?,
                // cutechess-cli takes the file without a key.
                None if value.is_none() && pgn.file.is_none() => pgn.file = Some(key.into()),
                None => return Err(unknown("pgnout", key, &PgnDraft::names())),
            },
        }
    }
    Ok(pgn)
}

pub(super) fn epdout(values: &[String]) -> Result<EpdDraft, ConfigError> {
    check_keys("epdout", values)?;
    let mut epd = EpdDraft::default();
    for field in fields("epdout", values) {
        match (field.key, field.value) {
            ("file", _) => epd.file = Some(field.text()?.into()),
            ("append", _) => epd.append = Some(field.switch()?),
            (file, None) if epd.file.is_none() => epd.file = Some(file.into()),
            (key, _) => return Err(unknown("epdout", key, &["file", "append"])),
        }
    }
    Ok(epd)
}

pub(super) fn log(values: &[String], notes: &mut Vec<String>) -> Result<LogDraft, ConfigError> {
    check_keys("log", values)?;
    let mut log = LogDraft::default();
    for field in fields("log", values) {
        match (field.key, field.value) {
            ("file", _) => log.file = Some(field.text()?.into()),
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
            (file, None) if log.file.is_none() => log.file = Some(file.into()),
            (key, _) => {
                let known = ["file", "append", "level", "engine", "tapes"];
                return Err(unknown("log", key, &known));
            }
        }
    }
    Ok(log)
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
