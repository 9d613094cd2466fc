//! A server as an operator starts it: addresses, a folder, a log.

use std::fs;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use quadrille_driver::date::now;
use quadrille_net::sanitize::one_line;
use quadrille_net::{Acceptor, Certificate, CertificateError, Fingerprint};
use serde::Deserialize;
use tokio::net::TcpListener;

use crate::backups::{self, Backups};
use crate::hall::{Log, Order, Settings, seconds};
use crate::message::word_list;
use crate::password::{self, Work};
use crate::server::{Logger, Options, Server};
use crate::store::{self, StoreError};

/// The port of the reference's server.
pub const PORT: u16 = 25565;
/// The file in the folder.
const FILE: &str = "server.db";
/// Lines of the log that wait for a slow reader; more are left out.
const LOGGED: usize = 4096;
/// How long an order waits for its answer.
const ANSWER: Duration = Duration::from_secs(10);

word_list! {
    /// How the log is written.
    LogForm:
    /// For people.
    Text = "text",
    /// One JSON object a line.
    Json = "json",
    /// Not at all.
    Off = "off",
}

/// Everything an operator says.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Where plain connections come in.
    pub listen: Vec<SocketAddr>,
    /// Where connections under TLS come in.
    pub tls: Vec<SocketAddr>,
    /// A certificate of one's own; without, one is made and kept.
    pub certificate: Option<PathBuf>,
    /// Its key.
    pub key: Option<PathBuf>,
    /// How many backups of the file are kept; without any, none are made.
    pub backups: usize,
    /// Seconds from one backup to the next.
    pub backup_every: u64,
    /// What the operator decides.
    pub settings: Settings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: Vec::new(),
            tls: Vec::new(),
            certificate: None,
            key: None,
            backups: 3,
            backup_every: 24 * 3600,
            settings: Settings::default(),
        }
    }
}

/// What keeps a server from starting.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The description is wrong.
    #[error("{path}: {detail}", path = .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The folder cannot be used.
    #[error("{path}: {error}", path = .path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// An address cannot be listened at.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is missing or has nothing in it, but there are backups of it.
    #[error(
        "{file} is missing or empty, and has a backup: {backup}",
        file = .file.display(),
        backup = .backup.display()
    )]
    Lost {
        /// Where the file should be.
        file: PathBuf,
        /// The newest backup.
        backup: PathBuf,
    },
    /// The file is missing or has nothing in it, and the folder of its backups cannot be read.
    #[error(
        "{file} is missing or empty, and the backups in {folder} cannot be read: {error}",
        file = .file.display(),
        folder = .folder.display()
    )]
    UnreadableBackups {
        /// Where the file should be.
        file: PathBuf,
        /// The folder of its backups.
        folder: PathBuf,
        /// Why it cannot be read.
        error: io::Error,
    },
    /// The certificate.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// A certificate without its key, or the other way round.
    #[error("a certificate needs its key: name both")]
    HalfCertificate,
}

impl Config {
    /// Reads a description.
    pub fn read(path: &Path) -> Result<Self, ServeError> {
        let wrong = |detail: String| ServeError::Config {
            path: path.into(),
            detail,
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let config: Self = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        config.settings.check().map_err(wrong)?;
        if config.backup_every == 0 {
            return Err(wrong("backup-every = 0: at least 1 second".into()));
        }
        Ok(config)
    }
}

/// A server that can be reached.
#[derive(Debug)]
pub struct Serving {
    /// The server.
    pub server: Server,
    /// Where it can be reached.
    pub plain: Vec<SocketAddr>,
    /// Where it can be reached under TLS.
    pub tls: Vec<SocketAddr>,
    /// What clients know a certificate by that no authority has signed.
    pub fingerprint: Option<Fingerprint>,
    /// What the operator should know before anybody comes.
    pub warning: Option<String>,
}

/// What to say of a file that lacks its last changes.
pub fn log_warning(file: &Path) -> Option<String> {
    store::lacks_its_log(file).then(|| {
        let file = file.display();
        format!(
            "{file}-wal is not beside {file}: if it was copied from a running server, its last \
             changes are missing; copy with quadrille serve backup FILE"
        )
    })
}

/// The file of a folder.
pub fn file_in(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// Starts a server. Must be called inside a runtime.
pub async fn start(
    config: &Config,
    folder: &Path,
    log: LogForm,
    program: &str,
) -> Result<Serving, ServeError> {
    fs::create_dir_all(folder).map_err(|error| ServeError::Folder {
        path: folder.into(),
        error,
    })?;
    let certificate = match (&config.certificate, &config.key) {
        (Some(certificate), Some(key)) => Some(Certificate::from_files(certificate, key)?),
        (None, None) if config.tls.is_empty() => None,
        (None, None) => Some(Certificate::kept_in(folder, &[])?),
        _ => return Err(ServeError::HalfCertificate),
    };
    let secret = certificate.as_ref().map(Acceptor::tls).transpose()?;
    let mut doors = Vec::new();
    for address in &config.listen {
        doors.push((bind(*address).await?, Acceptor::plain()));
    }
    for address in &config.tls {
        if let Some(door) = &secret {
            doors.push((bind(*address).await?, door.clone()));
        }
    }
    let file = file_in(folder);
    refuse_lost_file(&file)?;
    let warning = log_warning(&file);
    let server = Server::start(Options {
        settings: config.settings.clone(),
        store: file.clone(),
        program: program.into(),
        log: logger(log),
        work: Work::Usual,
    })?;
    let (mut plain, mut tls) = (Vec::new(), Vec::new());
    for (listener, door) in doors {
        let list = if door.is_tls() { &mut tls } else { &mut plain };
        list.extend(listener.local_addr());
        let server = server.clone();
        tokio::spawn(async move { server.listen(listener, door).await });
    }
    if config.backups > 0 {
        let every = seconds(config.backup_every);
        let backups = Backups::new(file, config.backups, every);
        tokio::spawn(make_backups(backups, server.clone(), logger(log)));
    }
    Ok(Serving {
        warning,
        server,
        plain,
        tls,
        fingerprint: certificate.map(|certificate| certificate.fingerprint()),
    })
}

/// Refuses a file that is missing or empty where there are backups of it, or may be some.
fn refuse_lost_file(file: &Path) -> Result<(), ServeError> {
    if !store::is_new(file) {
        return Ok(());
    }
    match backups::newest(file) {
        Ok(None) => Ok(()),
        Ok(Some(backup)) => Err(ServeError::Lost {
            file: file.into(),
            backup,
        }),
        Err(error) => Err(ServeError::UnreadableBackups {
            file: file.into(),
            folder: backups::folder_of(file),
            error,
        }),
    }
}

/// Makes backups while the server runs.
async fn make_backups(backups: Backups, server: Server, log: Logger) {
    let mut wait = backups.due_in();
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            _ = server.ended() => return,
        }
        let copy = backups.clone();
        let made = tokio::task::spawn_blocking(move || copy.make()).await;
        let (next, detail) = match made {
            Ok(Ok(path)) => (backups.due_in(), path.display().to_string()),
            Ok(Err(error)) => (backups.after_failure(), format!("failed: {error}")),
            Err(error) => (backups.after_failure(), format!("failed: {error}")),
        };
        wait = next.max(Duration::from_secs(1));
        log(&Log {
            what: "backup",
            connection: None,
            address: None,
            game: None,
            detail,
        });
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| ServeError::Listen { address, error })
}

/// Writes the log on a thread of its own: the hall never waits for a terminal.
fn logger(form: LogForm) -> Logger {
    if form == LogForm::Off {
        return Box::new(|_| {});
    }
    let (sender, receiver) = sync_channel::<String>(LOGGED);
    std::thread::spawn(move || {
        for line in receiver {
            // Without a reader of the log there is nothing to say.
            let _ = writeln!(io::stderr().lock(), "{line}");
        }
    });
    Box::new(move |log| send(&sender, line(log, form)))
}

fn send(sender: &SyncSender<String>, line: String) {
    match sender.try_send(line) {
        Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
    }
}

/// What happened, on one line that moves no cursor.
fn line(log: &Log, form: LogForm) -> String {
    let at = now();
    if form == LogForm::Json {
        let mut value = serde_json::to_value(log).unwrap_or_default();
        value["at"] = at.to_string().into();
        return value.to_string();
    }
    let number = |word: &str, n: Option<u64>| n.map(|n| format!(" {word} {n}")).unwrap_or_default();
    let address = log
        .address
        .as_deref()
        .map(|a| format!(" {a}"))
        .unwrap_or_default();
    let (conn, game) = (number("#", log.connection), number("game", log.game));
    let text = format!("{at} {:<8}{conn}{address}{game} {}", log.what, log.detail);
    one_line(&text).into_owned()
}

/// Why an order was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// No server runs there.
    #[error("no server runs in {path}", path = .0.display())]
    NotRunning(PathBuf),
    /// It has not taken the order, which was withdrawn.
    #[error("the server in {path} does not answer: the order was withdrawn", path = .0.display())]
    Silent(PathBuf),
    /// It has the order, and has not answered yet.
    #[error(
        "the server in {path} does not answer: it has the order, and may still carry it out",
        path = .0.display()
    )]
    Slow(PathBuf),
    /// It does not want to.
    #[error("{0}")]
    Refused(String),
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A password cannot be hashed.
    #[error(transparent)]
    Hash(#[from] password::HashError),
}

/// Gives an order to the server that runs in a folder, and waits for its answer.
pub fn order(folder: &Path, order: &Order) -> Result<serde_json::Value, OrderError> {
    order_within(folder, order, ANSWER)
}

fn order_within(
    folder: &Path,
    order: &Order,
    patience: Duration,
) -> Result<serde_json::Value, OrderError> {
    let file = file_in(folder);
    if !file.is_file() || !store::is_running(&file) {
        return Err(OrderError::NotRunning(folder.into()));
    }
    let json = serde_json::to_string(order).unwrap_or_default();
    let id = store::order(&file, &json)?;
    let begun = std::time::Instant::now();
    while begun.elapsed() < patience {
        if let Some(answer) = store::answered(&file, id)? {
            // The server takes it away later, if this cannot.
            let _ = store::forget(&file, id);
            let mut answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
            return match answer.get("error").and_then(|e| e.as_str()) {
                Some(why) => Err(OrderError::Refused(why.into())),
                None => Ok(answer["ok"].take()),
            };
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    match store::withdraw(&file, id) {
        Ok(true) => Err(OrderError::Silent(folder.into())),
        Ok(false) | Err(_) => Err(OrderError::Slow(folder.into())),
    }
}

/// Makes an account, or gives it another password: through the server if one
/// runs, else in the file.
pub fn account(folder: &Path, name: &str, password: &str) -> Result<(), OrderError> {
    let plain = !password.contains(char::is_control) && password.trim() == password;
    if !password::LETTERS.contains(&password.chars().count()) || !plain {
        let why = "a password has 6 to 100 letters, without blanks around them";
        return Err(OrderError::Refused(why.into()));
    }
    let hash = password::hash(password, Work::Usual)?;
    let wanted = Order::Account {
        name: name.into(),
        hash: hash.clone(),
    };
    let file = file_in(folder);
    if file.is_file() && store::is_running(&file) {
        return order(folder, &wanted).map(drop);
    }
    let name: crate::message::Name = name
        .parse()
        .map_err(|e| OrderError::Refused(format!("{e}")))?;
    let problem = |error: io::Error| OrderError::Refused(error.to_string());
    fs::create_dir_all(folder).map_err(problem)?;
    let (store, _) = store::Store::open(&file, |_| {})?;
    let row = crate::hall::AccountRow {
        name: name.to_string(),
        hash,
    };
    store.keep(crate::hall::Keep::Account(row), None);
    store.close(&file).map_err(OrderError::Store)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("serve.toml");
        let text = "listen = [\"127.0.0.1:1\"]\n[settings]\nchat = true\nauto = \"180+2\"\n\
                    games = [\"chess\"]\nlines = { burst = 5, per_second = 1 }\n";
        fs::write(&path, text).expect("a file");
        let config = Config::read(&path).expect("a description");
        assert!(config.settings.chat && config.settings.auto.is_some());
        assert_eq!(config.settings.lines.burst, 5);
        for wrong in [
            "listen = 5",
            "dance = true",
            "[settings]\ngames = [\"go\"]",
            "[settings]\nhandshake = 99999999999",
            "[settings]\nmargin = 9223372036854775807",
        ] {
            fs::write(&path, wrong).expect("a file");
            let error = Config::read(&path).expect_err(wrong).to_string();
            assert!(error.contains("serve.toml"), "{error}");
        }
    }

    /// An order that was not taken in time is not carried out later.
    #[test]
    fn an_order_that_is_not_answered_is_withdrawn() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file_in(folder.path());
        let (store, _) = store::Store::open(&file, |_| {}).expect("a store");
        store.close(&file).expect("all is written");
        // A server that has stopped: its lock is there, and no order is looked at.
        let lock = fs::File::create(folder.path().join("server.db-lock")).expect("a file");
        lock.try_lock().expect("no server runs");
        let kick = Order::Kick { name: "ben".into() };
        let patience = Duration::from_millis(30);
        let error = order_within(folder.path(), &kick, patience).expect_err("no answer");
        assert!(matches!(error, OrderError::Silent(_)), "{error}");
        drop(lock);
        let (told, orders) = sync_channel(8);
        let (store, _) = store::Store::open(&file, move |news| {
            told.send(format!("{news:?}")).expect("it is listened to");
        })
        .expect("a store");
        // One that takes orders and says nothing.
        let error = order_within(folder.path(), &Order::Status, Duration::from_secs(2));
        let error = error.expect_err("no answer");
        assert!(matches!(error, OrderError::Slow(_)), "{error}");
        store.close(&file).expect("all is written");
        let orders: Vec<String> = orders.iter().collect();
        assert!(
            orders.len() == 1 && orders[0].contains("status"),
            "{orders:?}"
        );
    }

    /// What is not in the file was not made.
    #[test]
    fn an_account_that_cannot_be_written_is_not_made() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = file_in(folder.path());
        account(folder.path(), "ann", "longenough").expect("an account");
        let connection = rusqlite::Connection::open(&file).expect("a file");
        let full = "CREATE TRIGGER full BEFORE INSERT ON account
                    BEGIN SELECT RAISE(FAIL, 'disk is full'); END";
        connection.execute_batch(full).expect("a trigger");
        drop(connection);
        let error = account(folder.path(), "ben", "longenough").expect_err("no room");
        assert!(error.to_string().contains("disk is full"), "{error}");
    }

    #[test]
    fn a_password_that_could_not_be_sent_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        for password in ["short", "  longenough", "long\tenough", &"x".repeat(150)] {
            let error = account(folder.path(), "ann", password).expect_err(password);
            assert!(error.to_string().contains("6 to 100 letters"), "{error}");
        }
        assert!(!file_in(folder.path()).exists());
    }

    /// An earlier start that had no room may have left an empty file.
    #[test]
    fn an_empty_file_is_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(file_in(folder.path()), "").expect("a file");
        account(folder.path(), "ann", "longenough").expect("an account");
    }

    #[test]
    fn a_log_line_moves_no_cursor() {
        let log = Log {
            what: "in",
            connection: Some(3),
            address: Some("10.0.0.1".into()),
            game: None,
            detail: "Ann \x1b[2J\n".into(),
        };
        for form in [LogForm::Text, LogForm::Json] {
            let line = line(&log, form);
            assert!(
                !line.contains(['\x1b', '\n']) && line.contains("Ann"),
                "{line:?}"
            );
        }
    }
}
