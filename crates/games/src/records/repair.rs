//! Moves that are misspelled in ways everybody understands.

use super::nag::Nag;
use crate::position::Position;

/// How we write a null move, in either notation. Of the spellings in use it is
/// the one that most programs read.
pub(crate) const NULL_MOVE: &str = "--";

/// Whether a word is one of the ways to write "no move".
pub(crate) fn is_null(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "--" | "z0" | "0000" | "null" | "pass" | "@@@@" | "<>"
    )
}

/// Reads a word that the rules did not take as it is: the move, and the glyph
/// that was glued to it.
///
/// Every candidate must be a legal move in its own right, and each repair only
/// takes away or replaces signs, so a wrong guess would have to be a legal
/// move that differs from the word by punctuation.
pub(crate) fn read<P: Position>(board: &P, word: &str) -> Option<(P::Move, Option<Nag>)> {
    // Nothing that can be mended is long, and every repair costs a copy.
    if word.len() > 32 || is_null(word) {
        return None;
    }
    let try_read = |text: &str| {
        (!text.is_empty() && text != word)
            .then(|| board.parse_notation(text).ok())
            .flatten()
    };
    let (trimmed, nag) = trim(word);
    let plain = letters(trimmed);
    let joined: String = plain.replace(['-', '('], "").replace([')', '/'], "");
    let captured = plain.replace(':', "x");
    for text in [trimmed, &plain, &captured, &joined] {
        if let Some(m) = try_read(text).or_else(|| try_read(&recased(text))) {
            return Some((m, nag));
        }
    }
    None
}

/// Without a move number in front and signs behind.
fn trim(word: &str) -> (&str, Option<Nag>) {
    let mut nag = None;
    let mut text = word.trim_matches(['.', ',', ':', '"', '\'']);
    // "12e4": a number without its dot. "0-0" begins with a digit, too.
    let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if unnumbered.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text = unnumbered;
    }
    loop {
        let before = text;
        for suffix in ["e.p.", "e.p", "ep", "ch", "mate", "++", "dbl", "."] {
            text = text.strip_suffix(suffix).unwrap_or(text);
        }
        for sign in [
            "+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+", "=", "±", "∓", "⩲", "⩱", "∞", "□",
            "N",
        ] {
            if let Some(shorter) = text.strip_suffix(sign) {
                text = shorter;
                nag = Nag::from_sign(sign);
            }
        }
        if text == before {
            return (text, nag);
        }
    }
}

/// Figurines, long dashes and zeros as plain letters.
fn letters(word: &str) -> String {
    let castling = word.starts_with("0-0") || word.starts_with("o-o");
    word.chars()
        .filter_map(|c| match c {
            '♔' | '♚' => Some('K'),
            '♕' | '♛' => Some('Q'),
            '♖' | '♜' => Some('R'),
            '♗' | '♝' => Some('B'),
            '♘' | '♞' => Some('N'),
            // Pawns have no letter; U+FE0E asks for text instead of a picture.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
            '–' | '—' | '−' => Some('-'),
            '×' => Some('x'),
            '0' | 'o' if castling => Some('O'),
            c => Some(c),
        })
        .collect()
}

/// `nf3` as `Nf3`, `E4` as `e4`.
fn recased(text: &str) -> String {
    let mut lower = text.to_ascii_lowercase();
    if text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
        && let Some(first) = lower.get_mut(..1)
    {
        first.make_ascii_uppercase();
    }
    lower
}
