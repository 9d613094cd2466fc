//! Sorting more than fits in memory: sorted runs in temporary files, merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

/// Runs that are merged at once.
const FAN: usize = 32;
/// What an entry costs beside its bytes.
const ENTRY: usize = size_of::<Entry>();

#[derive(Debug, Clone)]
pub(super) struct Entry {
    key: Range<usize>,
    payload: Range<usize>,
}

/// Takes keys with what belongs to them, and gives them back in the order of the
/// keys; equal ones in the order in which they came.
#[derive(Debug)]
pub(super) struct Sorter {
    memory: usize,
    folder: PathBuf,
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that holds about so many bytes; what does not fit goes to files in
    /// `folder`.
    pub(super) fn new(memory: usize, folder: PathBuf) -> Self {
        Self {
            // A vector that grows holds up to three times what is in it.
            memory: (memory / 3).max(1 << 12),
            folder,
            bytes: Vec::new(),
            entries: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Adds one.
    pub(super) fn push(&mut self, key: &[u8], payload: &[u8]) -> io::Result<()> {
        let from = self.bytes.len();
        let held = from + key.len() + payload.len() + (self.entries.len() + 1) * ENTRY;
        if held > self.memory && !self.entries.is_empty() {
            self.spill()?;
            return self.push(key, payload);
        }
        self.bytes.extend_from_slice(key);
        let middle = self.bytes.len();
        self.bytes.extend_from_slice(payload);
        self.entries.push(Entry {
            key: from..middle,
            payload: middle..self.bytes.len(),
        });
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.entries
            .sort_by(|a, b| bytes[a.key.clone()].cmp(&bytes[b.key.clone()]));
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut run = BufWriter::new(tempfile::tempfile_in(&self.folder)?);
        for entry in self.entries.drain(..) {
            let (key, payload) = (&self.bytes[entry.key], &self.bytes[entry.payload]);
            write(&mut run, key, payload)?;
        }
        self.bytes.clear();
        self.runs
            .push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }

    /// Gives everything back.
    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(Sorted::Here {
                bytes: self.bytes,
                entries: self.entries.into_iter(),
            });
        }
        if !self.entries.is_empty() {
            self.spill()?;
        }
        let (memory, folder) = (self.memory, self.folder);
        let mut runs = self.runs;
        (self.bytes, self.entries) = (Vec::new(), Vec::new());
        while runs.len() > FAN {
            let mut longer = Vec::new();
            let mut rest = runs.into_iter().peekable();
            // Neighbours only, so that equal keys stay in their order.
            while rest.peek().is_some() {
                let few: Vec<File> = rest.by_ref().take(FAN).collect();
                let mut merge = Merge::new(few, memory)?;
                let mut run = BufWriter::new(tempfile::tempfile_in(&folder)?);
                while let Some((key, payload)) = merge.next()? {
                    write(&mut run, &key, &payload)?;
                }
                longer.push(run.into_inner().map_err(io::IntoInnerError::into_error)?);
            }
            runs = longer;
        }
        Ok(Sorted::Merged(Merge::new(runs, memory)?))
    }
}

fn write(out: &mut impl Write, key: &[u8], payload: &[u8]) -> io::Result<()> {
    out.write_all(&(key.len() as u64).to_le_bytes())?;
    out.write_all(&(payload.len() as u64).to_le_bytes())?;
    out.write_all(key)?;
    out.write_all(payload)
}

/// What a sorter gives back.
#[derive(Debug)]
pub(super) enum Sorted {
    Here {
        bytes: Vec<u8>,
        entries: std::vec::IntoIter<Entry>,
    },
    Merged(Merge),
}

/// A key and what belongs to it.
type Pair = (Vec<u8>, Vec<u8>);

impl Sorted {
    /// The next one.
    pub(super) fn next(&mut self) -> io::Result<Option<Pair>> {
        match self {
            Self::Here { bytes, entries } => Ok(entries
                .next()
                .map(|entry| (bytes[entry.key].to_vec(), bytes[entry.payload].to_vec()))),
            Self::Merged(merge) => merge.next(),
        }
    }
}

/// The first entry of a run: its key, the run, what belongs to it.
type Head = (Vec<u8>, usize, Vec<u8>);

/// Sorted runs as one.
#[derive(Debug)]
pub(super) struct Merge {
    runs: Vec<BufReader<File>>,
    /// The first of each run, the smallest on top.
    heads: BinaryHeap<Reverse<Head>>,
}

impl Merge {
    fn new(files: Vec<File>, memory: usize) -> io::Result<Self> {
        let room = (memory / (files.len() + 1)).clamp(1 << 10, 1 << 16);
        let mut merge = Self {
            runs: Vec::new(),
            heads: BinaryHeap::new(),
        };
        for (index, mut file) in files.into_iter().enumerate() {
            file.seek(SeekFrom::Start(0))?;
            merge.runs.push(BufReader::with_capacity(room, file));
            merge.refill(index)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, index: usize) -> io::Result<()> {
        if let Some((key, payload)) = read(&mut self.runs[index])? {
            self.heads.push(Reverse((key, index, payload)));
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<Pair>> {
        let Some(Reverse((key, index, payload))) = self.heads.pop() else {
            return Ok(None);
        };
        self.refill(index)?;
        Ok(Some((key, payload)))
    }
}

fn read(run: &mut BufReader<File>) -> io::Result<Option<Pair>> {
    let mut length = [0; 8];
    let mut first = 0;
    // The end of a run is where no entry begins.
    while first < length.len() {
        match run.read(&mut length[first..])? {
            0 if first == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => first += n,
        }
    }
    let mut key = vec![0; u64::from_le_bytes(length) as usize];
    run.read_exact(&mut length)?;
    let mut payload = vec![0; u64::from_le_bytes(length) as usize];
    run.read_exact(&mut key)?;
    run.read_exact(&mut payload)?;
    Ok(Some((key, payload)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::random::SplitMix64;

    #[test]
    fn what_is_sorted_on_disk_is_sorted_as_in_memory() {
        let mut random = SplitMix64::new(5);
        // Few keys, so that many are equal; more runs than are merged at once.
        for (count, memory) in [(0, 1000), (7, 1 << 20), (20_000, 30_000)] {
            let mut sorter = Sorter::new(memory, std::env::temp_dir());
            let mut wanted: Vec<Pair> = Vec::new();
            for number in 0..count {
                let key = format!("{}", random.index(50)).into_bytes();
                let payload = format!("{number}").into_bytes();
                sorter.push(&key, &payload).unwrap();
                wanted.push((key, payload));
            }
            assert_eq!(sorter.runs.len() > FAN, count > 1000);
            wanted.sort_by(|a, b| a.0.cmp(&b.0));
            let mut sorted = sorter.finish().unwrap();
            for pair in wanted {
                assert_eq!(sorted.next().unwrap(), Some(pair));
            }
            assert_eq!(sorted.next().unwrap(), None);
        }
    }

    #[test]
    fn one_entry_may_be_longer_than_the_memory() {
        let mut sorter = Sorter::new(1, std::env::temp_dir());
        let long = vec![b'x'; 100_000];
        for key in ["b", "a", "c"] {
            sorter.push(key.as_bytes(), &long).unwrap();
        }
        let mut sorted = sorter.finish().unwrap();
        for key in ["a", "b", "c"] {
            assert_eq!(sorted.next().unwrap(), Some((key.into(), long.clone())));
        }
    }
}
