//! Bytes and words: the small questions a tokenizer asks all the time.

use super::nag::Nag;
use super::result::GameResult;

/// Bytes that end a word among the moves.
pub(crate) const STOPS: [bool; 256] = {
    let mut table = [false; 256];
    let stops = b" \t\n\r\x0b\x0c{}()[];$!?";
    let mut i = 0;
    while i < stops.len() {
        table[stops[i] as usize] = true;
        i += 1;
    }
    table
};

/// Bytes of words that can only be moves, once the first two have been looked
/// at.
const PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 128 {
        let b = i as u8;
        table[i] = b.is_ascii_alphanumeric() || matches!(b, b'+' | b'#' | b'=' | b'-' | b'|');
        i += 1;
    }
    table
};

/// Whether a word is surely a move and pure ASCII: two letters or digits at
/// least, and none of the words that mean something else.
#[inline]
pub(crate) fn is_plain_move(word: &[u8]) -> bool {
    starts_a_move(word) && plain_length(word) == word.len()
}

/// As [`is_plain_move`], for a word whose bytes are known to be plain.
#[inline(always)]
pub(crate) fn starts_a_move(word: &[u8]) -> bool {
    match word {
        [b'e', b'p'] | [b'R', b'R'] | [b'O' | b'o', b'-', b'1'] => false,
        [b'a'..=b'z' | b'A'..=b'Z', _, ..] => true,
        _ => false,
    }
}

/// How many bytes of plain words stand here.
#[inline]
pub(crate) fn plain_length(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|&b| !PLAIN[usize::from(b)]);
    end.unwrap_or(bytes.len())
}

/// How many of eight bytes are plain. Without a branch for each byte: the
/// lengths of moves are what no processor can foresee.
#[inline(always)]
pub(crate) fn plain_of_eight(eight: [u8; 8]) -> usize {
    let mut mask = 0x100_u32;
    let mut k = 0;
    while k < 8 {
        mask |= u32::from(!PLAIN[usize::from(eight[k])]) << k;
        k += 1;
    }
    mask.trailing_zeros() as usize
}

/// How many of eight bytes are digits, likewise.
#[inline(always)]
pub(crate) fn digits_of_eight(eight: [u8; 8]) -> usize {
    let x = u64::from_le_bytes(eight) ^ 0x3030_3030_3030_3030;
    // A digit is now 0 to 9: nothing above the low nibble, also after adding 6.
    let high = (x | (x & 0x0f0f_0f0f_0f0f_0f0f).wrapping_add(0x0606_0606_0606_0606))
        & 0xf0f0_f0f0_f0f0_f0f0;
    (high.trailing_zeros() / 8) as usize
}

/// Words that repeat what the move says already.
pub(crate) fn is_idle_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"e.p."
            | b"e.p"
            | b"ep"
            | b"ep."
            | b"+"
            | b"++"
            | b"#"
            | b"ch"
            | b"ch."
            | b"mate"
            | b","
            | b"\""
    )
}

/// The glyph for a run of `!` and `?`; longer runs count by their first two.
pub(crate) fn marks(run: &[u8]) -> Nag {
    match run {
        [b'!', b'!', ..] => Nag::BRILLIANT,
        [b'!', b'?', ..] => Nag::INTERESTING,
        [b'?', b'!', ..] => Nag::DUBIOUS,
        [b'?', b'?', ..] => Nag::BLUNDER,
        [b'?', ..] => Nag::MISTAKE,
        _ => Nag::GOOD,
    }
}

pub(crate) fn is_result(word: &[u8]) -> bool {
    GameResult::from_spelling(word).is_some()
}

/// Whether a word at the start of a line, outside any game, is more likely a
/// first move than prose: a file letter, a rank digit, nothing strange.
pub(crate) fn looks_like_move(word: &[u8]) -> bool {
    let short = (2..=7).contains(&word.len());
    let square = word
        .windows(2)
        .any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_digit());
    let plain = word.iter().all(|&b| PLAIN[usize::from(b)]);
    short && plain && (square || word.starts_with(b"O-O") || word.starts_with(b"0-0"))
}

/// The first place of a byte, eight bytes at a time.
pub(crate) fn find_byte(bytes: &[u8], wanted: u8) -> Option<usize> {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pattern = LOW * u64::from(wanted);
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        let x = u64::from_le_bytes(eight) ^ pattern;
        // The lowest marked byte is the first zero byte of x.
        let zeros = x.wrapping_sub(LOW) & !x & HIGH;
        if zeros != 0 {
            return Some(at + (zeros.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let tail = chunks.remainder();
    tail.iter().position(|&b| b == wanted).map(|n| at + n)
}

const NEXT_GAME: &[u8] = b"[Event \"";
/// How far back a search must begin again when more bytes have come: the tag
/// and the blank line before it.
pub(crate) const NEXT_GAME_LENGTH: usize = NEXT_GAME.len() + 4;

/// Where an `[Event "` stands behind a blank line: the sign of a comment that
/// was never closed.
pub(crate) fn find_next_game(bytes: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(n) = find_byte(bytes.get(from..)?, b'[') {
        let at = from + n;
        let blank = bytes[..at].ends_with(b"\n\n") || bytes[..at].ends_with(b"\r\n\r\n");
        if blank && bytes[at..].starts_with(NEXT_GAME) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn find_byte_agrees_with_the_plain_search() {
        for len in 0..40 {
            let mut bytes = vec![b'x'; len];
            assert_eq!(find_byte(&bytes, b'}'), None);
            for at in (0..len).rev() {
                bytes[at] = b'}';
                assert_eq!(find_byte(&bytes, b'}'), Some(at));
                // Neighbours of the wanted byte must not be mistaken for it.
                bytes[at] = b'|';
                let next = (at + 1 < len).then_some(at + 1);
                assert_eq!(find_byte(&bytes, b'}'), next);
                bytes[at] = b'}';
            }
        }
    }

    #[test]
    fn eight_bytes_at_a_time() {
        for b in 0..=255 {
            let digit = usize::from(u8::is_ascii_digit(&b));
            assert_eq!(
                digits_of_eight([b, b' ', b'1', 0, 0, 0, 0, 0]),
                digit,
                "{b}"
            );
            assert_eq!(
                digits_of_eight([b'0', b'9', b, 0, 0, 0, 0, 0]),
                2 + digit,
                "{b}"
            );
            let plain = usize::from(PLAIN[usize::from(b)]);
            assert_eq!(
                plain_of_eight([b'N', b, b' ', b'1', 0, 0, 0, 0]),
                1 + plain,
                "{b}"
            );
        }
        assert_eq!(digits_of_eight(*b"12345678"), 8);
        assert_eq!(plain_of_eight(*b"Nf3xe5+#"), 8);
    }

    #[test]
    fn next_game_needs_a_blank_line() {
        assert_eq!(find_next_game(b"abc\n\n[Event \"x\"]"), Some(5));
        assert_eq!(find_next_game(b"abc\r\n\r\n[Event \"x\"]"), Some(7));
        assert_eq!(find_next_game(b"abc\n[Event \"x\"]"), None);
        assert_eq!(find_next_game(b"[%clk 1] \n\n[Even"), None);
    }
}
