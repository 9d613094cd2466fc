//! Everything an engine has reported about a search, for those who show it.

use std::collections::BTreeMap;

use crate::info::InfoLine;

/// Lines of a higher rank are not kept.
const MOST_LINES: u64 = 50;

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
/// assert_eq!(info.numbers().depth, Some(6));
/// assert_eq!(info.lines().next().and_then(|(_, line)| line.depth), Some(5));
/// ```
#[derive(Debug, Clone, Default)]
pub struct EngineInfo {
    lines: BTreeMap<u64, InfoLine>,
    numbers: InfoLine,
    message: Option<String>,
}

impl EngineInfo {
    /// Records a line; returns whether it holds something to show.
    pub fn record(&mut self, info: InfoLine) -> bool {
        let rank = info.multipv.unwrap_or(1);
        let numbers = &mut self.numbers;
        // Engines repeat the lines of other ranks from the iteration before.
        if rank == 1 {
            numbers.depth = info.depth.or(numbers.depth);
        }
        numbers.seldepth = info.seldepth.or(numbers.seldepth);
        numbers.time = info.time.or(numbers.time);
        numbers.nodes = info.nodes.or(numbers.nodes);
        numbers.nps = info.nps.or(numbers.nps);
        numbers.hashfull = info.hashfull.or(numbers.hashfull);
        numbers.tbhits = info.tbhits.or(numbers.tbhits);
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

    /// The newest exact line of each rank, the best first.
    pub fn lines(&self) -> impl Iterator<Item = (u64, &InfoLine)> {
        self.lines.iter().map(|(rank, line)| (*rank, line))
    }

    /// The newest numbers: depth, nodes, time and the like; no score and no moves.
    pub const fn numbers(&self) -> &InfoLine {
        &self.numbers
    }

    /// Positions in a second: as the engine counts them, or by its nodes and time.
    pub fn nps(&self) -> u64 {
        let numbers = &self.numbers;
        let seconds = numbers.time.unwrap_or_default().as_secs_f64();
        match (numbers.nps, numbers.nodes) {
            (Some(nps), _) => nps,
            (None, Some(nodes)) if seconds > 0.0 => (nodes as f64 / seconds).round() as u64,
            (None, _) => 0,
        }
    }

    /// The engine's last message for people.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}
