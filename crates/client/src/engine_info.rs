//! Everything an engine has reported about a search, for those who show it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::info::InfoLine;

/// Lines of a higher rank are not kept.
const MOST_LINES: u64 = 50;

/// Thousandths of a hash table that is full.
const FULL: u64 = 1000;

/// The numbers of a search: how far it is and what it costs. Pages get this as it is,
/// so a new field reaches them by being recorded here.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct SearchNumbers {
    /// Plies.
    pub depth: u64,
    /// Plies of the longest line.
    pub seldepth: Option<u64>,
    /// Positions.
    pub nodes: u64,
    /// Positions in a second: as the engine counts them, or by its nodes and time.
    pub nps: u64,
    /// Milliseconds.
    #[serde(with = "crate::serial::millis")]
    #[cfg_attr(feature = "ts", ts(type = "number"))]
    pub time: Duration,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u64>,
    /// Endgame tables.
    pub tbhits: Option<u64>,
}

/// The newest exact line of each rank, and the newest numbers.
///
/// ```
/// use quadrille_client::{EngineInfo, InfoLine};
/// use quadrille_protocol::{Bound, Score};
///
/// let line = |depth, score| InfoLine {
///     depth: Some(depth),
///     score: Some(score),
///     pv: "e2e4".into(),
///     ..InfoLine::default()
/// };
/// let mut info = EngineInfo::default();
/// info.record(line(5, Score::cp(20)));
/// info.record(line(6, Score::cp(90).with_bound(Bound::Lower)));
/// // The search is at depth 6; its last exact score is that of depth 5.
/// assert_eq!(info.numbers().depth, 6);
/// assert_eq!(info.lines().next().and_then(|(_, line)| line.depth), Some(5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct EngineInfo {
    lines: BTreeMap<u64, InfoLine>,
    numbers: SearchNumbers,
    /// The speed as the engine counts it.
    nps: Option<u64>,
    message: Option<String>,
}

impl EngineInfo {
    /// Records a line; returns whether it holds something to show.
    pub fn record(&mut self, info: InfoLine) -> bool {
        let rank = info.multipv.unwrap_or(1);
        self.record_numbers(&info, rank);
        let mut shown = info.nodes.is_some() || info.string.is_some();
        if let Some(message) = &info.string {
            self.message = Some(message.clone());
        }
        // A bound says less than the exact score before it.
        let exact = info.score.is_some_and(|score| score.bound().is_none());
        if exact && !info.pv.is_empty() && (1..=MOST_LINES).contains(&rank) {
            self.lines.insert(rank, info);
            shown = true;
        }
        shown
    }

    /// Takes over the numbers that a line tells; the others stay.
    fn record_numbers(&mut self, info: &InfoLine, rank: u64) {
        let numbers = &mut self.numbers;
        // Engines repeat the lines of other ranks from the iteration before.
        if rank == 1 {
            numbers.depth = info.depth.unwrap_or(numbers.depth);
        }
        numbers.seldepth = info.seldepth.or(numbers.seldepth);
        numbers.time = info.time.unwrap_or(numbers.time);
        numbers.nodes = info.nodes.unwrap_or(numbers.nodes);
        numbers.hashfull = info.hashfull.map(|n| n.min(FULL)).or(numbers.hashfull);
        numbers.tbhits = info.tbhits.or(numbers.tbhits);
        self.nps = info.nps.or(self.nps);
        let seconds = numbers.time.as_secs_f64();
        numbers.nps = match self.nps {
            Some(nps) => nps,
            None if seconds > 0.0 => (numbers.nodes as f64 / seconds).round() as u64,
            None => 0,
        };
    }

    /// The newest exact line of each rank, the best first.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &InfoLine)> {
        self.lines.iter().map(|(rank, line)| (*rank, line))
    }

    /// The newest numbers.
    pub const fn numbers(&self) -> &SearchNumbers {
        &self.numbers
    }

    /// The engine's last message for people.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}
