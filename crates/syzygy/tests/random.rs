//! Chance that is the same every time.

use quadrille_games::Position;
use quadrille_games::chess::{Chess, ChessRules};

/// A small generator of random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }

    /// The pieces of an ending on random squares, if that is a position.
    pub(crate) fn position(&mut self, name: &str) -> Option<Chess> {
        let (white, black) = name.split_once('v')?;
        let (white, black) = if self.below(2) == 0 {
            (white, black)
        } else {
            (black, white)
        };
        let mut board = [b'1'; 64];
        for piece in white.bytes().chain(black.to_ascii_lowercase().bytes()) {
            let square = self.below(64);
            if board[square] != b'1' {
                return None;
            }
            board[square] = piece;
        }
        let ranks: Vec<_> = board.chunks(8).map(String::from_utf8_lossy).collect();
        let side = ["w", "b"][self.below(2)];
        position(&format!("{} {side} - - 0 1", ranks.join("/")))
    }

    /// So many positions of an ending.
    pub(crate) fn positions(&mut self, name: &str, count: usize) -> Vec<Chess> {
        let mut found = Vec::new();
        for _ in 0..count * 1_000 {
            found.extend(self.position(name));
            if found.len() == count {
                break;
            }
        }
        assert_eq!(found.len(), count, "{name}");
        found
    }
}

pub(crate) fn position(fen: &str) -> Option<Chess> {
    Chess::from_text(fen, &ChessRules::default()).ok()
}
