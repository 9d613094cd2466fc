//! What a net sees of a chess position.
//!
//! 768 features: own and enemy pieces of six kinds on 64 squares. Each side
//! counts ranks from its own and mirrors the board when its king stands on the
//! a- to d-file, so that what is learned about one wing serves both.

use quadrille_games::chess::{Chess, Piece, PieceKind, Square};
use quadrille_games::{Position, Side};

use super::squares::flip;
use crate::net::{Follows, Inputs, Shape};

/// How many last layers there are: by the number of pieces.
const BUCKETS: usize = 8;

/// How a side sees the board: what any square turns into when it is combined
/// with this by exclusive or.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sight {
    side: Side,
    flip: u8,
}

impl Sight {
    #[inline]
    pub(super) const fn new(side: Side, king: Square) -> Self {
        let flip = flip(side, king);
        Self { side, flip }
    }

    #[inline]
    fn feature(self, piece: Piece, square: u8) -> usize {
        let theirs = if piece.side == self.side { 0 } else { 6 };
        (theirs + piece.kind.index()) * 64 + usize::from((square ^ self.flip) & 63)
    }
}

impl Inputs for Chess {
    const SHAPE: Shape = Shape {
        name: "chess-768-mirrored-1",
        features: 12 * 64,
        most: 32,
        buckets: BUCKETS,
        adds_to_hand_written: false,
    };

    fn features(&self, view: Side, mut each: impl FnMut(usize)) {
        let sight = self.view(view);
        self.pieces(|piece, square| each(sight.feature(piece, square as u8)));
    }

    /// 2 to 5 pieces, 6 to 9, up to 30 to 32.
    #[inline]
    fn bucket(&self) -> usize {
        let pieces = (self.by_side(Side::White) | self.by_side(Side::Black))
            .0
            .count_ones();
        (pieces.saturating_sub(2) as usize / 4).min(BUCKETS - 1)
    }
}

impl Follows for Chess {
    type View = Sight;
    type Item = (Piece, u8);

    const VIEWS: usize = 2;

    #[inline]
    fn view(&self, side: Side) -> Sight {
        Sight::new(side, self.king(side))
    }

    #[inline]
    fn number(view: Sight) -> usize {
        usize::from(view.flip & 1)
    }

    #[inline]
    fn feature(view: Sight, (piece, square): (Piece, u8)) -> usize {
        view.feature(piece, square)
    }
}

/// Whether this piece decides how its side sees the board.
#[inline]
pub(super) const fn decides_sight(piece: Piece) -> bool {
    matches!(piece.kind, PieceKind::King)
}
