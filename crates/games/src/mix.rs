//! Numbers without visible order, for keys.

/// The finaliser of the `SplitMix64` generator: every input bit reaches every
/// output bit, and different inputs give different outputs.
#[inline(always)]
pub(crate) const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The `n`-th number of that generator's sequence.
#[inline(always)]
pub(crate) const fn scatter(n: u64) -> u64 {
    mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
