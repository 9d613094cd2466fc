//! How much may come in a time: a bucket that fills steadily and is emptied by use.

use std::time::Duration;

use serde::Deserialize;

/// So many at once, and so many more in each second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// At once.
    pub burst: u32,
    /// In each second after that.
    pub per_second: u32,
}

impl Rate {
    /// A rate.
    pub const fn new(burst: u32, per_second: u32) -> Self {
        Self { burst, per_second }
    }
}

/// What is left of a rate.
///
/// ```
/// use std::time::Duration;
/// use quadrille_server::meter::{Meter, Rate};
///
/// let mut meter = Meter::new(Rate::new(2, 1));
/// let at = Duration::from_secs;
/// assert!(meter.take(at(5)) && meter.take(at(5)) && !meter.take(at(5)));
/// assert!(meter.take(at(6)) && !meter.take(at(6)));
/// ```
#[derive(Debug, Clone)]
pub struct Meter {
    rate: Rate,
    /// In millionths of one.
    left: u64,
    last: Option<Duration>,
}

const ONE: u64 = 1_000_000;

impl Meter {
    /// A full one.
    pub const fn new(rate: Rate) -> Self {
        Self {
            rate,
            left: rate.burst as u64 * ONE,
            last: None,
        }
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Duration) -> bool {
        let since = now.saturating_sub(self.last.unwrap_or(now));
        let micros = u64::try_from(since.as_micros()).unwrap_or(u64::MAX);
        let more = micros.saturating_mul(u64::from(self.rate.per_second));
        let full = u64::from(self.rate.burst) * ONE;
        self.left = self.left.saturating_add(more).min(full);
        self.last = Some(now);
        match self.left.checked_sub(ONE) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// Whether it has been left alone long enough to be full again.
    pub fn is_full(&self, now: Duration) -> bool {
        let mut copy = self.clone();
        copy.take(now) && copy.left + ONE >= u64::from(self.rate.burst) * ONE
    }
}
