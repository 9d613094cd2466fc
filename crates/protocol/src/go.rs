//! `go` and `clock`: limits of a search.

use crate::items::Items;
use crate::text::{Moves, Text};

/// One piece of a `go` command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum GoItem<'a> {
    /// `searchmoves`: only these root moves (a ULCI host sends `moves`).
    SearchMoves(Moves<'a>),
    /// `ponder`.
    Ponder,
    /// `wtime`: White's clock in milliseconds; hosts do send negative ones.
    WTime(i64),
    /// `btime`: Black's clock.
    BTime(i64),
    /// `winc`: White's increment in milliseconds.
    WInc(i64),
    /// `binc`: Black's increment.
    BInc(i64),
    /// Leiserchess' `time`: the clock of the side to move.
    Time(i64),
    /// Leiserchess' `inc`: its increment.
    Inc(i64),
    /// `movestogo`: moves to the next time control.
    MovesToGo(u64),
    /// `depth` in plies.
    Depth(u64),
    /// `nodes`.
    Nodes(u64),
    /// `mate` in moves.
    Mate(u64),
    /// `movetime` in milliseconds.
    MoveTime(i64),
    /// `infinite`.
    Infinite,
    /// `perft` to that depth, as some engines understand it.
    Perft(u64),
    /// Words that belong to nothing known; kept where they stood.
    Unknown(Text<'a>),
}

/// Fills the unused places of an inline list; has no other meaning.
impl Default for GoItem<'_> {
    #[inline]
    fn default() -> Self {
        Self::Depth(0)
    }
}

/// A `go` command: its limits in the order in which they were sent.
///
/// ```
/// use quadrille_protocol::{Command, Dialect, Go, Moves};
///
/// let line = b"go searchmoves e2e4 d2d4 wtime -80 btime 100 depth 5";
/// let Command::Go(go) = Command::parse(line, Dialect::Uci).message else { panic!() };
/// assert_eq!(go.get_wtime(), Some(-80));
/// assert_eq!(go.get_depth(), Some(5));
/// assert_eq!(go.get_searchmoves(), Some(Moves::from("e2e4 d2d4")));
/// assert!(!go.is_infinite());
///
/// let again = Go::new().movetime(1000).nodes(5000);
/// assert_eq!(Command::Go(again).line(Dialect::Uci), b"go movetime 1000 nodes 5000");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Go<'a> {
    /// The pieces. Where one occurs twice, the last counts.
    pub items: Items<GoItem<'a>, 8>,
}

macro_rules! limits {
    ($($variant:ident, $build:ident, $get:ident, $type:ty, $what:literal;)+) => {
        $(
            #[doc = concat!("Adds ", $what, ".")]
            #[must_use]
            pub fn $build(self, value: $type) -> Self {
                self.with(GoItem::$variant(value))
            }

            #[doc = concat!("Looks up ", $what, ".")]
            #[inline]
            pub fn $get(&self) -> Option<$type> {
                self.items.iter().rev().find_map(|item| match *item {
                    GoItem::$variant(value) => Some(value),
                    _ => None,
                })
            }
        )+
    };
}

impl<'a> Go<'a> {
    /// A bare `go`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds any piece.
    #[must_use]
    pub fn with(mut self, item: GoItem<'a>) -> Self {
        self.items.push(item);
        self
    }

    limits! {
        SearchMoves, searchmoves, get_searchmoves, Moves<'a>, "the only root moves to search";
        WTime, wtime, get_wtime, i64, "White's clock in milliseconds";
        BTime, btime, get_btime, i64, "Black's clock in milliseconds";
        WInc, winc, get_winc, i64, "White's increment in milliseconds";
        BInc, binc, get_binc, i64, "Black's increment in milliseconds";
        Time, time, get_time, i64, "Leiserchess' clock of the side to move in milliseconds";
        Inc, inc, get_inc, i64, "Leiserchess' increment of the side to move in milliseconds";
        MovesToGo, movestogo, get_movestogo, u64, "the moves to the next time control";
        Depth, depth, get_depth, u64, "the depth limit in plies";
        Nodes, nodes, get_nodes, u64, "the node limit";
        Mate, mate, get_mate, u64, "the mate distance to search for, in moves";
        MoveTime, movetime, get_movetime, i64, "the time for this move in milliseconds";
        Perft, perft, get_perft, u64, "the depth of a move count";
    }

    /// Adds `infinite`.
    #[must_use]
    pub fn infinite(self) -> Self {
        self.with(GoItem::Infinite)
    }

    /// Adds `ponder`.
    #[must_use]
    pub fn ponder(self) -> Self {
        self.with(GoItem::Ponder)
    }

    /// Whether the search must go on until `stop`.
    pub fn is_infinite(&self) -> bool {
        self.items.iter().any(|item| *item == GoItem::Infinite)
    }

    /// Whether the search is a ponder search.
    pub fn is_ponder(&self) -> bool {
        self.items.iter().any(|item| *item == GoItem::Ponder)
    }
}
