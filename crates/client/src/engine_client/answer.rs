//! What the words after `bestmove` mean.

use std::time::Duration;

use quadrille_games::{AnyLine, MoveError};
use quadrille_protocol::{BestMove, Score, Text};

use crate::info::InfoLine;
use crate::moves::{NamedMove, Understood, cut, in_our_view, is_finished, understand};

/// More than the longest move there is.
const LONGEST_MOVE: usize = 100;

/// The end of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer.
    pub reply: Reply,
    /// The move to ponder on; only one that is legal after the best move.
    pub ponder: Option<NamedMove>,
    /// The words after `bestmove`.
    pub text: Option<String>,
    /// The score that UGI sends with the best move.
    pub score: Option<Score>,
    /// The last line for each of the best lines: exact where there was an exact one.
    pub lines: Vec<InfoLine>,
    /// The first move of the last best line, even if its score was only a bound: what
    /// the engine should play.
    pub head: Option<String>,
    /// How many `info` lines came.
    pub info_count: u64,
    /// When the answer came.
    pub at: Duration,
    /// Whether it came before it was asked for: in an infinite search without `stop`, or
    /// in a ponder search without `ponderhit`.
    pub premature: bool,
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A legal move.
    Move(NamedMove),
    /// No move, and rightly so: the game is over here.
    NoMove,
    /// Something that cannot be played.
    Illegal(MoveError),
    /// An answer that came only after the deadline, when `stop` had been sent, and what it
    /// would have been before.
    TimedOut(Box<Self>),
}

/// The words of a `bestmove` line.
pub(super) struct Words {
    pub(super) best: Option<String>,
    pub(super) ponder: Option<String>,
    pub(super) score: Option<Score>,
}

impl From<&BestMove<'_>> for Words {
    fn from(best: &BestMove<'_>) -> Self {
        let text = |text: Text<'_>| cut(text, LONGEST_MOVE);
        Self {
            best: best.best.map(text),
            ponder: best.ponder.filter(|m| !m.is_null_move()).map(text),
            score: best.score,
        }
    }
}

/// Whether an answer without the end of its line is not a move here: the engine died in
/// the middle of a word, and what it would have said is not known.
pub(super) fn is_broken_off(line: &AnyLine, best: &BestMove<'_>) -> bool {
    let text = best.best.unwrap_or_default();
    !is_finished(line) && !matches!(understand(line, text), Understood::Move(..))
}

/// Whether a move is one of those that were to be searched.
pub(super) fn is_allowed(line: &AnyLine, searchmoves: &[String], found: &NamedMove) -> bool {
    let same = |text: &String| line.parse_notation(text).is_ok_and(|m| m == found.value);
    searchmoves.is_empty() || searchmoves.iter().any(same)
}

/// The move to ponder on, if it is legal after the best one.
pub(super) fn ponder_move(line: &AnyLine, best: &NamedMove, text: &str) -> Option<NamedMove> {
    let mut after = line.variation();
    after.push(best.value).ok()?;
    let value = after.parse_notation(&in_our_view(line, text)).ok()?;
    let text = after.text_of(value).ok()?;
    Some(NamedMove { value, text })
}
