//! The four words that end a game record.

use core::fmt;

use crate::game::Side;
use crate::outcome::Outcome;

/// How a record ends. Unlike an [`Outcome`], this may be unknown: the game may
/// be unfinished, adjourned or a piece of analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Open,
}

impl GameResult {
    /// The word of the standard.
    pub const fn word(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// Reads the word of the standard, exactly.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Open]
            .into_iter()
            .find(|result| result.word() == word)
    }

    /// Reads a result in the spellings that are seen in files; the flag says
    /// whether it was the word of the standard.
    pub(crate) fn from_spelling(word: &[u8]) -> Option<(Self, bool)> {
        let found = match word {
            b"1-0" => (Self::WhiteWins, true),
            b"0-1" => (Self::BlackWins, true),
            b"1/2-1/2" => (Self::Draw, true),
            b"*" => (Self::Open, true),
            // A colon as in German papers; en and em dashes from word processors.
            b"1:0" | b"1-O" | b"1-o" | b"1\xe2\x80\x930" | b"1\xe2\x80\x940" => {
                (Self::WhiteWins, false)
            }
            b"0:1" | b"O-1" | b"o-1" | b"0\xe2\x80\x931" | b"0\xe2\x80\x941" => {
                (Self::BlackWins, false)
            }
            b"1/2"
            | b"1/2:1/2"
            | b"1/2\xe2\x80\x931/2"
            // One half as a single character, in UTF-8 and in Latin-1.
            | b"\xc2\xbd"
            | b"\xc2\xbd-\xc2\xbd"
            | b"\xc2\xbd\xe2\x80\x93\xc2\xbd"
            | b"\xbd"
            | b"\xbd-\xbd" => (Self::Draw, false),
            b"**" | b"***" => (Self::Open, false),
            _ => return None,
        };
        Some(found)
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::WhiteWins => Some(Side::White),
            Self::BlackWins => Some(Side::Black),
            Self::Draw | Self::Open => None,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome.winner {
            Some(Side::White) => Self::WhiteWins,
            Some(Side::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
