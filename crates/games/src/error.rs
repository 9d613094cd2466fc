//! What can be wrong with a position text or a move text.

use core::fmt;

use crate::game::Game;

/// A position text that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionError {
    /// The game whose reader complains.
    pub game: Game,
    /// The field of the text, in the words of its specification: `placement`,
    /// `side to move`, `castling`...
    pub field: &'static str,
    /// 1-based byte column in the text that was read; for a missing field the
    /// column just after the end.
    pub column: usize,
    /// What is wrong there.
    pub kind: PositionErrorKind,
}

/// What is wrong with a position text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionErrorKind {
    /// The field is not there.
    Missing,
    /// This character cannot stand here.
    Unexpected(char),
    /// A number was expected.
    NotANumber(String),
    /// A number outside its range.
    OutOfRange {
        /// What was read.
        found: u64,
        /// Smallest value allowed.
        min: u64,
        /// Largest value allowed.
        max: u64,
    },
    /// Too few or too many of something (ranks, squares in a rank, kings...).
    Count {
        /// What was counted.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A square name that is not on the board.
    NotASquare(String),
    /// Letters that name no piece of this game.
    NotAPiece(String),
    /// A builder's field that this game does not have.
    UnknownField(String),
    /// Something follows the last field.
    Trailing(String),
    /// Every field can be read, but together they cannot be a position of this
    /// game.
    Impossible(&'static str),
}

impl fmt::Display for PositionErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("the field is missing"),
            Self::Unexpected(c) => write!(f, "{c:?} cannot stand here"),
            Self::NotANumber(text) => write!(f, "{text:?} is not a number"),
            Self::OutOfRange { found, min, max } => {
                write!(f, "{found} is outside {min} to {max}")
            }
            Self::Count {
                what,
                expected,
                found,
            } => {
                write!(f, "expected {expected} {what}, found {found}")
            }
            Self::NotASquare(text) => write!(f, "{text:?} is not a square of this board"),
            Self::NotAPiece(text) => write!(f, "{text:?} is not a piece of this game"),
            Self::UnknownField(text) => write!(f, "this game has no field {text:?}"),
            Self::Trailing(text) => write!(f, "{text:?} follows the last field"),
            Self::Impossible(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} position, {} (column {}): {}",
            self.game, self.field, self.column, self.kind
        )
    }
}

impl core::error::Error for PositionError {}

/// A move text that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveError {
    /// The text as it was given.
    pub text: String,
    /// What is wrong with it.
    pub kind: MoveErrorKind,
}

/// What is wrong with a move text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveErrorKind {
    /// It does not have the form of a move; the 1-based column where reading
    /// stopped.
    Syntax {
        /// Where reading stopped.
        column: usize,
    },
    /// A square that is not on this board.
    NotASquare,
    /// There is no own piece to move.
    NoPiece,
    /// A promotion letter is needed and missing.
    PromotionMissing,
    /// A promotion letter that is not allowed here.
    PromotionNotAllowed,
    /// Several legal moves fit (human notation).
    Ambiguous,
    /// A null move where none may be played.
    NullMove,
    /// A move value of another game than this one.
    OtherGame(Game),
    /// A legal move as people write it where engine text was wanted; the text
    /// of an engine.
    Notation(String),
    /// Well-formed, but not legal; the reason if the rules can name it.
    Illegal(&'static str),
}

impl MoveError {
    /// An error about `text`.
    pub fn new(text: &str, kind: MoveErrorKind) -> Self {
        Self {
            text: text.into(),
            kind,
        }
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {:?}: ", self.text)?;
        match &self.kind {
            MoveErrorKind::Syntax { column } => write!(f, "cannot be read from column {column} on"),
            MoveErrorKind::NotASquare => f.write_str("names a square that is not on the board"),
            MoveErrorKind::NoPiece => f.write_str("there is no own piece to move"),
            MoveErrorKind::PromotionMissing => f.write_str("the promotion piece is missing"),
            MoveErrorKind::PromotionNotAllowed => f.write_str("this promotion is not allowed"),
            MoveErrorKind::Ambiguous => f.write_str("several legal moves fit"),
            MoveErrorKind::NullMove => f.write_str("a null move cannot be played here"),
            MoveErrorKind::OtherGame(game) => write!(f, "is no move of the game {game}"),
            MoveErrorKind::Notation(text) => write!(
                f,
                "is written for people: engines write {text:?}, and play_notation reads both"
            ),
            MoveErrorKind::Illegal(why) => write!(f, "illegal: {why}"),
        }
    }
}

impl core::error::Error for MoveError {}
