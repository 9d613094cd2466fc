//! How long the host itself takes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Steps within each doubling: values are right to one part in sixteen.
const STEPS: u64 = 16;
const BUCKETS: usize = 16 * 40;

/// A count of durations from which any percentile can be read. Adding is one
/// atomic increment.
#[derive(Debug)]
pub struct Latencies {
    buckets: Box<[AtomicU64]>,
}

impl Default for Latencies {
    fn default() -> Self {
        Self {
            buckets: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect(),
        }
    }
}

impl Latencies {
    /// Counts a duration.
    pub fn add(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let bucket = bucket(micros).min(BUCKETS - 1);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        let counts = self.buckets.iter().map(|n| n.load(Ordering::Relaxed));
        counts.sum()
    }

    /// The time that this part of all stays below, for example 0.5 for the
    /// median; `None` if there are none.
    pub fn percentile(&self, part: f64) -> Option<Duration> {
        let all = self.count();
        let wanted = ((all as f64 * part).ceil() as u64).clamp(1, all.max(1));
        let mut seen = 0;
        for (index, count) in self.buckets.iter().enumerate() {
            seen += count.load(Ordering::Relaxed);
            if seen >= wanted {
                return Some(Duration::from_micros(upper(index)));
            }
        }
        None
    }
}

/// The first two doublings have a bucket for each value, the others
/// [`STEPS`] each.
fn bucket(micros: u64) -> usize {
    if micros < 2 * STEPS {
        return micros as usize;
    }
    let shift = u64::from(micros.ilog2()) - 4;
    (shift * STEPS + (micros >> shift)) as usize
}

/// The largest value of a bucket.
fn upper(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * STEPS {
        return bucket;
    }
    let shift = bucket / STEPS - 1;
    ((bucket % STEPS + STEPS + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket() {
        for micros in (0..5000).chain([1 << 20, (1 << 20) - 1, 123_456_789]) {
            let at = bucket(micros);
            assert!(micros <= upper(at), "{micros}");
            assert!(at == 0 || micros > upper(at - 1), "{micros}");
            assert!(upper(at) <= micros + micros / 16, "{micros}");
        }
    }

    #[test]
    fn percentiles() {
        let latencies = Latencies::default();
        assert_eq!(latencies.percentile(0.5), None);
        for micros in 1..=100 {
            latencies.add(Duration::from_micros(micros));
        }
        let read = |part| latencies.percentile(part).unwrap().as_micros();
        assert_eq!(latencies.count(), 100);
        assert!((50..=52).contains(&read(0.5)));
        assert!((99..=103).contains(&read(0.99)));
        latencies.add(Duration::MAX);
        assert!(read(1.0) > 1_000_000_000);
    }
}
