//! Where pieces stand, and where they stand to each other.
//!
//! With twelve pieces that belong to neither side, what matters is which piece stands near
//! which, seen from the side to move: 108 places (three kinds on 36 squares)
//! and every pair of places have a weight, fitted to games of the engine
//! against itself. A board and its mirror image are worth the same, so they
//! share their weights.

use std::sync::LazyLock;

use quadrille_games::gyges::{Gyges, GygesMove, Rings};
use quadrille_games::{Position, Side};

use crate::score::Value;

/// Kinds times squares.
const PLACES: usize = 108;
/// Single places, then pairs.
pub(super) const WEIGHTS: usize = PLACES + PLACES * (PLACES - 1) / 2;

/// The weights as signed 16-bit numbers, the low byte first.
static BYTES: &[u8; 2 * WEIGHTS] = include_bytes!("pairs.bin");

/// The weight of every pair of places, in both orders; singles where a place
/// meets itself.
static TABLE: LazyLock<Box<[[i16; 128]; PLACES]>> = LazyLock::new(|| {
    let mut table = Box::new([[0; 128]; PLACES]);
    for a in 0..PLACES {
        for b in 0..PLACES {
            table[a][b] = weight(index(a, b));
        }
    }
    table
});

/// Which weight that is.
static INDICES: LazyLock<Box<[[u16; 128]; PLACES]>> = LazyLock::new(|| {
    let mut table = Box::new([[0; 128]; PLACES]);
    for a in 0..PLACES {
        for b in 0..PLACES {
            table[a][b] = index(a, b) as u16;
        }
    }
    table
});

pub(super) fn weight(index: usize) -> i16 {
    i16::from_le_bytes([BYTES[2 * index], BYTES[2 * index + 1]])
}

/// The weight that two places (or one, given twice) and their mirror images
/// share.
fn index(a: usize, b: usize) -> usize {
    let mirror = |place: usize| place / 6 * 6 + 5 - place % 6;
    plain_index(a, b).min(plain_index(mirror(a), mirror(b)))
}

fn plain_index(a: usize, b: usize) -> usize {
    let (low, high) = (a.min(b), a.max(b));
    if low == high {
        low
    } else {
        PLACES + high * (high - 1) / 2 + low
    }
}

/// The places of all pieces as one side sees them.
fn places(position: &Gyges, view: Side) -> ([u8; 36], usize) {
    let mut places = [0; 36];
    let mut count = 0;
    let turned = view == Side::Black;
    for rings in Rings::ALL {
        let base = 36 * rings.index() as u8;
        // The goals are not places.
        let mut set = position.set(rings) & ((1 << 36) - 1);
        while set != 0 {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            let seen = if turned { 35 - square } else { square };
            places[count] = base + seen;
            count += 1;
        }
    }
    (places, count)
}

/// The sum of all weights, from the side to move's point of view.
#[inline]
pub(super) fn sum(position: &Gyges) -> Value {
    let table = &**TABLE;
    let (places, count) = places(position, position.side());
    let places = &places[..count];
    let mut sum = 0;
    for (i, &a) in places.iter().enumerate() {
        let row = &table[usize::from(a)];
        for &b in &places[..=i] {
            sum += Value::from(row[usize::from(b & 127)]);
        }
    }
    sum
}

/// The weights in that sum, as one side sees the board.
#[inline]
pub(super) fn each(position: &Gyges, view: Side, mut each: impl FnMut(usize)) {
    let table = &**INDICES;
    let (places, count) = places(position, view);
    let places = &places[..count];
    for (i, &a) in places.iter().enumerate() {
        let row = &table[usize::from(a)];
        for &b in &places[..=i] {
            each(usize::from(row[usize::from(b & 127)]));
        }
    }
}

/// The sum taken apart: the places of each kind, then all pairs.
pub(super) fn parts(position: &Gyges) -> [Value; 4] {
    let mut parts = [0; 4];
    each(position, position.side(), |index| {
        let part = if index < PLACES { index / 36 } else { 3 };
        parts[part] += Value::from(weight(index));
    });
    parts
}

/// A board prepared for asking what single moves would make of it.
pub(super) struct Board {
    /// For each place, all its pairs with the pieces on the board, and itself
    /// if it is taken.
    rows: [i32; 128],
    sum: Value,
    /// The kind on each square as seen, 3 for none.
    kinds: [u8; 36],
    turned: bool,
}

impl Board {
    /// As the side that is not to move sees it: its turn comes next.
    pub(super) fn seen_by_opponent(position: &Gyges) -> Self {
        let table = &**TABLE;
        let turned = position.side() == Side::White;
        let (places, count) = places(position, position.side().other());
        let mut board = Self {
            rows: [0; 128],
            sum: 0,
            kinds: [3; 36],
            turned,
        };
        let mut singles = 0;
        for &place in &places[..count] {
            let row = &table[usize::from(place)];
            for (sum, &weight) in board.rows.iter_mut().zip(row) {
                *sum += i32::from(weight);
            }
            singles += Value::from(row[usize::from(place & 127)]);
            board.kinds[usize::from(place % 36)] = place / 36;
        }
        // Every pair is in two rows, every single in one.
        for &place in &places[..count] {
            board.sum += board.rows[usize::from(place)];
        }
        board.sum = (board.sum + singles) / 2;
        board
    }

    /// The sum after a legal move that does not enter a goal.
    pub(super) fn after(&self, m: GygesMove) -> Value {
        let table = &**TABLE;
        let seen = |square: u8| {
            let square = square.min(35);
            usize::from(if self.turned { 35 - square } else { square })
        };
        let pair = |a: usize, b: usize| i32::from(table[a % PLACES][b & 127]);
        let add = |place: usize| pair(place, place) + self.rows[place];
        let mover = usize::from(self.kinds[seen(m.start())].min(2)) * 36;
        let (a, b) = (mover + seen(m.start()), mover + seen(m.end()));
        let Some(drop) = m.drop() else {
            return self.sum - self.rows[a] + add(b) - pair(b, a);
        };
        let displaced = usize::from(self.kinds[seen(m.end())].min(2)) * 36;
        let (c, d) = (displaced + seen(m.end()), displaced + seen(drop));
        if b == c {
            // Equals: it is as if the mover had gone to the drop square.
            return self.sum - self.rows[a] + add(d) - pair(d, a);
        }
        let without = self.sum - self.rows[a] - self.rows[c] + pair(a, c);
        without + add(b) - pair(b, a) - pair(b, c) + add(d) - pair(d, a) - pair(d, c) + pair(d, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::gyges::GygesRules;

    #[test]
    fn promises_are_what_the_evaluation_says_afterwards() {
        let mut checked = 0;
        for number in (0..Gyges::STARTS).step_by(811) {
            let mut position = Gyges::start_numbered(number, &GygesRules::default())
                .expect("the number of a start");
            for ply in 0..12 {
                let board = Board::seen_by_opponent(&position);
                let moves = position.moves();
                for &m in moves.iter().filter(|m| !m.is_goal()) {
                    assert_eq!(
                        board.after(m),
                        sum(&position.after(m)),
                        "{m} in {position:?}"
                    );
                    checked += 1;
                }
                let quiet: Vec<_> = moves.iter().filter(|m| !m.is_goal()).collect();
                let Some(&&m) = quiet.get((number + 31 * ply) % quiet.len().max(1)) else {
                    break;
                };
                position.make(m, &mut ());
            }
        }
        assert!(checked > 10_000);
    }
}
