//! By how much the static evaluation was off in positions that have something
//! in common with this one.
//!
//! Several tables, each of which sees another part of the position; what they
//! say is added up, and each learns what the sum still misses. So two tables
//! that see the same do not count it twice.

use crate::score::{MAX_EVAL, Value};
use crate::tunables as t;

/// Rows of a table that is found by a key, per side.
const ROWS: usize = 16_384;
/// Rows and columns of the table of pairs of moves; slots beyond share places.
const FOLD: usize = 1024;
/// Corrections are kept in fractions of a hundredth of a pawn.
const GRAIN: i32 = 256;
/// The largest correction of one table, in hundredths of a pawn.
const MAX: i32 = 64;
/// The tables: the structure, the parts of the position, the last two moves.
const TABLES: usize = 4;
const STRUCTURE: usize = 0;
const LAST_MOVES: usize = TABLES - 1;

/// Where the tables keep a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Likeness([Option<usize>; TABLES]);

/// The tables of one thread.
#[derive(Debug)]
pub(crate) struct Corrections {
    fold: usize,
    tables: [Vec<i16>; TABLES],
}

impl Corrections {
    pub(crate) const fn new() -> Self {
        Self {
            fold: 0,
            tables: [const { Vec::new() }; TABLES],
        }
    }

    /// Makes room: for the structure alone, or for everything, with moves of so
    /// many slots.
    pub(crate) fn prepare(&mut self, slots: usize, everything: bool) {
        *self = Self::new();
        self.tables[STRUCTURE] = vec![0; ROWS * 2];
        if !everything {
            return;
        }
        self.fold = slots.clamp(1, FOLD);
        for table in &mut self.tables[STRUCTURE + 1..LAST_MOVES] {
            *table = vec![0; ROWS * 2];
        }
        self.tables[LAST_MOVES] = vec![0; self.fold * self.fold];
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.tables.iter_mut().for_each(|table| table.fill(0));
    }

    /// Where a position is kept: by the key of its structure, the keys of
    /// other parts, and the slots of the moves that led to it, last first.
    #[inline]
    pub(crate) fn likeness(
        &self,
        side: usize,
        structure: u64,
        parts: Option<[u64; 2]>,
        moves: [Option<u32>; 2],
    ) -> Likeness {
        let row = |key: u64| (key as usize % ROWS) * 2 + (side & 1);
        let [first, second] = parts.map_or([None; 2], |keys| keys.map(|key| Some(row(key))));
        let fold = self.fold.max(1);
        let pair = match moves {
            [Some(last), Some(before)] => {
                Some((before as usize % fold) * fold + last as usize % fold)
            }
            _ => None,
        };
        Likeness([Some(row(structure)), first, second, pair])
    }

    /// By how much the evaluation was off, in hundredths of a pawn.
    #[inline]
    pub(crate) fn of(&self, likeness: &Likeness) -> Value {
        self.sum(likeness) / GRAIN
    }

    #[inline]
    fn sum(&self, likeness: &Likeness) -> i32 {
        let mut sum = 0;
        for (i, table) in self.tables.iter().enumerate() {
            let cell = likeness.0[i].and_then(|at| table.get(at));
            sum += cell.map_or(0, |&v| i32::from(v)) * weight(i) / 100;
        }
        sum
    }

    /// Learns from the difference between what a search found and what the
    /// evaluation said. Deep searches weigh more (+46 in public records).
    pub(crate) fn learn(&mut self, likeness: &Likeness, error: Value, depth: i32) {
        let error = error.clamp(-MAX_EVAL, MAX_EVAL) * GRAIN;
        let missed = error - self.sum(likeness);
        let weight = (depth + 1).clamp(1, 16);
        let limit = i64::from(MAX * GRAIN);
        for (at, table) in likeness.0.into_iter().zip(&mut self.tables) {
            if let Some(cell) = at.and_then(|at| table.get_mut(at)) {
                let moved = i64::from(*cell) * 256 + i64::from(missed) * i64::from(weight);
                *cell = (moved / 256).clamp(-limit, limit) as i16;
            }
        }
    }
}

/// How much a table counts, in percent.
#[inline]
fn weight(table: usize) -> i32 {
    match table {
        STRUCTURE => t::correction_structure_percent(),
        LAST_MOVES => t::correction_moves_percent(),
        _ => t::correction_parts_percent(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_error() {
        let mut corrections = Corrections::new();
        corrections.prepare(10, true);
        let seen = corrections.likeness(1, 77, Some([5, 6]), [Some(3), Some(4)]);
        for _ in 0..100 {
            corrections.learn(&seen, 30, 10);
        }
        assert!((25..=30).contains(&corrections.of(&seen)));
        let other = corrections.likeness(0, 77, Some([5, 6]), [None, Some(4)]);
        assert_eq!(corrections.of(&other), 0);
        // A part of what was learnt belongs to each thing the positions share.
        let alike = corrections.likeness(1, 77, Some([8, 9]), [None, Some(4)]);
        assert!((1..30).contains(&corrections.of(&alike)));
    }

    #[test]
    fn structures_alone_are_enough() {
        let mut corrections = Corrections::new();
        corrections.prepare(10, false);
        let seen = corrections.likeness(1, 77, Some([5, 6]), [Some(3), Some(4)]);
        for _ in 0..100 {
            corrections.learn(&seen, 30, 10);
        }
        let alike = corrections.likeness(1, 77, None, [None; 2]);
        assert!((20..=30).contains(&corrections.of(&alike)));
        assert_eq!(corrections.of(&seen), corrections.of(&alike));
    }

    #[test]
    fn corrections_stay_within_bounds() {
        let mut corrections = Corrections::new();
        corrections.prepare(10, true);
        let seen = corrections.likeness(0, 1, None, [None, None]);
        for _ in 0..1000 {
            corrections.learn(&seen, MAX_EVAL, 20);
        }
        assert!(corrections.of(&seen) <= MAX);
    }
}
