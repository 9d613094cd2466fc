//! The evaluation that follows the board: a net, or the hand-written one.

use std::sync::Arc;

use quadrille_games::chess::{Chess, Piece, Square};
use quadrille_games::{Observer, Position, Side};

use super::board::Board;
use super::endgame;
use super::hand_written::HandWritten;
use super::inputs::{Sight, decides_sight};
use crate::net::{Net, NetStack};
use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};

/// With more pieces on the board, no known ending is asked for.
const FEW_PIECES: u32 = 6;

/// Evaluation for chess.
#[derive(Debug, Clone)]
pub struct ChessEvaluator(Kind);

#[derive(Debug, Clone)]
enum Kind {
    HandWritten(Box<HandWritten>),
    Net(Box<NetStack<Chess>>),
}

impl Observer<Piece> for ChessEvaluator {
    #[inline]
    fn added(&mut self, piece: Piece, square: u16) {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.added(piece, square),
            Kind::Net(stack) => {
                let square = square as u8;
                stack.added((piece, square));
                if decides_sight(piece) {
                    stack.sees(piece.side, Sight::new(piece.side, Square::new(square)));
                }
            }
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: u16) {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.removed(piece, square),
            Kind::Net(stack) => stack.removed((piece, square as u8)),
        }
    }
}

impl Evaluator<Chess> for ChessEvaluator {
    fn new(position: &Chess) -> Self {
        Self(Kind::HandWritten(Box::new(HandWritten::new(position))))
    }

    fn with_net(position: &Chess, net: &Arc<Net>) -> Self {
        Self(Kind::Net(Box::new(NetStack::new(net, position))))
    }

    fn restart(&mut self, position: &Chess) {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.restart(position),
            Kind::Net(stack) => stack.reset(position),
        }
    }

    #[inline]
    fn push(&mut self) {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.push(),
            Kind::Net(stack) => stack.push(),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.pop(),
            Kind::Net(stack) => stack.pop(),
        }
    }

    fn evaluate(&mut self, position: &Chess) -> Value {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.evaluate(position),
            Kind::Net(stack) => known_ending(position).unwrap_or_else(|| {
                let value = stack.value(position);
                // The longer nothing happens, the likelier a draw.
                let faded = value - value * position.halfmove_clock().min(100) as Value / 200;
                faded.clamp(-MAX_EVAL, MAX_EVAL)
            }),
        }
    }

    fn terms(&mut self, position: &Chess) -> Vec<Term> {
        match &mut self.0 {
            Kind::HandWritten(eval) => eval.terms(position),
            Kind::Net(_) => HandWritten::new(position).terms(position),
        }
    }
}

/// The value for the side to move of endings that are known better than any
/// net can learn them from a few thousand examples.
fn known_ending(position: &Chess) -> Option<Value> {
    let pieces = position.by_side(Side::White) | position.by_side(Side::Black);
    if pieces.0.count_ones() > FEW_PIECES {
        return None;
    }
    let board = Board::of(position);
    if let Some((strong, value)) = endgame::against_bare_king(&board, position.side()) {
        let ours = if strong == position.side() {
            value
        } else {
            -value
        };
        return Some(ours.clamp(-MAX_EVAL, MAX_EVAL));
    }
    endgame::is_drawn(&board).then_some(0)
}
