//! Positions whose value the caller knows better than the evaluation.

use std::collections::HashMap;

use quadrille_games::{Position, Side};

use crate::score::{MAX_EVAL, Value};

/// Values of positions that replace what a search would find.
#[derive(Debug, Clone, Default)]
pub struct KnownValues(HashMap<u64, Value>);

impl KnownValues {
    /// Gives a position a value from White's point of view, held within what an
    /// evaluation may say.
    pub fn insert<P: Position>(&mut self, position: &P, white: Value) {
        self.0
            .insert(position.hash(), white.clamp(-MAX_EVAL, MAX_EVAL));
    }

    /// Takes a position's value away.
    pub fn remove<P: Position>(&mut self, position: &P) {
        self.0.remove(&position.hash());
    }

    /// Takes all values away.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The value of a position for the side to move, if it has one.
    pub fn get<P: Position>(&self, position: &P) -> Option<Value> {
        let white = *self.0.get(&position.hash())?;
        Some(match position.side() {
            Side::White => white,
            Side::Black => -white,
        })
    }

    /// How many positions have a value.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::chess::{Chess, ChessRules};

    #[test]
    fn the_side_to_move_sees_its_own_view() {
        let position = |side: char| {
            let text = format!("8/8/8/8/8/4k3/8/4K2Q {side} - - 0 1");
            Chess::from_text(&text, &ChessRules::default()).unwrap()
        };
        let (white, black) = (position('w'), position('b'));
        let mut known = KnownValues::default();
        known.insert(&white, 35);
        known.insert(&black, 900_000);
        assert_eq!(known.get(&white), Some(35));
        assert_eq!(known.get(&black), Some(-MAX_EVAL));
        known.remove(&white);
        assert_eq!((known.get(&white), known.len()), (None, 1));
        known.clear();
        assert!(known.is_empty());
    }
}
