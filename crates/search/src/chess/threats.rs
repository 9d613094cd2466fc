//! Pieces that are in trouble now, and room to move.

use quadrille_games::Side;
use quadrille_games::chess::PieceKind;

use super::bits::{count, each, pawn_attacks, rank, reach, up};
use super::board::Board;
use super::features::{
    HANGING, KING_THREAT, MINOR_THREAT, PAWN_THREAT, PUSH_THREAT, QUEEN_HARASSED, RESTRICTED,
    ROOK_THREAT, SPACE,
};
use super::king;
use crate::tally::Tally;

/// Counts what one side threatens.
pub(super) fn count_side(board: &Board, side: Side, tally: &mut impl Tally) {
    let (us, them) = (side.index(), side.other().index());
    let attacks = &board.attacks[us];
    let minors = attacks[1] | attacks[2];
    // Defended by a pawn, or by two while we attack only once.
    let firm = board.pawn_attacks[them] | board.attacked_twice[them] & !board.attacked_twice[us];
    let weak = !firm & board.attacked[us];
    by_kind(board, side, board.pawn_attacks[us], PAWN_THREAT, tally);
    by_kind(
        board,
        side,
        minors & (weak | big(board, side)),
        MINOR_THREAT,
        tally,
    );
    by_kind(
        board,
        side,
        attacks[3] & (weak | board.pieces[them][4]),
        ROOK_THREAT,
        tally,
    );
    let pieces = board.sides[them] & !board.pieces[them][5];
    tally.add(
        side,
        KING_THREAT,
        i32::from(attacks[5] & weak & pieces != 0),
    );
    let hanging = board.attacked[us] & !board.attacked[them] & pieces;
    tally.add(side, HANGING, count(hanging));
    tally.add(side, PUSH_THREAT, pushes(board, side));
    tally.add(side, QUEEN_HARASSED, harassed(board, side));
    let contested = board.attacked[them] & !firm & board.attacked[us];
    tally.add(side, RESTRICTED, count(contested));
    if board.officers(side).count_ones() >= 3 {
        tally.add(side, SPACE, king::space(board, side));
    }
}

/// Counts the enemy's pieces on these squares by kind.
#[inline(always)]
fn by_kind(board: &Board, side: Side, squares: u64, feature: usize, tally: &mut impl Tally) {
    let theirs = &board.pieces[side.other().index()];
    for (kind, set) in theirs.iter().take(5).enumerate() {
        let hit = squares & set;
        if hit != 0 {
            tally.add(side, feature + kind, count(hit));
        }
    }
}

/// Rooks and queens: attacked by a minor piece they must move, defended or not.
const fn big(board: &Board, side: Side) -> u64 {
    let theirs = &board.pieces[side.other() as usize];
    theirs[3] | theirs[4]
}

/// Enemy pieces that a safe step of a pawn would attack.
fn pushes(board: &Board, side: Side) -> i32 {
    let (us, them) = (side.index(), side.other().index());
    let free = !board.occupied;
    let single = up(side, board.pieces[us][0]) & free;
    let double = up(side, single & rank(side, 2)) & free;
    let safe = !board.pawn_attacks[them] & (board.attacked[us] | !board.attacked[them]);
    let hit = pawn_attacks(side, (single | double) & safe);
    count(hit & board.officers(side.other()) & !board.pawn_attacks[us])
}

/// Squares from which a minor piece or rook could safely attack the enemy
/// queen.
fn harassed(board: &Board, side: Side) -> i32 {
    let (us, them) = (side.index(), side.other().index());
    let mut found = 0;
    each(board.pieces[them][4], |queen| {
        let safe = board.area[us] & !board.sides[us] & !board.attacked_twice[them];
        let knight = reach(PieceKind::Knight, queen, 0) & board.attacks[us][1];
        let bishop = reach(PieceKind::Bishop, queen, board.occupied) & board.attacks[us][2];
        let rook = reach(PieceKind::Rook, queen, board.occupied) & board.attacks[us][3];
        found += count((knight | (bishop | rook) & board.attacked_twice[us]) & safe);
    });
    found
}
