//! Whole numbers and decimals, read without ever failing a line.

use alloc::vec::Vec;
use core::fmt;

/// What a word is when a whole number was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A whole number: sign and magnitude.
    Whole { negative: bool, magnitude: u64 },
    /// Larger than 64 bits; the nearest value that fits.
    TooLarge { negative: bool },
    /// A number with a fraction; the whole part.
    Fraction { negative: bool, magnitude: u64 },
    /// Not a number.
    Nothing,
}

pub(crate) fn read(word: &[u8]) -> Reading {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    let mut magnitude: u64 = 0;
    let mut overflow = false;
    let mut i = 0;
    while i < digits.len() && digits[i].is_ascii_digit() {
        let digit = u64::from(digits[i] - b'0');
        match magnitude.checked_mul(10).and_then(|m| m.checked_add(digit)) {
            Some(m) => magnitude = m,
            None => overflow = true,
        }
        i += 1;
    }
    let fraction = match &digits[i..] {
        [] => false,
        [b'.', rest @ ..] if rest.iter().all(u8::is_ascii_digit) && i + rest.len() > 0 => true,
        _ => return Reading::Nothing,
    };
    if i == 0 && !fraction {
        return Reading::Nothing;
    }
    match (overflow, fraction) {
        (true, _) => Reading::TooLarge { negative },
        (false, true) => Reading::Fraction {
            negative,
            magnitude,
        },
        (false, false) => Reading::Whole {
            negative,
            magnitude,
        },
    }
}

/// The signed value, held at the ends of the range; `true` if it had to be.
pub(crate) fn signed(negative: bool, magnitude: u64) -> (i64, bool) {
    let value = if negative {
        0i64.checked_sub_unsigned(magnitude)
    } else {
        magnitude.try_into().ok()
    };
    match value {
        Some(v) => (v, false),
        None => (if negative { i64::MIN } else { i64::MAX }, true),
    }
}

/// An exact decimal number: `mantissa / 10^scale`. UGI writes scores and times
/// this way.
///
/// It has room for 58 bits of mantissa, about 17 digits, and up to 18 digits
/// behind the point.
///
/// ```
/// use quadrille_protocol::Decimal;
///
/// let score = Decimal::new(-1_061_250, 3);
/// assert_eq!(score.to_string(), "-1061.250");
/// assert_eq!(score.whole(), -1061);
/// assert_eq!(Decimal::read(b"0.036"), Some(Decimal::new(36, 3)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "(i64, u8)", into = "(i64, u8)"))]
pub struct Decimal(i64);

/// The scale sits in the lowest bits, so that a decimal is one word.
const SCALE_BITS: u32 = 5;

impl Decimal {
    /// The largest mantissa there is room for.
    pub const MAX_MANTISSA: i64 = i64::MAX >> SCALE_BITS;

    /// `mantissa / 10^scale`. A scale above 18 is held at 18, a mantissa beyond
    /// [`MAX_MANTISSA`](Self::MAX_MANTISSA) at that value.
    pub const fn new(mantissa: i64, scale: u8) -> Self {
        let scale = if scale > 18 { 18 } else { scale };
        let mantissa = match mantissa {
            m if m > Self::MAX_MANTISSA => Self::MAX_MANTISSA,
            m if m < -Self::MAX_MANTISSA => -Self::MAX_MANTISSA,
            m => m,
        };
        Self((mantissa << SCALE_BITS) | scale as i64)
    }

    pub(crate) const fn to_bits(self) -> i64 {
        self.0
    }

    /// Only for what [`to_bits`](Self::to_bits) gave.
    pub(crate) const fn from_bits(bits: i64) -> Self {
        Self(bits)
    }

    /// All digits without the point.
    pub const fn mantissa(self) -> i64 {
        self.0 >> SCALE_BITS
    }

    /// How many of the digits stand behind the point.
    pub const fn scale(self) -> u8 {
        (self.0 & ((1 << SCALE_BITS) - 1)) as u8
    }

    /// The whole part, cut towards zero.
    pub const fn whole(self) -> i64 {
        self.mantissa() / 10i64.pow(self.scale() as u32)
    }

    /// The value in thousandths, cut towards zero and held at the ends of the
    /// range.
    pub const fn thousandths(self) -> i64 {
        let (mantissa, scale) = (self.mantissa(), self.scale() as u32);
        if scale <= 3 {
            mantissa.saturating_mul(10i64.pow(3 - scale))
        } else {
            mantissa / 10i64.pow(scale - 3)
        }
    }

    /// The value in millionths, cut towards zero and held at the ends of the
    /// range.
    pub const fn millionths(self) -> i64 {
        let (mantissa, scale) = (self.mantissa(), self.scale() as u32);
        if scale <= 6 {
            mantissa.saturating_mul(10i64.pow(6 - scale))
        } else {
            mantissa / 10i64.pow(scale - 6)
        }
    }

    /// The nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.mantissa() as f64 / 10i64.pow(u32::from(self.scale())) as f64
    }

    /// Reads `12`, `-0.5`, `1061.000`; digits that do not fit behind the point
    /// are cut off. `None` if it is not a decimal number or too large.
    pub fn read(word: &[u8]) -> Option<Self> {
        let (negative, digits) = match word {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, word),
        };
        let point = digits
            .iter()
            .position(|&b| b == b'.')
            .unwrap_or(digits.len());
        let (whole, fraction) = digits.split_at(point);
        let fraction = fraction.get(1..).unwrap_or_default();
        let all_digits = whole.iter().chain(fraction).all(u8::is_ascii_digit);
        if !all_digits || whole.len() + fraction.len() == 0 {
            return None;
        }
        let mut mantissa: i64 = 0;
        for &digit in whole {
            mantissa = append(mantissa, digit)?;
        }
        let mut scale = 0;
        for &digit in fraction.iter().take(18) {
            let Some(longer) = append(mantissa, digit) else {
                break;
            };
            mantissa = longer;
            scale += 1;
        }
        Some(Self::new(
            if negative { -mantissa } else { mantissa },
            scale,
        ))
    }

    pub(crate) fn put(self, out: &mut Vec<u8>) {
        if self.mantissa() < 0 {
            out.push(b'-');
        }
        let unit = 10u64.pow(u32::from(self.scale()));
        let magnitude = self.mantissa().unsigned_abs();
        put_u64(out, magnitude / unit);
        if self.scale() > 0 {
            out.push(b'.');
            let mut place = unit / 10;
            while place > 0 {
                out.push(b'0' + (magnitude / place % 10) as u8);
                place /= 10;
            }
        }
    }
}

/// One more digit, as long as there is room.
fn append(mantissa: i64, digit: u8) -> Option<i64> {
    let longer = mantissa
        .checked_mul(10)?
        .checked_add(i64::from(digit - b'0'))?;
    (longer <= Decimal::MAX_MANTISSA).then_some(longer)
}

#[cfg(feature = "serde")]
impl From<(i64, u8)> for Decimal {
    fn from((mantissa, scale): (i64, u8)) -> Self {
        Self::new(mantissa, scale)
    }
}

#[cfg(feature = "serde")]
impl From<Decimal> for (i64, u8) {
    fn from(value: Decimal) -> Self {
        (value.mantissa(), value.scale())
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        self.put(&mut out);
        f.pad(core::str::from_utf8(&out).unwrap_or_default())
    }
}

pub(crate) fn put_u64(out: &mut Vec<u8>, mut n: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

pub(crate) fn put_i64(out: &mut Vec<u8>, n: i64) {
    if n < 0 {
        out.push(b'-');
    }
    put_u64(out, n.unsigned_abs());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers() {
        let whole = |negative, magnitude| Reading::Whole {
            negative,
            magnitude,
        };
        assert_eq!(read(b"0"), whole(false, 0));
        assert_eq!(read(b"-80"), whole(true, 80));
        assert_eq!(read(b"+7"), whole(false, 7));
        assert_eq!(read(b"18446744073709551615"), whole(false, u64::MAX));
        assert_eq!(
            read(b"18446744073709551616"),
            Reading::TooLarge { negative: false }
        );
        assert_eq!(
            read(b"12.5"),
            Reading::Fraction {
                negative: false,
                magnitude: 12
            }
        );
        assert_eq!(
            read(b"-.5"),
            Reading::Fraction {
                negative: true,
                magnitude: 0
            }
        );
        for word in [
            "", "-", "+", ".", "e4", "1e5", "--3", "1.2.3", "0x10", "1,000", "\u{0663}",
        ] {
            assert_eq!(read(word.as_bytes()), Reading::Nothing, "{word}");
        }
    }

    #[test]
    fn decimals_round_trip() {
        for text in [
            "0",
            "-1",
            "1061.000",
            "0.001",
            "-100000000.000",
            "99999999.999",
        ] {
            assert_eq!(
                std::format!("{}", Decimal::read(text.as_bytes()).unwrap()),
                text
            );
        }
        assert_eq!(Decimal::read(b"9223372036854775808"), None);
        assert_eq!(
            Decimal::read(b"1.0000000000000000000000000")
                .unwrap()
                .whole(),
            1
        );
        assert_eq!(Decimal::new(-1_500, 3).thousandths(), -1_500);
        assert_eq!(Decimal::new(i64::MAX, 0).thousandths(), i64::MAX);
        assert_eq!(Decimal::new(i64::MIN, 3).mantissa(), -Decimal::MAX_MANTISSA);
    }
}
