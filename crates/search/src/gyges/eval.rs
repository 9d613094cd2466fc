//! Who can go where: reach, and what only one side reaches.

use quadrille_games::gyges::{Gyges, Rings};
use quadrille_games::{Observer, Position, Side};

use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};
use crate::tally::{Counts, Sum, Tally};
use crate::tuning::{Formula, Tunable};

const REACH: usize = 0;
const LANDING: usize = 1;
const OWN_SQUARE: usize = 2;
const OWN_PIECE: usize = 3;
const THREAT: usize = 6;
const TEMPO: usize = 7;
const COUNT: usize = 8;

/// In hundredths of a pawn; of course there are no pawns.
const WEIGHTS: [Value; COUNT] = [2, 6, 4, 40, 20, 12, 120, 20];

const NAMES: [(&str, usize, usize); 5] = [
    ("reach", REACH, OWN_SQUARE),
    ("own squares", OWN_SQUARE, OWN_PIECE),
    ("own pieces", OWN_PIECE, THREAT),
    ("threat", THREAT, TEMPO),
    ("turn", TEMPO, COUNT),
];

/// The evaluation of Gyges. It looks at the board as it is: with twelve pieces
/// that jump over each other, every move changes everything.
#[derive(Debug, Clone)]
pub struct GygesEval;

impl Observer<Rings> for GygesEval {
    #[inline(always)]
    fn added(&mut self, _: Rings, _: u16) {}

    #[inline(always)]
    fn removed(&mut self, _: Rings, _: u16) {}
}

impl Evaluator<Gyges> for GygesEval {
    fn new(_: &Gyges) -> Self {
        Self
    }

    #[inline(always)]
    fn push(&mut self) {}

    #[inline(always)]
    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Gyges) -> Value {
        let mut sum = Sum::new(&WEIGHTS);
        count(position, &mut sum);
        let white = sum.difference().clamp(-MAX_EVAL, MAX_EVAL);
        match position.side() {
            Side::White => white,
            Side::Black => -white,
        }
    }

    fn terms(&mut self, position: &Gyges) -> Vec<Term> {
        let mut counts = Counts::new(COUNT);
        count(position, &mut counts);
        NAMES
            .map(|(name, from, to)| Term {
                name,
                sides: counts.share(&WEIGHTS, from..to),
            })
            .to_vec()
    }
}

/// What one side can reach with the pieces of its active row.
struct Reach {
    squares: u64,
    pieces: u64,
    goal: bool,
}

fn reach(position: &Gyges, side: Side) -> Reach {
    let mut all = Reach {
        squares: 0,
        pieces: 0,
        goal: false,
    };
    let goal = 1u64 << Gyges::goal_of(side);
    position.with_side(side).reach(|_, squares, pieces| {
        all.squares |= squares & !goal;
        all.pieces |= pieces;
        all.goal |= squares & goal != 0;
    });
    all
}

fn count(position: &Gyges, tally: &mut impl Tally) {
    let reaches = Side::BOTH.map(|side| reach(position, side));
    for side in Side::BOTH {
        let ours = &reaches[side.index()];
        let theirs = &reaches[side.other().index()];
        let bits = |set: u64| set.count_ones() as Value;
        tally.add(side, REACH, bits(ours.squares));
        tally.add(side, LANDING, bits(ours.pieces));
        tally.add(side, OWN_SQUARE, bits(ours.squares & !theirs.squares));
        for rings in Rings::ALL {
            let own = ours.pieces & !theirs.pieces & position.set(rings);
            tally.add(side, OWN_PIECE + rings.index(), bits(own));
        }
        tally.add(side, THREAT, Value::from(ours.goal));
    }
    tally.add(position.side(), TEMPO, 1);
}

impl Tunable for Gyges {
    fn weights() -> Vec<Value> {
        WEIGHTS.to_vec()
    }

    fn formula(&self) -> Formula {
        let mut counts = Counts::new(COUNT);
        count(self, &mut counts);
        Formula {
            fixed: 0.0,
            factors: counts.differences(),
        }
    }
}
