//! The geometry of the board, worked out by the compiler.
//!
//! A **run** is one, two or three steps without a bounce. From one square with
//! one ring count there are at most 40 of them, so a set of runs fits in a
//! `u64` and "which runs are not blocked" is a handful of table look-ups.

/// Squares of the grid, without the goals.
pub(super) const SQUARES: usize = 36;
/// The goal behind side 1; side 2 wins there.
pub(super) const GOAL_SOUTH: u8 = 36;
/// The goal behind side 2; side 1 wins there.
pub(super) const GOAL_NORTH: u8 = 37;
/// The 36 squares as a set.
pub(super) const BOARD: u64 = (1 << SQUARES) - 1;
/// Both goals as a set.
pub(super) const GOALS: u64 = (1 << GOAL_SOUTH) | (1 << GOAL_NORTH);
/// The six squares of the row nearest side 1.
pub(super) const ROW: u64 = 0b11_1111;

/// Everything about the runs from one square with one ring count. Run `k` is
/// bit `k` wherever a set of runs is meant.
pub(super) struct Origin {
    /// The edges run `k` uses. Goal edges are not among the 60: a goal step is
    /// the last of its move, so nothing can use it again.
    edges: [u64; 64],
    /// Where run `k` ends.
    ends: [u8; 64],
    /// The runs that cross this square and so need it empty.
    through: [u64; SQUARES],
    /// The runs that end on this square.
    into: [u64; SQUARES + 2],
    /// All runs that do not enter one's own goal, by side.
    pub(super) all: [u64; 2],
    /// Squares that some run crosses.
    pub(super) crossed: u64,
    /// Squares (and goals) on which some run ends.
    pub(super) reached: u64,
    /// Edges that some run uses.
    pub(super) touched: u64,
    count: u32,
}

impl Origin {
    const EMPTY: Self = Self {
        edges: [0; 64],
        ends: [0; 64],
        through: [0; SQUARES],
        into: [0; SQUARES + 2],
        all: [0; 2],
        crossed: 0,
        reached: 0,
        touched: 0,
        count: 0,
    };

    /// The edges of a run.
    #[inline(always)]
    pub(super) fn edges(&self, run: u32) -> u64 {
        self.edges[(run & 63) as usize]
    }

    /// The square or goal on which a run ends.
    #[inline(always)]
    pub(super) fn end(&self, run: u32) -> u8 {
        self.ends[(run & 63) as usize]
    }

    /// The runs that cross `square`, which must be one of the 36.
    #[inline(always)]
    pub(super) fn through(&self, square: u8) -> u64 {
        self.through[square as usize]
    }

    /// The runs that end on `square`, a square or a goal.
    #[inline(always)]
    pub(super) fn into(&self, square: u8) -> u64 {
        self.into[square as usize]
    }

    const fn add(&mut self, edges: u64, crossed: u64, end: usize) {
        let k = self.count;
        assert!(k < 64, "a set of runs must fit in a u64");
        self.count += 1;
        self.edges[k as usize] = edges;
        self.ends[k as usize] = end as u8;
        self.into[end] |= 1 << k;
        self.crossed |= crossed;
        self.reached |= 1 << end;
        self.touched |= edges;
        if end != GOAL_SOUTH as usize {
            self.all[0] |= 1 << k;
        }
        if end != GOAL_NORTH as usize {
            self.all[1] |= 1 << k;
        }
        let mut rest = crossed;
        while rest != 0 {
            self.through[rest.trailing_zeros() as usize] |= 1 << k;
            rest &= rest - 1;
        }
    }

    /// Adds every continuation of a run that stands on `at` with `left` steps
    /// to go.
    const fn extend(&mut self, at: usize, left: usize, edges: u64, crossed: u64) {
        if left == 1 && at >= 30 {
            self.add(edges, crossed, GOAL_NORTH as usize);
        }
        if left == 1 && at < 6 {
            self.add(edges, crossed, GOAL_SOUTH as usize);
        }
        let mut direction = 0;
        while direction < 4 {
            if let Some(next) = step(at, direction) {
                let edge = edge(at, next);
                if edges & edge == 0 {
                    if left == 1 {
                        self.add(edges | edge, crossed, next);
                    } else {
                        self.extend(next, left - 1, edges | edge, crossed | 1 << next);
                    }
                }
            }
            direction += 1;
        }
    }
}

/// The square one step up, right, down or left of `from`, if the board has it.
pub(super) const fn step(from: usize, direction: u8) -> Option<usize> {
    match direction {
        0 if from < 30 => Some(from + 6),
        1 if from % 6 < 5 => Some(from + 1),
        2 if from >= 6 => Some(from - 6),
        3 if !from.is_multiple_of(6) => Some(from - 1),
        _ => None,
    }
}

/// The edge between two neighbours as one of 60 bits: first the 30 horizontal
/// ones by rows, then the 30 vertical ones.
pub(super) const fn edge(a: usize, b: usize) -> u64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if high - low == 1 {
        1 << (low / 6 * 5 + low % 6)
    } else {
        1 << (30 + low)
    }
}

static ORIGINS: [[Origin; SQUARES]; 3] = {
    let mut origins = [const { [const { Origin::EMPTY }; SQUARES] }; 3];
    let mut rings = 0;
    while rings < 3 {
        let mut square = 0;
        while square < SQUARES {
            origins[rings][square].extend(square, rings + 1, 0, 0);
            square += 1;
        }
        rings += 1;
    }
    origins
};

/// The runs of a piece with `kind + 1` rings on `square`.
#[inline(always)]
pub(super) fn origin(kind: usize, square: u8) -> &'static Origin {
    &ORIGINS[kind][square as usize]
}

/// `NEARBY[kind][square]`: the squares from which a piece of that kind has a
/// run that crosses or enters `square`, or rather a simple superset of them:
/// those at most as many steps away as the piece has rings.
pub(super) static NEARBY: [[u64; SQUARES]; 3] = {
    let mut table = [[0; SQUARES]; 3];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            let distance = (a / 6).abs_diff(b / 6) + (a % 6).abs_diff(b % 6);
            let mut kind = 0;
            while kind < 3 {
                if distance <= kind + 1 {
                    table[kind][a] |= 1 << b;
                }
                kind += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// The elements of a set of squares or runs, lowest first.
pub(super) struct Bits(pub(super) u64);

impl Iterator for Bits {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_counts_match_a_count_by_hand() {
        assert_eq!(origin(0, 0).count, 3, "two neighbours and the goal");
        assert_eq!(origin(0, 14).count, 4);
        assert_eq!(origin(1, 14).count, 12);
        // 4 * 3 * 3 in the open; from c3 three steps left fall off the board,
        // and three steps down end in the goal.
        assert_eq!(origin(2, 14).count, 35);
        let most = ORIGINS.iter().flatten().map(|o| o.count).max();
        assert!(most <= Some(40), "{most:?}");
    }

    #[test]
    fn there_are_sixty_edges() {
        let mut all = 0u64;
        for from in 0..SQUARES {
            for to in (0..4).filter_map(|d| step(from, d)) {
                assert_eq!(edge(from, to).count_ones(), 1);
                all |= edge(from, to);
            }
        }
        assert_eq!(all, (1 << 60) - 1);
    }

    #[test]
    fn no_run_meets_its_own_origin() {
        // The walker relies on it: whether the origin itself is occupied does
        // not matter for its runs.
        for (kind, row) in ORIGINS.iter().enumerate() {
            for (square, origin) in row.iter().enumerate() {
                assert_eq!((origin.crossed | origin.reached) >> square & 1, 0);
                let near = (origin.crossed | origin.reached) & BOARD;
                assert!(Bits(near).all(|s| NEARBY[kind][s as usize] >> square & 1 == 1));
            }
        }
    }
}
