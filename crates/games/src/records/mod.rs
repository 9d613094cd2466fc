//! Game records: reading and writing files of games.
//!
//! Three levels, each built on the one below; take the lowest that does the
//! job.
//!
//! 1. [`Tokenizer`] splits a stream of bytes into [`Token`]s. It knows no game.
//! 2. [`Reader::read_game`] follows every move on a board and tells a
//!    [`Visitor`]: each move is resolved and checked, nothing is kept.
//! 3. [`Reader::read_record`] builds a [`Record`]: a tree of moves with
//!    comments, glyphs, clocks and evaluations, which can be changed and
//!    written back ([`Record::to_pgn`]).
//!
//! One game is in memory at a time, so a file may be of any length.
//!
//! # What is tolerated
//!
//! Files of games are written by many hands. Reading never stops before the
//! end of the file: everything odd becomes a [`Diagnostic`] with its place, and
//! a move that cannot be played ends its line, not the game after it. No
//! recursion follows the nesting of variations.
//!
//! # Null moves
//!
//! Annotators let a side pass to show what the other one threatens, and many
//! spellings of that are in use: `--`, `Z0`, `0000`, `@@@@`, `null`, `pass`. All
//! are read as [`Ply::Pass`], followed on the board and written as `--`. Where
//! a side cannot pass, in check and after a win, a null move ends its line as
//! an illegal move does.
//!
//! # The other games
//!
//! Liberty Chess, Leiserchess and Gyges have no record format of their own, so
//! they borrow this one: the tag `Variant` names the game, `Rules` its rules if
//! they are not the usual ones, `FEN` the start position in the text of that
//! game, and moves are written in its notation.

mod any;
mod buffer;
mod builder;
mod comment;
mod date;
mod diagnostic;
mod follow;
mod nag;
mod reader;
mod record;
mod repair;
mod result;
mod scan;
mod spans;
mod start;
mod tag;
mod tags;
mod text;
mod tokens;
mod tree;
mod wrap;
mod write;

pub use any::{AnyRecord, Step};
pub use comment::{
    Comment, CommentPart, EngineNote, Evaluation, Score, duration_from_text, duration_text,
};
pub use date::calendar_date;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use nag::Nag;
pub use reader::{Reader, Records, Visitor};
pub use record::Record;
pub use result::GameResult;
pub use spans::{GameSpan, Spans, StrayText};
pub use tags::{ROSTER, TagError, Tags, game_of_variant};
pub use text::Text;
pub use tokens::{Token, Tokenizer};
pub use tree::{NodeId, Notes, Ply};
pub use write::{Notation, WriteOptions};
