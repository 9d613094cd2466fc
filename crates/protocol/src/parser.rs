//! What reading a command and reading a report have in common.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::dialect::Dialect;
use crate::items::Items;
use crate::number::{self, Reading};
use crate::parsed::Parsed;
use crate::text::{Moves, Text};
use crate::token::{Cursor, Token, trim};

/// The state of reading one line.
pub(crate) struct Parser<'a> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) dialect: Dialect,
    pub(crate) skipped: Text<'a>,
    extra: Items<Text<'a>, 2>,
    diagnostics: Diagnostics,
    /// Unknown words seen and not yet kept: start and end of the run.
    unknown: Option<(usize, usize)>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(line: &'a [u8], dialect: Dialect) -> Self {
        let mut parser = Self {
            cursor: Cursor::new(line),
            dialect,
            skipped: Text::EMPTY,
            extra: Items::new(),
            diagnostics: Diagnostics::new(),
            unknown: None,
        };
        if !line.is_ascii() {
            parser.note_odd_bytes(line);
        }
        parser
    }

    #[cold]
    fn note_odd_bytes(&mut self, line: &[u8]) {
        if line.starts_with(b"\xEF\xBB\xBF") {
            self.cursor.seek(3);
            self.report(Code::ByteOrderMark, 0, 3);
        }
        if let Err(error) = core::str::from_utf8(line) {
            let start = error.valid_up_to();
            self.report(
                Code::InvalidUtf8,
                start,
                start + error.error_len().unwrap_or(1),
            );
        }
    }

    pub(crate) fn finish<M>(self, message: M) -> Parsed<'a, M> {
        Parsed {
            message,
            line: self.cursor.line(),
            skipped: self.skipped,
            extra: self.extra,
            diagnostics: self.diagnostics,
        }
    }

    #[cold]
    pub(crate) fn report(&mut self, code: Code, start: usize, end: usize) {
        self.diagnostics.push(Diagnostic::new(code, start, end));
    }

    #[cold]
    pub(crate) fn report_at(&mut self, code: Code, token: Token<'_>) {
        self.report(code, token.start, token.end());
    }

    /// The bytes between two positions of the line.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.cursor.line().get(start..end).unwrap_or_default()
    }

    /// The whole line less a byte order mark and the line end.
    pub(crate) fn whole_line(&self) -> Text<'a> {
        let line = self.cursor.line();
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let end = line
            .iter()
            .rposition(|b| !matches!(b, b'\r' | b'\n'))
            .map_or(0, |i| i + 1);
        Text::from_bytes(&line[..end])
    }

    /// Remembers a word that belongs to nothing.
    #[cold]
    pub(crate) fn unknown_word(&mut self, token: Token<'_>) {
        self.unknown = match self.unknown {
            Some((start, end)) => Some((start.min(token.start), end.max(token.end()))),
            None => Some((token.start, token.end())),
        };
    }

    /// The run of unknown words up to here, with its diagnostic; called
    /// before the next known piece and at the end.
    #[inline]
    pub(crate) fn take_unknown(&mut self) -> Option<Text<'a>> {
        let (start, end) = self.unknown.take()?;
        self.report(Code::UnknownWord, start, end);
        Some(Text::from_bytes(self.slice(start, end)))
    }

    /// Everything left in the line belongs to nothing.
    pub(crate) fn rest_is_extra(&mut self) {
        if let Some(rest) = self.cursor.trimmed_rest() {
            self.report_at(Code::ExtraWords, rest);
            self.extra.push(Text::from_bytes(rest.bytes));
        }
    }

    /// Keeps one run of words inside a command that belongs to nothing.
    pub(crate) fn keep_unknown(&mut self) {
        if let Some(words) = self.take_unknown() {
            self.extra.push(words);
        }
    }

    /// Reads the value of `keyword` as a signed number. If there is none, says
    /// so and leaves the next word alone.
    #[inline]
    pub(crate) fn signed(&mut self, keyword: Token<'_>) -> Option<i64> {
        let (negative, magnitude, token) = self.number(keyword)?;
        let (value, held) = number::signed(negative, magnitude);
        if held {
            self.report_at(Code::NumberTooLarge, token);
        }
        Some(value)
    }

    /// Reads the value of `keyword` as a number that cannot be negative.
    #[inline]
    pub(crate) fn unsigned(&mut self, keyword: Token<'_>) -> Option<u64> {
        let (negative, magnitude, token) = self.number(keyword)?;
        if negative && magnitude > 0 {
            self.report_at(Code::NegativeNumber, token);
            return Some(0);
        }
        Some(magnitude)
    }

    fn number(&mut self, keyword: Token<'_>) -> Option<(bool, u64, Token<'a>)> {
        let before = self.cursor.position();
        let Some(token) = self.cursor.next() else {
            self.report_at(Code::MissingValue, keyword);
            return None;
        };
        match number::read(token.bytes) {
            Reading::Whole {
                negative,
                magnitude,
            } => Some((negative, magnitude, token)),
            Reading::Fraction {
                negative,
                magnitude,
            } => {
                self.report_at(Code::FractionalNumber, token);
                Some((negative, magnitude, token))
            }
            Reading::TooLarge { negative } => {
                self.report_at(Code::NumberTooLarge, token);
                Some((
                    negative,
                    if negative { i64::MAX as u64 } else { u64::MAX },
                    token,
                ))
            }
            Reading::Nothing => {
                self.report_at(Code::NotANumber, token);
                self.cursor.seek(before);
                None
            }
        }
    }

    /// Reads words as moves until `is_keyword` says that one is not.
    #[inline]
    pub(crate) fn moves_until(&mut self, is_keyword: impl Fn(u128) -> bool) -> Moves<'a> {
        let begin = self.cursor.position();
        let mut end = begin;
        while let Some(token) = self.cursor.next() {
            // No keyword has a digit in its first two places, and nearly every
            // move does: one look instead of a search in the keyword list.
            let digit = token.bytes.iter().take(2).any(u8::is_ascii_digit);
            if !digit && is_keyword(self.cursor.key(token)) {
                self.cursor.seek(end);
                break;
            }
            end = token.end();
        }
        Moves::from_bytes(trim(self.slice(begin, end)))
    }

    /// All words that are left, as moves.
    pub(crate) fn all_moves(&mut self) -> Moves<'a> {
        let rest = self.cursor.trimmed_rest();
        rest.map_or(Moves::EMPTY, |token| Moves::from_bytes(token.bytes))
    }

    /// Notes a null move in another form than the dialect's own.
    pub(crate) fn check_null_move(&mut self, token: Token<'_>) {
        // A real move has different halves; `0000` is the proper null move.
        let text = Text::from_bytes(token.bytes);
        let proper = self.dialect.null_move().is_none_or(|null| text == null);
        if !proper && text.is_null_move() {
            self.report_at(Code::OddNullMove, token);
        }
    }
}
