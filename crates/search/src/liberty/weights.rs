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
    Pair::new(5, -2),
    Pair::new(3, 8),
    Pair::new(0, -8),
    Pair::new(14, -7),
    Pair::new(8, 15),
    Pair::new(2, -3),
    Pair::new(-14, -14),
    Pair::new(3, -8),
    Pair::new(12, 5),
    Pair::new(58, 8),
    Pair::new(56, 29),
    Pair::new(-17, 32),
    Pair::new(7, 14),
    Pair::new(-5, -7),
    Pair::new(19, -5),
    Pair::new(61, 3),
];

/// What the phase of the game makes of the value of a kind, in percent, by
/// discriminant: Pawns and steppers come into their own when the board empties.
pub(super) const PERCENT: [Pair; 19] = [
    Pair::new(100, 100),
    Pair::new(75, 124),
    Pair::new(80, 128),
    Pair::new(75, 119),
    Pair::new(76, 121),
    Pair::new(80, 143),
    Pair::new(66, 133),
    Pair::new(73, 155),
    Pair::new(75, 76),
    Pair::new(83, 100),
    Pair::new(78, 119),
    Pair::new(105, 60),
    Pair::new(66, 148),
    Pair::new(70, 146),
    Pair::new(65, 124),
    Pair::new(0, 10),
    Pair::new(118, 80),
    Pair::new(87, 49),
    Pair::new(100, 100),
];

/// How much places matter, in percent: of Leapers, Riders, Compounds (see
/// [`Gang`]), Kings and Pawns, and how much it matters how far a Pawn has come.
pub(super) const PLACES: [Pair; 6] = [
    Pair::new(83, 95),
    Pair::new(76, 20),
    Pair::new(107, 190),
    Pair::new(95, 71),
    Pair::new(0, 163),
    Pair::new(10, 41),
];
pub(super) const KING_PLACE: usize = 3;
pub(super) const PAWN_PLACE: usize = 4;
pub(super) const ADVANCE: usize = 5;

pub(super) const NAMES: [(&str, usize, usize); 7] = [
    ("mobility", MOBILITY, ZONE),
    ("king attack", ZONE, SHELTER),
    ("king shelter", SHELTER, ISOLATED),
    ("pawn structure", ISOLATED, HARASSED),
    ("threats", HARASSED, BISHOPS),
    ("bishop pair", BISHOPS, PASSED),
    ("passed pawns", PASSED, TEMPO),
];
