//! Who attacks a square, and what holds the own pieces back.
//!
//! Everything looks outward from the square in question: along the rays, then
//! at the leaps of the kinds the enemy still has. El Vaticano is not an attack.

use super::Liberty;
use super::kind::{DIAGONAL_RIDERS, KNIGHT_LEAPERS, Kind, ORTHOGONAL_RIDERS, STEPPERS, cell};
use crate::game::Side;

/// The board as it would be after a few cells change.
pub(super) trait Look {
    /// What stands on this cell.
    fn at(&self, cell: usize) -> u8;
}

impl Look for [u8] {
    #[inline(always)]
    fn at(&self, cell: usize) -> u8 {
        self[cell]
    }
}

/// A board with up to four cells replaced: how a move is tried without making
/// it. The first entry for a cell counts.
pub(super) struct Patched<'a, const N: usize> {
    pub(super) board: &'a [u8],
    pub(super) patches: [(usize, u8); N],
}

impl<const N: usize> Look for Patched<'_, N> {
    #[inline(always)]
    fn at(&self, cell: usize) -> u8 {
        for &(at, content) in &self.patches {
            if at == cell {
                return content;
            }
        }
        self.board[cell]
    }
}

/// Cells in a straight line from a King: `king + step * i` for `i` in
/// `1..=steps`. The last one is the attacker.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ray {
    pub(super) king: u32,
    pub(super) step: i32,
    pub(super) steps: u32,
}

impl Ray {
    fn new(king: usize, step: i32, steps: u32) -> Self {
        Self {
            king: king as u32,
            step,
            steps,
        }
    }

    /// Whether this cell, which must be on the board, is one of the line.
    /// Steps along a line never leave the board, so the arithmetic on cell
    /// numbers is exact.
    #[inline]
    pub(super) fn contains(&self, cell: usize) -> bool {
        let distance = cell as i32 - self.king as i32;
        let steps = distance / self.step;
        distance % self.step == 0 && steps >= 1 && steps <= self.steps as i32
    }

    /// The cells of the line.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { king, step, steps } = *self;
        (1..=steps as i32).map(move |i| (king as i32 + step * i) as usize)
    }
}

/// An own piece that stands alone between an own King and an enemy rider.
#[derive(Debug, Clone, Copy, Default)]
struct Pin {
    cell: u32,
    ray: Ray,
}

/// Room for the pins of one King: eight queen lines and eight Knight lines.
const PINS: usize = 16;

/// How many Kings have to be kept safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kings {
    /// Nothing to lose.
    None,
    /// The usual case: checks and pins decide everything in advance.
    One,
    /// Moves of Kings and of pinned pieces, and all moves in check, are tried
    /// out.
    Many,
}

/// What the own moves must respect.
pub(super) struct Guard {
    pub(super) kings: Kings,
    pub(super) checks: u32,
    /// The line of the last check found.
    check: Ray,
    /// Pins of a single King.
    pins: [Pin; PINS],
    pin_count: usize,
    /// With several Kings: those in check, each with one line of its checks.
    attacked: Vec<Ray>,
    /// With several Kings: pinned cell and the line of the pin, sorted by cell.
    bonds: Vec<(u32, Ray)>,
}

/// Which targets a piece other than a King has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Leash {
    /// Any.
    Free,
    /// Those on a line: between King and attacker, or the attacker itself.
    On(Ray),
    /// None.
    Stuck,
    /// Each has to be tried.
    Try,
}

impl Guard {
    /// The restriction on the piece on this cell.
    #[inline]
    pub(super) fn leash(&self, at: usize) -> Leash {
        if self.checks == 0 && self.pin_count == 0 {
            return Leash::Free;
        }
        if self.kings == Kings::Many {
            return match self.lines(at).next() {
                Some(_) => Leash::Try,
                None => Leash::Free,
            };
        }
        let mut pins = self.pins[..self.pin_count].iter();
        let pin = pins.find(|pin| pin.cell as usize == at);
        // A piece on one line from the King can never answer a check on
        // another: two lines share no square.
        match (self.checks, pin) {
            (0, None) => Leash::Free,
            (0, Some(pin)) => Leash::On(pin.ray),
            (1, None) => Leash::On(self.check),
            _ => Leash::Stuck,
        }
    }

    /// With several Kings: one line for each that a move of the piece on this cell
    /// can leave in check. Either the King is in check already, or the piece is
    /// pinned to it.
    fn lines(&self, at: usize) -> impl Iterator<Item = &Ray> + '_ {
        let first = self
            .bonds
            .partition_point(|&(cell, _)| (cell as usize) < at);
        let bonds = self.bonds[first..].iter();
        let bound = bonds.take_while(move |&&(cell, _)| cell as usize == at);
        self.attacked.iter().chain(bound.map(|(_, ray)| ray))
    }

    /// The Kings of these lines.
    pub(super) fn watched(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.lines(at).map(|ray| ray.king as usize)
    }

    /// Whether a piece that goes from one cell to another ends on the line of every
    /// check and of its own pins, as it must to keep the Kings safe; lines of a King
    /// that goes itself do not count. What fails this need not be tried out.
    #[inline]
    pub(super) fn stays_between(&self, from: usize, to: usize) -> bool {
        let mut lines = self.lines(from);
        lines.all(|ray| ray.king as usize == from || ray.contains(to))
    }

    /// Whether taking the piece on this cell off the board could end every check.
    #[inline]
    pub(super) fn may_answer(&self, cell: usize) -> bool {
        match self.kings {
            _ if self.checks == 0 => true,
            Kings::Many => self.attacked.iter().all(|ray| ray.contains(cell)),
            _ => self.check.contains(cell),
        }
    }

    fn add_check(&mut self, ray: Ray) {
        self.checks += 1;
        self.check = ray;
        let known = self.attacked.last().map(|ray| ray.king);
        if self.kings == Kings::Many && known != Some(ray.king) {
            self.attacked.push(ray);
        }
    }

    fn add_pin(&mut self, at: usize, ray: Ray) {
        let cell = at as u32;
        if self.kings == Kings::Many {
            self.bonds.push((cell, ray));
        } else {
            // One King has at most one pin on each of its lines.
            self.pins[self.pin_count] = Pin { cell, ray };
        }
        self.pin_count += 1;
    }
}

impl Liberty {
    /// Whether a side has any piece of these kinds.
    #[inline(always)]
    fn has(&self, side: Side, kinds: u32) -> bool {
        self.present[side.index()] & kinds != 0
    }

    /// The first attacker of a cell found, as the line from the cell to it.
    /// The board is `look`; which kinds exist at all is taken from the
    /// position, so `look` may only lack pieces or have moved ones.
    #[inline]
    pub(super) fn attacker<L: Look + ?Sized>(
        &self,
        look: &L,
        target: usize,
        by: Side,
    ) -> Option<Ray> {
        let setup = &*self.setup;
        let enemy = cell::side_bit(by);
        let is = |at: usize, kinds: u32| {
            let content = look.at(at);
            content & enemy != 0 && kinds >> (content & cell::KIND) & 1 != 0
        };
        for (index, &step) in setup.queen.iter().enumerate() {
            let riders = riders_of(index);
            let mut at = shift(target, step);
            let content = look.at(at);
            if content == cell::EMPTY {
                if !self.has(by, riders) {
                    continue;
                }
                let mut steps = 2;
                at = shift(at, step);
                while look.at(at) == cell::EMPTY {
                    at = shift(at, step);
                    steps += 1;
                }
                if is(at, riders) {
                    return Some(Ray::new(target, step, steps));
                }
            } else if is(at, riders | STEPPERS) {
                return Some(Ray::new(target, step, 1));
            }
        }
        let back = -setup.pawns[by.index()].forward;
        for step in [back - 1, back + 1] {
            if is(shift(target, step), Kind::Pawn.bit()) {
                return Some(Ray::new(target, step, 1));
            }
        }
        for (steps, kinds) in self.leap_attacks() {
            if self.has(by, kinds) {
                for &step in steps {
                    if is(shift(target, step), kinds) {
                        return Some(Ray::new(target, step, 1));
                    }
                }
            }
        }
        if self.has(by, Kind::Nightrider.bit()) {
            for &step in &setup.knight {
                let mut at = shift(target, step);
                let mut steps = 1;
                while look.at(at) == cell::EMPTY {
                    at = shift(at, step);
                    steps += 1;
                }
                if is(at, Kind::Nightrider.bit()) {
                    return Some(Ray::new(target, step, steps));
                }
            }
        }
        None
    }

    /// The single leaps other than to a neighbour, with the kinds that make
    /// them.
    #[inline(always)]
    pub(super) fn leap_attacks(&self) -> [(&[i32; 8], u32); 4] {
        [
            (&self.setup.knight, KNIGHT_LEAPERS),
            (&self.setup.jumps, Kind::Champion.bit()),
            (&self.setup.camel, Kind::Camel.bit()),
            (&self.setup.zebra, Kind::Zebra.bit()),
        ]
    }

    /// Whether `by` attacks a cell of the present board.
    pub(super) fn is_cell_attacked(&self, target: usize, by: Side) -> bool {
        self.attacker(&*self.board, target, by).is_some()
    }

    /// Whether no King of the side to move would be attacked on this board.
    /// `moved` lists what went from where to where; a castling King may move
    /// another King.
    #[inline]
    pub(super) fn kings_safe<L: Look + ?Sized>(&self, look: &L, moved: &[(usize, usize)]) -> bool {
        let enemy = self.side.other();
        self.royals(self.side).iter().all(|&king| {
            let king = king as usize;
            let gone = moved.iter().find(|(from, _)| *from == king);
            let at = gone.map_or(king, |&(_, to)| to);
            self.attacker(look, at, enemy).is_none()
        })
    }

    /// Checks and pins of the side to move.
    pub(super) fn guard(&self) -> Guard {
        let royals = self.royals(self.side);
        let mut guard = Guard {
            kings: match *royals {
                [] => Kings::None,
                [_] => Kings::One,
                _ => Kings::Many,
            },
            checks: 0,
            check: Ray::default(),
            pins: [Pin::default(); PINS],
            pin_count: 0,
            attacked: Vec::new(),
            bonds: Vec::new(),
        };
        for &king in royals {
            self.scan_rays(king as usize, &mut guard);
            self.scan_leaps(king as usize, &mut guard);
        }
        guard.bonds.sort_unstable_by_key(|&(cell, _)| cell);
        guard
    }

    /// Checks and pins along the lines of a King.
    fn scan_rays(&self, king: usize, guard: &mut Guard) {
        let enemy = self.side.other();
        for (index, &step) in self.setup.queen.iter().enumerate() {
            let riders = riders_of(index);
            if self.has(enemy, riders) {
                self.scan_ray(king, step, riders, STEPPERS, guard);
            } else {
                let content = self.board[shift(king, step)];
                let kinds = STEPPERS >> (content & cell::KIND) & 1;
                if content & cell::side_bit(enemy) != 0 && kinds != 0 {
                    guard.add_check(Ray::new(king, step, 1));
                }
            }
        }
        if self.has(enemy, Kind::Nightrider.bit()) {
            for &step in &self.setup.knight {
                self.scan_ray(king, step, Kind::Nightrider.bit(), 0, guard);
            }
        }
    }

    /// One line: riders check from anywhere on it, steppers from its first
    /// cell, and a single own piece before a rider is pinned.
    #[inline]
    fn scan_ray(&self, king: usize, step: i32, riders: u32, steppers: u32, guard: &mut Guard) {
        let enemy = cell::side_bit(self.side.other());
        let (at, steps) = self.first_piece(king, step);
        let content = self.board[at];
        if content & enemy != 0 {
            let kinds = if steps == 1 {
                riders | steppers
            } else {
                riders
            };
            if kinds >> (content & cell::KIND) & 1 != 0 {
                guard.add_check(Ray::new(king, step, steps));
            }
        } else if content != cell::OFF {
            let (behind, more) = self.first_piece(at, step);
            let content = self.board[behind];
            if content & enemy != 0 && riders >> (content & cell::KIND) & 1 != 0 {
                guard.add_pin(at, Ray::new(king, step, steps + more));
            }
        }
    }

    /// The first cell from here that is not empty, and its distance in steps.
    #[inline(always)]
    fn first_piece(&self, from: usize, step: i32) -> (usize, u32) {
        let mut at = shift(from, step);
        let mut steps = 1;
        while self.board[at] == cell::EMPTY {
            at = shift(at, step);
            steps += 1;
        }
        (at, steps)
    }

    /// Checks by Pawns and single leaps.
    fn scan_leaps(&self, king: usize, guard: &mut Guard) {
        let by = self.side.other();
        let enemy = cell::side_bit(by);
        let is = |step: i32, kinds: u32| {
            let content = self.board[shift(king, step)];
            content & enemy != 0 && kinds >> (content & cell::KIND) & 1 != 0
        };
        let back = -self.setup.pawns[by.index()].forward;
        for step in [back - 1, back + 1] {
            if is(step, Kind::Pawn.bit()) {
                guard.add_check(Ray::new(king, step, 1));
            }
        }
        for (steps, kinds) in self.leap_attacks() {
            if self.has(by, kinds) {
                for &step in steps {
                    if is(step, kinds) {
                        guard.add_check(Ray::new(king, step, 1));
                    }
                }
            }
        }
    }
}

/// The kinds that ride along the step with this index in `Setup::queen`.
#[inline(always)]
fn riders_of(index: usize) -> u32 {
    if index < 4 {
        ORTHOGONAL_RIDERS
    } else {
        DIAGONAL_RIDERS
    }
}

/// One step from a cell.
#[inline(always)]
pub(super) fn shift(cell: usize, step: i32) -> usize {
    cell.wrapping_add_signed(step as isize)
}
