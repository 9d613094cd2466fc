//! What worked lately: numbers by which quiet moves are ordered, reduced and
//! pruned, and static evaluations corrected.
//!
//! All tables use *gravity*: the closer a number is to its limit, the less a
//! further bonus in that direction moves it, so old experience fades.

use quadrille_games::GameMove;

use crate::score::{MAX_EVAL, Value};

/// No history number is greater than this.
pub const HISTORY_MAX: i32 = 16_384;
/// Rows and columns of the continuation table; slots beyond share places.
const FOLD: usize = 1024;
/// Rows of the correction table, per side.
const STRUCTURES: usize = 16_384;
/// Gains are told apart in this many classes.
const GAINS: usize = 8;
/// Corrections are kept in fractions of a hundredth of a pawn.
const CORRECTION_GRAIN: i32 = 256;
/// The largest correction, in hundredths of a pawn.
const CORRECTION_MAX: i32 = 64;

/// All history of one thread. Allocated on first use, because the size of the
/// tables depends on the game's board.
#[derive(Debug)]
pub(crate) struct History {
    slots: usize,
    fold: usize,
    quiet: Vec<i16>,
    tactical: Vec<[i16; GAINS]>,
    continuation: Vec<i16>,
    /// The reply that refuted a move last time, by the slot of that move.
    counters: Vec<u64>,
    corrections: Vec<i32>,
}

impl History {
    pub(crate) const fn new() -> Self {
        Self {
            slots: 0,
            fold: 0,
            quiet: Vec::new(),
            tactical: Vec::new(),
            continuation: Vec::new(),
            counters: Vec::new(),
            corrections: Vec::new(),
        }
    }

    /// Makes room for moves with so many slots; forgets if that is a change.
    pub(crate) fn prepare(&mut self, slots: usize) {
        if self.slots == slots && !self.quiet.is_empty() {
            return;
        }
        *self = Self::new();
        self.slots = slots.max(1);
        self.fold = self.slots.min(FOLD);
        self.quiet = vec![0; self.slots];
        self.tactical = vec![[0; GAINS]; self.slots];
        self.continuation = vec![0; self.fold * self.fold];
        self.counters = vec![0; self.slots];
        self.corrections = vec![0; STRUCTURES * 2];
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.tactical.fill([0; GAINS]);
        self.continuation.fill(0);
        self.counters.fill(0);
        self.corrections.fill(0);
    }

    /// How good this quiet move was wherever it was played.
    #[inline]
    pub(crate) fn quiet(&self, slot: usize) -> i32 {
        self.quiet.get(slot).map_or(0, |&v| i32::from(v))
    }

    /// How good it was after another move, one, two or four plies before.
    #[inline]
    pub(crate) fn continuation(&self, before: Option<u32>, slot: usize) -> i32 {
        before.map_or(0, |before| {
            let at = self.continuation_index(before, slot);
            self.continuation.get(at).map_or(0, |&v| i32::from(v))
        })
    }

    /// How good a tactical move of about this gain was.
    #[inline]
    pub(crate) fn tactical(&self, slot: usize, gain_class: usize) -> i32 {
        self.tactical
            .get(slot)
            .map_or(0, |row| i32::from(row[gain_class % GAINS]))
    }

    /// Gives a move a better or a worse name: in the tactical table if it has a
    /// class of gain, otherwise in the quiet ones, where `befores` are the slots
    /// of earlier moves.
    pub(crate) fn learn(
        &mut self,
        slot: u32,
        gain_class: Option<u8>,
        befores: [Option<u32>; 3],
        bonus: i32,
    ) {
        let slot = slot as usize;
        if let Some(class) = gain_class {
            if let Some(row) = self.tactical.get_mut(slot) {
                pull(&mut row[usize::from(class) % GAINS], bonus);
            }
            return;
        }
        if let Some(value) = self.quiet.get_mut(slot) {
            pull(value, bonus);
        }
        for before in befores.into_iter().flatten() {
            let at = self.continuation_index(before, slot);
            if let Some(value) = self.continuation.get_mut(at) {
                pull(value, bonus);
            }
        }
    }

    /// The quiet reply that refuted the move of this slot last time. Must be
    /// checked before it is made.
    pub(crate) fn counter<M: GameMove>(&self, before: Option<u32>) -> Option<M> {
        let bits = *self.counters.get(before? as usize)?;
        (bits != 0).then(|| M::from_bits(bits - 1))
    }

    pub(crate) fn set_counter<M: GameMove>(&mut self, before: Option<u32>, m: M) {
        if let Some(cell) = before.and_then(|b| self.counters.get_mut(b as usize)) {
            // Zero is kept for "none"; no game uses all 64 bits.
            *cell = m.to_bits().wrapping_add(1);
        }
    }

    /// By how much the static evaluation was off in positions of this
    /// structure, in hundredths of a pawn.
    #[inline]
    pub(crate) fn correction(&self, structure: u64, side: usize) -> Value {
        self.corrections
            .get(correction_index(structure, side))
            .map_or(0, |&v| v / CORRECTION_GRAIN)
    }

    /// Learns from the difference between what a search found and what the
    /// evaluation said. Deep searches weigh more (+46 in public records).
    pub(crate) fn correct(&mut self, structure: u64, side: usize, error: Value, depth: i32) {
        if let Some(cell) = self.corrections.get_mut(correction_index(structure, side)) {
            let weight = (depth + 1).clamp(1, 16);
            let error = error.clamp(-MAX_EVAL, MAX_EVAL) * CORRECTION_GRAIN;
            let limit = CORRECTION_MAX * CORRECTION_GRAIN;
            let mixed = (i64::from(*cell) * i64::from(256 - weight)
                + i64::from(error) * i64::from(weight))
                / 256;
            *cell = (mixed as i32).clamp(-limit, limit);
        }
    }

    #[inline]
    fn continuation_index(&self, before: u32, slot: usize) -> usize {
        let fold = self.fold.max(1);
        (before as usize % fold) * fold + slot % fold
    }
}

/// The class of a gain: about one per pawn.
#[inline]
pub(crate) fn gain_class(gain: Value, pawn: Value) -> usize {
    (gain / pawn.max(1)).clamp(0, GAINS as Value - 1) as usize
}

#[inline]
const fn correction_index(structure: u64, side: usize) -> usize {
    (structure as usize % STRUCTURES) * 2 + (side & 1)
}

/// Adds a bonus with gravity.
fn pull(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_MAX, HISTORY_MAX);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_numbers_in_bounds() {
        let mut value = 0;
        for _ in 0..10_000 {
            pull(&mut value, 9_000);
            assert!(i32::from(value) <= HISTORY_MAX);
        }
        for _ in 0..10_000 {
            pull(&mut value, -HISTORY_MAX * 2);
            assert!(i32::from(value) >= -HISTORY_MAX);
        }
    }

    #[test]
    fn corrections_follow_the_error() {
        let mut history = History::new();
        history.prepare(10);
        for _ in 0..100 {
            history.correct(77, 1, 30, 10);
        }
        assert!((20..=30).contains(&history.correction(77, 1)));
        assert_eq!(history.correction(77, 0), 0);
    }
}
