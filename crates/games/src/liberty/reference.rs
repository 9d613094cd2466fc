//! Perft as the reference implementation counts it.

use super::Liberty;
use super::moves::LibertyMove;
use crate::perft::Counting;
use crate::position::Position;

/// The count of [`Liberty::reference_perft`] for
/// [`divide`](crate::perft::divide). It looks back for repetitions, so it
/// cannot use a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reference;

impl Counting<Liberty> for Reference {
    const REMEMBERS: bool = true;

    fn leaves(self, position: &Liberty) -> u64 {
        position.count_with(position.setup.variant.promotions.len())
    }

    fn weight(self, position: &Liberty, m: LibertyMove) -> u64 {
        position.weight(m)
    }

    fn settled(self, position: &Liberty, path: &[u64]) -> Option<u64> {
        position.is_third_occurrence(path).then_some(0)
    }
}

impl Liberty {
    /// Perft with the two habits of the reference implementation that the
    /// ordinary [`perft`](crate::perft::perft) does not share: a kind that the
    /// promotion list names twice makes two moves, and a position that occurs
    /// for the third time ends its line.
    ///
    /// ```
    /// use quadrille_games::{Position, liberty::Liberty};
    /// let text = "k4r2/4P3/8/8/8/8/8/7K w - - 0 1 - qq";
    /// let mut position = Liberty::from_text(text, &Default::default())?;
    /// assert_eq!(position.count_moves(), 5);
    /// assert_eq!(position.reference_perft(1), 7);
    /// # Ok::<(), quadrille_games::PositionError>(())
    /// ```
    pub fn reference_perft(&mut self, depth: u32) -> u64 {
        let mut keys = Vec::new();
        self.reference_nodes(depth, &mut keys)
    }

    fn reference_nodes(&mut self, depth: u32, keys: &mut Vec<u64>) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_third_occurrence(keys) {
            return 0;
        }
        if depth == 1 {
            return self.count_with(self.setup.variant.promotions.len());
        }
        keys.push(self.hash());
        let mut total = 0;
        for m in self.moves() {
            let weight = self.weight(m);
            let undo = self.make(m, &mut ());
            total += weight * self.reference_nodes(depth - 1, keys);
            self.unmake(m, undo);
        }
        keys.pop();
        total
    }

    fn is_third_occurrence(&self, keys: &[u64]) -> bool {
        let reach = self.reversible_plies() as usize;
        if reach < 8 || keys.len() < 8 {
            return false;
        }
        let earlier = keys.iter().rev().take(reach);
        earlier.filter(|&&key| key == self.hash).count() >= 2
    }

    /// How often the promotion list names the promotion of this move.
    pub fn weight(&self, m: LibertyMove) -> u64 {
        let Some(kind) = m.promotion() else {
            return 1;
        };
        let listed = self.setup.variant.promotions.iter();
        listed.filter(|&&k| k == kind).count() as u64
    }
}
