//! What the search has to know about Liberty Chess.

mod eval;
mod fitted;
mod inputs;
mod piece_values;
mod placement;
mod scan;
mod weights;

use std::sync::Arc;

use quadrille_games::liberty::{Kind, Liberty, LibertyMove, Piece};
use quadrille_games::{Outcome, Position, Side};

pub use eval::LibertyEval;

use crate::net::{Net, NetError, Residual, own_net};
use crate::playable::Playable;
use crate::score::Value;
use piece_values::{PAWN, values};

/// Squares that history tables tell apart; larger boards share.
const SLOT_SQUARES: usize = 1024;

impl Playable for Liberty {
    type Eval = Residual<LibertyEval>;

    const TUNED: bool = true;

    own_net!(Liberty, "liberty.net");

    fn read_net(bytes: &[u8]) -> Result<Arc<Net>, NetError> {
        Net::read::<Self>(bytes).map(Arc::new)
    }

    fn slots(&self) -> usize {
        36 * self.variant().squares().min(SLOT_SQUARES)
    }

    /// Who moves, and where to.
    fn slot(&self, m: LibertyMove) -> usize {
        let squares = self.variant().squares().min(SLOT_SQUARES);
        let piece = self.piece_at(m.from()).map_or(0, Piece::index);
        piece * squares + usize::from(m.to()) % squares
    }

    fn gain(&self, m: LibertyMove) -> Value {
        // Promotions to anything but the best piece are quiet.
        if m.promotion().is_some() && !self.is_tactical(m) {
            return 0;
        }
        let values = self.values();
        let victim = self.victim(m).map_or(0, |kind| values[kind as usize]);
        let promoted = m.promotion().map_or(0, |kind| values[kind as usize] - PAWN);
        victim + promoted
    }

    fn stake(&self, m: LibertyMove) -> Value {
        let piece = self.piece_at(m.from());
        piece.map_or(0, |piece| self.values()[piece.kind as usize])
    }

    fn exchange_wins(&self, m: LibertyMove, threshold: Value) -> bool {
        // The method of the rules has the same name.
        Liberty::exchange_wins(self, m, self.values(), threshold)
    }

    /// Stalemate and mate are found when there is nothing to list.
    fn over_at_sight(&self) -> Option<Outcome> {
        if self.plies_to_draw() == 0 {
            // Mate comes before the count.
            return self.outcome();
        }
        self.material_outcome()
    }

    fn plies_to_draw(&self) -> u32 {
        100u32.saturating_sub(self.halfmove_clock().into())
    }

    /// A game lasts as long as there are pieces to take: 130 plies with 32 of
    /// them, 400 with 72.
    fn pace(&self) -> u32 {
        (100 * 24 / self.pieces_on_board()).min(100)
    }

    fn breadth(&self) -> u32 {
        (100 * self.pieces_on_board() / 28).max(100)
    }

    /// The Pawns.
    fn structure_key(&self) -> u64 {
        let grid = self.grid();
        let mut key = 0u64;
        for side in Side::BOTH {
            for cell in grid.commoners(side) {
                if grid.piece(cell).is_some_and(|p| p.kind == Kind::Pawn) {
                    let place = (cell * 2 + side.index() + 1) as u64;
                    key =
                        key.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23));
                }
            }
        }
        key.wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 17
    }

    fn has_pieces(&self) -> bool {
        self.may_pass()
    }

    /// With nothing but Pawns and Kings one would often rather not move.
    fn may_pass(&self) -> bool {
        Kind::ALL.into_iter().any(|kind| {
            !matches!(kind, Kind::Pawn | Kind::King) && self.count(self.side(), kind) > 0
        })
    }
}

/// The little the evaluation asks of a position again and again.
trait Knowledge {
    fn values(&self) -> &'static piece_values::Values;
    fn pieces_on_board(&self) -> u32;
    fn victim(&self, m: LibertyMove) -> Option<Kind>;
}

impl Knowledge for Liberty {
    #[inline]
    fn values(&self) -> &'static piece_values::Values {
        let variant = self.variant();
        values(variant.width, variant.height)
    }

    /// Of both sides, at least 1.
    #[inline]
    fn pieces_on_board(&self) -> u32 {
        let taken = self.variant().squares() - self.empty_squares();
        taken.max(1) as u32
    }

    /// The enemy that a legal move takes: on the target square, behind it (en
    /// passant), or between two Bishops (El Vaticano).
    fn victim(&self, m: LibertyMove) -> Option<Kind> {
        let enemy = |square: u16| {
            let piece = self.piece_at(square)?;
            (piece.side != self.side()).then_some(piece.kind)
        };
        let mover = self.piece_at(m.from())?.kind;
        let width = self.variant().width;
        let file = |square: u16| square % width;
        match (mover, self.piece_at(m.to())) {
            (Kind::Bishop, Some(other)) if other.side == self.side() => {
                let apart = m.from().abs_diff(m.to());
                let straight = file(m.from()) == file(m.to()) || apart == 2;
                // Otherwise friendly fire: nothing is won.
                straight.then(|| enemy(u16::midpoint(m.from(), m.to())))?
            }
            (Kind::Pawn, None) => (file(m.from()) != file(m.to())).then_some(Kind::Pawn),
            _ => enemy(m.to()),
        }
    }
}
