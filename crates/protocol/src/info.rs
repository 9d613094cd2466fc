//! `info`: what a search tells about itself.

use core::num::NonZeroU32;

use crate::items::Items;
use crate::score::{HashFull, Score, Time, Wdl};
use crate::text::{Moves, Text};

/// One piece of an `info` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum InfoItem<'a> {
    /// `depth` (UGI: `ply`): plies.
    Depth(u64),
    /// `seldepth`: deepest line, plies.
    SelDepth(u64),
    /// `time`.
    Time(Time),
    /// `nodes`.
    Nodes(u64),
    /// `nps`: nodes per second.
    Nps(u64),
    /// `pv`: the best line.
    Pv(Moves<'a>),
    /// `multipv`: the number of this line.
    MultiPv(u64),
    /// `score`.
    Score(Score),
    /// `wdl`: chances.
    Wdl(Wdl),
    /// `currmove`: the root move being searched.
    CurrMove(Text<'a>),
    /// `currmovenumber`: its number, from 1.
    CurrMoveNumber(u64),
    /// Leiserchess' `move_no`: the same thing.
    MoveNo(u64),
    /// `hashfull`.
    HashFull(HashFull),
    /// `tbhits`.
    TbHits(u64),
    /// `sbhits`.
    SbHits(u64),
    /// `cpuload`, permill.
    CpuLoad(u64),
    /// `movesleft`: an estimate some engines send.
    MovesLeft(u64),
    /// UGI's `bestmove` inside an info line.
    BestMove(Text<'a>),
    /// `refutation`: a move and the line that refutes it.
    Refutation(Moves<'a>),
    /// `currline`: what a processor is looking at.
    CurrLine {
        /// The processor, from 1; may be left out with one.
        cpu: Option<NonZeroU32>,
        /// The line.
        moves: Moves<'a>,
    },
    /// `string`: the rest of the line, for people.
    String(Text<'a>),
    /// An error message: the rest of the line.
    Error {
        /// Whose fault it is, and in which form it is said.
        kind: ErrorKind,
        /// The message.
        text: Text<'a>,
    },
    /// Words that belong to nothing known; kept where they stood.
    Unknown(Text<'a>),
}

/// Fills the unused places of an inline list; has no other meaning.
impl Default for InfoItem<'_> {
    #[inline]
    fn default() -> Self {
        Self::Depth(0)
    }
}

/// The forms of ULCI's error messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ErrorKind {
    /// `info error <text>`: today's form, both ways.
    Plain,
    /// `info clienterror <text>`, server to client.
    Client,
    /// `info servererror <text>`, server to client.
    Server,
    /// `info string clienterror <text>`, client to server.
    ClientString,
    /// `info string servererror <text>`, client to server.
    ServerString,
}

impl ErrorKind {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Plain => "error",
            Self::Client => "clienterror",
            Self::Server => "servererror",
            Self::ClientString => "string clienterror",
            Self::ServerString => "string servererror",
        }
    }
}

/// An `info` line: its pieces in the order in which they were sent.
///
/// Reading one is a matter of asking for what you need; building one, of
/// naming what you have:
///
/// ```
/// use quadrille_protocol::{Dialect, Info, Moves, Report, Score, Time};
///
/// let info = Info::new()
///     .depth(2)
///     .score(Score::cp(214))
///     .time(Time::Millis(1242))
///     .nodes(2124)
///     .pv(Moves::from("e2e4 e7e5 g1f3"));
/// let line = Report::Info(info).line(Dialect::Uci);
/// assert_eq!(line, b"info depth 2 score cp 214 time 1242 nodes 2124 pv e2e4 e7e5 g1f3");
///
/// let Report::Info(read) = Report::parse(&line, Dialect::Uci).message else { panic!() };
/// assert_eq!(read.get_depth(), Some(2));
/// assert_eq!(read.get_pv().unwrap().last().unwrap(), "g1f3");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Info<'a> {
    /// The pieces. Where one occurs twice, the last counts.
    pub items: Items<InfoItem<'a>, 12>,
}

/// For each piece a builder method and a getter.
macro_rules! accessors {
    ($($variant:ident, $build:ident, $get:ident, $type:ty, $what:literal;)+) => {
        $(
            #[doc = concat!("Adds ", $what, ".")]
            #[must_use]
            pub fn $build(self, value: $type) -> Self {
                self.with(InfoItem::$variant(value))
            }

            #[doc = concat!("Looks up ", $what, ".")]
            #[inline]
            pub fn $get(&self) -> Option<$type> {
                self.items.iter().rev().find_map(|item| match *item {
                    InfoItem::$variant(value) => Some(value),
                    _ => None,
                })
            }
        )+
    };
}

impl<'a> Info<'a> {
    /// An empty `info`.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line with nothing but `string <text>`.
    pub fn message(text: impl Into<Text<'a>>) -> Self {
        Self::new().with(InfoItem::String(text.into()))
    }

    /// Adds any piece.
    #[must_use]
    pub fn with(mut self, item: InfoItem<'a>) -> Self {
        self.items.push(item);
        self
    }

    accessors! {
        Depth, depth, get_depth, u64, "the depth in plies";
        SelDepth, seldepth, get_seldepth, u64, "the selective depth in plies";
        Time, time, get_time, Time, "the time spent";
        Nodes, nodes, get_nodes, u64, "the number of nodes";
        Nps, nps, get_nps, u64, "the nodes per second";
        Pv, pv, get_pv, Moves<'a>, "the best line";
        MultiPv, multipv, get_multipv, u64, "the number of the line";
        Score, score, get_score, Score, "the score";
        Wdl, wdl, get_wdl, Wdl, "the chances";
        CurrMove, currmove, get_currmove, Text<'a>, "the root move being searched";
        CurrMoveNumber, currmovenumber, get_currmovenumber, u64, "its number, from 1";
        HashFull, hashfull, get_hashfull, HashFull, "how full the hash table is";
        TbHits, tbhits, get_tbhits, u64, "the tablebase hits";
        SbHits, sbhits, get_sbhits, u64, "the Shredderbase hits";
        CpuLoad, cpuload, get_cpuload, u64, "the processor load in permill";
        MovesLeft, movesleft, get_movesleft, u64, "the moves that the game is expected to last";
        MoveNo, move_no, get_move_no, u64, "the number of the root move as Leiserchess engines send it";
        BestMove, bestmove, get_bestmove, Text<'a>, "UGI's best move so far";
        Refutation, refutation, get_refutation, Moves<'a>, "a move and the line that refutes it";
        String, string, get_string, Text<'a>, "a text for people, the rest of the line";
    }

    /// Looks up what a processor is looking at: its number, if it was named,
    /// and the line.
    pub fn get_currline(&self) -> Option<(Option<NonZeroU32>, Moves<'a>)> {
        self.items.iter().rev().find_map(|item| match *item {
            InfoItem::CurrLine { cpu, moves } => Some((cpu, moves)),
            _ => None,
        })
    }

    /// Looks up an error message: whose fault it is, and the text.
    ///
    /// ```
    /// use quadrille_protocol::{Dialect, ErrorKind, Report};
    ///
    /// let line = b"info error cannot change options during search";
    /// let Report::Info(info) = Report::parse(line, Dialect::Ulci).message else { panic!() };
    /// let (kind, text) = info.get_error().unwrap();
    /// assert_eq!(kind, ErrorKind::Plain);
    /// assert_eq!(text, "cannot change options during search");
    /// ```
    pub fn get_error(&self) -> Option<(ErrorKind, Text<'a>)> {
        self.items.iter().rev().find_map(|item| match *item {
            InfoItem::Error { kind, text } => Some((kind, text)),
            _ => None,
        })
    }

    /// Whether the line is about a search that is running now, rather than a
    /// text, an error or something unknown.
    pub fn is_about_search(&self) -> bool {
        self.items.iter().any(|item| {
            !matches!(
                item,
                InfoItem::String(_) | InfoItem::Error { .. } | InfoItem::Unknown(_)
            )
        })
    }
}
