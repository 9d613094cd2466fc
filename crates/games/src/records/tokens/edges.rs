//! Tokens outside the moves: between games, in the tags, after the result.

use std::io::{self, Read};

use super::super::diagnostic::Code;
use super::super::scan::{self, STOPS};
use super::super::tag;
use super::super::text::{Text, decode};
use super::{Mode, Next, Token, Tokenizer};

impl<R: Read> Tokenizer<R> {
    /// Goes to the next game; `false` if there is none.
    pub(super) fn between(&mut self) -> io::Result<bool> {
        loop {
            let Some(b) = self.skip_space()? else {
                return Ok(false);
            };
            if b == 0xef && self.at_byte_order_mark()? {
                self.buffer.pos += 3;
                continue;
            }
            self.mode = match b {
                b'[' => Mode::Tags,
                b'{' | b';' if self.comment_has_a_game()? => Mode::Moves,
                _ if self.looks_like_moves(b)? => Mode::Moves,
                _ => {
                    self.skip_text(Code::TextBetweenGames)?;
                    continue;
                }
            };
            // Looking ahead may have moved the window.
            self.start = self.buffer.pos;
            self.begin();
            return Ok(true);
        }
    }

    fn begin(&mut self) {
        self.game += 1;
        self.depth = 0;
        self.tags = 0;
        self.words = 0;
        self.numbered = false;
        self.late_result = None;
    }

    fn at_byte_order_mark(&mut self) -> io::Result<bool> {
        Ok(self.buffer.peek_at(2)? == Some(0xbf) && self.buffer.rest()[1] == 0xbb)
    }

    /// A comment between games belongs to the game after it, if there is one.
    fn comment_has_a_game(&mut self) -> io::Result<bool> {
        let len = match self.buffer.peek()? {
            Some(b'{') => self.comment_length()?.1,
            _ => self.run_line(0)?,
        };
        let len = self.run(len, |b| !b.is_ascii_whitespace())?;
        Ok(self.buffer.peek_at(len)?.is_some())
    }

    /// Whether what stands here could be the moves of a game without tags.
    fn looks_like_moves(&mut self, b: u8) -> io::Result<bool> {
        let len = self.run(0, |b| STOPS[usize::from(b)])?.min(64);
        if scan::is_result(&self.buffer.rest()[..len]) {
            return Ok(true);
        }
        if b.is_ascii_digit() {
            let digits = self.run(0, |b| !b.is_ascii_digit())?;
            let gap = self.run(digits, |b| !matches!(b, b' ' | b'\t'))?;
            return Ok(self.buffer.peek_at(gap)? == Some(b'.'));
        }
        Ok(scan::looks_like_move(&self.buffer.rest()[..len]))
    }

    /// Passes the rest of the line, a comment excepted, and says so.
    fn skip_text(&mut self, code: Code) -> io::Result<()> {
        let len = match self.buffer.peek()? {
            Some(b'{') => self.comment_length()?.1,
            _ => self.run_line(1)?,
        };
        self.consume(len);
        let text = self.buffer.slice(self.start, self.start + len.min(256));
        let text = decode(text).into_owned();
        self.report(code, text.trim());
        Ok(())
    }

    // Tags.

    pub(super) fn in_tags(&mut self) -> Next<'_> {
        loop {
            if self.skip_space()? != Some(b'[') {
                self.mode = Mode::Moves;
                return self.in_moves();
            }
            let mut line = self.run_line(0)?;
            let mut parts = tag::parse(&self.buffer.rest()[..line]);
            if parts.problem == Some(Code::TagQuotes) && parts.len == line {
                // A value broken over two lines, if that is what mends it.
                line = self.two_lines(line)?;
                let longer = tag::parse(&self.buffer.rest()[..line]);
                if longer.problem.is_none() {
                    parts = longer;
                }
            }
            self.start = self.buffer.pos;
            let start = self.start;
            let name = start + parts.name.start..start + parts.name.end;
            if self.breaks > 1
                && self.tags > 0
                && self.buffer.slice(name.start, name.end) == b"Event"
            {
                self.report(Code::MovesMissing, "");
                self.mode = Mode::Between;
                return Ok(Some(Token::End));
            }
            self.buffer.pos += parts.len;
            if let Some(code) = parts.problem {
                let detail =
                    decode(self.buffer.slice(start, start + parts.len.min(256))).into_owned();
                self.report(code, &detail);
            }
            if !self.tag_name(name.start, name.end) {
                continue;
            }
            self.tags += 1;
            let value = self
                .buffer
                .slice(start + parts.value.start, start + parts.value.end);
            return Ok(Some(Token::Tag {
                name: &self.scratch,
                value: Text::tag(value, parts.escaped),
            }));
        }
    }

    /// The length of this line and the next, unless that one starts a tag.
    fn two_lines(&mut self, line: usize) -> io::Result<usize> {
        let next = self.run(line, |b| !matches!(b, b'\n' | b'\r'))?;
        match self.buffer.peek_at(next)? {
            Some(b'[') | None => Ok(line),
            Some(_) => self.run_line(next),
        }
    }

    /// Puts the name of a tag in `scratch`; `false` if there is none.
    fn tag_name(&mut self, start: usize, end: usize) -> bool {
        let bytes = self.buffer.slice(start, end);
        let plain = bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let name = decode(bytes);
        self.scratch.clear();
        if plain {
            self.scratch.push_str(&name);
        } else {
            let cleaned = tag::clean_name(&name);
            let detail = name.into_owned();
            self.scratch.push_str(&cleaned);
            self.report(Code::TagName, &detail);
        }
        if self.scratch.is_empty() {
            self.report(Code::TagEmpty, "");
        }
        !self.scratch.is_empty()
    }

    pub(super) fn after_result(&mut self) -> Next<'_> {
        loop {
            let b = self.skip_space()?;
            let near = self.breaks < 2;
            match b {
                Some(b'{') if near => return self.brace_comment(),
                Some(b';') if near => return self.line_comment(),
                None | Some(b'[' | b'{' | b';') => break,
                Some(b) if self.breaks > 0 || self.looks_like_numbered(b)? => break,
                Some(_) => self.skip_text(Code::TextAfterResult)?,
            }
        }
        self.mode = Mode::Between;
        Ok(Some(Token::End))
    }

    fn looks_like_numbered(&mut self, b: u8) -> io::Result<bool> {
        if !b.is_ascii_digit() {
            return Ok(false);
        }
        // The window may end inside the word.
        self.buffer.peek_at(2)?;
        let rest = self.buffer.rest();
        Ok(!scan::is_result(&rest[..rest.len().min(3)]) && self.looks_like_moves(b)?)
    }
}
