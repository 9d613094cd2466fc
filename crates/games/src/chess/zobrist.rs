//! Random numbers for the incremental key.

use crate::random::mix;

/// The key of a piece on a square, by four-bit piece code. The rows of the
/// codes that mean "empty" are zero, so that a move without a capture needs no
/// branch.
pub(super) static PIECE: [[u64; 64]; 16] = piece_keys();
/// The key of a castling right, by the square of its rook.
pub(super) static CASTLE: [u64; 64] = row(0x1000);
/// The key of an en passant capture that can be played, by file.
pub(super) static EN_PASSANT: [u64; 64] = row(0x2000);
/// The key of Black's turn.
pub(super) const BLACK: u64 = number(0x3000);

/// `SplitMix64`: the n-th number of one fixed sequence.
const fn number(n: u64) -> u64 {
    mix((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5175_6164_7269_6c6c)
}

const fn row(start: u64) -> [u64; 64] {
    let mut keys = [0; 64];
    let mut i = 0;
    while i < 64 {
        keys[i] = number(start + i as u64);
        i += 1;
    }
    keys
}

const fn piece_keys() -> [[u64; 64]; 16] {
    let mut keys = [[0; 64]; 16];
    let mut code = 0;
    while code < 16 {
        if code & 3 != 0 {
            keys[code] = row(64 * code as u64);
        }
        code += 1;
    }
    keys
}
