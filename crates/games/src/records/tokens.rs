//! The lowest level: a file of games as a stream of tokens.
//!
//! Nothing here knows a game. The tokenizer holds a window of the file, hands
//! out tokens that borrow from it, and is in one of a few modes: between games,
//! in the tags, in the moves, after the result.

use std::io::{self, Read};

use super::buffer::Buffer;
use super::diagnostic::{Code, Diagnostic, clip};
use super::nag::Nag;
use super::result::GameResult;
use super::scan::{self, STOPS};
use super::tag;
use super::text::{Text, decode};

/// What a tokenizer finds in a file of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// A game begins.
    Begin,
    /// A tag pair. A name may come twice.
    Tag {
        /// The name, without blanks.
        name: &'a str,
        /// The value, not yet decoded.
        value: Text<'a>,
    },
    /// A word where a move should stand, without glyphs such as `!?`.
    Move(&'a str),
    /// A comment in braces or behind a semicolon.
    Comment {
        /// The comment, not yet decoded.
        text: Text<'a>,
        /// Whether a move number stands between the last move and this
        /// comment, which makes it a comment on the move that follows.
        numbered: bool,
    },
    /// A glyph for the last move.
    Nag(Nag),
    /// A variation begins: an alternative to the last move.
    Open,
    /// A variation ends.
    Close,
    /// The result that ends the moves.
    Result(GameResult),
    /// The game is over; comes exactly once for each [`Begin`](Self::Begin).
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Between,
    Tags,
    Moves,
    AfterResult,
}

/// Splits a byte stream into [`Token`]s, one game after the other. Never
/// fails because of what the bytes say: only reading them can fail.
///
/// ```
/// use quadrille_games::records::{Token, Tokenizer};
///
/// let mut tokens = Tokenizer::new(&b"1. e4! {best by test} e5 *"[..]);
/// let mut moves = Vec::new();
/// while let Some(token) = tokens.next_token()? {
///     if let Token::Move(text) = token {
///         moves.push(text.to_owned());
///     }
/// }
/// assert_eq!(moves, ["e4", "e5"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Tokenizer<R> {
    buffer: Buffer<R>,
    mode: Mode,
    game: u64,
    /// Where the current token begins in the window.
    start: usize,
    /// Line ends between the last token and this one.
    breaks: u32,
    depth: u32,
    numbered: bool,
    /// Tags, and things other than comments, seen in this game.
    tags: u32,
    words: u64,
    /// A result that came inside a variation, in case nothing else follows.
    late_result: Option<GameResult>,
    has_result: bool,
    scratch: String,
    limit: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<R: Read> Tokenizer<R> {
    /// The longest comment, tag or word that is kept whole unless told
    /// otherwise.
    pub const DEFAULT_LIMIT: usize = 16 << 20;
    /// The most diagnostics kept for one game.
    pub const MOST_DIAGNOSTICS: usize = 64;

    /// A tokenizer at the start of a file.
    pub fn new(source: R) -> Self {
        Self {
            buffer: Buffer::new(source),
            mode: Mode::Between,
            game: 0,
            start: 0,
            breaks: 1,
            depth: 0,
            numbered: false,
            tags: 0,
            words: 0,
            late_result: None,
            has_result: false,
            scratch: String::new(),
            limit: Self::DEFAULT_LIMIT,
            diagnostics: Vec::new(),
        }
    }

    /// Cuts comments, tags and words that are longer than `bytes`.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes.max(256);
        self
    }

    /// The current game, counted from 1; 0 before the first.
    pub fn game(&self) -> u64 {
        self.game
    }

    /// How many variations are open around the last token.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Problems found since the last [`clear_diagnostics`](Self::clear_diagnostics).
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Forgets the problems found so far.
    pub fn clear_diagnostics(&mut self) {
        self.diagnostics.clear();
    }

    /// Adds a problem with the last token. Beyond
    /// [`MOST_DIAGNOSTICS`](Self::MOST_DIAGNOSTICS) they are not kept.
    #[cold]
    pub fn report(&mut self, code: Code, detail: &str) {
        let start = self.start;
        self.report_at(start, code, detail);
    }

    #[cold]
    fn report_at(&mut self, index: usize, code: Code, detail: &str) {
        let code = match self.diagnostics.len() {
            n if n < Self::MOST_DIAGNOSTICS => code,
            n if n == Self::MOST_DIAGNOSTICS => Code::MoreProblems,
            _ => return,
        };
        let (line, column) = self.buffer.place(index);
        let between = u64::from(self.mode == Mode::Between);
        self.diagnostics.push(Diagnostic {
            code,
            game: self.game + between,
            line,
            column,
            detail: clip(detail),
        });
    }

    /// The next token, or `None` at the end of the file.
    #[inline]
    pub fn next_token(&mut self) -> io::Result<Option<Token<'_>>> {
        if self.mode == Mode::Moves {
            return self.in_moves().map(Some);
        }
        self.outside_moves()
    }

    fn outside_moves(&mut self) -> io::Result<Option<Token<'_>>> {
        if self.mode == Mode::Between {
            return Ok(self.between()?.then_some(Token::Begin));
        }
        if self.mode == Mode::AfterResult {
            return self.after_result().map(Some);
        }
        self.in_tags().map(Some)
    }

    /// Passes blanks, line ends and escape lines; the byte that follows.
    fn skip_space(&mut self) -> io::Result<Option<u8>> {
        self.breaks = 0;
        loop {
            let Some(b) = self.buffer.peek()? else {
                self.start = self.buffer.pos;
                return Ok(None);
            };
            match b {
                b' ' | b'\t' | 0x0b | 0x0c => self.buffer.pos += 1,
                b'\n' | b'\r' => {
                    self.buffer.pos += 1;
                    if b == b'\r' && self.buffer.peek()? == Some(b'\n') {
                        self.buffer.pos += 1;
                    }
                    self.breaks += 1;
                }
                // An escape line: "%" in the first column hides the line.
                b'%' if self.at_first_column() => self.skip_line()?,
                _ => {
                    self.start = self.buffer.pos;
                    return Ok(Some(b));
                }
            }
        }
    }

    fn at_first_column(&self) -> bool {
        matches!(self.buffer.before(), None | Some(b'\n' | b'\r'))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let rest = self.buffer.rest();
            match rest.iter().position(|b| matches!(b, b'\n' | b'\r')) {
                Some(n) => {
                    self.buffer.pos += n;
                    return Ok(());
                }
                None => self.buffer.pos += rest.len(),
            }
            if self.buffer.peek()?.is_none() {
                return Ok(());
            }
        }
    }

    /// How many bytes from the reading point on come before one that `stops`,
    /// at most the limit.
    #[inline]
    fn run(&mut self, from: usize, stops: impl Fn(u8) -> bool) -> io::Result<usize> {
        let mut len = from;
        loop {
            let rest = self.buffer.rest();
            let Some(tail) = rest.get(len..) else {
                return Ok(rest.len());
            };
            if let Some(n) = tail.iter().position(|&b| stops(b)) {
                return Ok(len + n);
            }
            len = rest.len();
            if len >= self.limit || !self.buffer.fill()? {
                return Ok(len);
            }
        }
    }

    fn run_line(&mut self, from: usize) -> io::Result<usize> {
        self.run(from, |b| matches!(b, b'\n' | b'\r'))
    }

    // Between games.

    /// Goes to the next game; `false` if there is none.
    fn between(&mut self) -> io::Result<bool> {
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
        self.has_result = false;
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
        let text = decode(&self.buffer.rest()[..len.min(256)]).into_owned();
        self.report(code, text.trim());
        self.buffer.pos += len;
        Ok(())
    }

    // Tags.

    fn in_tags(&mut self) -> io::Result<Token<'_>> {
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
            let start = self.buffer.pos;
            let name = start + parts.name.start..start + parts.name.end;
            if self.breaks > 1
                && self.tags > 0
                && self.buffer.slice(name.start, name.end) == b"Event"
            {
                self.report(Code::MovesMissing, "");
                self.mode = Mode::Between;
                return Ok(Token::End);
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
            return Ok(Token::Tag {
                name: &self.scratch,
                value: Text::tag(value, parts.escaped),
            });
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

    // Moves.

    fn in_moves(&mut self) -> io::Result<Token<'_>> {
        loop {
            let Some(b) = self.skip_space()? else {
                return Ok(self.stop());
            };
            match b {
                b'0'..=b'9' => match self.number()? {
                    Word::Skip => {}
                    Word::Take(len) => {
                        if let Some(word) = self.word(len)? {
                            return Ok(self.token(word));
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
                    return Ok(Token::Open);
                }
                b')' => {
                    self.buffer.pos += 1;
                    self.numbered = false;
                    if self.depth > 0 {
                        self.depth -= 1;
                        return Ok(Token::Close);
                    }
                    self.report(Code::StrayClose, "");
                }
                b'[' => {
                    if self.tag_begins()? {
                        if self.tags == 0 && self.words == 0 {
                            self.mode = Mode::Tags;
                            return self.in_tags();
                        }
                        return Ok(self.stop());
                    }
                    self.skip_bracket()?;
                }
                b'$' => {
                    if let Some(nag) = self.dollar()? {
                        return Ok(Token::Nag(nag));
                    }
                }
                b'!' | b'?' => {
                    let nag = self.marks()?;
                    return Ok(Token::Nag(nag));
                }
                b'.' => self.buffer.pos += 1,
                b'}' | b']' | b'<' | b'>' => {
                    self.buffer.pos += 1;
                    self.report(Code::Stray, &char::from(b).to_string());
                }
                _ => {
                    let len = self.run(1, |b| STOPS[usize::from(b)])?;
                    if let Some(word) = self.word(len)? {
                        return Ok(self.token(word));
                    }
                }
            }
        }
    }

    /// Ends the game without a result at the reading point.
    fn stop(&mut self) -> Token<'static> {
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

    /// Takes a word of that length and says what it is; `None` if it is
    /// nothing that anybody needs.
    #[inline]
    fn word(&mut self, len: usize) -> io::Result<Option<WordKind>> {
        let len = if self.buffer.peek_at(len)? == Some(b'(') {
            self.with_promotion(len)?
        } else {
            len
        };
        self.buffer.pos += len;
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
        // "…" as a sign for a black move.
        if text.chars().all(|c| c == '…') {
            self.numbered = true;
            return None;
        }
        self.late_result = None;
        let text = text.into_owned();
        self.scratch.clear();
        self.scratch.push_str(text.trim_start_matches('…'));
        Some(WordKind::Odd)
    }

    #[inline]
    fn token(&mut self, word: WordKind) -> Token<'_> {
        match word {
            WordKind::Plain => {
                self.numbered = false;
                let bytes = self.buffer.slice(self.start, self.buffer.pos);
                // Plain words are ASCII, so this never takes the other arm.
                Token::Move(core::str::from_utf8(bytes).unwrap_or_default())
            }
            WordKind::Odd => {
                self.numbered = false;
                Token::Move(&self.scratch)
            }
            WordKind::Nag(nag) => Token::Nag(nag),
            WordKind::Result(result) => {
                self.has_result = true;
                self.mode = Mode::AfterResult;
                Token::Result(result)
            }
        }
    }

    /// `$` and a number.
    fn dollar(&mut self) -> io::Result<Option<Nag>> {
        let len = self.run(1, |b| !b.is_ascii_digit())?;
        self.buffer.pos += len;
        let digits = self.buffer.slice(self.start + 1, self.start + len);
        let text = decode(digits).into_owned();
        match text.parse() {
            Ok(number) => Ok(Some(Nag(number))),
            Err(_) => {
                self.report(Code::NagRange, &format!("${text}"));
                Ok(None)
            }
        }
    }

    /// A run of `!` and `?`.
    fn marks(&mut self) -> io::Result<Nag> {
        let len = self.run(1, |b| !matches!(b, b'!' | b'?'))?;
        self.buffer.pos += len;
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
        self.buffer.pos += len + closed;
        let text = decode(self.buffer.slice(self.start, self.start + len.min(256))).into_owned();
        self.report(Code::BracketInMoves, &text);
        Ok(())
    }

    // Comments.

    /// Lengths of the comment here without and with its braces; the window
    /// holds all of it.
    fn comment_length(&mut self) -> io::Result<(usize, usize)> {
        // Shorter comments cannot hide the tags of the next game.
        const SUSPICIOUS: usize = 128;
        let mut len = 1;
        loop {
            let rest = self.buffer.rest();
            let end = scan::find_byte(&rest[len..], b'}').map(|n| len + n);
            let seen = end.unwrap_or(rest.len());
            if seen > SUSPICIOUS {
                let from = len.saturating_sub(scan::NEXT_GAME_LENGTH);
                if let Some(n) = scan::find_next_game(&rest[from..seen]) {
                    return Ok((from + n - 1, from + n));
                }
            }
            if let Some(end) = end {
                return Ok((end - 1, end + 1));
            }
            len = rest.len();
            if len >= self.limit || !self.buffer.fill()? {
                return Ok((len - 1, len));
            }
        }
    }

    fn brace_comment(&mut self) -> io::Result<Token<'_>> {
        let (inner, whole) = self.comment_length()?;
        self.buffer.pos += whole;
        if whole != inner + 2 {
            let code = match whole >= self.limit {
                true => Code::TooLong,
                false => Code::CommentOpen,
            };
            self.report(code, "");
        }
        let bytes = self.buffer.slice(self.start + 1, self.start + 1 + inner);
        Ok(Token::Comment {
            text: Text::comment(bytes),
            numbered: self.numbered,
        })
    }

    fn line_comment(&mut self) -> io::Result<Token<'_>> {
        let len = self.run_line(1)?;
        self.buffer.pos += len;
        if len >= self.limit {
            self.report(Code::TooLong, "");
            self.skip_line()?;
        }
        let bytes = self.buffer.slice(self.start + 1, self.start + len);
        Ok(Token::Comment {
            text: Text::comment(bytes),
            numbered: self.numbered,
        })
    }

    // After the result.

    fn after_result(&mut self) -> io::Result<Token<'_>> {
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
        Ok(Token::End)
    }

    fn looks_like_numbered(&mut self, b: u8) -> io::Result<bool> {
        Ok(b.is_ascii_digit()
            && !scan::is_result(&self.buffer.rest()[..self.buffer.rest().len().min(3)])
            && self.looks_like_moves(b)?)
    }
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
