//! The numbers that squares have in the tables' own way of counting. All are
//! worked out at compile time from what they mean.

/// Squares of the triangle a1-d1-d4, into which symmetry brings the first piece:
/// the six below the diagonal first (b1, c1, d1, c2, d2, d3), then a1, b2, c3, d4.
pub(crate) static TRIANGLE: [u8; 64] = triangle();

/// The 28 squares below the long diagonal, b1 to h1 first; 255 for the others.
pub(crate) static BELOW: [u8; 64] = below();

/// Pairs of kings that do not touch: the first by its number in the triangle, the
/// second by its square. Pairs off the diagonal come first; where the first king
/// stands on it the second is at or below it.
pub(crate) static KINGS: [[u16; 64]; 10] = kings();

/// How many pairs there are.
pub(crate) const KING_PAIRS: u64 = 462;

/// No number.
pub(crate) const NONE: u16 = u16::MAX;

/// `CHOOSE[k][n]`: how many sets of `k` there are among `n`.
pub(crate) static CHOOSE: [[u32; 64]; 7] = choose();

/// Where pawns stand: from e7, d7, e6, d6... outwards to h2, a2. Of two pawns
/// the one further out has the larger number.
pub(crate) static PAWN_RANKING: [u8; 64] = pawn_ranking();

/// `PAWNS_BEFORE[k][file][rank]`: placings of `k` more pawns, all with a lower
/// number in [`PAWN_RANKING`], for the ranks of a file (a to d, mirrored) before
/// this one. The last column is the sum.
pub(crate) static PAWNS_BEFORE: [[[u32; 7]; 4]; 6] = pawns_before();

pub(crate) const fn file(square: u8) -> u8 {
    square & 7
}

pub(crate) const fn rank(square: u8) -> u8 {
    square >> 3 & 7
}

const fn triangle() -> [u8; 64] {
    let mut numbers = [255; 64];
    let mut next = 0;
    let mut square = 0;
    while square < 32 {
        let (file, rank) = (file(square), rank(square));
        if file < 4 && file > rank {
            numbers[square as usize] = next;
            next += 1;
        } else if file == rank {
            numbers[square as usize] = 6 + rank;
        }
        square += 1;
    }
    numbers
}

const fn below() -> [u8; 64] {
    let mut numbers = [255; 64];
    let mut next = 0;
    let mut square = 0;
    while square < 64 {
        if file(square) > rank(square) {
            numbers[square as usize] = next;
            next += 1;
        }
        square += 1;
    }
    numbers
}

const fn kings() -> [[u16; 64]; 10] {
    let mut numbers = [[NONE; 64]; 10];
    let mut next = 0;
    // First the pairs of which one stands off the diagonal, then the others.
    let mut both_on_diagonal = false;
    loop {
        let mut first = 0;
        while first < 10 {
            let one = square_in_triangle(first as u8);
            let mut other = 0;
            while other < 64 {
                let above = file(other) < rank(other);
                let on = file(one) == rank(one);
                let both = on && file(other) == rank(other);
                let possible = !(touch(one, other) || on && above);
                if possible && both == both_on_diagonal {
                    numbers[first][other as usize] = next;
                    next += 1;
                }
                other += 1;
            }
            first += 1;
        }
        if both_on_diagonal {
            return numbers;
        }
        both_on_diagonal = true;
    }
}

const fn square_in_triangle(number: u8) -> u8 {
    let mut square = 0;
    while TRIANGLE[square as usize] != number {
        square += 1;
    }
    square
}

const fn touch(one: u8, other: u8) -> bool {
    file(one).abs_diff(file(other)) <= 1 && rank(one).abs_diff(rank(other)) <= 1
}

const fn choose() -> [[u32; 64]; 7] {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
}

const fn pawn_ranking() -> [u8; 64] {
    let mut numbers = [255; 64];
    let mut square = 8;
    while square < 56 {
        let (file, rank) = (file(square), rank(square));
        let left = file < 4;
        let from_edge = if left { file } else { 7 - file };
        numbers[square as usize] = 12 * (3 - from_edge) + 2 * (6 - rank) + left as u8;
        square += 1;
    }
    numbers
}

const fn pawns_before() -> [[[u32; 7]; 4]; 6] {
    let mut table = [[[0; 7]; 4]; 6];
    let mut k = 0;
    while k < 6 {
        let mut file = 0;
        while file < 4 {
            let mut rank = 0;
            while rank < 6 {
                let lower = PAWN_RANKING[8 * (rank + 1) + file] as usize;
                table[k][file][rank + 1] = table[k][file][rank] + CHOOSE[k][lower];
                rank += 1;
            }
            file += 1;
        }
        k += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_are_counted_without_gaps() {
        let mut seen: Vec<u16> = KINGS.into_iter().flatten().filter(|&n| n != NONE).collect();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..KING_PAIRS as u16));
        // a1 and c1 are the first pair with the king in the corner.
        assert_eq!((KINGS[6][2], KINGS[0][3], KINGS[9][63]), (339, 0, 461));
    }

    #[test]
    fn pawn_squares_are_counted_from_the_middle() {
        let at = |file: usize, rank: usize| PAWN_RANKING[8 * rank + file];
        assert_eq!((at(4, 6), at(3, 6), at(4, 5), at(0, 1)), (0, 1, 2, 47));
        // One pawn: six squares a file, whatever the file.
        assert!(PAWNS_BEFORE[0].iter().all(|file| file[6] == 6));
        assert_eq!(PAWNS_BEFORE[1][0][6], 47 + 45 + 43 + 41 + 39 + 37);
    }
}
