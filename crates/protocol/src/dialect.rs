//! The four dialects.

use core::fmt;
use core::str::FromStr;

/// Which member of the UCI family a conversation is held in.
///
/// All dialects share one grammar; a dialect decides what unknown words mean,
/// which units numbers have, and how a message is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Dialect {
    /// UCI, April 2006: chess and Chess960.
    #[default]
    Uci,
    /// ULCI, version 1: Liberty Chess. Host and engine are called server and
    /// client.
    Ulci,
    /// UCI for Leiserchess (laser chess).
    Leiser,
    /// UGI: Gyges.
    Ugi,
}

impl Dialect {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Uci, Self::Ulci, Self::Leiser, Self::Ugi];

    /// The lower-case name used in files and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ulci => "ulci",
            Self::Leiser => "leiser",
            Self::Ugi => "ugi",
        }
    }

    /// The word with which a host opens the conversation.
    pub const fn hello(self) -> &'static str {
        match self {
            Self::Ugi => "ugi",
            _ => "uci",
        }
    }

    /// Whether a reader skips words it does not know and reads on
    /// (`joho debug on`), or ignores the whole command.
    pub const fn skips_unknown_words(self) -> bool {
        matches!(self, Self::Uci | Self::Leiser)
    }

    /// The null move as an engine of this dialect sends it; `None` where it
    /// depends on the board (Leiserchess: the King's own square twice).
    pub const fn null_move(self) -> Option<&'static str> {
        match self {
            Self::Uci | Self::Ulci => Some("0000"),
            Self::Leiser => None,
            Self::Ugi => Some("null"),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such dialect: choose uci, ulci, leiser or ugi")
    }
}

impl core::error::Error for UnknownDialect {}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(text: &str) -> Result<Self, UnknownDialect> {
        Self::ALL
            .into_iter()
            .find(|d| d.name().eq_ignore_ascii_case(text))
            .ok_or(UnknownDialect)
    }
}
