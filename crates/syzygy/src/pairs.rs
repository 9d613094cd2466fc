//! How the values of a part are packed, and how one of them is found.
//!
//! The values, in the order of their numbers, are a long text. It is written with
//! a dictionary of symbols (recursive pairing): a symbol is one value, or two other
//! symbols, one after the other. Symbols are written in canonical Huffman codes into
//! blocks of one size. So that a value can be found without reading everything
//! before it, there is a list of how many values each block has, and a sparse index
//! that says for every 2^n-th value in which block it is, and where in there.

use core::hint::select_unpredictable;

use crate::error::Fault;
use crate::store::{Spare, Store};

/// Codes longer than this do not occur: the format's readers take 32 bits at a
/// time.
const LONGEST_CODE: u8 = 32;

/// Where codes are short, several are passed over at once, as many as lie whole in
/// this many bits.
const RUN_BITS: u32 = 10;

/// Bits and values of the codes that lie whole in the next bits of a block: the
/// bits in the lowest byte, the values above. [`NO_RUN`] if there is no such code.
type Run = u32;

/// More values than any block has.
const NO_RUN: Run = u32::MAX;

/// More blocks than this between an entry of the index and its value mean that
/// one of the two lists is damaged. Blocks hold dozens of values at least, and
/// entries stand some ten thousand apart.
const FARTHEST: u32 = 1 << 16;

/// The right half of a symbol that is a single value.
const SINGLE: u16 = 0xfff;

/// The halves of a symbol, or its value and [`SINGLE`].
type Halves = [u16; 2];

/// A symbol of the dictionary. Eight bytes, so that one look has it all.
#[derive(Debug, Clone, Copy)]
#[repr(align(8))]
struct Symbol {
    left: u16,
    right: u16,
    /// How many values the left half stands for.
    in_left: u16,
}

/// The packed values of one part of a table.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there are few, and a detour is slow"
)]
pub(crate) enum Values {
    /// All are the same.
    One(u16),
    Packed(Pairs),
}

/// The dictionary, and where in the file the rest is.
#[derive(Debug)]
pub(crate) struct Pairs {
    codes: Codes,
    symbols: Vec<Symbol>,
    /// How many values each symbol stands for, less one.
    more: Vec<u8>,
    /// What all beginnings of a block's rest mean; empty where codes are so long
    /// that one look would hardly ever find two.
    runs: Vec<Run>,
    block_bits: u8,
    index_bits: u8,
    blocks: u32,
    /// Lengths of blocks in the list; some more than there are blocks.
    lengths: u32,
    index_at: u64,
    lengths_at: u64,
    data_at: u64,
}

/// The canonical code: codes of one length are consecutive numbers, and longer
/// codes are less than shorter ones if both are written from the top of a word.
#[derive(Debug)]
struct Codes {
    /// For each length from the shortest: the least code, at the top of 32 bits.
    least: [u32; 32],
    /// For each length: the symbol of that code.
    symbols: [u16; 32],
    /// For each ten first bits: which length the code has at least, mostly the right
    /// one.
    hints: [u8; 1024],
    shortest: u8,
}

/// Reads what is fixed about a part, byte by byte.
pub(crate) struct Reader<'a> {
    store: &'a Store,
    at: u64,
    spare: Spare,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(store: &'a Store, at: u64) -> Self {
        let spare = Spare::default();
        Self { store, at, spare }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<Vec<u8>, Fault> {
        let found = self.store.bytes(self.at, count, &mut self.spare);
        let found = found.map_err(|fault| match fault {
            Fault::Contents(_) => Fault::Header("it goes on beyond the end of the file"),
            other => other,
        })?;
        self.at += count as u64;
        Ok(found.to_vec())
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.bytes(1)?.first().copied().unwrap_or(0))
    }

    pub(crate) fn word(&mut self) -> Result<u16, Fault> {
        Ok(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    pub(crate) fn align(&mut self, to: u64) {
        self.at = self.at.next_multiple_of(to);
    }

    /// Leaves room for a list, and says where it is.
    pub(crate) fn skip(&mut self, bytes: u64) -> Result<u64, Fault> {
        let start = self.at;
        let end = start.checked_add(bytes);
        self.at = end
            .filter(|&end| end <= self.store.size())
            .ok_or(Fault::Header("its lists are longer than the file"))?;
        Ok(start)
    }
}

impl Values {
    /// Reads the flags and the dictionary of a part. `one` says what the byte of
    /// a part with but one value means.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        one: impl Fn(u8) -> u16,
    ) -> Result<(u8, Self), Fault> {
        let flags = reader.byte()?;
        if flags & 0x80 != 0 {
            return Ok((flags, Self::One(one(reader.byte()?))));
        }
        Ok((flags, Self::Packed(Pairs::read(reader)?)))
    }

    /// The value with this number.
    #[inline]
    pub(crate) fn get(&self, store: &Store, number: u64) -> Result<u16, Fault> {
        match self {
            Self::One(value) => Ok(*value),
            Self::Packed(pairs) => pairs.get(store, number),
        }
    }

    /// Finds the place of the index of `size` values.
    pub(crate) fn place_index(&mut self, reader: &mut Reader<'_>, size: u64) -> Result<(), Fault> {
        if let Self::Packed(pairs) = self {
            let entries = size.div_ceil(1 << pairs.index_bits);
            pairs.index_at = reader.skip(entries.saturating_mul(6))?;
        }
        Ok(())
    }

    /// Finds the place of the lengths of blocks.
    pub(crate) fn place_lengths(&mut self, reader: &mut Reader<'_>) -> Result<(), Fault> {
        if let Self::Packed(pairs) = self {
            pairs.lengths_at = reader.skip(u64::from(pairs.lengths) * 2)?;
        }
        Ok(())
    }

    /// Finds the place of the blocks.
    pub(crate) fn place_blocks(&mut self, reader: &mut Reader<'_>) -> Result<(), Fault> {
        reader.align(64);
        if let Self::Packed(pairs) = self {
            pairs.data_at = reader.skip(u64::from(pairs.blocks) << pairs.block_bits)?;
        }
        Ok(())
    }
}

impl Pairs {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let (block_bits, index_bits) = (reader.byte()?, reader.byte()?);
        let extra_lengths = reader.byte()?;
        let blocks = u32::from(reader.word()?) | u32::from(reader.word()?) << 16;
        let (longest, shortest) = (reader.byte()?, reader.byte()?);
        if !(2..=16).contains(&block_bits) {
            return Err(Fault::Header("an impossible size of blocks"));
        }
        if !(1..=32).contains(&index_bits) {
            return Err(Fault::Header("an impossible density of the index"));
        }
        if shortest == 0 || longest < shortest || longest > LONGEST_CODE {
            return Err(Fault::Header("impossible lengths of codes"));
        }
        let mut first_symbols = Vec::new();
        for _ in shortest..=longest {
            first_symbols.push(reader.word()?);
        }
        let codes = Codes::new(&first_symbols, shortest)?;
        let count = usize::from(reader.word()?);
        // Half a symbol has twelve bits, and its highest number means something else.
        if count == 0 || count > usize::from(SINGLE) {
            return Err(Fault::Header("an impossible number of symbols"));
        }
        let halves = halves(&reader.bytes(3 * count)?);
        let more = values_in_symbols(&halves)?;
        reader.align(2);
        let lengths = blocks
            .checked_add(u32::from(extra_lengths))
            .ok_or(Fault::Header("an impossible number of blocks"))?;
        Ok(Self {
            runs: codes.runs(&more),
            codes,
            symbols: symbols(&halves, &more),
            more,
            block_bits,
            index_bits,
            blocks,
            lengths,
            index_at: 0,
            lengths_at: 0,
            data_at: 0,
        })
    }

    fn get(&self, store: &Store, number: u64) -> Result<u16, Fault> {
        let mut spare = Spare::default();
        let (block, within) = self.find(store, number, &mut spare)?;
        let at = self.data_at + (u64::from(block) << self.block_bits);
        let block = store.bytes(at, 1 << self.block_bits, &mut spare)?;
        self.unpack(block, within)
    }

    /// The block that holds this value, and how many values come before it there.
    #[inline]
    fn find(&self, store: &Store, number: u64, spare: &mut Spare) -> Result<(u32, u32), Fault> {
        const NO_BLOCK: Fault = Fault::Contents("its index points at no block");
        let entry = store.array::<6>(self.index_at + 6 * (number >> self.index_bits), spare)?;
        let [a, b, c, d, e, f] = entry;
        let mut block = u32::from_le_bytes([a, b, c, d]);
        // An entry is about the value in the middle of its range.
        let span = 1i64 << self.index_bits;
        let from_middle = (number & (span as u64 - 1)) as i64 - span / 2;
        let mut within = from_middle + i64::from(u16::from_le_bytes([e, f]));
        let mut length = |block: u32| {
            if block >= self.lengths {
                return Err(NO_BLOCK);
            }
            let at = self.lengths_at + 2 * u64::from(block);
            Ok(i64::from(u16::from_le_bytes(store.array(at, spare)?)) + 1)
        };
        let mut steps = 0;
        while within < 0 && steps < FARTHEST {
            block = block.checked_sub(1).ok_or(NO_BLOCK)?;
            within += length(block)?;
            steps += 1;
        }
        while steps < FARTHEST {
            let here = length(block)?;
            if within < here {
                break;
            }
            within -= here;
            block += 1;
            steps += 1;
        }
        if steps == FARTHEST || block >= self.blocks {
            return Err(NO_BLOCK);
        }
        Ok((block, within as u32))
    }

    /// The value after this many others in a block. Not part of its caller: this
    /// loop needs all registers for itself.
    #[inline(never)]
    fn unpack(&self, block: &[u8], skip: u32) -> Result<u16, Fault> {
        const NO_SYMBOL: Fault = Fault::Contents("a code without a symbol");
        let mut bits = Bits::new(block);
        let mut skip = skip;
        loop {
            // As many codes as possible at once, then one.
            while let Some(&run) = self.runs.get((bits.next >> (64 - RUN_BITS)) as usize) {
                if skip < run >> 8 {
                    break;
                }
                skip -= run >> 8;
                bits.take(run as u8)?;
            }
            let (symbol, used) = self.codes.first((bits.next >> 32) as u32);
            let more = u32::from(*self.more.get(symbol).ok_or(NO_SYMBOL)?);
            if skip <= more {
                return self.inside(symbol, skip);
            }
            skip -= more + 1;
            bits.take(used)?;
        }
    }

    /// The value after this many others inside a symbol. The dictionary has no
    /// circles, so that this ends. Which half it is in cannot be foretold.
    #[inline]
    fn inside(&self, symbol: usize, skip: u32) -> Result<u16, Fault> {
        let (mut symbol, mut skip) = (symbol, skip);
        loop {
            let here = self.symbols.get(symbol);
            let here = here.ok_or(Fault::Contents("half a symbol"))?;
            if here.right == SINGLE {
                return Ok(here.left);
            }
            let in_left = u32::from(here.in_left);
            let is_left = skip < in_left;
            symbol = usize::from(select_unpredictable(is_left, here.left, here.right));
            skip -= select_unpredictable(is_left, 0, in_left);
        }
    }
}

impl Codes {
    /// The longest codes start with 0; the codes of a length end where, halved,
    /// those of the next shorter begin.
    fn new(first_symbols: &[u16], shortest: u8) -> Result<Self, Fault> {
        const WRONG: Fault = Fault::Header("codes that contradict each other");
        let mut codes = Self {
            least: [0; 32],
            symbols: [0; 32],
            hints: [0; 1024],
            shortest,
        };
        // Of the length before (one longer): its least code, at the bottom and at
        // the top of a word, and its symbol.
        let (mut least, mut top, mut symbol) = (0u64, 0u64, None);
        let lengths = (shortest..).zip(first_symbols).enumerate();
        let lengths: Vec<_> = lengths.collect();
        for &(i, (bits, &first)) in lengths.iter().rev() {
            if let Some(longer) = symbol {
                let count = first.checked_sub(longer).ok_or(WRONG)?;
                least = (least + u64::from(count)) / 2;
            }
            symbol = Some(first);
            let in_word = least << (32 - u32::from(bits));
            if least >= 1 << bits || in_word < top || i >= codes.least.len() {
                return Err(WRONG);
            }
            top = in_word;
            codes.least[i] = in_word as u32;
            codes.symbols[i] = first;
        }
        for (start, hint) in (0u32..).zip(&mut codes.hints) {
            let highest = ((start + 1) << 22).wrapping_sub(1);
            let longer = codes.least.iter().take_while(|&&least| highest < least);
            *hint = longer.count() as u8;
        }
        Ok(codes)
    }

    /// What every beginning of a block's rest means.
    fn runs(&self, more: &[u8]) -> Vec<Run> {
        if 2 * u32::from(self.shortest) > RUN_BITS {
            return Vec::new();
        }
        let run = |start: u32| {
            let (mut used, mut values) = (0, 0);
            loop {
                // Zeros after the bits that are known: a code that needs some of
                // them is longer than what is left.
                let rest = start << (32 - RUN_BITS) << used;
                let (symbol, bits) = self.first(rest);
                let known = more.get(symbol);
                match known {
                    Some(&more) if used + u32::from(bits) <= RUN_BITS => {
                        used += u32::from(bits);
                        values += u32::from(more) + 1;
                    }
                    _ if used == 0 => return NO_RUN,
                    _ => return values << 8 | used,
                }
            }
        };
        (0..1 << RUN_BITS).map(run).collect()
    }

    /// The symbol of the code at the top of these bits, and the code's length.
    #[inline]
    fn first(&self, bits: u32) -> (usize, u8) {
        let mut length = usize::from(self.hints[(bits >> 22) as usize]) & 31;
        // The least of the longest codes is 0, so that there always is one.
        while bits < self.least[length] {
            length = (length + 1) & 31;
        }
        let used = self.shortest + length as u8;
        let beyond = bits - self.least[length];
        let symbol = u32::from(self.symbols[length]) + (beyond >> ((32 - used) & 31));
        (symbol as usize, used)
    }
}

/// The bits of a block, highest first, and zeros after them.
struct Bits<'a> {
    /// The next bits, at the top; at least 32 of them count.
    next: u64,
    /// How many at the bottom do not count.
    missing: u8,
    words: core::slice::ChunksExact<'a, u8>,
    /// Words taken after the last.
    beyond: u8,
}

impl<'a> Bits<'a> {
    #[inline]
    fn new(block: &'a [u8]) -> Self {
        let mut bits = Self {
            next: 0,
            missing: 0,
            words: block.chunks_exact(4),
            beyond: 0,
        };
        bits.next = bits.word() << 32 | bits.word();
        bits
    }

    #[inline]
    fn word(&mut self) -> u64 {
        match self.words.next() {
            Some(&[a, b, c, d]) => u64::from(u32::from_be_bytes([a, b, c, d])),
            _ => {
                self.beyond = self.beyond.saturating_add(1);
                0
            }
        }
    }

    /// Goes on by up to 32 bits, of which there must be some.
    #[inline]
    fn take(&mut self, count: u8) -> Result<(), Fault> {
        self.next <<= count & 63;
        self.missing += count;
        if self.missing >= 32 {
            self.missing -= 32;
            self.next |= self.word() << self.missing;
            if self.beyond > 2 {
                return Err(Fault::Contents("a block that ends too early"));
            }
        }
        Ok(())
    }
}

/// The dictionary: three bytes a symbol, twelve bits for each half.
fn halves(bytes: &[u8]) -> Vec<Halves> {
    let halves = |three: &[u8]| {
        let [a, b, c] = [three[0], three[1], three[2]].map(u16::from);
        [(b & 15) << 8 | a, c << 4 | b >> 4]
    };
    bytes.chunks_exact(3).map(halves).collect()
}

/// Puts together what is needed to find a value inside a symbol.
fn symbols(halves: &[Halves], more: &[u8]) -> Vec<Symbol> {
    let symbol = |&[left, right]: &Halves| Symbol {
        left,
        right,
        in_left: more.get(usize::from(left)).map_or(0, |&m| u16::from(m) + 1),
    };
    halves.iter().map(symbol).collect()
}

/// Works out how many values each symbol stands for, less one.
fn values_in_symbols(symbols: &[Halves]) -> Result<Vec<u8>, Fault> {
    const CIRCLE: Fault = Fault::Header("a symbol that contains itself");
    let mut more = vec![0u8; symbols.len()];
    let mut state = vec![State::New; symbols.len()];
    let mut open = Vec::new();
    for start in 0..symbols.len() {
        open.push(start);
        // A symbol is looked at twice: before its halves, and after them.
        while let Some(&at) = open.last() {
            let [left, right] = symbols[at];
            if right == SINGLE || state[at] == State::Done {
                state[at] = State::Done;
                open.pop();
                continue;
            }
            let halves = [usize::from(left), usize::from(right)];
            if halves.iter().any(|&half| half >= symbols.len()) {
                return Err(Fault::Header("half a symbol"));
            }
            if state[at] == State::New {
                state[at] = State::Open;
                for half in halves {
                    match state[half] {
                        State::New => open.push(half),
                        State::Open => return Err(CIRCLE),
                        State::Done => {}
                    }
                }
            } else {
                let sum: u32 = halves.iter().map(|&half| u32::from(more[half])).sum();
                // A symbol stands for 256 values at most.
                more[at] = u8::try_from(sum + 1)
                    .map_err(|_| Fault::Header("a symbol that is too long"))?;
                state[at] = State::Done;
                open.pop();
            }
        }
    }
    Ok(more)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}
