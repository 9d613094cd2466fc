//! Material, places and Pawns, kept up to date move by move.

use std::sync::Arc;

use quadrille_games::liberty::{Kind, Liberty, Piece};
use quadrille_games::{Observer, Position, Side};

use super::tables::{Pair, Tables};
use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};

/// The right to move.
const TEMPO: Value = 10;

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
    tables: Arc<Tables>,
    sums: [Pair; 2],
    /// Material of both sides other than Pawns.
    heavy: Value,
    log: Vec<Change>,
    marks: Vec<usize>,
}

impl LibertyEval {
    #[inline]
    fn change(&mut self, piece: Piece, square: u16, added: bool) {
        let pair = self.tables.of(piece, square);
        let heavy = if piece.kind == Kind::Pawn {
            0
        } else {
            self.tables.values[piece.kind as usize]
        };
        let sum = &mut self.sums[piece.side.index()];
        if added {
            *sum += pair;
            self.heavy += heavy;
        } else {
            *sum -= pair;
            self.heavy -= heavy;
        }
    }

    /// Between middle game and endgame.
    fn taper(&self, pair: Pair) -> Value {
        let full = self.tables.full;
        let heavy = self.heavy.clamp(0, full);
        let sum = i64::from(pair.middle) * i64::from(heavy)
            + i64::from(pair.end) * i64::from(full - heavy);
        (sum / i64::from(full)) as Value
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
        let mut eval = Self {
            tables: Arc::new(Tables::new(position)),
            sums: [Pair::default(); 2],
            heavy: 0,
            log: Vec::new(),
            marks: Vec::new(),
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
            && let Some(Change {
                piece,
                square,
                added,
            }) = self.log.pop()
        {
            self.change(piece, square, !added);
        }
    }

    fn evaluate(&mut self, position: &Liberty) -> Value {
        let [mut white, black] = self.sums;
        white -= black;
        let value = self.taper(white);
        let value = match position.side() {
            Side::White => value,
            Side::Black => -value,
        };
        (value + TEMPO).clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn terms(&mut self, _: &Liberty) -> Vec<Term> {
        vec![Term {
            name: "pieces",
            sides: self.sums.map(|sum| self.taper(sum)),
        }]
    }
}
