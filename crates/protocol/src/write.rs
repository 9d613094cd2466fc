//! Small pieces that both writers use.

use alloc::vec::Vec;

use crate::text::{Moves, Text};
use crate::token::{Cursor, trim};

/// Appends text as it is, except that a line end inside it becomes a blank:
/// one message is always one line.
pub(crate) fn put_text(out: &mut Vec<u8>, text: Text<'_>) {
    out.extend(
        text.as_bytes()
            .iter()
            .map(|&b| if matches!(b, b'\r' | b'\n') { b' ' } else { b }),
    );
}

/// Appends words with single blanks between them.
pub(crate) fn put_words(out: &mut Vec<u8>, text: Text<'_>) {
    put_joined(out, text.as_bytes());
}

/// Appends a keyword, and moves with single blanks before each.
pub(crate) fn put_moves(out: &mut Vec<u8>, word: &str, moves: Moves<'_>) {
    put_keyword(out, word);
    if !moves.is_empty() {
        out.push(b' ');
        put_joined(out, moves.text().as_bytes());
    }
}

fn put_joined(out: &mut Vec<u8>, bytes: &[u8]) {
    if is_joined(bytes) {
        out.extend_from_slice(bytes);
        return;
    }
    let mut cursor = Cursor::new(bytes);
    let mut first = true;
    while let Some(token) = cursor.next() {
        if !first {
            out.push(b' ');
        }
        first = false;
        out.extend_from_slice(token.bytes);
    }
}

/// Whether there are single blanks between the words already, as in every line
/// of moves that an engine makes itself.
fn is_joined(bytes: &[u8]) -> bool {
    let mut blank = true;
    let tidy = bytes.iter().all(|&byte| {
        let twice = blank && byte <= b' ';
        blank = byte == b' ';
        !twice && byte >= b' '
    });
    tidy && !blank
}

/// Appends a blank and a keyword.
pub(crate) fn put_keyword(out: &mut Vec<u8>, word: &str) {
    out.push(b' ');
    out.extend_from_slice(word.as_bytes());
}

/// Appends a blank, a keyword, a blank and a text without outer blanks. An
/// empty text leaves only the keyword.
pub(crate) fn put_value(out: &mut Vec<u8>, word: &str, value: Text<'_>) {
    put_keyword(out, word);
    let value = trim(value.as_bytes());
    if !value.is_empty() {
        out.push(b' ');
        put_text(out, Text::from_bytes(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_single_blanks() {
        for (text, joined) in [
            ("e2e4 e7e5", "e2e4 e7e5"),
            ("e2e4", "e2e4"),
            (" e2e4  e7e5\t", "e2e4 e7e5"),
            ("e2e4\te7e5", "e2e4 e7e5"),
            ("e2e4\n e7e5", "e2e4 e7e5"),
            ("e2e4 ", "e2e4"),
            (" ", ""),
            ("", ""),
        ] {
            let mut out = Vec::new();
            put_joined(&mut out, text.as_bytes());
            assert_eq!(out, joined.as_bytes(), "{text:?}");
            assert_eq!(
                is_joined(text.as_bytes()),
                text == joined && !text.is_empty()
            );
        }
    }
}
