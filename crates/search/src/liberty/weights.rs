//! The weights of the evaluation and what each of them is about.

use crate::tally::Pair;

/// Attacked squares beyond the average, by [`Gang`].
pub(super) const MOBILITY: usize = 0;
/// Attacks on squares around an enemy King.
pub(super) const ZONE: usize = 3;
/// The same again if at least two pieces attack.
pub(super) const SIEGE: usize = 4;
/// Own pieces around the own King.
pub(super) const SHELTER: usize = 5;
/// Pawns without a neighbour on the next files.
pub(super) const ISOLATED: usize = 6;
/// Pawns behind another on the same file.
pub(super) const DOUBLED: usize = 7;
/// Pieces that an own Pawn protects.
pub(super) const PROTECTED: usize = 8;
/// Enemy pieces that a Pawn attacks.
pub(super) const HARASSED: usize = 9;
/// Two Bishops: between them they see everything, and El Vaticano.
pub(super) const BISHOPS: usize = 10;
/// Pawns that no enemy Pawn can stop.
pub(super) const PASSED: usize = 11;
/// How near such a Pawn is to its prize.
pub(super) const NEAR: usize = 12;
/// The same if something stands before it.
pub(super) const BLOCKED: usize = 13;
/// The right to move.
pub(super) const TEMPO: usize = 14;
/// Pieces attacked by a cheaper one.
pub(super) const TARGET: usize = 15;
pub(super) const COUNT: usize = 16;

/// Kinds whose mobility means about the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gang {
    Leaper,
    Rider,
    Compound,
}

pub(super) const WEIGHTS: [Pair; COUNT] = [
    Pair::new(5, 0),
    Pair::new(4, 4),
    Pair::new(2, 3),
    Pair::new(4, -1),
    Pair::new(10, 0),
    Pair::new(3, -6),
    Pair::new(-12, -11),
    Pair::new(-2, -15),
    Pair::new(12, 2),
    Pair::new(42, 20),
    Pair::new(10, 45),
    Pair::new(-5, 10),
    Pair::new(2, 8),
    Pair::new(0, -2),
    Pair::new(18, 4),
    Pair::new(38, 20),
];

pub(super) const NAMES: [(&str, usize, usize); 7] = [
    ("mobility", MOBILITY, ZONE),
    ("king attack", ZONE, SHELTER),
    ("king shelter", SHELTER, ISOLATED),
    ("pawn structure", ISOLATED, HARASSED),
    ("threats", HARASSED, BISHOPS),
    ("bishop pair", BISHOPS, PASSED),
    ("passed pawns", PASSED, TEMPO),
];
