//! Splitting a line into words, and telling keywords apart quickly.

/// Whether a byte separates words. Line ends count too: a stray carriage
/// return in the middle of a line is only a blank.
#[inline]
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// `bytes` without blanks at either end.
pub(crate) fn trim(bytes: &[u8]) -> &[u8] {
    let start = bytes
        .iter()
        .position(|&b| !is_blank(b))
        .unwrap_or(bytes.len());
    let end = bytes
        .iter()
        .rposition(|&b| !is_blank(b))
        .map_or(start, |i| i + 1);
    &bytes[start..end]
}

/// A word and where it stands in the line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) start: usize,
}

impl Token<'_> {
    #[inline]
    pub(crate) const fn end(&self) -> usize {
        self.start + self.bytes.len()
    }
}

/// Walks over the words of a line.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    line: &'a [u8],
    pos: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    pub(crate) const fn new(line: &'a [u8]) -> Self {
        Self { line, pos: 0 }
    }

    /// The whole line.
    #[inline]
    pub(crate) const fn line(&self) -> &'a [u8] {
        self.line
    }

    /// The byte after the last word read.
    #[inline]
    pub(crate) const fn position(&self) -> usize {
        self.pos
    }

    /// Goes back (or forward) to a byte position, usually a token's start.
    #[inline]
    pub(crate) const fn seek(&mut self, position: usize) {
        self.pos = position;
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Option<Token<'a>> {
        let line = self.line;
        let mut start = self.pos;
        while start < line.len() && is_blank(line[start]) {
            start += 1;
        }
        let mut end = start;
        while end < line.len() && !is_blank(line[end]) {
            end += 1;
        }
        self.pos = end;
        if start == end {
            None
        } else {
            Some(Token {
                bytes: &line[start..end],
                start,
            })
        }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<Token<'a>> {
        self.clone().next()
    }

    /// Everything after the last word read, less the one blank that ends that
    /// word and less the line end. Blanks inside stay as they are.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let mut end = self.line.len();
        while end > self.pos && matches!(self.line[end - 1], b'\r' | b'\n') {
            end -= 1;
        }
        let start = (self.pos + 1).min(end);
        self.pos = self.line.len();
        &self.line[start..end]
    }

    /// The rest of the line, trimmed, with the position where it starts.
    pub(crate) fn trimmed_rest(&mut self) -> Option<Token<'a>> {
        let first = self.next()?;
        let bytes = trim(&self.line[first.start..]);
        self.pos = self.line.len();
        Some(Token {
            bytes,
            start: first.start,
        })
    }

    /// The word as one number for [`word_key`] comparisons; 0 if it is too
    /// long to be a keyword.
    #[inline]
    pub(crate) fn key(&self, token: Token<'a>) -> u128 {
        let len = token.bytes.len();
        if let Some(window) = self.line.get(token.start..token.start + 16)
            && let Ok(bytes) = <[u8; 16]>::try_from(window)
        {
            let word = u128::from_le_bytes(bytes);
            return match len {
                0..16 => word & ((1 << (8 * len)) - 1),
                16 => word,
                _ => 0,
            };
        }
        short_key(token.bytes)
    }
}

/// Near the end of a line there are no 16 bytes to load at once.
fn short_key(bytes: &[u8]) -> u128 {
    if bytes.len() > 16 {
        return 0;
    }
    bytes
        .iter()
        .rev()
        .fold(0, |key, &b| (key << 8) | u128::from(b))
}

/// A keyword as a number: its bytes, first byte lowest. Comparing numbers is
/// much cheaper than comparing slices one keyword after the other.
pub(crate) const fn word_key(word: &str) -> u128 {
    let bytes = word.as_bytes();
    assert!(bytes.len() <= 16, "keywords have at most 16 bytes");
    let mut key = 0;
    let mut i = bytes.len();
    while i > 0 {
        i -= 1;
        key = (key << 8) | bytes[i] as u128;
    }
    key
}

/// Defines keyword constants in a module of their own.
macro_rules! keywords {
    ($($name:ident = $word:literal),+ $(,)?) => {
        $(pub(crate) const $name: u128 = $crate::token::word_key($word);)+
    };
}
pub(crate) use keywords;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_between_any_blanks() {
        let mut cursor = Cursor::new(b"\t  debug \t  \t\ton\t  \r\n");
        let word = cursor.next().unwrap();
        assert_eq!((word.bytes, word.start), (&b"debug"[..], 3));
        assert_eq!(cursor.next().unwrap().bytes, b"on");
        assert!(cursor.next().is_none());
    }

    #[test]
    fn keys_agree_at_the_end_and_in_the_middle_of_a_line() {
        let line = b"seldepth currmovenumber seldepth";
        let mut cursor = Cursor::new(line);
        while let Some(token) = cursor.next() {
            let word = core::str::from_utf8(token.bytes).unwrap();
            assert_eq!(cursor.key(token), word_key(word));
        }
        let long = Cursor::new(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
        assert_eq!(long.key(long.peek().unwrap()), 0);
    }

    #[test]
    fn rest_keeps_inner_blanks() {
        let mut cursor = Cursor::new(b"string  a  b \r\n");
        cursor.next();
        assert_eq!(cursor.rest(), b" a  b ");
        let mut bare = Cursor::new(b"string\n");
        bare.next();
        assert_eq!(bare.rest(), b"");
    }
}
