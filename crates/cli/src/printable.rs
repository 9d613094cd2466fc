//! Text of engines and files, made fit for a terminal.

use std::borrow::Cow;

/// The text with control characters written out, so that what an engine says
/// moves no cursor and changes no colour. Ends of lines stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() && c != '\n';
    if !text.contains(odd) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if odd(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(printable("plain é\ntwo"), "plain é\ntwo");
        assert_eq!(printable("\x1b[31mred\x07\t"), r"\u{1b}[31mred\u{7}\t");
        assert_eq!(printable("\u{9b}2J\x7f"), r"\u{9b}2J\u{7f}");
    }
}
