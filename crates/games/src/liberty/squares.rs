//! Names of files and squares: files count a..z, aa..az, ba.., ranks are plain
//! numbers.

/// The letters of a file, counted from 0.
pub(super) fn file_name(file: u16) -> String {
    let mut letters = Vec::new();
    let mut rest = u32::from(file) + 1;
    while rest > 0 {
        rest -= 1;
        letters.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    letters.iter().rev().collect()
}

/// The name of a square, file and rank counted from 0.
pub(super) fn name(file: u16, rank: u16) -> String {
    format!("{}{}", file_name(file), u32::from(rank) + 1)
}

/// Adds a letter to a file number counted from 1 (0 before the first letter).
/// Stays at a value that no board has once it is too large.
pub(super) fn push_letter(file: u32, letter: u8) -> u32 {
    let value = u32::from(letter.to_ascii_lowercase() - b'a') + 1;
    file.saturating_mul(26).saturating_add(value)
}

/// Adds a digit to a rank number, with the same guard.
pub(super) fn push_digit(rank: u32, digit: u8) -> u32 {
    rank.saturating_mul(10)
        .saturating_add(u32::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_bijective_base_26() {
        let cases = [
            (0, "a"),
            (25, "z"),
            (26, "aa"),
            (51, "az"),
            (52, "ba"),
            (255, "iv"),
        ];
        for (file, letters) in cases {
            assert_eq!(file_name(file), letters);
            let back = letters.bytes().fold(0, push_letter);
            assert_eq!(back, u32::from(file) + 1);
        }
        assert_eq!(name(26, 9), "aa10");
        let endless = "z".repeat(100).bytes().fold(0, push_letter);
        assert!(endless > 256);
    }
}
