//! Attacks of bishops, rooks and queens through magic multiplication.
//!
//! The pieces that can stand in a slider's way are multiplied by a number that
//! gathers them in the top bits: the index of a table in which the attacks
//! stand. The tables are part of the program (841 KB of constants), so there
//! is nothing to set up and nothing to check at each look-up. Programs built
//! for processors with BMI2 gather with PEXT instead.

// The compiler asks whether the 102,400 entries below are meant; they take it
// about a second.
#![allow(long_running_const_eval)]

use super::geometry::{ANTIDIAGONAL, BISHOP_RAYS, DIAGONAL, ROOK_RAYS};

/// How to find the attacks from one square.
#[derive(Clone, Copy)]
struct Magic {
    /// The squares whose occupation matters: the rays without the edge.
    mask: u64,
    factor: u64,
    /// Where the square's part of the table starts.
    offset: u32,
    shift: u32,
}

impl Magic {
    #[inline(always)]
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    const fn index(&self, occupied: u64) -> usize {
        let gathered = (occupied & self.mask).wrapping_mul(self.factor) >> self.shift;
        self.offset as usize + gathered as usize
    }

    /// The processor has an instruction for what the multiplication does; the
    /// subsets of a mask then stand in counting order. Worth 8 to 12 percent
    /// in bulk perft.
    #[inline(always)]
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    fn index(&self, occupied: u64) -> usize {
        // SAFETY: this function exists only where the whole program is built
        // for processors that have BMI2.
        let gathered = unsafe { core::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset as usize + gathered as usize
    }
}

/// The squares of a rank or file that end a ray from `square`: a piece there
/// hides nothing.
const fn edges(square: usize) -> u64 {
    let (file, rank) = (square & 7, square >> 3);
    let ranks = 0xff00_0000_0000_00ff & !(0xff << (8 * rank));
    let files = 0x8181_8181_8181_8181 & !(0x0101_0101_0101_0101 << file);
    ranks | files
}

const fn magics(rays: &[u64; 64], factors: &[u64; 64]) -> [Magic; 64] {
    let mut table = [Magic {
        mask: 0,
        factor: 0,
        offset: 0,
        shift: 0,
    }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = rays[square] & !edges(square);
        let bits = mask.count_ones();
        table[square] = Magic {
            mask,
            factor: factors[square],
            offset: offset as u32,
            shift: 64 - bits,
        };
        offset += 1 << bits;
        square += 1;
    }
    table
}

/// Attacks along one line through `square` (the line without the square):
/// subtracting the piece twice flips every bit up to the first blocker, in
/// both directions.
const fn along(square: usize, line: u64, occupied: u64) -> u64 {
    let piece = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(piece << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(piece.reverse_bits() << 1)
        .reverse_bits();
    (up ^ down) & line
}

/// The two lines of a slider: its squares split by direction.
const fn attacks_from(square: usize, lines: [u64; 2], occupied: u64) -> u64 {
    along(square, lines[0], occupied) | along(square, lines[1], occupied)
}

const fn rook_lines(square: usize) -> [u64; 2] {
    let here = !(1 << square);
    [
        (0xff << (square & 0x38)) & here,
        (0x0101_0101_0101_0101 << (square & 7)) & here,
    ]
}

const fn bishop_lines(square: usize) -> [u64; 2] {
    [DIAGONAL[square], ANTIDIAGONAL[square]]
}

/// Enters the attacks for every arrangement of blockers around `square`.
const fn fill(table: &mut [u64], square: usize, magic: Magic, lines: [u64; 2]) {
    let mut blockers = 0u64;
    let mut nth = 0;
    loop {
        let index = if cfg!(all(target_arch = "x86_64", target_feature = "bmi2")) {
            nth
        } else {
            (blockers.wrapping_mul(magic.factor) >> magic.shift) as usize
        };
        table[magic.offset as usize + index] = attacks_from(square, lines, blockers);
        nth += 1;
        // The next subset of the mask in counting order.
        blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
        if blockers == 0 {
            return;
        }
    }
}

const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

static ROOK_MAGICS: [Magic; 64] = magics(&ROOK_RAYS, &ROOK_FACTORS);
static BISHOP_MAGICS: [Magic; 64] = magics(&BISHOP_RAYS, &BISHOP_FACTORS);

static ROOK_ATTACKS: [u64; ROOK_SIZE] = {
    let mut table = [0; ROOK_SIZE];
    let mut square = 0;
    while square < 64 {
        fill(&mut table, square, ROOK_MAGICS[square], rook_lines(square));
        square += 1;
    }
    table
};

static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = {
    let mut table = [0; BISHOP_SIZE];
    let mut square = 0;
    while square < 64 {
        fill(
            &mut table,
            square,
            BISHOP_MAGICS[square],
            bishop_lines(square),
        );
        square += 1;
    }
    table
};

/// The squares a rook on `square` attacks.
#[inline(always)]
pub(super) fn rook(square: usize, occupied: u64) -> u64 {
    let magic = &ROOK_MAGICS[square & 63];
    ROOK_ATTACKS[magic.index(occupied)]
}

/// The squares a bishop on `square` attacks.
#[inline(always)]
pub(super) fn bishop(square: usize, occupied: u64) -> u64 {
    let magic = &BISHOP_MAGICS[square & 63];
    BISHOP_ATTACKS[magic.index(occupied)]
}

// Found by trying sparse random numbers until no two different attack sets
// met at one index.
#[rustfmt::skip]
const ROOK_FACTORS: [u64; 64] = [
    0x0080_001b_8060_c000, 0x0140_2000_1000_c001, 0x9080_2000_8008_1000, 0x1300_0500_1000_a008,
    0x1880_0800_8002_0401, 0xc180_0200_010c_0080, 0x0880_0200_0080_2900, 0x2080_0700_1444_2080,
    0x8500_8000_8020_4000, 0x0402_0021_0080_4200, 0xa0c8_8020_0010_0480, 0x3000_8010_0008_0084,
    0x0005_0004_3100_0800, 0x8002_0008_0200_1004, 0x0004_0001_0802_2490, 0x408a_0000_4619_0484,
    0x0840_0180_0080_c030, 0x2010_0140_0040_2002, 0x4000_4200_1022_0084, 0x0080_8080_1000_0800,
    0xa107_0100_0800_1004, 0x0240_8080_0200_0400, 0x0000_2400_1022_8138, 0x0204_0200_0440_a904,
    0x0000_4001_8000_8028, 0x4000_8101_0020_4000, 0x1000_8202_0010_2045, 0x8150_0040_4008_0403,
    0x6000_0801_0004_1100, 0x281a_0002_8004_0080, 0x0000_4204_0008_0110, 0x8200_0b42_0000_a904,
    0x1800_4000_2080_0080, 0x2090_0040_0140_2002, 0x0180_8010_0080_2000, 0x1080_0800_8080_1000,
    0xa020_0800_8080_0400, 0x0040_8002_0080_0400, 0x4800_1862_1400_1001, 0x2000_8014_6080_0900,
    0x0120_8040_0020_8000, 0x0030_0020_0040_c00c, 0x0020_0080_1000_8020, 0x0000_0900_1001_0021,
    0x0401_0008_0025_0031, 0x6002_0008_1002_0004, 0x0124_0816_0d04_0050, 0x4000_1100_4082_0004,
    0x0400_8225_0242_0200, 0x0100_4021_0208_8200, 0x1100_4100_1020_0100, 0x0800_0800_8050_0180,
    0x0010_0400_8008_0280, 0x0098_0400_0200_8080, 0x0201_0004_4200_1100, 0x5028_8000_c100_0180,
    0x044b_0280_0210_2141, 0x0008_2084_4002_1301, 0x0001_0832_60c2_0082, 0x4481_0008_2004_1001,
    0x0049_000c_0800_1013, 0x0011_0002_0400_0801, 0x0800_3001_6082_0804, 0x8108_0081_0040_2412,
];

#[rustfmt::skip]
const BISHOP_FACTORS: [u64; 64] = [
    0x0044_0444_0812_0210, 0x4002_1042_0081_0000, 0x5811_0812_0050_0240, 0x8004_0400_8b40_000a,
    0x0001_1040_a040_01c8, 0x0002_0211_0410_0140, 0x2781_1488_4440_c001, 0x6024_8241_10a0_2000,
    0x8308_2028_8208_9400, 0x2002_600a_6246_0020, 0x8004_4810_c102_0980, 0x5000_8c0c_2183_0062,
    0x0014_0404_2000_100a, 0x0000_6082_1040_0000, 0xa000_8080_8450_4020, 0x0028_0c40_4808_0800,
    0x2008_0020_8811_4800, 0xc808_a022_0821_0400, 0x0018_200c_0020_2200, 0x2082_8008_1600_c058,
    0x0202_0044_0211_4100, 0x0002_0000_4042_2010, 0x6044_1042_0201_0420, 0x0096_1401_008a_0101,
    0x2104_2402_2020_1c00, 0x0201_20a0_3004_2720, 0x0802_0100_3800_4400, 0x3010_0820_2404_0090,
    0x2001_0040_4400_4043, 0x4010_0080_0900_4101, 0x2042_0040_0088_08c0, 0x0c22_8302_2180_4800,
    0x02a1_0908_0020_2080, 0x000a_100a_0205_4820, 0x0010_1048_0910_0084, 0x8000_0200_8108_0080,
    0x0140_0040_1141_0100, 0x02c2_1002_0a09_0080, 0x0802_0800_4109_0404, 0x0108_0202_4120_2500,
    0x0800_d008_2028_4800, 0x0b12_0101_0804_2048, 0x0102_0102_4913_0800, 0x2218_4142_0088_0800,
    0x400c_0801_0040_0400, 0x2214_1050_4a40_0200, 0x0110_9200_c108_4401, 0x0008_00a1_0044_020a,
    0x0801_0808_0404_4021, 0xc002_0104_5904_1000, 0x0111_0a00_8c04_6000, 0x8040_4020_2088_0002,
    0x0010_0240_1041_0208, 0x8000_0802_0802_0480, 0x0808_4810_0444_4400, 0x8020_0800_8104_4200,
    0x0022_1344_1008_4800, 0x0001_4146_0090_0840, 0xa044_0058_5200_9002, 0x4000_0052_1205_0410,
    0x0840_0002_0410_4401, 0x0001_0410_2001_8100, 0x8000_1010_1000_8098, 0x0020_4132_0204_0020,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks outwards square by square: slow, and independent of the tables.
    fn walk(square: usize, steps: [(i32, i32); 4], occupied: u64) -> u64 {
        let mut set = 0;
        for (df, dr) in steps {
            let (mut f, mut r) = ((square & 7) as i32 + df, (square >> 3) as i32 + dr);
            while (0..8).contains(&f) && (0..8).contains(&r) {
                let bit = 1u64 << (r * 8 + f);
                set |= bit;
                if occupied & bit != 0 {
                    break;
                }
                f += df;
                r += dr;
            }
        }
        set
    }

    /// Every arrangement that can reach a look-up: this also proves that no
    /// index leaves its table.
    #[test]
    fn every_arrangement_of_blockers() {
        for square in 0..64 {
            for (rook_like, mask) in [
                (true, ROOK_MAGICS[square].mask),
                (false, BISHOP_MAGICS[square].mask),
            ] {
                let mut blockers = 0u64;
                loop {
                    if rook_like {
                        let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                        assert_eq!(rook(square, blockers), walk(square, steps, blockers));
                    } else {
                        let steps = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                        assert_eq!(bishop(square, blockers), walk(square, steps, blockers));
                    }
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }
}
