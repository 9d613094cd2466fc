//! Numbers for people.

use quadrille_host::stats::Estimate;

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

/// Both kinds of Elo with their errors, and how sure it is who is better.
pub(crate) fn elo(estimate: &Estimate) -> String {
    format!(
        "Elo {} +/- {}, nElo {} +/- {}, LOS {} %",
        figure(estimate.elo, 2),
        figure(estimate.error, 2),
        figure(estimate.nelo, 2),
        figure(estimate.nelo_error, 2),
        figure(100.0 * estimate.los, 2)
    )
}

#[cfg(test)]
mod tests {
    use super::figure;

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
}
