//! Tokens among the moves.

use std::io::{self, Read};

use super::super::diagnostic::Code;
use super::super::nag::Nag;
use super::super::result::GameResult;
use super::super::scan::{self, STOPS};
use super::super::text::{Text, decode};
use super::{Cut, Mode, Next, Token, Tokenizer};

impl<R: Read> Tokenizer<R> {
    #[inline]
    pub(super) fn in_moves(&mut self) -> Next<'_> {
        match self.quick() {
            Quick::Move => Ok(Some(Token::Move(self.plain_word()))),
            Quick::Comment => self.brace_comment(),
            Quick::Neither => self.in_moves_slowly(),
        }
    }

    /// The things that make up nearly all of a file (blanks, numbers with dots,
    /// plain moves, comments) without leaving the window. Whatever else comes is
    /// left to the long way, from where this way began.
    #[inline]
    fn quick(&mut self) -> Quick {
        let bytes = self.buffer.rest();
        let mut i = 0;
        let mut numbered = self.numbered;
        let len = loop {
            let Some(&eight) = bytes.get(i..).and_then(<[u8]>::first_chunk::<8>) else {
                return Quick::Neither;
            };
            match eight[0] {
                b' ' => i += 1,
                // The line may be an escape line; the long way knows.
                b'\n' if !matches!(eight[1], b'%' | b'[') => i += 1,
                b'0'..=b'9' => {
                    let digits = scan::digits_of_eight(eight);
                    if bytes.get(i + digits) != Some(&b'.') {
                        return Quick::Neither;
                    }
                    i += digits + 1;
                    numbered = true;
                }
                b'.' if numbered => i += 1,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    let len = scan::plain_of_eight(eight);
                    match bytes.get(i + len) {
                        Some(b' ' | b'\n' | b')' | b'!' | b'?' | b'\r' | b'{') => {}
                        _ => return Quick::Neither,
                    }
                    if !scan::starts_a_move(&bytes[i..i + len]) {
                        return Quick::Neither;
                    }
                    break len;
                }
                b'{' => break 0,
                _ => return Quick::Neither,
            }
        };
        self.numbered = numbered;
        self.buffer.pos += i;
        if len == 0 {
            return Quick::Comment;
        }
        self.words += 1;
        self.late_result = None;
        self.consume(len);
        Quick::Move
    }

    fn in_moves_slowly(&mut self) -> Next<'_> {
        loop {
            let Some(b) = self.skip_space()? else {
                return Ok(Some(self.stop()));
            };
            match b {
                b'0'..=b'9' => match self.number()? {
                    Word::Skip => {}
                    Word::Take(len) => {
                        if let Some(word) = self.word(len)? {
                            return Ok(Some(self.token(&word)));
                        }
                    }
                },
                b'{' => return self.brace_comment(),
                b';' => return self.line_comment(),
                b'(' => {
                    self.buffer.pos += 1;
                    self.depth = self.depth.saturating_add(1);
                    self.words += 1;
                    self.numbered = false;
                    return Ok(Some(Token::Open));
                }
                b')' => {
                    self.buffer.pos += 1;
                    self.numbered = false;
                    if self.depth > 0 {
                        self.depth -= 1;
                        return Ok(Some(Token::Close));
                    }
                    self.report(Code::StrayClose, "");
                }
                b'[' => {
                    if self.tag_begins()? {
                        if self.tags == 0 && self.words == 0 {
                            self.mode = Mode::Tags;
                            return self.in_tags();
                        }
                        return Ok(Some(self.stop()));
                    }
                    self.skip_bracket()?;
                }
                b'$' => {
                    if let Some(nag) = self.dollar()? {
                        self.words += 1;
                        return Ok(Some(Token::Nag(nag)));
                    }
                }
                b'!' | b'?' => {
                    let nag = self.marks()?;
                    self.words += 1;
                    return Ok(Some(Token::Nag(nag)));
                }
                b'.' => self.buffer.pos += 1,
                b'}' | b']' | b'<' | b'>' => {
                    self.buffer.pos += 1;
                    self.report(Code::Stray, &char::from(b).to_string());
                }
                _ => {
                    let len = self.run(1, |b| STOPS[usize::from(b)])?;
                    if let Some(word) = self.word(len)? {
                        return Ok(Some(self.token(&word)));
                    }
                }
            }
        }
    }

    /// Ends the game without a result at the reading point.
    fn stop(&mut self) -> Token<'static> {
        self.start = self.buffer.pos;
        if self.depth > 0 {
            self.report(Code::VariationOpen, "");
            self.depth = 0;
        }
        if let Some(result) = self.late_result.take() {
            self.mode = Mode::AfterResult;
            return Token::Result(result);
        }
        self.report(Code::ResultMissing, "");
        self.mode = Mode::Between;
        Token::End
    }

    /// A number at the reading point: passes a move number, or gives the
    /// length of the word that only begins with one.
    fn number(&mut self) -> io::Result<Word> {
        let digits = self.run(1, |b| !b.is_ascii_digit())?;
        match self.buffer.peek_at(digits)? {
            Some(b'.') => {
                self.buffer.pos += digits + 1;
                self.numbered = true;
                Ok(Word::Skip)
            }
            Some(b) if !STOPS[usize::from(b)] => {
                Ok(Word::Take(self.run(digits, |b| STOPS[usize::from(b)])?))
            }
            _ if &self.buffer.rest()[..digits] == b"0000" => Ok(Word::Take(digits)),
            _ => {
                self.buffer.pos += digits;
                self.numbered = true;
                Ok(Word::Skip)
            }
        }
    }

    /// Takes a word of that length and says what it is; `None` if it
    /// means nothing here.
    #[inline]
    fn word(&mut self, len: usize) -> io::Result<Option<WordKind>> {
        let len = if self.buffer.peek_at(len)? == Some(b'(') {
            self.with_promotion(len)?
        } else {
            len
        };
        self.consume(len);
        self.words += 1;
        let bytes = self.buffer.slice(self.start, self.start + len);
        if scan::is_plain_move(bytes) {
            self.late_result = None;
            return Ok(Some(WordKind::Plain));
        }
        Ok(self.odd_word())
    }

    /// `e8(Q)`: the parentheses belong to the word.
    #[cold]
    fn with_promotion(&mut self, len: usize) -> io::Result<usize> {
        let letter = self.buffer.peek_at(len + 1)?;
        let close = self.buffer.peek_at(len + 2)?;
        let fits = letter.is_some_and(|b| b.is_ascii_alphabetic()) && close == Some(b')');
        let rank = matches!(self.buffer.rest()[len - 1], b'1'..=b'9');
        Ok(if fits && rank { len + 3 } else { len })
    }

    /// Results, glyphs in letters and signs, words that mean nothing.
    fn odd_word(&mut self) -> Option<WordKind> {
        let bytes = self.buffer.slice(self.start, self.buffer.pos);
        if bytes.len() >= self.limit {
            let head = decode(&bytes[..64]).into_owned();
            self.report(Code::TooLong, &head);
            return None;
        }
        if let Some((result, usual)) = GameResult::from_spelling(bytes) {
            let text = decode(bytes).into_owned();
            if !usual {
                self.report(Code::ResultSpelling, &text);
            }
            if self.depth > 0 {
                self.report(Code::ResultInVariation, &text);
                self.late_result = Some(result);
                return None;
            }
            return Some(WordKind::Result(result));
        }
        let text = decode(bytes);
        if let Some(nag) = Nag::from_sign(&text) {
            return Some(WordKind::Nag(nag));
        }
        if scan::is_idle_word(bytes) {
            let text = text.into_owned();
            self.report(Code::SuffixIgnored, &text);
            return None;
        }
        // "12…" as a number, "…e5" as a black move.
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = if unnumbered.starts_with('…') {
            self.numbered = true;
            unnumbered.trim_start_matches(['…', '.']).to_owned()
        } else {
            text.into_owned()
        };
        if text.is_empty() {
            return None;
        }
        self.late_result = None;
        self.scratch.clear();
        self.scratch.push_str(&text);
        Some(WordKind::Odd)
    }

    #[inline]
    fn token(&mut self, word: &WordKind) -> Token<'_> {
        match word {
            WordKind::Plain => Token::Move(self.plain_word()),
            WordKind::Odd => {
                self.numbered = false;
                Token::Move(&self.scratch)
            }
            WordKind::Nag(nag) => Token::Nag(*nag),
            WordKind::Result(result) => {
                self.mode = Mode::AfterResult;
                Token::Result(*result)
            }
        }
    }

    /// The word just taken, which is known to be plain.
    #[inline]
    fn plain_word(&mut self) -> &str {
        self.numbered = false;
        let bytes = self.buffer.slice(self.start, self.buffer.pos);
        debug_assert!(bytes.is_ascii());
        // SAFETY: a word is only called plain when every byte of it is in the
        // table of plain bytes, which are all ASCII. Checking again costs 4 %
        // of the time of reading a file.
        unsafe { core::str::from_utf8_unchecked(bytes) }
    }

    /// `$` and a number.
    fn dollar(&mut self) -> io::Result<Option<Nag>> {
        let len = self.run(1, |b| !b.is_ascii_digit())?;
        self.consume(len);
        let digits = self.buffer.slice(self.start + 1, self.start + len);
        let text = decode(digits).into_owned();
        if let Ok(number) = text.parse() {
            return Ok(Some(Nag(number)));
        }
        self.report(Code::NagRange, &format!("${text}"));
        Ok(None)
    }

    /// A run of `!` and `?`.
    fn marks(&mut self) -> io::Result<Nag> {
        let len = self.run(1, |b| !matches!(b, b'!' | b'?'))?;
        self.consume(len);
        let marks = self.buffer.slice(self.start, self.start + len);
        let nag = scan::marks(marks);
        if len > 2 {
            let text = decode(&marks[..len.min(64)]).into_owned();
            self.report(Code::GlyphOdd, &text);
        }
        Ok(nag)
    }

    /// Whether the bracket here begins a tag, and so the next game.
    fn tag_begins(&mut self) -> io::Result<bool> {
        let first = self.run(1, |b| !matches!(b, b' ' | b'\t'))?;
        if !self
            .buffer
            .peek_at(first)?
            .is_some_and(|b| b.is_ascii_alphabetic())
        {
            return Ok(false);
        }
        if self.breaks > 0 {
            return Ok(true);
        }
        let name = self.run(first, |b| !b.is_ascii_alphanumeric() && b != b'_')?;
        let quote = self.run(name, |b| !matches!(b, b' ' | b'\t'))?;
        Ok(self.buffer.peek_at(quote)? == Some(b'"'))
    }

    fn skip_bracket(&mut self) -> io::Result<()> {
        let len = self.run(1, |b| matches!(b, b']' | b'\n' | b'\r'))?;
        let closed = usize::from(self.buffer.peek_at(len)? == Some(b']'));
        self.consume(len + closed);
        let text = decode(self.buffer.slice(self.start, self.start + len.min(256))).into_owned();
        self.report(Code::BracketInMoves, &text);
        Ok(())
    }

    /// Lengths of the comment here without and with its braces; the window
    /// holds all of it.
    pub(super) fn comment_length(&mut self) -> io::Result<(usize, usize)> {
        // Shorter comments that are closed do not hide the tags of the next game.
        const SUSPICIOUS: usize = 128;
        let mut len = 1;
        // Only what was long enough has been searched for tags so far.
        let mut searched = 0_usize;
        loop {
            let rest = self.buffer.rest();
            let end = scan::find_byte(&rest[len..], b'}').map(|n| len + n);
            let seen = end.unwrap_or(rest.len());
            if seen > SUSPICIOUS {
                let from = searched.saturating_sub(scan::NEXT_GAME_LENGTH);
                if let Some(n) = scan::find_next_game(&rest[from..seen]) {
                    return Ok((from + n - 1, from + n));
                }
                searched = seen;
            }
            if let Some(end) = end {
                return Ok((end - 1, end + 1));
            }
            len = rest.len();
            if len >= self.limit || !self.buffer.fill()? {
                // One that is never closed ends where a game begins, however short it
                // is: how it is read must not depend on what follows the games behind it.
                let rest = self.buffer.rest();
                let end = scan::find_next_game(rest).unwrap_or(rest.len());
                return Ok((end - 1, end));
            }
        }
    }

    pub(super) fn brace_comment(&mut self) -> Next<'_> {
        let (inner, whole) = self.comment_length()?;
        self.consume(whole);
        if whole != inner + 2 {
            if whole >= self.limit {
                self.report(Code::TooLong, "");
                self.cut = Some(Cut::Brace);
            } else {
                self.report(Code::CommentOpen, "");
            }
        }
        let bytes = self.buffer.slice(self.start + 1, self.start + 1 + inner);
        Ok(Some(Token::Comment {
            text: Text::comment(bytes),
            numbered: self.numbered,
        }))
    }

    pub(super) fn line_comment(&mut self) -> Next<'_> {
        let len = self.run_line(1)?;
        self.consume(len);
        if len >= self.limit {
            self.report(Code::TooLong, "");
            self.cut = Some(Cut::Line);
        }
        let bytes = self.buffer.slice(self.start + 1, self.start + len);
        Ok(Some(Token::Comment {
            text: Text::comment(bytes),
            numbered: self.numbered,
        }))
    }
}

enum Quick {
    /// A plain move, taken.
    Move,
    /// A comment begins at the reading point.
    Comment,
    Neither,
}

enum Word {
    /// It was a move number and is passed.
    Skip,
    /// A word of this length.
    Take(usize),
}

enum WordKind {
    Plain,
    /// In `scratch`.
    Odd,
    Nag(Nag),
    Result(GameResult),
}
