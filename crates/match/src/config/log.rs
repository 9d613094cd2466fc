//! What is written down of what was said.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::draft::Draft;
use super::error::ConfigError;
use super::finish::named;
use crate::words::words;

/// What is written down of what was said, for those who look for a mistake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogOutput {
    /// The file; standard error where none is named.
    pub file: Option<PathBuf>,
    /// Whether an existing file is continued or begun again.
    pub append: bool,
    /// What is written down about the match itself.
    pub level: LogLevel,
    /// Whose conversations are written down.
    pub engines: LogEngines,
    /// A folder in which every engine that is started gets a tape of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tapes: Option<PathBuf>,
}

/// How important something must be to be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LogLevel {
    /// Everything, with what engines and we said.
    #[default]
    Trace,
    /// Games that begin and end.
    Info,
    /// What went wrong.
    Warn,
}

words!(LogLevel: "level" {
    Trace => "trace" | "all" | "debug",
    Info => "info",
    Warn => "warn" | "warning" | "err" | "error" | "fatal",
});

/// Whose conversations are written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogEngines {
    /// Those of all.
    All,
    /// None.
    None,
    /// That of one engine, by its name.
    Only(String),
}

/// A log, as far as it was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "they are explained at LogOutput")]
pub struct LogDraft {
    pub file: Option<PathBuf>,
    pub append: Option<bool>,
    pub level: Option<LogLevel>,
    /// `true`, `false`, or the name of one engine.
    pub engine: Option<String>,
    pub tapes: Option<PathBuf>,
    /// To standard error.
    #[serde(skip)]
    pub debug: bool,
    /// No longer to standard error.
    #[serde(skip)]
    pub off: bool,
}

impl Draft {
    /// What is to be logged, of engines with these names.
    pub(super) fn log<'a>(
        &self,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<Option<LogOutput>, ConfigError> {
        let Some(draft) = &self.log else {
            return Ok(None);
        };
        if draft.off && draft.file.is_none() && draft.tapes.is_none() {
            // A match that goes on is told to stop; only trouble is told then.
            return Ok(Some(LogOutput {
                file: None,
                append: true,
                level: LogLevel::Warn,
                engines: LogEngines::None,
                tapes: None,
            }));
        }
        let file = match (&draft.file, draft.debug) {
            (None, true) => None,
            // The text goes with the tapes.
            (None, false) if draft.tapes.is_some() => {
                draft.tapes.as_ref().map(|folder| folder.join("match.log"))
            }
            (file, _) => Some(named("log", file.as_deref())?.into()),
        };
        let level = draft.level.unwrap_or_default();
        let word = draft.engine.as_deref();
        let engines = match word.map(str::to_ascii_lowercase).as_deref() {
            Some("true" | "on" | "yes" | "1" | "all") => LogEngines::All,
            None if level == LogLevel::Trace => LogEngines::All,
            None | Some("false" | "off" | "no" | "0") => LogEngines::None,
            Some(_) => {
                let wanted = word.unwrap_or_default();
                let names: Vec<&str> = names.collect();
                if !names.contains(&wanted) {
                    let message = format!("log: no engine is called '{wanted}'");
                    let hint = format!("engine= is true, false or one of {}", names.join(", "));
                    return Err(ConfigError::new(message).hint(hint));
                }
                LogEngines::Only(wanted.into())
            }
        };
        Ok(Some(LogOutput {
            file,
            append: draft.append.unwrap_or(true),
            level,
            engines,
            tapes: draft.tapes.clone(),
        }))
    }
}
