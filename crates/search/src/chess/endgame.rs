//! What a material balance is worth when little is left.

use quadrille_games::Side;
use quadrille_games::chess::PieceKind;

use super::bits::{DARK, count, distance, file, rank_of};
use super::blend::FULL_SCALE;
use super::board::Board;
use super::exchange::WORTH;
use super::kpk;
use crate::pair::Pair;
use crate::score::Value;

/// A win that only technique stands before.
const KNOWN_WIN: Value = 1_500;
/// A pawn that will become a queen.
const WON_PAWN: Value = 700;

/// How winnable the endgame is for the side that stands better, in 64ths.
pub(super) fn scale(board: &Board, sum: Pair) -> i32 {
    let strong = match sum.endgame().signum() {
        1 => Side::White,
        -1 => Side::Black,
        _ => return FULL_SCALE, // Nothing to scale, and neither side is ahead.
    };
    let weak = strong.other();
    let pawns = board.own(strong, PieceKind::Pawn);
    let force = officers_worth(board, strong);
    let against = officers_worth(board, weak);
    if pawns == 0 {
        return pawnless(board, strong, force, against);
    }
    if wrong_corner(board, strong) {
        return 0;
    }
    let bishops = [
        board.own(strong, PieceKind::Bishop),
        board.own(weak, PieceKind::Bishop),
    ];
    let opposite = bishops.iter().all(|b| b.is_power_of_two())
        && (bishops[0] & DARK == 0) != (bishops[1] & DARK == 0);
    if opposite {
        return if force == WORTH[2] && against == WORTH[2] {
            18 + 3 * count(pawns)
        } else {
            40 + 2 * count(pawns)
        };
    }
    // The last pawn is the one to fear losing.
    (38 + 6 * count(pawns)).min(FULL_SCALE)
}

/// Whether neither side can win by any but the silliest play.
pub(super) fn is_drawn(board: &Board) -> bool {
    Side::BOTH.into_iter().all(|side| {
        if board.own(side, PieceKind::Pawn) != 0 {
            return wrong_corner(board, side);
        }
        let against = officers_worth(board, side.other());
        pawnless(board, side, officers_worth(board, side), against) == 0
    })
}

/// Without pawns a small edge wins nothing.
fn pawnless(board: &Board, strong: Side, force: Value, against: Value) -> i32 {
    let knights_alone = force == 2 * WORTH[1] && board.own(strong, PieceKind::Knight) != 0;
    let no_pawn_queens = board.own(strong.other(), PieceKind::Pawn) == 0;
    if force < WORTH[3] || knights_alone && no_pawn_queens {
        return 0; // One minor piece or two knights cannot mate.
    }
    if force - against > WORTH[2] {
        FULL_SCALE
    } else if against <= WORTH[2] {
        8
    } else {
        16
    }
}

/// Rook pawns, a bishop that does not command their corner, and the enemy king
/// in it.
fn wrong_corner(board: &Board, strong: Side) -> bool {
    let pawns = board.own(strong, PieceKind::Pawn);
    let officers = board.officers(strong);
    let bishop = board.own(strong, PieceKind::Bishop);
    let line = if pawns & !file(0) == 0 {
        0
    } else if pawns & !file(7) == 0 {
        7
    } else {
        return false;
    };
    let corner = match strong {
        Side::White => 56 + line,
        Side::Black => line,
    };
    let corner_dark = DARK >> corner & 1 == 1;
    let wrong = officers == 0 || officers == bishop && bishop & colour(!corner_dark) == bishop;
    wrong && distance(board.kings[strong.other().index()], corner) <= 1
}

const fn colour(dark: bool) -> u64 {
    if dark { DARK } else { !DARK }
}

/// The value of a side's officers and queens.
pub(super) fn officers_worth(board: &Board, side: Side) -> Value {
    let pieces = &board.pieces[side.index()];
    (1..5).map(|kind| count(pieces[kind]) * WORTH[kind]).sum()
}

/// Against a bare king: the value for the other side, where that is known better
/// than a sum can say.
pub(super) fn against_bare_king(board: &Board, mover: Side) -> Option<(Side, Value)> {
    let bare = |side: Side| board.sides[side.index()] == board.own(side, PieceKind::King);
    let strong = if bare(Side::Black) {
        Side::White
    } else if bare(Side::White) {
        Side::Black
    } else {
        return None;
    };
    let pawns = board.own(strong, PieceKind::Pawn);
    if board.officers(strong) == 0 && pawns.is_power_of_two() {
        let pawn = pawns.trailing_zeros() as usize;
        let won = kpk::wins(strong, pawn, board.kings, mover);
        let near = rank_of(strong, pawn) as Value;
        return Some((strong, if won { WON_PAWN + 20 * near } else { 0 }));
    }
    can_mate(board, strong).then(|| (strong, mop_up(board, strong)))
}

/// Drives the king to the edge (for bishop and knight to the right corner) and
/// brings ours near.
fn mop_up(board: &Board, strong: Side) -> Value {
    let loser = board.kings[strong.other().index()];
    let near = 14 - 2 * distance(board.kings[strong.index()], loser) as Value;
    let bishops = board.own(strong, PieceKind::Bishop);
    let others = board.officers(strong) & !bishops;
    let needs_corner = bishops & DARK == 0 || bishops & !DARK == 0;
    let driven = if bishops != 0 && needs_corner && others == board.own(strong, PieceKind::Knight) {
        140 - 20 * corner_distance(loser, bishops & DARK != 0)
    } else {
        20 * (6 - centre_distance_left(loser))
    };
    let pawns = count(board.own(strong, PieceKind::Pawn)) * WORTH[0];
    let worth = officers_worth(board, strong) + pawns;
    KNOWN_WIN + worth + driven + 4 * near
}

/// A queen, a rook, two bishops of different colours, or bishop and knight.
fn can_mate(board: &Board, side: Side) -> bool {
    let bishops = board.own(side, PieceKind::Bishop);
    let knights = board.own(side, PieceKind::Knight);
    board.own(side, PieceKind::Queen) | board.own(side, PieceKind::Rook) != 0
        || bishops != 0 && knights != 0
        || bishops & DARK != 0 && bishops & !DARK != 0
}

/// Steps to the nearer corner of that colour.
fn corner_distance(square: usize, dark: bool) -> Value {
    let corners = if dark { [0, 63] } else { [7, 56] };
    // Walking along the edge takes files and ranks, not king steps.
    let walk =
        |corner: usize| (square & 7).abs_diff(corner & 7) + (square >> 3).abs_diff(corner >> 3);
    walk(corners[0]).min(walk(corners[1])) as Value
}

/// How many steps towards the centre the square still is from the edge: 0 in a
/// corner, 6 in the centre.
fn centre_distance_left(square: usize) -> Value {
    let inner = |x: usize| x.min(7 - x);
    (inner(square & 7) + inner(square >> 3)) as Value
}
