//! Opening books in the Polyglot format.
//!
//! A book is a file of 16-byte entries, big-endian and sorted by key: the key
//! of a position (8), a move (2), its weight (2), learning data (4, not used).
//! It is searched in place, so opening a large one costs nothing. A file is
//! never trusted: moves count only where they are legal, and a run of one key
//! that is longer than any list of moves is cut.
//!
//! ```
//! use std::io::Cursor;
//! use quadrille_games::Position;
//! use quadrille_games::chess::Chess;
//! use quadrille_games::chess::polyglot::{Book, Entry, choose};
//! use quadrille_games::random::SplitMix64;
//!
//! let start = Chess::default();
//! let entry = Entry::new(&start, start.parse_move("e2e4")?, 1);
//! let mut book = Book::new(Cursor::new(entry.to_bytes()))?;
//! let moves = book.moves(&start)?;
//! let m = choose(&moves, &mut SplitMix64::new(1)).ok_or("one move")?;
//! assert_eq!(start.notation(m), "e4");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod key;

use std::io::{self, Read, Seek, SeekFrom};

use super::board::Chess;
use super::moves::Move;
use super::piece::PieceKind;
use super::square::Square;
use crate::position::Position;
use crate::random::SplitMix64;

/// No position has more moves; a longer run of one key is a broken file.
const MOST_MOVES: usize = 256;

/// One move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The position: [`Chess::polyglot_key`].
    pub key: u64,
    /// The move: target in bits 0 to 5, origin in bits 6 to 11, promotion
    /// above. Castling is the king taking its rook.
    pub code: u16,
    /// How often it is played, against the other moves of the position.
    pub weight: u16,
}

impl Entry {
    /// The bytes of an entry in a file.
    pub const SIZE: usize = 16;

    /// A legal move of a position.
    pub fn new(position: &Chess, m: Move, weight: u16) -> Self {
        Self {
            key: position.polyglot_key(),
            code: move_code(m),
            weight,
        }
    }

    /// The entry as it stands in a file.
    pub const fn to_bytes(self) -> [u8; Self::SIZE] {
        let number =
            (self.key as u128) << 64 | (self.code as u128) << 48 | (self.weight as u128) << 32;
        number.to_be_bytes()
    }

    /// Reads what stands in a file.
    pub const fn from_bytes(bytes: [u8; Self::SIZE]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            code: (number >> 48) as u16,
            weight: (number >> 32) as u16,
        }
    }

    /// The move in coordinates, `e7e8q`.
    pub fn text(self) -> String {
        let square = |shift: u16| Square::new((self.code >> shift & 63) as u8);
        let promotion = match self.code >> 12 & 7 {
            1 => "n",
            2 => "b",
            3 => "r",
            4 => "q",
            _ => "",
        };
        format!("{}{}{promotion}", square(6), square(0))
    }

    /// The move, if it is legal here. Keys can meet by chance.
    pub fn find_move(self, position: &Chess) -> Option<Move> {
        position.parse_move(&self.text()).ok()
    }
}

/// The code of a move in a book.
pub fn move_code(m: Move) -> u16 {
    let promotion = match m.promotion() {
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(PieceKind::Queen) => 4,
        _ => 0,
    };
    promotion << 12 | (m.from().index() as u16) << 6 | m.to().index() as u16
}

/// One of these moves, with the chance that its weight gives it; `None` if
/// there is no weight at all.
pub fn choose(moves: &[(Move, u16)], random: &mut SplitMix64) -> Option<Move> {
    let weights = moves.iter().map(|&(_, weight)| u64::from(weight));
    let index = random.weighted(weights)?;
    moves.get(index).map(|&(m, _)| m)
}

/// An open book.
#[derive(Debug)]
pub struct Book<R> {
    source: R,
    entries: u64,
}

impl<R: Read + Seek> Book<R> {
    /// Looks at the size and the first entry.
    pub fn new(mut source: R) -> io::Result<Self> {
        let size = Entry::SIZE as u64;
        let length = source.seek(SeekFrom::End(0))?;
        if length == 0 || length % size != 0 {
            let why = "not a Polyglot book: its size is no multiple of 16";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let mut book = Self {
            source,
            entries: length / size,
        };
        book.entry(0)?;
        Ok(book)
    }

    /// How many entries there are: at least one.
    #[expect(clippy::len_without_is_empty, reason = "no book is empty")]
    pub const fn len(&self) -> u64 {
        self.entries
    }

    /// An entry by its place in the file.
    pub fn entry(&mut self, index: u64) -> io::Result<Entry> {
        let mut bytes = [0; Entry::SIZE];
        let at = index.saturating_mul(Entry::SIZE as u64);
        self.source.seek(SeekFrom::Start(at))?;
        self.source.read_exact(&mut bytes)?;
        Ok(Entry::from_bytes(bytes))
    }

    /// All entries of a key.
    pub fn find(&mut self, key: u64) -> io::Result<Vec<Entry>> {
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

    /// The legal moves that the book knows here, with their weights.
    pub fn moves(&mut self, position: &Chess) -> io::Result<Vec<(Move, u16)>> {
        let found = self.find(position.polyglot_key())?;
        let legal = |entry: &Entry| Some((entry.find_move(position)?, entry.weight));
        Ok(found.iter().filter_map(legal).collect())
    }
}
