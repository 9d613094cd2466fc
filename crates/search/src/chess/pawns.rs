//! Pawn structure: what depends on pawns alone, and so can be remembered.

use quadrille_games::Side;

use super::bits::{ahead, each, file, fill, neighbours, pawn_attacks, rank_of, up};
use super::board::Board;
use super::features::{
    BACKWARD, CANDIDATE, CONNECTED, DOUBLED, ISOLATED, PAWN_ISLANDS, PHALANX, WEAK_OPEN,
};
use super::tally::Difference;
use crate::pair::Pair;
use crate::tally::Tally;

/// What other parts of the evaluation need to know about the pawns.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PawnFacts {
    /// Pawns that no enemy pawn can stop.
    pub(super) passed: [u64; 2],
    /// Every square that a side's pawns attack now or can ever attack.
    pub(super) span: [u64; 2],
}

/// Counts the pawn structure of both sides.
pub(super) fn count(pawns: [u64; 2], tally: &mut impl Tally) -> PawnFacts {
    let mut facts = PawnFacts::default();
    for side in Side::BOTH {
        let own = pawns[side.index()];
        facts.span[side.index()] = fill(side, pawn_attacks(side, own));
    }
    for side in Side::BOTH {
        facts.passed[side.index()] = count_side(side, pawns, &facts, tally);
    }
    facts
}

/// Counts one side's pawns; gives back those that have passed.
fn count_side(side: Side, pawns: [u64; 2], facts: &PawnFacts, tally: &mut impl Tally) -> u64 {
    let own = pawns[side.index()];
    let their = pawns[side.other().index()];
    let attacked = pawn_attacks(side, own);
    let mut passed = 0;
    each(own, |square| {
        let pawn = 1u64 << square;
        let rank = rank_of(side, square);
        let front = ahead(side, pawn);
        let beside = neighbours(file(square));
        let open = front & (own | their) == 0;
        let supported = attacked & pawn != 0;
        let phalanx = neighbours(pawn) & own != 0;
        if front & own != 0 {
            tally.add(side, DOUBLED + usize::from(supported), 1);
        } else if (front | neighbours(front)) & their == 0 {
            passed |= pawn;
        } else if open {
            count_candidate(side, pawn, [own, their], tally);
        }
        if supported {
            tally.add(side, CONNECTED + rank, 1);
        }
        if phalanx {
            tally.add(side, PHALANX + rank, 1);
        }
        if beside & own == 0 {
            tally.add(side, ISOLATED + edge_distance(square), 1);
        } else if is_backward(side, pawn, own, their) {
            tally.add(side, BACKWARD + usize::from(open), 1);
        }
        if open && !supported && passed & pawn == 0 && facts.span[side.index()] & pawn == 0 {
            tally.add(side, WEAK_OPEN, 1);
        }
    });
    tally.add(side, PAWN_ISLANDS, islands(own));
    passed
}

/// A pawn on an open file that at least as many friends can help past as
/// enemies can hold up.
fn count_candidate(side: Side, pawn: u64, [own, their]: [u64; 2], tally: &mut impl Tally) {
    let helpers = neighbours(fill(side.other(), pawn)) & own;
    let sentries = neighbours(ahead(side, pawn)) & their;
    if helpers.count_ones() >= sentries.count_ones() {
        let square = pawn.trailing_zeros() as usize;
        tally.add(side, CANDIDATE + rank_of(side, square), 1);
    }
}

/// No friend beside or behind it, and its next step runs into an enemy pawn or
/// its attack.
fn is_backward(side: Side, pawn: u64, own: u64, their: u64) -> bool {
    let behind = neighbours(fill(side.other(), pawn));
    let step = up(side, pawn);
    behind & own == 0 && step & (their | pawn_attacks(side.other(), their)) != 0
}

/// 0 on the edge to 3 in the centre.
pub(super) const fn edge_distance(square: usize) -> usize {
    let file = square & 7;
    if file < 4 { file } else { 7 - file }
}

/// Groups of neighbouring files with pawns.
fn islands(pawns: u64) -> i32 {
    let files = (fill(Side::Black, pawns) & 0xff) as u32;
    (files & !(files << 1)).count_ones() as i32
}

/// A remembered structure.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    key: u64,
    score: Pair,
    facts: PawnFacts,
}

/// Structures seen before. Pawns move rarely, so that nearly every question is
/// answered from here.
#[derive(Debug, Clone)]
pub(super) struct PawnTable(Vec<Entry>);

impl PawnTable {
    const SIZE: usize = 1 << 12;

    /// Empty. An entry of zeros is right for the board without pawns, whose key
    /// is zero.
    pub(super) fn new() -> Self {
        Self(vec![Entry::default(); Self::SIZE])
    }

    /// The score and the facts of a structure.
    pub(super) fn look_up(&mut self, board: &Board) -> (Pair, PawnFacts) {
        let pawns = [board.pieces[0][0], board.pieces[1][0]];
        let key = super::mix([pawns[0], pawns[1]]);
        let entry = &mut self.0[key as usize % Self::SIZE];
        if entry.key != key {
            let mut sum = Difference::default();
            let facts = count(pawns, &mut sum);
            *entry = Entry {
                key,
                score: sum.0,
                facts,
            };
        }
        (entry.score, entry.facts)
    }
}
