//! Where pieces like to stand, computed once for a variant.
//!
//! A square matters through its distance to the nearest edges, so a table per
//! kind has 8 by 8 entries whatever the size of the board.

use quadrille_games::Side;
use quadrille_games::liberty::{Kind, Liberty, Piece};

use super::values::{PAWN, Values, mobility, values};
use crate::score::Value;

/// A value in the middle game and in the endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Pair {
    pub(super) middle: Value,
    pub(super) end: Value,
}

impl Pair {
    pub(super) const fn new(middle: Value, end: Value) -> Self {
        Self { middle, end }
    }

    pub(super) const fn both(value: Value) -> Self {
        Self::new(value, value)
    }
}

impl core::ops::Add for Pair {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::new(self.middle + other.middle, self.end + other.end)
    }
}

impl core::ops::AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl core::ops::SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.middle -= other.middle;
        self.end -= other.end;
    }
}

/// Distances to an edge that are told apart.
const EDGE: usize = 8;

/// What stays the same for all positions of a variant.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) values: &'static Values,
    pub(super) width: u16,
    pub(super) height: u16,
    /// By kind and edge class.
    places: Vec<[Pair; EDGE * EDGE]>,
    /// By ranks to go to promotion.
    pawns: Vec<Pair>,
    /// Edge class of each square.
    classes: Box<[u8]>,
    /// Material (both sides, without Pawns) with which the middle game ends.
    pub(super) full: Value,
}

impl Tables {
    pub(super) fn new(position: &Liberty) -> Self {
        let variant = position.variant();
        let (width, height) = (variant.width, variant.height);
        let values = values(width, height);
        let size = (i32::from(width), i32::from(height));
        let mut places = vec![[Pair::default(); EDGE * EDGE]; 19];
        for kind in Kind::ALL {
            places[kind as usize] = place_table(kind, size);
        }
        let best = variant.promotions.iter().map(|&k| values[k as usize]).max();
        let prize = (best.unwrap_or(PAWN) - PAWN).max(0);
        let class = |square: usize| {
            let (file, rank) = (square % usize::from(width), square / usize::from(width));
            let edge = |at: usize, size: u16| at.min(usize::from(size) - 1 - at).min(EDGE - 1);
            (edge(file, width) * EDGE + edge(rank, height)) as u8
        };
        Self {
            values,
            width,
            height,
            places,
            pawns: (0..i32::from(height))
                .map(|togo| advance(togo, prize))
                .collect(),
            classes: (0..variant.squares()).map(class).collect(),
            full: 800 * Value::from(width),
        }
    }

    /// Value and place of a piece.
    #[inline]
    pub(super) fn of(&self, piece: Piece, square: u16) -> Pair {
        let kind = piece.kind as usize;
        let class = usize::from(self.classes[usize::from(square)]);
        let mut pair = Pair::both(self.values[kind]) + self.places[kind][class];
        if piece.kind == Kind::Pawn {
            pair += self.pawns[self.ranks_to_go(piece.side, square)];
        }
        pair
    }

    /// How many ranks a Pawn is from promotion.
    #[inline]
    pub(super) fn ranks_to_go(&self, side: Side, square: u16) -> usize {
        let rank = square / self.width;
        usize::from(match side {
            Side::White => self.height - 1 - rank,
            Side::Black => rank,
        })
    }
}

/// Pawns become more valuable the nearer they are to a prize.
fn advance(togo: i32, prize: Value) -> Pair {
    let near = prize / ((togo + 1) * (togo + 1));
    Pair::new(near / 3 - 15, near / 2 + 10)
}

/// The centre is worth what it adds to mobility; Kings avoid it until the
/// board is empty.
fn place_table(kind: Kind, size: (i32, i32)) -> [Pair; EDGE * EDGE] {
    let mut table = [Pair::default(); EDGE * EDGE];
    let centre = (size.0 / 2, size.1 / 2);
    let best = mobility(kind, centre, size);
    for (class, pair) in table.iter_mut().enumerate() {
        let at = ((class / EDGE) as i32, (class % EDGE) as i32);
        if at.0 * 2 > size.0 || at.1 * 2 > size.1 {
            continue;
        }
        let lost = (mobility(kind, at, size) - best).min(0.0);
        let inner = at.0.min(3) + at.1.min(3);
        *pair = match kind {
            Kind::King => Pair::new(-8 * inner, 8 * inner),
            Kind::Pawn => Pair::new(4 * at.0.min(3), 0),
            Kind::Obstacle | Kind::Wall => Pair::default(),
            _ => Pair::both((7.0 * lost).round() as Value),
        };
    }
    table
}
