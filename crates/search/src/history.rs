//! What worked lately: numbers by which moves are ordered, reduced and pruned.
//!
//! All tables use *gravity*: the closer a number is to its limit, the less a
//! further bonus in that direction moves it, so old experience fades.

use quadrille_games::GameMove;

use crate::score::Value;
use crate::tunables as t;

/// No history number is greater than this.
pub const HISTORY_MAX: i32 = 16_384;
/// Rows and columns of the continuation table; slots beyond share places.
const FOLD: usize = 1024;
/// Structures that the history of structures tells apart.
const STRUCTURES: usize = 512;
/// Gains are told apart in this many classes.
const GAINS: usize = 8;
/// Plies of the line before that continuation history looks at.
pub(crate) const CONTINUATIONS: [usize; 4] = [1, 2, 4, 6];
/// Which of them looks six plies back.
pub(crate) const SIX_PLIES: usize = 3;

/// Where the histories keep a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) slot: u32,
    /// Where from and where to, and which of the two the opponent attacks.
    pub(crate) trail: u32,
    /// The class of its gain, if it is tactical.
    pub(crate) gain_class: Option<u8>,
}

/// What the histories know moves by besides themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    /// The slots of the moves before, as [`CONTINUATIONS`] counts them.
    pub(crate) befores: [Option<u32>; 4],
    /// The structure, where it is known.
    pub(crate) structure: Option<u64>,
}

/// All history of one thread. Allocated on first use, because the size of the
/// tables depends on the game's board.
#[derive(Debug)]
pub(crate) struct History {
    slots: usize,
    fold: usize,
    quiet: Vec<i16>,
    /// Quiet moves by their trail; empty in games without trails.
    trails: Vec<i16>,
    /// Quiet moves by the structure they were played in; empty where structures
    /// are not told apart.
    structures: Vec<i16>,
    tactical: Vec<[i16; GAINS]>,
    continuation: Vec<i16>,
    /// The reply that refuted a move last time, by the slot of that move.
    counters: Vec<u64>,
}

impl History {
    pub(crate) const fn new() -> Self {
        Self {
            slots: 0,
            fold: 0,
            quiet: Vec::new(),
            trails: Vec::new(),
            structures: Vec::new(),
            tactical: Vec::new(),
            continuation: Vec::new(),
            counters: Vec::new(),
        }
    }

    /// Makes room for moves with so many slots and trails, in each structure if
    /// asked; forgets if that is a change, and says so.
    pub(crate) fn prepare(&mut self, slots: usize, trails: usize, structures: bool) -> bool {
        if self.slots == slots && !self.quiet.is_empty() {
            return false;
        }
        *self = Self::new();
        self.slots = slots.max(1);
        self.fold = self.slots.min(FOLD);
        self.quiet = vec![0; self.slots];
        self.trails = vec![0; trails];
        if structures {
            self.structures = vec![0; STRUCTURES * self.fold];
        }
        self.tactical = vec![[0; GAINS]; self.slots];
        self.continuation = vec![0; self.fold * self.fold];
        self.counters = vec![0; self.slots];
        true
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.trails.fill(0);
        self.structures.fill(0);
        self.tactical.fill([0; GAINS]);
        self.continuation.fill(0);
        self.counters.fill(0);
    }

    /// How good this quiet move was wherever it was played.
    #[inline]
    pub(crate) fn quiet(&self, slot: usize, trail: usize) -> i32 {
        let by_slot = self.quiet.get(slot).map_or(0, |&v| i32::from(v));
        self.trails.get(trail).map_or(by_slot, |&by_trail| {
            by_slot + (i32::from(by_trail) - by_slot) * t::trail_percent() / 100
        })
    }

    /// How good it was in this structure.
    #[inline]
    pub(crate) fn in_structure(&self, structure: Option<u64>, slot: usize) -> i32 {
        let value = structure.and_then(|key| self.structures.get(self.structure_index(key, slot)));
        value.map_or(0, |&v| i32::from(v) * t::structure_percent() / 100)
    }

    /// How good it was after another move, some plies before.
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
    /// class of gain, otherwise in the quiet ones.
    pub(crate) fn learn(&mut self, place: Place, context: &Context, bonus: i32) {
        let slot = place.slot as usize;
        if let Some(class) = place.gain_class {
            if let Some(row) = self.tactical.get_mut(slot) {
                pull(&mut row[usize::from(class) % GAINS], bonus);
            }
            return;
        }
        self.learn_quiet(place, bonus);
        if let Some(key) = context.structure {
            let at = self.structure_index(key, slot);
            if let Some(value) = self.structures.get_mut(at) {
                pull(value, bonus);
            }
        }
        self.learn_continuation(slot, context, bonus);
    }

    /// The same for a quiet move wherever it is played.
    pub(crate) fn learn_quiet(&mut self, place: Place, bonus: i32) {
        if let Some(value) = self.quiet.get_mut(place.slot as usize) {
            pull(value, bonus);
        }
        if let Some(value) = self.trails.get_mut(place.trail as usize) {
            pull(value, bonus);
        }
    }

    /// The same for a quiet move after the moves before it.
    pub(crate) fn learn_continuation(&mut self, slot: usize, context: &Context, bonus: i32) {
        for before in context.befores.into_iter().flatten() {
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

    #[inline]
    fn continuation_index(&self, before: u32, slot: usize) -> usize {
        let fold = self.fold.max(1);
        (before as usize % fold) * fold + slot % fold
    }

    #[inline]
    fn structure_index(&self, key: u64, slot: usize) -> usize {
        let fold = self.fold.max(1);
        (key as usize % STRUCTURES) * fold + slot % fold
    }
}

/// The class of a gain: about one per pawn.
#[inline]
pub(crate) fn gain_class(gain: Value, pawn: Value) -> usize {
    (gain / pawn.max(1)).clamp(0, GAINS as Value - 1) as usize
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
}
