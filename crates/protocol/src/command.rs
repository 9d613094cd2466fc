//! [`Command`]: what a host says to an engine.

use alloc::vec::Vec;

use crate::dialect::Dialect;
use crate::go::{Go, GoItem};
use crate::info::Info;
use crate::items::Items;
use crate::parsed::Parsed;
use crate::text::{Moves, Text};

/// A message from a host to an engine.
///
/// [`Command::parse`] never fails: whatever cannot be understood is
/// [`Unknown`](Self::Unknown), and everything unusual is a diagnostic beside
/// the message.
///
/// ```
/// use quadrille_protocol::{Command, Dialect, PositionBase};
///
/// let line = b"joho position startpos moves e2e4 e7e5\r\n";
/// let parsed = Command::parse(line, Dialect::Uci);
/// let Command::Position(position) = parsed.message else { panic!() };
/// assert_eq!(position.base, PositionBase::Startpos);
/// assert_eq!(position.moves.unwrap().len(), 2);
/// assert_eq!(parsed.skipped(), "joho");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(tag = "command", content = "args", rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Command<'a> {
    /// `uci`: the opening word of three dialects.
    Uci,
    /// `ugi`: the opening word of UGI.
    Ugi,
    /// `debug [on|off]`; `None` if neither was said.
    Debug(Option<bool>),
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption(SetOption<'a>),
    /// `register`.
    Register(Register<'a>),
    /// `ucinewgame`.
    UciNewGame,
    /// `position`.
    Position(SetPosition<'a>),
    /// UGI's `setpos`.
    SetPos(SetPos<'a>),
    /// Leiserchess' `move`: play one move; `None` if it is missing.
    Move(Option<Text<'a>>),
    /// `go`.
    Go(Go<'a>),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// ULCI's `clock`: the clocks, for a client that is not to move.
    Clock(Clock<'a>),
    /// ULCI's `info` from server to client.
    Info(Info<'a>),
    /// `eval`, in Leiserchess with an optional move.
    Eval(Option<Text<'a>>),
    /// `bench`, with whatever follows it.
    Bench(Option<Text<'a>>),
    /// `perft [n]`.
    Perft(Option<u64>),
    /// Leiserchess' `display`; `d` in many chess engines.
    Display,
    /// Leiserchess' `generate`.
    Generate,
    /// Leiserchess' `help`.
    Help,
    /// UGI's `showpos`.
    ShowPos,
    /// A line with nothing in it.
    Empty,
    /// A line without a known command: all of it but the line end.
    Unknown(Text<'a>),
}

/// `setoption`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SetOption<'a> {
    /// The name, inner blanks as they were sent.
    pub name: Text<'a>,
    /// The value; buttons have none.
    pub value: Option<Text<'a>>,
}

impl<'a> SetOption<'a> {
    /// A name and a value.
    pub fn new(name: impl Into<Text<'a>>, value: impl Into<Text<'a>>) -> Self {
        Self {
            name: name.into(),
            value: Some(value.into()),
        }
    }

    /// A button.
    pub fn button(name: impl Into<Text<'a>>) -> Self {
        Self {
            name: name.into(),
            value: None,
        }
    }

    /// All ways to read the command when the word `value` occurs in the name
    /// or in the value, the plain reading first. An engine takes the first
    /// whose name it knows.
    ///
    /// ```
    /// use quadrille_protocol::{Command, Dialect, Text};
    ///
    /// let line = b"setoption name draw value value 30";
    /// let Command::SetOption(set) = Command::parse(line, Dialect::Uci).message else { panic!() };
    /// let known = |name: Text| name.eq_ignore_case("draw value");
    /// let found = set.readings(line).find(|s| known(s.name)).unwrap();
    /// assert_eq!(found.value.unwrap(), "30");
    /// ```
    pub fn readings(self, line: &'a [u8]) -> impl Iterator<Item = Self> {
        core::iter::once(self).chain(crate::command_parse::other_readings(line))
    }
}

/// `register`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Register<'a> {
    /// `later`.
    pub later: bool,
    /// `name <x>`.
    pub name: Option<Text<'a>>,
    /// `code <y>`.
    pub code: Option<Text<'a>>,
}

/// `position`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SetPosition<'a> {
    /// Where to start from.
    pub base: PositionBase<'a>,
    /// The moves to play; `None` without the word `moves`.
    pub moves: Option<Moves<'a>>,
}

impl<'a> SetPosition<'a> {
    /// The start position.
    pub const fn startpos() -> Self {
        Self {
            base: PositionBase::Startpos,
            moves: None,
        }
    }

    /// A position given as text.
    pub fn fen(fen: impl Into<Text<'a>>) -> Self {
        Self {
            base: PositionBase::Fen(fen.into()),
            moves: None,
        }
    }

    /// The same with moves.
    #[must_use]
    pub fn with_moves(self, moves: impl Into<Moves<'a>>) -> Self {
        Self {
            moves: Some(moves.into()),
            ..self
        }
    }
}

/// Where a `position` command starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum PositionBase<'a> {
    /// `startpos`.
    Startpos,
    /// `fen` and the text up to `moves`; fields as they were sent.
    Fen(Text<'a>),
    /// Another word: Leiserchess' `classic` and `endgame`, or one that nobody
    /// knows.
    Named(Text<'a>),
    /// No base at all: the start position is meant.
    Omitted,
}

impl<'a> PositionBase<'a> {
    /// The position as one piece of text: the FEN, the name, or `startpos`
    /// where that is meant. Readers of positions take all three.
    pub fn text(self) -> Text<'a> {
        match self {
            Self::Startpos | Self::Omitted => Text::from("startpos"),
            Self::Fen(text) | Self::Named(text) => text,
        }
    }
}

/// UGI's `setpos`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum SetPos<'a> {
    /// `start`, `bench`, `test`, `draw` or another name.
    Named(Text<'a>),
    /// `data` and the board.
    Data(Text<'a>),
    /// Nothing at all.
    Missing,
}

/// ULCI's `clock`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Clock<'a> {
    /// `wtime`, `btime`, `winc`, `binc`; other words are kept as unknown.
    pub items: Items<GoItem<'a>, 8>,
}

impl<'a> Command<'a> {
    /// The word that opens a conversation in this dialect.
    ///
    /// ```
    /// use quadrille_protocol::{Command, Dialect};
    ///
    /// for dialect in Dialect::ALL {
    ///     assert_eq!(Command::hello(dialect).line(dialect), dialect.hello().as_bytes());
    /// }
    /// ```
    pub const fn hello(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Ugi => Self::Ugi,
            _ => Self::Uci,
        }
    }

    /// Reads one line, with or without its line end.
    pub fn parse(line: &'a [u8], dialect: Dialect) -> Parsed<'a, Self> {
        crate::command_parse::parse(line, dialect)
    }

    /// Appends the command in the form of `dialect`, without a line end.
    pub fn write(&self, dialect: Dialect, out: &mut Vec<u8>) {
        crate::command_write::write(self, dialect, out);
    }

    /// The command as a line of its own, without a line end.
    pub fn line(&self, dialect: Dialect) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(dialect, &mut out);
        out
    }
}
