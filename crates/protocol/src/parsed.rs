//! [`Parsed`]: a message together with everything the line said beside it.

use alloc::vec::Vec;

use crate::command::Command;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::dialect::Dialect;
use crate::items::Items;
use crate::report::Report;
use crate::text::Text;
use crate::write::put_words;

/// The result of reading one line: the message, the words around it that
/// belong to nothing, and what was unusual.
///
/// Tolerant callers take [`message`](Self::message) and go on. Strict callers
/// ask [`strict`](Self::strict). Both got the same parse.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Parsed<'a, M> {
    /// What was said.
    pub message: M,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) line: &'a [u8],
    pub(crate) skipped: Text<'a>,
    pub(crate) extra: Items<Text<'a>, 2>,
    pub(crate) diagnostics: Diagnostics,
}

impl<'a, M> Parsed<'a, M> {
    /// The line, byte for byte as it was read: what a tape or a log keeps.
    pub const fn exact(&self) -> &'a [u8] {
        self.line
    }

    /// Unknown words that stood before the command (`joho debug on`).
    pub const fn skipped(&self) -> Text<'a> {
        self.skipped
    }

    /// Words after or inside the command that belong to nothing. Messages that
    /// are lists (`info`, `go`, `option`) keep such words in place instead.
    pub fn extra(&self) -> impl Iterator<Item = Text<'a>> + '_ {
        self.extra.iter().copied()
    }

    /// Everything unusual about the line.
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The worst severity, if there is any finding.
    pub fn worst(&self) -> Option<Severity> {
        self.diagnostics.iter().map(Diagnostic::severity).max()
    }

    /// The message if nothing is worse than a note, otherwise the first
    /// finding that is.
    ///
    /// ```
    /// use quadrille_protocol::{Code, Command, Dialect};
    ///
    /// assert!(Command::parse(b"go depth 5", Dialect::Uci).strict().is_ok());
    /// let refused = Command::parse(b"go depth five", Dialect::Uci).strict().unwrap_err();
    /// assert_eq!(refused.code, Code::NotANumber);
    /// ```
    pub fn strict(self) -> Result<M, Diagnostic> {
        match self
            .diagnostics
            .iter()
            .find(|d| d.severity() > Severity::Note)
        {
            Some(finding) => Err(*finding),
            None => Ok(self.message),
        }
    }
}

/// [`Command`] and [`Report`]: what can be written as a line.
pub trait Message {
    /// Appends the message in the form of `dialect`, without a line end.
    fn put(&self, dialect: Dialect, out: &mut Vec<u8>);
}

impl Message for Command<'_> {
    fn put(&self, dialect: Dialect, out: &mut Vec<u8>) {
        self.write(dialect, out);
    }
}

impl Message for Report<'_> {
    fn put(&self, dialect: Dialect, out: &mut Vec<u8>) {
        self.write(dialect, out);
    }
}

impl<M: Message> Parsed<'_, M> {
    /// The line in normal form: single blanks, keywords in place, numbers
    /// plain; skipped words first and extra words last, so that nothing that
    /// was said is missing.
    ///
    /// ```
    /// use quadrille_protocol::{Dialect, Report};
    ///
    /// let line = b"info  score cp 13\tdepth 01 ebf 1.7 pv f1b5 \r\n";
    /// let parsed = Report::parse(line, Dialect::Uci);
    /// assert_eq!(parsed.normal(Dialect::Uci), b"info score cp 13 depth 1 ebf 1.7 pv f1b5");
    /// assert_eq!(parsed.exact(), line);
    /// ```
    pub fn normal(&self, dialect: Dialect) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.skipped.is_empty() {
            put_words(&mut out, self.skipped);
            out.push(b' ');
        }
        self.message.put(dialect, &mut out);
        for words in self.extra.iter() {
            out.push(b' ');
            put_words(&mut out, *words);
        }
        out
    }
}
