//! Counting the leaves of the move tree: how move generators are proven.

use crate::position::Position;

/// The number of lines of exactly `depth` plies. A line that ends the game
/// earlier counts for nothing, except where
/// [`count_moves`](Position::count_moves) of its game says otherwise.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(),
        _ => {
            let mut total = 0;
            for m in position.moves() {
                let undo = position.make(m, &mut ());
                total += perft(position, depth - 1);
                position.unmake(m, undo);
            }
            total
        }
    }
}
