//! When the game is over, in the order in which the rules ask.

use super::Liberty;
use super::kind::{Kind, MATERS, cell};
use crate::game::Side;
use crate::outcome::{Outcome, Reason};
use crate::random::mix;

/// Half-moves without capture or Pawn move that draw the game.
const FIFTY_MOVES: u16 = 100;
/// Keeps clock keys away from those of pieces.
const CLOCK_SEED: u64 = 0xa076_1d64_78bd_642f;

impl Liberty {
    /// What the material alone decides: the first two tests of the end of the
    /// game, which need no moves.
    #[inline]
    pub fn material_outcome(&self) -> Option<Outcome> {
        let bare = Side::BOTH.map(|side| self.commoners(side).is_empty());
        let side = match bare {
            [false, false] => return None,
            // This comes first: a lone King that takes the last piece of a
            // side without King only draws.
            [true, true] => return Some(Outcome::draw(Reason::Material)),
            [true, false] => Side::White,
            [false, true] => Side::Black,
        };
        if self.royals(side).is_empty() {
            return Some(Outcome::win(side.other(), Reason::Elimination));
        }
        (!self.is_material_sufficient()).then(|| Outcome::draw(Reason::Material))
    }

    /// Whether the game is over even if there were moves: the tests that need
    /// no move generation.
    #[inline]
    pub(super) fn is_over_without_looking(&self) -> bool {
        self.halfmoves >= FIFTY_MOVES || self.material_outcome().is_some()
    }

    /// The hash, and the clock where it can end a line within `depth` plies.
    pub(super) fn key_with_clock(&self, depth: u32) -> u64 {
        let clock = u32::from(self.halfmoves);
        if clock.saturating_add(depth) > u32::from(FIFTY_MOVES) {
            self.hash ^ mix(CLOCK_SEED ^ u64::from(clock))
        } else {
            self.hash
        }
    }

    /// The whole list of tests, repetition apart.
    pub(super) fn decide(&self) -> Option<Outcome> {
        if let Some(outcome) = self.material_outcome() {
            return Some(outcome);
        }
        if !self.has_move() {
            return Some(if self.any_king_attacked() {
                Outcome::win(self.side.other(), Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        (self.halfmoves >= FIFTY_MOVES).then(|| Outcome::draw(Reason::FiftyMoves))
    }

    /// Whether a win is still possible when one side has nothing but Kings.
    /// Pieces of both colours count together.
    fn is_material_sufficient(&self) -> bool {
        if Side::BOTH.iter().any(|&side| self.royals(side).len() != 1) {
            return true;
        }
        let present = self.present[0] | self.present[1];
        if present & MATERS != 0 {
            return true;
        }
        let count = |kind: Kind| {
            let kind = kind as usize;
            self.counts[0][kind] + self.counts[1][kind]
        };
        let pawns = count(Kind::Pawn);
        let promotes = self.setup.promotions.iter().any(|k| MATERS & k.bit() != 0);
        if pawns > 0 && promotes {
            return true;
        }
        let flexible = pawns + count(Kind::Knight) + count(Kind::Zebra) + count(Kind::Nightrider);
        let coloured = count(Kind::Bishop) + count(Kind::Camel);
        match flexible {
            0 => coloured > 1 && self.has_both_colours(),
            1 => coloured > 0,
            _ => true,
        }
    }

    /// Whether Bishops and Camels stand on both colours.
    fn has_both_colours(&self) -> bool {
        let width = self.setup.variant.width;
        let mut seen = [false; 2];
        for side in Side::BOTH {
            for &at in self.commoners(side) {
                let kind = self.board[at as usize] & cell::KIND;
                if kind == Kind::Bishop as u8 || kind == Kind::Camel as u8 {
                    let square = self.setup.square(at as usize);
                    let colour = (square % width + square / width) & 1;
                    seen[usize::from(colour)] = true;
                    if seen == [true; 2] {
                        return true;
                    }
                }
            }
        }
        false
    }
}
