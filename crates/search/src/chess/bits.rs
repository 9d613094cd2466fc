//! Small set arithmetic on 64-bit boards, a1 in bit 0.

use quadrille_games::Side;
use quadrille_games::chess::{Bitboard, PieceKind, Square, attacks};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// Dark squares (a1 is one).
pub(super) const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// The squares of a file, 0 for a.
#[inline(always)]
pub(super) const fn file(file: usize) -> u64 {
    0x0101_0101_0101_0101 << (file & 7)
}

/// The squares of a rank as `side` counts them, 0 for its first.
#[inline(always)]
pub(super) const fn rank(side: Side, rank: usize) -> u64 {
    match side {
        Side::White => 0xff << (8 * (rank & 7)),
        Side::Black => 0xff << (56 - 8 * (rank & 7)),
    }
}

/// The rank of a square as `side` counts it.
#[inline(always)]
pub(super) const fn rank_of(side: Side, square: usize) -> usize {
    match side {
        Side::White => square >> 3 & 7,
        Side::Black => 7 - (square >> 3 & 7),
    }
}

/// One step towards the other side's first rank.
#[inline(always)]
pub(super) const fn up(side: Side, set: u64) -> u64 {
    match side {
        Side::White => set << 8,
        Side::Black => set >> 8,
    }
}

/// One step back.
#[inline(always)]
pub(super) const fn down(side: Side, set: u64) -> u64 {
    up(side.other(), set)
}

/// The set and its neighbours to both sides on the same rank.
#[inline(always)]
pub(super) const fn neighbours(set: u64) -> u64 {
    (set << 1 & NOT_A) | (set >> 1 & NOT_H)
}

/// Every square that these pawns attack.
#[inline(always)]
pub(super) const fn pawn_attacks(side: Side, pawns: u64) -> u64 {
    neighbours(up(side, pawns))
}

/// The squares that at least two of these pawns attack.
#[inline(always)]
pub(super) const fn pawn_double_attacks(side: Side, pawns: u64) -> u64 {
    let ahead = up(side, pawns);
    (ahead << 1 & NOT_A) & (ahead >> 1 & NOT_H)
}

/// The set and everything in front of it.
#[inline(always)]
pub(super) const fn fill(side: Side, set: u64) -> u64 {
    match side {
        Side::White => {
            let set = set | set << 8;
            let set = set | set << 16;
            set | set << 32
        }
        Side::Black => {
            let set = set | set >> 8;
            let set = set | set >> 16;
            set | set >> 32
        }
    }
}

/// Everything in front of the set, without the set.
#[inline(always)]
pub(super) const fn ahead(side: Side, set: u64) -> u64 {
    fill(side, up(side, set))
}

/// The squares a piece attacks.
#[inline(always)]
pub(super) fn reach(kind: PieceKind, square: usize, occupied: u64) -> u64 {
    attacks(
        kind,
        Side::White,
        Square::new(square as u8),
        Bitboard(occupied),
    )
    .0
}

/// Steps a king needs from one square to another.
#[inline(always)]
pub(super) const fn distance(a: usize, b: usize) -> usize {
    let files = (a & 7).abs_diff(b & 7);
    let ranks = (a >> 3).abs_diff(b >> 3);
    if files > ranks { files } else { ranks }
}

/// Walks the squares of a set.
#[inline(always)]
pub(super) fn each(mut set: u64, mut look: impl FnMut(usize)) {
    while set != 0 {
        look(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

/// How many squares a set has, for arithmetic with signs.
#[inline(always)]
pub(super) const fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
