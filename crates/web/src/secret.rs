//! Random words that open doors.

use std::fmt;

/// Bytes of a secret: too many to be guessed.
const BYTES: usize = 32;

/// A random word of 64 letters. It is not shown by accident.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new one, from the system.
    pub(crate) fn new() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(hex(&bytes)))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a text is this secret, in a time that does not depend on how much of
    /// it is right.
    pub(crate) fn is(&self, text: &str) -> bool {
        same(&self.0, text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Whether two texts are equal, in a time that depends on their lengths only.
pub(crate) fn same(a: &str, b: &str) -> bool {
    let differences = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |found, (a, b)| found | (a ^ b));
    // Else a compiler might leave the loop at the first difference.
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

/// Bytes as letters.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_known_again() {
        let [a, b] = [0, 1].map(|_| Secret::new().expect("the system has random bytes"));
        assert_eq!(a.as_str().len(), 64);
        assert!(a.is(a.as_str()) && !a.is(b.as_str()));
        assert!(!a.is("") && !a.is(&a.as_str()[1..]));
        assert_eq!(format!("{a:?}"), "Secret");
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }
}
