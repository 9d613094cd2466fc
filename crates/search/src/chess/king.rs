//! The safety of the kings.
//!
//! Pawns in front of a king and enemy pawns that storm it are counted file by
//! file. What enemy pieces do near a king is gathered in units: a lone attacker
//! means little, three mean mate, so the units do not count one by one but
//! choose an entry of the table [`DANGER`].

use quadrille_games::Side;
use quadrille_games::chess::PieceKind;

use super::bits::{ahead, count, down, fill, neighbours, rank_of, reach};
use super::board::Board;
use super::features::{DANGER, DANGER_STEPS, KING_FILE, SHELTER, STORM, STORM_BLOCKED};
use super::pawns::edge_distance;
use crate::tally::Tally;

/// Units for a piece of each kind that looks at the ring around a king.
const LOOKS: [i32; 6] = [0, 4, 4, 5, 7, 0];
/// Units for each square of the ring that it attacks.
const PER_SQUARE: i32 = 1;
/// Units for a kind that can give check from a square where it is safe.
const SAFE_CHECK: [i32; 6] = [0, 6, 4, 7, 6, 0];
/// Units for each square of the ring that only the king defends.
const WEAK_SQUARE: i32 = 2;
/// Units taken off when the attacker has no queen.
const WITHOUT_QUEEN: i32 = 14;
/// Units that any position has over before danger begins.
const FREE: i32 = 6;

/// Adds what a piece of `side` that sees these squares does to the other king.
#[inline(always)]
pub(super) fn press(board: &mut Board, side: Side, kind: PieceKind, seen: u64) {
    let them = side.other().index();
    let hits = seen & board.ring[them];
    if hits != 0 {
        board.attackers[them] += 1;
        board.pressure[them] += LOOKS[kind.index()] + PER_SQUARE * count(hits);
    }
}

/// Counts the safety of one side's king.
pub(super) fn count_side(board: &Board, side: Side, tally: &mut impl Tally) {
    shelter(board, side, tally);
    let units = danger(board, side);
    if units > 0 {
        let step = (units as usize / 2).min(DANGER_STEPS - 1);
        tally.add(side.other(), DANGER + step, 1);
    }
}

/// Own and enemy pawns on the king's file and its neighbours.
fn shelter(board: &Board, side: Side, tally: &mut impl Tally) {
    let king = board.kings[side.index()];
    let own = board.own(side, PieceKind::Pawn);
    let their = board.own(side.other(), PieceKind::Pawn);
    let near_rank = neighbours(1 << king) | 1 << king;
    let in_front = ahead(side, near_rank) | near_rank;
    // A king on the edge still has three files to care about.
    let centre = (king & 7).clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let line = super::bits::file(file);
        let edge = edge_distance(file);
        let friend = nearest(side, own & line & in_front);
        tally.add(side, SHELTER + edge * 8 + friend, 1);
        let enemy = nearest(side, their & line & in_front);
        if enemy != 0 && friend != 0 && enemy == friend + 1 {
            tally.add(side, STORM_BLOCKED + enemy, 1);
        } else {
            tally.add(side, STORM + edge * 8 + enemy, 1);
        }
    }
    let line = super::bits::file(king);
    if line & own == 0 {
        tally.add(side, KING_FILE + usize::from(line & their == 0), 1);
    }
}

/// The rank, as `side` counts, of the pawn nearest to its own first rank; 0 if
/// there is none.
fn nearest(side: Side, pawns: u64) -> usize {
    // Pawns never stand on the first rank, so that 0 is free to mean none.
    let first = pawns & !ahead(side, pawns);
    if first == 0 {
        0
    } else {
        rank_of(side, first.trailing_zeros() as usize)
    }
}

/// Units of danger to the king of `side`.
fn danger(board: &Board, side: Side) -> i32 {
    let (us, them) = (side.index(), side.other().index());
    let queens = board.pieces[them][PieceKind::Queen.index()];
    if board.attackers[us] + count(queens) < 2 {
        return 0;
    }
    let king = board.kings[us];
    // Attacked, and defended by nothing but the king or queen.
    let weak = board.attacked[them]
        & !board.attacked_twice[us]
        & (!board.attacked[us] | board.attacks[us][5] | board.attacks[us][4]);
    let safe = !board.sides[them] & (!board.attacked[us] | weak & board.attacked_twice[them]);
    let through = board.occupied & !board.own(side, PieceKind::Queen);
    let diagonal = reach(PieceKind::Bishop, king, through);
    let straight = reach(PieceKind::Rook, king, through);
    let lines = [
        (PieceKind::Knight, reach(PieceKind::Knight, king, 0)),
        (PieceKind::Bishop, diagonal),
        (PieceKind::Rook, straight),
        (PieceKind::Queen, diagonal | straight),
    ];
    let mut units = board.pressure[us] - FREE;
    for (kind, from) in lines {
        if from & safe & board.attacks[them][kind.index()] != 0 {
            units += SAFE_CHECK[kind.index()];
        }
    }
    units += WEAK_SQUARE * count(weak & board.ring[us]);
    if queens == 0 {
        units -= WITHOUT_QUEEN;
    }
    units
}

/// Squares behind the pawns of `side` that its pieces may use: see the space
/// term.
pub(super) fn space(board: &Board, side: Side) -> i32 {
    let pawns = board.own(side, PieceKind::Pawn);
    let middle = 0x3c3c_3c3c_3c3c_3c3c
        & (super::bits::rank(side, 1) | super::bits::rank(side, 2) | super::bits::rank(side, 3));
    let safe = middle & !pawns & !board.pawn_attacks[side.other().index()];
    let behind = safe & fill(side.other(), down(side, pawns));
    count(safe) + count(behind & !board.attacked[side.other().index()])
}
