//! [`Parsed`]: a message together with everything the line said beside it.

use alloc::vec::Vec;

use crate::command::Command;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::dialect::Dialect;
use crate::report::Report;
use crate::text::Text;
use crate::token::Token;
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
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub(crate) notes: Notes<'a>,
}

/// Everything beside the message.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub(crate) struct Notes<'a> {
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) line: &'a [u8],
    pub(crate) skipped: Text<'a>,
    pub(crate) extra: Vec<Text<'a>>,
    pub(crate) diagnostics: Diagnostics,
}

impl<'a> Notes<'a> {
    #[inline]
    pub(crate) const fn new(line: &'a [u8]) -> Self {
        Self {
            line,
            skipped: Text::EMPTY,
            extra: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

impl<'a> Notes<'a> {
    /// A line that is no message: all of it less a byte order mark and the
    /// line end; `None` if it is empty.
    pub(crate) fn whole_line(&mut self, first: Option<Token<'a>>) -> Option<Text<'a>> {
        let Some(first) = first else {
            self.diagnostics
                .push(Diagnostic::new(Code::EmptyLine, 0, 0));
            return None;
        };
        let finding = Diagnostic::new(Code::UnknownCommand, first.start, first.end());
        self.diagnostics.push(finding);
        let line = self.line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.line);
        let end = line
            .iter()
            .rposition(|b| !matches!(b, b'\r' | b'\n'))
            .map_or(0, |i| i + 1);
        Some(Text::from_bytes(&line[..end]))
    }
}

impl<'a, M> Parsed<'a, M> {
    /// The line, byte for byte as it was read: what a tape or a log keeps.
    pub const fn exact(&self) -> &'a [u8] {
        self.notes.line
    }

    /// Unknown words that stood before the command (`joho debug on`).
    pub const fn skipped(&self) -> Text<'a> {
        self.notes.skipped
    }

    /// Words after or inside the command that belong to nothing. Messages that
    /// are lists (`info`, `go`, `option`) keep such words in place instead.
    pub fn extra(&self) -> impl Iterator<Item = Text<'a>> + '_ {
        self.notes.extra.iter().copied()
    }

    /// Whether unknown words stand both before and behind the message: it may be one
    /// (`joho bestmove e2e4 joho`), or a part of a sentence (`now bestmove e2e4 at depth 3`).
    pub fn is_amid_words(&self) -> bool {
        !self.notes.skipped.is_empty() && !self.notes.extra.is_empty()
    }

    /// Everything unusual about the line.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.notes.diagnostics
    }

    /// The worst severity, if there is any finding.
    pub fn worst(&self) -> Option<Severity> {
        self.notes
            .diagnostics
            .iter()
            .map(Diagnostic::severity)
            .max()
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
            .notes
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
        if !self.notes.skipped.is_empty() {
            put_words(&mut out, self.notes.skipped);
            out.push(b' ');
        }
        self.message.put(dialect, &mut out);
        for words in &self.notes.extra {
            out.push(b' ');
            put_words(&mut out, *words);
        }
        out
    }
}
