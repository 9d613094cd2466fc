//! Looking for a chain of runs from its end.
//!
//! A few squares can be reached only by long chains, or not at all for reasons
//! that an upper bound does not see; walking forward finds out late. Backwards
//! a state `(p, V)` means: the mover must arrive at `p` without the edges `V`,
//! because the runs from `p` to the target need them. It succeeds as soon as
//! the forward walk has reached `p` without an edge of `V`: the two halves are
//! a chain. It fails when no open state is left, by the proof of the forward
//! walk read backwards: `(p, V)` is dropped for a known `(p, W)` with `W ⊆ V`,
//! and a chain that avoids `V` avoids `W`.

use super::geometry::{Bits, NEARBY, SQUARES};
use super::seen::Seen;
use super::walk::Walk;

enum Verdict {
    Reachable,
    Unreachable,
    /// The budget is spent.
    Unknown,
}

impl Walk {
    /// Settles what it can of the squares still wanted, spending about `budget`
    /// steps of work on each.
    pub(super) fn look_backward(&mut self, budget: u32) {
        let missing = self.want;
        let mut open = 0;
        for target in Bits(missing) {
            match self.approach(target, budget) {
                Verdict::Reachable => self.found |= 1 << target,
                Verdict::Unreachable => {}
                Verdict::Unknown => open |= 1 << target,
            }
        }
        self.want = open;
    }

    fn approach(&mut self, target: u8, budget: u32) -> Verdict {
        let mut known = Seen::new();
        let verdict = self.approach_with(&mut known, target, budget);
        self.work.lookups += known.lookups;
        verdict
    }

    fn approach_with(&mut self, known: &mut Seen, target: u8, budget: u32) -> Verdict {
        let mut stack = vec![(target, 0u64)];
        let before = self.work.total();
        while let Some((square, needed)) = stack.pop() {
            self.work.visits += 1;
            if self.work.total() - before > budget {
                return Verdict::Unknown;
            }
            for piece in Bits(self.near(square)) {
                let fan = self.fan(piece);
                let origin = self.origin(piece);
                for run in Bits((fan.bounce | fan.quiet) & origin.into(square)) {
                    let edges = origin.edges(run as u32);
                    if edges & needed != 0 {
                        continue;
                    }
                    let needed = needed | edges;
                    if piece == self.start || self.seen.reached_without(piece, needed) {
                        return Verdict::Reachable;
                    }
                    if known.admit(piece, needed) && self.may_arrive(piece, needed) {
                        stack.push((piece, needed));
                    }
                }
            }
        }
        Verdict::Unreachable
    }

    /// Pieces, the lifted one included, that may have a run into `square`.
    fn near(&self, square: u8) -> u64 {
        let pieces = self.occupied | 1 << self.start;
        // A goal is next to a whole row: no table, all pieces.
        if square as usize >= SQUARES {
            return pieces;
        }
        let near = |kind: usize| self.kinds[kind] & NEARBY[kind][square as usize];
        pieces & (near(0) | near(1) | near(2))
    }

    /// Whether the upper bound lets the mover arrive at `piece` without these
    /// edges.
    fn may_arrive(&mut self, piece: u8, without: u64) -> bool {
        let wanted = core::mem::replace(&mut self.want, 1 << piece);
        let promised = self.promised(self.start, without, true);
        self.want = wanted;
        promised != 0
    }
}
