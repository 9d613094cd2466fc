//! The states a walk has visited, for dominance.

use super::tables::SQUARES;

/// Records kept without touching the heap; nearly every walk needs fewer.
const INLINE: usize = 64;
const NONE: u16 = u16::MAX;

#[derive(Clone, Copy)]
struct Record {
    used: u64,
    next: u16,
}

/// For each piece the edge sets with which it was reached, as linked lists in
/// one store that is emptied in constant time.
pub(super) struct Seen {
    heads: [u16; SQUARES],
    count: usize,
    inline: [Record; INLINE],
    spill: Vec<Record>,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self {
            heads: [NONE; SQUARES],
            count: 0,
            inline: [Record {
                used: 0,
                next: NONE,
            }; INLINE],
            spill: Vec::new(),
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
            let record = self.record(at as usize);
            if record.used & !used == 0 {
                return false;
            }
            at = record.next;
        }
        // Past 65,534 records (never seen) states are simply not remembered:
        // that costs time, not truth.
        if self.count < NONE as usize {
            self.push(Record { used, next: head });
            self.heads[piece as usize] = (self.count - 1) as u16;
        }
        true
    }

    /// Whether `piece` was reached without any of these edges.
    pub(super) fn reached_without(&self, piece: u8, edges: u64) -> bool {
        let mut at = self.heads[piece as usize];
        while at != NONE {
            let record = self.record(at as usize);
            if record.used & edges == 0 {
                return true;
            }
            at = record.next;
        }
        false
    }

    #[inline(always)]
    fn record(&self, index: usize) -> Record {
        match self.inline.get(index) {
            Some(&record) => record,
            None => self.spill[index - INLINE],
        }
    }

    #[inline(always)]
    fn push(&mut self, record: Record) {
        match self.inline.get_mut(self.count) {
            Some(slot) => *slot = record,
            None => self.spill.push(record),
        }
        self.count += 1;
    }
}
