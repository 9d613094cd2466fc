//! Pairing off: a perfect matching of a graph, kept perfect while pairs are
//! taken out of it.
//!
//! Edmonds' algorithm: a path from one single player to another, along which
//! unmatched and matched edges take turns, brings both into the matching. Odd
//! circles on the way are contracted.

use std::collections::VecDeque;

/// No partner.
const NONE: usize = usize::MAX;

/// A graph of players who may meet, and pairs among them.
#[derive(Debug, Clone)]
pub(super) struct Matching {
    size: usize,
    /// Whether two may meet; a square table.
    edges: Vec<bool>,
    mate: Vec<usize>,
    /// Players who are out.
    gone: Vec<bool>,
}

impl Matching {
    /// A graph in which `may_meet` are the edges, with as many pairs as there
    /// can be.
    pub(super) fn new(size: usize, may_meet: impl Fn(usize, usize) -> bool) -> Self {
        let mut edges = vec![false; size * size];
        for a in 0..size {
            for b in 0..size {
                edges[a * size + b] = a != b && may_meet(a, b);
            }
        }
        let mut matching = Self {
            size,
            edges,
            mate: vec![NONE; size],
            gone: vec![false; size],
        };
        for player in 0..size {
            if matching.mate[player] == NONE {
                matching.augment(player);
            }
        }
        matching
    }

    /// Whether everybody who is in has a partner.
    pub(super) fn is_perfect(&self) -> bool {
        (0..self.size).all(|player| self.gone[player] || self.mate[player] != NONE)
    }

    pub(super) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.edges[a * self.size + b] && !self.gone[a] && !self.gone[b]
    }

    /// Takes two out as a pair if the others can still be paired off; else
    /// nothing changes.
    pub(super) fn take(&mut self, a: usize, b: usize) -> bool {
        if !self.may_meet(a, b) {
            return false;
        }
        let (old_a, old_b) = (self.mate[a], self.mate[b]);
        self.gone[a] = true;
        self.gone[b] = true;
        if old_a == b {
            return true;
        }
        let before = self.mate.clone();
        for player in [a, b, old_a, old_b] {
            if player != NONE {
                self.mate[player] = NONE;
            }
        }
        if old_a == NONE || self.augment(old_a) {
            return true;
        }
        self.mate = before;
        self.gone[a] = false;
        self.gone[b] = false;
        false
    }

    /// Looks for a path from a single player to another and matches along it.
    fn augment(&mut self, root: usize) -> bool {
        let size = self.size;
        let mut parent = vec![NONE; size];
        let mut base: Vec<usize> = (0..size).collect();
        let mut outer = vec![false; size];
        let mut queue = VecDeque::from([root]);
        outer[root] = true;
        while let Some(v) = queue.pop_front() {
            for to in 0..size {
                if !self.may_meet(v, to) || base[v] == base[to] || self.mate[v] == to {
                    continue;
                }
                let mate = self.mate[to];
                if to == root || (mate != NONE && parent[mate] != NONE) {
                    self.contract(v, to, &mut parent, &mut base, &mut outer, &mut queue);
                } else if parent[to] == NONE {
                    parent[to] = v;
                    if mate == NONE {
                        self.flip(to, &parent);
                        return true;
                    }
                    outer[mate] = true;
                    queue.push_back(mate);
                }
            }
        }
        false
    }

    /// Exchanges matched and unmatched edges from the end of a path to its
    /// root.
    fn flip(&mut self, end: usize, parent: &[usize]) {
        let mut v = end;
        while v != NONE {
            let before = parent[v];
            let next = self.mate[before];
            self.mate[v] = before;
            self.mate[before] = v;
            v = next;
        }
    }

    /// Makes one node of the odd circle that the edge `v`-`to` closes.
    fn contract(
        &self,
        v: usize,
        to: usize,
        parent: &mut [usize],
        base: &mut [usize],
        outer: &mut [bool],
        queue: &mut VecDeque<usize>,
    ) {
        let top = self.common(v, to, parent, base);
        let mut inside = vec![false; self.size];
        for (mut at, mut child) in [(v, to), (to, v)] {
            while base[at] != top {
                inside[base[at]] = true;
                inside[base[self.mate[at]]] = true;
                parent[at] = child;
                child = self.mate[at];
                at = parent[child];
            }
        }
        for i in 0..self.size {
            if inside[base[i]] {
                base[i] = top;
                if !outer[i] {
                    outer[i] = true;
                    queue.push_back(i);
                }
            }
        }
    }

    /// Where the ways of two outer nodes to the root meet.
    fn common(&self, a: usize, b: usize, parent: &[usize], base: &[usize]) -> usize {
        let mut seen = vec![false; self.size];
        let mut at = a;
        loop {
            at = base[at];
            seen[at] = true;
            if self.mate[at] == NONE {
                break;
            }
            at = parent[self.mate[at]];
        }
        let mut at = base[b];
        while !seen[at] {
            at = base[parent[self.mate[at]]];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::random::SplitMix64;

    /// The largest number of pairs, by trying everything.
    fn most_pairs(size: usize, edges: &[bool], out: u32) -> u32 {
        let Some(first) = (0..size).find(|i| out >> i & 1 == 0) else {
            return 0;
        };
        let without = most_pairs(size, edges, out | 1 << first);
        let with = (first + 1..size)
            .filter(|&other| out >> other & 1 == 0 && edges[first * size + other])
            .map(|other| 1 + most_pairs(size, edges, out | 1 << first | 1 << other));
        with.fold(without, u32::max)
    }

    #[test]
    fn as_many_pairs_as_there_can_be() {
        let mut lot = SplitMix64::of(3, 0);
        for _ in 0..2000 {
            let size = 2 + lot.below(8) as usize;
            let density = lot.below(100);
            let mut edges = vec![false; size * size];
            for a in 0..size {
                for b in a + 1..size {
                    let edge = lot.below(100) < density;
                    edges[a * size + b] = edge;
                    edges[b * size + a] = edge;
                }
            }
            let mut matching = Matching::new(size, |a, b| edges[a * size + b]);
            let matched = matching.mate.iter().filter(|&&mate| mate != NONE).count();
            assert_eq!(matched as u32 / 2, most_pairs(size, &edges, 0), "{edges:?}");
            for player in 0..size {
                let mate = matching.mate[player];
                assert!(
                    mate == NONE || (matching.mate[mate] == player && edges[player * size + mate])
                );
            }
            if !matching.is_perfect() {
                continue;
            }
            // Taking a pair out succeeds exactly when the rest can be paired.
            let (a, b) = (
                lot.below(size as u64) as usize,
                lot.below(size as u64) as usize,
            );
            if a != b {
                let possible = edges[a * size + b]
                    && most_pairs(size, &edges, 1 << a | 1 << b) as usize == size / 2 - 1;
                assert_eq!(matching.take(a, b), possible);
                assert!(matching.is_perfect());
            }
        }
    }
}
