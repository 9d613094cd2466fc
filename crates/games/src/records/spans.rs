//! Where the games of a stream begin and end.

use std::io::{self, Read};
use std::ops::Range;

use super::{Code, Token, Tokenizer, game_of_variant};
use crate::Game;

/// A game as it stands in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSpan {
    /// From 1 in this stream.
    pub number: u64,
    /// Line of its first byte, from 1.
    pub line: u64,
    /// The game that its tags name.
    pub game: Game,
    /// From its first tag or move to the next game; `u64::MAX` is the end of the stream.
    pub bytes: Range<u64>,
}

/// Text that belongs to no game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StrayText {
    /// Its line, from 1.
    pub line: u64,
    /// The text, cut to a length that can be shown.
    pub text: String,
    /// Before the first game, so that it goes with none.
    pub first: bool,
}

/// Finds the games of a stream without reading what their moves mean.
///
/// ```
/// use quadrille_games::Game;
/// use quadrille_games::records::Spans;
///
/// let file = b"odd words\n\n1. e4 *\n[Variant \"Gyges\"]\n\n*";
/// let mut spans = Spans::new(&file[..]);
/// let mut found = Vec::new();
/// while let Some(span) = spans.next_span()? {
///     found.push((span.line, span.game, span.bytes));
/// }
/// assert_eq!(found, [(3, Game::Chess, 11..19), (4, Game::Gyges, 19..u64::MAX)]);
/// assert_eq!(spans.take_strays()[0].text, "odd words");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Spans<R> {
    tokens: Tokenizer<R>,
    /// The game that has begun.
    open: Option<GameSpan>,
    strays: Vec<StrayText>,
}

impl<R: Read> Spans<R> {
    /// Starts at the beginning of a stream.
    pub fn new(source: R) -> Self {
        Self {
            tokens: Tokenizer::new(source),
            open: None,
            strays: Vec::new(),
        }
    }

    /// Limits what is held of one comment, tag or word: see [`Tokenizer::with_limit`].
    #[must_use]
    pub fn with_limit(self, bytes: usize) -> Self {
        Self {
            tokens: self.tokens.with_limit(bytes),
            ..self
        }
    }

    /// Takes the text outside games that was met since the last call.
    pub fn take_strays(&mut self) -> Vec<StrayText> {
        std::mem::take(&mut self.strays)
    }

    /// Finds the next game.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn next_span(&mut self) -> io::Result<Option<GameSpan>> {
        loop {
            match self.tokens.next_token()? {
                Some(Token::Tag {
                    name: "Variant",
                    value,
                }) => {
                    let game = game_of_variant(&value.decode());
                    if let Some(open) = &mut self.open {
                        open.game = game;
                    }
                }
                Some(Token::Begin) => {
                    let begun = self.begun();
                    self.keep_strays();
                    let end = begun.bytes.start;
                    if let Some(mut before) = self.open.replace(begun) {
                        before.bytes.end = end;
                        return Ok(Some(before));
                    }
                }
                Some(_) => {}
                None => {
                    self.keep_strays();
                    return Ok(self.open.take());
                }
            }
        }
    }

    /// The game whose first token was just read.
    fn begun(&mut self) -> GameSpan {
        let (from, line) = self.tokens.place();
        GameSpan {
            number: self.tokens.game(),
            line,
            game: Game::Chess,
            bytes: from..u64::MAX,
        }
    }

    fn keep_strays(&mut self) {
        for odd in self.tokens.diagnostics() {
            if odd.code == Code::TextBetweenGames {
                self.strays.push(StrayText {
                    line: odd.line,
                    text: odd.detail.clone(),
                    first: self.open.is_none(),
                });
            }
        }
        self.tokens.clear_diagnostics();
    }
}
