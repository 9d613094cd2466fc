//! What reading a command and reading a report have in common.

use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::number::{self, Reading};
use crate::parsed::Notes;
use crate::text::{Moves, Text};
use crate::token::{Cursor, Token, trim};

/// The state of reading one line. What is said beside the message goes
/// straight into its final place.
pub(crate) struct Parser<'a, 'n> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) dialect: Dialect,
    pub(crate) notes: &'n mut Notes<'a>,
    /// Unknown words seen and not yet kept: start and end of the run.
    unknown: Option<(usize, usize)>,
}

impl<'a, 'n> Parser<'a, 'n> {
    #[inline]
    pub(crate) fn new(line: &'a [u8], dialect: Dialect, notes: &'n mut Notes<'a>) -> Self {
        let mut parser = Self {
            cursor: Cursor::new(line),
            dialect,
            notes,
            unknown: None,
        };
        // No early exit, so that this becomes a few wide instructions.
        if line.iter().fold(0, |all, byte| all | byte) > 0x7F {
            parser.note_odd_bytes(line);
        }
        parser
    }

    /// Goes on after a word that was read by another parser.
    #[inline]
    pub(crate) fn after(
        line: &'a [u8],
        token: Token<'a>,
        dialect: Dialect,
        notes: &'n mut Notes<'a>,
    ) -> Self {
        let mut parser = Self {
            cursor: Cursor::new(line),
            dialect,
            notes,
            unknown: None,
        };
        parser.cursor.seek(token.end());
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

    #[cold]
    pub(crate) fn report(&mut self, code: Code, start: usize, end: usize) {
        self.notes
            .diagnostics
            .push(Diagnostic::new(code, start, end));
    }

    #[cold]
    pub(crate) fn report_at(&mut self, code: Code, token: Token<'_>) {
        self.report(code, token.start, token.end());
    }

    /// The bytes between two positions of the line.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.cursor.line().get(start..end).unwrap_or_default()
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
            self.notes.extra.push(Text::from_bytes(rest.bytes));
        }
    }

    /// Keeps one run of words inside a command that belongs to nothing.
    pub(crate) fn keep_unknown(&mut self) {
        if let Some(words) = self.take_unknown() {
            self.notes.extra.push(words);
        }
    }

    /// Reads the value of `keyword` as a signed number. If there is none, says
    /// so and leaves the next word alone.
    #[inline(always)]
    pub(crate) fn signed(&mut self, keyword: Token<'_>) -> Option<i64> {
        match self.cursor.plain_number() {
            Some((true, magnitude)) => Some(-(magnitude as i64)),
            Some((false, magnitude)) => Some(magnitude as i64),
            None => self.odd_signed(keyword),
        }
    }

    /// Reads the value of `keyword` as a number that cannot be negative.
    #[inline]
    pub(crate) fn unsigned(&mut self, keyword: Token<'_>) -> Option<u64> {
        let before = self.cursor.position();
        match self.cursor.plain_number() {
            Some((false, magnitude)) => Some(magnitude),
            _ => self.odd_unsigned(keyword, before),
        }
    }

    #[cold]
    fn odd_signed(&mut self, keyword: Token<'_>) -> Option<i64> {
        let (negative, magnitude, token) = self.number(keyword)?;
        let (value, held) = number::signed(negative, magnitude);
        if held {
            self.report_at(Code::NumberTooLarge, token);
        }
        Some(value)
    }

    #[cold]
    fn odd_unsigned(&mut self, keyword: Token<'_>, before: usize) -> Option<u64> {
        self.cursor.seek(before);
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
    pub(crate) fn moves_until(&mut self, is_keyword: impl Fn(u64) -> bool) -> Moves<'a> {
        let begin = self.cursor.position();
        let mut end = begin;
        while let Some(token) = self.cursor.next_move() {
            if !self.cursor.looks_like_move(token.start) && is_keyword(self.cursor.key(token)) {
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
