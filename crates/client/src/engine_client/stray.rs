//! Lines with `bestmove` that may not be the answer to a search.

use std::time::Duration;

use quadrille_games::AnyLine;
use quadrille_protocol::BestMove;

use crate::moves::{Understood, is_finished, understand};

/// A second answer to an earlier search, or a move in a sentence, is followed by the
/// answer to this one sooner than that, or there is none.
pub(super) const DOUBT: Duration = Duration::from_secs(3);

/// A line with `bestmove` that may not be the answer.
#[derive(Debug)]
pub(super) struct Stray {
    pub(super) line: Vec<u8>,
    pub(super) arrived: Duration,
    /// The same, moved by the time in which the host was suspended.
    pub(super) doubted_since: Duration,
    pub(super) doubt: Doubt,
}

/// Why a line may not be the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doubt {
    /// It looks like the answer to an earlier search.
    SaidBefore,
    /// It may be a part of a sentence.
    AmidWords,
}

/// Whether an answer is not a move here, came without any information, and has the
/// words of the answer before: the engine said that one twice.
pub(super) fn is_stray(line: &AnyLine, best: &BestMove<'_>, answered: &[u8]) -> bool {
    let Some(text) = best.best else {
        return false;
    };
    let same = !answered.is_empty() && text.as_bytes() == answered && !text.is_null_move();
    // Where the game is over no move is legal, so that says nothing.
    same && matches!(understand(line, text), Understood::Illegal(_)) && !is_finished(line)
}
