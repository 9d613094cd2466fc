//! What a net sees of a Liberty Chess position.
//!
//! Boards differ in size, so each side sees every piece three times: in one of
//! 8 by 8 zones that are stretched over the board, and where it stands to each
//! of the two Kings, up to four squares away. 8,136 features in all. Ranks are
//! counted from the own side, and the board is mirrored when the own King
//! stands in its left half.

use quadrille_games::liberty::{Grid, Kind, Liberty, Piece};
use quadrille_games::{Position, Side};

use super::Knowledge as _;
use crate::net::{Inputs, Shape};

/// Own and enemy pieces of 18 kinds.
const PIECES: usize = 36;
const ZONES: usize = 64;
/// Squares away from a King that are told apart in each direction.
const NEAR: i32 = 4;
const OFFSETS: usize = (2 * NEAR as usize + 1) * (2 * NEAR as usize + 1);
/// Where features about the Kings begin, the own one's first.
const OWN_KING: usize = PIECES * ZONES;
const ENEMY_KING: usize = OWN_KING + PIECES * OFFSETS;
/// On larger boards, or with more pieces, the hand-written evaluation judges
/// alone.
const MOST_SIZE: u16 = 16;
const MOST_PIECES: u32 = 64;
/// How many last layers there are: by the number of pieces.
const BUCKETS: usize = 4;

/// How a side sees the board.
struct View {
    side: Side,
    width: u32,
    mirrored: bool,
    height: u32,
    /// 65,536ths, rounded up: a product instead of a division.
    by_width: u32,
    by_height: u32,
    /// File and rank of the own King and the enemy's, where there is just one.
    kings: [Option<(i32, i32)>; 2],
}

impl View {
    fn new(position: &Liberty, grid: &Grid<'_>, side: Side) -> Self {
        let variant = position.variant();
        let (width, height) = (u32::from(variant.width), u32::from(variant.height));
        let mut view = Self {
            side,
            width,
            height,
            mirrored: false,
            by_width: 65_536u32.div_ceil(width.max(1)),
            by_height: 65_536u32.div_ceil(height.max(1)),
            kings: [None; 2],
        };
        let kings = [side, side.other()].map(|side| {
            let alone = position.count(side, Kind::King) == 1;
            let cell = grid.kings(side).next().filter(|_| alone)?;
            Some(view.place(grid.square(cell)))
        });
        // The own King decides; in the middle, the enemy's.
        let off = kings.map(|king| king.map_or(0, |(file, _)| 2 * file + 1 - width as i32));
        view.mirrored = if off[0] == 0 { off[1] < 0 } else { off[0] < 0 };
        view.kings = kings.map(|king| {
            let (file, rank) = king?;
            Some((view.file(file), rank))
        });
        view
    }

    /// File and rank as this side sees them.
    #[inline(always)]
    fn place(&self, square: u16) -> (i32, i32) {
        let square = u32::from(square);
        let rank = (square * self.by_width) >> 16;
        let file = (square - rank * self.width) as i32;
        let rank = match self.side {
            Side::White => rank,
            Side::Black => self.height - 1 - rank,
        };
        (self.file(file), rank as i32)
    }

    #[inline(always)]
    const fn file(&self, file: i32) -> i32 {
        if self.mirrored {
            self.width as i32 - 1 - file
        } else {
            file
        }
    }

    #[inline(always)]
    fn features(&self, piece: Piece, square: u16, each: &mut impl FnMut(usize)) {
        let (file, rank) = self.place(square);
        let theirs = if piece.side == self.side { 0 } else { 18 };
        let piece = theirs + piece.kind as usize - 1;
        let slice = |at: i32, by: u32| ((8 * at as u32 * by) >> 16) as usize;
        let zone = slice(rank, self.by_height) * 8 + slice(file, self.by_width);
        each(piece * ZONES + zone);
        for (king, begin) in self.kings.iter().zip([OWN_KING, ENEMY_KING]) {
            if let Some((f, r)) = king {
                let near = |d: i32| (d.clamp(-NEAR, NEAR) + NEAR) as usize;
                let offset = near(rank - r) * (2 * NEAR as usize + 1) + near(file - f);
                each(begin + piece * OFFSETS + offset);
            }
        }
    }
}

impl Inputs for Liberty {
    const SHAPE: Shape = Shape {
        name: "liberty-zones-kings-1",
        features: ENEMY_KING + PIECES * OFFSETS,
        most: 3 * MOST_PIECES as usize,
        buckets: BUCKETS,
        adds_to_hand_written: true,
    };

    fn features(&self, view: Side, mut each: impl FnMut(usize)) {
        if !self.is_readable() {
            return;
        }
        let grid = self.grid();
        let view = View::new(self, &grid, view);
        self.pieces(|piece, square| view.features(piece, square, &mut each));
    }

    /// A bare King is driven to the rim by the hand-written evaluation: a net has
    /// seen too few such endings to do better than noise.
    #[inline]
    fn is_readable(&self) -> bool {
        let variant = self.variant();
        let grid = self.grid();
        variant.width.max(variant.height) <= MOST_SIZE
            && self.pieces_on_board() <= MOST_PIECES
            && Side::BOTH
                .iter()
                .all(|&side| grid.commoners(side).next().is_some())
    }

    /// By pieces: up to 12, up to 22, up to 32, more.
    #[inline]
    fn bucket(&self) -> usize {
        (self.pieces_on_board().saturating_sub(3) as usize / 10).min(BUCKETS - 1)
    }
}
