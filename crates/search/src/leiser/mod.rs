//! What the search has to know about Leiserchess.

mod eval;
mod geometry;
mod inputs;

use std::sync::Arc;

use quadrille_games::leiser::{Leiser, Move, Piece};
use quadrille_games::{Observer, Position, Side};

pub use eval::LeiserEval;

use crate::net::{Net, NetError, Residual, own_net};
use crate::playable::Playable;
use crate::score::{MAX_EVAL, Value};

/// What a Pawn is worth when it is struck.
const PAWN: Value = 100;

impl Playable for Leiser {
    type Eval = Residual<LeiserEval>;

    own_net!(Leiser, "leiser.net");

    fn read_net(bytes: &[u8]) -> Result<Arc<Net>, NetError> {
        Net::read::<Self>(bytes).map(Arc::new)
    }

    /// Every piece turns as well as moves: +28 [+2, +53].
    fn breadth(&self) -> u32 {
        200
    }

    /// Every move is a shot: only firing tells which are tactical.
    const STAGED: bool = false;
    const EXCHANGES: bool = false;

    fn slots(&self) -> usize {
        let (files, ranks) = self.size();
        16 * usize::from(files) * usize::from(ranks)
    }

    /// Who moves, where it ends and how it then looks.
    #[inline]
    fn slot(&self, m: Move) -> usize {
        let (files, ranks) = self.size();
        let squares = usize::from(files) * usize::from(ranks);
        let Some(piece) = self.piece_at(m.from()) else {
            return 0;
        };
        let piece = m.turning().map_or(piece, |turn| piece.turned(turn));
        piece.index() * squares + m.last().index().min(squares - 1)
    }

    /// The pieces that leave the board, ours against theirs: a laser
    /// hits either side, so a tactical move may well cost us something.
    fn gain(&self, m: Move) -> Value {
        let mut balance = Balance([0; 2]);
        let mut after = *self;
        after.make(m, &mut balance);
        let us = self.side().index();
        (balance.0[us] - balance.0[1 - us]).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The Kings and what they look at: that changes less often than the rest.
    fn structure_key(&self) -> u64 {
        let king = |side: Side| {
            let square = self.king(side)?;
            let looks = self.piece_at(square)?.orientation();
            Some(square.index() as u64 * 4 + u64::from(looks))
        };
        let [white, black] = Side::BOTH.map(|side| king(side).unwrap_or(0));
        (white * 512 + black).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
    }

    fn plies_to_draw(&self) -> u32 {
        match self.rules().quiet_limit_plies {
            0 => u32::MAX,
            limit => limit.saturating_sub(self.quiet_plies()),
        }
    }

    fn stake(&self, _: Move) -> Value {
        0
    }
}

/// What came and went during a move, by side.
struct Balance([Value; 2]);

impl Balance {
    fn worth(piece: Piece) -> Value {
        if piece.is_king() { MAX_EVAL } else { PAWN }
    }
}

impl Observer<Piece> for Balance {
    fn added(&mut self, piece: Piece, _: u16) {
        self.0[piece.side().index()] += Self::worth(piece);
    }

    fn removed(&mut self, piece: Piece, _: u16) {
        self.0[piece.side().index()] -= Self::worth(piece);
    }

    fn moved(&mut self, _: Piece, _: u16, _: u16) {}
}
