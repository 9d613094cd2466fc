//! Openings from Polyglot books.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use quadrille_games::chess::polyglot::{Book, choose};
use quadrille_games::chess::{Chess, Move};
use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, AnyMove, Game, files};

use super::{Opening, OpeningError, start_line};

/// An open book.
#[derive(Debug)]
pub(super) struct PolyglotBook {
    path: PathBuf,
    book: Mutex<Book<File>>,
}

impl PolyglotBook {
    pub(super) fn open(path: &Path) -> Result<Self, OpeningError> {
        let unreadable = |error| OpeningError::unreadable(path, &error);
        let file = files::open(path).map_err(unreadable)?;
        let book = Book::new(file).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => OpeningError::new(error).at(path, None),
            _ => unreadable(error),
        })?;
        Ok(Self {
            path: path.into(),
            book: Mutex::new(book),
        })
    }

    /// One walk from the start position, each move drawn by its weight.
    pub(super) fn walk(
        &self,
        rules: &str,
        plies: u32,
        mut lot: SplitMix64,
        number: u64,
    ) -> Result<Opening, OpeningError> {
        let here = |error: OpeningError| error.at(&self.path, None);
        let mut line = start_line(Game::Chess, rules)?;
        for _ in 0..plies {
            let AnyLine::Chess(board) = &line else { break };
            let Some(m) = self.draw(board.position(), &mut lot)? else {
                break;
            };
            let m = AnyMove::new::<Chess>(m);
            line.push(m).map_err(|e| here(OpeningError::new(e)))?;
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

    /// A move that the book knows here.
    fn draw(&self, position: &Chess, lot: &mut SplitMix64) -> Result<Option<Move>, OpeningError> {
        let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let moves = book.moves(position);
        let moves = moves.map_err(|error| OpeningError::unreadable(&self.path, &error))?;
        Ok(choose(&moves, lot))
    }
}
