//! The two leaf counts of the reference engine.
//!
//! Both count a line that ends with a King's death as one leaf, whatever depth
//! remains; the general [`perft`](crate::perft::perft) counts it for nothing.
//! Neither looks at the quiet limit.

use super::board::Leiser;
use super::moves::Move;
use crate::perft::Counting;
use crate::position::Position;

/// The count of [`perft_generated`] for [`divide`](crate::perft::divide).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Generated;

impl Counting<Leiser> for Generated {
    #[inline]
    fn leaves(self, position: &Leiser) -> u64 {
        position.count_generated()
    }

    #[inline]
    fn moves(self, position: &Leiser, each: impl FnMut(Move)) {
        position.each_generated(each);
    }

    #[inline]
    fn settled(self, position: &Leiser, _: &[u64]) -> Option<u64> {
        (!position.has_kings()).then_some(1)
    }

    /// Neither Ko nor the quiet limit plays a part, so the board is enough.
    #[inline]
    fn key(self, position: &Leiser, _: u32) -> u64 {
        position.hash()
    }
}

/// The count of [`perft_legal`] for [`divide`](crate::perft::divide).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unrefused;

impl Counting<Leiser> for Unrefused {
    #[inline]
    fn leaves(self, position: &Leiser) -> u64 {
        position.count_unrefused()
    }

    #[inline]
    fn moves(self, position: &Leiser, each: impl FnMut(Move)) {
        position.each_unrefused(each);
    }

    #[inline]
    fn settled(self, position: &Leiser, _: &[u64]) -> Option<u64> {
        (!position.has_kings()).then_some(1)
    }

    #[inline]
    fn key(self, position: &Leiser, _: u32) -> u64 {
        position.key_with_ko()
    }
}

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
