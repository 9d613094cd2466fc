//! The hand-written evaluation and a small net that says what it misses.
//!
//! Such a net has few neurons, so its sums are computed afresh whenever a
//! position is judged: no cost where none is, and nothing to keep.

use std::sync::Arc;

use quadrille_games::{Observer, Side};

use super::inputs::Inputs;
use super::weights::Net;
use crate::playable::{Evaluator, Term};
use crate::score::{MAX_EVAL, Value};

/// Beyond this a game is decided, and nets have seen no such positions.
pub const FAR: Value = 3_000;

/// The hand-written evaluation `E` of a game, and a net whose value is added to
/// it.
#[derive(Debug, Clone)]
pub struct Residual<E> {
    by_hand: E,
    net: Option<(Arc<Net>, Room)>,
}

/// Room for the features of both views.
#[derive(Debug, Clone)]
struct Room([Box<[u16]>; 2]);

impl Room {
    fn new<P: Inputs>() -> Self {
        let view = || vec![0; P::SHAPE.most].into_boxed_slice();
        Self([view(), view()])
    }

    /// The net's value; `None` if there are more features than a net has
    /// learnt to read.
    #[inline]
    fn value<P: Inputs>(&mut self, net: &Net, position: &P) -> Option<Value> {
        let side = position.side();
        let [mover, other] = &mut self.0;
        let mover = fill(mover, position, side)?;
        let other = fill(other, position, side.other())?;
        Some(net.judge_features(mover, other, position.bucket()))
    }
}

#[inline]
fn fill<'a, P: Inputs>(room: &'a mut [u16], position: &P, view: Side) -> Option<&'a [u16]> {
    let mut count = 0;
    position.features(view, |feature| {
        if let Some(place) = room.get_mut(count) {
            *place = feature as u16;
        }
        count += 1;
    });
    room.get(..count)
}

impl<T: Copy, E: Observer<T>> Observer<T> for Residual<E> {
    #[inline(always)]
    fn added(&mut self, piece: T, square: u16) {
        self.by_hand.added(piece, square);
    }

    #[inline(always)]
    fn removed(&mut self, piece: T, square: u16) {
        self.by_hand.removed(piece, square);
    }

    #[inline(always)]
    fn moved(&mut self, piece: T, from: u16, to: u16) {
        self.by_hand.moved(piece, from, to);
    }
}

impl<P: Inputs, E: Evaluator<P>> Evaluator<P> for Residual<E> {
    fn new(position: &P) -> Self {
        Self {
            by_hand: E::new(position),
            net: None,
        }
    }

    fn with_net(position: &P, net: &Arc<Net>) -> Self {
        Self {
            by_hand: E::new(position),
            net: Some((Arc::clone(net), Room::new::<P>())),
        }
    }

    fn restart(&mut self, position: &P) {
        self.by_hand.restart(position);
    }

    #[inline(always)]
    fn push(&mut self) {
        self.by_hand.push();
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.by_hand.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> Value {
        let by_hand = self.by_hand.evaluate(position);
        let Some((net, room)) = &mut self.net else {
            return by_hand;
        };
        if by_hand.abs() > FAR || !position.is_readable() {
            return by_hand;
        }
        let missed = room.value(net, position).unwrap_or(0);
        (by_hand + missed).clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn terms(&mut self, position: &P) -> Vec<Term> {
        self.by_hand.terms(position)
    }
}
