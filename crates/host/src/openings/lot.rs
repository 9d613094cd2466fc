//! Drawing lots, the same on every machine.

/// A source of random numbers that depends on nothing but where it begins.
///
/// ```
/// use quadrille_host::openings::Lot;
/// let mut lot = Lot::of(1, 2);
/// assert_eq!(lot.next(), Lot::of(1, 2).next());
/// assert!(lot.below(6) < 6);
/// ```
#[derive(Debug, Clone)]
pub struct Lot(u64);

/// The finalizer of `SplitMix64`: every bit of the input stirs every bit of the
/// result.
const fn stir(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Lot {
    /// The lot of one thing among many that are drawn with the same seed.
    pub const fn of(seed: u64, number: u64) -> Self {
        Self(stir(
            stir(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ number,
        ))
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        stir(self.0)
    }

    /// A number below `limit`; 0 if there is none. The bias is below one in
    /// 2^32 for every list that fits in memory.
    pub const fn below(&mut self, limit: u64) -> u64 {
        ((self.next() as u128 * limit as u128) >> 64) as u64
    }

    /// A number from 0 up to, but not including, 1.
    pub const fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Brings a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.below(i as u64 + 1) as usize;
            list.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_up_and_none_too_often() {
        let mut counts = [0; 6];
        let mut lot = Lot::of(7, 0);
        for _ in 0..6000 {
            counts[lot.below(6) as usize] += 1;
        }
        assert!(
            counts.iter().all(|&n| (850..1150).contains(&n)),
            "{counts:?}"
        );
        assert_eq!(lot.below(0), 0);
    }

    #[test]
    fn the_numbers_never_change() {
        // Stored matches depend on them; computed elsewhere.
        let mut lot = Lot::of(42, 7);
        let drawn = [lot.next(), lot.next(), lot.below(1000)];
        assert_eq!(drawn, [12839089978326185296, 18193523813808678169, 273]);
        let mut list: Vec<u8> = (0..10).collect();
        Lot::of(1, 1).shuffle(&mut list);
        assert_eq!(list, [9, 2, 6, 4, 3, 8, 0, 5, 7, 1]);
    }
}
