//! Chess for the search: move ordering, exchanges and the evaluation.
//!
//! ```text
//! features   everything that is counted, numbered     params, king_tables   what it is worth
//! squares    placement seen from both kings           pawns    structure, remembered
//! pieces     mobility and good squares                king     shelter, storm, attack
//! threats    pieces in trouble, space                 passed   passed pawns
//! endgame    what can be won at all                   blend    from counts to one number
//! kpk        king and pawn against king, solved       syzygy   endgame tables
//! hand_written  follows the board, asks for the rest  exchange static exchange
//! inputs     what a net sees                          evaluator  the one or the other
//! ```

mod bits;
mod blend;
mod board;
mod endgame;
mod evaluator;
mod exchange;
pub mod features;
mod hand_written;
mod inputs;
mod king;
mod king_tables;
mod kpk;
mod params;
mod passed;
mod pawns;
mod pieces;
mod squares;
#[cfg(feature = "syzygy")]
mod syzygy;
mod tally;
mod threats;

pub use blend::{Balance, trace};
pub use evaluator::ChessEvaluator;
#[cfg(feature = "syzygy")]
pub use syzygy::{Syzygy, SyzygyError, SyzygyRules};
pub use tally::{FeatureCounts, worth};

use std::sync::Arc;

use quadrille_games::chess::{Chess, Move, PieceKind};
use quadrille_games::{Outcome, Position, Reason, Side};

use crate::net::{Net, NetError, own_net};
use crate::playable::Playable;
use crate::score::Value;

impl Playable for Chess {
    type Eval = ChessEvaluator;

    /// Open and closed middlegames, all kinds of endings, and the positions by
    /// which move generators are tested.
    const BENCH: &'static [&'static str] = &[
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "2rq1rk1/pb2bppp/1pn1pn2/8/3P4/P1NB1N2/1P2QPPP/R1BR2K1 w - - 0 14",
        "r1bqr1k1/ppp2pbp/2np1np1/3Pp3/2P1P3/2N1BN2/PP2BPPP/R2Q1RK1 b - - 0 10",
        "rn1q1rk1/pbp1bppp/1p2p3/3nN3/3P4/6P1/PP2PPBP/RNBQ1RK1 w - - 2 10",
        "3r2k1/p4ppp/1p2p3/2p5/P1P1P3/1P3P2/5KPP/3R4 w - - 0 28",
        "8/5pk1/6p1/7p/3R3P/5PP1/r7/5K2 w - - 0 40",
        "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
        "6k1/5ppp/4b3/8/2N5/4P3/5PPP/6K1 b - - 0 33",
        "8/1p3k2/p1p5/P1P2K2/1P6/8/8/8 w - - 0 50",
        "1q4k1/5ppp/8/8/8/5N2/5PPP/R3R1K1 b - - 0 30",
        "8/8/8/4k3/8/8/4PK2/8 w - - 0 60",
    ];

    own_net!(Chess, "chess.net");

    fn read_net(bytes: &[u8]) -> Result<Arc<Net>, NetError> {
        Net::read::<Self>(bytes).map(Arc::new)
    }

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
    fn has_pieces(&self) -> bool {
        self.may_pass()
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        // The method of the rules has the same name.
        Self::gives_check(self, m)
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
        let white = pawns & self.by_side(Side::White);
        let black = pawns & self.by_side(Side::Black);
        mix([white.0, black.0])
    }

    /// The pieces of either side, without its pawns.
    #[inline]
    fn part_keys(&self) -> Option<[u64; 2]> {
        let sets = [
            self.diagonal_sliders(),
            self.straight_sliders(),
            self.by_kind(PieceKind::Knight),
            self.by_kind(PieceKind::King),
        ];
        Some(Side::BOTH.map(|side| {
            let ours = self.by_side(side);
            mix(sets.map(|set| (set & ours).0))
        }))
    }

    /// A bare king is driven to where it is mated.
    #[inline]
    fn follows_plan(&self) -> bool {
        Side::BOTH
            .iter()
            .any(|&side| self.by_side(side).count() == 1)
    }

    const TRAILS: usize = 2 * 4 * 64 * 64;
    const HIGHLY_SELECTIVE: bool = true;
    const TUNED: bool = true;

    #[inline]
    fn danger(&self) -> u64 {
        exchange::attacked_by(self, self.side().other())
    }

    #[inline]
    fn trail(&self, m: Move, danger: u64) -> usize {
        let (from, to) = (m.from().index(), m.to().index());
        let risk = (danger >> from & 1) << 1 | danger >> to & 1;
        ((self.side().index() * 4 + risk as usize) * 64 + from) * 64 + to
    }
}

/// A key of some words. Products with odd constants, the high half folded down:
/// as good as random for tables of a few thousand entries and cheaper than
/// keeping a key move by move.
#[inline]
fn mix<const N: usize>(words: [u64; N]) -> u64 {
    let mut odd = 0x9e37_79b9_7f4a_7c15u64;
    let mut x = 0;
    for word in words {
        x ^= word.wrapping_mul(odd);
        odd = odd.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    }
    let y = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    y ^ y >> 32
}
