//! Where something on the network is, and who we are there.

use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::connect::{ConnectError, connect};
use super::connection::Connection;
use super::trust::Trust;

const TCP: &str = "tcp://";
const TLS: &str = "tls://";

/// The environment variable with the password for an address that has a login
/// without one.
pub const PASSWORD: &str = "QUADRILLE_REMOTE_PASSWORD";

/// A file with a password is not longer.
const LONGEST_FILE: u64 = 4096;

/// A password. It is shown to none: not in messages, records, logs or files.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// One from elsewhere; `None` if it is empty or cannot be on a line.
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let good = !text.is_empty() && !text.contains(char::is_control) && text.trim() == text;
        good.then_some(Self(text))
    }

    /// The first line of a file.
    pub fn from_file(file: &Path) -> Result<Self, LoginError> {
        let read = || -> io::Result<String> {
            let mut text = String::new();
            File::open(file)?
                .take(LONGEST_FILE)
                .read_to_string(&mut text)?;
            Ok(text)
        };
        let unread = |source| LoginError::File {
            file: file.into(),
            source,
        };
        let text = read().map_err(unread)?;
        let first = text.lines().next().unwrap_or_default();
        let empty = || LoginError::Unusable(format!("the first line of {}", file.display()));
        Self::new(first).ok_or_else(empty)
    }

    /// The value of an environment variable.
    pub fn from_environment(name: &str) -> Result<Self, LoginError> {
        let value = std::env::var(name).map_err(|_| LoginError::Variable(name.into()))?;
        let empty = || LoginError::Unusable(format!("the environment variable {name}"));
        Self::new(value).ok_or_else(empty)
    }

    /// The word itself, to be sent or compared.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// A password that cannot be had.
#[derive(Debug, Error)]
pub enum LoginError {
    /// Its file cannot be read.
    #[error("cannot read the password in {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// Its environment variable is not there.
    #[error("there is no environment variable {0} with a password")]
    Variable(String),
    /// It is empty, or has characters that cannot be sent.
    #[error("{0} is no password: one line of visible characters is")]
    Unusable(String),
    /// Passwords are not kept, and this one was not given again.
    #[error(
        "the password for {0} is not known: set {PASSWORD}, or write NAME:env:VARIABLE@ or \
         NAME:file:FILE@ before the host"
    )]
    Missing(String),
}

/// Where a password comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// From [`PASSWORD`].
    Unsaid,
    /// It stands in the address.
    Given(Secret),
    /// From this environment variable.
    Environment(String),
    /// From the first line of this file.
    File(PathBuf),
}

/// Who we are at the other end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Our name there; there need not be one.
    pub name: String,
    /// The password that goes with it.
    pub word: Word,
}

/// A place on the network: `tcp://HOST:PORT` or `tls://HOST:PORT`.
///
/// Before the host there may be a login, `NAME:WORD@` or `:WORD@`. So that it is
/// seen in no list of processes and in no file, the word may be `env:VARIABLE` or
/// `file:FILE`; without a word, `NAME@`, it is in
/// `QUADRILLE_REMOTE_PASSWORD`. Odd
/// characters are written `%41`. Under TLS there may be `#sha256:HEX` behind the
/// port, the only certificate to trust, or `#ca:FILE` with the authorities to
/// trust; those of the system are trusted otherwise.
///
/// ```
/// use quadrille_net::Remote;
///
/// let remote = Remote::read("tls://ann:word@box.example:4711").unwrap()?;
/// assert_eq!((remote.host.as_str(), remote.port), ("box.example", 4711));
/// // The word is never shown.
/// assert_eq!(remote.to_string(), "tls://ann@box.example:4711");
/// assert!(Remote::read("stockfish").is_none());
/// # Ok::<(), quadrille_net::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Its name or number.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whom we trust, where it is TLS.
    pub tls: Option<Trust>,
    /// Who we are there.
    pub login: Option<Login>,
}

/// An address on the network that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is no address: {why}")]
pub struct AddressError {
    /// The address without its password.
    pub text: String,
    /// What is wrong with it, and what would be right.
    pub why: String,
}

const FORM: &str = "write tcp://HOST:PORT or tls://HOST:PORT, with a port from 1 to 65535";

const TRUST: &str = "behind # comes the certificate to trust: #sha256:HEX, its fingerprint, or \
                     #ca:FILE, its authorities";

impl Remote {
    /// Reads an address; `None` if the text does not begin like one.
    pub fn read(text: &str) -> Option<Result<Self, AddressError>> {
        let (place, tls) = match (text.strip_prefix(TCP), text.strip_prefix(TLS)) {
            (Some(place), _) => (place, false),
            (_, Some(place)) => (place, true),
            _ => return None,
        };
        Some(Self::parse(place, tls).map_err(|why| AddressError {
            text: masked(text),
            why,
        }))
    }

    fn parse(place: &str, tls: bool) -> Result<Self, String> {
        let (place, trust) = split_trust(place)?;
        let (login, place) = match place.rsplit_once('@') {
            Some((login, place)) => (Some(read_login(login)?), place),
            None => (None, place),
        };
        let form = || FORM.to_owned();
        let (host, port) = place.rsplit_once(':').ok_or_else(form)?;
        let port = port.parse().ok().filter(|port| *port > 0);
        // Numbers of the newer kind have colons of their own.
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
        let odd = |c: char| {
            c.is_whitespace() || c.is_control() || matches!(c, '/' | '[' | ']' | '#' | '?')
        };
        let host = bare.unwrap_or(host);
        if host.is_empty() || host.contains(odd) || (bare.is_none() && host.contains(':')) {
            return Err(form());
        }
        let tls = match (tls, trust) {
            (true, trust) => Some(trust.unwrap_or_default()),
            (false, None) => None,
            (false, Some(_)) => return Err("a certificate is for tls://, not for tcp://".into()),
        };
        Ok(Self {
            host: host.into(),
            port: port.ok_or_else(form)?,
            tls,
            login,
        })
    }

    /// The password that goes with the address, from wherever it is; `given` where
    /// it stood in the address and was taken out.
    pub fn password(&self, given: Option<&Secret>) -> Result<Option<Secret>, LoginError> {
        match (self.login.as_ref().map(|login| &login.word), given) {
            (None, _) => Ok(None),
            (Some(Word::Given(word)), _) | (Some(Word::Unsaid), Some(word)) => {
                Ok(Some(word.clone()))
            }
            (Some(Word::Environment(name)), _) => Secret::from_environment(name).map(Some),
            (Some(Word::File(file)), _) => Secret::from_file(file).map(Some),
            (Some(Word::Unsaid), None) => match Secret::from_environment(PASSWORD) {
                Err(LoginError::Variable(_)) => Err(LoginError::Missing(self.to_string())),
                word => word.map(Some),
            },
        }
    }

    /// Takes the password out, if it stands here.
    pub fn take_password(&mut self) -> Option<Secret> {
        let word = &mut self.login.as_mut()?.word;
        match std::mem::replace(word, Word::Unsaid) {
            Word::Given(secret) => Some(secret),
            other => {
                *word = other;
                None
            }
        }
    }

    /// Makes the files in it independent of the folder this process was started in.
    pub fn make_absolute(&mut self) -> io::Result<()> {
        if let Some(Login {
            word: Word::File(file),
            ..
        }) = &mut self.login
        {
            *file = std::path::absolute(&*file)?;
        }
        if let Some(Trust::Authority(file)) = &mut self.tls {
            *file = std::path::absolute(&*file)?;
        }
        Ok(())
    }

    /// Whether a password would travel where others can read it.
    pub fn shows_password(&self) -> bool {
        let here = self.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        self.login.is_some() && self.tls.is_none() && !here && self.host != "localhost"
    }

    /// Connects, within this time.
    pub async fn connect(&self, patience: Duration) -> Result<Connection, ConnectError> {
        connect(&self.host, self.port, self.tls.as_ref(), patience).await
    }
}

/// The certificate to trust behind an address.
fn split_trust(place: &str) -> Result<(&str, Option<Trust>), String> {
    let begin = ["#sha256:", "#ca:"]
        .iter()
        .filter_map(|mark| place.rfind(mark));
    let Some(begin) = begin.max() else {
        // A # before the host is part of a password.
        let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
        if host.contains('#') {
            return Err(TRUST.into());
        }
        return Ok((place, None));
    };
    let (place, trust) = (&place[..begin], &place[begin + 1..]);
    let trust = match trust.strip_prefix("ca:") {
        Some("") => return Err("#ca: needs a file of certificates".into()),
        Some(file) => Trust::Authority(file.into()),
        None => Trust::Fingerprint(trust.parse().map_err(|error| format!("{error}"))?),
    };
    Ok((place, Some(trust)))
}

fn read_login(text: &str) -> Result<Login, String> {
    let (name, word) = match text.split_once(':') {
        Some((name, word)) => (name, Some(word)),
        None => (text, None),
    };
    let name = decoded(name).ok_or("its name has a % that is not followed by two digits")?;
    if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err("a name has no blanks".into());
    }
    let word = match word {
        None | Some("") => Word::Unsaid,
        Some(word) => match (word.strip_prefix("env:"), word.strip_prefix("file:")) {
            (Some(""), _) | (_, Some("")) => {
                return Err("env: needs a variable, file: a file".into());
            }
            (Some(name), _) => Word::Environment(name.into()),
            (_, Some(file)) => Word::File(file.into()),
            _ => {
                let word = decoded(word).and_then(Secret::new);
                Word::Given(word.ok_or(
                    "its password has odd characters: visible ones are good, % is written %25",
                )?)
            }
        },
    };
    Ok(Login { name, word })
}

/// With `%41` read as the byte it stands for.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        let byte = if *first == b'%' {
            let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
            rest = &behind[2..];
            u8::from_str_radix(digits, 16).ok()?
        } else {
            *first
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).ok()
}

fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | ':' | '@' | '#' | '/') {
            // All of them are one byte; a String takes everything.
            let _ = write!(out, "%{:02x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// An address as it may be shown, though it cannot be read: without anything that
/// may be a password.
pub fn masked(text: &str) -> String {
    let begin = text.find("://").map_or(0, |at| at + 3);
    match text.rfind('@') {
        Some(end) if end >= begin => {
            let login = &text[begin..end];
            let name = login.split_once(':').map_or(login, |(name, _)| name);
            format!("{}{name}{}", &text[..begin], &text[end..])
        }
        _ => text.into(),
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.tls.is_some() { TLS } else { TCP })?;
        if let Some(login) = &self.login {
            f.write_str(&encoded(&login.name))?;
            match &login.word {
                Word::Unsaid | Word::Given(_) => {}
                Word::Environment(name) => write!(f, ":env:{name}")?,
                Word::File(file) => write!(f, ":file:{}", file.display())?,
            }
            f.write_char('@')?;
        }
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)?;
        } else {
            write!(f, "{}:{}", self.host, self.port)?;
        }
        match &self.tls {
            None | Some(Trust::System) => Ok(()),
            Some(Trust::Authority(file)) => write!(f, "#ca:{}", file.display()),
            Some(Trust::Fingerprint(fingerprint)) => write!(f, "#{fingerprint}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Remote, AddressError> {
        Remote::read(text).expect("an address")
    }

    #[test]
    fn an_address_is_written_as_it_is_read() {
        let sum = format!("tls://h:1#sha256:{}", "0f".repeat(32));
        for text in [
            "tcp://localhost:4711",
            "tls://[::1]:4711",
            "tls://ann@h:1",
            "tls://@h:1",
            "tls://ann:env:PW@h:1",
            "tcp://:file:/a b/c@d@h:1",
            "tls://h:1#ca:/etc/my@ca.pem",
            "tls://a%25%3ab@h:1",
            &sum,
        ] {
            let remote = read(text);
            assert_eq!(remote.map(|r| r.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn a_password_is_read_and_never_shown() {
        for (text, name, word) in [
            ("tcp://:hush@h:1", "", "hush"),
            ("tls://ann:w@o:r#d/@h:1", "ann", "w@o:r#d/"),
            ("tls://ann:%65nv:x%25@h:1", "ann", "env:x%"),
        ] {
            let mut remote = read(text).expect("good");
            let shown = format!("{remote} {remote:?}");
            assert!(!shown.contains(word), "{shown}");
            assert_eq!(remote.login.as_ref().expect("one").name, name);
            let taken = remote.take_password().expect("one");
            assert_eq!(taken.reveal(), word);
            assert_eq!(remote.take_password(), None);
            assert_eq!(read(&remote.to_string()), Ok(remote.clone()));
            let again = remote.password(Some(&taken)).expect("given");
            assert_eq!(again, Some(taken));
        }
    }

    #[test]
    fn what_is_no_address_is_told_without_its_password() {
        for text in [
            "tcp://ann:secret@h",
            "tcp://ann:secret@h:0",
            "tcp://ann:se%cret@h:1",
            "tcp://ann:secret\u{7}@h:1",
            "tcp://ann:secret @h:1",
            "tls://ann:secret@h:1#sha256:00",
            "tls://ann:secret@h:1#ca:",
            "tcp://ann:secret@h:1#ca:x",
            "tcp://a n:secret@h:1",
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(!error.contains("secret"), "{error}");
            assert!(error.contains('h'), "{error}");
        }
        assert!(Remote::read("stockfish").is_none());
        assert!(Remote::read("./tls:x").is_none());
    }

    #[test]
    fn what_stands_behind_the_port_is_named() {
        for text in [
            "tls://h:1#foo",
            "tls://ann:se#cret@h:1#sha1:00",
            "tcp://h#x",
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains("#sha256:HEX"), "{error}");
            assert!(
                !error.contains("a port from") && !error.contains("cret"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_password_may_be_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("pw");
        std::fs::write(&file, "open sesame\r\nsecond").expect("written");
        let remote = read(&format!("tls://:file:{}@h:1", file.display())).expect("good");
        let word = remote.password(None).expect("there").expect("one");
        assert_eq!(word.reveal(), "open sesame");
        for content in ["", "\nword", "a\u{1b}[2J"] {
            std::fs::write(&file, content).expect("written");
            assert!(remote.password(None).is_err(), "{content:?}");
        }
        std::fs::remove_file(&file).expect("mine");
        let error = remote.password(None).expect_err("gone").to_string();
        assert!(error.contains("cannot read the password in"), "{error}");
    }

    #[test]
    fn only_a_password_on_an_open_road_is_worth_a_warning() {
        let shows = |text: &str| read(text).expect("good").shows_password();
        assert!(shows("tcp://:w@box.example:1"));
        for text in [
            "tcp://box.example:1",
            "tls://:w@box.example:1",
            "tcp://:w@localhost:1",
            "tcp://:w@[::1]:1",
        ] {
            assert!(!shows(text), "{text}");
        }
    }
}
