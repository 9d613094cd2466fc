//! The position itself: cells, sets, keys, and the two beams it keeps.

use super::geometry::{Geometry, Square, SquareSet, geometry};
use super::laser::{self, Trace};
use super::moves::Move;
use super::piece::{Cell, Piece, Turn};
use super::rules::{Features, LeiserRules, Occupied};
use crate::game::Side;
use crate::observer::Observer;
use crate::position::GameMove;
use crate::random::scatter;

/// A position of Leiserchess.
///
/// Besides the pieces it keeps the beam each King would fire now (they change
/// only when a move touches them, so most moves need no tracing at all), the
/// plies since a Pawn left the board, and the one move that Ko (2) could
/// refuse.
///
/// ```
/// use quadrille_games::leiser::{Leiser, LeiserRules};
/// use quadrille_games::{Line, Position};
///
/// let mut line = Line::new(Leiser::start(&LeiserRules::default()));
/// assert_eq!(line.position().count_moves(), 65);
/// line.play("h4g5").unwrap();
/// assert!(line.play("a7a7").is_err()); // it would zap nothing: Ko
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leiser {
    pub(super) cells: [Cell; 100],
    pub(super) sides: [SquareSet; 2],
    /// What each King's laser would do now; always equal to a fresh trace.
    pub(super) lit: [SquareSet; 2],
    /// The square each beam strikes.
    pub(super) struck: [Option<Square>; 2],
    pub(super) kings: [Option<Square>; 2],
    pub(super) side: Side,
    pub(super) rules: LeiserRules,
    /// Plies since a Pawn was zapped or stomped.
    pub(super) quiet: u32,
    /// The reply that would restore the board of two plies ago, unless it zaps
    /// something; [`Move::NONE`] when there is none.
    pub(super) ko: Move,
    pub(super) hash: u64,
}

/// What [`Position::unmake`](crate::Position::unmake) needs: the old position.
#[derive(Debug, Clone)]
pub struct Undo(pub(super) Leiser);

/// What a move did before the laser fires.
#[derive(Clone, Copy)]
pub(super) struct Moved {
    /// Squares whose content changed.
    pub(super) squares: SquareSet,
    /// Whose King turned or changed its square.
    pub(super) kings: [bool; 2],
    /// A swap with an enemy piece took place.
    pub(super) swapped_enemy: bool,
    /// A Pawn was stomped.
    pub(super) stomped: bool,
}

impl Leiser {
    /// An empty board of the rules' size.
    pub(super) fn empty(rules: LeiserRules) -> Self {
        Self {
            cells: [Cell::EMPTY; 100],
            sides: [SquareSet::EMPTY; 2],
            lit: [SquareSet::EMPTY; 2],
            struck: [None; 2],
            kings: [None; 2],
            side: Side::White,
            rules,
            quiet: 0,
            ko: Move::NONE,
            hash: 0,
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.cells.get(square.index())?.piece()
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn squares_of(&self, side: Side) -> SquareSet {
        self.sides[side.index()]
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's King stands; `None` once it was zapped.
    #[inline]
    pub fn king(&self, side: Side) -> Option<Square> {
        self.kings[side.index()]
    }

    /// The squares that this side's laser would touch if it fired now, the
    /// square of what it strikes included. Kept up to date: costs nothing.
    #[inline]
    pub fn lit(&self, side: Side) -> SquareSet {
        self.lit[side.index()]
    }

    /// The square of the piece that this side's laser would zap if it fired
    /// now. Costs nothing.
    #[inline]
    pub fn struck(&self, side: Side) -> Option<Square> {
        self.struck[side.index()]
    }

    /// The Pawns of the side to move that may neither step nor turn because
    /// the enemy beam touches them; empty in years without pins.
    #[inline]
    pub fn pinned(&self) -> SquareSet {
        if !self.features().pins {
            return SquareSet::EMPTY;
        }
        let own = self.sides[self.side.index()] & self.lit[self.side.other().index()];
        match self.kings[self.side.index()] {
            Some(king) => own & !SquareSet::of(king),
            None => own,
        }
    }

    /// Plies since a Pawn left the board.
    pub fn quiet_plies(&self) -> u32 {
        self.quiet
    }

    #[inline]
    pub(super) fn features(&self) -> &'static Features {
        self.rules.features()
    }

    #[inline]
    pub(super) fn geometry(&self) -> &'static Geometry {
        geometry(self.features().size)
    }

    /// Whether a code names a square of this board.
    #[inline]
    pub(super) fn on_board(&self, square: Square) -> bool {
        let size = usize::from(self.features().size);
        square.index() < size * size
    }

    pub(super) fn put(&mut self, piece: Piece, square: Square) {
        self.cells[square.index()] = Cell::of(piece);
        self.sides[piece.side().index()] |= SquareSet::of(square);
        self.hash ^= key(piece, square);
        if piece.is_king() {
            self.kings[piece.side().index()] = Some(square);
        }
    }

    #[inline]
    pub(super) fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece_at(square)?;
        self.cells[square.index()] = Cell::EMPTY;
        self.sides[piece.side().index()].0 &= !SquareSet::of(square).0;
        self.hash ^= key(piece, square);
        Some(piece)
    }

    #[inline(never)]
    pub(super) fn retrace(&mut self, side: Side) {
        let beam = match self.kings[side.index()] {
            Some(king) => laser::trace(self.geometry(), &self.cells, self.occupied(), king),
            None => Trace::NONE,
        };
        self.lit[side.index()] = beam.lit;
        self.struck[side.index()] = beam.struck;
    }

    pub(super) fn hash_from_nothing(&self) -> u64 {
        let pieces = self.occupied().into_iter();
        let board = pieces
            .filter_map(|s| Some(key(self.piece_at(s)?, s)))
            .fold(0, |all, k| all ^ k);
        board ^ side_key(self.side)
    }

    /// The key of board, side and the move that Ko (2) could refuse: two ways
    /// to one board may leave different replies.
    pub(super) fn key_with_ko(&self) -> u64 {
        if self.ko == Move::NONE {
            self.hash
        } else {
            self.hash ^ scatter(KO_SEED ^ self.ko.to_bits())
        }
    }

    /// [`key_with_ko`](Self::key_with_ko) and the quiet plies, where the limit
    /// can end a line within `depth` plies.
    pub(super) fn key_with_clock(&self, depth: u32) -> u64 {
        let limit = self.rules.quiet_limit_plies;
        let key = self.key_with_ko();
        if limit > 0 && self.quiet.saturating_add(depth) > limit {
            key ^ scatter(QUIET_SEED ^ u64::from(self.quiet))
        } else {
            key
        }
    }

    pub(super) fn flip_side(&mut self) {
        self.side = self.side.other();
        self.hash ^= SIDE_KEY;
    }

    /// A whole turn: the move, the mover's laser, and what they leave behind.
    #[inline]
    pub(super) fn turn<O: Observer<Piece>>(&mut self, m: Move, observer: &mut O) {
        let us = self.side;
        let moved = self.displace(m, observer);
        let (removed, kings) = self.shoot(moved, observer);
        let changed = moved.squares | removed;
        if kings[us.other().index()] || !(changed & self.lit(us.other())).is_empty() {
            self.retrace(us.other());
        }
        self.ko = if moved.swapped_enemy && removed.is_empty() && self.features().ko_restored {
            self.reversal(m)
        } else {
            Move::NONE
        };
        self.quiet = if moved.stomped || !removed.is_empty() {
            0
        } else {
            self.quiet.saturating_add(1)
        };
        self.flip_side();
    }

    /// The first half of a turn. An impossible move is a meaningless move, but
    /// it stays on the board and never panics.
    #[inline(always)]
    pub(super) fn displace<O: Observer<Piece>>(&mut self, m: Move, observer: &mut O) -> Moved {
        let mut moved = Moved {
            squares: SquareSet::EMPTY,
            kings: [false; 2],
            swapped_enemy: false,
            stomped: false,
        };
        if !(self.on_board(m.from()) && self.on_board(m.to()) && self.on_board(m.last())) {
            return moved;
        }
        if m.from() != m.to() {
            self.step(m.from(), m.to(), &mut moved, observer);
            if m.last() != m.to() {
                self.step(m.to(), m.last(), &mut moved, observer);
            }
        }
        if let Some(turn) = m.turning() {
            self.rotate(m.to(), turn, &mut moved, observer);
        }
        moved
    }

    #[inline(always)]
    fn step<O: Observer<Piece>>(
        &mut self,
        from: Square,
        to: Square,
        moved: &mut Moved,
        observer: &mut O,
    ) {
        let Some(piece) = self.piece_at(from) else {
            return;
        };
        let other = self.piece_at(to);
        let ends = SquareSet::of(from) | SquareSet::of(to);
        moved.squares |= ends;
        self.cells[to.index()] = Cell::of(piece);
        self.cells[from.index()] = Cell::EMPTY;
        self.sides[piece.side().index()].0 ^= ends.0;
        self.hash ^= key(piece, from) ^ key(piece, to);
        observer.removed(piece, u16::from(from));
        if let Some(other) = other {
            self.sides[other.side().index()].0 ^= ends.0;
            if self.features().occupied == Occupied::Stomp {
                // The mover stays where it went, only the stomped Pawn goes.
                self.sides[other.side().index()].0 &= !SquareSet::of(from).0;
                self.hash ^= key(other, to);
                moved.stomped = true;
                observer.removed(other, u16::from(to));
            } else {
                self.cells[from.index()] = Cell::of(other);
                self.hash ^= key(other, to) ^ key(other, from);
                moved.swapped_enemy |= other.side() != piece.side();
                self.follow_king(other, from, moved);
                observer.moved(other, u16::from(to), u16::from(from));
            }
        }
        self.follow_king(piece, to, moved);
        observer.added(piece, u16::from(to));
    }

    #[inline(always)]
    fn rotate<O: Observer<Piece>>(
        &mut self,
        square: Square,
        turn: Turn,
        moved: &mut Moved,
        observer: &mut O,
    ) {
        let Some(piece) = self.piece_at(square) else {
            return;
        };
        let turned = piece.turned(turn);
        self.cells[square.index()] = Cell::of(turned);
        self.hash ^= key(piece, square) ^ key(turned, square);
        moved.squares |= SquareSet::of(square);
        moved.kings[piece.side().index()] |= piece.is_king();
        observer.removed(piece, u16::from(square));
        observer.added(turned, u16::from(square));
    }

    #[inline(always)]
    fn follow_king(&mut self, piece: Piece, square: Square, moved: &mut Moved) {
        if piece.is_king() {
            self.kings[piece.side().index()] = Some(square);
            moved.kings[piece.side().index()] = true;
        }
    }

    /// The second half of a turn: the mover's laser. Tells which squares were
    /// emptied and whose King changed in the whole turn.
    #[inline(always)]
    fn shoot<O: Observer<Piece>>(
        &mut self,
        moved: Moved,
        observer: &mut O,
    ) -> (SquareSet, [bool; 2]) {
        let us = self.side;
        let mut kings = moved.kings;
        let mut removed = SquareSet::EMPTY;
        if kings[us.index()] || !(moved.squares & self.lit(us)).is_empty() {
            self.retrace(us);
        }
        // Each round removes a piece, so there are few.
        while let Some(square) = self.struck(us) {
            let Some(piece) = self.take(square) else {
                break;
            };
            observer.removed(piece, u16::from(square));
            removed |= SquareSet::of(square);
            if piece.is_king() {
                self.kings[piece.side().index()] = None;
                kings[piece.side().index()] = true;
            }
            self.retrace(us);
            if piece.is_king() || !self.features().repeated_zaps {
                break;
            }
        }
        (removed, kings)
    }

    /// The one reply that would undo a swap with an enemy piece.
    ///
    /// A turn without zaps can be undone only by its victim: after `a-b` the
    /// swapped piece stands on `a` and may swap back. In 2018 it must swap with
    /// the enemy's final square and then step to where it stood itself; a swap
    /// that ended with a turn cannot be undone, because no move turns an enemy.
    fn reversal(&self, m: Move) -> Move {
        if self.features().occupied == Occupied::Swap {
            return m;
        }
        let adjacent = self.geometry().neighbours[m.from().index()].contains(m.last());
        if m.turning().is_none() && m.last() != m.to() && adjacent {
            Move::swap_step(m.from(), m.last(), m.to())
        } else {
            Move::NONE
        }
    }
}

const SIDE_KEY: u64 = scatter(0x5157_4144);
/// Away from the seeds of pieces and side.
const KO_SEED: u64 = 0x4b4f << 32;
/// Likewise, for the quiet plies.
const QUIET_SEED: u64 = 0x5149 << 32;

/// The key of the side to move.
pub(super) const fn side_key(side: Side) -> u64 {
    match side {
        Side::White => 0,
        Side::Black => SIDE_KEY,
    }
}

/// The key of a piece on a square.
#[inline(always)]
pub(super) fn key(piece: Piece, square: Square) -> u64 {
    KEYS[piece.index()][square.index() & 127]
}

static KEYS: [[u64; 128]; 16] = {
    let mut keys = [[0; 128]; 16];
    let mut i = 0;
    while i < 16 * 128 {
        keys[i / 128][i % 128] = scatter(i as u64 + 1);
        i += 1;
    }
    keys
};
