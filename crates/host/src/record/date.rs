//! Times of day for records, UTC.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment, to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    seconds: u64,
}

/// Now.
pub fn now() -> Stamp {
    SystemTime::now().into()
}

impl From<SystemTime> for Stamp {
    fn from(time: SystemTime) -> Self {
        // A clock before 1970 is as good as none.
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            seconds: since.as_secs(),
        }
    }
}

/// `2026-11-15T09:02:56Z`
impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.seconds / 86_400);
        let time = self.seconds % 86_400;
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// Year, month and day of a day counted from 1 January 1970. Years are counted
/// from March, so that the leap day is the last of its year.
fn civil(days: u64) -> (u64, u64, u64) {
    const CYCLE: u64 = 146_097; // days in 400 years
    let days = days + 719_468; // from 1 March of year 0
    let (cycle, day) = (days / CYCLE, days % CYCLE);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (cycle * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        let said = |seconds| Stamp { seconds }.to_string();
        assert_eq!(said(0), "1970-01-01T00:00:00Z");
        assert_eq!(said(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(said(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(said(1_794_733_376), "2026-11-15T09:02:56Z");
        assert_eq!(said(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
