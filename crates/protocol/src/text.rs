//! Borrowed text: bytes that are usually, but not always, UTF-8.

use core::fmt;

use crate::token::{Cursor, is_blank};

/// A piece of a line, exactly as it was sent.
///
/// Engines and hosts do send bytes that are not UTF-8 (names in old code
/// pages), and losing them would lose the message. So text is bytes here;
/// [`to_str`](Self::to_str) tells whether it is a proper string, and `Display`
/// shows it with replacement characters if it is not.
///
/// ```
/// use quadrille_protocol::Text;
///
/// let name = Text::from("Clear Hash");
/// assert_eq!(name, "Clear Hash");
/// assert!(name.eq_ignore_case("clear hash"));
/// assert_eq!(Text::from_bytes(b"K\xF6nig").to_string(), "K\u{FFFD}nig");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// No text at all.
    pub const EMPTY: Self = Self(b"");

    /// Text from raw bytes.
    #[inline]
    pub const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The raw bytes.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text as a string, if it is one.
    #[inline]
    pub fn to_str(self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }

    /// Whether there is nothing.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Number of bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Compares without regard to ASCII case, as option names are compared.
    #[inline]
    pub fn eq_ignore_case(self, other: impl AsRef<[u8]>) -> bool {
        self.0.eq_ignore_ascii_case(other.as_ref())
    }

    /// Whether this move text is one of the null moves seen in the wild:
    /// `0000`, `(none)`, `none`, `null` in any case, `--`, Gyges'
    /// `100|100|100`, or a square named twice such as `a1a1`.
    ///
    /// In Leiserchess the last form is a real move (the King fires without
    /// moving), so there the rules decide.
    pub fn is_null_move(self) -> bool {
        let named = ["0000", "(none)", "none", "null", "--", "100|100|100"];
        if named.iter().any(|word| self.eq_ignore_case(word)) {
            return true;
        }
        let (first, second) = self.0.split_at(self.0.len() / 2);
        first == second
            && first.len() >= 2
            && first[0].is_ascii_alphabetic()
            && first[first.len() - 1].is_ascii_digit()
    }
}

impl<'a> From<&'a str> for Text<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

impl<'a> From<&'a [u8]> for Text<'a> {
    #[inline]
    fn from(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl AsRef<[u8]> for Text<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// A list of moves: borrowed text, split at blanks when iterated.
///
/// Moves are opaque here. `e2e4`, `a10b10`, `h0L`, `0|3|2|12|3|8`, `P@e4` and
/// `(none)` are all just words; the rules of a game give them meaning.
///
/// ```
/// use quadrille_protocol::Moves;
///
/// let line = Moves::from("e2e4  e7e5 g1f3");
/// assert_eq!(line.len(), 3);
/// assert_eq!(line, Moves::from("e2e4 e7e5 g1f3"));
/// assert_eq!(line.first().unwrap(), "e2e4");
/// ```
#[derive(Clone, Copy, Default)]
pub struct Moves<'a>(&'a [u8]);

impl<'a> Moves<'a> {
    /// An empty list.
    pub const EMPTY: Self = Self(b"");

    pub(crate) const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The moves one by one.
    #[inline]
    pub fn iter(self) -> MovesIter<'a> {
        MovesIter(Cursor::new(self.0))
    }

    /// The number of moves; walks the text.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Whether there is no move.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&b| is_blank(b))
    }

    /// The first move.
    #[inline]
    pub fn first(self) -> Option<Text<'a>> {
        self.iter().next()
    }

    /// The last move.
    pub fn last(self) -> Option<Text<'a>> {
        let end = self.0.iter().rposition(|&b| !is_blank(b))? + 1;
        let start = self.0[..end]
            .iter()
            .rposition(|&b| is_blank(b))
            .map_or(0, |i| i + 1);
        Some(Text(&self.0[start..end]))
    }

    /// The text as it stood in the line.
    #[inline]
    pub const fn text(self) -> Text<'a> {
        Text(self.0)
    }
}

impl<'a> From<&'a str> for Moves<'a> {
    fn from(text: &'a str) -> Self {
        Self(text.as_bytes())
    }
}

impl<'a> From<Text<'a>> for Moves<'a> {
    fn from(text: Text<'a>) -> Self {
        Self(text.0)
    }
}

/// Two lists are equal when their moves are, whatever blanks stand between.
impl PartialEq for Moves<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Moves<'_> {}

impl fmt::Debug for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for Moves<'a> {
    type Item = Text<'a>;
    type IntoIter = MovesIter<'a>;

    #[inline]
    fn into_iter(self) -> MovesIter<'a> {
        self.iter()
    }
}

/// Iterator over [`Moves`].
#[derive(Debug, Clone)]
pub struct MovesIter<'a>(Cursor<'a>);

impl<'a> Iterator for MovesIter<'a> {
    type Item = Text<'a>;

    #[inline]
    fn next(&mut self) -> Option<Text<'a>> {
        self.0.next_move().map(|token| Text(token.bytes))
    }
}
