//! What only the director of an event knows: it makes the tickets of jobs, and
//! decides which games are checked.

use std::fmt::Write as _;

use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use crate::error::ClusterError;

/// Bytes of a secret, and hexadecimal digits of a ticket.
const LENGTH: usize = 32;

/// A key that is never sent.
#[derive(Debug, Clone)]
pub(crate) struct Secret(hmac::Key);

impl Secret {
    /// Makes the text of a new one, as the store keeps it.
    pub(crate) fn fresh() -> Result<String, ClusterError> {
        let mut bytes = [0; LENGTH];
        SystemRandom::new()
            .fill(&mut bytes)
            .map_err(|_| ClusterError::Server("this system gives no random numbers".into()))?;
        Ok(hex(&bytes))
    }

    pub(crate) fn new(text: &str) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, text.as_bytes()))
    }

    fn tag(&self, what: &str, number: u64, more: u64) -> hmac::Tag {
        hmac::sign(&self.0, format!("{what} {number} {more}").as_bytes())
    }

    /// Returns what a worker must show with its result, to prove that the job was
    /// delivered to it.
    pub(crate) fn ticket(&self, number: u64, attempt: u32) -> String {
        let mut text = hex(self.tag("ticket", number, attempt.into()).as_ref());
        text.truncate(LENGTH);
        text
    }

    /// Returns a number that is the same each time, and that nobody else can know.
    pub(crate) fn draw(&self, what: &str, number: u64, more: u64) -> u64 {
        let tag = self.tag(what, number, more);
        let bytes = tag.as_ref().iter().take(8);
        bytes.fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
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
    fn tickets_differ_and_come_back_with_the_secret() {
        let (one, other) = (Secret::fresh().unwrap(), Secret::fresh().unwrap());
        assert_ne!(one, other);
        let secret = Secret::new(&one);
        assert_eq!(secret.ticket(7, 1001), Secret::new(&one).ticket(7, 1001));
        assert_eq!(secret.ticket(7, 1001).len(), LENGTH);
        for ticket in [
            secret.ticket(7, 1002),
            secret.ticket(8, 1001),
            Secret::new(&other).ticket(7, 1001),
        ] {
            assert_ne!(secret.ticket(7, 1001), ticket);
        }
        assert_ne!(secret.draw("a", 1, 0), secret.draw("a", 2, 0));
        assert_eq!(secret.draw("a", 1, 0), secret.draw("a", 1, 0));
    }
}
