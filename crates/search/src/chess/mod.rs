//! Chess for the search: move ordering, exchanges and the evaluation.
//!
//! ```text
//! features   everything that is counted, numbered     params, king_tables   what it is worth
//! squares    placement seen from both kings           pawns    structure, remembered
//! pieces     mobility and good squares                king     shelter, storm, attack
//! threats    pieces in trouble, space                 passed   passed pawns
//! endgame    what can be won at all                   whole    from counts to one number
//! kpk        king and pawn against king, solved       syzygy   endgame tables
//! evaluator  follows the board, asks for the rest     exchange static exchange
//! ```

mod bits;
mod board;
mod endgame;
mod evaluator;
mod exchange;
pub mod features;
mod king;
mod king_tables;
mod kpk;
mod pair;
mod params;
mod passed;
mod pawns;
mod pieces;
mod squares;
mod syzygy;
mod tally;
mod threats;
mod whole;

pub use evaluator::ChessEvaluator;
pub use pair::Pair;
pub use syzygy::{Syzygy, SyzygyError, SyzygyRules};
pub use tally::{Counts, Tally, worth};
pub use whole::{Balance, trace};

use quadrille_games::chess::{Chess, Move, PieceKind};
use quadrille_games::{Outcome, Position, Reason};

use crate::playable::Playable;
use crate::score::Value;

impl Playable for Chess {
    type Eval = ChessEvaluator;

    fn slots(&self) -> usize {
        12 * 64
    }

    #[inline]
    fn slot(&self, m: Move) -> usize {
        exchange::slot(self.side(), m)
    }

    #[inline]
    fn gain(&self, m: Move) -> Value {
        exchange::first_gain(self, m)
    }

    #[inline]
    fn stake(&self, m: Move) -> Value {
        exchange::stake(m)
    }

    #[inline]
    fn exchange_wins(&self, m: Move, threshold: Value) -> bool {
        exchange::wins(self, m, threshold)
    }

    /// Zugzwang is the rule with king and pawns alone, and rare with a piece.
    #[inline]
    fn may_pass(&self) -> bool {
        let slow = self.by_kind(PieceKind::Pawn) | self.by_kind(PieceKind::King);
        !(self.by_side(self.side()) - slow).is_empty()
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        self.after(m).in_check()
    }

    #[inline]
    fn over_at_sight(&self) -> Option<Outcome> {
        self.is_insufficient_material()
            .then(|| Outcome::draw(Reason::Material))
    }

    /// A player who can claim a draw is taken to do so after fifty moves.
    #[inline]
    fn plies_to_draw(&self) -> u32 {
        100u32.saturating_sub(self.reversible_plies())
    }

    /// The pawns of both sides.
    #[inline]
    fn structure_key(&self) -> u64 {
        let pawns = self.by_kind(PieceKind::Pawn);
        let white = pawns & self.by_side(quadrille_games::Side::White);
        let black = pawns & self.by_side(quadrille_games::Side::Black);
        mix(white.0, black.0)
    }
}

/// A key of two words. Products with odd constants, the high half folded down:
/// as good as random for tables of a few thousand entries and cheaper than
/// keeping a key move by move.
#[inline]
const fn mix(a: u64, b: u64) -> u64 {
    let x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let y = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    y ^ y >> 32
}
