//! Small numbers in few bytes: seven bits a byte, the lowest first.

/// Appends a number.
pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number with a sign: 0, -1, 1, -2, 2... become 0, 1, 2, 3, 4...
pub(crate) fn put_signed(out: &mut Vec<u8>, number: i64) {
    put(out, ((number << 1) ^ (number >> 63)) as u64);
}

/// Takes a number from the front; `None` if the bytes end or it is too large.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a number with a sign from the front.
pub(crate) fn take_signed(bytes: &mut &[u8]) -> Option<i64> {
    let number = take(bytes)?;
    Some((number >> 1) as i64 ^ -((number & 1) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 63, 64, 127, 128, 300, 1 << 21, i64::MAX];
        for number in numbers.into_iter().flat_map(|n| [n, -n]) {
            let mut bytes = Vec::new();
            put_signed(&mut bytes, number);
            put(&mut bytes, number as u64);
            let mut rest = &bytes[..];
            assert_eq!(take_signed(&mut rest), Some(number));
            assert_eq!(take(&mut rest), Some(number as u64));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        assert_eq!(take(&mut &[][..]), None);
        assert_eq!(take(&mut &[0x80][..]), None);
        assert_eq!(take(&mut &[0xff; 11][..]), None);
        let mut too_large = vec![0xff; 9];
        too_large.push(0x02);
        assert_eq!(take(&mut &too_large[..]), None);
    }
}
