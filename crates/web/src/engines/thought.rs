//! What an engine thinks, gathered from its lines.

use std::collections::BTreeMap;

use quadrille_desk::effect::Thought;
use quadrille_desk::thought::{engine_score, line_view};
use quadrille_desk::wire::LineView;
use quadrille_games::AnyLine;
use quadrille_host::driver::InfoLine;
use quadrille_protocol::Dialect;

use super::record::shown;

/// Lines that are shown.
const MOST_LINES: u64 = 50;

/// The newest line of each rank, and the newest numbers.
#[derive(Debug)]
pub(super) struct Gathered {
    dialect: Dialect,
    lines: BTreeMap<u64, InfoLine>,
    numbers: InfoLine,
    said: Option<String>,
}

impl Gathered {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            lines: BTreeMap::new(),
            numbers: InfoLine::default(),
            said: None,
        }
    }

    /// Takes in a line.
    pub(super) fn take(&mut self, info: InfoLine) {
        if let Some(text) = &info.string {
            self.said = Some(shown(text));
        }
        let numbers = &mut self.numbers;
        numbers.depth = info.depth.or(numbers.depth);
        numbers.seldepth = info.seldepth.or(numbers.seldepth);
        numbers.time = info.time.or(numbers.time);
        numbers.nodes = info.nodes.or(numbers.nodes);
        numbers.nps = info.nps.or(numbers.nps);
        numbers.hashfull = info.hashfull.or(numbers.hashfull);
        numbers.tbhits = info.tbhits.or(numbers.tbhits);
        let rank = info.multipv.unwrap_or(1);
        let exact = info.score.is_some_and(|score| score.bound().is_none());
        // A bound says less than the exact score before it, and is no score.
        if exact && !info.pv.is_empty() && (1..=MOST_LINES).contains(&rank) {
            self.lines.insert(rank, info);
        }
    }

    /// What is known now, at the end of this line of play.
    pub(super) fn thought(&self, line: &AnyLine) -> Thought {
        let numbers = &self.numbers;
        let lines = self.lines.iter();
        let lines: Vec<LineView> = lines
            .filter_map(|(rank, info)| {
                let (game, side) = (line.game(), line.side());
                let score = engine_score(game, self.dialect, side, info.score?, info.wdl)?;
                let depth = info.depth.unwrap_or_default().min(u64::from(u32::MAX)) as u32;
                line_view(line, *rank as u32, depth, score, info.pv_moves())
            })
            .collect();
        Thought {
            depth: numbers.depth.unwrap_or_default().min(u64::from(u32::MAX)) as u32,
            seldepth: numbers.seldepth.map(|n| n.min(u64::from(u32::MAX)) as u32),
            nodes: numbers.nodes.unwrap_or_default() as f64,
            nps: speed(numbers),
            time: numbers.time.unwrap_or_default().as_secs_f64() * 1000.0,
            hashfull: numbers.hashfull.map(|n| n.min(1000) as u32),
            tbhits: numbers.tbhits.map(|n| n as f64),
            lines,
            said: self.said.clone(),
        }
    }
}

/// As the engine counts it, or by its nodes and time.
fn speed(numbers: &InfoLine) -> f64 {
    if let Some(nps) = numbers.nps {
        return nps as f64;
    }
    let seconds = numbers.time.unwrap_or_default().as_secs_f64();
    let nodes = numbers.nodes.unwrap_or_default() as f64;
    if seconds > 0.0 { nodes / seconds } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;
    use quadrille_protocol::{Bound, Score};

    fn info(rank: u64, depth: u64, score: Score, pv: &str) -> InfoLine {
        InfoLine {
            multipv: Some(rank),
            depth: Some(depth),
            score: Some(score),
            pv: pv.into(),
            ..InfoLine::default()
        }
    }

    #[test]
    fn bounds_never_take_the_place_of_scores() {
        let line = AnyLine::start(Game::Chess);
        let mut gathered = Gathered::new(Dialect::Uci);
        let bound = Score::cp(900).with_bound(Bound::Lower);
        gathered.take(info(1, 4, bound, "e2e4"));
        assert!(gathered.thought(&line).lines.is_empty());
        gathered.take(info(1, 5, Score::cp(20), "e2e4 e7e5"));
        gathered.take(info(1, 6, bound, "d2d4"));
        let thought = gathered.thought(&line);
        assert_eq!(thought.depth, 6);
        assert_eq!(thought.lines.len(), 1);
        assert_eq!(thought.lines[0].score.cp, Some(20));
        assert_eq!(thought.lines[0].depth, 5);
        assert_eq!(thought.lines[0].notation, ["e4", "e5"]);
        assert_eq!(thought.lines[0].squares, ["e2", "e4"]);
    }

    #[test]
    fn scores_are_whites() {
        let mut line = AnyLine::start(Game::Chess);
        line.play("e2e4").expect("legal");
        let mut gathered = Gathered::new(Dialect::Uci);
        gathered.take(info(1, 5, Score::cp(30), "e7e5"));
        gathered.take(info(2, 5, Score::mate(-3), "c7c5"));
        let thought = gathered.thought(&line);
        assert_eq!(thought.lines[0].score.cp, Some(-30));
        assert!(thought.lines[0].score.win < 0.5);
        assert_eq!(thought.lines[1].score.mate, Some(3));
        assert!(thought.lines[1].score.win > 0.99);
    }

    #[test]
    fn what_cannot_be_played_is_not_shown() {
        let line = AnyLine::start(Game::Chess);
        let mut gathered = Gathered::new(Dialect::Uci);
        gathered.take(info(1, 5, Score::cp(0), "<script>alert(1)</script>"));
        gathered.take(info(2, 5, Score::cp(0), "e2e4 e2e4 e7e5"));
        gathered.take(info(9999, 5, Score::cp(0), "e2e4"));
        let thought = gathered.thought(&line);
        assert_eq!(thought.lines.len(), 1);
        assert_eq!(thought.lines[0].moves, ["e2e4"]);
    }
}
