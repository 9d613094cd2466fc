//! What is wrong with a description of a match.

use core::fmt;
use std::path::{Path, PathBuf};

/// What is wrong with a description of a match, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, if it came from one.
    pub file: Option<PathBuf>,
    /// The line in that file, counted from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ConfigError {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self {
            file: None,
            line: None,
            message: message.to_string(),
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// Suggests the word that was probably meant.
    pub(super) fn meant(self, word: Option<impl fmt::Display>) -> Self {
        match word {
            Some(word) => self.hint(format!("did you mean '{word}'?")),
            None => self,
        }
    }

    pub(super) fn within(mut self, file: &Path) -> Self {
        self.file.get_or_insert_with(|| file.into());
        self
    }

    pub(super) fn at_line(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(f, self.file.as_deref(), self.line)?;
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for ConfigError {}

/// `file:line: `, as far as that is known.
pub(crate) fn write_place(
    f: &mut fmt::Formatter<'_>,
    file: Option<&Path>,
    line: Option<impl fmt::Display>,
) -> fmt::Result {
    let Some(file) = file else {
        return Ok(());
    };
    write!(f, "{}:", file.display())?;
    if let Some(line) = line {
        write!(f, "{line}:")?;
    }
    f.write_str(" ")
}
