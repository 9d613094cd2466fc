//! The weights of the evaluation and what each of them is about.

use super::fitted::NUMBERS;
use crate::pair::Pair;
use crate::score::Value;

/// Discriminants of [`Kind`] are below this.
pub(super) const KINDS: usize = 19;

/// Attacked squares beyond the average, by kind.
pub(super) const MOBILITY: usize = 0;
/// Attacks on squares around an enemy King, by kind of the attacker.
pub(super) const ZONE: usize = MOBILITY + KINDS;
/// Steps nearer than [`FAR`] to an enemy King, by kind.
pub(super) const TROPISM: usize = ZONE + KINDS;
/// Attacks around a King again if at least two pieces attack.
pub(super) const SIEGE: usize = TROPISM + KINDS;
/// Own pieces around the own King.
pub(super) const SHELTER: usize = SIEGE + 1;
/// Pawns without a neighbour on the next files.
pub(super) const ISOLATED: usize = SHELTER + 1;
/// Pawns behind another on the same file.
pub(super) const DOUBLED: usize = ISOLATED + 1;
/// Pieces that an own Pawn protects.
pub(super) const PROTECTED: usize = DOUBLED + 1;
/// Enemy pieces that a Pawn attacks.
pub(super) const HARASSED: usize = PROTECTED + 1;
/// Two Bishops: between them they see everything, and El Vaticano.
pub(super) const BISHOPS: usize = HARASSED + 1;
/// Pawns that no enemy Pawn can stop.
pub(super) const PASSED: usize = BISHOPS + 1;
/// How near such a Pawn is to its prize.
pub(super) const NEAR: usize = PASSED + 1;
/// The same if something stands before it.
pub(super) const BLOCKED: usize = NEAR + 1;
/// The right to move.
pub(super) const TEMPO: usize = BLOCKED + 1;
/// Pieces attacked by a cheaper one.
pub(super) const TARGET: usize = TEMPO + 1;
pub(super) const COUNT: usize = TARGET + 1;

/// From here on a King is out of reach of steppers.
pub(super) const FAR: u16 = 8;

/// Kinds whose places mean about the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gang {
    Leaper,
    Rider,
    Compound,
}

/// What the weights are, counted from the first.
pub(super) static WEIGHTS: [Pair; COUNT] = fitted(0);

/// What the phase of the game makes of the value of a kind, in percent, by
/// discriminant: Pawns and steppers come into their own when the board empties.
pub(super) static PERCENT: [Pair; KINDS] = fitted(COUNT);

/// How much places matter, in percent: of Leapers, Riders, Compounds (see
/// [`Gang`]), Kings and Pawns, and how much it matters how far a Pawn has come.
pub(super) static PLACES: [Pair; 6] = fitted(COUNT + KINDS);
pub(super) const KING_PLACE: usize = 3;
pub(super) const PAWN_PLACE: usize = 4;
pub(super) const ADVANCE: usize = 5;

/// Zones of the board that are told apart: eight slices of ranks from the own end
/// to the other, by four of files from the edge to the middle.
pub(super) const ZONES: usize = 32;
/// Where the learnt places begin among the fitted numbers.
pub(super) const LEARNT_AT: usize = COUNT + KINDS + 6;
/// All of the fitted numbers.
pub(super) const TUNED: usize = LEARNT_AT + KINDS * ZONES;

/// What games taught about places beyond what can be derived, by kind and zone.
pub(super) static LEARNT: [[Pair; ZONES]; KINDS] = {
    let mut table = [[Pair::new(0, 0); ZONES]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        table[kind] = fitted(LEARNT_AT + kind * ZONES);
        kind += 1;
    }
    table
};

const _: () = assert!(NUMBERS.len() == TUNED);

/// So many of the fitted numbers from this one on.
const fn fitted<const N: usize>(from: usize) -> [Pair; N] {
    let mut pairs = [Pair::new(0, 0); N];
    let mut i = 0;
    while i < N {
        let (middle, end) = NUMBERS[from + i];
        pairs[i] = Pair::new(middle as Value, end as Value);
        i += 1;
    }
    pairs
}

pub(super) const NAMES: [(&str, usize, usize); 8] = [
    ("mobility", MOBILITY, ZONE),
    ("king attack", ZONE, TROPISM),
    ("king distance", TROPISM, SIEGE),
    ("king shelter", SIEGE, ISOLATED),
    ("pawn structure", ISOLATED, HARASSED),
    ("threats", HARASSED, BISHOPS),
    ("bishop pair", BISHOPS, PASSED),
    ("passed pawns", PASSED, TEMPO),
];
