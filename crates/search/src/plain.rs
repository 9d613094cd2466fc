//! Chess with nothing but material: enough to test the search itself.
#![allow(unreachable_pub, missing_docs)]

use quadrille_games::chess::{Chess, Move, Piece, PieceKind};
use quadrille_games::{Observer, Outcome, Position, Reason, Side};

use crate::playable::{Evaluator, Playable, Term};
use crate::score::Value;

#[derive(Clone)]
pub struct Material {
    balance: Value,
    stack: Vec<Value>,
}

fn worth(kind: PieceKind) -> Value {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight => 300,
        PieceKind::Bishop => 320,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 0,
    }
}

/// A little for the centre, so that moves differ at all.
fn seen_by_white(piece: Piece, square: u16) -> Value {
    let off = |n: u16| (2 * i32::from(n) - 7).abs();
    let value = worth(piece.kind) - off(square % 8) - off(square / 8);
    if piece.side == Side::White {
        value
    } else {
        -value
    }
}

impl Observer<Piece> for Material {
    fn added(&mut self, piece: Piece, square: u16) {
        self.balance += seen_by_white(piece, square);
    }

    fn removed(&mut self, piece: Piece, square: u16) {
        self.balance -= seen_by_white(piece, square);
    }
}

impl Evaluator<Chess> for Material {
    fn new(position: &Chess) -> Self {
        let mut balance = 0;
        position.pieces(|piece, square| balance += seen_by_white(piece, square));
        Self {
            balance,
            stack: Vec::new(),
        }
    }

    fn push(&mut self) {
        self.stack.push(self.balance);
    }

    fn pop(&mut self) {
        if let Some(balance) = self.stack.pop() {
            self.balance = balance;
        }
    }

    fn evaluate(&mut self, position: &Chess) -> Value {
        if position.side() == Side::White {
            self.balance
        } else {
            -self.balance
        }
    }

    fn terms(&mut self, _: &Chess) -> Vec<Term> {
        Vec::new()
    }
}

impl Playable for Chess {
    type Eval = Material;

    fn slots(&self) -> usize {
        2 * 8 * 64
    }

    fn slot(&self, m: Move) -> usize {
        let kind = m.kind().map_or(0, |k| k as usize & 7);
        (self.side().index() * 8 + kind) * 64 + m.to().index()
    }

    fn gain(&self, m: Move) -> Value {
        let taken = self.piece_at(m.to()).map_or(0, |p| worth(p.kind));
        let passant = if m.is_en_passant() { 100 } else { 0 };
        taken + passant + m.promotion().map_or(0, |k| worth(k) - 100)
    }

    fn stake(&self, m: Move) -> Value {
        m.kind().map_or(0, worth)
    }

    fn may_pass(&self) -> bool {
        let mut pieces = 0;
        self.pieces(|piece, _| {
            let own = piece.side == self.side();
            if own && !matches!(piece.kind, PieceKind::Pawn | PieceKind::King) {
                pieces += 1;
            }
        });
        pieces > 0
    }

    fn over_at_sight(&self) -> Option<Outcome> {
        self.is_insufficient_material()
            .then(|| Outcome::draw(Reason::Material))
    }

    fn plies_to_draw(&self) -> u32 {
        100u32.saturating_sub(self.reversible_plies())
    }
}
