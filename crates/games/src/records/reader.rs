//! The middle level: every move resolved and checked against the rules.
//!
//! The reader follows each game on one board, taking moves back at the end of
//! a variation, and tells a [`Visitor`] what happens. It keeps no tree, and
//! its memory does not depend on the length of the file.

use core::ops::ControlFlow;
use std::io::{self, Read};

use super::builder::Builder;
use super::diagnostic::Diagnostic;
use super::follow::Follower;
use super::nag::Nag;
use super::record::Record;
use super::result::GameResult;
use super::text::Text;
use super::tokens::{Token, Tokenizer};
use crate::position::Position;

/// What happens in a game, in the order of the file. Every method has a body
/// that does nothing, so a visitor implements only what it needs.
pub trait Visitor<P: Position> {
    /// Whether the visitor decodes comments and tags, so that the reader should
    /// check their encoding.
    const DECODES: bool = false;

    /// A game begins.
    fn begin(&mut self) {}

    /// A tag; never the same name twice in one game.
    fn tag(&mut self, name: &str, value: Text<'_>) {
        let _ = (name, value);
    }

    /// The tags are over and this is where the game starts.
    /// [`ControlFlow::Break`] passes the moves of this game unread.
    fn start(&mut self, position: &P) -> ControlFlow<()> {
        let _ = position;
        ControlFlow::Continue(())
    }

    /// A legal move that is about to be made.
    fn play(&mut self, position: &P, m: P::Move) {
        let _ = (position, m);
    }

    /// A null move, which is about to be followed: the turn goes over and
    /// nothing else happens. [`open`](Self::open) and [`close`](Self::close)
    /// count it as a move.
    fn pass(&mut self, position: &P) {
        let _ = position;
    }

    /// A comment. `numbered` says that a move number stands between the last
    /// move and the comment.
    fn comment(&mut self, text: Text<'_>, numbered: bool) {
        let _ = (text, numbered);
    }

    /// A glyph for the last move, or for the next one at the start of a line.
    fn nag(&mut self, nag: Nag) {
        let _ = nag;
    }

    /// A variation begins: the last move is taken back.
    fn open(&mut self) {}

    /// The variation is over: the board stands again where it stood when it
    /// began.
    fn close(&mut self) {}

    /// The result after the moves; if it is missing, that of the tag.
    fn result(&mut self, result: GameResult) {
        let _ = result;
    }

    /// The game is over.
    fn end(&mut self) {}
}

/// A visitor for whom it is enough that the moves are checked.
impl<P: Position> Visitor<P> for () {}

/// Reads games of one kind from a stream, one at a time.
///
/// ```
/// use quadrille_games::chess::Chess;
/// use quadrille_games::records::{Code, Reader};
///
/// let file = b"1. e4 e5 2. Ke3 *\n\n1. d4 1-0";
/// let mut reader = Reader::<Chess, _>::new(&file[..]);
/// let first = reader.read_record()?.unwrap();
/// assert_eq!(first.main_line().count(), 2);
/// let problem = &reader.diagnostics()[0];
/// assert_eq!((problem.code, problem.line, problem.column), (Code::MoveIllegal, 1, 13));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<P: Position, R> {
    tokens: Tokenizer<R>,
    follower: Follower<P>,
}

impl<P: Position, R: Read> Reader<P, R> {
    /// Variations nested deeper than this are skipped unless told otherwise.
    pub const DEFAULT_DEPTH: usize = 100_000;

    /// A reader at the start of a file.
    pub fn new(source: R) -> Self {
        Self::from_tokens(Tokenizer::new(source))
    }

    /// A reader that goes on where a tokenizer stands, between two games.
    pub fn from_tokens(tokens: Tokenizer<R>) -> Self {
        Self {
            tokens,
            follower: Follower::new(Self::DEFAULT_DEPTH),
        }
    }

    /// Whether variations are followed (they are, unless told otherwise) or
    /// passed unread.
    #[must_use]
    pub fn with_variations(mut self, follow: bool) -> Self {
        self.follower.variations = follow;
        self
    }

    /// Skips variations nested deeper than this.
    #[must_use]
    pub fn with_depth(mut self, most: usize) -> Self {
        self.follower.most_depth = most;
        self
    }

    /// The game read last, counted from 1.
    pub fn game(&self) -> u64 {
        self.tokens.game()
    }

    /// What was odd in the game read last and in the text before it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.tokens.diagnostics()
    }

    /// Reads the next game into a tree; `None` at the end of the file.
    pub fn read_record(&mut self) -> io::Result<Option<Record<P>>> {
        let mut builder = Builder::new(self.follower.usual().clone());
        Ok(self.read_game(&mut builder)?.then(|| builder.finish()))
    }

    /// Reads the next game for a visitor; `false` at the end of the file.
    pub fn read_game<V: Visitor<P>>(&mut self, visitor: &mut V) -> io::Result<bool> {
        self.tokens.clear_diagnostics();
        if self.tokens.next_token()? != Some(Token::Begin) {
            return Ok(false);
        }
        self.follower.reset();
        visitor.begin();
        while let Some(token) = self.tokens.next_token()? {
            let over = self.follower.take(token, visitor);
            if !self.follower.notes.is_empty() {
                for (code, detail) in self.follower.notes.drain(..) {
                    self.tokens.report(code, &detail);
                }
            }
            if over {
                break;
            }
        }
        visitor.end();
        Ok(true)
    }

    /// Passes the next game unread; `false` at the end of the file.
    pub fn skip_game(&mut self) -> io::Result<bool> {
        self.tokens.clear_diagnostics();
        loop {
            match self.tokens.next_token()? {
                None => return Ok(false),
                Some(Token::End) => return Ok(true),
                Some(_) => {}
            }
        }
    }

    /// All games from here on, each with what was odd in it.
    pub fn records(self) -> Records<P, R> {
        Records { reader: self }
    }
}

/// The games of a file, one tree at a time.
#[derive(Debug)]
pub struct Records<P: Position, R> {
    reader: Reader<P, R>,
}

impl<P: Position, R: Read> Iterator for Records<P, R> {
    type Item = io::Result<(Record<P>, Vec<Diagnostic>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.reader.read_record().transpose()?;
        Some(record.map(|record| (record, self.reader.diagnostics().to_vec())))
    }
}
