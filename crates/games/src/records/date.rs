//! Dates of the calendar.

/// Returns year, month and day of a day that is counted from 1 January 1970, in the
/// Gregorian calendar.
///
/// ```
/// use quadrille_games::records::calendar_date;
///
/// assert_eq!(calendar_date(0), (1970, 1, 1));
/// assert_eq!(calendar_date(20_773), (2026, 11, 16));
/// ```
pub fn calendar_date(days: u32) -> (u32, u32, u32) {
    const CYCLE: u64 = 146_097; // days in 400 years
    // Years are counted from March, so that the leap day is the last of its year.
    let days = u64::from(days) + 719_468; // from 1 March of year 0
    let (cycle, day) = (days / CYCLE, days % CYCLE);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = cycle * 400 + year + u64::from(month <= 2);
    (year as u32, month as u32, day as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (19_782, (2024, 2, 29)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(calendar_date(days), date);
        }
        // Further than any clock.
        assert_eq!(calendar_date(u32::MAX).0, 11_761_191);
    }
}
