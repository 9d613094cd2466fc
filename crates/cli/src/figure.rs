//! Numbers for people.

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
