//! `quadrille match`: engines against engines.

pub(crate) mod builtin;
mod help;
mod keys;
mod lines;
mod numbers;
mod screen;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quadrille_host::config::{
    ConfigError, Draft, FlagsDraft, MatchConfig, games_at_once, read_flags,
};
use quadrille_host::record::now;
use quadrille_host::spec::Address;
use quadrille_host::store::Store;
use quadrille_host::tournament::{
    Board, Command, MatchEvent, Summary, Tournament, TournamentError, Watcher,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::failure::Failure;

/// The command line, read by the match itself: its flags are those of other
/// match runners, which clap does not know.
#[derive(Args)]
pub(crate) struct Arguments {
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "FLAGS"
    )]
    words: Vec<String>,
}

/// What the end of a match means to a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Played to the end, or the test accepted the stronger hypothesis.
    Good = 0,
    /// An engine or the machine ended it.
    Trouble = 1,
    /// The test accepted the weaker hypothesis.
    Weaker = 3,
    /// Stopped before the end; it can be resumed.
    Stopped = 4,
    /// Played to the end, but with `-strict` and warnings.
    Strict = 5,
}

/// Runs, resumes or controls a match.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let flags = read_flags(arguments.words).map_err(|error| config_failure(&error))?;
    if flags.help {
        return Ok(say(help::TEXT));
    }
    if flags.version {
        return Ok(say(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n")));
    }
    if let Some((store, words)) = &flags.control {
        return control(store, words);
    }
    let output = Style::of(&flags);
    for note in &flags.notes {
        let _ = writeln!(io::stderr(), "note: {note}");
    }
    let new = flags.resume.is_none();
    let tournament = prepare(flags)?;
    play(tournament, output, new)
}

fn say(text: &str) -> ExitCode {
    // If nobody reads there is nobody to tell.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn config_failure(error: &ConfigError) -> Failure {
    let plain = ConfigError {
        hint: None,
        ..error.clone()
    };
    let failure = Failure::input(plain);
    match &error.hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// How the user wants to see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Screen,
    Lines,
    Quiet,
    Json,
}

impl Style {
    fn of(flags: &FlagsDraft) -> Self {
        if flags.json {
            Self::Json
        } else if flags.quiet {
            Self::Quiet
        } else if io::stdout().is_terminal() {
            Self::Screen
        } else {
            Self::Lines
        }
    }
}

fn control(store: &Path, words: &[String]) -> Result<ExitCode, Failure> {
    let text = words.join(" ");
    let _: Command = text.parse().map_err(Failure::input)?;
    if !store.exists() {
        return Err(Failure::input(format!("{}: no such file", store.display())));
    }
    if !Store::is_running(store) {
        return Err(
            Failure::input(format!("{}: nobody is running this match", store.display()))
                .hint(format!("quadrille match --resume {}", store.display())),
        );
    }
    Store::control(store, &text).map_err(Failure::machine)?;
    Ok(ExitCode::SUCCESS)
}

fn prepare(flags: FlagsDraft) -> Result<Tournament, Failure> {
    let mut tournament = match flags.resume {
        Some(path) => {
            let mut tournament = Tournament::resume(&path).map_err(Failure::input)?;
            let mut draft = flags.draft;
            if let Some(wanted) = draft.concurrency.take() {
                tournament.set_concurrency(games_at_once(wanted));
            }
            if draft != Draft::default() {
                let _ = writeln!(
                    io::stderr(),
                    "note: a resumed match goes on as it began; only -concurrency is heeded"
                );
            }
            tournament
        }
        None => {
            let config = flags.draft.finish();
            let mut config = config.map_err(|error| config_failure(&error))?;
            make_absolute(&mut config).map_err(Failure::machine)?;
            let path = store_path(&config);
            Tournament::create(config, &path).map_err(Failure::input)?
        }
    };
    let (game, rules) = (tournament.config().game, tournament.config().rules.clone());
    let program = std::env::current_exe().map_err(Failure::machine)?;
    tournament.resolve(|spec| builtin::resolve(spec, &program, game, &rules));
    Ok(tournament)
}

/// A resumed match may be started from another folder.
fn make_absolute(config: &mut MatchConfig) -> io::Result<()> {
    let fix = |path: &mut PathBuf| {
        *path = std::path::absolute(&*path)?;
        Ok::<(), io::Error>(())
    };
    for entrant in &mut config.engines {
        let spec = &mut entrant.spec;
        // A plain name is looked for in the search path.
        let program = matches!(spec.address(), Ok(Address::Program(_)));
        if program && spec.command.components().count() > 1 {
            match &spec.folder {
                Some(folder) if spec.command.is_relative() && !spec.command.exists() => {
                    spec.command = folder.join(&spec.command);
                    fix(&mut spec.command)?;
                }
                _ => fix(&mut spec.command)?,
            }
        }
        spec.folder.as_mut().map_or(Ok(()), fix)?;
    }
    config.openings.file.as_mut().map_or(Ok(()), fix)?;
    if let Some(pgn) = &mut config.pgn {
        fix(&mut pgn.file)?;
    }
    if let Some(epd) = &mut config.epd {
        fix(&mut epd.file)?;
    }
    for path in config.tablebases.iter_mut().flat_map(|tb| &mut tb.paths) {
        fix(path)?;
    }
    Ok(())
}

/// Where everything is kept if the user does not say.
fn store_path(config: &MatchConfig) -> PathBuf {
    config.store.clone().unwrap_or_else(|| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = config.event.chars().map(plain).take(60).collect();
        let time: String = now().to_string().chars().filter(|c| *c != ':').collect();
        format!("{}-{time}.db", name.to_ascii_lowercase()).into()
    })
}

/// Every engine has three pipes, and the usual limit is made for programs
/// without them.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Then fewer games can run at once, and that will be said.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

fn play(tournament: Tournament, style: Style, new: bool) -> Result<ExitCode, Failure> {
    raise_file_limit();
    // Conversations are short and cheap: one thread leads them all, and more
    // only help when many games run at once.
    let threads = tournament.config().concurrency.div_ceil(16).min(8);
    let mut runtime = match threads {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = runtime
        .worker_threads(threads.max(1))
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let config = tournament.config().clone();
    let path = tournament.path().to_path_buf();
    let (sender, commands) = unbounded_channel();
    let (summary, began) = runtime.block_on(async {
        tokio::spawn(signals(sender.clone()));
        let keys = keys::listen(sender);
        let mut referee = Referee {
            view: view(style, &config, keys.is_some()),
            numbers: numbers::Numbers::new(&config),
            began: false,
        };
        let summary = tournament.run(commands, &mut referee).await;
        referee.view.close();
        (summary, referee.began)
    });
    // The engines' last tasks hold the store.
    drop(runtime);
    let summary = summary.map_err(|error| {
        if new && !began {
            forget(&path);
        }
        match error {
            TournamentError::Opening(_) | TournamentError::Tables(_) => Failure::input(error),
            error => Failure::machine(error),
        }
    })?;
    let verdict = verdict(&summary, &config);
    let _ = finish(&summary, &config, &path, style, verdict);
    Ok(ExitCode::from(verdict as u8))
}

/// Takes away the store of a match that could not begin: it has the mistake in
/// it, and would be in the way of the next try.
fn forget(store: &Path) {
    for end in ["", "-wal", "-shm", "-lock"] {
        let mut name = store.as_os_str().to_owned();
        name.push(end);
        // What cannot be taken away is no worse than before.
        let _ = std::fs::remove_file(name);
    }
}

/// The first ctrl-c finishes the running games, the second gives them up.
async fn signals(commands: UnboundedSender<Command>) {
    for command in [Command::Stop, Command::Abort] {
        if interrupted().await.is_err() || commands.send(command).is_err() {
            return;
        }
    }
}

#[cfg(unix)]
async fn interrupted() -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        done = tokio::signal::ctrl_c() => done,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
async fn interrupted() -> io::Result<()> {
    tokio::signal::ctrl_c().await
}

/// Shows events; how is a matter of taste.
trait View: Send {
    fn event(&mut self, event: &MatchEvent, board: &Board, numbers: &numbers::Numbers);
    fn wants_plies(&self) -> bool {
        false
    }
    fn close(&mut self) {}
}

fn view(style: Style, config: &MatchConfig, keys: bool) -> Box<dyn View> {
    match style {
        Style::Json => Box::new(lines::Json),
        Style::Quiet => Box::new(lines::Quiet),
        Style::Lines => Box::new(lines::Lines::new(config)),
        Style::Screen => Box::new(screen::Screen::new(config, keys)),
    }
}

/// Puts a view and a test together.
struct Referee {
    view: Box<dyn View>,
    numbers: numbers::Numbers,
    /// All engines and files were there.
    began: bool,
}

impl Watcher for Referee {
    fn wants_plies(&self) -> bool {
        self.view.wants_plies()
    }

    fn event(&mut self, event: &MatchEvent, board: &Board) {
        self.began |= matches!(event, MatchEvent::Start { .. });
        if matches!(event, MatchEvent::Start { .. } | MatchEvent::GameEnd { .. }) {
            self.numbers.update(board);
        }
        self.view.event(event, board, &self.numbers);
    }

    fn verdict(&mut self, _board: &Board) -> Option<String> {
        self.numbers.decided()
    }
}

fn verdict(summary: &Summary, config: &MatchConfig) -> Verdict {
    let mut numbers = numbers::Numbers::new(config);
    numbers.update(&summary.board);
    let warnings = summary.board.complaints();
    if summary.trouble.is_some() || summary.unwritten.is_some() {
        Verdict::Trouble
    } else if summary.stopped.is_some() && !summary.decided {
        Verdict::Stopped
    } else if config.strict && warnings > 0 {
        Verdict::Strict
    } else if numbers.accepted() == Some(false) {
        Verdict::Weaker
    } else {
        Verdict::Good
    }
}

/// What is said at the end.
fn finish(
    summary: &Summary,
    config: &MatchConfig,
    path: &Path,
    style: Style,
    verdict: Verdict,
) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if style == Style::Json {
        let end = numbers::end_json(summary, config, verdict as u8);
        return writeln!(out, "{end}");
    }
    write!(out, "{}", numbers::report(summary, config))?;
    if let Some(trouble) = summary.trouble.as_ref().or(summary.unwritten.as_ref()) {
        writeln!(io::stderr(), "error: {trouble}")?;
    }
    if !summary.complete && !summary.decided {
        writeln!(
            out,
            "\nGo on with: quadrille match --resume {}",
            path.display()
        )?;
    }
    out.flush()
}
