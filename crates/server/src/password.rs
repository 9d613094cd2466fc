//! Passwords, as argon2 keeps them.

use std::ops::RangeInclusive;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

/// How many letters a password has: more would be work for nothing.
pub const LETTERS: RangeInclusive<usize> = 6..=100;

/// How much work a hash is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// What argon2 recommends: 19 MiB, twice over.
    Usual,
    /// Next to nothing, for tests.
    Small,
}

/// A password that could not be hashed: the system has no random numbers, or the
/// password is too long.
#[derive(Debug, thiserror::Error)]
#[error("the password cannot be hashed: {0}")]
pub struct HashError(String);

/// The hash of a password, with a salt of its own.
///
/// ```
/// use quadrille_server::password::{Work, hash, is};
///
/// let hash = hash("correct horse", Work::Small)?;
/// assert!(is("correct horse", &hash) && !is("wrong", &hash));
/// # Ok::<(), quadrille_server::password::HashError>(())
/// ```
pub fn hash(password: &str, work: Work) -> Result<String, HashError> {
    let params = match work {
        Work::Usual => Params::default(),
        Work::Small => Params::new(64, 1, 1, None).unwrap_or_default(),
    };
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let hash = argon2.hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string())
        .map_err(|error| HashError(error.to_string()))
}

/// Whether a hash is that of a password. A hash that is none fits nothing.
pub fn is(password: &str, hash: &str) -> bool {
    let known = PasswordHash::new(hash);
    known.is_ok_and(|known| {
        let argon2 = Argon2::default();
        argon2.verify_password(password.as_bytes(), &known).is_ok()
    })
}
