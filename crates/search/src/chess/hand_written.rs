//! The hand-written evaluation.

use quadrille_games::chess::{Chess, Piece, PieceKind, Square};
use quadrille_games::{Observer, Position, Side};

use super::blend;
use super::board::Board;
use super::features::GROUPS;
use super::pawns::PawnTable;
use super::squares::View;
use super::tally::{Difference, Parts};
use crate::pair::Pair;
use crate::playable::{Evaluator, Term};
use crate::score::Value;

/// What each kind adds to the phase of the game: 24 with all pieces on the
/// board.
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// What changes with every move and is kept on the stack.
#[derive(Debug, Clone, Copy)]
struct State {
    /// What the board is worth to each king.
    sums: [Pair; 2],
    /// How each king sees the board; `None` after it moved to where it sees it
    /// differently, until its sum has been computed afresh.
    views: [Option<View>; 2],
    /// The officers left on the board, weighed.
    phase: i32,
}

/// The hand-written evaluation.
///
/// Material and placement follow the board piece by piece; everything else is
/// computed when a value is asked for.
#[derive(Debug, Clone)]
pub(super) struct HandWritten {
    now: State,
    stack: Vec<State>,
    pawns: PawnTable,
}

impl Observer<Piece> for HandWritten {
    #[inline]
    fn added(&mut self, piece: Piece, square: u16) {
        self.now.phase += PHASE[piece.kind.index()];
        if piece.kind == PieceKind::King {
            let view = View::new(piece.side, Square::new(square as u8));
            let seen = &mut self.now.views[piece.side.index()];
            if *seen != Some(view) {
                *seen = None;
            }
        }
        for (sum, view) in self.now.sums.iter_mut().zip(self.now.views) {
            if let Some(view) = view {
                *sum += view.worth(piece, square);
            }
        }
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: u16) {
        self.now.phase -= PHASE[piece.kind.index()];
        for (sum, view) in self.now.sums.iter_mut().zip(self.now.views) {
            if let Some(view) = view {
                *sum -= view.worth(piece, square);
            }
        }
    }
}

impl HandWritten {
    /// The sums of both kings, refreshed where a king changed its view.
    fn placement(&mut self, position: &Chess) -> Pair {
        for side in Side::BOTH {
            let i = side.index();
            if self.now.views[i].is_none() {
                let view = View::new(side, position.king(side));
                self.now.views[i] = Some(view);
                self.now.sums[i] = view.sum(position);
            }
        }
        self.now.sums[0] - self.now.sums[1]
    }
}

impl Evaluator<Chess> for HandWritten {
    fn new(position: &Chess) -> Self {
        let mut evaluator = Self {
            now: State {
                sums: [Pair::ZERO; 2],
                views: [None; 2],
                phase: 0,
            },
            stack: Vec::with_capacity(64),
            pawns: PawnTable::new(),
        };
        evaluator.restart(position);
        evaluator
    }

    /// Keeps what it knows about pawns.
    fn restart(&mut self, position: &Chess) {
        self.stack.clear();
        self.now.views = [None; 2];
        self.now.phase = 0;
        position.pieces(|piece, _| self.now.phase += PHASE[piece.kind.index()]);
        self.placement(position);
    }

    #[inline]
    fn push(&mut self) {
        self.stack.push(self.now);
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(state) = self.stack.pop() {
            self.now = state;
        }
    }

    fn evaluate(&mut self, position: &Chess) -> Value {
        let mut board = Board::of(position);
        let (structure, facts) = self.pawns.look_up(&board);
        let mut sum = Difference(self.placement(position) + structure);
        blend::count(&mut board, &facts, position.side(), &mut sum);
        blend::value(position, &board, self.now.phase, sum.0)
    }

    fn terms(&mut self, position: &Chess) -> Vec<Term> {
        let mut parts = Parts::new();
        let balance = blend::trace(position, &mut parts);
        let mut terms: Vec<Term> = Vec::new();
        for (group, sides) in GROUPS.iter().zip(parts.0) {
            let sides = sides.map(|part| balance.blend(part));
            match terms.iter_mut().find(|term| term.name == group.term) {
                Some(term) => {
                    term.sides[0] += sides[0];
                    term.sides[1] += sides[1];
                }
                None => terms.push(Term {
                    name: group.term,
                    sides,
                }),
            }
        }
        terms
    }
}
