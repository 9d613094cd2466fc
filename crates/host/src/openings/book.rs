//! Openings from Polyglot books.
//!
//! A book is a file of 16-byte entries, big-endian and sorted by key: the key
//! of a position (8), a move (2), its weight (2), learning data (4, not used).
//! It is searched in place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use quadrille_games::{AnyLine, Game};

use super::lot::Lot;
use super::{Opening, OpeningError, start_line};

const ENTRY: u64 = 16;
/// No position has more moves; a longer run of one key is a broken file.
const MOST_MOVES: usize = 256;

/// An open book.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    path: PathBuf,
    file: Mutex<File>,
    entries: u64,
}

impl PolyglotBook {
    pub(super) fn open(path: &Path) -> Result<Self, OpeningError> {
        let unreadable = |error| OpeningError::unreadable(path, &error);
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        if length == 0 || length % ENTRY != 0 {
            let message = "not a Polyglot book: its size is no multiple of 16";
            return Err(OpeningError::new(message).at(path, None));
        }
        Ok(Self {
            path: path.into(),
            file: Mutex::new(file),
            entries: length / ENTRY,
        })
    }

    /// One walk from the start position, each move drawn by its weight.
    pub(super) fn walk(
        &self,
        rules: &str,
        plies: u32,
        mut lot: Lot,
        number: u64,
    ) -> Result<Opening, OpeningError> {
        let here = |error: OpeningError| error.at(&self.path, None);
        let mut line = start_line(Game::Chess, rules)?;
        for _ in 0..plies {
            let AnyLine::Chess(board) = &line else { break };
            let found = self.find(board.position().polyglot_key());
            let found = found.map_err(|error| OpeningError::unreadable(&self.path, &error))?;
            // Keys can meet by chance, so that only legal moves count.
            let known: Vec<(String, u64)> = found
                .into_iter()
                .map(|(code, weight)| (move_text(code), u64::from(weight)))
                .filter(|(text, weight)| *weight > 0 && line.find(text).is_ok())
                .collect();
            let mut left = lot.below(known.iter().map(|(_, weight)| weight).sum());
            let chosen = known.iter().find(|(_, weight)| {
                let taken = left < *weight;
                left = left.saturating_sub(*weight);
                taken
            });
            let Some((text, _)) = chosen else { break };
            line.play(text).map_err(|e| here(OpeningError::new(e)))?;
            if line.outcome_with_claims().is_some() {
                line.pop();
                break;
            }
        }
        if line.plies() == 0 && plies > 0 {
            let message = "the book knows nothing about the start position";
            return Err(here(OpeningError::new(message)));
        }
        let label = format!("{} walk {}", self.path.display(), number + 1);
        Ok(Opening { line, label })
    }

    /// Moves and weights of a key.
    fn find(&self, key: u64) -> io::Result<Vec<(u16, u16)>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = low + (high - low) / 2;
            if entry(&mut file, middle)?.0 < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found = Vec::new();
        while low < self.entries && found.len() < MOST_MOVES {
            let (other, code, weight) = entry(&mut file, low)?;
            if other != key {
                break;
            }
            found.push((code, weight));
            low += 1;
        }
        Ok(found)
    }
}

/// Key, move and weight.
fn entry(file: &mut File, index: u64) -> io::Result<(u64, u16, u16)> {
    let mut bytes = [0; ENTRY as usize];
    file.seek(SeekFrom::Start(index * ENTRY))?;
    file.read_exact(&mut bytes)?;
    let whole = u128::from_be_bytes(bytes);
    Ok((
        (whole >> 64) as u64,
        (whole >> 48) as u16,
        (whole >> 32) as u16,
    ))
}

/// A packed move as `e7e8q`; castling is the king taking its rook.
fn move_text(code: u16) -> String {
    let square = |number: u16| {
        let number = (number & 63) as u8;
        [b'a' + number % 8, b'1' + number / 8].map(char::from)
    };
    let promotion = b" nbrq".get(usize::from(code >> 12 & 7)).copied();
    let promotion = promotion.filter(|&letter| letter != b' ').map(char::from);
    let squares = square(code >> 6).into_iter().chain(square(code));
    squares.chain(promotion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_moves_are_unpacked() {
        assert_eq!(move_text(0o1434), "e2e4");
        assert_eq!(move_text(0o4_6474), "e7e8q");
        assert_eq!(move_text(0o1_6474), "e7e8n");
        assert_eq!(move_text(0o0407), "e1h1");
    }
}
