//! What an engine thinks, gathered from its lines.

use std::collections::BTreeMap;

use quadrille_games::AnyLine;
use quadrille_protocol::{Dialect, HashFull, Info, Score, Time, Wdl};

use super::in_our_view;
use crate::effect::Thought;
use crate::refuse::clean;
use crate::thought::{engine_score, line_view};

/// Lines and moves of a line that are kept.
const MOST_LINES: u64 = 100;
const MOST_MOVES: usize = 60;
const LONGEST_WORDS: usize = 500;

/// The newest exact line of each rank, and the newest numbers.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    lines: BTreeMap<u64, Kept>,
    depth: u64,
    seldepth: Option<u64>,
    nodes: u64,
    nps: Option<u64>,
    micros: u64,
    hashfull: Option<u64>,
    tbhits: Option<u64>,
    said: Option<String>,
}

#[derive(Debug)]
struct Kept {
    depth: u64,
    score: Score,
    wdl: Option<Wdl>,
    moves: Vec<String>,
}

impl Gathered {
    /// Takes a line in; whether anything in it is worth telling.
    pub(super) fn take(&mut self, info: &Info<'_>, line: &AnyLine) -> bool {
        if let Some(text) = info.get_string() {
            self.said = Some(clean(&text.to_string(), LONGEST_WORDS));
        }
        let exact = info.get_score().filter(|score| score.bound().is_none());
        self.seldepth = info.get_seldepth().or(self.seldepth);
        self.nodes = info.get_nodes().unwrap_or(self.nodes);
        self.nps = info.get_nps().or(self.nps);
        self.micros = info.get_time().map_or(self.micros, Time::micros);
        self.hashfull = info.get_hashfull().map(HashFull::permill).or(self.hashfull);
        self.tbhits = info.get_tbhits().or(self.tbhits);
        let rank = info.get_multipv().unwrap_or(1);
        // A bound says less than the exact score before it.
        let (Some(score), Some(pv)) = (exact, info.get_pv()) else {
            return info.get_string().is_some() || info.get_nodes().is_some();
        };
        if !(1..=MOST_LINES).contains(&rank) {
            return false;
        }
        let depth = info.get_depth().unwrap_or(self.depth);
        if rank == 1 {
            self.depth = depth;
        }
        let moves = pv.into_iter().take(MOST_MOVES);
        let kept = Kept {
            depth,
            score,
            wdl: info.get_wdl(),
            moves: moves.map(|m| in_our_view(line, &m.to_string())).collect(),
        };
        self.lines.insert(rank, kept);
        true
    }

    /// What is known now, about the end of this line of play.
    pub(super) fn thought(&self, dialect: Dialect, line: &AnyLine) -> Thought {
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let time = self.micros as f64 / 1000.0;
        let lines = self.lines.iter().filter_map(|(rank, kept)| {
            let (game, side) = (line.game(), line.side());
            let score = engine_score(game, dialect, side, kept.score, kept.wdl)?;
            let moves = kept.moves.iter().map(String::as_str);
            line_view(line, small(*rank), small(kept.depth), score, moves)
        });
        Thought {
            depth: small(self.depth),
            seldepth: self.seldepth.map(small),
            nodes: self.nodes as f64,
            nps: match self.nps {
                Some(nps) => nps as f64,
                None if time > 0.0 => (self.nodes as f64 / time * 1000.0).round(),
                None => 0.0,
            },
            time,
            hashfull: self.hashfull.map(|n| small(n.min(1000))),
            tbhits: self.tbhits.map(|n| n as f64),
            lines: lines.collect(),
            said: self.said.clone(),
        }
    }
}
