//! The root: iterations, aspiration windows, several best lines.

use core::cmp::Reverse;
use std::collections::HashSet;

use quadrille_games::{GameMove, MoveKind};

use crate::node::Node;
use crate::picker::Picked;
use crate::playable::Playable;
use crate::report::Bound;
use crate::reporting::PATIENCE;
use crate::score::{INFINITE, MAX_PLY, Score, Value, WIN, is_decided};
use crate::time::Confidence;
use crate::transposition::NO_EVAL;
use crate::tunables as t;
use crate::worker::Worker;

/// An only move is looked at this deep, for a score and a reply to expect.
const ONLY_MOVE_DEPTH: u32 = 6;

/// A root move and what is known about it.
#[derive(Debug, Clone)]
pub(crate) struct RootLine<M> {
    pub(crate) m: M,
    /// The value of this iteration; `-INFINITE` if it was only shown to be
    /// worse than others.
    pub(crate) value: Value,
    /// The value of the last iteration.
    pub(crate) last: Value,
    pub(crate) bound: Bound,
    pub(crate) depth: u32,
    pub(crate) seldepth: usize,
    pub(crate) nodes: u64,
    /// The whole line, this move first.
    pub(crate) line: Vec<M>,
    /// What endgame tables say about it: how it ranks, and its value.
    pub(crate) endgame: Option<(i32, Value)>,
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
            endgame: None,
        }
    }

    /// Moves are searched against those of their own rank only.
    fn rank(&self) -> i32 {
        self.endgame.map_or(0, |(rank, _)| rank)
    }

    /// The value to report: endgame tables know better than anything but a mate.
    pub(crate) fn reported_value(&self) -> Value {
        match self.endgame {
            Some((_, value)) if !is_decided(self.value) => value,
            _ => self.value,
        }
    }
}

/// How the best move did from iteration to iteration.
#[derive(Debug, Clone)]
pub(crate) struct Course<M> {
    stable_for: u32,
    averaged: f64,
    /// The best move when the iteration under way began; `None` between two.
    best_before: Option<M>,
}

impl<M> Default for Course<M> {
    fn default() -> Self {
        Self {
            stable_for: 0,
            averaged: 0.0,
            best_before: None,
        }
    }
}

impl<P: Playable> Worker<'_, P> {
    /// Searches deeper and deeper until something ends it. An iteration that the
    /// end of a slice broke off is begun again: what it found is in the
    /// transposition table.
    pub(crate) fn iterate(&mut self) {
        let lines = self.shared.limits.lines.clamp(1, self.root.len().max(1));
        if self.completed == 0 && self.course.best_before.is_none() {
            self.order_root();
        }
        for depth in self.completed + 1..MAX_PLY as u32 {
            self.iteration = depth;
            if self.course.best_before.is_none() {
                self.course.best_before = Some(self.root[0].m);
                for root in &mut self.root {
                    root.last = root.value;
                }
            }
            for first in 0..lines {
                self.seldepth = 0;
                self.aspire(depth, first);
                if self.shared.is_stopped() {
                    break;
                }
                // A later line may turn out better than an earlier one.
                self.root[..=first].sort_by_key(|root| Reverse((root.rank(), root.value)));
            }
            self.publish();
            if self.shared.is_stopped() {
                break;
            }
            self.finish_iteration(depth, lines);
            let best_before = self.course.best_before.take();
            let enough = match self.id {
                0 => self.is_enough(depth, best_before),
                // The others think on until the main thread has had enough, but
                // never deeper than it may.
                _ => !self.shared.is_pondering() && self.is_deep_enough(depth),
            };
            if enough {
                break;
            }
        }
    }

    fn is_deep_enough(&self, depth: u32) -> bool {
        let limit = self.shared.limits.depth;
        limit.is_some_and(|limit| depth >= limit)
    }

    /// Keeps what an iteration found, and reports it.
    fn finish_iteration(&mut self, depth: u32, lines: usize) {
        for i in 0..lines {
            self.complete_line(i);
        }
        self.completed = depth;
        self.complete.clear();
        self.complete.extend_from_slice(&self.root[..lines]);
        self.report_progress(lines);
        self.report_refutations(lines);
    }

    /// Whether a completed iteration ends the search.
    fn is_enough(&mut self, depth: u32, best_before: Option<P::Move>) -> bool {
        let (course, best) = (&mut self.course, &self.root[0]);
        let value = best.value;
        course.stable_for = if best_before == Some(best.m) {
            course.stable_for + 1
        } else {
            0
        };
        let pawns = f64::from(value) / f64::from(P::PAWN);
        let drop = course.averaged - pawns;
        course.averaged = if depth == 1 {
            pawns
        } else {
            (course.averaged + pawns) / 2.0
        };
        let confidence = Confidence {
            stable_for: course.stable_for,
            node_share: best.nodes as f64 / self.nodes.max(1) as f64,
            drop: if depth > 4 { drop } else { 0.0 },
        };
        let shared = self.shared;
        let choices = if shared.limits.lines > 1 {
            self.root.len()
        } else {
            self.rank_end(0)
        };
        let only_move = choices == 1 && depth >= ONLY_MOVE_DEPTH;
        let proven = is_decided(value) && depth >= 2 * (WIN - value.abs()) as u32;
        let settled =
            shared.budget.saves() && (only_move || proven || shared.budget.should_stop(confidence));
        self.enough_on_hit = settled;
        if shared.is_pondering() {
            return false;
        }
        let deep = self.is_deep_enough(depth);
        if shared.limits.infinite {
            return deep;
        }
        let mated = shared.limits.mate.is_some_and(|moves| {
            let found = Score::from_value(value).mate_moves();
            found.is_some_and(|n| n.unsigned_abs() <= moves)
        });
        let spent = shared
            .limits
            .soft_nodes
            .is_some_and(|limit| shared.nodes() >= limit);
        deep || mated || spent || settled || self.has_no_mate(depth)
    }

    /// Whether a mate was asked for, and there is none. Not before the iterations would
    /// have seen the mover mated in as many moves, which is an answer too.
    fn has_no_mate(&mut self, depth: u32) -> bool {
        let asked = self.shared.limits.mate;
        asked.is_some_and(|moves| depth >= 2 * moves && self.refutes_mate(moves))
    }

    /// Where the moves end that rank with this one.
    fn rank_end(&self, first: usize) -> usize {
        let rank = self.root[first].rank();
        let same = self.root[first..].iter().take_while(|r| r.rank() == rank);
        first + same.count()
    }

    /// Puts the moves that look best in front: what endgame tables like, the
    /// table's move, then what wins material, as the picker would.
    fn order_root(&mut self) {
        let known = self.shared.table.probe(self.position.tree_key(0), 0);
        let position = &self.position;
        self.root.sort_by_cached_key(|root| {
            let m = root.m;
            let merit = if known.is_some_and(|entry| entry.best == m.to_bits()) {
                Value::MAX
            } else if !position.is_tactical(m) {
                0
            } else if position.exchange_wins(m, 0) {
                1 + position.gain(m)
            } else {
                -1
            };
            Reverse((root.rank(), merit))
        });
    }

    /// Searches the root moves from `first` on with a window around what the
    /// last iteration found, and widens it until the value lies inside.
    /// (+20 to +39 in public records.)
    fn aspire(&mut self, depth: u32, first: usize) {
        let last = self.root[first].last;
        let mut margin = t::aspiration_margin::<P>() * P::PAWN / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= t::aspiration_depth() as u32 && last != -INFINITE && !is_decided(last) {
            alpha = last - margin;
            beta = last + margin;
        }
        let mut failed_high = 0;
        loop {
            // After a fail high the value is good; a little less depth finds out
            // how good sooner (+6 to +13).
            let reduced = depth.saturating_sub(failed_high).max(1);
            let value = self.search_root(reduced, depth, first, alpha, beta);
            if self.shared.is_stopped() || value > alpha && value < beta {
                return;
            }
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = value - margin;
                failed_high = 0;
            } else if value >= beta && beta < INFINITE {
                beta = value + margin;
                failed_high = (failed_high + 1).min(3);
            } else {
                return;
            }
            margin += margin / 2 + P::PAWN / 20;
            if margin > P::PAWN * 8 || is_decided(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.shared.budget.elapsed() >= PATIENCE {
                // The lines after this one have no value in this iteration yet.
                self.report_progress(first + 1);
            }
        }
    }

    /// One pass over the root moves from `first` on. Where those are all moves
    /// there are, the root is remembered and teaches like any other node.
    fn search_root(
        &mut self,
        depth: u32,
        reported_depth: u32,
        first: usize,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        let node = self.root_node(depth as i32, alpha, beta);
        let end = self.rank_end(first);
        let whole = first == 0 && end == self.root.len() && self.shared.limits.only.is_empty();
        let mut best = -INFINITE;
        let mut best_move = None;
        self.memory.tried.clear();
        self.memory.stack.at_mut(1).cutoffs = 0;
        self.memory.stack.at_mut(2).killers = [None, None];
        for i in first..end {
            let m = self.root[i].m;
            self.report_root_move(reported_depth, i, m);
            let picked = Picked {
                m,
                tactical: self.position.is_tactical(m),
                bad: false,
                score: None,
            };
            let tried = self.tried(0, picked);
            self.memory.stack.at_mut(0).trail = tried.trail;
            let value = self.try_root_move(&node, picked, (i, i - first), alpha);
            if self.shared.is_stopped() {
                return best;
            }
            if i == first || value > alpha {
                let bound = if value >= beta {
                    Bound::Lower
                } else if value <= node.alpha {
                    Bound::Upper
                } else {
                    Bound::Exact
                };
                self.note(i, reported_depth, value, bound);
            } else {
                self.root[i].value = -INFINITE;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                best_move = Some(picked);
                // The best move leads the list, the others keep their order.
                self.root[first..=i].rotate_right(1);
                if value >= beta {
                    break;
                }
            }
            self.memory.tried.push(tried);
        }
        if best <= node.alpha {
            // No move is better than this, which the first alone does not show.
            self.root[first].value = best;
        }
        if whole {
            if let Some(picked) = best_move.filter(|_| best >= beta) {
                self.reward(0, node.depth, picked, 0);
            }
            self.remember::<true>(&node, best, best_move);
        }
        best
    }

    /// What is known about the root before its moves are tried.
    fn root_node(&mut self, depth: i32, alpha: Value, beta: Value) -> Node<P::Move> {
        let key = self.position.tree_key(0);
        let mut node = Node {
            ply: 0,
            depth,
            alpha,
            beta,
            key,
            in_check: self.memory.stack.at(0).in_check,
            raw: NO_EVAL,
            eval: NO_EVAL,
            guess: NO_EVAL,
            doubt: 0,
            improving: false,
            found: self.shared.table.probe(key, 0),
            table_move: None,
            table_tactical: false,
            was_pv: true,
            cut: false,
            excluded: None,
            floor: -INFINITE,
            ceiling: INFINITE,
        };
        self.judge(&mut node);
        node
    }

    /// Makes the root move at place `i` and searches what follows; `place`
    /// counts from the first of this pass.
    fn try_root_move(
        &mut self,
        node: &Node<P::Move>,
        picked: Picked<P::Move>,
        (i, place): (usize, usize),
        alpha: Value,
    ) -> Value {
        let before = self.nodes;
        let below = node.depth - 1;
        let undo = self.make(0, picked.m);
        self.memory.stack.at_mut(0).quiet = !picked.tactical;
        let mut value = -INFINITE;
        if place > 0 {
            let reduced = self.root_reduction(below, place);
            value = -self.node::<false>(1, below - reduced, -alpha - 1, -alpha, true);
            if value > alpha && reduced > 0 {
                value = -self.node::<false>(1, below, -alpha - 1, -alpha, true);
            }
        }
        if place == 0 || value > alpha {
            value = -self.node::<true>(1, below, -node.beta, -alpha, false);
        }
        self.unmake(picked.m, undo);
        self.root[i].nodes += self.nodes - before;
        value
    }

    /// Writes down what was found about a root move.
    fn note(&mut self, i: usize, depth: u32, value: Value, bound: Bound) {
        let root = &mut self.root[i];
        root.value = value;
        root.depth = depth;
        root.seldepth = self.seldepth;
        root.bound = bound;
        root.line.clear();
        root.line.push(root.m);
        root.line.extend_from_slice(self.memory.lines.at(1));
    }

    /// Late root moves are reduced too, but less than elsewhere. The move has
    /// been made already.
    fn root_reduction(&self, depth: i32, place: usize) -> i32 {
        if depth < 3 || place < 3 || self.memory.stack.at(1).in_check {
            return 0;
        }
        let reduction = self.memory.reductions.get(depth, place, false);
        (reduction / 1024 - 1).clamp(0, depth - 1)
    }
}

/// The moves to search at the root: those asked for if any of them is legal,
/// otherwise all; each result once.
pub(crate) fn root_moves<P: Playable>(position: &P, only: &[P::Move]) -> Vec<P::Move> {
    let mut wanted: HashSet<P::Move> = only.iter().copied().collect();
    wanted.retain(|&m| position.is_legal(m));
    let mut moves = Vec::new();
    let mut results = HashSet::new();
    position.generate(MoveKind::All, |m| {
        let asked = wanted.is_empty() || wanted.contains(&m);
        if asked && position.result_key(m).is_none_or(|key| results.insert(key)) {
            moves.push(m);
        }
    });
    moves
}
