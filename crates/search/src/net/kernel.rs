//! The arithmetic of nets, as wide as the processor allows.
//!
//! Each function is written once, in plain Rust that compilers turn into vector
//! code, and compiled several times: for what every processor of the family
//! has, for AVX2 and for AVX-512. Which one runs is found out when a net is
//! loaded. All of them compute the same integers.

use super::weights::{Block, LANES, ONE};

/// One way to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Way);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// What every processor of the family can do: SSE2, NEON, or simd128 where
    /// the build asks for it.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// The widest that this processor has.
    pub fn best() -> Self {
        *Self::all().last().unwrap_or(&Self(Way::Plain))
    }

    /// All that this processor has, the widest last.
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut all = vec![Self(Way::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                all.push(Self(Way::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                all.push(Self(Way::Avx512));
            }
        }
        all
    }

    /// Its name, for people.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Way::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Way::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Way::Avx512 => "AVX-512",
        }
    }
}

macro_rules! compiled_for_each {
    ($(
        $(#[$doc:meta])*
        fn $name:ident $([$($generic:tt)*] [$($turbo:tt)*])? ($($argument:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $plain:path;
    )*) => {
        impl Kernel {
            $(
                $(#[$doc])*
                #[inline]
                pub(crate) fn $name $(<$($generic)*>)? (self, $($argument: $type),*) $(-> $out)? {
                    #[cfg(target_arch = "x86_64")]
                    #[target_feature(enable = "avx2,bmi1,bmi2")]
                    fn avx2 $(<$($generic)*>)? ($($argument: $type),*) $(-> $out)? {
                        $plain($($argument),*)
                    }
                    #[cfg(target_arch = "x86_64")]
                    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2")]
                    fn avx512 $(<$($generic)*>)? ($($argument: $type),*) $(-> $out)? {
                        $plain($($argument),*)
                    }
                    match self.0 {
                        Way::Plain => $plain($($argument),*),
                        // SAFETY: only `Kernel::all` makes this value, where the processor has it.
                        #[cfg(target_arch = "x86_64")]
                        Way::Avx2 => unsafe { avx2 $(::<$($turbo)*>)? ($($argument),*) },
                        // SAFETY: as above.
                        #[cfg(target_arch = "x86_64")]
                        Way::Avx512 => unsafe { avx512 $(::<$($turbo)*>)? ($($argument),*) },
                    }
                }
            )*
        }
    };
}

compiled_for_each! {
    /// Adds rows to sums and takes others away. All have the same length.
    fn apply(sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) = apply;
    /// The same into another place, for the few rows that a move changes.
    fn apply_to[const A: usize, const R: usize][A, R](to: &mut [Block], from: &[Block], added: [&[Block]; A], removed: [&[Block]; R]) = apply_to;
    /// The sum of `clamp(x, 0, ONE)^2 * weight`; no weight is beyond 127.
    fn clipped_squares(sums: &[Block], weights: &[Block]) -> i64 = clipped_squares;
    /// The same of sums that are not kept: `start` and the rows of some features.
    fn clipped_squares_of(start: &[Block], rows: &[Block], features: &[u16], weights: &[Block]) -> i64 = clipped_squares_of;
}

#[inline(always)]
fn add(to: &mut Block, row: &Block) {
    for (sum, number) in to.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(number);
    }
}

#[inline(always)]
fn subtract(to: &mut Block, row: &Block) {
    for (sum, number) in to.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_sub(number);
    }
}

#[inline(always)]
fn apply(sums: &mut [Block], added: &[&[Block]], removed: &[&[Block]]) {
    for (i, block) in sums.iter_mut().enumerate() {
        let mut sum = *block;
        for row in added {
            add(&mut sum, &row[i]);
        }
        for row in removed {
            subtract(&mut sum, &row[i]);
        }
        *block = sum;
    }
}

#[inline(always)]
fn apply_to<const A: usize, const R: usize>(
    to: &mut [Block],
    from: &[Block],
    added: [&[Block]; A],
    removed: [&[Block]; R],
) {
    let width = to.len();
    let from = &from[..width];
    let added = added.map(|row| &row[..width]);
    let removed = removed.map(|row| &row[..width]);
    for i in 0..width {
        let mut sum = from[i];
        for row in added {
            add(&mut sum, &row[i]);
        }
        for row in removed {
            subtract(&mut sum, &row[i]);
        }
        to[i] = sum;
    }
}

type Lanes = [i32; LANES / 2];

/// `x * weight` fits 16 bits (255 * 127), so that one multiplication of pairs
/// gives `x * x * weight`. A lane grows by less than 2^24 with each block: nets
/// have fewer than 128 blocks a row.
#[inline(always)]
fn square(lanes: &mut Lanes, sums: &Block, weights: &Block) {
    for (lane, total) in lanes.iter_mut().enumerate() {
        let pair = |i: usize| {
            let x = sums.0[i].clamp(0, ONE);
            i32::from(x) * i32::from(x.wrapping_mul(weights.0[i]))
        };
        *total += pair(2 * lane) + pair(2 * lane + 1);
    }
}

#[inline(always)]
fn clipped_squares(sums: &[Block], weights: &[Block]) -> i64 {
    let mut lanes = Lanes::default();
    for (sums, weights) in sums.iter().zip(weights) {
        square(&mut lanes, sums, weights);
    }
    lanes.into_iter().map(i64::from).sum()
}

/// A block at a time, so that its sum never leaves the registers.
#[inline(always)]
fn clipped_squares_of(start: &[Block], rows: &[Block], features: &[u16], weights: &[Block]) -> i64 {
    let width = start.len();
    let mut lanes = Lanes::default();
    for (i, (start, weights)) in start.iter().zip(weights).enumerate() {
        let mut sum = *start;
        for &feature in features {
            add(&mut sum, &rows[usize::from(feature) * width + i]);
        }
        square(&mut lanes, &sum, weights);
    }
    lanes.into_iter().map(i64::from).sum()
}
