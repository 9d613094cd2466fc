//! The transposition table: what is already known about a position.
//!
//! All threads read and write it without locks. An entry is two words; the
//! first is stored XOR the second, so that a pair that two threads wrote half
//! and half does not look like an entry of this position. Whatever still slips
//! through is harmless: moves are checked before they are made.

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::alloc::{Layout, alloc_zeroed};
use std::thread;

use crate::report::Bound;
use crate::score::{DECIDED, MAX_EVAL, TABLE_WIN, Value};

/// Entries that share a cache line.
const WAYS: usize = 4;
/// Bytes of a cache line.
const LINE: usize = WAYS * size_of::<Slot>();
/// Bytes of a huge page where processors and systems have them: an entry is
/// anywhere in the table, and with small pages finding out where that is in the
/// memory costs more than reading it.
const HUGE_PAGE: usize = 2 << 20;
/// Searches are numbered in this many bits; older entries give way first.
const AGE_BITS: u32 = 5;
const AGE_MASK: u8 = (1 << AGE_BITS) - 1;
/// How many plies of depth one search of age is worth when an entry is
/// replaced.
const AGE_COST: i32 = 4;
/// Of a move (at most 40 bits: Liberty's two squares and a promotion) the low
/// 16 bits live in the second word, the rest below the key in the first.
const LOW_MOVE_BITS: u32 = 16;
const HIGH_MOVE_BITS: u32 = 24;
const HIGH_MOVE_MASK: u64 = (1 << HIGH_MOVE_BITS) - 1;
/// "No static evaluation known": outside the range of evaluations.
pub(crate) const NO_EVAL: Value = i16::MIN as Value;

/// One entry. First word: 40 bits of the key and 24 bits of the move, XOR the
/// second word. Second word: value, evaluation, depth, flags, 16 bits of move.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// What the table says about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best move's code; 0 if none is known.
    pub(crate) best: u64,
    /// In the tree wins are counted from the root, in the table from the node.
    pub(crate) value: Value,
    /// The static evaluation, or [`NO_EVAL`].
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was ever part of a principal variation.
    pub(crate) was_pv: bool,
}

/// The table. Empty until [`resize`](TranspositionTable::resize).
pub(crate) struct TranspositionTable {
    /// A few more than are used, because allocators do not align to cache lines
    /// or pages without touching all of the memory.
    slots: Box<[Slot]>,
    /// The first slot that begins a cache line, or a huge page.
    first: usize,
    /// Groups of slots that share a cache line and a key's index.
    clusters: usize,
    /// The number of clusters that was asked for.
    asked: usize,
    age: AtomicU8,
}

impl TranspositionTable {
    pub(crate) fn new() -> Self {
        Self {
            slots: Box::default(),
            first: 0,
            clusters: 0,
            asked: 0,
            age: AtomicU8::new(0),
        }
    }

    /// Makes the table as large as asked or, where memory is short, as large
    /// as possible; `true` if it has another size now. A change of size forgets everything.
    pub(crate) fn resize(&mut self, mebibytes: usize) -> bool {
        let count = (mebibytes.clamp(1, 1 << 24) << 20) / LINE;
        if count == self.asked {
            return false;
        }
        self.asked = count;
        self.slots = Box::default();
        self.clusters = count;
        while self.clusters > 0 {
            let used = self.clusters * WAYS;
            let align = if used * size_of::<Slot>() >= HUGE_PAGE {
                HUGE_PAGE
            } else {
                LINE
            };
            let spare = align / size_of::<Slot>() - 1;
            if let Some(slots) = zeroed(used + spare) {
                self.first = slots.as_ptr().align_offset(align).min(spare);
                advise_huge_pages(&slots[self.first..self.first + used]);
                self.slots = slots;
                return true;
            }
            self.clusters /= 2;
        }
        true
    }

    /// Forgets everything, with several threads because memory is slow.
    pub(crate) fn clear(&mut self, threads: usize) {
        self.age.store(0, Ordering::Relaxed);
        let used = self.first..self.first + self.clusters * WAYS;
        let Some(slots) = self.slots.get_mut(used) else {
            return;
        };
        let chunk = slots.len().div_ceil(threads.max(1)).max(1 << 16);
        let wipe = |part: &mut [Slot]| part.iter_mut().for_each(|slot| *slot = Slot::default());
        let all_wiped = thread::scope(|scope| {
            let mut wiped = true;
            for part in slots.chunks_mut(chunk) {
                let helper = thread::Builder::new();
                wiped &= helper.spawn_scoped(scope, move || wipe(part)).is_ok();
            }
            wiped
        });
        if !all_wiped {
            wipe(slots);
        }
    }

    /// A new search begins: what is in the table is one search older.
    pub(crate) fn grow_older(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age
            .store(age.wrapping_add(1) & AGE_MASK, Ordering::Relaxed);
    }

    /// The used share in permill: entries of the current search in a sample.
    pub(crate) fn permill(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.slots[self.first.min(self.slots.len())..];
        let sample = &sample[..sample.len().min(4000)];
        let used = sample.iter().filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && flags_of(data) >> 3 == age
        });
        (used.count() * 1000 / sample.len().max(1)) as u32
    }

    /// Tells the processor that this position will be asked about soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(cluster) = self.cluster(key) {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of
            // every x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.as_ptr().cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known about the position with this key, `ply` plies from the
    /// root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.cluster(key)? {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed) ^ data;
            if check >> HIGH_MOVE_BITS == key_bits(key) && data != 0 {
                return Some(unpack(check, data, ply));
            }
        }
        None
    }

    /// Remembers what a search found out. An empty `best` keeps the move that
    /// was known before: a fail low knows no better one (+14 to +22 in public
    /// records).
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let Some(cluster) = self.cluster(key) else {
            return;
        };
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = &cluster[0];
        let mut victim_worth = i32::MAX;
        for slot in cluster {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed) ^ data;
            if data != 0 && check >> HIGH_MOVE_BITS == key_bits(key) {
                if !worth_replacing(data, &entry, age) {
                    return;
                }
                if entry.best == 0 {
                    entry.best = move_of(check, data);
                }
                victim = slot;
                break;
            }
            let worth = if data == 0 {
                i32::MIN
            } else {
                worth(data, age)
            };
            if worth < victim_worth {
                victim = slot;
                victim_worth = worth;
            }
        }
        let data = pack(&entry, ply, age);
        let high = entry.best >> LOW_MOVE_BITS & HIGH_MOVE_MASK;
        let check = key_bits(key) << HIGH_MOVE_BITS | high;
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(check ^ data, Ordering::Relaxed);
    }

    /// The high bits of the key choose the cluster, the low bits are checked.
    #[inline]
    fn cluster(&self, key: u64) -> Option<&[Slot; WAYS]> {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        let from = self.first + index * WAYS;
        self.slots.get(from..from + WAYS)?.try_into().ok()
    }
}

/// An entry of the same position stays if it is much deeper and current and no
/// exact value replaces it: a quick look must not wipe out a long one.
fn worth_replacing(old: u64, new: &Entry, age: u8) -> bool {
    new.bound == Bound::Exact || flags_of(old) >> 3 != age || new.depth + 4 > depth_of(old)
}

/// Deep and young entries are worth more.
fn worth(data: u64, age: u8) -> i32 {
    let years = age.wrapping_sub(flags_of(data) >> 3) & AGE_MASK;
    depth_of(data) - AGE_COST * i32::from(years)
}

#[inline]
const fn key_bits(key: u64) -> u64 {
    key & ((1 << (64 - HIGH_MOVE_BITS)) - 1)
}

#[inline]
const fn flags_of(data: u64) -> u8 {
    (data >> 40) as u8
}

#[inline]
const fn depth_of(data: u64) -> i32 {
    (data >> 32) as u8 as i32
}

#[inline]
const fn move_of(check: u64, data: u64) -> u64 {
    (check & HIGH_MOVE_MASK) << LOW_MOVE_BITS | data >> 48
}

fn pack(entry: &Entry, ply: usize, age: u8) -> u64 {
    let bound: u64 = match entry.bound {
        Bound::Exact => 3,
        Bound::Lower => 1,
        Bound::Upper => 2,
    };
    let flags = u64::from(age) << 3 | u64::from(entry.was_pv) << 2 | bound;
    let value = from_root(entry.value, ply) as i16 as u16;
    let eval = entry.eval as i16 as u16;
    u64::from(value)
        | u64::from(eval) << 16
        | (entry.depth.clamp(0, 255) as u64) << 32
        | flags << 40
        | (entry.best & 0xffff) << 48
}

#[inline]
fn unpack(check: u64, data: u64, ply: usize) -> Entry {
    let flags = flags_of(data);
    Entry {
        best: move_of(check, data),
        value: to_root(data as u16 as i16 as Value, ply),
        eval: (data >> 16) as u16 as i16 as Value,
        depth: depth_of(data),
        bound: match flags & 3 {
            3 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
        was_pv: flags & 4 != 0,
    }
}

/// From plies since the root to plies since the node. Wins by tables carry no
/// count of plies worth keeping.
const fn from_root(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value + ply as Value
    } else if value <= -DECIDED {
        value - ply as Value
    } else {
        value
    }
}

const fn to_root(value: Value, ply: usize) -> Value {
    if value >= DECIDED {
        value - ply as Value
    } else if value <= -DECIDED {
        value + ply as Value
    } else {
        value
    }
}

// Every value fits into sixteen bits, and a win that is a search away from the
// root is still a win.
const _: () = assert!(MAX_EVAL < TABLE_WIN && TABLE_WIN < DECIDED && DECIDED < i16::MAX as Value);

/// Memory from the system that is zero already, without touching it. `None` if
/// there is not enough.
#[allow(clippy::cast_ptr_alignment)] // The layout asks for the alignment of slots.
fn zeroed(count: usize) -> Option<Box<[Slot]>> {
    let layout = Layout::array::<Slot>(count).ok()?;
    if layout.size() == 0 {
        return None;
    }
    // SAFETY: the layout is not empty. All zero bits are a valid `Slot` (atomic
    // integers), and the pointer comes from the global allocator with the layout
    // of the slice that the box will free.
    unsafe {
        let memory = alloc_zeroed(layout).cast::<Slot>();
        if memory.is_null() {
            return None;
        }
        Some(Box::from_raw(core::ptr::slice_from_raw_parts_mut(
            memory, count,
        )))
    }
}

/// Asks the system for huge pages under the table. It may refuse, which costs a
/// little time and nothing else.
#[cfg(target_os = "linux")]
fn advise_huge_pages(slots: &[Slot]) {
    let start = slots.as_ptr().cast_mut().cast::<libc::c_void>();
    // SAFETY: the range is memory of our own, and this advice changes how it is
    // mapped but not what is in it. A range that does not begin a page is
    // refused.
    unsafe { libc::madvise(start, size_of_val(slots), libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
const fn advise_huge_pages(_: &[Slot]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{loss_in, win_in};

    fn table() -> TranspositionTable {
        let mut table = TranspositionTable::new();
        table.resize(1);
        table
    }

    fn entry(best: u64, value: Value, depth: i32) -> Entry {
        Entry {
            best,
            value,
            eval: 17,
            depth,
            bound: Bound::Exact,
            was_pv: true,
        }
    }

    #[test]
    fn gives_back_what_was_stored() {
        let table = table();
        for (i, value) in [0, -321, win_in(9), loss_in(12), TABLE_WIN - 5]
            .into_iter()
            .enumerate()
        {
            let key = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1);
            let stored = entry(0xab_cdef_1234 + i as u64, value, 7);
            table.store(key, 4, stored);
            assert_eq!(table.probe(key, 4), Some(stored));
            assert_eq!(table.probe(key ^ 1, 4), None);
        }
    }

    #[test]
    fn wins_move_with_the_node() {
        let table = table();
        table.store(5, 4, entry(1, win_in(9), 3));
        assert_eq!(table.probe(5, 10).map(|e| e.value), Some(win_in(15)));
        table.store(6, 4, entry(1, loss_in(9), 3));
        assert_eq!(table.probe(6, 0).map(|e| e.value), Some(loss_in(5)));
    }

    #[test]
    fn a_fail_low_keeps_the_known_move() {
        let table = table();
        table.store(5, 0, entry(77, 10, 3));
        table.store(5, 0, entry(0, -10, 5));
        assert_eq!(table.probe(5, 0).map(|e| e.best), Some(77));
    }

    /// Two writers fight over few clusters; no reader may ever see a value that
    /// was stored for another key.
    #[test]
    fn torn_writes_are_not_believed() {
        let table = &table();
        let key_of = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & 0xff_ffff_ffff;
        let value_of = |n: u64| (n % 20_000) as Value - 10_000;
        thread::scope(|scope| {
            for part in 0..2u64 {
                scope.spawn(move || {
                    for n in 0..100_000 {
                        let n = n * 2 + part;
                        table.store(key_of(n), 0, entry(n & 0xffff, value_of(n), 5));
                        let back = n.saturating_sub(part + n % 9);
                        if let Some(found) = table.probe(key_of(back), 0) {
                            assert_eq!(found.value, value_of(back));
                        }
                    }
                });
            }
        });
    }

    #[test]
    fn old_entries_give_way() {
        let table = table();
        for n in 0..WAYS as u64 {
            table.store(n, 0, entry(n, 0, 60));
        }
        for _ in 0..20 {
            table.grow_older();
        }
        table.store(1000, 0, entry(9, 0, 1));
        assert!(table.probe(1000, 0).is_some());
    }

    /// Entries from the first to the last cluster, whatever the table begins at.
    #[test]
    fn every_cluster_of_a_large_table_is_within_it() {
        for mebibytes in [1, 2, 5] {
            let mut table = TranspositionTable::new();
            table.resize(mebibytes);
            let keys = [0, 1 << 40, u64::MAX / 2, u64::MAX - 1, u64::MAX];
            for key in keys {
                table.store(key, 0, entry(3, 5, 1));
                assert_eq!(table.probe(key, 0), Some(entry(3, 5, 1)));
            }
            table.clear(2);
            assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
            assert_eq!(
                table
                    .slots
                    .as_ptr()
                    .wrapping_add(table.first)
                    .align_offset(LINE),
                0
            );
        }
    }

    #[test]
    fn an_absurd_size_is_cut_down() {
        let mut table = TranspositionTable::new();
        table.resize(usize::MAX);
        assert!(table.probe(1, 0).is_none());
    }
}
