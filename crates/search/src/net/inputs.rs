//! What a net sees of a position.

use quadrille_games::Side;

use crate::playable::Playable;

/// A numbered set of features, as a net's file names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Changes whenever the meaning of a number changes.
    pub name: &'static str,
    /// How many features there are.
    pub features: usize,
    /// How many of them hold at once in one view, at most.
    pub most: usize,
    /// How many last layers there are to choose from.
    pub buckets: usize,
    /// Whether the hand-written value is added to the net's.
    pub adds_to_hand_written: bool,
}

/// A game whose positions a net can read.
///
/// Trainers get their features from here as well (`quadrille data export`), so
/// that what a number means is said once.
pub trait Inputs: Playable {
    /// The set of features.
    const SHAPE: Shape;

    /// Names the features of this position as one side sees it, each less than
    /// [`Shape::features`]; one that is named twice counts twice.
    fn features(&self, view: Side, each: impl FnMut(usize));

    /// Whether a net can read this position: a board of another size or other
    /// rules than those of the games that nets learn from cannot be read, and
    /// the hand-written evaluation judges alone.
    #[inline]
    fn is_readable(&self) -> bool {
        true
    }

    /// Which last layer judges this position.
    fn bucket(&self) -> usize {
        0
    }
}
