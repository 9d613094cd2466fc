//! How long to think.

use core::time::Duration;

use crate::time_source::Moment;

/// The clocks of a game as the side to move sees them. Values a host sends may
/// be zero, negative or missing; negative ones are zero here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left to the side to move.
    pub remaining: Duration,
    /// Added after each of its moves.
    pub increment: Duration,
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// The opponent's time, if the host told us.
    pub opponent: Option<Duration>,
}

/// What decides when time is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Time {
    /// Nothing: depth, nodes, mate or `stop` end the search.
    #[default]
    Unlimited,
    /// Think for this long.
    PerMove(Duration),
    /// Play a game with this clock.
    Clock(Clock),
    /// Both at once: neither may be exceeded.
    Both(Clock, Duration),
}

/// Everything that may end a search. Limits that are given together are all
/// respected: the first to be reached ends the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits<M> {
    /// Clock or fixed time.
    pub time: Time,
    /// Search no deeper than this.
    pub depth: Option<u32>,
    /// Search no more nodes than this (exact at one thread; several may each be a
    /// few nodes over it).
    pub nodes: Option<u64>,
    /// The same, on the opponent's time too: a weakened player sees no further
    /// because it waits.
    pub sight: Option<u64>,
    /// Begin no further iteration once this many nodes are searched: the answer
    /// then comes from a whole iteration and not from one cut short.
    pub soft_nodes: Option<u64>,
    /// Stop as soon as a win or loss in at most this many of the mover's moves
    /// is proven, or that there is no such win.
    pub mate: Option<u32>,
    /// Consider only these moves at the root; empty means all.
    pub only: Vec<M>,
    /// Never answer before `stop`, whatever else is reached.
    pub infinite: bool,
    /// Think on the opponent's time: none of the limits but
    /// [`sight`](Self::sight) counts until
    /// [`Control::ponder_hit`](crate::Control::ponder_hit), then all of them do.
    pub ponder: bool,
    /// How many best lines to report.
    pub lines: usize,
    /// Time to keep in reserve for the way to the host and back.
    pub overhead: Duration,
    /// When the clock began to run; if missing, when the search begins. By the
    /// clock of the search's [`Control`](crate::Control).
    pub since: Option<Moment>,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Self {
            time: Time::Unlimited,
            depth: None,
            nodes: None,
            sight: None,
            soft_nodes: None,
            mate: None,
            only: Vec::new(),
            infinite: false,
            ponder: false,
            lines: 1,
            overhead: Duration::from_millis(10),
            since: None,
        }
    }
}

impl<M> Limits<M> {
    /// Search to this depth and no further.
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// Search this many nodes and no more.
    pub fn to_nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Think for this long.
    pub fn for_time(time: Duration) -> Self {
        Self {
            time: Time::PerMove(time),
            ..Self::default()
        }
    }
}
