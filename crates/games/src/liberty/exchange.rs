//! Static exchange: who wins a series of captures on one square.

use super::Liberty;
use super::attack::{Look, shift};
use super::kind::{DIAGONAL_RIDERS, Kind, ORTHOGONAL_RIDERS, STEPPERS, cell};
use super::moves::LibertyMove;
use crate::game::Side;

/// Pieces that can take part; longer exchanges are judged by their beginning.
const LONGEST: usize = 32;

/// The board without the pieces that have taken part already.
struct Without<'a> {
    board: &'a [u8],
    gone: [u32; LONGEST + 2],
    count: usize,
}

impl Without<'_> {
    fn remove(&mut self, at: usize) -> bool {
        let room = self.count < self.gone.len();
        if room {
            self.gone[self.count] = at as u32;
            self.count += 1;
        }
        room
    }
}

impl Look for Without<'_> {
    #[inline(always)]
    fn at(&self, at: usize) -> u8 {
        let content = self.board[at];
        if content != cell::EMPTY && self.gone[..self.count].contains(&(at as u32)) {
            return cell::EMPTY;
        }
        content
    }
}

impl Liberty {
    /// Whether the captures that begin with this legal move win at least
    /// `threshold`, with both sides taking with their least valuable piece
    /// first and stopping when it suits them. `values` are the values of the
    /// kinds by discriminant, Kings 0. Pins are not seen.
    pub fn exchange_wins(&self, m: LibertyMove, values: &[i32; 19], threshold: i32) -> bool {
        let (Some(from), Some(to)) = (self.setup.cell(m.from()), self.setup.cell(m.to())) else {
            return false;
        };
        let Some(mover) = cell::piece(self.board[from]) else {
            return false;
        };
        let worth = |kind: Kind| values[kind as usize];
        let signed = |code: u8| {
            cell::piece(code).map_or(0, |piece| {
                let value = worth(piece.kind);
                if piece.side == mover.side {
                    -value
                } else {
                    value
                }
            })
        };
        // Nothing can be recaptured where nothing came to stand.
        if mover.kind == Kind::Bishop && self.is_el_vaticano(from, to) {
            return signed(self.board[usize::midpoint(from, to)]) >= threshold;
        }
        if mover.kind == Kind::King && from.abs_diff(to) == 2 {
            return threshold <= 0;
        }
        let mut look = Without {
            board: &self.board,
            gone: [0; LONGEST + 2],
            count: 0,
        };
        look.remove(from);
        let mut won = signed(self.board[to]);
        if mover.kind == Kind::Pawn
            && self.board[to] == cell::EMPTY
            && self.passage.exists()
            && self.is_en_passant(from, to)
            && let Some(victim) = self.passage_victim()
        {
            won = signed(self.board[victim]);
            look.remove(victim);
        }
        let stands = m.promotion().unwrap_or(mover.kind);
        if stands != mover.kind {
            won += worth(stands) - worth(mover.kind);
        }
        self.series(&mut look, to, (mover.side, stands), won - threshold, worth)
    }

    /// Plays the exchange out; `balance` is what the first capture won beyond
    /// the threshold.
    fn series(
        &self,
        look: &mut Without<'_>,
        target: usize,
        (first, mut stands): (Side, Kind),
        balance: i32,
        worth: impl Fn(Kind) -> i32,
    ) -> bool {
        if balance < 0 {
            return false;
        }
        // Even if the piece is lost now?
        let mut balance = balance - worth(stands);
        if balance >= 0 {
            return true;
        }
        let mut side = first.other();
        while let Some((at, kind)) = self.cheapest(look, target, side, stands, &worth) {
            // A King may only take what is not protected.
            if kind == Kind::King {
                look.remove(at);
                // Any attacker forbids it, so ask for what all can take.
                let protected = self.cheapest(look, target, side.other(), Kind::Pawn, &worth);
                if protected.is_some() {
                    break;
                }
                return side == first;
            }
            if !look.remove(at) {
                break;
            }
            side = side.other();
            stands = kind;
            balance = -balance - 1 - worth(kind);
            if balance >= 0 {
                break;
            }
        }
        side != first
    }

    /// The least valuable piece of a side that attacks the target and may take
    /// what stands there.
    fn cheapest(
        &self,
        look: &Without<'_>,
        target: usize,
        side: Side,
        victim: Kind,
        worth: &impl Fn(Kind) -> i32,
    ) -> Option<(usize, Kind)> {
        let mut best: Option<(usize, Kind)> = None;
        let rank = |kind: Kind| {
            if kind == Kind::King {
                i32::MAX
            } else {
                worth(kind)
            }
        };
        let own = cell::side_bit(side);
        let mut consider = |at: usize, kinds: u32| {
            let content = look.at(at);
            if content & own == 0 || kinds >> (content & cell::KIND) & 1 == 0 {
                return;
            }
            if let Some(kind) = Kind::from_code(content & cell::KIND)
                && kind.captures(victim)
                && best.is_none_or(|(_, other)| rank(kind) < rank(other))
            {
                best = Some((at, kind));
            }
        };
        let back = -self.setup.pawns[side.index()].forward;
        for step in [back - 1, back + 1] {
            consider(shift(target, step), Kind::Pawn.bit());
        }
        let present = self.present[side.index()];
        for (index, &step) in self.setup.queen.iter().enumerate() {
            let riders = if index < 4 {
                ORTHOGONAL_RIDERS
            } else {
                DIAGONAL_RIDERS
            };
            let near = shift(target, step);
            if look.at(near) != cell::EMPTY {
                consider(near, riders | STEPPERS);
            } else if present & riders != 0 {
                consider(first_piece(look, near, step), riders);
            }
        }
        for (steps, kinds) in self.leap_attacks() {
            if present & kinds != 0 {
                for &step in steps {
                    consider(shift(target, step), kinds);
                }
            }
        }
        if present & Kind::Nightrider.bit() != 0 {
            for &step in &self.setup.knight {
                consider(first_piece(look, target, step), Kind::Nightrider.bit());
            }
        }
        best
    }
}

fn first_piece(look: &Without<'_>, from: usize, step: i32) -> usize {
    let mut at = shift(from, step);
    while look.at(at) == cell::EMPTY {
        at = shift(at, step);
    }
    at
}
