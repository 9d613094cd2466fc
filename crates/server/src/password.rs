//! Passwords, as argon2 keeps them.

use std::ops::RangeInclusive;

use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};

/// How many letters a password has: more would be work for nothing.
pub const LETTERS: RangeInclusive<usize> = 6..=100;
/// The most memory that a kept hash may ask for, in blocks of a kibibyte.
const MOST_BLOCKS: usize = 64 << 10;

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

impl HashError {
    fn of(error: impl core::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Hashes and checks passwords one after the other, in memory that it keeps. What an
/// allocator is given back 19 MiB at a time it does not give back to the system.
#[derive(Default)]
pub struct Hasher {
    memory: Vec<Block>,
}

impl core::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hasher").finish_non_exhaustive()
    }
}

impl Hasher {
    /// The hash of a password, with a salt of its own.
    ///
    /// ```
    /// use quadrille_server::password::{Hasher, Work};
    ///
    /// let mut hasher = Hasher::default();
    /// let hash = hasher.hash("correct horse", Work::Small)?;
    /// assert!(hasher.is("correct horse", &hash) && !hasher.is("wrong", &hash));
    /// # Ok::<(), quadrille_server::password::HashError>(())
    /// ```
    pub fn hash(&mut self, password: &str, work: Work) -> Result<String, HashError> {
        let params = match work {
            Work::Usual => Params::default(),
            Work::Small => Params::new(64, 1, 1, None).unwrap_or_default(),
        };
        let mut salt = [0; argon2::RECOMMENDED_SALT_LEN];
        getrandom::fill(&mut salt).map_err(HashError::of)?;
        let salt = Salt::new(&salt).map_err(HashError::of)?;
        let (algorithm, version) = (Algorithm::Argon2id, Version::V0x13);
        let hash = PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(&params).map_err(HashError::of)?,
            salt: Some(salt),
            hash: None,
        };
        let argon2 = Argon2::new(algorithm, version, params);
        let mut out = [0; Params::DEFAULT_OUTPUT_LEN];
        self.compute(&argon2, password, &salt, &mut out)
            .map_err(HashError::of)?;
        let output = Output::new(&out).map_err(HashError::of)?;
        let hash = PasswordHash {
            hash: Some(output),
            ..hash
        };
        Ok(hash.to_string())
    }

    /// Whether a hash is that of a password. A hash that is none fits nothing.
    pub fn is(&mut self, password: &str, hash: &str) -> bool {
        self.output(password, hash)
            .is_some_and(|(known, found)| known == found)
    }

    /// The output that stands in a hash, and that of the password with the same salt.
    /// Outputs are compared in constant time.
    fn output(&mut self, password: &str, hash: &str) -> Option<(Output, Output)> {
        let known = PasswordHash::new(hash).ok()?;
        let (salt, output) = (known.salt?, known.hash?);
        let algorithm = Algorithm::try_from(known.algorithm.as_str()).ok()?;
        let version = Version::try_from(known.version?).ok()?;
        let params = Params::try_from(&known).ok()?;
        if params.block_count() > MOST_BLOCKS {
            return None;
        }
        let argon2 = Argon2::new(algorithm, version, params);
        let mut found = [0; Output::MAX_LENGTH];
        let found = found.get_mut(..output.len())?;
        self.compute(&argon2, password, &salt, found).ok()?;
        Some((output, Output::new(found).ok()?))
    }

    fn compute(
        &mut self,
        argon2: &Argon2<'_>,
        password: &str,
        salt: &[u8],
        out: &mut [u8],
    ) -> argon2::Result<()> {
        let blocks = argon2.params().block_count();
        if self.memory.len() < blocks {
            self.memory.resize(blocks, Block::default());
        }
        let memory = &mut self.memory[..blocks];
        argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, memory)
    }
}

/// [`Hasher::hash`], once.
pub fn hash(password: &str, work: Work) -> Result<String, HashError> {
    Hasher::default().hash(password, work)
}

/// [`Hasher::is`], once.
pub fn is(password: &str, hash: &str) -> bool {
    Hasher::default().is(password, hash)
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::PasswordVerifier;

    use super::*;

    /// What was kept before is understood: argon2's own example, and a hash of ours.
    #[test]
    fn hashes_from_before_are_known() {
        let ours = "$argon2id$v=19$m=64,t=1,p=1$";
        let mut hasher = Hasher::default();
        let hash = hasher.hash("correct horse", Work::Small).expect("a hash");
        assert!(hash.starts_with(ours), "{hash}");
        // The memory is used again, larger and smaller.
        let usual = hasher.hash("correct horse", Work::Usual).expect("a hash");
        assert!(
            usual.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{usual}"
        );
        for hash in [&hash, &usual, &hash] {
            assert!(hasher.is("correct horse", hash) && !hasher.is("correct horsf", hash));
        }
        let verifier = Argon2::default();
        let known = PasswordHash::new(&usual).expect("a hash");
        assert!(verifier.verify_password(b"correct horse", &known).is_ok());
    }

    #[test]
    fn what_is_no_hash_fits_nothing() {
        let mut hasher = Hasher::default();
        let endless = "$argon2id$v=19$m=4000000,t=1,p=1$c29tZXNhbHRzb21l$YWFhYWFhYWFhYWFhYWFhYQ";
        for hash in [
            "",
            "x",
            "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21l",
            endless,
        ] {
            assert!(!hasher.is("", hash), "{hash}");
        }
    }
}
