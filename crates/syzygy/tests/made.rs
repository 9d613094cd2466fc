//! Tables made up for tests: in the format, but with values of our choice.

use quadrille_syzygy::{Material, TableKind};

use crate::random::Random;

/// A table of results in which every position has the same one: `values` for the
/// first side to move and for the second, 0 for a loss to 4 for a win.
pub(crate) fn constant(name: &str, values: [u8; 2]) -> Vec<u8> {
    let mut table = Made::new(name, &mut Random(1));
    for part in 0..table.sizes.len() {
        table.bytes.extend([0x80, values[part % table.sides]]);
    }
    table.finish()
}

/// A table of results with values that mean nothing, packed in all ways the
/// format has, of any size: entries of the index share blocks.
pub(crate) fn meaningless(name: &str, random: &mut Random) -> Vec<u8> {
    let mut table = Made::new(name, random);
    let parts: Vec<Packed> = table.sizes.iter().map(|_| Packed::new(random)).collect();
    for part in &parts {
        part.write_dictionary(&mut table.bytes);
    }
    for (part, &size) in parts.iter().zip(&table.sizes) {
        for _ in 0..size.div_ceil(1 << INDEX_BITS) {
            // In the middle, so that there are blocks to both sides.
            let block = random.below(8) + BLOCKS / 2;
            let within = random.below(part.lengths[block]);
            table.bytes.extend((block as u32).to_le_bytes());
            table.bytes.extend((within as u16).to_le_bytes());
        }
    }
    for part in &parts {
        for length in &part.lengths {
            table.bytes.extend((*length as u16 - 1).to_le_bytes());
        }
    }
    for part in &parts {
        table.align(64);
        table.bytes.extend(part.blocks.concat());
    }
    table.finish()
}

const INDEX_BITS: u32 = 16;
const BLOCKS: usize = 512;
const BLOCK_BYTES: usize = 64;

struct Made {
    bytes: Vec<u8>,
    sides: usize,
    /// How many positions each part has.
    sizes: Vec<u64>,
}

impl Made {
    /// The beginning, up to the lists of pieces.
    fn new(name: &str, random: &mut Random) -> Self {
        let material: Material = name.parse().unwrap();
        let (files, sides) = (
            if material.has_pawns() { 4 } else { 1 },
            if material.is_symmetric() { 1 } else { 2 },
        );
        let mut bytes = TableKind::Wdl.magic().to_vec();
        bytes.push(u8::from(sides == 2) | u8::from(files == 4) << 1);
        let mut sizes = Vec::new();
        for file in 0..files {
            let lists: Vec<(Vec<u8>, u64)> =
                (0..sides).map(|_| pieces(name, file, random)).collect();
            let second = lists.get(1).unwrap_or(&lists[0]);
            let both = lists[0].0.iter().zip(&second.0);
            bytes.extend(both.map(|(low, high)| low | high << 4));
            sizes.extend(lists.iter().map(|(_, size)| size));
        }
        let mut table = Self {
            bytes,
            sides,
            sizes,
        };
        table.align(2);
        table
    }

    fn align(&mut self, to: usize) {
        let length = self.bytes.len().next_multiple_of(to);
        self.bytes.resize(length, 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.align(64);
        self.bytes.extend([7; 16]);
        self.bytes
    }
}

/// A list of pieces as a header has it, in some order that is allowed, and how
/// many placings that makes.
fn pieces(name: &str, file: usize, random: &mut Random) -> (Vec<u8>, u64) {
    let (white, black) = name.split_once('v').unwrap();
    let code = |letter: char, side: u8| " PNBRQK".find(letter).unwrap() as u8 | side << 3;
    let codes = white
        .chars()
        .map(|c| code(c, 0))
        .chain(black.chars().map(|c| code(c, 1)));
    let codes: Vec<u8> = codes.collect();
    let mut runs: Vec<(u8, usize)> = Vec::new();
    for &code in &codes {
        match runs.iter_mut().find(|run| run.0 == code) {
            Some(run) => run.1 += 1,
            None => runs.push((code, 1)),
        }
    }
    random.shuffle(&mut runs);
    let singles = runs.iter().filter(|run| run.1 == 1).count();
    let has_pawns = runs.iter().any(|run| run.0 & 7 == 1);
    // What must come first, and the side with fewer pawns before the other.
    let rank = |&(code, count): &(u8, usize)| match (has_pawns, singles) {
        (true, _) if code & 7 == 1 => (0, count, code),
        (true, _) => (1, 0, 0),
        (false, 2) => (usize::from(code & 7 != 6), 0, 0),
        _ => (usize::from(count > 1), 0, 0),
    };
    runs.sort_by_key(rank);
    let pawns = runs.iter().filter(|run| run.0 & 7 == 1).count();
    let (lead_runs, lead_size) = match (has_pawns, singles) {
        (true, _) => (1, lead_pawns(runs[0].1, file)),
        (false, 2) => (2, 462),
        _ => (3, 31332),
    };
    let groups = runs.len() - lead_runs;
    let lead_digit = random.below(groups + 1);
    let mut list = vec![lead_digit as u8];
    if pawns == 2 {
        let other = (lead_digit + 1 + random.below(groups)) % (groups + 1);
        list.push(other as u8);
    }
    list.extend(runs.iter().flat_map(|run| vec![run.0; run.1]));
    let mut free = 64 - runs.iter().take(lead_runs).map(|run| run.1).sum::<usize>();
    let mut size = lead_size;
    for run in runs.iter().skip(lead_runs) {
        let among = if run.0 & 7 == 1 { 48 - runs[0].1 } else { free };
        size *= choose(among, run.1);
        free -= run.1;
    }
    (list, size)
}

fn choose(n: usize, k: usize) -> u64 {
    (0..k).fold(1, |c, i| c * n.saturating_sub(i) as u64 / (i as u64 + 1))
}

/// Placings of so many pawns, the outermost on this file: below it are the squares
/// nearer to the middle, and those before it on both outer files.
fn lead_pawns(count: usize, file: usize) -> u64 {
    let nearer = |step: usize| 47 - 12 * file - 2 * step;
    (0..6).map(|step| choose(nearer(step), count - 1)).sum()
}

/// A part with a dictionary of our own and blocks of chance.
struct Packed {
    /// Left and right half, or a value and 0xfff.
    symbols: Vec<[u16; 2]>,
    /// How many symbols have codes of the greater length; the last one has two
    /// bits.
    long_bits: u8,
    lengths: Vec<usize>,
    blocks: Vec<Vec<u8>>,
}

impl Packed {
    fn new(random: &mut Random) -> Self {
        // Three quarters of all codes are long, one symbol has the rest.
        let long_bits = [4, 6, 9, 11, 12][random.below(5)];
        let count = 3 << (long_bits - 2) | 1;
        let mut symbols: Vec<[u16; 2]> = (0..5).map(|value| [value, 0xfff]).collect();
        let mut values = vec![1usize; 5];
        while symbols.len() < count {
            let [a, b] = [(); 2].map(|()| random.below(symbols.len()));
            if values[a] + values[b] <= 256 {
                symbols.push([a as u16, b as u16]);
                values.push(values[a] + values[b]);
            } else {
                symbols.push([random.below(5) as u16, 0xfff]);
                values.push(1);
            }
        }
        let blocks: Vec<Vec<u8>> = (0..BLOCKS)
            .map(|_| (0..BLOCK_BYTES).map(|_| random.below(256) as u8).collect())
            .collect();
        let length = |block: &Vec<u8>| values_in(block, long_bits, &values);
        let lengths = blocks.iter().map(length).collect();
        Self {
            symbols,
            long_bits,
            lengths,
            blocks,
        }
    }

    fn write_dictionary(&self, to: &mut Vec<u8>) {
        to.extend([0, BLOCK_BYTES.ilog2() as u8, INDEX_BITS as u8, 0]);
        to.extend((BLOCKS as u32).to_le_bytes());
        to.extend([self.long_bits, 2]);
        let long = self.symbols.len() as u16 - 1;
        for bits in 2..=self.long_bits {
            let first = if bits == self.long_bits { 0 } else { long };
            to.extend(first.to_le_bytes());
        }
        to.extend((self.symbols.len() as u16).to_le_bytes());
        for [left, right] in &self.symbols {
            to.extend([
                *left as u8,
                (left >> 8 | (right & 15) << 4) as u8,
                (right >> 4) as u8,
            ]);
        }
        if self.symbols.len() % 2 == 1 {
            to.push(0);
        }
    }
}

/// How many values the whole codes in a block stand for.
fn values_in(block: &[u8], long_bits: u8, values: &[usize]) -> usize {
    let bit = |i: usize| usize::from(block[i / 8] >> (7 - i % 8) & 1);
    let number = |from: usize, count: usize| (from..from + count).fold(0, |n, i| n << 1 | bit(i));
    let (mut at, mut sum) = (0, 0);
    loop {
        let left = 8 * block.len() - at;
        let is_short = left >= 2 && number(at, 2) == 3;
        let bits = if is_short { 2 } else { usize::from(long_bits) };
        if left < bits {
            return sum;
        }
        let symbol = if is_short {
            values.len() - 1
        } else {
            number(at, bits)
        };
        sum += values[symbol];
        at += bits;
    }
}
