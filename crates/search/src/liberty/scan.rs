//! One look over the whole board: who attacks what.

use quadrille_games::Side;
use quadrille_games::liberty::{Grid, Kind, Liberty};

use super::placement::Placement;
use super::weights::{
    BISHOPS, BLOCKED, DOUBLED, FAR, HARASSED, ISOLATED, MOBILITY, NEAR, PASSED, PROTECTED, SHELTER,
    SIEGE, TARGET, TROPISM, ZONE,
};
use crate::score::Value;
use crate::tally::Tally;

/// Marks on cells, one bit per side.
const PAWN_ATTACK: u8 = 1;
const KING_ZONE: u8 = 4;

/// The Pawns of both sides as bits of ranks, by file, with an empty file on
/// either side of the board. Kept move by move; not used on boards higher than
/// 64 ranks.
#[derive(Debug, Clone)]
pub(super) struct PawnFiles {
    files: [Vec<u64>; 2],
    used: bool,
}

impl PawnFiles {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let empty = vec![0; usize::from(width) + 2];
        Self {
            files: [empty.clone(), empty],
            used: height <= 64,
        }
    }

    #[inline]
    pub(super) fn toggle(&mut self, side: Side, file: u16, rank: u16) {
        if self.used {
            self.files[side.index()][usize::from(file) + 1] ^= 1 << (rank & 63);
        }
    }

    /// The ranks before a Pawn on this rank.
    #[inline(always)]
    fn ahead(side: Side, rank: u16) -> u64 {
        match side {
            Side::White => !1u64 << (rank & 63),
            Side::Black => (1u64 << (rank & 63)) - 1,
        }
    }

    fn count(&self, side: Side, file: u16, rank: u16, mut found: impl FnMut(usize)) -> bool {
        if !self.used {
            return false;
        }
        let middle = usize::from(file) + 1;
        let own = &self.files[side.index()];
        let enemy = &self.files[side.other().index()];
        let ahead = Self::ahead(side, rank);
        if own[middle - 1] | own[middle + 1] == 0 {
            found(ISOLATED);
        }
        if own[middle] & ahead != 0 {
            found(DOUBLED);
            return false;
        }
        (enemy[middle - 1] | enemy[middle] | enemy[middle + 1]) & ahead == 0
    }
}

/// Scratch space for one look. The marks are cleared cell by cell afterwards,
/// which keeps large boards cheap.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    marks: Vec<u8>,
    touched: Vec<u32>,
}

impl Scan {
    pub(super) fn new(position: &Liberty) -> Self {
        Self {
            marks: vec![0; position.grid().cells()],
            touched: Vec::new(),
        }
    }

    #[inline(always)]
    fn mark(&mut self, cell: usize, mark: u8) {
        if self.marks[cell] == 0 {
            self.touched.push(cell as u32);
        }
        self.marks[cell] |= mark;
    }

    /// Everything that has to be looked up on the board.
    pub(super) fn count(
        &mut self,
        position: &Liberty,
        placement: &Placement,
        pawns: &PawnFiles,
        tally: &mut impl Tally,
    ) {
        let grid = position.grid();
        for side in Side::BOTH {
            self.mark_side(&grid, side, tally);
        }
        for side in Side::BOTH {
            self.count_side(&grid, placement, pawns, side, tally);
            let bishops = position.count(side, Kind::Bishop) >= 2;
            tally.add(side, BISHOPS, Value::from(bishops));
        }
        for cell in self.touched.drain(..) {
            self.marks[cell as usize] = 0;
        }
    }

    /// Marks what Pawns attack and where Kings live.
    fn mark_side(&mut self, grid: &Grid<'_>, side: Side, tally: &mut impl Tally) {
        let shift = side as u8;
        let forward = grid.forward(side);
        for cell in grid.commoners(side) {
            if grid.piece(cell).is_some_and(|p| p.kind == Kind::Pawn) {
                self.mark(step(cell, forward - 1), PAWN_ATTACK << shift);
                self.mark(step(cell, forward + 1), PAWN_ATTACK << shift);
            }
        }
        let mut sheltered = 0;
        for cell in grid.kings(side) {
            self.mark(cell, KING_ZONE << shift);
            for &way in grid.neighbours() {
                let near = step(cell, way);
                self.mark(near, KING_ZONE << shift);
                sheltered += Value::from(grid.is_of(near, side));
            }
        }
        tally.add(side, SHELTER, sheltered.min(6));
    }

    fn count_side(
        &self,
        grid: &Grid<'_>,
        placement: &Placement,
        pawns: &PawnFiles,
        side: Side,
        tally: &mut impl Tally,
    ) {
        let own_pawn = PAWN_ATTACK << side as u8;
        let enemy_pawn = PAWN_ATTACK << side.other() as u8;
        let (mut zone, mut attackers) = (0, 0);
        let (mut protected, mut harassed, mut targets) = (0, 0, 0);
        let mut room = [0; MOST_KINGS];
        let kings = enemy_kings(grid, side, &mut room);
        for cell in grid.commoners(side) {
            let Some(piece) = grid.piece(cell) else {
                continue;
            };
            let marks = self.marks[cell];
            protected += Value::from(marks & own_pawn != 0);
            if piece.kind == Kind::Pawn {
                count_pawn(grid, placement, pawns, (side, cell), tally);
                continue;
            }
            harassed += Value::from(marks & enemy_pawn != 0);
            let kind = piece.kind as usize;
            let mut seen = Seen::default();
            self.look(grid, placement, side, (cell, piece.kind), &mut seen);
            tally.add(side, MOBILITY + kind, seen.free - placement.usual[kind]);
            let square = grid.square(cell);
            let nearest = kings
                .iter()
                .map(|&king| placement.steps(square, king))
                .min();
            if let Some(steps) = nearest {
                tally.add(side, TROPISM + kind, Value::from(FAR.saturating_sub(steps)));
            }
            // As many as fit around a King; more attack several.
            tally.add(side, ZONE + kind, seen.zone.min(8));
            zone += seen.zone;
            attackers += Value::from(seen.zone > 0);
            targets += seen.targets;
        }
        if attackers >= 2 {
            tally.add(side, SIEGE, zone.min(40));
        }
        tally.add(side, PROTECTED, protected);
        tally.add(side.other(), HARASSED, harassed);
        tally.add(side, TARGET, targets);
    }

    /// What one piece attacks.
    #[inline]
    fn look(
        &self,
        grid: &Grid<'_>,
        placement: &Placement,
        side: Side,
        (from, kind): (usize, Kind),
        seen: &mut Seen,
    ) {
        let enemy_pawn = PAWN_ATTACK << side.other() as u8;
        let enemy_king = KING_ZONE << side.other() as u8;
        let value = placement.values[kind as usize];
        grid.attacks(kind, from, |cell| {
            let marks = self.marks[cell];
            seen.zone += Value::from(marks & enemy_king != 0);
            if grid.is_empty(cell) {
                seen.free += Value::from(marks & enemy_pawn == 0);
            } else if !grid.is_of(cell, side) {
                seen.free += 1;
                if let Some(victim) = grid.piece(cell)
                    && placement.values[victim.kind as usize] > value + 50
                    && kind.captures(victim.kind)
                {
                    seen.targets += 1;
                }
            }
        });
    }
}

#[derive(Default)]
struct Seen {
    free: Value,
    zone: Value,
    targets: Value,
}

/// With more Kings than this it does not matter which of them is near.
const MOST_KINGS: usize = 4;

/// The squares of the enemy's Kings; nothing if there are too many.
fn enemy_kings<'a>(grid: &Grid<'_>, side: Side, room: &'a mut [u16; MOST_KINGS]) -> &'a [u16] {
    let mut count = 0;
    for cell in grid.kings(side.other()) {
        let Some(slot) = room.get_mut(count) else {
            return &[];
        };
        *slot = grid.square(cell);
        count += 1;
    }
    &room[..count]
}

fn count_pawn(
    grid: &Grid<'_>,
    placement: &Placement,
    pawns: &PawnFiles,
    (side, cell): (Side, usize),
    tally: &mut impl Tally,
) {
    let square = grid.square(cell);
    let (file, rank) = (square % placement.width, square / placement.width);
    let passed = pawns.count(side, file, rank, |weight| tally.add(side, weight, 1));
    if passed {
        let near = placement.near[placement.ranks_to_go(side, square)];
        tally.add(side, PASSED, 1);
        tally.add(side, NEAR, near);
        let front = step(cell, grid.forward(side));
        if !grid.is_empty(front) {
            tally.add(side, BLOCKED, near);
        }
    }
}

/// One step from a cell.
#[inline(always)]
fn step(cell: usize, step: i32) -> usize {
    cell.wrapping_add_signed(step as isize)
}
