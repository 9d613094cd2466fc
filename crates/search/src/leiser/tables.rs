//! Geometry of the two board sizes, made once.

use std::sync::LazyLock;

use quadrille_games::leiser::{Square, SquareSet};

use crate::score::Value;

/// Distances up to this are told apart.
pub(super) const FAR: usize = 4;

/// What depends on one square or two, for one board size. Arrays have 128
/// entries so that a masked index needs no check.
pub(super) struct Tables {
    /// The King's square and its neighbours.
    pub(super) room: [SquareSet; 128],
    /// Files exactly that far away, and ranks.
    pub(super) lines: [[[SquareSet; 2]; FAR]; 128],
    /// Squares at most that many King's steps away, 1 to 3.
    pub(super) rings: [[SquareSet; 3]; 128],
    /// Sixteenths of the way from the rim to the centre.
    pub(super) centrality: [Value; 128],
    files: [[SquareSet; 10]; 10],
    ranks: [[SquareSet; 10]; 10],
    size: u8,
}

static TABLES: LazyLock<[Tables; 2]> = LazyLock::new(|| [Tables::new(8), Tables::new(10)]);

/// The tables for boards with this many files.
pub(super) fn tables(files: u16) -> &'static Tables {
    &TABLES[usize::from(files != 8)]
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

impl Tables {
    fn new(size: u8) -> Self {
        let none = SquareSet::EMPTY;
        let mut tables = Self {
            room: [none; 128],
            lines: [[[none; 2]; FAR]; 128],
            rings: [[none; 3]; 128],
            centrality: [0; 128],
            files: [[none; 10]; 10],
            ranks: [[none; 10]; 10],
            size,
        };
        for (square, file, rank) in squares(size) {
            let at = square.index();
            let steps = move |f: u8, r: u8| f.abs_diff(file).max(r.abs_diff(rank));
            tables.room[at] = set(size, |f, r| steps(f, r) <= 1);
            for (distance, lines) in tables.lines[at].iter_mut().enumerate() {
                let exactly = |a: u8, b: u8| usize::from(a.abs_diff(b)) == distance;
                lines[0] = set(size, |f, _| exactly(f, file));
                lines[1] = set(size, |_, r| exactly(r, rank));
            }
            for (ring, squares) in tables.rings[at].iter_mut().enumerate() {
                *squares = set(size, |f, r| usize::from(steps(f, r)) <= ring + 1);
            }
            tables.centrality[at] = centrality(file, rank, size);
        }
        for a in 0..size {
            for b in 0..size {
                let between = move |x: u8| a.min(b) <= x && x <= a.max(b);
                let at = (usize::from(a), usize::from(b));
                tables.files[at.0][at.1] = set(size, |f, _| between(f));
                tables.ranks[at.0][at.1] = set(size, |_, r| between(r));
            }
        }
        tables
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
