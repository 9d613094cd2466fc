//! Which opening book there is to play from.

use std::io::{self, Cursor, Read, Seek};
use std::path::Path;

use quadrille_games::chess::polyglot;
use quadrille_games::files;

/// Our own book, made by `lab book` of the crate `quadrille-lab`; its `HISTORY.md`
/// says how.
const SHIPPED: &[u8] = include_bytes!("../data/book.bin");

/// Where entries are read from.
pub(crate) trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// A book in a file or in the program.
pub(crate) type Book = polyglot::Book<Box<dyn Source>>;

/// Opens a book in a file.
pub(crate) fn open(path: &Path) -> io::Result<Book> {
    Book::new(Box::new(files::open(path)?))
}

/// Our own book.
pub(crate) fn shipped() -> io::Result<Book> {
    Book::new(Box::new(Cursor::new(SHIPPED)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use quadrille_games::Position;
    use quadrille_games::chess::Chess;
    use quadrille_games::chess::polyglot::Entry;

    use super::*;

    /// Every entry is a legal move of a position that can come about by playing
    /// from one position of the book to the next.
    #[test]
    fn the_shipped_book_is_whole() {
        assert!(SHIPPED.len() < 300 << 10, "{}", SHIPPED.len());
        let mut book = shipped().unwrap();
        let entries: Vec<Entry> = (0..book.len()).map(|i| book.entry(i).unwrap()).collect();
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
                let m = entry.find_move(&position).unwrap();
                assert!(moves.insert(m), "{} twice", entry.text());
            }
            played += moves.len();
            open.extend(position.moves().into_iter().map(|m| position.after(m)));
        }
        assert_eq!(played, entries.len(), "positions that cannot be reached");
    }
}
