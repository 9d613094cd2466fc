//! What a server shows to be believed, and the short form that people compare.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rcgen::{CertificateParams, DnType, KeyPair};
use ring::digest::{SHA256, digest};
use thiserror::Error;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The file in which a certificate that we made ourselves is kept with its key:
/// one file, so that the two always belong together.
const KEPT: &str = "tls.pem";

/// More than any chain of certificates needs; a file that is longer is another.
const LONGEST_FILE: u64 = 1 << 20;

/// The SHA-256 sum of a certificate, written `sha256:` and 64 hexadecimal digits.
/// Colons between the bytes are read too, as openssl writes them.
///
/// ```
/// use quadrille_net::Fingerprint;
///
/// let text = format!("sha256:{}", "0f".repeat(32));
/// let fingerprint: Fingerprint = text.parse()?;
/// assert_eq!(fingerprint.to_string(), text);
/// assert_eq!(format!("sha256:{}", ["0F"; 32].join(":")).parse(), Ok(fingerprint));
/// # Ok::<(), quadrille_net::FingerprintError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// A text that is no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is no fingerprint: write sha256: and the 64 hexadecimal digits that the server printed"
)]
pub struct FingerprintError(pub String);

impl Fingerprint {
    pub(super) fn of(certificate: &CertificateDer<'_>) -> Self {
        Self(sha256(certificate))
    }
}

/// Returns the SHA-256 digest of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut sum = [0; 32];
    sum.copy_from_slice(digest(&SHA256, bytes).as_ref());
    sum
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || FingerprintError(text.into());
        let (kind, digits) = text.split_once(':').ok_or_else(error)?;
        let digits: Vec<u8> = digits
            .chars()
            .filter(|&c| c != ':')
            .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()
            .ok_or_else(error)?;
        let mut sum = [0; 32];
        if !kind.eq_ignore_ascii_case("sha256") || digits.len() != 2 * sum.len() {
            return Err(error());
        }
        for (byte, pair) in sum.iter_mut().zip(digits.chunks(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Self(sum))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A certificate that cannot be used.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// A file cannot be read or written.
    #[error("cannot use {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{} holds no {what} in PEM form", file.display())]
    Nothing {
        /// The file.
        file: PathBuf,
        /// What was looked for.
        what: &'static str,
    },
    /// A key that others may read.
    #[error("{0} holds a private key and others may read it: chmod 600 {0}", file.display())]
    Open {
        /// The file.
        file: PathBuf,
    },
    /// The key belongs to another certificate, or is of a kind that is not known.
    #[error("the certificate and its key cannot be used: {0}")]
    Unusable(String),
    /// A certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    NotMade(String),
}

/// A certificate with its chain and its private key.
pub struct Certificate {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
    fingerprint: Fingerprint,
}

impl fmt::Debug for Certificate {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

impl Certificate {
    /// A certificate, with the chain behind it, and its key from files in PEM
    /// form. Both may be in one file.
    pub fn from_files(certificate: &Path, key: &Path) -> Result<Self, CertificateError> {
        let chain = certificates(certificate, &read(certificate)?)?;
        let key = private_key(key, &read(key)?)?;
        Self::new(chain, key, certificate)
    }

    /// The certificate that is kept in a folder; where there is none yet, one is
    /// made that only signs itself, for these names and this machine's own. Its
    /// file can be read by its owner only, and is whole or not there.
    pub fn kept_in(folder: &Path, names: &[String]) -> Result<Self, CertificateError> {
        let file = folder.join(KEPT);
        if !file.exists() {
            let text = self_signed(names)?;
            keep(folder, &file, &text).map_err(|source| CertificateError::File {
                file: file.clone(),
                source,
            })?;
        }
        // Also where it was just made: another may have been quicker.
        let text = read(&file)?;
        if is_open(&file) {
            return Err(CertificateError::Open { file });
        }
        let chain = certificates(&file, &text)?;
        let key = private_key(&file, &text)?;
        Self::new(chain, key, &file)
    }

    fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
        file: &Path,
    ) -> Result<Self, CertificateError> {
        let first = chain.first().ok_or_else(|| nothing(file, CERTIFICATE))?;
        let fingerprint = Fingerprint::of(first);
        Ok(Self {
            chain,
            key,
            fingerprint,
        })
    }

    /// What a client compares that trusts no authority.
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
}

const CERTIFICATE: &str = "certificate";

fn nothing(file: &Path, what: &'static str) -> CertificateError {
    let file = file.into();
    CertificateError::Nothing { file, what }
}

fn read(file: &Path) -> Result<Vec<u8>, CertificateError> {
    let read = || {
        let mut bytes = Vec::new();
        let count = File::open(file)?
            .take(LONGEST_FILE + 1)
            .read_to_end(&mut bytes)?;
        if count as u64 > LONGEST_FILE {
            return Err(io::Error::other("it is too long for a certificate"));
        }
        Ok(bytes)
    };
    read().map_err(|source| CertificateError::File {
        file: file.into(),
        source,
    })
}

/// All certificates of a file, at least one.
fn certificates(
    file: &Path,
    text: &[u8],
) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
    let found: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(text).collect();
    let found = found.map_err(|_| nothing(file, CERTIFICATE))?;
    if found.is_empty() {
        return Err(nothing(file, CERTIFICATE));
    }
    Ok(found)
}

/// The certificates of authorities in a file.
pub(super) fn authorities(file: &Path) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
    certificates(file, &read(file)?)
}

fn private_key(file: &Path, text: &[u8]) -> Result<PrivateKeyDer<'static>, CertificateError> {
    PrivateKeyDer::from_pem_slice(text).map_err(|_| nothing(file, "private key"))
}

/// A new certificate and its key in PEM form.
fn self_signed(names: &[String]) -> Result<String, CertificateError> {
    let mut all: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(Into::into).into();
    for name in names {
        // An address that stands for all of them is no name to be reached by.
        let all_of_them = name.parse().is_ok_and(|ip: IpAddr| ip.is_unspecified());
        if !all_of_them && !all.contains(name) {
            all.push(name.clone());
        }
    }
    let made = || {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::new(all)?;
        params
            .distinguished_name
            .push(DnType::CommonName, "quadrille");
        let certificate = params.self_signed(&key)?;
        Ok(certificate.pem() + &key.serialize_pem())
    };
    made().map_err(|error: rcgen::Error| CertificateError::NotMade(error.to_string()))
}

/// Writes the file whole or not at all; one that has come meanwhile stays.
fn keep(folder: &Path, file: &Path, text: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let (beside, mut new) = create_beside(folder)?;
    let written = new
        .write_all(text.as_bytes())
        .and_then(|()| new.sync_all())
        .and_then(|()| put_in_place(&beside, file));
    // It is a second name of the file by now, or of no use.
    let _ = std::fs::remove_file(&beside);
    written
}

/// Creates a file with a name of its own, which only its owner may read (on Unix; elsewhere
/// the folder decides).
fn create_beside(folder: &Path) -> io::Result<(PathBuf, File)> {
    /// More than any number of processes leaves behind.
    const MOST: u32 = 1000;
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    for number in 0..MOST {
        let path = folder.join(format!(".new-{}-{number}", std::process::id()));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (path, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Gives a file its name, unless another one has it.
fn put_in_place(beside: &Path, file: &Path) -> io::Result<()> {
    match std::fs::hard_link(beside, file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Ok(()) => Ok(()),
        // Not every file system knows links.
        Err(_) if !file.exists() => std::fs::rename(beside, file),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn is_open(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(file).is_ok_and(|known| known.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
const fn is_open(_: &Path) -> bool {
    false
}
