//! The root: iterations, aspiration windows, several best lines.

use core::time::Duration;

use crate::playable::Playable;
use crate::report::{Bound, Progress, RootMove, Variation};
use crate::score::{INFINITE, MAX_PLY, Score, Value, is_decided};
use crate::time::Confidence;
use crate::tunables as t;
use crate::worker::Worker;

/// Current moves and unfinished iterations are told only after this.
const PATIENCE: Duration = Duration::from_secs(1);

/// A root move and what is known about it.
#[derive(Debug, Clone)]
pub(crate) struct RootLine<M> {
    pub(crate) m: M,
    /// The value of this iteration; `-INFINITE` until it raised alpha.
    pub(crate) value: Value,
    /// The value of the last iteration.
    pub(crate) last: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: u32,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    /// The whole line, this move first.
    pub(crate) line: Vec<M>,
}

impl<M: Copy> RootLine<M> {
    pub(crate) fn new(m: M) -> Self {
        Self {
            m,
            value: -INFINITE,
            last: -INFINITE,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            line: vec![m],
        }
    }
}

impl<P: Playable> Worker<'_, P> {
    /// Searches deeper and deeper until something ends it.
    pub(crate) fn iterate(&mut self) {
        let limits = self.shared.limits;
        let lines = limits.lines.clamp(1, self.root.len().max(1));
        let deepest = limits
            .depth
            .map_or(MAX_PLY as u32 - 1, |d| d.clamp(1, MAX_PLY as u32 - 1));
        let mut stable_for = 0;
        let mut averaged = 0.0;
        for depth in 1..=deepest {
            let best_before = self.root[0].m;
            for root in &mut self.root {
                root.last = root.value;
            }
            for first in 0..lines {
                self.seldepth = 0;
                self.aspire(depth, first, lines);
                if self.shared.is_stopped() {
                    break;
                }
            }
            self.publish();
            if self.shared.is_stopped() {
                break;
            }
            self.completed = depth;
            if self.id != 0 {
                continue;
            }
            self.tell_progress(lines);
            stable_for = if self.root[0].m == best_before {
                stable_for + 1
            } else {
                0
            };
            let value = f64::from(self.root[0].value);
            let drop = (averaged - value) / f64::from(P::PAWN);
            averaged = if depth == 1 {
                value
            } else {
                (averaged + value) / 2.0
            };
            let confidence = Confidence {
                stable_for,
                node_share: self.root[0].nodes as f64 / self.nodes.max(1) as f64,
                drop,
            };
            if self.is_enough(depth, confidence) {
                break;
            }
        }
    }

    /// Whether a completed iteration ends the search.
    fn is_enough(&self, depth: u32, confidence: Confidence) -> bool {
        let shared = self.shared;
        let value = self.root[0].value;
        if shared.limits.infinite || shared.is_pondering() {
            return false;
        }
        if let (Some(moves), Some(found)) =
            (shared.limits.mate, Score::from_value(value).mate_moves())
            && found.unsigned_abs() <= moves
        {
            return true;
        }
        if !shared.budget.saves() {
            return false;
        }
        // Nothing to think about, or nothing left to improve.
        let only_move = self.root.len() == 1;
        let proven = is_decided(value) && depth >= 2 * (crate::score::WIN - value.abs()) as u32;
        only_move && depth >= 4 || proven || shared.budget.should_stop(confidence)
    }

    /// Searches the root moves from `first` on with a window around what the
    /// last iteration found, and widens it until the value lies inside.
    /// (+20 to +39 in public records.)
    fn aspire(&mut self, depth: u32, first: usize, lines: usize) {
        let last = self.root[first].last;
        let mut margin = t::aspiration_margin() * P::PAWN / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= t::aspiration_depth() as u32 && last != -INFINITE && !is_decided(last) {
            alpha = last - margin;
            beta = last + margin;
        }
        loop {
            let value = self.search_root(depth, first, alpha, beta);
            if self.shared.is_stopped() {
                return;
            }
            if value > alpha && value < beta {
                return;
            }
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = if is_decided(value) {
                    -INFINITE
                } else {
                    (value - margin).max(-INFINITE)
                };
            } else if value >= beta && beta < INFINITE {
                beta = if is_decided(value) {
                    INFINITE
                } else {
                    (value + margin).min(INFINITE)
                };
            } else {
                return;
            }
            margin += margin / 2 + P::PAWN / 20;
            if margin > P::PAWN * 8 {
                alpha = -INFINITE;
                beta = INFINITE;
            }
            if self.id == 0 && self.shared.budget.elapsed() >= PATIENCE {
                self.tell_progress(lines);
            }
        }
    }

    /// One pass over the root moves from `first` on.
    fn search_root(&mut self, depth: u32, first: usize, mut alpha: Value, beta: Value) -> Value {
        let old_alpha = alpha;
        let mut best = -INFINITE;
        for i in first..self.root.len() {
            let m = self.root[i].m;
            self.tell_root_move(depth, i, m);
            let before = self.nodes;
            let tactical = self.position.is_tactical(m);
            let undo = self.make(0, m, tactical);
            let mut value = -INFINITE;
            if i > first {
                value = -self.node::<false>(1, depth as i32 - 1, -alpha - 1, -alpha);
            }
            if i == first || value > alpha {
                value = -self.node::<true>(1, depth as i32 - 1, -beta, -alpha);
            }
            self.unmake(m, undo);
            let spent = self.nodes - before;
            self.root[i].nodes += spent;
            if self.shared.is_stopped() {
                break;
            }
            let seldepth = self.seldepth;
            let root = &mut self.root[i];
            if i == first || value > alpha {
                root.value = value;
                root.depth = depth;
                root.seldepth = seldepth;
                root.bound = if value >= beta {
                    Bound::Lower
                } else if value <= old_alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                root.line.clear();
                root.line.push(m);
                root.line.extend_from_slice(self.memory.lines.at(1));
            } else {
                root.value = -INFINITE;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    // The best move leads the list, the others keep their order.
                    self.root[first..=i].rotate_right(1);
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        best
    }

    /// The state of the search for the outside.
    pub(crate) fn snapshot(&self, lines: usize) -> Progress<P::Move> {
        let told = self.root.iter().take(lines).enumerate();
        Progress {
            lines: told
                .map(|(i, root)| Variation {
                    rank: i + 1,
                    depth: root.depth,
                    seldepth: root.seldepth as u32,
                    score: Score::from_value(root.value),
                    bound: root.bound,
                    moves: root.line.clone(),
                })
                .collect(),
            nodes: self.shared.nodes(),
            time: self.shared.budget.elapsed(),
            hashfull: self.shared.table.permill(),
            table_hits: self.shared.table_hits(),
        }
    }

    fn tell_progress(&mut self, lines: usize) {
        self.publish();
        let progress = self.snapshot(lines);
        if let Some(sink) = self.sink.as_deref_mut() {
            sink.progress(&progress);
        }
    }

    fn tell_root_move(&mut self, depth: u32, i: usize, m: P::Move) {
        let time = self.shared.budget.elapsed();
        if self.id != 0 || time < PATIENCE {
            return;
        }
        self.publish();
        let told = RootMove {
            depth,
            current: m,
            number: i + 1,
            time,
            nodes: self.shared.nodes(),
        };
        if let Some(sink) = self.sink.as_deref_mut() {
            sink.root_move(&told);
        }
    }
}

/// The moves to search at the root: all, or those asked for; each result once.
pub(crate) fn root_moves<P: Playable>(position: &P, only: &[P::Move]) -> Vec<P::Move> {
    let mut moves = Vec::new();
    let mut results = std::collections::HashSet::new();
    position.generate(quadrille_games::MoveKind::All, |m| {
        let wanted = only.is_empty() || only.contains(&m);
        if wanted && position.result_key(m).is_none_or(|key| results.insert(key)) {
            moves.push(m);
        }
    });
    moves
}
