//! `quadrille serve`: a server where people and engines meet.

use std::env;
use std::io::{self, BufRead, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use quadrille_games::Game;
use quadrille_net::sanitize::{one_line, printable};
use quadrille_server::hall::Order;
use quadrille_server::message::Time;
use quadrille_server::serve::{self, Config, LogForm, OrderError, PORT, ServeError, Serving};
use quadrille_server::store::{self, StoreError};
use serde_json::Value;

use crate::failure::Failure;
use crate::serve_page::PageArguments;
use crate::served::warn;
use crate::signals;

/// Where a password may stand that shall not be seen in the list of processes.
const PASSWORD: &str = "QUADRILLE_PASSWORD";
/// The folder, if none is named.
const FOLDER: &str = "quadrille-server";

/// Arguments of `quadrille serve`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    order: Option<Task>,

    #[command(flatten)]
    serve: Serve,
}

#[derive(Args)]
struct Serve {
    /// Where clients come in: ADDRESS:PORT, or a port of this machine only; 127.0.0.1:25565 if you name none
    #[arg(long, value_name = "ADDRESS", value_parser = crate::lend::address)]
    listen: Vec<SocketAddr>,

    /// Where clients come in under TLS
    #[arg(long, value_name = "ADDRESS", value_parser = crate::lend::address)]
    tls: Vec<SocketAddr>,

    /// A certificate in PEM form; without one, it is made, and its fingerprint printed
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    /// The key of the certificate
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    #[command(flatten)]
    page: PageArguments,

    #[command(flatten)]
    place: Place,

    /// A description in TOML: addresses and settings
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// How the log on standard error is written: text, json, off
    #[arg(long, value_name = "FORM", default_value_t = LogForm::Text)]
    log: LogForm,

    /// Let players talk at the board
    #[arg(long)]
    chat: bool,

    /// Let guests make accounts
    #[arg(long)]
    register: bool,

    /// Pair people whose programs know no lobby, at this clock, as 300+5
    #[arg(long, value_name = "TIME")]
    auto: Option<Time>,

    /// Print the addresses as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Place {
    /// The folder that everything is kept in
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    folder: PathBuf,
}

/// What an operator wants of a server that runs.
#[derive(Subcommand)]
enum Task {
    /// Say how things stand
    Status {
        #[command(flatten)]
        place: Place,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Close a player's connection
    Kick {
        /// The player
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Keep an account or an address out; its game is lost
    Ban {
        /// A name or an address
        what: String,
        /// What it is told
        #[arg(default_value = "ask the operator")]
        why: String,
        #[command(flatten)]
        place: Place,
    },
    /// Let an account or an address in again
    Unban {
        /// A name or an address
        what: String,
        #[command(flatten)]
        place: Place,
    },
    /// Make an account, or give it another password (from `QUADRILLE_PASSWORD` or standard input)
    Account {
        /// Its name
        name: String,
        #[command(flatten)]
        place: Place,
    },
    /// Copy everything that is kept to a new file, while the server runs or not
    Backup {
        /// The new file
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// End when the last game is over; no new games until then
    Drain {
        /// End now: games go on when the server is there again
        #[arg(long)]
        now: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Arrange a match: two passwords that players give as their username
    Arrange {
        /// What others see of the first player
        #[arg(default_value = "player-1")]
        first: String,
        /// What others see of the second player
        #[arg(default_value = "player-2")]
        second: String,
        /// How many games; 10 if you say nothing
        #[arg(long, value_name = "N")]
        games: Option<u32>,
        /// The clock; 1200+15 if you say nothing
        #[arg(long, value_name = "TIME")]
        time: Option<Time>,
        #[command(flatten)]
        place: Place,
    },
    /// Open a tournament, which players enter
    Tournament(Tournament),
    /// Begin a tournament
    Begin {
        /// Its number
        id: u64,
        /// With all engines that are free
        #[arg(long)]
        engines: bool,
        #[command(flatten)]
        place: Place,
    },
}

/// A tournament to be opened.
#[derive(Args)]
struct Tournament {
    /// What it is called
    title: String,
    /// Which game
    #[arg(long, default_value_t = Game::Chess)]
    game: Game,
    /// The rules of the game, where it has several
    #[arg(long, default_value = "")]
    rules: String,
    /// The position that games begin with, or its name
    #[arg(long, default_value = "startpos")]
    position: String,
    /// The clock
    #[arg(long, default_value = "300+3")]
    time: Time,
    /// Swiss, with so many rounds; else everybody meets everybody
    #[arg(long, value_name = "ROUNDS")]
    swiss: Option<u32>,
    /// It counts for ratings
    #[arg(long)]
    rated: bool,
    #[command(flatten)]
    place: Place,
}

/// Serves until it is interrupted or drained; or gives an order.
pub(crate) fn run(arguments: Arguments) -> Result<String, Failure> {
    match arguments.order {
        Some(task) => give(task),
        None => serve_clients(arguments.serve),
    }
}

fn serve_clients(arguments: Serve) -> Result<String, Failure> {
    let mut config = match &arguments.config {
        Some(path) => Config::read(path).map_err(Failure::input)?,
        None => Config::default(),
    };
    if !arguments.listen.is_empty() || !arguments.tls.is_empty() {
        (config.listen, config.tls) = (arguments.listen, arguments.tls);
    }
    if config.listen.is_empty() && config.tls.is_empty() {
        config.listen.push(([127, 0, 0, 1], PORT).into());
    }
    config.certificate = arguments.certificate.or(config.certificate);
    config.key = arguments.key.or(config.key);
    config.settings.chat |= arguments.chat;
    config.settings.register |= arguments.register;
    config.settings.auto = arguments.auto.or(config.settings.auto);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let program = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));
    runtime.block_on(async {
        signals::notice_large_files();
        let interrupted = signals::interrupted();
        let folder = &arguments.place.folder;
        let started = serve::start(&config, folder, arguments.log, program).await;
        let serving = started.map_err(|error| match error {
            ServeError::Config { .. } | ServeError::HalfCertificate => Failure::input(error),
            ServeError::Lost { file, backup } => lost_file(&file, &backup),
            ServeError::UnreadableBackups { ref folder, .. } => {
                let hint = format!(
                    "make {folder} readable; or, to start with an empty server, move it away",
                    folder = folder.display()
                );
                Failure::machine(error).hint(hint)
            }
            ServeError::Store(error) => store_failure(&error, folder),
            error => Failure::machine(error),
        })?;
        warn(serving.warning.clone());
        let page = arguments.page.open(folder, &serving.server).await;
        let page = page.inspect_err(|_| serving.server.stop())?;
        let address = page.as_ref().map(|page| page.address.as_str());
        announce(&serving, address, arguments.json).map_err(Failure::machine)?;
        let server = serving.server;
        tokio::select! {
            () = interrupted => server.stop(),
            _ = server.ended() => {}
        }
        let ended = server.ended().await;
        if let Some(page) = page {
            // It ends with its server, and keeps nothing of its own.
            let _ = page.served.await;
        }
        ended.map_err(Failure::machine)
    })?;
    Ok(String::new())
}

fn announce(serving: &Serving, page: Option<&str>, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let fingerprint = serving.fingerprint.as_ref().map(ToString::to_string);
    if json {
        let line = serde_json::json!({
            "listen": serving.plain,
            "tls": serving.tls,
            "fingerprint": fingerprint,
            "page": page,
            "pid": std::process::id(),
        });
        writeln!(out, "{line}")?;
        return out.flush();
    }
    for address in &serving.plain {
        writeln!(out, "Players come in at {address}")?;
        if !address.ip().is_loopback() {
            writeln!(
                out,
                "  (not encrypted: passwords can be read on the way; see --tls)"
            )?;
        }
    }
    for address in &serving.tls {
        writeln!(out, "Players come in under TLS at {address}")?;
    }
    if let Some(page) = page {
        writeln!(out, "The page is at {page}")?;
    }
    if let Some(fingerprint) = fingerprint {
        writeln!(out, "Fingerprint of the certificate: {fingerprint}")?;
    }
    writeln!(
        out,
        "Everything is kept; end it with Ctrl-C, games go on when it is back."
    )?;
    out.flush()
}

/// Gives an order to the server of a folder.
fn answer(place: &Place, order: &Order) -> Result<Value, Failure> {
    let answer = serve::order(&place.folder, order);
    answer.map_err(|error| failure(error, place))
}

/// `1 game`, `2 games`.
fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn give(task: Task) -> Result<String, Failure> {
    Ok(match task {
        Task::Status { place, json } => {
            let status = answer(&place, &Order::Status)?;
            if json {
                format!("{status}\n")
            } else {
                status_text(&status)
            }
        }
        Task::Kick { name, place } => {
            answer(&place, &Order::Kick { name: name.clone() })?;
            format!("{} is out\n", one_line(&name))
        }
        Task::Ban { what, why, place } => {
            let what_for = what.clone();
            let done = answer(&place, &Order::Ban { what, why })?;
            let closed = done["closed"].as_u64().unwrap_or(0);
            format!(
                "{} is banned, {} closed\n",
                one_line(&what_for),
                counted(closed, "connection")
            )
        }
        Task::Unban { what, place } => {
            let done = answer(&place, &Order::Unban { what: what.clone() })?;
            if done["was-banned"] == true {
                format!("{} may come in again\n", one_line(&what))
            } else {
                format!("{} was not banned\n", one_line(&what))
            }
        }
        Task::Account { name, place } => {
            let made = serve::account(&place.folder, &name, &password()?);
            made.map_err(|error| failure(error, &place))?;
            format!("{} has an account\n", one_line(&name))
        }
        Task::Backup { file, place } => {
            let from = serve::file_in(&place.folder);
            if !from.is_file() {
                let why = format!("{} does not exist", from.display());
                return Err(Failure::input(why).hint("name the folder of a server with --folder"));
            }
            warn(serve::log_warning(&from));
            let made = store::backup(&from, &file);
            made.map_err(|error| store_failure(&error, &place.folder))?;
            format!(
                "{} holds everything up to now\n",
                one_line(&file.to_string_lossy())
            )
        }
        Task::Drain { now, place } => {
            let done = answer(&place, &Order::Drain { now })?;
            let running = done["running"].as_u64().unwrap_or(0);
            if now {
                let go = if running == 1 { "goes" } else { "go" };
                let games = counted(running, "game");
                format!("the server ends; {games} {go} on when it is back\n")
            } else {
                format!("the server ends after {}\n", counted(running, "game"))
            }
        }
        Task::Arrange {
            first,
            second,
            games,
            time,
            place,
        } => {
            let order = Order::Arrange {
                names: [first, second],
                games,
                time: time.map(|time| time.to_string()),
            };
            arranged(&answer(&place, &order)?)
        }
        Task::Tournament(wanted) => wanted.open()?,
        Task::Begin { id, engines, place } => {
            answer(&place, &Order::Begin { id, engines })?;
            format!("tournament {id} has begun\n")
        }
    })
}

fn arranged(done: &Value) -> String {
    let word = |list: &str, i: usize| done[list][i].as_str().unwrap_or("?").to_owned();
    format!(
        "match {}: {} comes in as {}, {} as {}\n",
        done["id"],
        word("names", 0),
        word("passwords", 0),
        word("names", 1),
        word("passwords", 1)
    )
}

impl Tournament {
    fn open(self) -> Result<String, Failure> {
        let order = Order::Tournament {
            title: self.title,
            game: self.game,
            rules: self.rules,
            position: self.position,
            time: self.time.to_string(),
            swiss: self.swiss.is_some(),
            rounds: self.swiss.unwrap_or(1),
            rated: self.rated,
        };
        let done = answer(&self.place, &order)?;
        let id = &done["id"];
        Ok(format!(
            "tournament {id} is open: players enter with lobby tournament join id {id}\n"
        ))
    }
}

fn failure(error: OrderError, place: &Place) -> Failure {
    match error {
        OrderError::NotRunning(_) => Failure::input(error).hint(format!(
            "start one with quadrille serve --folder {}, or name its folder",
            place.folder.display()
        )),
        OrderError::Refused(_) => Failure::input(error),
        OrderError::Store(error) => store_failure(&error, &place.folder),
        error => Failure::machine(error),
    }
}

/// What is wrong with the file, and how to come to a whole one.
fn store_failure(error: &StoreError, folder: &Path) -> Failure {
    let failure = Failure::machine(error);
    if let StoreError::Lost { file, beside } = error {
        return failure.hint(format!(
            "put {} back; or, to start with an empty server, move {} away",
            file.display(),
            beside.display()
        ));
    }
    if !matches!(error, StoreError::Damaged { .. } | StoreError::Foreign(_)) {
        return failure;
    }
    let file = serve::file_in(folder);
    let then = match quadrille_server::newest(&file).ok().flatten() {
        Some(backup) => format!("copy {} to its place", backup.display()),
        None => "repair it as docs/server.md says".into(),
    };
    failure.hint(format!(
        "move {file} and {file}-wal away, and {then}",
        file = file.display()
    ))
}

/// A server whose file is gone or empty, though it had one.
fn lost_file(file: &Path, backup: &Path) -> Failure {
    let folder = backup.parent().unwrap_or(backup);
    let error = ServeError::Lost {
        file: file.into(),
        backup: backup.into(),
    };
    Failure::machine(error).hint(format!(
        "copy the backup to {}; or, to start with an empty server, move {} away",
        file.display(),
        folder.display()
    ))
}

/// From the environment, or the first line of standard input.
fn password() -> Result<String, Failure> {
    let mut line = env::var(PASSWORD).unwrap_or_default();
    if line.is_empty() {
        let read = io::stdin().lock().read_line(&mut line);
        read.map_err(Failure::machine)?;
    }
    let password = line.trim_end_matches(['\r', '\n']);
    if password.chars().count() < 6 {
        let failure = Failure::input("a password has at least six letters");
        return Err(failure.hint(format!(
            "{PASSWORD}=... in the environment, or standard input"
        )));
    }
    Ok(password.into())
}

fn status_text(status: &Value) -> String {
    use core::fmt::Write as _;
    let mut text = String::new();
    let list = |name: &str| status[name].as_array().cloned().unwrap_or_default();
    let number = |name: &str| status[name].as_u64().unwrap_or(0);
    let (players, games) = (list("players"), list("games"));
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}, {}, {}, {}{}",
        counted(number("connections"), "connection"),
        counted(players.len() as u64, "player"),
        counted(games.len() as u64, "game"),
        counted(number("seeks"), "seek"),
        if status["draining"] == true {
            ", draining"
        } else {
            ""
        }
    );
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".into(),
        other => other.to_string(),
    };
    for game in games {
        let _ = writeln!(
            text,
            "game {} {} - {} {} {} {} plies, {} watch",
            game["id"],
            word(&game["white"]),
            word(&game["black"]),
            word(&game["game"]),
            word(&game["time"]),
            game["plies"],
            game["watchers"]
        );
    }
    for player in players {
        let kind = if player["person"] == true {
            "person"
        } else {
            "engine"
        };
        let here = if player["connected"] == true {
            ""
        } else {
            ", away"
        };
        let _ = writeln!(
            text,
            "{:<20} {kind} {} game {}{here}, {}",
            word(&player["name"]),
            word(&player["address"]),
            word(&player["game"]),
            word(&player["program"])
        );
    }
    printable(&text).into_owned()
}
