//! A table of counts that all threads share without locks.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::random::mix;

/// One remembered count. The key is stored exclusive-or'd with the count, so
/// that two threads writing at once leave an entry that fits no key instead of
/// a wrong count.
#[derive(Default)]
struct Entry {
    check: AtomicU64,
    count: AtomicU64,
}

/// Counts by key. A newer entry replaces an older one.
pub(super) struct HashTable {
    entries: Vec<Entry>,
}

impl HashTable {
    /// A table of about so many mebibytes; `None` if there is not that much
    /// memory.
    pub(super) fn new(mebibytes: usize) -> Option<Self> {
        let count = mebibytes.checked_mul(1 << 20)? / size_of::<Entry>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(count).ok()?;
        entries.resize_with(count, Entry::default);
        Some(Self { entries })
    }

    /// Spreads the key over the table: the upper half of a product uses all of
    /// its bits and needs no size that is a power of two.
    fn entry(&self, key: u64) -> Option<&Entry> {
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        self.entries.get(index as usize)
    }

    /// The count of this key at this depth, if it is remembered.
    pub(super) fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let key = with_depth(key, depth);
        let entry = self.entry(key)?;
        let count = entry.count.load(Ordering::Relaxed);
        (entry.check.load(Ordering::Relaxed) ^ count == key).then_some(count)
    }

    pub(super) fn put(&self, key: u64, depth: u32, count: u64) {
        let key = with_depth(key, depth);
        if let Some(entry) = self.entry(key) {
            entry.check.store(key ^ count, Ordering::Relaxed);
            entry.count.store(count, Ordering::Relaxed);
        }
    }
}

/// The depth belongs to the key: the same position has another count at
/// another depth. Never 0, which is what an unused entry holds.
fn with_depth(key: u64, depth: u32) -> u64 {
    mix(key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_by_key_and_depth() {
        let table = HashTable::new(1).expect("a mebibyte");
        assert_eq!(table.get(0, 2), None);
        table.put(7, 3, 11);
        assert_eq!(table.get(7, 3), Some(11));
        assert_eq!(table.get(7, 2), None);
        assert_eq!(table.get(8, 3), None);
        table.put(7, 3, 0);
        assert_eq!(table.get(7, 3), Some(0));
    }

    #[test]
    fn a_torn_entry_fits_no_key() {
        let table = HashTable::new(1).expect("a mebibyte");
        table.put(7, 3, 11);
        let entry = table
            .entry(with_depth(7, 3))
            .expect("the table is not empty");
        entry.count.store(12, Ordering::Relaxed);
        assert_eq!(table.get(7, 3), None);
    }

    #[test]
    fn an_empty_table_forgets_everything() {
        let table = HashTable::new(0).expect("nothing is always there");
        table.put(7, 3, 11);
        assert_eq!(table.get(7, 3), None);
    }
}
