//! What the search reports while it runs, and lines made whole for it.

use core::time::Duration;

use quadrille_games::GameMove;

use crate::playable::Playable;
use crate::report::{Bound, Progress, RootMove, Sink, Variation};
use crate::root::RootLine;
use crate::score::{DECIDED, MAX_PLY, Score, WIN, is_decided};
use crate::worker::Worker;

/// Current moves and unfinished iterations are reported only after this.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Between two reports of the line being searched.
const LINE_EVERY: Duration = Duration::from_millis(500);
/// Plies of a refutation.
const REFUTATION: usize = 4;

impl<P: Playable> Worker<'_, P> {
    /// The lines to answer with: those of the unfinished iteration if it already
    /// knows a better move, otherwise those of the last complete one. That its
    /// first moves lose proves nothing: the moves it did not come to may not.
    pub(crate) fn result(&mut self) -> Vec<RootLine<P::Move>> {
        let Some(done) = self.complete.first() else {
            // Stopped at once: the evaluation is all there is to say.
            if self.root[0].value <= -DECIDED {
                self.root[0].value = self.raw_eval();
            }
            return self.root[..1].to_vec();
        };
        let now = &self.root[0];
        let newer = now.depth > done.depth && now.bound != Bound::Upper && now.value > -DECIDED;
        if newer && self.complete.len() == 1 {
            self.root[..1].to_vec()
        } else {
            self.complete.clone()
        }
    }

    /// The state of the search for the outside.
    pub(crate) fn snapshot(&self, lines: &[RootLine<P::Move>]) -> Progress<P::Move> {
        let told = lines.iter().enumerate();
        Progress {
            lines: told.map(|(i, root)| variation(i + 1, root)).collect(),
            nodes: self.shared.nodes(),
            time: self.shared.budget.elapsed(),
            hashfull: self.shared.table.permill(),
            tablebase_hits: self.shared.tablebase_hits(),
        }
    }

    pub(crate) fn report_progress(&mut self, lines: usize) {
        self.publish();
        let Some(sink) = self.sink.take() else {
            return;
        };
        sink.progress(&self.snapshot(&self.root[..lines]));
        self.sink = Some(sink);
    }

    pub(crate) fn report_root_move(&mut self, depth: u32, i: usize, m: P::Move) {
        let time = self.shared.budget.elapsed();
        if self.id != 0 || time < PATIENCE {
            return;
        }
        self.publish();
        let nodes = self.shared.nodes();
        if let Some(sink) = self.sink.as_deref_mut() {
            sink.root_move(&RootMove {
                depth,
                current: m,
                number: i + 1,
                time,
                nodes,
            });
        }
    }

    /// Reports the line being searched now and then, if it is asked for.
    pub(crate) fn report_line(&mut self, ply: usize) {
        let Some(sink) = self.sink.as_deref_mut() else {
            return;
        };
        let now = self.shared.budget.now();
        let elapsed = self.shared.budget.elapsed();
        sink.tick(elapsed);
        let recent = |last| now.since(last) < LINE_EVERY;
        let early = elapsed < PATIENCE || self.line_reported.is_some_and(recent);
        if early || !sink.wants_current_line() {
            return;
        }
        self.line_reported = Some(now);
        // A pass is no move that could be reported, so the line ends there.
        let moves: Vec<_> = (0..ply)
            .map_while(|i| self.memory.stack.at(i).played)
            .collect();
        sink.current_line(self.id + 1, &moves);
    }

    /// Reports why the other root moves are worse, as far as the table knows.
    pub(crate) fn report_refutations(&mut self, lines: usize) {
        let sink = self.sink.as_deref();
        let wanted = sink.is_some_and(Sink::wants_refutations);
        if !wanted || self.shared.budget.elapsed() < PATIENCE {
            return;
        }
        for i in lines..self.root.len() {
            let mut line = vec![self.root[i].m];
            self.follow_table(&mut line, REFUTATION);
            if let Some(sink) = self.sink.as_deref_mut() {
                sink.refutation(&line);
            }
        }
    }

    /// Follows the table from the end of a line until it is `length` plies
    /// long, the game ends, or the table knows nothing.
    pub(crate) fn follow_table(&mut self, line: &mut Vec<P::Move>, length: usize) {
        let mut position = self.position.clone();
        for &m in line.iter() {
            position.make(m, &mut ());
        }
        while line.len() < length.min(MAX_PLY) && position.outcome().is_none() {
            let entry = self.shared.table.probe(position.tree_key(0), line.len());
            let next = entry
                .filter(|e| e.best != 0)
                .map(|e| P::Move::from_bits(e.best))
                .or_else(|| position.win_at_once())
                .filter(|&m| position.is_legal(m));
            let Some(m) = next else {
                return;
            };
            line.push(m);
            position.make(m, &mut ());
        }
    }

    /// A line that claims a win or loss should show it to its end. Where a cut
    /// left it short, the table usually still knows the rest.
    pub(crate) fn complete_line(&mut self, i: usize) {
        let root = &self.root[i];
        let plies = (WIN - root.value.abs()).max(0) as usize;
        if !is_decided(root.value) || root.line.len() >= plies {
            return;
        }
        let mut line = root.line.clone();
        self.follow_table(&mut line, plies);
        self.root[i].line = line;
    }
}

/// A root line for the outside.
fn variation<M: Copy>(rank: usize, root: &RootLine<M>) -> Variation<M> {
    Variation {
        rank,
        depth: root.depth,
        seldepth: root.seldepth as u32,
        score: Score::from_value(root.reported_value()),
        bound: if root.reported_value() == root.value {
            root.bound
        } else {
            Bound::Exact
        },
        moves: root.line.clone(),
    }
}
