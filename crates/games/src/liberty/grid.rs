//! The padded board as an evaluation sees it: cells that a step always stays
//! within, and the steps of every kind.

use super::Liberty;
use super::attack::shift;
use super::kind::{Kind, Piece, cell};
use super::setup::Setup;
use crate::game::Side;

/// A view of the board by cells instead of squares. A cell plus a step is a
/// cell again, perhaps one of the border.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    board: &'a [u8],
    setup: &'a Setup,
    lists: &'a [Vec<u32>; 4],
}

impl Liberty {
    /// The board by cells.
    #[inline]
    pub fn grid(&self) -> Grid<'_> {
        Grid {
            board: &self.board,
            setup: &self.setup,
            lists: &self.lists,
        }
    }
}

impl<'a> Grid<'a> {
    /// Number of cells, the border included.
    #[inline]
    pub fn cells(&self) -> usize {
        self.board.len()
    }

    /// The square of a cell of the board; 0 for the border.
    #[inline]
    pub fn square(&self, cell: usize) -> u16 {
        self.setup.square(cell)
    }

    /// Cells from one rank to the next.
    #[inline]
    pub fn stride(&self) -> usize {
        self.setup.stride
    }

    /// Cells of a side's Kings.
    #[inline]
    pub fn kings(&self, side: Side) -> impl Iterator<Item = usize> + use<'a> {
        self.lists[side.index() * 2 + 1]
            .iter()
            .map(|&at| at as usize)
    }

    /// Cells of a side's other pieces.
    #[inline]
    pub fn commoners(&self, side: Side) -> impl Iterator<Item = usize> + use<'a> {
        self.lists[side.index() * 2].iter().map(|&at| at as usize)
    }

    /// The piece on a cell; `None` if it is empty or not of the board.
    #[inline(always)]
    pub fn piece(&self, cell: usize) -> Option<Piece> {
        cell::piece(self.board[cell])
    }

    /// Whether the square is on the board and empty.
    #[inline(always)]
    pub fn is_empty(&self, cell: usize) -> bool {
        self.board[cell] == cell::EMPTY
    }

    /// Whether the cell belongs to the border.
    #[inline(always)]
    pub fn is_off(&self, cell: usize) -> bool {
        self.board[cell] == cell::OFF
    }

    /// Whether a piece of that side stands there.
    #[inline(always)]
    pub fn is_of(&self, cell: usize, side: Side) -> bool {
        self.board[cell] & cell::side_bit(side) != 0
    }

    /// One step forward for a Pawn of that side.
    #[inline]
    pub fn forward(&self, side: Side) -> i32 {
        self.setup.pawns[side.index()].forward
    }

    /// The eight steps to the neighbours.
    #[inline]
    pub fn neighbours(&self) -> &'a [i32; 8] {
        &self.setup.queen
    }

    /// Calls `each` with every cell of the board that a piece of this kind on
    /// `from` attacks, own pieces included. Nothing for Pawns and for kinds that
    /// never capture.
    #[inline]
    pub fn attacks(&self, kind: Kind, from: usize, mut each: impl FnMut(usize)) {
        let steps = &self.setup.steps[kind as usize];
        for &step in steps.leaps() {
            let at = shift(from, step);
            if !self.is_off(at) {
                each(at);
            }
        }
        for &step in steps.rides() {
            let mut at = shift(from, step);
            while self.is_empty(at) {
                each(at);
                at = shift(at, step);
            }
            if !self.is_off(at) {
                each(at);
            }
        }
    }
}
