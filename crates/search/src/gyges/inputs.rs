//! What a net sees of a Gyges position.
//!
//! The places and pairs of places that the hand-written evaluation weighs,
//! 5,886 of them, as each side sees them from its end of the board.

use quadrille_games::gyges::Gyges;
use quadrille_games::{Position, Side};

use super::pairs;
use crate::net::{Inputs, Shape};

/// Six pieces a side.
const PIECES: usize = 12;
/// The squares of the row at the south end.
const ROW: u64 = 0b11_1111;

impl Inputs for Gyges {
    const SHAPE: Shape = Shape {
        name: "gyges-pairs-1",
        features: pairs::WEIGHTS,
        most: PIECES + PIECES * (PIECES - 1) / 2,
        buckets: 4,
        adds_to_hand_written: true,
    };

    #[inline]
    fn features(&self, view: Side, each: impl FnMut(usize)) {
        pairs::each(self, view, each);
    }

    #[inline]
    fn is_readable(&self) -> bool {
        self.occupied().count_ones() as usize <= PIECES
    }

    /// Whether a piece stands on the mover's own row, and on the other side's:
    /// then its side moves from there.
    #[inline]
    fn bucket(&self) -> usize {
        let occupied = self.occupied();
        let ends = [occupied & ROW != 0, occupied & ROW << 30 != 0];
        let [own, theirs] = match self.side() {
            Side::White => ends,
            Side::Black => [ends[1], ends[0]],
        };
        usize::from(own) + 2 * usize::from(theirs)
    }
}
