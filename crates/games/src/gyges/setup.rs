//! The setup before the first move, which the protocol leaves to the host.
//!
//! Each side puts two pieces of each kind on its home row, side 1 first: 90
//! rows a side, 8,100 starts.

use super::board::{Gyges, GygesRules};
use super::moves::Rings;
use super::text::error;
use crate::error::{PositionError, PositionErrorKind};
use crate::game::Side;
use crate::random::SplitMix64;

/// Every home row, as ring counts from the `a` file to the `f` file, in
/// ascending order: `112233` is number 0, `332211` number 89.
pub const HOME_ROWS: [[u8; 6]; 90] = {
    let mut rows = [[0; 6]; 90];
    let mut count = 0;
    // All numbers of six ternary digits in order; those with each digit twice
    // are rows.
    let mut code = 0;
    while code < 729 {
        let mut row = [0u8; 6];
        let mut left = [2i8; 3];
        let (mut rest, mut column, mut fits) = (code, 6, true);
        while column > 0 {
            column -= 1;
            let digit = rest % 3;
            rest /= 3;
            row[column] = digit as u8 + 1;
            left[digit] -= 1;
            fits &= left[digit] >= 0;
        }
        if fits {
            rows[count] = row;
            count += 1;
        }
        code += 1;
    }
    assert!(count == 90, "6! / (2! 2! 2!)");
    rows
};

/// Home row number `n` (0 to 89), from the `a` file to the `f` file.
///
/// ```
/// use quadrille_games::gyges::{home_row, home_row_index};
///
/// assert_eq!(home_row(0), Some([1, 1, 2, 2, 3, 3]));
/// assert_eq!(home_row_index(&[3, 2, 1, 1, 2, 3]), Some(72));
/// assert_eq!(home_row(90), None);
/// ```
pub fn home_row(n: usize) -> Option<[u8; 6]> {
    HOME_ROWS.get(n).copied()
}

/// The number of a home row, if it is one.
pub fn home_row_index(row: &[u8; 6]) -> Option<usize> {
    HOME_ROWS.binary_search(row).ok()
}

impl Gyges {
    /// Starts a game could have: 90 rows for each side.
    pub const STARTS: usize = HOME_ROWS.len() * HOME_ROWS.len();

    /// The position in which both sides have placed their pieces; side 1 moves
    /// first. Both rows are given from the `a` file to the `f` file, as side 1
    /// sees the board.
    pub fn from_rows(
        south: &[u8; 6],
        north: &[u8; 6],
        rules: &GygesRules,
    ) -> Result<Self, PositionError> {
        let mut kinds = [0; 3];
        for (field, row, base) in [("south row", south, 0), ("north row", north, 30)] {
            if home_row_index(row).is_none() {
                let why = "a home row holds two pieces each of one, two and three rings";
                return Err(error(field, 1, PositionErrorKind::Impossible(why)));
            }
            for (column, &count) in row.iter().enumerate() {
                if let Some(rings) = Rings::from_count(count) {
                    kinds[rings.index()] |= 1 << (base + column);
                }
            }
        }
        Ok(Self::assemble(kinds, Side::White, rules.no_change))
    }

    /// Start number `n` (below [`STARTS`](Self::STARTS)): row `n / 90` for side
    /// 1, row `n % 90` for side 2.
    pub fn start_numbered(n: usize, rules: &GygesRules) -> Option<Self> {
        let south = home_row(n / HOME_ROWS.len())?;
        let north = home_row(n % HOME_ROWS.len())?;
        Self::from_rows(&south, &north, rules).ok()
    }

    /// The number of this start, if all pieces stand on the home rows as after
    /// the setup and side 1 is to move.
    pub fn start_number(&self) -> Option<usize> {
        let row = |base: u8| {
            let mut row = [0; 6];
            for (column, slot) in row.iter_mut().enumerate() {
                *slot = self.piece(base + column as u8)?.count();
            }
            home_row_index(&row)
        };
        let number = row(0)? * HOME_ROWS.len() + row(30)?;
        let whole = self.occupied().count_ones() == 12 && self.winner().is_none();
        (whole && self.side == Side::White).then_some(number)
    }

    /// A start drawn by lot. The same seed gives the same start on every
    /// machine, and every start is as likely as any other to within one in
    /// 10^15.
    pub fn random_start(seed: u64, rules: &GygesRules) -> Self {
        let number = SplitMix64::new(seed).index(Self::STARTS);
        let [south, north] = [number / 90, number % 90].map(|row| HOME_ROWS[row]);
        let mut kinds = [0; 3];
        for column in 0..6 {
            kinds[south[column] as usize - 1] |= 1 << column;
            kinds[north[column] as usize - 1] |= 1 << (30 + column);
        }
        Self::assemble(kinds, Side::White, rules.no_change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    #[test]
    fn rows_and_starts_are_numbered_both_ways() {
        let rules = GygesRules::default();
        for n in 0..90 {
            assert_eq!(home_row(n).and_then(|row| home_row_index(&row)), Some(n));
        }
        for n in 0..Gyges::STARTS {
            let start = Gyges::start_numbered(n, &rules);
            assert_eq!(start.and_then(|s| s.start_number()), Some(n));
        }
        assert_eq!(Gyges::start_numbered(Gyges::STARTS, &rules), None);
        assert_eq!(Gyges::start_numbered(usize::MAX, &rules), None);
        let usual = Gyges::start(&rules).start_number();
        assert_eq!(usual, Some(72 * 90 + 72));
    }

    #[test]
    fn random_starts_are_starts_and_differ() {
        let rules = GygesRules::default();
        let numbers: std::collections::HashSet<_> = (0..2000)
            .map(|seed| Gyges::random_start(seed, &rules).start_number())
            .collect();
        assert!(!numbers.contains(&None));
        assert!(numbers.len() > 1700, "{}", numbers.len());
    }

    #[test]
    fn bad_rows_are_refused() {
        let rules = GygesRules::default();
        let good = [1, 1, 2, 2, 3, 3];
        for bad in [[1, 1, 1, 2, 3, 3], [0, 1, 2, 2, 3, 3], [255; 6]] {
            let south = Gyges::from_rows(&bad, &good, &rules);
            assert_eq!(south.map_err(|e| e.field), Err("south row"));
            let north = Gyges::from_rows(&good, &bad, &rules);
            assert_eq!(north.map_err(|e| e.field), Err("north row"));
        }
    }
}
