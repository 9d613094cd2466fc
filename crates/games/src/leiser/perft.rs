//! The two leaf counts of the reference engine.
//!
//! Both count a line that ends with a King's death as one leaf, whatever depth
//! remains; the general [`perft`](crate::perft::perft) counts it for nothing.
//! Neither looks at the quiet limit.

use super::board::Leiser;

/// The reference engine's perft: all generated moves, also those that Ko
/// refuses.
///
/// ```
/// use quadrille_games::Position;
/// use quadrille_games::leiser::{Leiser, LeiserRules, perft_generated};
/// let start = Leiser::start(&LeiserRules::default());
/// assert_eq!(perft_generated(&start, 3), 473_126);
/// ```
pub fn perft_generated(position: &Leiser, depth: u32) -> u64 {
    if depth == 0 || !position.has_kings() {
        return 1;
    }
    if depth == 1 {
        return position.count_generated();
    }
    let mut total = 0;
    position.each_generated(|m| {
        let mut child = *position;
        child.turn(m, &mut ());
        total += perft_generated(&child, depth - 1);
    });
    total
}

/// The same without the moves that Ko refuses.
pub fn perft_legal(position: &Leiser, depth: u32) -> u64 {
    if depth == 0 || !position.has_kings() {
        return 1;
    }
    if depth == 1 {
        return position.count_unrefused();
    }
    let mut total = 0;
    position.each_unrefused(|m| {
        let mut child = *position;
        child.turn(m, &mut ());
        total += perft_legal(&child, depth - 1);
    });
    total
}
