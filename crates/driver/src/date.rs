//! Timestamps of records and logs, in UTC.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use quadrille_games::records::calendar_date;

/// A moment, to the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    seconds: u64,
}

/// Returns the present moment.
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
        let days = u32::try_from(self.seconds / 86_400).unwrap_or(u32::MAX);
        let (year, month, day) = calendar_date(days);
        let time = self.seconds % 86_400;
        let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
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
