//! Text that others wrote (engines, files, the network), made fit to be shown and
//! written down.
//!
//! An engine's name may hold an escape sequence that clears the screen, a player's
//! name in a file a NUL, a title characters that turn the direction of writing
//! round. Everything foreign goes through here on its way to a terminal, a record
//! or a message; inside this program and in the store it stays as it came.

use std::borrow::Cow;

/// Characters that do something instead of being seen: control characters, and
/// the invisible ones that reorder or break lines.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{2028}' | '\u{2029}'
                | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

fn written_out(text: &str, is_control: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_control) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_control(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.into()
}

/// The text with control characters written out, as `\u{1b}`, so that it moves no
/// cursor and changes no colour. Ends of lines stay.
///
/// ```
/// use quadrille_net::sanitize::printable;
///
/// assert_eq!(printable("\x1b[31mred\x07"), r"\u{1b}[31mred\u{7}");
/// assert_eq!(printable("two\nlines"), "two\nlines");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    written_out(text, |c| is_control(c) && c != '\n')
}

/// The same where there must be one line: names, tags of records.
pub fn one_line(text: &str) -> Cow<'_, str> {
    written_out(text, is_control)
}

/// On one line, and not longer than so many characters; what was cut ends with a
/// mark.
///
/// ```
/// use quadrille_net::sanitize::cut;
///
/// assert_eq!(cut("Stockfish", 9), "Stockfish");
/// assert_eq!(cut("Stockfish", 6), "Stock…");
/// ```
pub fn cut(text: &str, width: usize) -> Cow<'_, str> {
    let text = one_line(text);
    if text.chars().nth(width).is_none() {
        return text;
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    if width > 0 {
        short.push('…');
    }
    short.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_written_out() {
        assert_eq!(printable("plain é\ntwo"), "plain é\ntwo");
        assert_eq!(printable("\x1b[31mred\x07\t"), r"\u{1b}[31mred\u{7}\t");
        assert_eq!(printable("\u{9b}2J\x7f"), r"\u{9b}2J\u{7f}");
        assert_eq!(printable("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(one_line("a\r\nb\0"), r"a\r\nb\u{0}");
    }

    #[test]
    fn what_is_cut_has_a_mark() {
        assert_eq!(cut("", 0), "");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("abc", 1), "…");
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(cut("a\nb", 9), r"a\nb");
    }
}
