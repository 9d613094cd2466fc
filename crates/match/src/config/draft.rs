//! A description in which anything may still be missing.

use core::fmt;
use std::path::PathBuf;

use quadrille_client::serial::game;
use quadrille_client::time_control::TimeControl;
use quadrille_games::Game;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::ConfigError;
use super::log::LogDraft;
use super::output::Notation;
use super::pgn_fields::PgnFields;
use super::rules::{ClockMode, DrawRule, ResignRule, TablebaseConfig};
use super::schedule::{Format, OpeningSource};
use crate::stats::SprtConfig;

/// Defines a draft and a function that fills in what it does not say, so that its fields
/// stand in one place.
macro_rules! draft {
    (
        $(#[$about:meta])*
        pub struct $draft:ident {
            $($(#[$doc:meta])* pub $field:ident: Option<$value:ty>,)+
            // Those that are put together, not taken as a whole.
            $(+ $(#[$more_doc:meta])* pub $more:ident: $kind:ty,)+
        }
    ) => {
        $(#[$about])*
        pub struct $draft {
            $($(#[$doc])* pub $field: Option<$value>,)+
            $($(#[$more_doc])* pub $more: $kind,)+
        }

        impl $draft {
            /// Takes every value that is missing from another draft.
            fn fill_in(&mut self, below: &Self) {
                $(if self.$field.is_none() {
                    self.$field.clone_from(&below.$field);
                })+
            }
        }
    };
}

draft! {
/// A description in which anything may still be missing: one for a file and
/// one for a command line, laid over each other and then [finished](Self::finish).
/// The fields are those of [`MatchConfig`](super::MatchConfig), under the names that fastchess and
/// cutechess-cli have made known.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "they are explained at MatchConfig")]
pub struct Draft {
    pub event: Option<String>,
    pub site: Option<String>,
    pub game: Option<GameWord>,
    /// `standard`, `fischerandom`, or the name of a game.
    pub variant: Option<String>,
    pub rules: Option<String>,
    #[serde(alias = "format")]
    pub tournament: Option<Format>,
    pub seeds: Option<usize>,
    pub rounds: Option<u32>,
    pub games: Option<u32>,
    pub repeat: Option<u32>,
    pub noswap: Option<bool>,
    pub reverse: Option<bool>,
    pub openings: Option<OpeningSource>,
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    pub maxmoves: Option<u32>,
    pub tb: Option<TablebaseConfig>,
    pub sprt: Option<SprtConfig>,
    /// Zero and below count down from the number of processors.
    pub concurrency: Option<i64>,
    #[serde(rename = "force-concurrency")]
    pub force_concurrency: Option<bool>,
    pub clock: Option<ClockMode>,
    #[serde(alias = "use-affinity")]
    pub affinity: Option<bool>,
    pub processors: Option<Vec<usize>>,
    pub srand: Option<u64>,
    pub recover: Option<bool>,
    /// Milliseconds.
    pub wait: Option<u64>,
    pub ratinginterval: Option<u32>,
    pub scoreinterval: Option<u32>,
    #[serde(alias = "penta")]
    pub pentanomial: Option<bool>,
    pub strict: Option<bool>,
    #[serde(rename = "show-latency")]
    pub show_latency: Option<bool>,
    pub pgnout: Option<PgnDraft>,
    pub epdout: Option<EpdDraft>,
    pub log: Option<LogDraft>,
    pub store: Option<PathBuf>,
    + /// What all engines have in common.
    pub each: EngineDraft,
    + #[serde(rename = "engine", alias = "engines")]
    pub engines: Vec<EngineDraft>,
}
}

/// The name of a game in a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct GameWord(#[serde(with = "game")] pub Game);

draft! {
/// An engine in which anything may still be missing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "they are explained at EngineSpec")]
pub struct EngineDraft {
    pub name: Option<String>,
    #[serde(alias = "command")]
    pub cmd: Option<PathBuf>,
    pub args: Option<Arguments>,
    #[serde(alias = "folder")]
    pub dir: Option<PathBuf>,
    pub nice: Option<i32>,
    pub affinity: Option<Vec<usize>>,
    /// The dialect: `uci`, `ulci`, `leiser`, `ugi`.
    #[serde(alias = "dialect")]
    pub proto: Option<String>,
    pub init: Option<Vec<String>>,
    /// Name and code.
    pub registration: Option<(String, String)>,
    /// Where its standard error goes.
    pub stderr: Option<PathBuf>,
    /// The signature that its program must have where workers play.
    pub bench: Option<String>,
    pub restart: Option<bool>,
    pub tc: Option<TimeControl>,
    /// Seconds for every move.
    pub st: Option<f64>,
    pub nodes: Option<u64>,
    #[serde(alias = "plies")]
    pub depth: Option<u32>,
    /// Milliseconds.
    pub timemargin: Option<u64>,
    /// The engine gets this many times the time and the nodes.
    pub handicap: Option<f64>,
    pub ponder: Option<bool>,
    /// Its scores are White's, whichever side it plays.
    #[serde(rename = "whitepov")]
    pub white_pov: Option<bool>,
    /// Milliseconds for the handshake.
    #[serde(rename = "startup-ms")]
    pub startup_ms: Option<u64>,
    /// Milliseconds to get ready for a new game.
    #[serde(rename = "ucinewgame-ms")]
    pub new_game_ms: Option<u64>,
    /// Milliseconds for an answer to `isready`.
    #[serde(rename = "ping-ms")]
    pub ping_ms: Option<u64>,
    /// Milliseconds from `stop` to the move.
    #[serde(rename = "stop-ms")]
    pub stop_ms: Option<u64>,
    /// Milliseconds to end.
    #[serde(rename = "quit-ms")]
    pub quit_ms: Option<u64>,
    + #[serde(alias = "environment")]
    pub env: Environment,
    + #[serde(alias = "option")]
    pub options: Settings,
}
}

/// Arguments of a program: a list, or one text that is split as a shell would.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Arguments {
    /// Already split.
    List(Vec<String>),
    /// Still to be split.
    Text(String),
}

impl Arguments {
    pub(super) fn split(&self) -> Result<Vec<String>, ConfigError> {
        match self {
            Self::List(list) => Ok(list.clone()),
            Self::Text(text) => split_words(text),
        }
    }
}

/// Words as a shell splits them: quotes hold blanks together, a backslash
/// outside single quotes takes the next character as it is.
fn split_words(text: &str) -> Result<Vec<String>, ConfigError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => word
                .get_or_insert_default()
                .push(letters.next().unwrap_or('\\')),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(ConfigError::new(format!(
            "a quotation mark ({open}) is never closed in args '{text}'"
        )));
    }
    words.extend(word);
    Ok(words)
}

/// Names with values in the order of the user; a name alone has no value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings(pub Vec<(String, Option<String>)>);

impl Settings {
    /// Sets a value; names that differ only in case are the same.
    pub fn set(&mut self, name: &str, value: Option<String>) {
        match self
            .0
            .iter_mut()
            .find(|(n, _)| n.eq_ignore_ascii_case(name))
        {
            Some(old) => old.1 = value,
            None => self.0.push((name.into(), value)),
        }
    }

    fn over(&self, below: &Self) -> Self {
        let mut all = below.clone();
        for (name, value) in &self.0 {
            all.set(name, value.clone());
        }
        all
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut settings = Self::default();
        for (name, text) in from.deserialize_map(Table)? {
            let mut known = settings.0.iter();
            let known = known.find(|(n, _)| n.eq_ignore_ascii_case(&name));
            if let Some((first, _)) = known.filter(|(_, old)| old.as_ref() != Some(&text)) {
                let both = format!("'{first}' and '{name}' differ only in case: keep one");
                return Err(Error::custom(both));
            }
            settings.set(&name, Some(text));
        }
        Ok(settings)
    }
}

/// Environment variables. Their names differ in case, but for Windows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment(pub Vec<(String, String)>);

impl Environment {
    /// Sets a variable.
    pub fn set(&mut self, name: &str, value: &str) {
        let same = |known: &str| known == name || cfg!(windows) && known.eq_ignore_ascii_case(name);
        match self.0.iter_mut().find(|(known, _)| same(known)) {
            Some(old) => value.clone_into(&mut old.1),
            None => self.0.push((name.into(), value.into())),
        }
    }

    fn over(&self, below: &Self) -> Self {
        let mut all = below.clone();
        for (name, value) in &self.0 {
            all.set(name, value);
        }
        all
    }
}

impl<'de> Deserialize<'de> for Environment {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut variables = Self::default();
        for (name, value) in from.deserialize_map(Table)? {
            variables.set(&name, &value);
        }
        Ok(variables)
    }
}

/// Reads a table of names and values as texts.
struct Table;

/// A value as people write it.
#[derive(Deserialize)]
#[serde(untagged)]
enum TableValue {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl<'de> Visitor<'de> for Table {
    type Value = Vec<(String, String)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of names and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut table = Vec::new();
        while let Some((name, value)) = map.next_entry()? {
            let text = match value {
                TableValue::Flag(flag) => flag.to_string(),
                TableValue::Whole(number) => number.to_string(),
                TableValue::Number(number) => number.to_string(),
                TableValue::Text(text) => text,
            };
            table.push((name, text));
        }
        Ok(table)
    }
}

/// What is written into a file of games, as far as it was said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are explained at PgnOutput")]
pub struct PgnDraft {
    pub file: Option<PathBuf>,
    pub append: Option<bool>,
    pub notation: Notation,
    pub min: bool,
    pub fields: PgnFields,
}

impl PgnDraft {
    /// The names beside those of the [`PgnFields`].
    const OWN: [&str; 4] = ["file", "append", "notation", "min"];

    /// Everything that can be said.
    pub(super) fn names() -> Vec<&'static str> {
        [&Self::OWN, PgnFields::NAMES].concat()
    }
}

/// In a file the switches of the fields stand beside the other names.
impl<'de> Deserialize<'de> for PgnDraft {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = PgnDraft;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of what to write into a file of games")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PgnDraft, A::Error> {
                let mut pgn = PgnDraft::default();
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "file" => pgn.file = map.next_value()?,
                        "append" => pgn.append = map.next_value()?,
                        "notation" => pgn.notation = map.next_value()?,
                        "min" => pgn.min = map.next_value()?,
                        name => match pgn.fields.switch(name) {
                            Some(switch) => *switch = map.next_value()?,
                            None => {
                                let known = PgnDraft::names().join(", ");
                                return Err(A::Error::custom(format_args!(
                                    "unknown field `{name}`, expected one of {known}"
                                )));
                            }
                        },
                    }
                }
                Ok(pgn)
            }
        }
        from.deserialize_map(Table)
    }
}

/// A file of final positions, as far as it was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "they are explained at OutputFile")]
pub struct EpdDraft {
    pub file: Option<PathBuf>,
    pub append: Option<bool>,
}

impl EngineDraft {
    /// This engine with everything it does not say taken from another.
    #[must_use]
    pub fn over(mut self, below: &Self) -> Self {
        self.fill_in(below);
        self.env = self.env.over(&below.env);
        self.options = self.options.over(&below.options);
        self
    }
}

impl Draft {
    /// This draft with everything it does not say taken from another. A section
    /// such as `openings` or `sprt` is taken as a whole. Engines of the same
    /// name are one engine; the others come after those of the lower draft.
    #[must_use]
    pub fn over(mut self, below: &Self) -> Self {
        if self.game.is_some() || self.variant.is_some() {
            // Two names for one thing, and the rules go with it.
            let own = (self.game, self.variant.clone(), self.rules.clone());
            self.fill_in(below);
            (self.game, self.variant, self.rules) = own;
        } else {
            self.fill_in(below);
        }
        self.each = self.each.over(&below.each);
        let mut engines = below.engines.clone();
        for engine in self.engines {
            // Two of this draft with one name are a slip, not one engine.
            let same = engines[..below.engines.len()]
                .iter_mut()
                .find(|other| other.name.is_some() && other.name == engine.name);
            match same {
                Some(other) => *other = engine.over(other),
                None => engines.push(engine),
            }
        }
        self.engines = engines;
        self
    }
}
