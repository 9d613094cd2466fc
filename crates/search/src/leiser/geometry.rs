//! Geometry of the two board sizes, made once.

use std::fmt;
use std::sync::LazyLock;

use quadrille_games::leiser::{Square, SquareSet};

use crate::score::Value;

/// How one square lies to another, whichever way the board is turned or
/// mirrored: the larger distance up to 4, the smaller one up to it.
pub(super) const OFFSETS: usize = 15;

/// What depends on one square or two, for one board size. Arrays have 128
/// entries so that a masked index needs no check.
pub(super) struct Geometry {
    /// The King's square and its neighbours.
    pub(super) room: [SquareSet; 128],
    /// The offset class of every square to every other.
    offsets: [[u8; 128]; 128],
    /// The squares north, east, south and west of a square, the nearest first.
    rays: Vec<[Vec<Square>; 4]>,
    /// Sixteenths of the way from the rim to the centre.
    pub(super) centrality: [Value; 128],
    files: [[SquareSet; 10]; 10],
    ranks: [[SquareSet; 10]; 10],
    size: u8,
}

impl fmt::Debug for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Geometry({})", self.size)
    }
}

static GEOMETRIES: LazyLock<[Geometry; 2]> =
    LazyLock::new(|| [Geometry::new(8), Geometry::new(10)]);

/// The geometry for boards with this many files.
pub(super) fn geometry(files: u16) -> &'static Geometry {
    &GEOMETRIES[usize::from(files != 8)]
}

/// The squares of a board, with file and rank.
fn squares(size: u8) -> impl Iterator<Item = (Square, u8, u8)> {
    (0..size).flat_map(move |rank| {
        (0..size).filter_map(move |file| Some((Square::at(file, rank, size)?, file, rank)))
    })
}

fn set(size: u8, wanted: impl Fn(u8, u8) -> bool) -> SquareSet {
    squares(size)
        .filter(|&(_, file, rank)| wanted(file, rank))
        .fold(SquareSet::EMPTY, |all, (square, ..)| {
            all | SquareSet::of(square)
        })
}

fn offset(a: (u8, u8), b: (u8, u8)) -> u8 {
    let (x, y) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    let (far, near) = (x.max(y).min(4), x.min(y).min(4));
    far * (far + 1) / 2 + near
}

fn rays(size: u8, file: u8, rank: u8) -> [Vec<Square>; 4] {
    let at = |f: u8, r: u8| Square::at(f, r, size);
    [
        (rank + 1..size).filter_map(|r| at(file, r)).collect(),
        (file + 1..size).filter_map(|f| at(f, rank)).collect(),
        (0..rank).rev().filter_map(|r| at(file, r)).collect(),
        (0..file).rev().filter_map(|f| at(f, rank)).collect(),
    ]
}

impl Geometry {
    fn new(size: u8) -> Self {
        let none = SquareSet::EMPTY;
        let mut geometry = Self {
            room: [none; 128],
            offsets: [[0; 128]; 128],
            rays: Vec::new(),
            centrality: [0; 128],
            files: [[none; 10]; 10],
            ranks: [[none; 10]; 10],
            size,
        };
        for (square, file, rank) in squares(size) {
            let at = square.index();
            let steps = move |f: u8, r: u8| f.abs_diff(file).max(r.abs_diff(rank));
            geometry.room[at] = set(size, |f, r| steps(f, r) <= 1);
            for (other, f, r) in squares(size) {
                geometry.offsets[at][other.index()] = offset((file, rank), (f, r));
            }
            // Squares come in the order of their numbers.
            geometry.rays.push(rays(size, file, rank));
            geometry.centrality[at] = centrality(file, rank, size);
        }
        for a in 0..size {
            for b in 0..size {
                let between = move |x: u8| a.min(b) <= x && x <= a.max(b);
                let at = (usize::from(a), usize::from(b));
                geometry.files[at.0][at.1] = set(size, |f, _| between(f));
                geometry.ranks[at.0][at.1] = set(size, |_, r| between(r));
            }
        }
        geometry
    }

    /// How `square` lies to `to`.
    #[inline(always)]
    pub(super) fn offset(&self, square: Square, to: Square) -> usize {
        usize::from(self.offsets[to.index() & 127][square.index() & 127])
    }

    /// The squares from which a beam could come straight at `king`: along each
    /// of the four lines up to the first piece.
    #[inline]
    pub(super) fn open(&self, king: Square, occupied: SquareSet) -> SquareSet {
        let mut open = SquareSet::EMPTY;
        for ray in &self.rays[king.index()] {
            for &square in ray {
                open |= SquareSet::of(square);
                if occupied.contains(square) {
                    break;
                }
            }
        }
        open
    }

    /// File and rank of a square.
    #[inline(always)]
    pub(super) fn place(&self, square: Square) -> (Value, Value) {
        let (file, rank) = (square.file(self.size), square.rank(self.size));
        (Value::from(file), Value::from(rank))
    }

    /// The rectangle that has the two squares as corners.
    #[inline(always)]
    pub(super) fn rectangle(&self, a: Square, b: Square) -> SquareSet {
        let ((fa, ra), (fb, rb)) = (self.place(a), self.place(b));
        self.files[fa as usize][fb as usize] & self.ranks[ra as usize][rb as usize]
    }

    /// How many squares lie behind the King on `a`, seen from `b`, in 64ths of
    /// the board; its own rank and file count.
    #[inline(always)]
    pub(super) fn behind(&self, a: Square, b: Square) -> Value {
        let size = Value::from(self.size);
        let ((fa, ra), (fb, rb)) = (self.place(a), self.place(b));
        let depth = |own: Value, other: Value| match own - other {
            d if d > 0 => size - own,
            d if d < 0 => own + 1,
            // Level with the enemy: both sides of the board are half behind.
            _ => (size + 1) / 2,
        };
        depth(fa, fb) * depth(ra, rb) * 64 / (size * size)
    }
}

/// 16 in the middle, falling with the distance.
fn centrality(file: u8, rank: u8, size: u8) -> Value {
    let off = |x: u8| {
        let twice = f64::from(2 * x) - f64::from(size - 1);
        (twice.abs() - 1.0) / 2.0
    };
    let radius = f64::from(size) / f64::sqrt(2.0);
    let distance = off(file).hypot(off(rank));
    (16.0 * (1.0 - distance / radius)).round() as Value
}
