//! Piece-square tables that depend on where the kings stand.
//!
//! Each king looks at the whole board from its own corner: ranks are counted
//! from its side, and if it stands on the a- to d-file the board is mirrored, so
//! that what is learned about one wing serves both. Where it stands then chooses
//! one of a few tables, in which both its own pieces and the enemy's have
//! values. The sum over both kings is the whole of material and placement, and
//! it follows the board by additions.

use quadrille_games::chess::{Chess, Piece, PieceKind, Square};
use quadrille_games::{Position, Side};

use super::features::{KING_BUCKETS, KING_SQUARES, MATERIAL, SQUARES};
use super::king_tables::KING_TABLES;
use super::params::VALUES;
use crate::pair::Pair;
use crate::tally::Tally;

/// For each bucket of a king: what its own six kinds and the enemy's six kinds
/// are worth to it on each square, as it sees the board.
type Table = [[[Pair; 64]; 12]; KING_BUCKETS];

static TABLE: Table = build();

// Built on the compiler's stack, not on ours.
#[allow(clippy::large_stack_arrays)]
const fn build() -> Table {
    let mut table = [[[Pair::ZERO; 64]; 12]; KING_BUCKETS];
    let mut bucket = 0;
    while bucket < KING_BUCKETS {
        let mut piece = 0;
        while piece < 12 {
            let mut square = 0;
            while square < 64 {
                let special = KING_TABLES[(bucket * 12 + piece) * 64 + square];
                table[bucket][piece][square] = if piece < 6 {
                    let material = if piece < 5 {
                        VALUES[MATERIAL + piece]
                    } else {
                        Pair::ZERO
                    };
                    material
                        .plus(VALUES[SQUARES + piece * 64 + square])
                        .plus(special)
                } else {
                    special.negated()
                };
                square += 1;
            }
            piece += 1;
        }
        bucket += 1;
    }
    table
}

/// Which table a king uses, by its square as it sees the board: the first rank
/// matters most, and there the corner differs from the centre; further out only
/// how far.
const BUCKETS: [[u8; 4]; 8] = [
    [0, 1, 2, 2],
    [3, 3, 4, 4],
    [5, 5, 5, 5],
    [5, 5, 5, 5],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
    [6, 6, 6, 6],
];

/// How the king of one side sees the board: what its square turns into when it
/// is combined with any square by exclusive or.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct View {
    side: Side,
    flip: u8,
    bucket: u8,
}

/// What any square turns into, combined with this by exclusive or, as the king
/// of `side` sees it from `king`.
#[inline]
pub(super) const fn flip(side: Side, king: Square) -> u8 {
    let ranks = match side {
        Side::White => 0,
        Side::Black => 56,
    };
    let files = if king.file() < 4 { 7 } else { 0 };
    ranks | files
}

impl View {
    /// The view of the king of `side` from `king`.
    #[inline]
    pub(super) const fn new(side: Side, king: Square) -> Self {
        let flip = flip(side, king);
        Self {
            side,
            flip,
            bucket: king_bucket(king.index() as u8 ^ flip),
        }
    }

    /// Where in the tables a piece on a square is found: kind from 0 to 11 and
    /// square.
    #[inline]
    fn place(self, piece: Piece, square: u16) -> (usize, usize) {
        let theirs = if piece.side == self.side { 0 } else { 6 };
        (
            theirs + piece.kind.index(),
            usize::from(self.flip ^ square as u8) & 63,
        )
    }

    /// What a piece on a square is worth to this king.
    #[inline]
    pub(super) fn worth(self, piece: Piece, square: u16) -> Pair {
        let (kind, square) = self.place(piece, square);
        TABLE[self.bucket as usize][kind][square]
    }

    /// The worth of everything on the board, computed afresh.
    pub(super) fn sum(self, position: &Chess) -> Pair {
        let mut sum = Pair::ZERO;
        position.pieces(|piece, square| sum += self.worth(piece, square));
        sum
    }

    /// The same, feature by feature.
    pub(super) fn count(self, position: &Chess, tally: &mut impl Tally) {
        position.pieces(|piece, square| {
            let (kind, square) = self.place(piece, square);
            let special = KING_SQUARES + (self.bucket as usize * 12 + kind) * 64 + square;
            tally.add(piece.side, special, 1);
            if kind < 6 {
                tally.add(piece.side, SQUARES + kind * 64 + square, 1);
                if piece.kind != PieceKind::King {
                    tally.add(piece.side, MATERIAL + kind, 1);
                }
            }
        });
    }
}

/// The table for a king on this square, ranks counted from its side and its
/// file mirrored to e to h.
const fn king_bucket(square: u8) -> u8 {
    BUCKETS[(square >> 3 & 7) as usize][(square & 3) as usize]
}
