//! Numeric annotation glyphs and the signs people write for them.

use core::fmt;

/// A numeric annotation glyph, `$0` to `$255`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Nag(pub u8);

impl Nag {
    /// `!`
    pub const GOOD: Self = Self(1);
    /// `?`
    pub const MISTAKE: Self = Self(2);
    /// `!!`
    pub const BRILLIANT: Self = Self(3);
    /// `??`
    pub const BLUNDER: Self = Self(4);
    /// `!?`
    pub const INTERESTING: Self = Self(5);
    /// `?!`
    pub const DUBIOUS: Self = Self(6);
    /// `N`, a novelty.
    pub const NOVELTY: Self = Self(146);
    /// `D`, a diagram.
    pub const DIAGRAM: Self = Self(220);

    /// Reads a sign that stands alone between two moves.
    pub fn from_sign(sign: &str) -> Option<Self> {
        SIGNS
            .iter()
            .find(|(known, _)| *known == sign)
            .map(|&(_, number)| Self(number))
    }

    /// The sign for people, if there is one.
    pub fn sign(self) -> Option<&'static str> {
        SIGNS
            .iter()
            .find(|&&(_, number)| number == self.0)
            .map(|&(sign, _)| sign)
    }
}

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// Signs and numbers; the first sign of a number is the one we write.
const SIGNS: &[(&str, u8)] = &[
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("‼", 3),
    ("??", 4),
    ("⁇", 4),
    ("!?", 5),
    ("⁉", 5),
    ("?!", 6),
    ("⁈", 6),
    ("□", 7),
    ("=", 10),
    ("==", 11),
    ("∞", 13),
    ("~", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("-+", 19),
    ("−+", 19),
    ("+--", 20),
    ("--+", 21),
    ("⨀", 22),
    ("⊙", 22),
    ("○", 26),
    ("⟳", 32),
    ("↑", 36),
    ("→", 40),
    ("=/∞", 44),
    ("⯹", 44),
    ("⇆", 132),
    ("⊕", 138),
    ("∆", 140),
    ("△", 140),
    ("∇", 141),
    ("⌓", 142),
    ("<=", 143),
    ("RR", 145),
    ("N", 146),
    ("D", 220),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_read_back() {
        for &(sign, number) in SIGNS {
            assert_eq!(Nag::from_sign(sign), Some(Nag(number)), "{sign}");
            let written = Nag(number).sign().unwrap_or_default();
            assert_eq!(Nag::from_sign(written), Some(Nag(number)));
        }
        assert_eq!(Nag::from_sign("e4"), None);
        assert_eq!(Nag(3).to_string(), "$3");
    }
}
