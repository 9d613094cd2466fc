//! [`Report`]: what an engine says to a host.

use alloc::vec::Vec;

use crate::dialect::Dialect;
use crate::info::Info;
use crate::options::OptionLine;
use crate::parsed::Parsed;
use crate::score::{Score, Time};
use crate::text::Text;

/// A message from an engine to a host.
///
/// [`Report::parse`] never fails: banners, debug output and whatever else
/// cannot be understood is [`Text`](Self::Text), and everything unusual is a
/// diagnostic beside the message.
///
/// ```
/// use quadrille_protocol::{Dialect, Report};
///
/// let parsed = Report::parse(b"bestmove e2e4 ponder e7e5\n", Dialect::Uci);
/// let Report::BestMove(best) = parsed.message else { panic!() };
/// assert_eq!(best.best.unwrap(), "e2e4");
/// assert_eq!(best.ponder.unwrap(), "e7e5");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(tag = "report", content = "args", rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum Report<'a> {
    /// `id`.
    Id(Id<'a>),
    /// `uciok`.
    UciOk,
    /// `ugiok`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove`.
    BestMove(BestMove<'a>),
    /// `copyprotection`.
    CopyProtection(Status<'a>),
    /// `registration`.
    Registration(Status<'a>),
    /// `info`.
    Info(Info<'a>),
    /// `option`.
    Option(OptionLine<'a>),
    /// Leiserchess' `perft <depth> <count>`.
    Perft {
        /// Plies.
        depth: u64,
        /// Positions.
        count: u64,
    },
    /// A line with nothing in it.
    Empty,
    /// Anything else, all of it but the line end.
    Text(Text<'a>),
}

/// `id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Id<'a> {
    /// What is told.
    pub key: IdKey<'a>,
    /// The rest of the line, trimmed.
    pub value: Text<'a>,
}

impl<'a> Id<'a> {
    /// A key and its value.
    pub fn new(key: IdKey<'a>, value: impl Into<Text<'a>>) -> Self {
        Self {
            key,
            value: value.into(),
        }
    }
}

/// What an `id` line tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum IdKey<'a> {
    /// The engine's name.
    Name,
    /// Its author.
    Author,
    /// ULCI: the version of the protocol.
    Version,
    /// ULCI: the pieces it knows, one letter each.
    Pieces,
    /// ULCI: a person sits there, and this is their name.
    Username,
    /// ULCI: a part of the protocol it supports.
    Feature,
    /// Anything else.
    Other(Text<'a>),
}

impl<'a> IdKey<'a> {
    /// The word after `id`.
    pub fn word(self) -> Text<'a> {
        match self {
            Self::Name => Text::from("name"),
            Self::Author => Text::from("author"),
            Self::Version => Text::from("version"),
            Self::Pieces => Text::from("pieces"),
            Self::Username => Text::from("username"),
            Self::Feature => Text::from("feature"),
            Self::Other(word) => word,
        }
    }

    pub(crate) fn from_word(word: &'a [u8]) -> Self {
        match word {
            b"name" => Self::Name,
            b"author" => Self::Author,
            b"version" => Self::Version,
            b"pieces" => Self::Pieces,
            b"username" => Self::Username,
            b"feature" => Self::Feature,
            _ => Self::Other(Text::from_bytes(word)),
        }
    }
}

/// `bestmove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct BestMove<'a> {
    /// The move, in whatever form; see [`Text::is_null_move`].
    pub best: Option<Text<'a>>,
    /// The move to ponder on.
    pub ponder: Option<Text<'a>>,
    /// UGI: the score.
    pub score: Option<Score>,
    /// UGI: the time spent.
    pub time: Option<Time>,
}

impl<'a> BestMove<'a> {
    /// A move and nothing else.
    pub fn new(best: impl Into<Text<'a>>) -> Self {
        Self {
            best: Some(best.into()),
            ..Self::default()
        }
    }

    /// The same with a move to ponder on.
    #[must_use]
    pub fn with_ponder(self, ponder: impl Into<Text<'a>>) -> Self {
        Self {
            ponder: Some(ponder.into()),
            ..self
        }
    }

    /// The same with score and time, which a UGI engine should always send:
    /// there are hosts that cannot do without.
    ///
    /// ```
    /// use quadrille_protocol::{BestMove, Dialect, Report, Score, Time};
    ///
    /// let best = BestMove::new("0|1|9").with_score(Score::cp(35), Time::Millis(1250));
    /// let line = Report::BestMove(best).line(Dialect::Ugi);
    /// assert_eq!(line, b"bestmove 0|1|9 score 35.000 time 1.250");
    /// ```
    #[must_use]
    pub fn with_score(self, score: Score, time: Time) -> Self {
        Self {
            score: Some(score),
            time: Some(time),
            ..self
        }
    }
}

/// Where a copy protection check or a registration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Status<'a> {
    /// `checking`.
    Checking,
    /// `ok`.
    Ok,
    /// `error`.
    Error,
    /// Anything else, or nothing.
    Other(Text<'a>),
}

impl<'a> Status<'a> {
    /// The word itself.
    pub fn word(self) -> Text<'a> {
        match self {
            Self::Checking => Text::from("checking"),
            Self::Ok => Text::from("ok"),
            Self::Error => Text::from("error"),
            Self::Other(word) => word,
        }
    }

    pub(crate) fn from_word(word: &'a [u8]) -> Self {
        match word {
            b"checking" => Self::Checking,
            b"ok" => Self::Ok,
            b"error" => Self::Error,
            _ => Self::Other(Text::from_bytes(word)),
        }
    }
}

impl<'a> Report<'a> {
    /// The word that ends the handshake of a dialect: `uciok` or `ugiok`.
    pub const fn handshake(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Ugi => Self::UgiOk,
            _ => Self::UciOk,
        }
    }

    /// Reads one line, with or without its line end.
    pub fn parse(line: &'a [u8], dialect: Dialect) -> Parsed<'a, Self> {
        crate::report_parse::parse(line, dialect)
    }

    /// Appends the report in the form of `dialect`, without a line end.
    ///
    /// Words and units are the dialect's; every field that is set is printed,
    /// also one that the dialect's own text does not know (`ponder` in ULCI), so
    /// that nothing a peer said is lost. An engine leaves such fields empty.
    pub fn write(&self, dialect: Dialect, out: &mut Vec<u8>) {
        crate::report_write::write(self, dialect, out);
    }

    /// The report as a line of its own, without a line end.
    pub fn line(&self, dialect: Dialect) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(dialect, &mut out);
        out
    }
}
