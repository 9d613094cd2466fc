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
use super::text::Text;

mod edges;
mod movetext;

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

/// What every step returns. Always in this form: wrapping a token again would
/// copy it, and the copy waits for the bytes just written.
type Next<'a> = io::Result<Option<Token<'a>>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Between,
    Tags,
    Moves,
    AfterResult,
}

/// The end of something that was too long to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Line,
    Brace,
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
    /// The rest of something too long, to be passed before the next token.
    cut: Option<Cut>,
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
            cut: None,
            scratch: String::new(),
            limit: Self::DEFAULT_LIMIT,
            diagnostics: Vec::new(),
        }
    }

    /// Cuts comments, tags and words that are longer than `bytes`, but none
    /// that fit in the window of 64 KiB.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes.max(64 * 1024);
        self
    }

    /// The current game, counted from 1; 0 before the first.
    pub fn game(&self) -> u64 {
        self.game
    }

    /// Where the last token begins: its byte in the stream, from 0, and its line,
    /// from 1. The [`Begin`](Token::Begin) of a game stands where its first tag,
    /// move or comment does.
    ///
    /// ```
    /// use quadrille_games::records::{Token, Tokenizer};
    ///
    /// let mut tokens = Tokenizer::new(&b"odd words\n\n1. e4 *\n1. d4 *"[..]);
    /// let mut places = Vec::new();
    /// while let Some(token) = tokens.next_token()? {
    ///     if token == Token::Begin {
    ///         places.push(tokens.place());
    ///     }
    /// }
    /// assert_eq!(places, [(11, 3), (19, 4)]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn place(&mut self) -> (u64, u64) {
        (
            self.buffer.offset_of(self.start),
            self.buffer.place(self.start).0,
        )
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
        let code = match self.diagnostics.len() {
            n if n < Self::MOST_DIAGNOSTICS => code,
            n if n == Self::MOST_DIAGNOSTICS => Code::MoreProblems,
            _ => return,
        };
        let (line, column) = self.buffer.place(self.start);
        // Text between two games counts for the one that follows.
        let next = u64::from(code == Code::TextBetweenGames);
        self.diagnostics.push(Diagnostic {
            code,
            game: self.game + next,
            line,
            column,
            detail: clip(detail),
        });
    }

    /// The next token, or `None` at the end of the file.
    #[inline]
    pub fn next_token(&mut self) -> io::Result<Option<Token<'_>>> {
        if self.mode == Mode::Moves {
            return self.in_moves();
        }
        self.outside_moves()
    }

    fn outside_moves(&mut self) -> Next<'_> {
        if self.mode == Mode::Between {
            return Ok(self.between()?.then_some(Token::Begin));
        }
        if self.mode == Mode::AfterResult {
            return self.after_result();
        }
        self.in_tags()
    }

    /// Passes blanks, line ends and escape lines; the byte that follows.
    fn skip_space(&mut self) -> io::Result<Option<u8>> {
        self.breaks = 0;
        if let Some(cut) = self.cut.take() {
            self.skip_cut(cut)?;
        }
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

    #[cold]
    fn skip_cut(&mut self, cut: Cut) -> io::Result<()> {
        if cut == Cut::Line {
            return self.skip_line();
        }
        self.skip_until(|b| b == b'}')?;
        if self.buffer.peek()?.is_some() {
            self.buffer.pos += 1;
        }
        Ok(())
    }

    fn skip_line(&mut self) -> io::Result<()> {
        self.skip_until(|b| matches!(b, b'\n' | b'\r'))
    }

    fn skip_until(&mut self, stops: impl Fn(u8) -> bool) -> io::Result<()> {
        loop {
            let rest = self.buffer.rest();
            match rest.iter().position(|&b| stops(b)) {
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

    /// Takes a token of this length. Only now is it certain where the token
    /// begins: looking ahead may have moved the window.
    #[inline]
    fn consume(&mut self, len: usize) {
        self.start = self.buffer.pos;
        self.buffer.pos += len;
    }

    fn run_line(&mut self, from: usize) -> io::Result<usize> {
        self.run(from, |b| matches!(b, b'\n' | b'\r'))
    }
}
