//! Material, places and Pawns, kept up to date move by move; the rest is looked
//! up on the board.

use std::sync::Arc;

use quadrille_games::liberty::{Kind, Liberty, Piece};
use quadrille_games::{Observer, Position, Side};

use super::placement::{Placement, place_of};
use super::scan::{PawnFiles, Scan};
use super::weights::{
    ADVANCE, COUNT, LEARNT, LEARNT_AT, NAMES, PERCENT, PLACES, TEMPO, TUNED, WEIGHTS, ZONES,
};
use crate::pair::Pair;
use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};
use crate::tally::{Counts, PairSum, Tally};
use crate::tuning::{Formula, WeightedSum};

/// One change, so that it can be taken back.
#[derive(Debug, Clone, Copy)]
struct Change {
    piece: Piece,
    square: u16,
    added: bool,
}

/// The evaluation of Liberty Chess. A log of changes instead of a stack of
/// states: what is kept grows with the board, a change does not.
#[derive(Debug, Clone)]
pub struct LibertyEval {
    placement: Arc<Placement>,
    sums: [Pair; 2],
    /// Material other than Pawns.
    heavy: [Value; 2],
    pawns: PawnFiles,
    log: Vec<Change>,
    marks: Vec<usize>,
    scan: Scan,
}

impl LibertyEval {
    #[inline]
    fn change(&mut self, piece: Piece, square: u16, added: bool) {
        let placement = &*self.placement;
        let pair = placement.of(piece, square);
        let side = piece.side.index();
        let heavy = if piece.kind == Kind::Pawn {
            let (file, rank) = (square % placement.width, square / placement.width);
            self.pawns.toggle(piece.side, file, rank);
            0
        } else {
            placement.values[piece.kind as usize]
        };
        if added {
            self.sums[side] += pair;
            self.heavy[side] += heavy;
        } else {
            self.sums[side] -= pair;
            self.heavy[side] -= heavy;
        }
    }

    /// Between middle game and endgame.
    fn taper(&self, pair: Pair) -> Value {
        let full = self.placement.full;
        let heavy = (self.heavy[0] + self.heavy[1]).clamp(0, full);
        let sum = i64::from(pair.middlegame()) * i64::from(heavy)
            + i64::from(pair.endgame()) * i64::from(full - heavy);
        (sum / i64::from(full)) as Value
    }

    /// A side ahead by less than a Rook and without Pawns rarely wins; only the
    /// usual goal counts, so both need a King.
    fn scale(&self, position: &Liberty, value: Value) -> Value {
        let ahead = if value > 0 { Side::White } else { Side::Black };
        let kings = Side::BOTH.map(|side| position.count(side, Kind::King));
        if kings != [1, 1] || position.count(ahead, Kind::Pawn) > 0 {
            return value;
        }
        let lead = self.heavy[ahead.index()] - self.heavy[ahead.other().index()];
        if lead < self.placement.values[Kind::Rook as usize] - 50 {
            value / 4
        } else {
            value
        }
    }
}

impl Observer<Piece> for LibertyEval {
    #[inline]
    fn added(&mut self, piece: Piece, square: u16) {
        self.change(piece, square, true);
        let added = true;
        self.log.push(Change {
            piece,
            square,
            added,
        });
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: u16) {
        self.change(piece, square, false);
        let added = false;
        self.log.push(Change {
            piece,
            square,
            added,
        });
    }
}

impl Evaluator<Liberty> for LibertyEval {
    fn new(position: &Liberty) -> Self {
        let placement = Arc::new(Placement::new(position));
        let mut eval = Self {
            pawns: PawnFiles::new(placement.width, placement.height),
            placement,
            sums: [Pair::default(); 2],
            heavy: [0; 2],
            log: Vec::new(),
            marks: Vec::new(),
            scan: Scan::new(position),
        };
        position.pieces(|piece, square| eval.change(piece, square, true));
        eval
    }

    #[inline]
    fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    #[inline]
    fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.log.len() > mark
            && let Some(change) = self.log.pop()
        {
            self.change(change.piece, change.square, !change.added);
        }
    }

    fn evaluate(&mut self, position: &Liberty) -> Value {
        let mut sum = PairSum::new(&WEIGHTS);
        self.scan
            .count(position, &self.placement, &self.pawns, &mut sum);
        sum.add(position.side(), TEMPO, 1);
        let [white, black] = sum.sides;
        let value = self.taper(white + self.sums[0] - black - self.sums[1]);
        let value = self.scale(position, value).clamp(-MAX_EVAL, MAX_EVAL);
        match position.side() {
            Side::White => value,
            Side::Black => -value,
        }
    }

    fn terms(&mut self, position: &Liberty) -> Vec<Term> {
        let mut counts = Counts::new(COUNT);
        self.scan
            .count(position, &self.placement, &self.pawns, &mut counts);
        let mut terms = vec![Term {
            name: "pieces",
            sides: self.sums.map(|sum| self.taper(sum)),
        }];
        for (name, from, to) in NAMES {
            let sides = Side::BOTH.map(|side| {
                let pairs = (from..to).map(|i| WEIGHTS[i] * counts.0[i][side.index()]);
                self.taper(pairs.fold(Pair::default(), |all, pair| all + pair))
            });
            terms.push(Term { name, sides });
        }
        terms
    }
}

impl WeightedSum for Liberty {
    /// First the middle game, then the endgame.
    fn weights() -> Vec<Value> {
        let all = || {
            let derived = WEIGHTS.iter().chain(&PERCENT).chain(&PLACES);
            derived.chain(LEARNT.iter().flatten())
        };
        let middle = all().map(|pair| pair.middlegame());
        middle.chain(all().map(|pair| pair.endgame())).collect()
    }

    fn formula(&self) -> Formula {
        let mut eval = LibertyEval::new(self);
        let mut counts = Counts::new(COUNT);
        let LibertyEval {
            scan,
            placement,
            pawns,
            ..
        } = &mut eval;
        scan.count(self, placement, pawns, &mut counts);
        counts.add(self.side(), TEMPO, 1);
        let mut sums = vec![(0.0, 0.0); TUNED];
        for (index, difference) in counts.differences() {
            sums[index as usize] = (difference, difference);
        }
        self.pieces(|piece, square| {
            let sign = if piece.side == Side::White { 1.0 } else { -1.0 };
            let gang = eval.placement.gangs[piece.kind as usize];
            let kind = COUNT + piece.kind as usize;
            let places = COUNT + PERCENT.len();
            let place = places + place_of(piece.kind, gang);
            let learnt =
                LEARNT_AT + piece.kind as usize * ZONES + eval.placement.zone(piece, square);
            sums[learnt].0 += sign;
            sums[learnt].1 += sign;
            let parts = eval.placement.parts(piece, square);
            for (index, part) in [kind, place, places + ADVANCE].into_iter().zip(parts) {
                // Per hundredth of what it is now.
                let (now_middle, now_end) = now(index);
                sums[index].0 += sign * part.middlegame() as f32 / now_middle;
                sums[index].1 += sign * part.endgame() as f32 / now_end;
            }
        });
        let full = eval.placement.full;
        let heavy = (eval.heavy[0] + eval.heavy[1]).clamp(0, full);
        let middle = heavy as f32 / full as f32;
        let mut factors = Vec::new();
        for (index, (in_middle, in_end)) in sums.into_iter().enumerate() {
            if in_middle != 0.0 || in_end != 0.0 {
                factors.push((index as u32, in_middle * middle));
                factors.push(((index + TUNED) as u32, in_end * (1.0 - middle)));
            }
        }
        Formula {
            fixed: 0.0,
            factors,
        }
    }
}

/// The percentage that this index stands for, never 0.
fn now(index: usize) -> (f32, f32) {
    let pair = match index.checked_sub(COUNT + PERCENT.len()) {
        Some(place) => PLACES[place],
        None => PERCENT[index - COUNT],
    };
    let some = |value: Value| if value == 0 { 1.0 } else { value as f32 };
    (some(pair.middlegame()), some(pair.endgame()))
}
