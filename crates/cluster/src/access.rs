//! How a NATS server is reached: its address, who we are, whom we trust.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};

use crate::error::ClusterError;

/// How long a first connection may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest pause before a lost connection is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Messages of one subscription of a director that wait to be read; more are dropped. The client would
/// store 65,536, each as large as the server lets through.
const MOST_UNREAD: usize = 1024;

/// Where the server is and how to get in. What is not given is taken from the
/// variables that other NATS programs read (`NATS_URL`, `NATS_CREDS`, ...), by
/// [`Access::or_environment`].
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// Addresses, with commas between them: `nats://host:4222`, `tls://...`; a
    /// name and a password may stand in it.
    pub url: String,
    /// A file with a token of a user and its seed, as `nsc` makes it.
    pub creds: Option<PathBuf>,
    /// A file with the seed of a key.
    pub nkey: Option<PathBuf>,
    /// A name, with [`password`](Self::password).
    pub user: Option<String>,
    /// The password of the user.
    pub password: Option<String>,
    /// A word that opens.
    pub token: Option<String>,
    /// Certificates of authorities that are trusted beside the system's.
    pub ca: Option<PathBuf>,
    /// A certificate of our own.
    pub cert: Option<PathBuf>,
    /// The key of that certificate.
    pub key: Option<PathBuf>,
}

/// What opens a door is not shown.
impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.shown_url();
        f.debug_struct("Access")
            .field("url", &shown)
            .finish_non_exhaustive()
    }
}

impl Access {
    /// Takes the flags that are about NATS out of a command line: `--nats URL`,
    /// `--nats-creds FILE`, `--nats-nkey FILE`, `--nats-user NAME`, `--nats-password
    /// WORD`, `--nats-token WORD`, `--nats-ca FILE`, `--nats-cert FILE`, `--nats-key
    /// FILE`, with one dash or two. `None` without `--nats`.
    pub fn take_flags(words: &mut Vec<String>) -> Result<Option<Self>, ClusterError> {
        let mut access = Self::default();
        let mut found = false;
        let mut rest = Vec::with_capacity(words.len());
        let mut queue = words.drain(..);
        while let Some(word) = queue.next() {
            let name = word.trim_start_matches('-');
            let dashes = word.len() - name.len();
            let known = (1..=2).contains(&dashes)
                && (name == "nats" || name.strip_prefix("nats-").is_some_and(knows));
            if !known {
                rest.push(word);
                continue;
            }
            let Some(value) = queue.next() else {
                return Err(ClusterError::Input(format!("--{name} needs a value")));
            };
            match name.strip_prefix("nats-") {
                None => {
                    access.url = value;
                    found = true;
                }
                Some(name) => access.set(name, value),
            }
        }
        drop(queue);
        let stray = !found && access != Self::default();
        *words = rest;
        if stray {
            let what = "flags that begin with --nats- need --nats URL beside them";
            return Err(ClusterError::Input(what.into()));
        }
        Ok(found.then_some(access))
    }

    fn set(&mut self, name: &str, value: String) {
        match name {
            "creds" => self.creds = Some(value.into()),
            "nkey" => self.nkey = Some(value.into()),
            "user" => self.user = Some(value),
            "password" => self.password = Some(value),
            "token" => self.token = Some(value),
            "ca" => self.ca = Some(value.into()),
            "cert" => self.cert = Some(value.into()),
            "key" => self.key = Some(value.into()),
            // Only known names come here.
            _ => {}
        }
    }

    /// Fills what is missing from the environment.
    #[must_use]
    pub fn or_environment(mut self) -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        if self.url.is_empty()
            && let Some(url) = variable("NATS_URL")
        {
            self.url = url;
        }
        let path = |slot: &mut Option<PathBuf>, name| {
            *slot = slot.take().or_else(|| variable(name).map(PathBuf::from));
        };
        let word = |slot: &mut Option<String>, name| *slot = slot.take().or_else(|| variable(name));
        path(&mut self.creds, "NATS_CREDS");
        path(&mut self.nkey, "NATS_NKEY");
        path(&mut self.ca, "NATS_CA");
        path(&mut self.cert, "NATS_CERT");
        path(&mut self.key, "NATS_KEY");
        word(&mut self.user, "NATS_USER");
        word(&mut self.password, "NATS_PASSWORD");
        word(&mut self.token, "NATS_TOKEN");
        self
    }

    /// The address without a password in it.
    #[must_use]
    pub(crate) fn shown_url(&self) -> String {
        let hidden = |url: &str| match (url.split_once("://"), url.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, host))) => format!("{scheme}://...@{host}"),
            (None, Some((_, host))) => format!("...@{host}"),
            _ => url.to_owned(),
        };
        let all: Vec<String> = self.url.split(',').map(|url| hidden(url.trim())).collect();
        all.join(",")
    }

    /// Connects. From then on the connection comes back by itself, however long
    /// the server is away. `key` is that of the worker, or a word for all directors: it
    /// stands in the subjects of answers.
    pub(crate) async fn connect(&self, name: &str, key: &str) -> Result<Client, ClusterError> {
        self.connect_with(name, key, |options| options).await
    }

    /// Connects as [`connect`](Self::connect) does, stores only few messages that were not
    /// read yet, and counts those that are dropped.
    pub(crate) async fn connect_bounded(
        &self,
        name: &str,
        key: &str,
        dropped: Arc<AtomicU64>,
    ) -> Result<Client, ClusterError> {
        let bounded = |options: ConnectOptions| {
            options
                .subscription_capacity(MOST_UNREAD)
                .event_callback(move |event| {
                    if matches!(event, Event::SlowConsumer(_)) {
                        dropped.fetch_add(1, Ordering::Relaxed);
                    }
                    std::future::ready(())
                })
        };
        self.connect_with(name, key, bounded).await
    }

    async fn connect_with(
        &self,
        name: &str,
        key: &str,
        more: impl FnOnce(ConnectOptions) -> ConnectOptions,
    ) -> Result<Client, ClusterError> {
        let place = self.shown_url();
        let failed = |why: String| ClusterError::Connect {
            place: place.clone(),
            why,
        };
        let words = self
            .url
            .split(',')
            .map(str::trim)
            .filter(|url| !url.is_empty());
        let servers: Vec<ServerAddr> = words
            .map(|url| {
                url.parse()
                    .map_err(|e: std::io::Error| failed(e.to_string()))
            })
            .collect::<Result<_, _>>()?;
        if servers.is_empty() {
            let what = "say where the NATS server is: --nats nats://HOST:4222, or NATS_URL";
            return Err(ClusterError::Input(what.into()));
        }
        let options = self.options(name, &servers[0]).await?;
        let options = options.custom_inbox_prefix(crate::names::inbox(key));
        more(options)
            .connect(servers)
            .await
            .map_err(|error| match error.kind() {
                ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                    ClusterError::Refused {
                        place: place.clone(),
                    }
                }
                _ => {
                    let why = chain(&error);
                    let todo = self.todo(&why);
                    failed(why + todo)
                }
            })
    }

    /// Returns what to do about a failure that TLS explains in its own words.
    fn todo(&self, why: &str) -> &'static str {
        let about = |words: &[&str]| words.iter().any(|word| why.contains(word));
        let unknown = [
            "UnknownIssuer",
            "CaUsedAsEndEntity",
            "not the one in the file",
        ];
        match (&self.ca, about(&unknown)) {
            (None, true) => {
                "; give the server's certificate, or that of the authority which signed it, \
                 with --nats-ca FILE"
            }
            (Some(_), true) => {
                "; the file of --nats-ca has neither the certificate that the server shows \
                 now nor that of the authority which signed it: copy it from the server again"
            }
            (_, false) if about(&["NotValidForName"]) => {
                "; the certificate is for another host name: use that name in the address, or \
                 give the server's own certificate with --nats-ca FILE"
            }
            (_, false) if about(&["Expired", "NotValidYet"]) => {
                "; look at the dates of the certificate and at this machine's clock"
            }
            _ => "",
        }
    }

    async fn options(
        &self,
        name: &str,
        first: &ServerAddr,
    ) -> Result<ConnectOptions, ClusterError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .ping_interval(Duration::from_secs(10))
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| {
                let pause = Duration::from_millis(50).saturating_mul(1 << attempts.min(10));
                pause.min(LONGEST_PAUSE)
            });
        let unreadable = |path: &PathBuf, error: &dyn fmt::Display| {
            ClusterError::Input(format!("{}: {error}", path.display()))
        };
        if let Some(file) = &self.creds {
            let read = options.credentials_file(file).await;
            options = read.map_err(|error| unreadable(file, &error))?;
        } else if let Some(file) = &self.nkey {
            let seed = std::fs::read_to_string(file).map_err(|error| unreadable(file, &error))?;
            options = options.nkey(seed.trim().to_owned());
        } else if let Some(user) = &self.user {
            let password = self.password.clone().unwrap_or_default();
            options = options.user_and_password(user.clone(), password);
        } else if let Some(token) = &self.token {
            options = options.token(token.clone());
        } else if let Some(user) = first.username() {
            // `nats://user:password@host`, or a token alone.
            options = match first.password() {
                Some(password) => options.user_and_password(user.into(), password.into()),
                None => options.token(user.into()),
            };
        }
        let own = match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => Some((cert.as_path(), key.as_path())),
            (None, None) => None,
            _ => {
                let what = "--nats-cert and --nats-key belong together: give both";
                return Err(ClusterError::Input(what.into()));
            }
        };
        match (&self.ca, own) {
            (Some(file), own) => {
                let config = crate::trust::client(file, own).map_err(ClusterError::Input)?;
                options = options.tls_client_config(config).require_tls(true);
            }
            (None, Some((cert, key))) => {
                options = options.add_client_certificate(cert.into(), key.into());
            }
            (None, None) => {}
        }
        Ok(options)
    }
}

/// Whether a flag of this name is about NATS.
fn knows(name: &str) -> bool {
    let names = [
        "creds", "nkey", "user", "password", "token", "ca", "cert", "key",
    ];
    names.contains(&name)
}

/// An error with what is behind it.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(words: &str) -> (Result<Option<Access>, ClusterError>, String) {
        let mut words: Vec<String> = words.split_whitespace().map(Into::into).collect();
        let access = Access::take_flags(&mut words);
        (access, words.join(" "))
    }

    #[test]
    fn flags_of_nats_are_taken_out_of_a_command_line() {
        let (access, rest) = taken(
            "-rounds 3 --nats tls://a:1,nats://b -nats-creds c.creds --nats-ca ca.pem -each tc=1+1",
        );
        let access = access.unwrap().unwrap();
        assert_eq!(access.url, "tls://a:1,nats://b");
        assert_eq!(access.creds, Some("c.creds".into()));
        assert_eq!(access.ca, Some("ca.pem".into()));
        assert_eq!(rest, "-rounds 3 -each tc=1+1");
        let (none, rest) = taken("-rounds 3 nats");
        assert_eq!((none.unwrap(), rest.as_str()), (None, "-rounds 3 nats"));
        assert!(taken("--nats").0.is_err());
        assert!(taken("--nats-token x").0.is_err());
    }

    #[test]
    fn a_password_is_not_shown() {
        let access = Access {
            url: "nats://me:secret@host:4222, tls://b".into(),
            password: Some("secret".into()),
            ..Access::default()
        };
        assert_eq!(access.shown_url(), "nats://...@host:4222,tls://b");
        assert!(!format!("{access:?}").contains("secret"));
    }
}
