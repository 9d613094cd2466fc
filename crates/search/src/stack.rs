//! What the search keeps per ply, and the lists it uses again and again so that
//! a node allocates nothing and a huge board does not fill the program's stack.

use crate::score::{MAX_PLY, Value};
use crate::transposition::NO_EVAL;

/// Frames before the root, so that looking six plies back needs no question, not
/// even from the ply before.
pub(crate) const BACK: usize = 7;

/// One ply of the line being searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<M> {
    /// The move made from here, if one is made and is not a pass.
    pub(crate) played: Option<M>,
    /// Its place in the history tables.
    pub(crate) slot: Option<u32>,
    /// Whether that move is known to be quiet.
    pub(crate) quiet: bool,
    /// Its trail, if so.
    pub(crate) trail: u32,
    /// By how many plies the search of that move is reduced.
    pub(crate) reduction: i32,
    /// Whether the side to move is in check here.
    pub(crate) in_check: bool,
    /// Whether the opponent threatens to win at once; `None` until asked.
    pub(crate) threat: Option<bool>,
    /// The squares that the opponent attacks; `None` until asked.
    pub(crate) danger: Option<u64>,
    /// The key of the structure; `None` until asked.
    pub(crate) structure: Option<u64>,
    /// The corrected static evaluation; [`NO_EVAL`] in check.
    pub(crate) eval: Value,
    /// Quiet moves that were too good for the opponent at this ply lately.
    pub(crate) killers: [Option<M>; 2],
    /// The move left out by a singular search.
    pub(crate) excluded: Option<M>,
    /// Extensions by two plies on the way here.
    pub(crate) doubles: u32,
    /// Fail highs among the children.
    pub(crate) cutoffs: u32,
}

impl<M> Frame<M> {
    const fn new() -> Self {
        Self {
            played: None,
            slot: None,
            quiet: false,
            trail: 0,
            reduction: 0,
            in_check: false,
            threat: None,
            danger: None,
            structure: None,
            eval: NO_EVAL,
            killers: [None, None],
            excluded: None,
            doubles: 0,
            cutoffs: 0,
        }
    }
}

/// The frames of a search, with some before the root.
#[derive(Debug)]
pub(crate) struct Stack<M>(Vec<Frame<M>>);

impl<M: Copy> Stack<M> {
    pub(crate) fn new() -> Self {
        Self(vec![Frame::new(); MAX_PLY + BACK + 3])
    }

    pub(crate) fn reset(&mut self) {
        self.0.fill(Frame::new());
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> &Frame<M> {
        &self.0[ply + BACK]
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut Frame<M> {
        &mut self.0[ply + BACK]
    }

    /// The frame `back` plies before `ply`; `back` is at most [`BACK`].
    #[inline]
    pub(crate) fn before(&self, ply: usize, back: usize) -> &Frame<M> {
        &self.0[ply + BACK - back]
    }
}

/// The principal variations found below each ply.
#[derive(Debug)]
pub(crate) struct Lines<M>(Vec<Vec<M>>);

impl<M: Copy> Lines<M> {
    pub(crate) fn new() -> Self {
        Self((0..MAX_PLY + 3).map(|_| Vec::new()).collect())
    }

    #[inline]
    pub(crate) fn at(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }

    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The line at `ply` becomes `m` and the line below it.
    pub(crate) fn extend(&mut self, ply: usize, m: M) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0]);
    }
}

/// A set of keys that is emptied in no time, to look once at moves that lead
/// to the same position. Forgets to refuse when it is full: that costs time
/// and nothing else.
#[derive(Debug)]
pub(crate) struct Seen {
    cells: Vec<(u64, u32)>,
    round: u32,
    count: usize,
}

const SEEN_CELLS: usize = 1 << 14;

impl Seen {
    pub(crate) fn new() -> Self {
        Self {
            cells: Vec::new(),
            round: 0,
            count: 0,
        }
    }

    /// Forgets all keys.
    pub(crate) fn begin(&mut self) {
        self.count = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.cells.clear();
            self.round = 1;
        }
    }

    /// Whether the key is new; remembers it.
    pub(crate) fn insert(&mut self, key: u64) -> bool {
        if self.cells.is_empty() {
            self.cells = vec![(0, 0); SEEN_CELLS];
        }
        if self.count > SEEN_CELLS / 2 {
            return true;
        }
        let mut at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize;
        loop {
            let (known, round) = self.cells[at];
            if round != self.round {
                self.cells[at] = (key, self.round);
                self.count += 1;
                return true;
            }
            if known == key {
                return false;
            }
            at = (at + 1) % SEEN_CELLS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_from_their_ends() {
        let mut lines = Lines::new();
        lines.clear(2);
        lines.extend(1, 'b');
        lines.extend(0, 'a');
        assert_eq!(lines.at(0), ['a', 'b']);
    }

    #[test]
    fn seen_keys_are_refused_until_the_next_round() {
        let mut seen = Seen::new();
        seen.begin();
        assert!(seen.insert(7) && seen.insert(8));
        assert!(!seen.insert(7));
        seen.begin();
        assert!(seen.insert(7));
        for key in 0..100_000 {
            seen.insert(key);
        }
    }
}
