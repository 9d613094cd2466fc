//! When a game is over, as far as the position alone can say.

use super::bitboard::Bitboard;
use super::board::{Chess, NONE};
use super::geometry::{KING, pawns_attack};
use super::write::DARK;
use crate::game::Side;
use crate::outcome::{Outcome, Reason};

/// Plies without progress after which the game is drawn by itself (FIDE 9.6.2).
const AUTOMATIC: u16 = 150;
/// Plies without progress after which a player may claim a draw (FIDE 9.3).
const CLAIM: u16 = 100;

impl Chess {
    /// Checkmate and stalemate first (FIDE 9.6.2 gives mate precedence), then
    /// the draws.
    pub(super) fn decide(&self) -> Option<Outcome> {
        if !self.has_moves() {
            return Some(if self.checkers_of(self.side) != 0 {
                Outcome::win(self.side.other(), Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::draw(Reason::Material));
        }
        if self.is_blocked() {
            return Some(Outcome::draw(Reason::DeadPosition));
        }
        (self.halfmove >= AUTOMATIC).then(|| Outcome::draw(Reason::SeventyFiveMoves))
    }

    pub(super) fn claim(&self) -> Option<Outcome> {
        (self.halfmove >= CLAIM).then(|| Outcome::draw(Reason::FiftyMoves))
    }

    /// Whether neither side could mate with any play: bare kings, one minor
    /// piece in all, or any number of bishops all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        if (self.pawns() | self.straight()) != 0 {
            return false;
        }
        let (knights, bishops) = (self.knights(), self.diagonal());
        if knights != 0 {
            return bishops == 0 && knights.is_power_of_two();
        }
        bishops & DARK.0 == 0 || bishops & !DARK.0 == 0
    }

    /// Whether no sequence of legal moves can end in mate, as far as this
    /// library can prove it: too little material, or only kings and pawns with
    /// every pawn blocked for good and out of the kings' reach. A `false` is
    /// not a proof of the opposite.
    ///
    /// ```
    /// use quadrille_games::{Position, chess::Chess};
    /// let wall = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1";
    /// assert!(Chess::from_text(wall, &Default::default()).unwrap().is_dead());
    /// ```
    pub fn is_dead(&self) -> bool {
        self.is_insufficient_material() || self.is_blocked()
    }

    /// A wall of pawns that cannot be opened. Sound because it overestimates
    /// what the players can do: no pawn can ever step or capture, and neither
    /// king, even if the other one did not exist, reaches a pawn it may take.
    /// Then only the kings ever move, and a king gives no check.
    fn is_blocked(&self) -> bool {
        let pawns = self.pawns();
        if (self.planes[2] | self.knights()) != 0 || pawns == 0 || self.en_passant != NONE {
            return false;
        }
        let white = pawns & self.of::<true>();
        let black = pawns & self.of::<false>();
        let steps = (white << 8 | black >> 8) & !pawns;
        let (by_white, by_black) = (pawns_attack::<true>(white), pawns_attack::<false>(black));
        let captures = (by_white & self.of::<false>()) | (by_black & self.of::<true>());
        if steps != 0 || captures != 0 {
            return false;
        }
        let white_walk = reach(self.king_index(Side::White), !white & !by_black);
        let black_walk = reach(self.king_index(Side::Black), !black & !by_white);
        white_walk & black == 0 && black_walk & white == 0
    }
}

/// All squares a king comes to if it may step on `allowed`.
fn reach(king: usize, allowed: u64) -> u64 {
    let mut known = 1u64 << king;
    let mut fresh = known;
    while fresh != 0 {
        let steps = Bitboard(fresh)
            .into_iter()
            .fold(0, |set, s| set | KING[s.index()]);
        fresh = steps & allowed & !known;
        known |= fresh;
    }
    known
}
