//! What a net sees of a Leiserchess position.
//!
//! 1,152 features: own and enemy pieces of both kinds, looking into four
//! directions, on 64 squares, and the squares that each beam lights. The rules
//! know no direction, so each side turns and mirrors the board until its King
//! stands in one eighth of it: what is learnt about one corner serves all.

use quadrille_games::leiser::{Leiser, Piece, Square, Year};
use quadrille_games::{Position, Side};

use crate::net::{Inputs, Shape};

const SQUARES: usize = 64;
/// Behind 16 pieces: the squares that the own beam lights, then the enemy's.
const LIT: usize = 16 * SQUARES;
/// How many last layers there are: by the number of Pawns.
const BUCKETS: usize = 4;

/// One of the eight ways to turn and mirror a board: files mirrored, ranks
/// mirrored, then files and ranks exchanged.
#[derive(Debug, Clone, Copy)]
struct Way {
    squares: [u8; SQUARES],
    /// By [`Piece::index`].
    pieces: [u8; 16],
}

const MIRROR_FILES: usize = 1;
const MIRROR_RANKS: usize = 2;
const EXCHANGE: usize = 4;

static WAYS: [Way; 8] = ways();

const fn ways() -> [Way; 8] {
    let empty = Way {
        squares: [0; SQUARES],
        pieces: [0; 16],
    };
    let mut ways = [empty; 8];
    let mut number = 0;
    while number < 8 {
        let mut square = 0;
        while square < SQUARES {
            ways[number].squares[square] = seen_square(number, square as u8);
            square += 1;
        }
        let mut piece = 0;
        while piece < 16 {
            ways[number].pieces[piece] = seen_piece(number, Piece::from_index(piece as u8));
            piece += 1;
        }
        number += 1;
    }
    ways
}

const fn seen_square(way: usize, square: u8) -> u8 {
    let (mut file, mut rank) = (square % 8, square / 8);
    if way & MIRROR_FILES != 0 {
        file = 7 - file;
    }
    if way & MIRROR_RANKS != 0 {
        rank = 7 - rank;
    }
    if way & EXCHANGE == 0 {
        rank * 8 + file
    } else {
        file * 8 + rank
    }
}

/// Kings look north, east, south, west; Pawns a half-step to the left of that.
const fn seen_piece(way: usize, piece: Piece) -> u8 {
    let king = piece.is_king();
    let mut looks = piece.orientation();
    if way & MIRROR_FILES != 0 {
        looks = if king { 4 - looks } else { 5 - looks };
    }
    if way & MIRROR_RANKS != 0 {
        looks = (if king { 6 } else { 7 }) - (looks & 3);
    }
    if way & EXCHANGE != 0 {
        looks = (if king { 5 } else { 6 }) - (looks & 3);
    }
    piece.index() as u8 & !3 | looks & 3
}

/// The way that brings a King into the eighth of the board below the diagonal
/// from a0 and left of the middle. On the diagonal there are two such ways; then
/// it is to look along a file.
fn way_of(king: Square, piece: Piece) -> usize {
    let (file, rank) = (king.file(8), king.rank(8) & 7);
    let files = if file > 3 { MIRROR_FILES } else { 0 };
    let ranks = if rank > 3 { MIRROR_RANKS } else { 0 };
    let (file, rank) = (file.min(7 - file), rank.min(7 - rank));
    let exchange = if file == rank {
        piece.orientation() & 1 == 1
    } else {
        rank > file
    };
    files | ranks | if exchange { EXCHANGE } else { 0 }
}

impl Inputs for Leiser {
    const SHAPE: Shape = Shape {
        name: "leiser-1152-octant-1",
        features: LIT + 2 * SQUARES,
        most: 64,
        buckets: BUCKETS,
        adds_to_hand_written: true,
    };

    fn features(&self, view: Side, mut each: impl FnMut(usize)) {
        let Some(king) = self.king(view).filter(|_| self.is_readable()) else {
            return;
        };
        let looks = self.piece_at(king).unwrap_or(Piece::from_index(0));
        let way = &WAYS[way_of(king, looks)];
        let seen = |square: Square| usize::from(way.squares[square.index() % SQUARES]);
        // The bit of a piece that says whose it is.
        let theirs = view.index() * 8;
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                let piece = usize::from(way.pieces[piece.index()]) ^ theirs;
                each(piece * SQUARES + seen(square));
            }
        }
        for (number, side) in [view, view.other()].into_iter().enumerate() {
            for square in self.lit(side) {
                each(LIT + number * SQUARES + seen(square));
            }
        }
    }

    /// What a beam does differs from year to year; the games to learn from are
    /// those of one.
    #[inline]
    fn is_readable(&self) -> bool {
        self.rules().year == Year::Y2016 && Side::BOTH.iter().all(|&side| self.king(side).is_some())
    }

    /// Up to 3 Pawns, up to 7, up to 11, more.
    #[inline]
    fn bucket(&self) -> usize {
        let pawns = self.occupied().len().saturating_sub(2) as usize;
        (pawns / 4).min(BUCKETS - 1)
    }
}
