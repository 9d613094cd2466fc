//! One game followed on one board, token by token.

use core::fmt;

use super::diagnostic::Code;
use super::reader::Visitor;
use super::repair::{self, NULL_MOVE};
use super::result::GameResult;
use super::start::StartTags;
use super::text::Text;
use super::tokens::Token;
use super::tree::{Ply, can_pass};
use crate::error::{MoveError, MoveErrorKind};
use crate::position::Position;

/// The most tags that one game can have.
const MOST_TAGS: usize = 1024;

/// Follows a game: knows the start position, the board, and the way back out
/// of every open variation. Kept from game to game so that nothing is
/// allocated anew.
pub(crate) struct Follower<P: Position> {
    pub(crate) variations: bool,
    pub(crate) most_depth: usize,
    /// Problems with the last token, for the reader to place.
    pub(crate) notes: Vec<(Code, String)>,
    /// The usual start position, made once.
    usual: P,
    board: P,
    tags: TagState,
    /// Moves that can be taken back, only kept when variations are followed.
    path: Vec<(Ply<P::Move>, P::Undo)>,
    frames: Vec<Frame<P::Move>>,
    line: LineState,
    started: bool,
    encoding_noted: bool,
    result: Option<GameResult>,
}

/// What the tags have said so far.
#[derive(Debug, Default)]
struct TagState {
    start: StartTags,
    result: Option<GameResult>,
    /// Hashes of the names, to see repetitions.
    names: Vec<u64>,
}

/// Where the reader stands in a line.
#[derive(Debug, Clone, Copy, Default)]
struct LineState {
    /// Length of the path at the start of the line.
    base: usize,
    /// Whether a move of the line has been made.
    moved: bool,
    /// The line has met a move that cannot be played, or is not wanted.
    dead: bool,
    /// How deep in a variation that is passed unread.
    skipped: u32,
    /// A glyph waits for the first move.
    loose_nag: bool,
}

/// A line that waits for a variation to end.
#[derive(Debug)]
struct Frame<M> {
    /// The move the variation replaces.
    replaced: Ply<M>,
    outer: LineState,
}

impl<P: Position> fmt::Debug for Follower<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What a game needs to take moves back need not be printable.
        f.debug_struct("Follower")
            .field("board", &self.board)
            .field("line", &self.line)
            .field("depth", &self.frames.len())
            .finish_non_exhaustive()
    }
}

impl<P: Position> Follower<P> {
    pub(crate) fn new(most_depth: usize) -> Self {
        let usual = P::start(&P::Rules::default());
        Self {
            variations: true,
            most_depth,
            notes: Vec::new(),
            board: usual.clone(),
            usual,
            tags: TagState::default(),
            path: Vec::new(),
            frames: Vec::new(),
            line: LineState::default(),
            started: false,
            encoding_noted: false,
            result: None,
        }
    }

    pub(crate) fn usual(&self) -> &P {
        &self.usual
    }

    pub(crate) fn reset(&mut self) {
        self.notes.clear();
        self.tags.start.clear();
        self.tags.result = None;
        self.tags.names.clear();
        self.path.clear();
        self.frames.clear();
        self.line = LineState::default();
        self.started = false;
        self.encoding_noted = false;
        self.result = None;
    }

    /// Deals with a token; `true` when the game is over.
    #[inline]
    pub(crate) fn take<V: Visitor<P>>(&mut self, token: Token<'_>, visitor: &mut V) -> bool {
        if let Token::Move(text) = token {
            if !self.started {
                self.begin_moves(visitor);
            }
            if !self.line.dead && self.line.skipped == 0 {
                match self.board.parse_notation(text) {
                    Ok(m) => self.play(visitor, m),
                    Err(error) => self.odd_move(visitor, &error),
                }
            }
            return false;
        }
        self.take_other(token, visitor)
    }

    fn take_other<V: Visitor<P>>(&mut self, token: Token<'_>, visitor: &mut V) -> bool {
        match token {
            Token::Tag { name, value } => self.tag(visitor, name, value),
            // Comments may stand before the tags, so they do not begin the moves.
            Token::Comment { text, numbered } => self.comment(visitor, text, numbered),
            Token::Begin | Token::Move(_) => {}
            token => {
                if !self.started {
                    self.begin_moves(visitor);
                }
                match token {
                    Token::Nag(nag) if self.listens() => {
                        self.line.loose_nag |= !self.line.moved;
                        visitor.nag(nag);
                    }
                    Token::Open => self.open(visitor),
                    Token::Close => self.close(visitor),
                    Token::Result(result) => {
                        self.loose_ends();
                        self.result(visitor, result);
                    }
                    Token::End => {
                        self.end(visitor);
                        return true;
                    }
                    _ => {}
                }
            }
        }
        false
    }

    fn note(&mut self, code: Code, detail: impl Into<String>) {
        self.notes.push((code, detail.into()));
    }

    /// Whether what stands here belongs to a line that is being followed.
    fn listens(&self) -> bool {
        !self.line.dead && self.line.skipped == 0
    }

    fn check_encoding(&mut self, text: Text<'_>) {
        if !self.encoding_noted && !text.is_utf8() {
            self.encoding_noted = true;
            self.note(Code::NotUtf8, text.decode());
        }
    }

    fn tag<V: Visitor<P>>(&mut self, visitor: &mut V, name: &str, value: Text<'_>) {
        if self.tags.names.len() >= MOST_TAGS {
            if self.tags.names.len() == MOST_TAGS {
                self.tags.names.push(0);
                self.note(Code::TooLong, format!("more than {MOST_TAGS} tags"));
            }
            return;
        }
        let hash = fnv(name);
        if self.tags.names.contains(&hash) {
            self.note(Code::TagRepeated, name);
            return;
        }
        self.tags.names.push(hash);
        if V::DECODES {
            self.check_encoding(value);
        }
        match name {
            "Result" => {
                let text = value.decode();
                self.tags.result = GameResult::from_spelling(text.as_bytes()).map(|found| found.0);
                if GameResult::from_word(&text).is_none() && text != "?" {
                    self.note(Code::ResultOdd, text);
                }
            }
            "FEN" | "Variant" | "Rules" => self.tags.start.offer(name, &value.decode()),
            _ => {}
        }
        visitor.tag(name, value);
    }

    /// The first thing after the tags: where does the game start?
    fn begin_moves<V: Visitor<P>>(&mut self, visitor: &mut V) {
        self.started = true;
        if self.tags.start.is_usual() {
            self.board.clone_from(&self.usual);
        } else {
            match self.tags.start.position() {
                Ok(start) => self.board = start,
                Err((code, detail)) => {
                    self.note(code, detail);
                    self.line.dead = true;
                    return;
                }
            }
        }
        self.line.dead = visitor.start(&self.board).is_break();
    }

    #[inline]
    fn play<V: Visitor<P>>(&mut self, visitor: &mut V, m: P::Move) {
        visitor.play(&self.board, m);
        self.step(Ply::Move(m));
    }

    #[inline]
    fn step(&mut self, ply: Ply<P::Move>) {
        let undo = ply.make(&mut self.board);
        if self.variations {
            self.path.push((ply, undo));
        }
        self.line.moved = true;
        self.line.loose_nag = false;
    }

    /// A word that the rules did not take: mend it or end the line.
    #[cold]
    fn odd_move<V: Visitor<P>>(&mut self, visitor: &mut V, error: &MoveError) {
        let null = error.kind == MoveErrorKind::NullMove || repair::is_null(&error.text);
        if null && can_pass(&self.board) {
            if error.text != NULL_MOVE {
                self.note(
                    Code::MoveSpelling,
                    format!("{} for {NULL_MOVE}", error.text),
                );
            }
            visitor.pass(&self.board);
            self.step(Ply::Pass);
            return;
        }
        if let Some((m, nag)) = repair::read(&self.board, &error.text) {
            let usual = self.board.notation(m);
            self.note(Code::MoveSpelling, format!("{} for {usual}", error.text));
            self.play(visitor, m);
            if let Some(nag) = nag {
                visitor.nag(nag);
            }
            return;
        }
        let code = match error.kind {
            _ if null => Code::NullMove,
            MoveErrorKind::Ambiguous => Code::MoveAmbiguous,
            MoveErrorKind::Syntax { .. } | MoveErrorKind::NotASquare => Code::MoveUnreadable,
            _ => Code::MoveIllegal,
        };
        self.note(code, error.to_string());
        self.loose_ends();
        self.line.dead = true;
    }

    fn comment<V: Visitor<P>>(&mut self, visitor: &mut V, text: Text<'_>, numbered: bool) {
        if !self.listens() {
            return;
        }
        if V::DECODES {
            self.check_encoding(text);
        }
        visitor.comment(text, numbered);
    }

    fn open<V: Visitor<P>>(&mut self, visitor: &mut V) {
        if !self.listens() || !self.variations {
            self.line.skipped += 1;
            return;
        }
        if self.frames.len() >= self.most_depth {
            self.note(Code::TooDeep, "");
            self.line.skipped = 1;
            return;
        }
        if !self.line.moved {
            self.note(Code::VariationWithoutMove, "");
            self.line.skipped = 1;
            return;
        }
        // `moved` says that the path is longer than the base of the line.
        let Some((replaced, undo)) = self.path.pop() else {
            return;
        };
        replaced.unmake(&mut self.board, undo);
        self.frames.push(Frame {
            replaced,
            outer: self.line,
        });
        self.line = LineState {
            base: self.path.len(),
            ..LineState::default()
        };
        visitor.open();
    }

    fn close<V: Visitor<P>>(&mut self, visitor: &mut V) {
        if self.line.skipped > 0 {
            self.line.skipped -= 1;
            return;
        }
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.loose_ends();
        if !self.line.moved && !self.line.dead {
            self.note(Code::VariationEmpty, "");
        }
        while self.path.len() > self.line.base {
            if let Some((ply, undo)) = self.path.pop() {
                ply.unmake(&mut self.board, undo);
            }
        }
        let undo = frame.replaced.make(&mut self.board);
        self.path.push((frame.replaced, undo));
        self.line = frame.outer;
        visitor.close();
    }

    /// A glyph that waited for a move in vain.
    fn loose_ends(&mut self) {
        if self.line.loose_nag {
            self.line.loose_nag = false;
            self.note(Code::NagWithoutMove, "");
        }
    }

    fn result<V: Visitor<P>>(&mut self, visitor: &mut V, result: GameResult) {
        if let Some(tag) = self.tags.result
            && tag != result
        {
            self.note(Code::ResultDisagrees, format!("{result}, tag {tag}"));
        }
        self.result = Some(result);
        visitor.result(result);
    }

    fn end<V: Visitor<P>>(&mut self, visitor: &mut V) {
        self.loose_ends();
        if self.result.is_none() {
            visitor.result(self.tags.result.unwrap_or_default());
        }
    }
}

/// A short hash of a tag name; 1024 names at most are compared by it.
fn fnv(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
