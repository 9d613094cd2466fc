//! The states a walk has visited, for dominance.

use super::geometry::SQUARES;

/// Edge sets side by side, so that one look-up compares all of them at once.
const WIDTH: usize = 7;
/// Chunks kept without touching the heap; nearly every walk needs fewer.
const INLINE: usize = 16;
const NONE: u16 = u16::MAX;
/// Fills unused places: no set of the 60 edges contains it.
const EMPTY: u64 = !0;

#[derive(Clone, Copy)]
struct Chunk {
    used: [u64; WIDTH],
    count: u16,
    next: u16,
}

/// For each piece the edge sets with which it was reached, as linked lists of
/// chunks in one store that is emptied in constant time.
pub(super) struct Seen {
    heads: [u16; SQUARES],
    count: usize,
    inline: [Chunk; INLINE],
    spill: Vec<Chunk>,
    /// Chunks compared so far.
    pub(super) lookups: u32,
}

impl Seen {
    pub(super) fn new() -> Self {
        let chunk = Chunk {
            used: [EMPTY; WIDTH],
            count: 0,
            next: NONE,
        };
        Self {
            heads: [NONE; SQUARES],
            count: 0,
            inline: [chunk; INLINE],
            spill: Vec::new(),
            lookups: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        if self.count > 0 {
            self.heads = [NONE; SQUARES];
            self.count = 0;
            self.spill.clear();
        }
    }

    /// Remembers that `piece` was reached with these edges used, unless it was
    /// reached before with no others; tells whether it is new.
    #[inline]
    pub(super) fn admit(&mut self, piece: u8, used: u64) -> bool {
        let head = self.heads[piece as usize];
        let mut at = head;
        while at != NONE {
            self.lookups += 1;
            let chunk = self.chunk(at);
            // Without a branch per set, which is what makes chunks pay.
            let known = chunk.used.iter().filter(|&set| set & !used == 0).count();
            if known > 0 {
                return false;
            }
            at = chunk.next;
        }
        self.remember(piece, head, used);
        true
    }

    fn remember(&mut self, piece: u8, head: u16, used: u64) {
        if head != NONE {
            let chunk = self.chunk_mut(head);
            let place = chunk.count as usize;
            if let Some(slot) = chunk.used.get_mut(place) {
                *slot = used;
                chunk.count += 1;
                return;
            }
        }
        // Past 65,535 chunks (never seen) states are simply not remembered:
        // that costs time, not truth.
        if self.count < NONE as usize {
            let mut chunk = Chunk {
                used: [EMPTY; WIDTH],
                count: 1,
                next: head,
            };
            chunk.used[0] = used;
            self.heads[piece as usize] = self.count as u16;
            match self.inline.get_mut(self.count) {
                Some(slot) => *slot = chunk,
                None => self.spill.push(chunk),
            }
            self.count += 1;
        }
    }

    /// Whether `piece` was reached without any of these edges.
    pub(super) fn reached_without(&mut self, piece: u8, edges: u64) -> bool {
        let mut at = self.heads[piece as usize];
        while at != NONE {
            self.lookups += 1;
            let chunk = self.chunk(at);
            let mut sets = chunk.used.iter().take(chunk.count as usize);
            if sets.any(|set| set & edges == 0) {
                return true;
            }
            at = chunk.next;
        }
        false
    }

    #[inline(always)]
    fn chunk(&self, index: u16) -> &Chunk {
        let index = index as usize;
        match self.inline.get(index) {
            Some(chunk) => chunk,
            None => &self.spill[index - INLINE],
        }
    }

    #[inline(always)]
    fn chunk_mut(&mut self, index: u16) -> &mut Chunk {
        let index = index as usize;
        match self.inline.get_mut(index) {
            Some(chunk) => chunk,
            None => &mut self.spill[index - INLINE],
        }
    }
}
