//! `quadrille connect`: play at a game server, oneself or with an engine.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quadrille_driver::date::now;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Orphans, StartError};
use quadrille_games::Game;
use quadrille_net::sanitize::printable;
use quadrille_net::{Fingerprint, Remote, Secret, Trust, Word};
use quadrille_server::client::{
    self, Bot, BotError, BotEvent, ClientError, Connector, Lines, Out, Person,
};
use quadrille_server::message::{Ask, Id, Name, Tell, ToClient, ToServer, Welcome, Wish};
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::guest_token::GuestToken;
use crate::{named, paint, show, signals};

/// Lines that are typed before they are read.
const WAITING: usize = 64;

/// Where to, and who.
#[derive(Args)]
#[command(
    after_help = "A person types moves as they like (e4, e2e4, Nf3), and help for everything else:\n  \
                  quadrille connect box.example --as ann\n\
                  An engine plays by itself, whoever asks or what it seeks:\n  \
                  quadrille connect box.example --engine stockfish --seek \"chess 60+1\"\n  \
                  quadrille connect tls://box.example:25565#sha256:... --engine builtin --game chess --game gyges\n\
                  A seat in an arranged match, at the reference server of ULCI or this one:\n  \
                  quadrille connect box.example --engine builtin --game liberty --match-password sqm3O7\n\
                  Lost connections come back by themselves; the clock runs on meanwhile."
)]
pub(crate) struct Arguments {
    /// The server: HOST, HOST:PORT, or tcp://HOST:PORT or tls://HOST:PORT
    #[arg(value_name = "HOST")]
    host: String,

    /// Your name there; an account if a password goes with it. A person without one is a guest
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,

    /// The password of your seat in an arranged match, as the server printed it
    #[arg(long, value_name = "WORD", conflicts_with_all = ["password_file", "password_env"])]
    match_password: Option<String>,

    /// The file whose first line is the password of the account
    #[arg(long, value_name = "FILE", conflicts_with = "password_env")]
    password_file: Option<PathBuf>,

    /// The environment variable that holds the password of the account
    #[arg(long, value_name = "VARIABLE")]
    password_env: Option<String>,

    /// Encrypt, and trust the authorities of this system
    #[arg(long)]
    tls: bool,

    /// Encrypt, and trust the certificate with this fingerprint only
    #[arg(long, value_name = "SHA256", conflicts_with = "ca")]
    fingerprint: Option<Fingerprint>,

    /// Encrypt, and trust the authorities in this file only (PEM)
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,

    /// An engine that plays: a program, `tcp://...`, `tls://...` or `builtin`
    #[arg(long, short, value_name = "ENGINE")]
    engine: Option<String>,

    /// Its arguments, behind `--`
    #[arg(value_name = "ARGS", last = true, requires = "engine")]
    args: Vec<String>,

    /// The folder to start it in
    #[arg(long, value_name = "FOLDER", requires = "engine")]
    folder: Option<PathBuf>,

    /// Set an option of the engine, NAME=VALUE
    #[arg(long = "option", short, value_name = "NAME=VALUE", requires = "engine")]
    options: Vec<String>,

    /// What is taken off the engine's clock for the network
    #[arg(long, value_name = "MS", default_value_t = 100, requires = "engine")]
    overhead: u64,

    /// A game to play: chess, liberty, leiser or gyges; several with an engine
    #[arg(long, short, value_name = "GAME")]
    game: Vec<Game>,

    /// Let the engine take open seeks of others, too
    #[arg(long, requires = "engine")]
    accept: bool,

    /// A game to seek whenever free, as "chess 300+5 rated white"
    #[arg(long, value_name = "WISH")]
    seek: Vec<String>,
}

/// Plays until the player leaves, or the server cannot be reached.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let _orphans = Orphans::adopt();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let done = runtime.block_on(async {
        match &arguments.engine {
            Some(engine) => arguments.let_engine_play(engine).await,
            None => arguments.let_person_play().await,
        }
    });
    // What still waits for the terminal need not be waited for.
    runtime.shutdown_background();
    done.map(|()| String::new())
}

impl Arguments {
    fn connector(&self) -> Result<Connector, Failure> {
        let mut remote = self.remote()?;
        if remote.shows_password() || (self.has_password() && !is_private(&remote)) {
            say_error("warning: the password goes over the network as it is; --tls encrypts it");
        }
        let file = self.password_file.as_deref().map(Secret::from_file);
        let variable = self.password_env.as_deref().map(Secret::from_environment);
        let mut password = file.or(variable).transpose().map_err(Failure::input)?;
        let mut name = self.name.clone();
        // tls://ann:env:PW@box is the same as --as ann --password-env PW.
        if let Some(login) = remote.login.clone() {
            if login.word != Word::Unsaid && password.is_none() {
                password = remote.password(None).map_err(Failure::input)?;
            }
            name = name.or(Some(login.name).filter(|name| !name.is_empty()));
        }
        remote.login = None;
        if password.is_some() && name.is_none() {
            return Err(Failure::input("a password goes with a name").hint("add --as NAME"));
        }
        let mut connector = Connector::new(remote);
        (connector.name, connector.password) = (name, password);
        connector.seat.clone_from(&self.match_password);
        Ok(connector)
    }

    /// Why we are not in, and what to add on this command line.
    fn with_hint(&self, error: ClientError) -> Failure {
        let lacks = match &error {
            ClientError::Refused { why, .. } => why.contains("account") && !self.has_password(),
            _ => false,
        };
        let hint = "if the account is yours, add --password-file FILE or --password-env VARIABLE; \
                    else take another name with --as NAME";
        client_failure(error).maybe_hint(lacks.then_some(hint))
    }

    const fn has_password(&self) -> bool {
        self.password_file.is_some() || self.password_env.is_some()
    }

    fn remote(&self) -> Result<Remote, Failure> {
        let trust = match (&self.fingerprint, &self.ca) {
            (Some(fingerprint), _) => Some(Trust::Fingerprint(*fingerprint)),
            (_, Some(file)) => Some(Trust::Authority(file.clone())),
            _ if self.tls => Some(Trust::System),
            _ => None,
        };
        let mut remote = client::address(&self.host).map_err(Failure::input)?;
        if trust.is_some() {
            remote.tls = trust;
        }
        Ok(remote)
    }

    fn seeks(&self, usual: Game) -> Result<Vec<Wish>, Failure> {
        let read = |text: &String| {
            client::wish(text, usual).map_err(|why| {
                Failure::input(format!("--seek: {why}")).hint("--seek \"chess 300+5 rated white\"")
            })
        };
        self.seek.iter().map(read).collect()
    }

    async fn let_engine_play(&self, engine: &str) -> Result<(), Failure> {
        let games = match &self.game[..] {
            [] => vec![Game::Chess],
            games => games.to_vec(),
        };
        let mut engines = HashMap::new();
        for game in &games {
            engines.insert(*game, self.spec(engine, *game)?);
        }
        let mut bot = Bot::new(self.connector()?, engines);
        bot.seeks = self.seeks(games[0])?;
        bot.accepts = self.accept;
        bot.overhead = Duration::from_millis(self.overhead);
        if let Some(wish) = bot.seeks.iter().find(|wish| !games.contains(&wish.game)) {
            let game = wish.game;
            return Err(
                Failure::input(format!("it seeks {game}, and does not play it"))
                    .hint(format!("add --game {game}")),
            );
        }
        let mut tell = |event: BotEvent| say(&format!("{} {event}", now()));
        tokio::select! {
            played = bot.run(&mut tell) => played.map_err(bot_failure),
            () = signals::interrupted() => Ok(()),
        }
    }

    fn spec(&self, engine: &str, game: Game) -> Result<EngineSpec, Failure> {
        let mut spec = EngineSpec {
            command: engine.into(),
            args: self.args.clone(),
            folder: self.folder.clone(),
            options: named::options(&self.options),
            ..EngineSpec::default()
        };
        spec.seal();
        let program = std::env::current_exe().map_err(Failure::machine)?;
        spec.resolve_builtin(&program, game, "");
        named::join_folder(&mut spec)?;
        Ok(spec)
    }

    async fn let_person_play(&self) -> Result<(), Failure> {
        let mut connector = self.connector()?;
        connector.person = true;
        connector.name = connector.name.or_else(user_name);
        connector.about = vec![
            Id::Name(format!("Quadrille {}", env!("CARGO_PKG_VERSION"))),
            Id::Author("the Quadrille authors".into()),
        ];
        connector.about.extend(client::everything_of_liberty());
        let game = self.game.first().copied().unwrap_or(Game::Chess);
        let seeks = self.seeks(game)?;
        // A guest who left comes back to its game with what the server gave it.
        let mut token = guest_token(&connector);
        connector.token = token.as_ref().and_then(GuestToken::read);
        let entered = connector.enter().await;
        let (mut lines, welcome) = entered.map_err(|error| self.with_hint(error))?;
        let mut person = Person::new(game);
        let mut typed = keyboard().map_err(Failure::machine)?;
        let mut todo = come_in(&mut person, welcome.as_ref(), token.as_mut());
        if welcome.is_some() {
            let seeks = seeks
                .into_iter()
                .map(|wish| ToServer::Lobby(Ask::Seek(wish)));
            todo.extend(seeks.map(Out::Send));
        } else if !seeks.is_empty() {
            say("--seek needs a lobby, which this server does not have.");
        }
        loop {
            let lost = match carry_out(&mut lines, todo).await {
                Ok(true) => {
                    lines.leave().await;
                    return Ok(());
                }
                Ok(false) => None,
                Err(error) => Some(error),
            };
            if let Some(error) = lost {
                person.lost();
                say(&format!(
                    "The connection is lost ({error}); coming back ..."
                ));
                let back = tokio::select! {
                    back = connector.come_back(|error| say(&error.to_string())) => back,
                    () = wants_to_leave(&mut typed) => return Ok(()),
                };
                let (again, welcome) = back.map_err(client_failure)?;
                lines = again;
                todo = come_in(&mut person, welcome.as_ref(), token.as_mut());
                continue;
            }
            todo = tokio::select! {
                said = lines.next() => match said {
                    Ok(Some(said)) => {
                        let elsewhere = client::is_elsewhere(&said);
                        if let ToClient::Lobby(Tell::Welcome(welcome)) = &said {
                            // Later than we waited for it: the server was slow.
                            connector.remember(welcome);
                            keep(token.as_mut(), welcome);
                        }
                        let todo = person.hear(said);
                        if elsewhere {
                            // Coming back would send the other one away in turn.
                            let _ = carry_out(&mut lines, todo).await;
                            return Ok(());
                        }
                        todo
                    }
                    Ok(None) => vec![Out::Lost("the server closed it".into())],
                    Err(error) => vec![Out::Lost(error.to_string())],
                },
                line = typed.recv() => match line {
                    Some(line) => person.typed(&line),
                    None => vec![Out::Leave],
                },
            };
        }
    }
}

/// Where the token of this guest is kept; `None` if it is no guest.
fn guest_token(connector: &Connector) -> Option<GuestToken> {
    let is_guest = connector.password.is_none() && connector.seat.is_none();
    let name = connector.name.as_deref().unwrap_or_default();
    let server = connector.remote.to_string();
    is_guest.then(|| GuestToken::of(&server, name)).flatten()
}

/// Reads what is typed without a connection, until the player leaves.
async fn wants_to_leave(typed: &mut mpsc::Receiver<String>) {
    while let Some(line) = typed.recv().await {
        if matches!(line.trim(), "quit" | "exit" | "leave") {
            return;
        }
        say("There is no connection yet; quit leaves.");
    }
}

/// What is shown to one who has just come in.
fn come_in(
    person: &mut Person,
    welcome: Option<&Welcome>,
    token: Option<&mut GuestToken>,
) -> Vec<Out> {
    match welcome {
        Some(welcome) => {
            keep(token, welcome);
            person.welcome(welcome)
        }
        None => person.enter_without_lobby(),
    }
}

/// Keeps the token of a guest; accounts have their password.
fn keep(token: Option<&mut GuestToken>, welcome: &Welcome) {
    if let Some(token) = token.filter(|_| !welcome.account) {
        token.write(&welcome.token);
    }
}

/// Whether others cannot listen.
fn is_private(remote: &Remote) -> bool {
    let here = remote.host == "localhost"
        || (remote.host.parse::<std::net::IpAddr>()).is_ok_and(|ip| ip.is_loopback());
    remote.tls.is_some() || here
}

/// The name of the user of this system, as far as a server can take it.
fn user_name() -> Option<String> {
    let variables = ["USER", "USERNAME", "LOGNAME"].iter();
    let names = variables.filter_map(|name| std::env::var(name).ok());
    let mut names = names.filter_map(|name| Name::made_of(&name));
    let found = names.find(|name| name.as_str() != "root")?;
    Some(found.as_str().into())
}

/// What is typed, line by line, until its end.
fn keyboard() -> io::Result<mpsc::Receiver<String>> {
    let (sender, typed) = mpsc::channel(WAITING);
    // It is left alone at the end: nothing wakes it but a line.
    std::thread::Builder::new()
        .name("keyboard".into())
        .spawn(move || {
            for line in io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        })?;
    Ok(typed)
}

/// Shows and sends; whether the player leaves. An error is that of the connection.
async fn carry_out(lines: &mut Lines, todo: Vec<Out>) -> io::Result<bool> {
    for out in todo {
        match out {
            Out::Say(text) => say(&text),
            Out::Board(line) => {
                let width = show::terminal_width().unwrap_or(usize::MAX);
                let drawing = show::drawing(&line, width, paint::wanted());
                // The board is ours, with our own colours.
                write_out(&format!("\n{drawing}\n\n"));
            }
            Out::Send(message) => lines.add(&message),
            Out::Lost(why) => return Err(io::Error::other(why)),
            Out::Leave => return Ok(true),
        }
    }
    lines.send().await?;
    Ok(false)
}

fn say(text: &str) {
    write_out(&format!("{}\n", printable(text)));
}

fn write_out(text: &str) {
    let mut out = io::stdout().lock();
    // Without a reader there is nothing to say.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn say_error(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn client_failure(error: ClientError) -> Failure {
    match error {
        ClientError::Refused { .. } => Failure::input(error),
        _ => Failure::machine(error),
    }
}

fn bot_failure(error: BotError) -> Failure {
    match error {
        BotError::Client(error) => client_failure(error),
        BotError::Engine { ref error, .. } => {
            let hint = error.hint();
            if StartError::is_in_the_description(error) {
                Failure::input(error).maybe_hint(hint)
            } else {
                Failure::machine(error).maybe_hint(hint)
            }
        }
        BotError::NoGame | BotError::Elsewhere => Failure::machine(error),
    }
}
