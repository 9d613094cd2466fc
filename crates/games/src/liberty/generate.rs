//! Legal moves: listed, counted, or just proven to exist.
//!
//! One walk over the own pieces serves all three; a [`Visitor`] says what to do
//! with a move. Checks and pins are known before the walk, so that moves are
//! tried out only where that knowledge is not enough: en passant, El Vaticano,
//! castling, and several Kings.

use super::Liberty;
use super::attack::{Guard, Kings, Leash, Patched, shift};
use super::kind::{Kind, cell};
use super::moves::LibertyMove;
use super::setup::{Setup, rights};
use crate::game::Side;

/// Kinds that a `Basic` attack cannot take.
const SHIELDED: u32 = Kind::Elephant.bit() | Kind::Wall.bit() | Kind::King.bit();

/// What to do with the moves.
pub(super) trait Visitor {
    /// Whether quiet moves are wanted. A capture of an own piece is quiet: it
    /// never wins anything.
    const QUIET: bool;
    /// Whether captures and the strongest promotion are wanted.
    const TACTICAL: bool;

    /// A move without promotion.
    fn step(&mut self, from: usize, to: usize);
    /// All wanted promotions of a Pawn move.
    fn promote(&mut self, from: usize, to: usize, capture: bool);
    /// A piece may go to any empty cell of the board.
    fn teleport(&mut self, position: &Liberty, from: usize);
}

/// Counts moves.
pub(super) struct Counter {
    pub(super) count: u64,
    /// How many moves one promotion stands for.
    pub(super) promotions: u64,
}

impl Visitor for Counter {
    const QUIET: bool = true;
    const TACTICAL: bool = true;

    #[inline(always)]
    fn step(&mut self, _: usize, _: usize) {
        self.count += 1;
    }

    #[inline(always)]
    fn promote(&mut self, _: usize, _: usize, _: bool) {
        self.count += self.promotions;
    }

    #[inline(always)]
    fn teleport(&mut self, position: &Liberty, _: usize) {
        self.count += position.empty_squares() as u64;
    }
}

/// Hands the moves to a closure.
pub(super) struct Lister<'a, F, const QUIET: bool, const TACTICAL: bool> {
    setup: &'a Setup,
    each: F,
    /// The empty squares, found when the first piece may go to all of them:
    /// boards with many Walls have few.
    empty: Option<Vec<u16>>,
}

impl<'a, F, const QUIET: bool, const TACTICAL: bool> Lister<'a, F, QUIET, TACTICAL> {
    pub(super) fn new(setup: &'a Setup, each: F) -> Self {
        Self {
            setup,
            each,
            empty: None,
        }
    }
}

impl<F: FnMut(LibertyMove), const QUIET: bool, const TACTICAL: bool> Visitor
    for Lister<'_, F, QUIET, TACTICAL>
{
    const QUIET: bool = QUIET;
    const TACTICAL: bool = TACTICAL;

    #[inline(always)]
    fn step(&mut self, from: usize, to: usize) {
        let (from, to) = (self.setup.square(from), self.setup.square(to));
        (self.each)(LibertyMove::new(from, to, None));
    }

    #[inline]
    fn promote(&mut self, from: usize, to: usize, capture: bool) {
        let (from, to) = (self.setup.square(from), self.setup.square(to));
        for &kind in &self.setup.promotions {
            // A promotion that captures has the capture's class, another one
            // is tactical only if it is the strongest.
            let tactical = kind == self.setup.strongest;
            let wanted = if tactical { TACTICAL } else { QUIET };
            if capture || wanted {
                (self.each)(LibertyMove::new(from, to, Some(kind)));
            }
        }
    }

    #[inline]
    fn teleport(&mut self, position: &Liberty, from: usize) {
        let setup = self.setup;
        let from = setup.square(from);
        let empty = self.empty.get_or_insert_with(|| {
            let cells = setup.rows().flatten();
            let free = cells.filter(|&at| position.board[at] == cell::EMPTY);
            free.map(|at| setup.square(at)).collect()
        });
        for &to in &*empty {
            (self.each)(LibertyMove::new(from, to, None));
        }
    }
}

impl Liberty {
    /// Visits every legal move of a position whose game is not over.
    #[inline]
    pub(super) fn visit<V: Visitor>(&self, visitor: &mut V) {
        let guard = self.guard();
        let stuck = guard.kings == Kings::One && guard.checks > 1;
        if !stuck {
            for &at in self.commoners(self.side) {
                self.visit_piece(visitor, &guard, at as usize);
            }
        }
        self.visit_rest(visitor, &guard);
    }

    /// Whether there is a legal move, whatever the clock says.
    pub(super) fn has_move(&self) -> bool {
        let guard = self.guard();
        let mut counter = Counter {
            count: 0,
            promotions: 1,
        };
        for &at in self.commoners(self.side) {
            self.visit_piece(&mut counter, &guard, at as usize);
            if counter.count > 0 {
                return true;
            }
        }
        for &king in self.royals(self.side) {
            self.visit_king(&mut counter, &guard, king as usize);
            if counter.count > 0 {
                return true;
            }
        }
        if self.passage.exists() {
            self.visit_en_passant(&mut counter);
        }
        counter.count > 0
    }

    /// The moves of the Kings, and en passant.
    #[inline]
    fn visit_rest<V: Visitor>(&self, visitor: &mut V, guard: &Guard) {
        for &king in self.royals(self.side) {
            self.visit_king(visitor, guard, king as usize);
        }
        if V::TACTICAL && self.passage.exists() {
            self.visit_en_passant(visitor);
        }
    }

    /// The moves of one piece that is not a King.
    #[inline(always)]
    fn visit_piece<V: Visitor>(&self, visitor: &mut V, guard: &Guard, at: usize) {
        let kind = self.board[at] & cell::KIND;
        match guard.leash(at) {
            Leash::Free if kind == Kind::Pawn as u8 => self.visit_pawn(visitor, at, |_| true),
            Leash::Free if is_teleporter(kind) => {
                if V::QUIET {
                    visitor.teleport(self, at);
                }
            }
            Leash::Free => self.visit_steps(visitor, at, |_| true),
            leash => self.visit_leashed(visitor, guard, at, leash),
        }
        if kind == Kind::Bishop as u8 {
            self.visit_el_vaticano(visitor, guard, at);
        }
    }

    /// The moves of a piece that is pinned or has to answer a check.
    #[cold]
    #[inline(never)]
    fn visit_leashed<V: Visitor>(&self, visitor: &mut V, guard: &Guard, at: usize, leash: Leash) {
        let code = self.board[at];
        let kind = code & cell::KIND;
        let allowed = |to: usize| match leash {
            Leash::Free => true,
            Leash::Stuck => false,
            Leash::On(ray) => ray.contains(to),
            Leash::Try => self.keeps_watched_safe(guard, at, to, code),
        };
        if matches!(leash, Leash::Stuck) {
        } else if kind == Kind::Pawn as u8 {
            self.visit_pawn(visitor, at, allowed);
        } else if is_teleporter(kind) {
            if V::QUIET {
                self.visit_leashed_teleport(visitor, guard, at, leash);
            }
        } else {
            self.visit_steps(visitor, at, allowed);
        }
    }

    /// An Obstacle or Wall that must block. Its targets lie on one line; there
    /// is no need to look at the whole board.
    fn visit_leashed_teleport<V: Visitor>(
        &self,
        visitor: &mut V,
        guard: &Guard,
        at: usize,
        leash: Leash,
    ) {
        if let Leash::On(ray) = leash {
            for to in ray.cells() {
                if self.board[to] == cell::EMPTY {
                    visitor.step(at, to);
                }
            }
            return;
        }
        let code = self.board[at];
        let without = Patched {
            board: &self.board,
            patches: [(at, cell::EMPTY)],
        };
        let enemy = self.side.other();
        let mut kings = guard.watched(at);
        match kings.find_map(|king| self.attacker(&without, king, enemy)) {
            None => visitor.teleport(self, at),
            Some(ray) => {
                for to in ray.cells() {
                    let empty = self.board[to] == cell::EMPTY;
                    if empty && self.keeps_watched_safe(guard, at, to, code) {
                        visitor.step(at, to);
                    }
                }
            }
        }
    }

    /// With several Kings: whether a move leaves none of them in check.
    fn keeps_watched_safe(&self, guard: &Guard, from: usize, to: usize, code: u8) -> bool {
        if !guard.stays_between(from, to) {
            return false;
        }
        let after = Patched {
            board: &self.board,
            patches: [(from, cell::EMPTY), (to, code)],
        };
        let enemy = self.side.other();
        let safe = |king: usize| self.attacker(&after, king, enemy).is_none();
        (!cell::is_king(code) || safe(to))
            && guard.watched(from).all(|king| king == from || safe(king))
    }

    /// The sides whose pieces a visitor wants captured.
    #[inline(always)]
    fn prey<V: Visitor>(&self) -> u8 {
        let mut prey = 0;
        if V::TACTICAL {
            prey |= cell::side_bit(self.side.other());
        }
        if V::QUIET && self.setup.variant.friendly_fire {
            prey |= cell::side_bit(self.side);
        }
        prey
    }

    /// Leaps and rides.
    #[inline(always)]
    fn visit_steps<V: Visitor>(
        &self,
        visitor: &mut V,
        from: usize,
        allowed: impl Fn(usize) -> bool,
    ) {
        let board = &*self.board;
        let prey = self.prey::<V>();
        let kind = board[from] & cell::KIND;
        let immune = if kind == Kind::Elephant as u8 {
            Kind::King.bit()
        } else {
            SHIELDED
        };
        let takes = |content: u8| content & prey != 0 && immune >> (content & cell::KIND) & 1 == 0;
        let steps = &self.setup.steps[usize::from(kind)];
        for &leap in steps.leaps() {
            let to = shift(from, leap);
            let content = board[to];
            let wanted = if content == cell::EMPTY {
                V::QUIET
            } else {
                takes(content)
            };
            if wanted && allowed(to) {
                visitor.step(from, to);
            }
        }
        for &ride in steps.rides() {
            let mut to = shift(from, ride);
            while board[to] == cell::EMPTY {
                if V::QUIET && allowed(to) {
                    visitor.step(from, to);
                }
                to = shift(to, ride);
            }
            if takes(board[to]) && allowed(to) {
                visitor.step(from, to);
            }
        }
    }

    /// Pawn moves other than en passant.
    #[inline(always)]
    fn visit_pawn<V: Visitor>(
        &self,
        visitor: &mut V,
        from: usize,
        allowed: impl Fn(usize) -> bool,
    ) {
        let board = &*self.board;
        let rules = &self.setup.pawns[self.side.index()];
        let arrive = |visitor: &mut V, to: usize, capture: bool| {
            if !allowed(to) {
            } else if rules.promotes(to) {
                visitor.promote(from, to, capture);
            } else if capture || V::QUIET {
                visitor.step(from, to);
            }
        };
        let mut to = shift(from, rules.forward);
        if board[to] == cell::EMPTY {
            arrive(visitor, to, false);
            if rules.may_leap(from) {
                for _ in 1..self.setup.variant.pawn_steps {
                    to = shift(to, rules.forward);
                    if board[to] != cell::EMPTY {
                        break;
                    }
                    arrive(visitor, to, false);
                }
            }
        }
        let prey = self.prey::<V>();
        for side in [-1, 1] {
            let to = shift(from, rules.forward + side);
            let content = board[to];
            if content & prey != 0 && !cell::is_king(content) {
                arrive(visitor, to, true);
            }
        }
    }

    /// Pawns next to the squares just passed. Each capture is tried: it empties
    /// two squares at once.
    #[cold]
    #[inline(never)]
    fn visit_en_passant<V: Visitor>(&self, visitor: &mut V) {
        let Some(victim) = self.passage_victim() else {
            return;
        };
        let rules = &self.setup.pawns[self.side.index()];
        let pawn = cell::code(self.side, Kind::Pawn);
        for to in self.passage.cells(self.setup.stride) {
            for side in [-1, 1] {
                let from = shift(to, side - rules.forward);
                if self.board[from] == pawn && self.en_passant_is_legal(from, to, victim) {
                    if rules.promotes(to) {
                        visitor.promote(from, to, true);
                    } else {
                        visitor.step(from, to);
                    }
                }
            }
        }
    }

    /// Whether a Pawn that stands right may take en passant.
    pub(super) fn en_passant_is_legal(&self, from: usize, to: usize, victim: usize) -> bool {
        if self.board[to] != cell::EMPTY {
            return false;
        }
        let patches = [
            (from, cell::EMPTY),
            (to, self.board[from]),
            (victim, cell::EMPTY),
        ];
        let after = Patched {
            board: &self.board,
            patches,
        };
        self.kings_safe(&after, &[])
    }

    /// The cell of the piece that en passant would take: just beyond the
    /// passed squares, seen by the side to move. An L-FEN may name a passage
    /// with nothing to take behind it.
    pub(super) fn passage_victim(&self) -> Option<usize> {
        let victim = match self.side {
            Side::White => self.passage.low as usize - self.setup.stride,
            Side::Black => self.passage.high as usize + self.setup.stride,
        };
        let enemy = cell::side_bit(self.side.other());
        (self.board[victim] & enemy != 0).then_some(victim)
    }

    /// Removals by this Bishop and another one two squares away.
    #[inline]
    fn visit_el_vaticano<V: Visitor>(&self, visitor: &mut V, guard: &Guard, from: usize) {
        let bishop = self.board[from];
        for &step in &self.setup.queen[..4] {
            let to = shift(from, 2 * step);
            if self.board[to] == bishop {
                let middle = shift(from, step);
                let content = self.board[middle];
                let wanted = content & self.prey::<V>() != 0 && guard.may_answer(middle);
                if wanted && self.el_vaticano_is_legal(middle) {
                    visitor.step(from, to);
                }
            }
        }
    }

    /// Whether two own Bishops around this cell may remove what stands there.
    pub(super) fn el_vaticano_is_legal(&self, middle: usize) -> bool {
        let content = self.board[middle];
        if !self.may_be_taken(content) || SHIELDED >> (content & cell::KIND) & 1 != 0 {
            return false;
        }
        let after = Patched {
            board: &self.board,
            patches: [(middle, cell::EMPTY)],
        };
        self.kings_safe(&after, &[])
    }

    /// Whether this piece is an enemy, or an own one under friendly fire.
    pub(super) fn may_be_taken(&self, content: u8) -> bool {
        let mut sides = cell::side_bit(self.side.other());
        if self.setup.variant.friendly_fire {
            sides |= cell::side_bit(self.side);
        }
        content & sides != 0
    }

    /// Steps of a King, and castling.
    #[inline]
    fn visit_king<V: Visitor>(&self, visitor: &mut V, guard: &Guard, from: usize) {
        let prey = self.prey::<V>();
        for &step in &self.setup.queen {
            let to = shift(from, step);
            let content = self.board[to];
            let wanted = if content == cell::EMPTY {
                V::QUIET
            } else {
                content & prey != 0 && !cell::is_king(content)
            };
            if wanted && self.king_step_is_safe(guard, from, to) {
                visitor.step(from, to);
            }
        }
        if V::QUIET && guard.checks == 0 && self.rights & rights::both(self.side) != 0 {
            for kingside in [false, true] {
                if let Some(to) = self.castling_target(from, kingside) {
                    visitor.step(from, to);
                }
            }
        }
    }

    #[inline]
    fn king_step_is_safe(&self, guard: &Guard, from: usize, to: usize) -> bool {
        if guard.kings == Kings::Many {
            return self.keeps_watched_safe(guard, from, to, self.board[from]);
        }
        // Looking outward from the target, only the King's own departure
        // matters.
        let after = Patched {
            board: &self.board,
            patches: [(from, cell::EMPTY)],
        };
        self.attacker(&after, to, self.side.other()).is_none()
    }

    /// Where a King on this cell castles to, if it may. The caller knows that
    /// no own King is in check.
    pub(super) fn castling_target(&self, from: usize, kingside: bool) -> Option<usize> {
        if self.rights & rights::bit(self.side, kingside) == 0 {
            return None;
        }
        let castling = self.setup.castling(self.side, from, kingside)?;
        let mut at = castling.crossed;
        while at != castling.partner {
            if self.board[at] != cell::EMPTY {
                return None;
            }
            at = at.wrapping_add_signed(castling.step);
        }
        // The target can only be occupied by the partner itself.
        let content = self.board[castling.target];
        let free = content == cell::EMPTY || self.may_be_taken(content) && !cell::is_king(content);
        if !free || self.is_cell_attacked(castling.crossed, self.side.other()) {
            return None;
        }
        let after = Patched {
            board: &self.board,
            patches: [
                (from, cell::EMPTY),
                (castling.target, self.board[from]),
                (castling.crossed, self.board[castling.partner]),
                (castling.partner, cell::EMPTY),
            ],
        };
        let moved = [
            (from, castling.target),
            (castling.partner, castling.crossed),
        ];
        let safe = self.kings_safe(&after, &moved);
        safe.then_some(castling.target)
    }

    /// Whether the own Kings are safe once `code` has gone from one cell to
    /// another. A promoting Pawn is still a Pawn here: promoting to a King on
    /// an attacked square is legal.
    pub(super) fn safe_after(&self, from: usize, to: usize, code: u8) -> bool {
        let after = Patched {
            board: &self.board,
            patches: [(from, cell::EMPTY), (to, code)],
        };
        self.kings_safe(&after, &[(from, to)])
    }
}

/// Obstacle and Wall go to any empty square.
#[inline(always)]
pub(super) fn is_teleporter(kind: u8) -> bool {
    kind == Kind::Obstacle as u8 || kind == Kind::Wall as u8
}
