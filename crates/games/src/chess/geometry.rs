//! Tables of geometry, all computed at compile time.

// These arrays live on the compiler's stack, not on ours.
#![allow(clippy::large_stack_arrays)]

/// A step on the board in files and ranks.
type Step = (i8, i8);

const KNIGHT_STEPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// All eight directions; the first four are those of the rook.
const DIRECTIONS: [Step; 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

/// The square one step away, or 64 off the board.
const fn step(square: usize, step: Step) -> usize {
    let file = (square & 7) as i8 + step.0;
    let rank = (square >> 3) as i8 + step.1;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return 64;
    }
    (rank * 8 + file) as usize
}

const fn leaper(steps: &[Step]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let to = step(square, steps[i]);
            if to < 64 {
                table[square] |= 1 << to;
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// The squares from `square` outwards in one direction up to the edge.
const fn ray(square: usize, direction: Step) -> u64 {
    let mut set = 0;
    let mut to = step(square, direction);
    while to < 64 {
        set |= 1 << to;
        to = step(to, direction);
    }
    set
}

const fn rays(first: usize, last: usize) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut d = first;
        while d < last {
            table[square] |= ray(square, DIRECTIONS[d]);
            d += 1;
        }
        square += 1;
    }
    table
}

/// Squares a knight attacks.
pub(super) static KNIGHT: [u64; 64] = leaper(&KNIGHT_STEPS);
/// Squares a king attacks.
pub(super) static KING: [u64; 64] = leaper(&DIRECTIONS);
/// Squares a pawn attacks, by side.
pub(super) static PAWN: [[u64; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];
/// Squares a rook attacks on an empty board.
pub(super) static ROOK_RAYS: [u64; 64] = rays(0, 4);
/// Squares a bishop attacks on an empty board.
pub(super) static BISHOP_RAYS: [u64; 64] = rays(4, 8);
/// The a1-h8 direction through a square, without the square.
pub(super) static DIAGONAL: [u64; 64] = rays(4, 6);
/// The a8-h1 direction through a square, without the square.
pub(super) static ANTIDIAGONAL: [u64; 64] = rays(6, 8);

/// Squares strictly between two squares of one line; empty otherwise.
pub(super) static BETWEEN: [[u64; 64]; 64] = between();
/// The whole line through two squares, edge to edge; empty if there is none.
pub(super) static LINE: [[u64; 64]; 64] = line();

const fn between() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 8 {
            let mut passed = 0;
            let mut to = step(from, DIRECTIONS[d]);
            while to < 64 {
                table[from][to] = passed;
                passed |= 1 << to;
                to = step(to, DIRECTIONS[d]);
            }
            d += 1;
        }
        from += 1;
    }
    table
}

const fn line() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut d = 0;
        while d < 8 {
            // Directions come in opposite pairs: d and d ^ 1.
            let whole = ray(from, DIRECTIONS[d]) | ray(from, DIRECTIONS[d ^ 1]) | 1 << from;
            let mut to = step(from, DIRECTIONS[d]);
            while to < 64 {
                table[from][to] = whole;
                to = step(to, DIRECTIONS[d]);
            }
            d += 1;
        }
        from += 1;
    }
    table
}

/// All squares that any of these knights attacks.
#[inline(always)]
pub(super) const fn knights_attack(knights: u64) -> u64 {
    let one = (knights >> 1 & 0x7f7f_7f7f_7f7f_7f7f) | (knights << 1 & 0xfefe_fefe_fefe_fefe);
    let two = (knights >> 2 & 0x3f3f_3f3f_3f3f_3f3f) | (knights << 2 & 0xfcfc_fcfc_fcfc_fcfc);
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// All squares that any of these pawns attacks.
#[inline(always)]
pub(super) const fn pawns_attack<const WHITE: bool>(pawns: u64) -> u64 {
    let left = pawns & 0xfefe_fefe_fefe_fefe;
    let right = pawns & 0x7f7f_7f7f_7f7f_7f7f;
    if WHITE {
        left << 7 | right << 9
    } else {
        left >> 9 | right >> 7
    }
}
