//! Static exchange: who comes out ahead when everything that can takes on one
//! square.

use quadrille_games::chess::{Bitboard, Chess, Move, Piece, PieceKind, Square, attacks, between};
use quadrille_games::{Position, Side};

use super::bits::pawn_attacks;
use crate::score::Value;

/// What pieces are worth in an exchange, pawn to king. A king is worth more
/// than all others together: taking something defended with it never pays, which
/// is how the rule against it enters the count.
pub(super) const WORTH: [Value; 6] = [100, 320, 335, 500, 975, 20_000];

/// The order in which pieces join an exchange.
const CHEAPEST_FIRST: [PieceKind; 6] = PieceKind::ALL;

/// Whether the exchange begun by a legal move wins at least `threshold`.
///
/// Each side takes with its cheapest piece and may stop whenever it likes.
/// Sliders behind a piece that took join in, and a pinned piece stays out for as
/// long as what pins it stands. Instead of a list of gains only the balance is
/// kept: the side that cannot bring it back over the line has lost the argument.
pub(super) fn wins(position: &Chess, m: Move, threshold: Value) -> bool {
    if m.is_castling() {
        return threshold <= 0;
    }
    let (from, to) = (m.from(), m.to());
    let mut balance = first_gain(position, m) - threshold;
    if balance < 0 {
        return false;
    }
    let arrived = m.promotion().or(m.kind()).unwrap_or(PieceKind::Pawn);
    balance -= WORTH[arrived.index()];
    if balance >= 0 {
        return true; // Even without the piece that moved.
    }
    let mut occupied = position.occupied().0 & !bit(from) | bit(to);
    if m.is_en_passant() {
        occupied &= !(1 << (to.index() ^ 8));
    }
    fight(position, to, occupied, balance)
}

/// What the move takes at once: the captured piece, the promotion's gain.
pub(super) fn first_gain(position: &Chess, m: Move) -> Value {
    if m.is_castling() {
        return 0;
    }
    let taken = if m.is_en_passant() {
        WORTH[0]
    } else {
        position
            .piece_at(m.to())
            .map_or(0, |piece| WORTH[piece.kind.index()])
    };
    let promoted = m
        .promotion()
        .map_or(0, |kind| WORTH[kind.index()] - WORTH[0]);
    taken + promoted
}

/// The exchange from the first reply on. `balance` is what the mover is ahead
/// of the threshold if the piece on `square` is lost, and negative.
fn fight(position: &Chess, square: Square, mut occupied: u64, mut balance: Value) -> bool {
    let mover = position.side();
    let mut side = mover;
    // Most exchanges end before both sides have been asked for their pins.
    let mut pins = [None; 2];
    let mut attackers = position.attackers_to(square, Bitboard(occupied)).0 & occupied;
    loop {
        side = side.other();
        let standing = occupied & !bit(square);
        let mut ours = attackers & position.by_side(side).0;
        if ours == 0 {
            break; // `side` has nothing left to take with.
        }
        let pins = pins[side.index()].get_or_insert_with(|| Pins::of(position, side));
        ours &= !pins.holding(standing);
        let Some((kind, taker)) = cheapest(position, ours) else {
            break; // `side` has nothing left to take with.
        };
        balance = -balance - 1 - WORTH[kind.index()];
        if balance >= 0 {
            // Ahead even if this taker is lost: the other side had better stop.
            side = side.other();
            break;
        }
        occupied &= !taker;
        attackers |= uncovered(position, square, occupied, kind);
        attackers &= occupied;
    }
    side != mover
}

/// The cheapest of these pieces, which all belong to one side.
fn cheapest(position: &Chess, pieces: u64) -> Option<(PieceKind, u64)> {
    if pieces == 0 {
        return None;
    }
    CHEAPEST_FIRST.into_iter().find_map(|kind| {
        let found = pieces & position.by_kind(kind).0;
        (found != 0).then_some((kind, found & found.wrapping_neg()))
    })
}

/// Sliders that look at the square now that a piece of this kind has left.
fn uncovered(position: &Chess, square: Square, occupied: u64, left: PieceKind) -> u64 {
    let look = |kind| attacks(kind, Side::White, square, Bitboard(occupied)).0;
    let mut found = 0;
    if matches!(left, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
        found |= look(PieceKind::Bishop) & position.diagonal_sliders().0;
    }
    if matches!(left, PieceKind::Rook | PieceKind::Queen) {
        found |= look(PieceKind::Rook) & position.straight_sliders().0;
    }
    found
}

/// Pieces of one side that shield its king, with what they shield it from.
#[derive(Clone, Copy)]
struct Pins {
    pinned: u64,
    pinners: u64,
}

impl Pins {
    fn of(position: &Chess, side: Side) -> Self {
        let king = position.king(side);
        let them = position.by_side(side.other()).0;
        let rays = |kind| attacks(kind, side, king, Bitboard::EMPTY).0;
        let sliders = (rays(PieceKind::Bishop) & position.diagonal_sliders().0
            | rays(PieceKind::Rook) & position.straight_sliders().0)
            & them;
        let mut pins = Self {
            pinned: 0,
            pinners: 0,
        };
        for slider in Bitboard(sliders) {
            let inside = between(king, slider).0 & position.occupied().0;
            if inside.is_power_of_two() && inside & position.by_side(side).0 != 0 {
                pins.pinned |= inside;
                pins.pinners |= bit(slider);
            }
        }
        pins
    }

    /// The pieces that cannot take: none once a pinner has left its square or
    /// fallen on it.
    const fn holding(&self, standing: u64) -> u64 {
        if self.pinners & !standing == 0 {
            self.pinned
        } else {
            0
        }
    }
}

const fn bit(square: Square) -> u64 {
    1 << square.index()
}

/// All squares that a side attacks.
pub(super) fn attacked_by(position: &Chess, side: Side) -> u64 {
    let ours = position.by_side(side);
    let occupied = position.occupied();
    let pawns = position.by_kind(PieceKind::Pawn) & ours;
    let mut attacked = pawn_attacks(side, pawns.0);
    for square in ours - pawns {
        if let Some(piece) = position.piece_at(square) {
            attacked |= attacks(piece.kind, side, square, occupied).0;
        }
    }
    attacked
}

/// The value in an exchange of the piece that moves.
pub(super) fn stake(m: Move) -> Value {
    m.kind().map_or(0, |kind| WORTH[kind.index()])
}

/// An index from 0 to 767 for who moves and where to.
pub(super) fn slot(side: Side, m: Move) -> usize {
    let kind = m.kind().unwrap_or(PieceKind::Pawn);
    Piece { side, kind }.index() * 64 + m.to().index()
}
