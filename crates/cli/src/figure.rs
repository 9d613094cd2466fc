//! Numbers for people.

use quadrille_match::stats::Estimate;

/// A number with so many decimals; a dash where there is none, and no minus
/// sign before nothing.
pub(crate) fn figure(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        return "-".into();
    }
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.into(),
        _ => text,
    }
}

/// `1 game`, `2 games`.
pub(crate) fn number_of(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Both kinds of Elo with their errors, and how sure it is who is better.
pub(crate) fn elo(estimate: &Estimate) -> String {
    format!(
        "Elo: {} +/- {}, nElo: {} +/- {}, LOS: {} %",
        figure(estimate.elo, 2),
        figure(estimate.error, 2),
        figure(estimate.nelo, 2),
        figure(estimate.nelo_error, 2),
        figure(100.0 * estimate.los, 1)
    )
}

/// `999`, `12.3k`, `4.56M`.
pub(crate) fn short(n: u64) -> String {
    const UNITS: [&str; 5] = ["k", "M", "G", "T", "P"];
    if n < 1000 {
        return n.to_string();
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$}{}", UNITS[unit])
}

/// A warning where the errors of an estimate mean nothing.
pub(crate) fn vague(estimate: &Estimate) -> Option<&'static str> {
    estimate
        .is_vague()
        .then_some("too few games, or all alike: the errors mean nothing yet")
}

#[cfg(test)]
mod tests {
    use super::{figure, short};

    #[test]
    fn people_read_no_nan_and_no_minus_zero() {
        for (number, decimals, text) in [
            (f64::NAN, 2, "-"),
            (-0.0, 2, "0.00"),
            (-0.004, 2, "0.00"),
            (-0.006, 2, "-0.01"),
            (-10.0, 0, "-10"),
            (f64::NEG_INFINITY, 1, "-inf"),
            (12.345, 1, "12.3"),
        ] {
            assert_eq!(figure(number, decimals), text);
        }
    }

    #[test]
    fn numbers_are_short() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1.00k"),
            (12_345, "12.3k"),
            (999_499, "999k"),
            (999_600, "1.00M"),
            (4_560_000, "4.56M"),
            (u64::MAX, "18447P"),
        ] {
            assert_eq!(short(n), text);
        }
    }
}
