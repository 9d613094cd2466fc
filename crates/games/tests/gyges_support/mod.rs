//! What the Gyges tests share.

/// A small generator of random numbers, so that every run is the same.
pub(crate) struct Lot(pub(crate) u64);

impl Lot {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % below as u64) as usize
    }
}
