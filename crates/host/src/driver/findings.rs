//! What was unusual about an engine, collected while it is talked to.

use std::fmt;

use quadrille_protocol::{Code, Severity};

use crate::kinds::kinds;
use serde::{Serialize, Serializer};

/// How much of the line that first showed something is kept.
const EXAMPLE: usize = 300;

kinds! {
    /// What only a host can notice: it knows the position, the clock and the
    /// process.
    Oddity:
    /// `E7E8Q`.
    UpperCaseMove, "upper-case-move", Warning, "a move with upper-case letters";
    /// `e1h1` where `e1g1` is due, or the other way round.
    CastlingForm, "castling-form", Warning, "castling written in the form of the other kind of chess";
    /// Characters behind the move.
    MoveJunk, "move-junk", Warning, "characters that do not belong to the move";
    /// Any other form that is not the dialect's.
    MoveForm, "move-form", Warning, "a move in a form that is not the dialect's";
    /// A move that cannot be played.
    IllegalMove, "illegal-move", Error, "the best move is not legal";
    /// `bestmove 0000` although there are moves.
    NullMoveInPlay, "null-move-in-play", Error, "no move, although there are legal ones";
    /// A ponder move that is not legal after the best move.
    IllegalPonder, "illegal-ponder", Warning, "the move to ponder on is not legal";
    /// A best move that is not one of `searchmoves`.
    OutsideSearchmoves, "outside-searchmoves", Warning, "the best move is not one of the moves to search";
    /// An answer to an earlier search.
    StrayBestmove, "stray-bestmove", Error, "a bestmove that belongs to an earlier search";
    /// Never an exact score.
    OnlyBounds, "only-bounds", Note, "all scores of this search are only bounds";
    /// The answer came after the deadline and a `stop`.
    Overdue, "overdue", Error, "the answer came only after the time was up and stop was sent";
    /// Not even `stop` helped.
    NoAnswer, "no-answer", Error, "there was no answer, not even to stop";
    /// `readyok` did not come.
    NotReady, "not-ready", Error, "isready was not answered in time";
    /// No `readyok` while a search ran.
    DeafWhileSearching, "deaf-while-searching", Warning, "isready was not answered during a search";
    /// The engine lived on after `quit`.
    HungOnQuit, "hung-on-quit", Warning, "the engine did not end on quit and was killed or cut off";
    /// The engine ended on `quit`, but not well.
    CrashedOnQuit, "crashed-on-quit", Warning, "the engine did not end well on quit";
    /// The engine ended without being asked to.
    Died, "died", Error, "the engine ended by itself";
    /// Something on standard error.
    WroteToStderr, "wrote-to-stderr", Note, "the engine writes to standard error";
    /// The user set an option that is not declared.
    UnknownOption, "unknown-option", Warning, "the engine has no such option";
    /// The user set an option that the host sets.
    HostOption, "host-option", Note, "the host sets this option itself";
    /// A Chess960 game with an engine that does not declare the option.
    NoChess960, "no-chess960", Warning, "a Chess960 game, but the engine has no option UCI_Chess960";
    /// A name and code were not accepted.
    NotRegistered, "not-registered", Warning, "the engine did not accept name and code";
    /// An error message of the engine.
    EngineError, "engine-error", Warning, "the engine reports an error";
    /// A line beyond the limit.
    LineCut, "line-cut", Warning, "a line was too long and has been cut";
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingCode {
    /// About a line, or about the order of the conversation.
    Protocol(Code),
    /// About a move, the time or the process.
    Host(Oddity),
}

impl FindingCode {
    /// The stable name, in kebab case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Protocol(code) => code.as_str(),
            Self::Host(oddity) => oddity.as_str(),
        }
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::Protocol(code) => code.severity(),
            Self::Host(oddity) => oddity.severity(),
        }
    }

    /// What is wrong, for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Protocol(code) => code.sentence(),
            Self::Host(oddity) => oddity.sentence(),
        }
    }
}

impl From<Code> for FindingCode {
    fn from(code: Code) -> Self {
        Self::Protocol(code)
    }
}

impl From<Oddity> for FindingCode {
    fn from(oddity: Oddity) -> Self {
        Self::Host(oddity)
    }
}

impl Serialize for FindingCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Something unusual about an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What.
    pub code: FindingCode,
    /// How often.
    pub count: u64,
    /// The line that showed it first, or the circumstance in words.
    pub first: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (severity, code) = (self.code.severity(), self.code.as_str());
        write!(f, "{severity}[{code}]: {}", self.code.sentence())?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        if self.first.is_empty() {
            return Ok(());
        }
        write!(f, ": {}", self.first)
    }
}

/// Everything unusual about an engine so far, in the order in which it was
/// first noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    pub(super) fn add(&mut self, code: impl Into<FindingCode>, line: &[u8]) {
        let code = code.into();
        if let Some(known) = self.list.iter_mut().find(|known| known.code == code) {
            known.count += 1;
            return;
        }
        let shown = &line[..line.len().min(EXAMPLE)];
        self.list.push(Finding {
            code,
            count: 1,
            first: String::from_utf8_lossy(shown).into_owned(),
        });
    }

    /// One after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// Looks for one.
    pub fn get(&self, code: impl Into<FindingCode>) -> Option<&Finding> {
        let code = code.into();
        self.list.iter().find(|known| known.code == code)
    }

    /// Whether this was found.
    pub fn contains(&self, code: impl Into<FindingCode>) -> bool {
        self.get(code).is_some()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds what was found about another process of the same engine.
    pub fn merge(&mut self, other: &Self) {
        for finding in &other.list {
            match self
                .list
                .iter_mut()
                .find(|known| known.code == finding.code)
            {
                Some(known) => known.count += finding.count,
                None => self.list.push(finding.clone()),
            }
        }
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
