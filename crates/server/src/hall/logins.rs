//! How accounts are guarded: where their owners have come in from, and how often
//! somebody has tried passwords.
//!
//! Each address may try a few passwords a minute. That alone lets a thousand addresses
//! try thousands, so an account counts them too: after [`FREE`] wrong ones, addresses
//! that its owner never came from share pauses that grow up to a minute. Those the
//! owner has come from, and the token of the last visit, are not part of that: a
//! stranger cannot lock the owner out.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Hall;
use super::effect::{Address, ConnId, Keep};
use crate::message::{Name, ToClient};

/// Wrong passwords from unknown addresses before they have to pause.
const FREE: u32 = 10;
/// The longest pause.
const LONGEST: Duration = Duration::from_mins(1);
/// Addresses that are known in all.
const MOST_KNOWN: usize = 1_000_000;
/// Addresses that are known for one account.
const KNOWN: usize = 8;

/// What is kept of the visits of an account.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Logins {
    /// What opens the account without its password, as long as that stays the same.
    pub token: String,
    /// Where its owner came in from, the latest last.
    pub known: VecDeque<String>,
    /// Wrong passwords since the last visit.
    pub wrong: u32,
    /// Where the last one came from.
    pub last: String,
}

/// Tries from unknown addresses since the last good one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tries {
    count: u32,
    /// No others before.
    until: Duration,
}

impl Tries {
    /// Counts a try that is about to be checked, or says how long to wait.
    fn begin(&mut self, now: Duration) -> Result<(), Duration> {
        if now < self.until {
            return Err(self.until.saturating_sub(now));
        }
        self.count = self.count.saturating_add(1);
        if let Some(over) = self.count.checked_sub(FREE) {
            let pause = Duration::from_secs(1 << over.min(10)).min(LONGEST);
            self.until = now + pause;
        }
        Ok(())
    }
}

/// An address as it is kept; those of this process have none.
fn text(address: Address) -> String {
    address.map_or_else(|| "here".into(), |address| address.to_string())
}

impl Hall {
    /// Whether the owner of an account has come from there.
    pub(super) fn is_known_to(&self, folded: &str, address: Address) -> bool {
        let logins = self.logins.get(folded);
        logins.is_some_and(|logins| logins.known.contains(&text(address)))
    }

    /// Whether the password of an account may be tried from there now; counts it.
    pub(super) fn may_try(
        &mut self,
        folded: &str,
        address: Address,
        now: Duration,
    ) -> Result<(), String> {
        if self.is_known_to(folded, address) {
            return Ok(());
        }
        let tries = self.tries.entry(folded.into()).or_default();
        tries.begin(now).map_err(|wait| {
            let seconds = wait.as_millis().div_ceil(1000);
            format!(
                "too many wrong passwords for this account: wait {seconds} s, or come from \
                 where you were before"
            )
        })
    }

    /// A wrong password was tried.
    pub(super) fn tried_wrong(&mut self, folded: &str, address: Address) {
        let logins = self.logins.entry(folded.into()).or_default();
        logins.wrong = logins.wrong.saturating_add(1);
        logins.last = text(address);
        self.keep_logins(folded);
    }

    /// The owner of an account is in. It hears of wrong passwords, and the address is
    /// known from now on.
    pub(super) fn came_in(&mut self, conn: ConnId, name: &Name, address: Address, token: String) {
        let folded = name.folded();
        self.tries.remove(&folded);
        let logins = self.logins.entry(folded.clone()).or_default();
        let before = logins.clone();
        let wrong = std::mem::take(&mut logins.wrong);
        let last = std::mem::take(&mut logins.last);
        let from = text(address);
        if self.known.len() < MOST_KNOWN {
            self.known.extend(address);
        }
        logins.known.retain(|known| *known != from);
        logins.known.push_back(from);
        if logins.known.len() > KNOWN {
            logins.known.pop_front();
        }
        logins.token = token;
        if *logins != before {
            self.keep_logins(&folded);
        }
        if wrong > 0 {
            let passwords = if wrong == 1 {
                "password was"
            } else {
                "passwords were"
            };
            let note = format!(
                "{wrong} wrong {passwords} tried for {name} since you were here, the last from {last}"
            );
            self.send(conn, &ToClient::Note(note));
        }
    }

    /// Whether this is the token that the owner of an account was given.
    pub(super) fn is_token_of(&self, folded: &str, token: &str) -> bool {
        let Some(logins) = self.logins.get(folded) else {
            return false;
        };
        !token.is_empty() && logins.token == token && token.ends_with(&self.mark(folded))
    }

    /// Another password: what was known of visits does not count any more.
    pub(super) fn forget_logins(&mut self, folded: &str) {
        self.tries.remove(folded);
        if self.logins.remove(folded).is_some() {
            self.keep_logins(folded);
        }
    }

    fn keep_logins(&mut self, folded: &str) {
        let logins = self.logins.get(folded).cloned();
        self.keep(Keep::Logins(folded.into(), logins));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_minute() {
        let mut tries = Tries::default();
        let mut now = Duration::ZERO;
        let mut pauses = Vec::new();
        for _ in 0..20 {
            assert_eq!(tries.begin(now), Ok(()));
            let wait = tries.until.saturating_sub(now);
            pauses.push(wait.as_secs());
            now += wait;
        }
        assert_eq!(pauses[..9], [0; 9]);
        assert_eq!(pauses[9..], [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    }
}
