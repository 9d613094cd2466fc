//! How much may come in a time: a bucket that fills steadily and is emptied by use.

use std::collections::HashMap;
use std::net::IpAddr;
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
///
/// // More than there is can be spent, and is paid back by waiting.
/// meter.spend(3, at(6));
/// assert_eq!(meter.debt(at(7)), at(2));
/// assert_eq!(meter.debt(at(9)), at(0));
/// ```
#[derive(Debug, Clone)]
pub struct Meter {
    rate: Rate,
    /// In millionths of one; less than nothing is a debt.
    left: i64,
    last: Option<Duration>,
}

const ONE: i64 = 1_000_000;

impl Meter {
    /// A full one.
    pub const fn new(rate: Rate) -> Self {
        Self {
            rate,
            left: rate.burst as i64 * ONE,
            last: None,
        }
    }

    const fn full(&self) -> i64 {
        self.rate.burst as i64 * ONE
    }

    /// Fills up for the time since the last use. Moments may come out of order.
    fn fill(&mut self, now: Duration) {
        let last = self.last.map_or(now, |last| last.max(now));
        let since = last.saturating_sub(self.last.unwrap_or(now));
        let micros = i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
        let more = micros.saturating_mul(i64::from(self.rate.per_second));
        self.left = self.left.saturating_add(more).min(self.full());
        self.last = Some(last);
    }

    /// Takes one, if there is one.
    pub fn take(&mut self, now: Duration) -> bool {
        self.fill(now);
        let enough = self.left >= ONE;
        if enough {
            self.left -= ONE;
        }
        enough
    }

    /// Takes so many, also if there are fewer: the rest is a debt.
    pub fn spend(&mut self, count: u64, now: Duration) {
        self.fill(now);
        let count = i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(ONE);
        self.left = self.left.saturating_sub(count);
    }

    /// How long it takes until nothing is owed any more.
    pub fn debt(&mut self, now: Duration) -> Duration {
        self.fill(now);
        let owed = u64::try_from(self.left.saturating_neg()).unwrap_or(0);
        Duration::from_micros(owed.div_ceil(u64::from(self.rate.per_second).max(1)))
    }

    /// Whether it has been left alone long enough to be full again.
    pub fn is_full(&self, now: Duration) -> bool {
        let mut copy = self.clone();
        copy.fill(now);
        copy.left >= copy.full()
    }
}

/// One meter for each address that was seen lately.
#[derive(Debug)]
pub struct Meters {
    rate: Rate,
    known: HashMap<IpAddr, Meter>,
    /// At so many, those that are full again are forgotten.
    sweep: usize,
}

/// Addresses that are remembered without looking for full meters.
const REMEMBERED: usize = 10_000;

impl Meters {
    /// No address was seen yet.
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            known: HashMap::new(),
            sweep: REMEMBERED,
        }
    }

    /// The meter of an address.
    pub fn of(&mut self, address: IpAddr, now: Duration) -> &mut Meter {
        if self.known.len() >= self.sweep {
            self.known.retain(|_, meter| !meter.is_full(now));
            // Not again before as many have come as there are now.
            self.sweep = REMEMBERED.max(2 * self.known.len());
        }
        let rate = self.rate;
        self.known
            .entry(address)
            .or_insert_with(|| Meter::new(rate))
    }
}
