//! `quadrille lend`: a local engine for others.

use std::io::{self, IsTerminal, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quadrille_driver::date::now;
use quadrille_driver::lend::{LendEvent, Lender};
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Orphans, StartError, dialect_of};
use quadrille_games::Game;
use quadrille_net::sanitize::one_line;
use quadrille_net::{Acceptor, Certificate, Fingerprint, Secret};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::{named, signals};

/// Events that wait to be printed; what is refused beyond that is counted.
const WAITING: usize = 200;

/// Which engine, and to whom.
#[derive(Args)]
#[command(after_help = "Others name it wherever an engine can be named:\n  \
                  quadrille go tls://:PASSWORD@HOST:4711#sha256:... --depth 12\n  \
                  quadrille match -engine cmd=tls://ann:env:PW@HOST:4711#sha256:... -engine cmd=builtin ...\n\
                  One process is started for each connection, and killed with it. Clients reach nothing\n\
                  but the engine: options that may name files and words that are not of the protocol are\n\
                  refused, Threads and Hash are bounded by what this machine has.")]
pub(crate) struct Arguments {
    /// A program, or `builtin` for our own engine
    #[arg(value_name = "ENGINE")]
    engine: String,

    /// Its arguments, behind `--`
    #[arg(value_name = "ARGS", last = true)]
    args: Vec<String>,

    /// Where to listen: ADDRESS:PORT, or a port of this machine only
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:4711", value_parser = address)]
    listen: SocketAddr,

    /// The file whose first line is the password
    #[arg(long, value_name = "FILE", conflicts_with = "password_env")]
    password_file: Option<PathBuf>,

    /// The environment variable that holds the password
    #[arg(long, value_name = "VARIABLE")]
    password_env: Option<String>,

    /// Lend it without a password to everybody who can reach a public address
    #[arg(long)]
    no_password: bool,

    /// Encrypt, with a certificate that is made once and kept
    #[arg(long, conflicts_with_all = ["cert", "key"])]
    tls: bool,

    /// The folder to keep that certificate in
    #[arg(long, value_name = "FOLDER", requires = "tls")]
    tls_folder: Option<PathBuf>,

    /// Encrypt, with this certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,

    /// The key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,

    /// How many clients at once, each with a process of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    most: u16,

    /// Send a client away that says nothing for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    idle: u64,

    /// Set an option for everybody, NAME=VALUE; clients cannot change it
    #[arg(long = "option", short, value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Let clients set this option, though it may name a file
    #[arg(long, value_name = "NAME")]
    allow_option: Vec<String>,

    /// Let clients say this word, though it is not of the protocol
    #[arg(long, value_name = "WORD")]
    allow_word: Vec<String>,

    /// The folder to start the engine in
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// The game that the engine plays: chess, liberty, leiser or gyges
    #[arg(long, value_name = "GAME", default_value_t = Game::Chess)]
    game: Game,

    /// Say nothing about who comes and goes
    #[arg(long, short)]
    quiet: bool,
}

/// `ADDRESS:PORT`, or a port alone.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(port) = text.parse::<u16>() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    let wrong = |_| {
        "write ADDRESS:PORT, as 0.0.0.0:4711 for all addresses of this machine, or a port for this \
         machine only"
            .into()
    };
    text.parse().map_err(wrong)
}

/// Lends until it is interrupted.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let _orphans = Orphans::adopt();
    let password = password(arguments)?;
    let public = !arguments.listen.ip().is_loopback();
    if public && password.is_none() && !arguments.no_password {
        return Err(Failure::input(format!(
            "everybody who reaches {} could use this machine",
            arguments.listen
        ))
        .hint("give a --password-file or --password-env, or say --no-password"));
    }
    let (door, fingerprint) = arguments.door()?;
    if public && fingerprint.is_none() && password.is_some() {
        warn("the password goes over the network as it is; --tls encrypts it");
    }
    let lender = Lender {
        password,
        door,
        most: arguments.most.into(),
        idle: Duration::from_secs(arguments.idle),
        allow_options: arguments.allow_option.clone(),
        allow_words: arguments.allow_word.clone(),
        ..Lender::new(arguments.spec()?)
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(arguments.listen).await.map_err(|error| {
            Failure::machine(format!("cannot listen at {}: {error}", arguments.listen))
                .hint("another address can be named with --listen")
        })?;
        let at = listener.local_addr().map_err(Failure::machine)?;
        let name = lender.prove(arguments.game).await.map_err(start_failure)?;
        let interrupted = signals::interrupted();
        announce(&name, arguments, at, fingerprint).map_err(Failure::machine)?;
        let (events, mut told) = mpsc::channel(WAITING);
        let quiet = arguments.quiet;
        let printing = tokio::task::spawn_blocking(move || {
            while let Some(event) = told.blocking_recv() {
                if !quiet && print(&event).is_err() {
                    // Without a reader it still serves.
                    return;
                }
            }
        });
        tokio::select! {
            () = lender.serve(listener, events) => {}
            () = interrupted => {}
        }
        // Dropped with the sessions: it has printed everything then.
        let _ = printing.await;
        Ok(String::new())
    })
}

fn start_failure(error: StartError) -> Failure {
    let hint = error.hint();
    let failure = if error.is_in_the_description() {
        Failure::input(error)
    } else {
        Failure::machine(error)
    };
    failure.maybe_hint(hint)
}

fn password(arguments: &Arguments) -> Result<Option<Secret>, Failure> {
    let file = arguments.password_file.as_deref().map(Secret::from_file);
    let variable = arguments
        .password_env
        .as_deref()
        .map(Secret::from_environment);
    file.or(variable).transpose().map_err(Failure::input)
}

impl Arguments {
    fn spec(&self) -> Result<EngineSpec, Failure> {
        let mut spec = EngineSpec {
            command: self.engine.clone().into(),
            args: self.args.clone(),
            folder: self.folder.clone(),
            options: named::options(&self.options),
            dialect: Some(dialect_of(self.game)),
            ..EngineSpec::default()
        };
        spec.seal();
        let program = std::env::current_exe().map_err(Failure::machine)?;
        spec.resolve_builtin(&program, self.game, "");
        spec.make_absolute().map_err(Failure::machine)?;
        Ok(spec)
    }

    fn door(&self) -> Result<(Acceptor, Option<Fingerprint>), Failure> {
        let certificate = match (&self.cert, &self.key) {
            (Some(certificate), Some(key)) => Certificate::from_files(certificate, key),
            _ if self.tls => {
                let folder = self.tls_folder.clone().or_else(certificate_folder);
                let Some(folder) = folder else {
                    return Err(Failure::input(
                        "there is no home folder: name one for the certificate with --tls-folder",
                    ));
                };
                Certificate::kept_in(&folder, &[self.listen.ip().to_string()])
            }
            _ => return Ok((Acceptor::plain(), None)),
        };
        let certificate = certificate.map_err(Failure::input)?;
        let door = Acceptor::tls(&certificate).map_err(Failure::input)?;
        Ok((door, Some(certificate.fingerprint())))
    }
}

/// Where a certificate of our own is kept: beside what other programs of the user
/// keep.
pub(crate) fn certificate_folder() -> Option<PathBuf> {
    data_folder().map(|data| data.join("tls"))
}

/// Where this program keeps what it makes for its user.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let data = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        let absolute = |path: &PathBuf| path.is_absolute();
        let home = || variable("HOME").map(|home| home.join(".local/share"));
        variable("XDG_DATA_HOME").filter(absolute).or_else(home)
    };
    data.map(|data: PathBuf| data.join("quadrille"))
}

fn warn(words: &str) {
    // Without a reader of errors there is nothing to say.
    let _ = writeln!(io::stderr(), "warning: {words}");
}

/// What others have to write to use it.
fn announce(
    name: &str,
    arguments: &Arguments,
    at: SocketAddr,
    fingerprint: Option<Fingerprint>,
) -> io::Result<()> {
    let host = match at.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => "HOST".to_owned(),
        IpAddr::V6(ip) if ip.is_unspecified() => "HOST".to_owned(),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    let has_password = arguments.password_file.is_some() || arguments.password_env.is_some();
    let login = if has_password { ":PASSWORD@" } else { "" };
    let (kind, trust) = match fingerprint {
        Some(fingerprint) => ("tls", format!("#{fingerprint}")),
        None => ("tcp", String::new()),
    };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} is lent at {kind}://{login}{host}:{}{trust}",
        one_line(name),
        at.port()
    )?;
    if io::stdout().is_terminal() {
        writeln!(out, "End it with Ctrl-C.")?;
    }
    out.flush()
}

fn print(event: &LendEvent) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{} {event}", now())?;
    out.flush()
}
