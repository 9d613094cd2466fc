//! Pieces of a file before their bytes get a meaning.

use std::borrow::Cow;

/// Bytes of a comment or tag value as they stand in the file. Nothing is
/// decoded until [`decode`](Self::decode) is called, so readers that do not
/// care about comments do not pay for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    bytes: &'a [u8],
    escaped: bool,
}

impl<'a> Text<'a> {
    /// A comment: everything between its delimiters.
    pub(crate) const fn comment(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            escaped: false,
        }
    }

    /// A tag value, in which a backslash protects a quote or a backslash.
    pub(crate) const fn tag(bytes: &'a [u8], escaped: bool) -> Self {
        Self { bytes, escaped }
    }

    /// The bytes of the file, delimiters excluded.
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Whether the bytes are UTF-8; if not, they are taken as Latin-1.
    pub fn is_utf8(self) -> bool {
        core::str::from_utf8(self.bytes).is_ok()
    }

    /// The text: UTF-8, or Latin-1 if it is not UTF-8; every line break is one
    /// blank, blanks at both ends are gone, escapes are resolved.
    pub fn decode(self) -> Cow<'a, str> {
        let text = decode(self.bytes);
        let special = |b: u8| matches!(b, b'\n' | b'\r') || (self.escaped && b == b'\\');
        if !text.bytes().any(special) {
            return match text {
                Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
                Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
            };
        }
        let unescaped: String = if self.escaped {
            unescape(&text)
        } else {
            text.into_owned()
        };
        Cow::Owned(one_line(&unescaped))
    }
}

/// UTF-8 if it is UTF-8, Latin-1 otherwise: every byte is then the character
/// with that number.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

/// The blanks that a wrapped line may add or lose.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// A text in the only form in which comments and tag values are kept: line
/// breaks are blanks, one for one, and there are no blanks at the ends. This
/// is what makes wrapping at blanks harmless.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = trim(text).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                if chars.peek() == Some(&'\n') {
                    chars.next();
                }
                out.push(' ');
            }
            '\n' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('"' | '\\'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_1_is_a_fallback_not_a_guess() {
        assert_eq!(Text::comment(b"Gr\xfcnfeld").decode(), "Grünfeld");
        assert_eq!(Text::comment("Grünfeld".as_bytes()).decode(), "Grünfeld");
    }

    #[test]
    fn line_breaks_are_blanks_one_for_one() {
        assert_eq!(Text::comment(b" a\r\nb\rc\n\nd ").decode(), "a b c  d");
    }

    #[test]
    fn only_tags_have_escapes() {
        assert_eq!(
            Text::tag(br#"a \"b\" \\ \c"#, true).decode(),
            r#"a "b" \ \c"#
        );
        assert_eq!(Text::comment(br#"a \"b\""#).decode(), r#"a \"b\""#);
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(
            Text::comment(b" plain ").decode(),
            Cow::Borrowed("plain")
        ));
    }
}
