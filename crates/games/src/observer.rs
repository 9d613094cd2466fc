//! The hook through which evaluation follows the board.

/// Told about every change [`Position::make`](crate::Position::make) does to
/// the board, in the order in which it happens.
///
/// The rules know nothing about evaluation; an accumulator, a piece-square sum
/// or a test sits behind this trait. Perft and the referee pass `&mut ()`, which
/// compiles to nothing. `unmake` reports nothing: an evaluation keeps a stack.
pub trait Observer<Piece: Copy> {
    /// `piece` now stands on `square`.
    fn added(&mut self, piece: Piece, square: u16);

    /// `piece` no longer stands on `square`.
    fn removed(&mut self, piece: Piece, square: u16);

    /// `piece` went from one square to another.
    #[inline]
    fn moved(&mut self, piece: Piece, from: u16, to: u16) {
        self.removed(piece, from);
        self.added(piece, to);
    }
}

impl<Piece: Copy> Observer<Piece> for () {
    #[inline(always)]
    fn added(&mut self, _: Piece, _: u16) {}

    #[inline(always)]
    fn removed(&mut self, _: Piece, _: u16) {}
}
