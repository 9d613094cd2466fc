//! Splitting a line into words, and telling keywords apart quickly.

/// Whether a byte separates words: blanks and control characters. Line ends
/// count too: a stray carriage return in the middle of a line is only a blank.
#[inline]
pub(crate) const fn is_blank(byte: u8) -> bool {
    byte <= b' '
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
        // Byte by byte: words are short and their lengths repeat from line to
        // line, so guessing the end beats computing it from eight bytes at once.
        let mut end = start;
        while end < line.len() && !is_blank(line[end]) {
            end += 1;
        }
        self.pos = end;
        if start < end {
            Some(Token {
                bytes: &line[start..end],
                start,
            })
        } else {
            None
        }
    }

    /// The next word where moves are expected. Nearly all of them have four
    /// letters and one blank before them; that case takes one look.
    #[inline]
    pub(crate) fn next_move(&mut self) -> Option<Token<'a>> {
        if let Some([b' ', a, b'0'..=b'9', b, b'0'..=b'9', b' ']) =
            self.line.get(self.pos..self.pos + 6)
            && !is_blank(*a)
            && !is_blank(*b)
        {
            let start = self.pos + 1;
            self.pos += 5;
            return Some(Token {
                bytes: &self.line[start..start + 4],
                start,
            });
        }
        self.next()
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

    /// The word as one number for comparisons with [`word_key`]; 0 if it is
    /// too long to be a keyword.
    #[inline]
    pub(crate) fn key(&self, token: Token<'a>) -> u64 {
        let len = token.bytes.len();
        if len > 8 {
            return long_key(token.bytes);
        }
        match self.line[token.start..].first_chunk::<8>() {
            Some(window) => u64::from_le_bytes(*window) & (u64::MAX >> (64 - 8 * len.max(1))),
            // Near the end of a line there are no eight bytes to load at once.
            None => short_key(token.bytes),
        }
    }

    /// Skips blanks and reads a plain whole number of up to 18 digits. On
    /// anything else it stays where it is.
    #[inline(always)]
    pub(crate) fn plain_number(&mut self) -> Option<(bool, u64)> {
        let line = self.line;
        let mut at = self.pos;
        while at < line.len() && is_blank(line[at]) {
            at += 1;
        }
        let negative = at < line.len() && line[at] == b'-';
        at += usize::from(negative);
        let first = at;
        let mut magnitude: u64 = 0;
        while at < line.len() {
            let digit = line[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            magnitude = magnitude.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        let ends = at == line.len() || is_blank(line[at]);
        if !ends || at == first || at - first > 18 {
            return None;
        }
        self.pos = at;
        Some((negative, magnitude))
    }

    /// Whether the word that starts at `start` has a digit in one of its first
    /// two places. No keyword has, and nearly every move does.
    #[inline]
    pub(crate) fn looks_like_move(&self, start: usize) -> bool {
        match self.line.get(start..start + 2) {
            Some([a, b]) => a.is_ascii_digit() || b.is_ascii_digit(),
            _ => false,
        }
    }
}

const fn short_key(bytes: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = bytes.len();
    while i > 0 {
        i -= 1;
        key = (key << 8) | bytes[i] as u64;
    }
    key
}

/// Keywords that do not fit one machine word.
const LONG: [&str; 15] = [
    "setoption",
    "ponderhit",
    "movestogo",
    "movesleft",
    "ucinewgame",
    "lowerbound",
    "upperbound",
    "refutation",
    "(microsec)",
    "searchmoves",
    "clienterror",
    "servererror",
    "registration",
    "currmovenumber",
    "copyprotection",
];

/// A number of its own for each long keyword: a top byte with zeros below it,
/// which no shorter word has, because zero bytes are blanks.
#[cold]
const fn long_key(bytes: &[u8]) -> u64 {
    let mut index = 0;
    while index < LONG.len() {
        if same(bytes, LONG[index].as_bytes()) {
            return (0xFF << 56) | (index as u64 + 1);
        }
        index += 1;
    }
    0
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A keyword as a number: its bytes, first byte lowest. Comparing numbers is
/// much cheaper than comparing slices one keyword after the other.
pub(crate) const fn word_key(word: &str) -> u64 {
    let bytes = word.as_bytes();
    if bytes.len() <= 8 {
        return short_key(bytes);
    }
    let key = long_key(bytes);
    assert!(key != 0, "a long keyword is missing in the table");
    key
}

/// Defines keyword constants in a module of their own.
macro_rules! keywords {
    ($($name:ident = $word:literal),+ $(,)?) => {
        $(pub(crate) const $name: u64 = $crate::token::word_key($word);)+
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
