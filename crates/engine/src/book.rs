//! Opening books in the Polyglot format.
//!
//! A book is a file of 16-byte entries, big-endian, sorted by key: key (8),
//! move (2), weight (2), learning data (4, not used). It is searched in place,
//! so opening a large one costs nothing.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

/// Our own book, made by `book` of the crate `quadrille-tune`; its `HISTORY.md`
/// says how.
const SHIPPED: &[u8] = include_bytes!("../data/book.bin");

const ENTRY: u64 = 16;
/// No position has more moves than this; a longer run is a broken file.
const MOST_MOVES: usize = 256;

/// One move that a book knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    key: u64,
    /// From and to squares and a promotion piece, packed.
    pub(crate) code: u16,
    pub(crate) weight: u16,
}

/// Where entries are read from.
trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// An open book.
pub(crate) struct Book {
    source: Box<dyn Source>,
    entries: u64,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book")
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

impl Book {
    /// Opens a book in a file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::read(Box::new(File::open(path)?))
    }

    /// Our own book.
    pub(crate) fn shipped() -> io::Result<Self> {
        Self::read(Box::new(Cursor::new(SHIPPED)))
    }

    /// Looks at the size and the first entry.
    fn read(mut source: Box<dyn Source>) -> io::Result<Self> {
        let length = source.seek(SeekFrom::End(0))?;
        if length == 0 || length % ENTRY != 0 {
            let why = "not a book: its size is no multiple of 16";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let mut book = Self {
            source,
            entries: length / ENTRY,
        };
        book.entry(0)?;
        Ok(book)
    }

    /// All entries for a key.
    pub(crate) fn find(&mut self, key: u64) -> io::Result<Vec<Entry>> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle)?.key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        while low < self.entries && found.len() < MOST_MOVES {
            let entry = self.entry(low)?;
            if entry.key != key {
                break;
            }
            found.push(entry);
            low += 1;
        }
        Ok(found)
    }

    fn entry(&mut self, index: u64) -> io::Result<Entry> {
        let mut bytes = [0; ENTRY as usize];
        self.source.seek(SeekFrom::Start(index * ENTRY))?;
        self.source.read_exact(&mut bytes)?;
        let number = |range: std::ops::Range<usize>| {
            bytes[range]
                .iter()
                .fold(0, |n: u64, &b| n << 8 | u64::from(b))
        };
        Ok(Entry {
            key: number(0..8),
            code: number(8..10) as u16,
            weight: number(10..12) as u16,
        })
    }
}

impl Entry {
    /// The move in coordinates, `e7e8q`. Castling is written as the king
    /// taking its rook.
    pub(crate) fn text(self) -> String {
        let square = |shift: u16| {
            let number = self.code >> shift & 63;
            let file = char::from(b'a' + (number % 8) as u8);
            let rank = char::from(b'1' + (number / 8) as u8);
            [file, rank]
        };
        let promotion = match self.code >> 12 & 7 {
            1 => Some('n'),
            2 => Some('b'),
            3 => Some('r'),
            4 => Some('q'),
            _ => None,
        };
        let squares = square(6).into_iter().chain(square(0));
        squares.chain(promotion).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use quadrille_games::Position;
    use quadrille_games::chess::Chess;

    use super::*;

    fn entry(key: u64, code: u16, weight: u16) -> Vec<u8> {
        let mut bytes = key.to_be_bytes().to_vec();
        bytes.extend(code.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn book(name: &str, bytes: &[u8]) -> io::Result<Book> {
        let path = std::env::temp_dir().join(format!("{name}-{}.bin", std::process::id()));
        std::fs::write(&path, bytes)?;
        let book = Book::open(&path);
        std::fs::remove_file(&path)?;
        book
    }

    #[test]
    fn finds_every_entry_of_a_key() {
        let mut bytes = Vec::new();
        for key in [3, 5, 5, 5, 9, u64::MAX] {
            bytes.extend(entry(key, 0o1434, key as u16));
        }
        let mut book = book("find", &bytes).unwrap();
        assert_eq!(book.find(5).unwrap().len(), 3);
        assert_eq!(book.find(3).unwrap()[0].text(), "e2e4");
        assert_eq!(book.find(u64::MAX).unwrap().len(), 1);
        for key in [0, 4, 6, 10] {
            assert!(book.find(key).unwrap().is_empty());
        }
    }

    #[test]
    fn promotions_have_their_letter() {
        let code = 0o4_6474;
        let entry = Entry {
            key: 0,
            code,
            weight: 1,
        };
        assert_eq!(entry.text(), "e7e8q");
    }

    /// Every entry is a legal move of a position that can come about by playing
    /// from one position of the book to the next.
    #[test]
    fn the_shipped_book_is_whole() {
        assert!(SHIPPED.len() < 300 << 10, "{}", SHIPPED.len());
        let mut book = Book::shipped().unwrap();
        let entries: Vec<Entry> = (0..book.entries).map(|i| book.entry(i).unwrap()).collect();
        assert!(entries.len() > 500, "{}", entries.len());
        assert!(entries.is_sorted_by_key(|entry| entry.key));
        assert!(entries.iter().all(|entry| entry.weight > 0));
        let mut seen = HashSet::new();
        let mut open = vec![Chess::default()];
        let mut played = 0;
        while let Some(position) = open.pop() {
            let found = book.find(position.polyglot_key()).unwrap();
            if found.is_empty() || !seen.insert(position.polyglot_key()) {
                continue;
            }
            let mut moves = HashSet::new();
            for entry in found {
                let m = position.parse_move(&entry.text()).unwrap();
                assert!(moves.insert(m), "{} twice", entry.text());
            }
            played += moves.len();
            open.extend(position.moves().into_iter().map(|m| position.after(m)));
        }
        assert_eq!(played, entries.len(), "positions that nobody reaches");
    }

    #[test]
    fn other_files_are_refused() {
        assert!(book("empty", b"").is_err());
        assert!(book("short", b"not a book").is_err());
    }
}
