//! Refusals, put together in one place.

use quadrille_games::any_line::SetupError;
use quadrille_games::{MoveError, PositionError};

use crate::wire::{Answer, Refusal, RefusalCode};

/// What becomes of a question.
pub(crate) type Answered = Result<Answer, Refusal>;

impl Refusal {
    /// A refusal in words.
    pub fn new(code: RefusalCode, words: impl Into<String>) -> Self {
        Self {
            code,
            words: words.into(),
        }
    }

    /// There is no such thing any more.
    pub fn gone(what: &str, id: u32) -> Self {
        Self::new(
            RefusalCode::Gone,
            format!("there is no {what} {id} any more"),
        )
    }

    pub(crate) fn forbidden(words: &str) -> Self {
        Self::new(RefusalCode::Forbidden, words)
    }

    pub(crate) fn turn(words: &str) -> Self {
        Self::new(RefusalCode::Turn, words)
    }

    pub(crate) fn value(words: impl Into<String>) -> Self {
        Self::new(RefusalCode::Value, words)
    }

    pub(crate) fn too_much(words: impl Into<String>) -> Self {
        Self::new(RefusalCode::TooMuch, words)
    }

    pub(crate) fn absent(words: &str) -> Self {
        Self::new(RefusalCode::Absent, words)
    }
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Self {
        Self::new(RefusalCode::Move, error.to_string())
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Self {
        Self::new(RefusalCode::Position, error.to_string())
    }
}

impl From<PositionError> for Refusal {
    fn from(error: PositionError) -> Self {
        Self::new(RefusalCode::Position, error.to_string())
    }
}

/// Whether a character is seen instead of steering a terminal or turning the direction
/// of what stands around it.
fn is_seen(c: char) -> bool {
    let turns = matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !turns
}

/// A text of a page, cut to so many characters, without those that are not seen.
pub(crate) fn clean(text: &str, most: usize) -> String {
    let kept = text.chars().filter(|c| is_seen(*c) || *c == '\n');
    let kept: String = kept.take(most).collect();
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_or_turns_is_left_out() {
        assert_eq!(clean(" A\u{202E}nn\u{2066}a\u{1b}[1m\0 ", 40), "Anna[1m");
        assert_eq!(clean("Анна\nB", 6), "Анна\nB");
        assert_eq!(clean("abcdef", 3), "abc");
    }
}
