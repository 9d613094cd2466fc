//! Which moves there are, which of them Ko refuses, and why a move is refused.
//!
//! Two lists matter. The *generated* moves are what the reference engine lists
//! and what its perft counts: every move of every unpinned piece, the null
//! move included. The *legal* moves are those that Ko does not refuse.
//!
//! Ko looks expensive, since it compares whole boards after the laser has
//! fired, but very little can break it:
//! * (1) the board can only stay as it was when nothing moved (the null move)
//!   or two equal pieces traded places, and only if nothing was zapped. In both
//!   cases the own beam is the one we know already;
//! * (2) the board of two plies ago can only come back when a swap with an enemy
//!   is undone, which is one move, remembered when the swap was made.

use core::fmt;

use super::board::Leiser;
use super::geometry::{Square, SquareSet};
use super::moves::Move;
use super::piece::{Piece, Turn};
use super::rules::Occupied;
use crate::position::Position;

/// Why a move is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refusal {
    /// The code or text has the form of no move.
    NotAMove,
    /// The game is over.
    GameOver,
    /// Nothing stands on the square it comes from.
    EmptySquare,
    /// An enemy piece stands there.
    EnemyPiece,
    /// The enemy beam pins the Pawn.
    Pinned,
    /// The squares are not neighbours.
    NotAStep,
    /// Only a King may stay as it is and fire.
    NullByPawn,
    /// This year has no null move.
    NoNullMove,
    /// The destination is occupied and may not be entered.
    Blocked,
    /// A second step or turn where there may be none.
    SecondMove,
    /// A swap that needs a second step or turn (2018).
    SecondMoveMissing,
    /// Ko (1): the board would be the same as before the move.
    KoUnchanged,
    /// Ko (2): the board would be the same as before the opponent's move.
    KoRestored,
}

impl Refusal {
    /// The reason in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NotAMove => "not a move",
            Self::GameOver => "the game is over",
            Self::EmptySquare => "empty square",
            Self::EnemyPiece => "enemy piece",
            Self::Pinned => "pinned",
            Self::NotAStep => "not a step to a neighbouring square",
            Self::NullByPawn => "only a King may fire without moving",
            Self::NoNullMove => "these rules have no null move",
            Self::Blocked => "the destination is occupied",
            Self::SecondMove => "no second step or turn is allowed here",
            Self::SecondMoveMissing => "a swap needs a second step or turn",
            Self::KoUnchanged => "ko: board unchanged",
            Self::KoRestored => "ko: restores the board before the opponent's move",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

impl Leiser {
    /// Both Kings stand.
    #[inline]
    pub(super) fn has_kings(&self) -> bool {
        self.kings[0].is_some() && self.kings[1].is_some()
    }

    #[inline]
    fn movable(&self) -> SquareSet {
        self.squares_of(self.side) & !self.pinned()
    }

    /// Calls `each` for every generated move; none once a King is gone.
    #[inline]
    pub(super) fn each_generated(&self, mut each: impl FnMut(Move)) {
        let (true, Some(king)) = (self.has_kings(), self.king(self.side)) else {
            return;
        };
        self.movable().into_iter().for_each(|from| {
            self.each_step(from, &mut each);
            for turn in Turn::ALL {
                each(Move::turn(from, turn));
            }
        });
        if self.features().null_move {
            each(Move::null(king));
        }
    }

    #[inline]
    fn each_step(&self, from: Square, each: &mut impl FnMut(Move)) {
        let around = self.geometry().neighbours[from.index() & 127];
        for to in around & self.steppable(from) {
            each(Move::step(from, to));
        }
        if self.features().occupied == Occupied::SwapEnemyThenMove {
            for to in around & self.squares_of(self.side.other()) {
                for last in self.geometry().neighbours[to.index() & 127] & !self.occupied() {
                    each(Move::swap_step(from, to, last));
                }
                for turn in Turn::ALL {
                    each(Move::swap_turn(from, to, turn));
                }
            }
        }
    }

    /// Where a piece may go with a single step, were it near enough.
    #[inline]
    fn steppable(&self, from: Square) -> SquareSet {
        match self.features().occupied {
            Occupied::Swap => !SquareSet::EMPTY,
            Occupied::SwapEnemyThenMove => !self.occupied(),
            Occupied::Stomp if self.king(self.side) == Some(from) => !self.occupied(),
            Occupied::Stomp => !self.occupied() | self.enemy_pawns(),
        }
    }

    #[inline]
    fn enemy_pawns(&self) -> SquareSet {
        let them = self.side.other();
        match self.king(them) {
            Some(king) => self.squares_of(them) & !SquareSet::of(king),
            None => self.squares_of(them),
        }
    }

    /// How many moves [`generated_moves`](Self::generated_moves) lists.
    #[inline]
    pub fn count_generated(&self) -> u64 {
        if !self.has_kings() {
            return 0;
        }
        let geometry = self.geometry();
        let movable = self.movable().into_iter();
        let moves: u32 = match self.features().occupied {
            Occupied::Swap => movable
                .map(|from| u32::from(geometry.degree[from.index() & 127]) + 3)
                .sum(),
            _ => movable.map(|from| self.count_steps(from) + 3).sum(),
        };
        u64::from(moves) + u64::from(self.features().null_move)
    }

    fn count_steps(&self, from: Square) -> u32 {
        let geometry = self.geometry();
        let around = geometry.neighbours[from.index() & 127];
        let mut count = (around & self.steppable(from)).len();
        if self.features().occupied == Occupied::SwapEnemyThenMove {
            for to in around & self.squares_of(self.side.other()) {
                count += (geometry.neighbours[to.index() & 127] & !self.occupied()).len() + 3;
            }
        }
        count
    }

    /// The generated moves in the order of the reference engine's `generate`:
    /// square by square up each file from the west; per piece the steps in the
    /// same order of squares (SW W NW S N SE E NE), then R, U, L, then the null
    /// move. Moves that Ko refuses are among them.
    pub fn generated_moves(&self) -> Vec<Move> {
        let mut list = Vec::new();
        self.each_generated(|m| list.push(m));
        let size = self.features().size;
        let order = |s: Square| (s.file(size), s.rank(size));
        list.sort_by_key(|m| {
            let turns_last = m.from() == m.to();
            let turn = m
                .turning()
                .map_or(if turns_last { 4 } else { 0 }, |t| t as u8);
            (
                order(m.from()),
                turns_last,
                order(m.to()),
                turn,
                order(m.last()),
            )
        });
        list
    }

    /// The line that the reference engine's `generate` prints, without its
    /// trailing blank.
    pub fn generated_text(&self) -> String {
        let moves = self.generated_moves();
        let words: Vec<String> = moves.iter().map(|&m| self.move_text(m)).collect();
        words.join(" ")
    }

    /// Ko (1) can refuse moves: the own beam strikes nothing now.
    #[inline]
    fn calm(&self) -> bool {
        self.rules.ko && self.features().ko_unchanged && self.struck(self.side).is_none()
    }

    /// Calls `each` for every move that Ko leaves, whatever the quiet limit
    /// says.
    #[inline]
    pub(super) fn each_unrefused(&self, mut each: impl FnMut(Move)) {
        let calm = self.calm();
        let ko = self.refused_reversal();
        self.each_generated(|m| {
            if !(calm && self.moves_nothing(m) || m == ko) {
                each(m);
            }
        });
    }

    /// Whether the board before the laser fires would be the same: a null move,
    /// or two equal pieces trading places.
    #[inline]
    fn moves_nothing(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if from == to {
            m.turning().is_none()
        } else {
            self.piece_at(from) == self.piece_at(to)
        }
    }

    /// The move that Ko (2) refuses here, [`Move::NONE`] if there is none.
    #[inline]
    fn refused_reversal(&self) -> Move {
        if self.ko == Move::NONE || !self.rules.ko || self.zaps(self.ko) {
            Move::NONE
        } else {
            self.ko
        }
    }

    /// The number of moves that Ko leaves, without looking at each of them.
    pub(super) fn count_unrefused(&self) -> u64 {
        let mut count = self.count_generated();
        if count == 0 {
            return 0;
        }
        if self.calm() {
            count -= u64::from(self.features().null_move);
            if self.features().occupied == Occupied::Swap {
                count -= self.count_equal_swaps();
            }
        }
        // The reversal is among the generated moves unless its piece is pinned;
        // two pieces of different colours are never equal, so it is not yet
        // subtracted.
        let reversal = self.refused_reversal();
        if reversal != Move::NONE && !self.pinned().contains(reversal.from()) {
            count -= 1;
        }
        count
    }

    /// How many generated steps trade two equal Pawns.
    fn count_equal_swaps(&self) -> u64 {
        let own = self.squares_of(self.side);
        let geometry = self.geometry();
        let mut count = 0;
        for from in self.movable() {
            for to in geometry.neighbours[from.index() & 127] & own {
                count += u64::from(self.piece_at(from) == self.piece_at(to));
            }
        }
        count
    }

    /// Whether the laser removes anything when this generated move is made.
    pub fn zaps(&self, m: Move) -> bool {
        let us = self.side;
        if m.is_null() {
            return self.struck(us).is_some();
        }
        let ends = SquareSet::of(m.from()) | SquareSet::of(m.to()) | SquareSet::of(m.last());
        let king = self.king(us).map_or(SquareSet::EMPTY, SquareSet::of);
        if (ends & (self.lit(us) | king)).is_empty() {
            return self.struck(us).is_some();
        }
        let mut board = *self;
        board.displace(m, &mut ());
        board.retrace(us);
        board.struck(us).is_some()
    }

    /// Whether a generated move stomps a Pawn (2014 and 2015).
    pub fn stomps(&self, m: Move) -> bool {
        self.features().occupied == Occupied::Stomp
            && m.from() != m.to()
            && self.piece_at(m.to()).is_some()
    }

    /// Why a move is not legal; `None` if it is.
    ///
    /// ```
    /// use quadrille_games::leiser::{Leiser, LeiserRules, Move, Refusal};
    /// use quadrille_games::{Position, Side};
    /// let start = Leiser::start(&LeiserRules::default());
    /// let king = start.king(Side::White).unwrap();
    /// assert_eq!(start.refusal(Move::null(king)), Some(Refusal::KoUnchanged));
    /// ```
    pub fn refusal(&self, m: Move) -> Option<Refusal> {
        let squares = [m.from(), m.to(), m.last()];
        if m.has_spare_bits() || !squares.iter().all(|&s| self.on_board(s)) {
            return Some(Refusal::NotAMove);
        }
        if self.outcome().is_some() {
            return Some(Refusal::GameOver);
        }
        let Some(piece) = self.piece_at(m.from()) else {
            return Some(Refusal::EmptySquare);
        };
        if piece.side() != self.side {
            return Some(Refusal::EnemyPiece);
        }
        if self.pinned().contains(m.from()) {
            return Some(Refusal::Pinned);
        }
        let shape = if m.from() == m.to() {
            self.refuse_standing(m, piece)
        } else {
            self.refuse_step(m, piece)
        };
        shape.or_else(|| self.refuse_by_ko(m))
    }

    fn refuse_standing(&self, m: Move, piece: Piece) -> Option<Refusal> {
        if m.last() != m.to() {
            Some(Refusal::NotAMove)
        } else if m.turning().is_some() {
            None
        } else if !self.features().null_move {
            Some(Refusal::NoNullMove)
        } else {
            (!piece.is_king()).then_some(Refusal::NullByPawn)
        }
    }

    fn refuse_step(&self, m: Move, piece: Piece) -> Option<Refusal> {
        if !self.adjacent(m.from(), m.to()) {
            return Some(Refusal::NotAStep);
        }
        let second = m.last() != m.to() || m.turning().is_some();
        let target = self.piece_at(m.to());
        match (self.features().occupied, target) {
            (Occupied::SwapEnemyThenMove, Some(other)) if other.side() == self.side => {
                Some(Refusal::Blocked)
            }
            (Occupied::SwapEnemyThenMove, Some(_)) => self.refuse_second(m),
            _ if second => Some(Refusal::SecondMove),
            (Occupied::Stomp, Some(other)) => {
                let stomp = other.side() != self.side && !other.is_king() && !piece.is_king();
                (!stomp).then_some(Refusal::Blocked)
            }
            _ => None,
        }
    }

    /// 2018: the second step or turn after a swap.
    fn refuse_second(&self, m: Move) -> Option<Refusal> {
        match (m.last() != m.to(), m.turning()) {
            (false, None) => Some(Refusal::SecondMoveMissing),
            (false, Some(_)) => None,
            (true, Some(_)) => Some(Refusal::SecondMove),
            (true, None) if !self.adjacent(m.to(), m.last()) => Some(Refusal::NotAStep),
            // The swap leaves the set of occupied squares as it is.
            (true, None) => self
                .occupied()
                .contains(m.last())
                .then_some(Refusal::Blocked),
        }
    }

    fn refuse_by_ko(&self, m: Move) -> Option<Refusal> {
        if self.calm() && self.moves_nothing(m) {
            Some(Refusal::KoUnchanged)
        } else {
            (m == self.refused_reversal()).then_some(Refusal::KoRestored)
        }
    }

    #[inline]
    pub(super) fn adjacent(&self, a: Square, b: Square) -> bool {
        self.geometry().neighbours[a.index() & 127].contains(b)
    }
}
