//! `quadrille match`: engines against engines.

mod help;
mod imitate;
mod keys;
mod lines;
pub(crate) mod report;
mod screen;

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use quadrille_cluster::{Access, ClusterError, Director, DirectorOptions};
use quadrille_driver::Orphans;
use quadrille_match::config::{ConfigError, FlagsDraft, MatchConfig, OutputFormat, read_flags};
use quadrille_match::store::Store;
use quadrille_match::tournament::{
    Command, MatchEvent, Results, Summary, Tournament, TournamentError, Verdict, Watcher,
};
use quadrille_net::sanitize::printable;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use self::screen::Screen;
use crate::failure::Failure;
use crate::printer::Printer;
use crate::signals::{interrupted, on_interrupt};

use self::imitate::Imitation;

pub(crate) use help::{known_flags, page as help_page};

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
const fn exit_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Good => 0,
        Verdict::Trouble => 1,
        Verdict::Weaker => 3,
        Verdict::Stopped => 4,
        Verdict::Strict => 5,
        Verdict::Undecided => 6,
    }
}

/// Runs, resumes or controls a match.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut words = arguments.words;
    let nats = Nats::take(&mut words)?;
    let flags = read_flags(words).map_err(|error| config_failure(&error))?;
    if flags.help {
        return Ok(say(&help_page()));
    }
    if flags.version {
        return Ok(say(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n")));
    }
    if let Some((store, words)) = &flags.control {
        return control(store, words);
    }
    let output = Style::of(&flags);
    let format = flags.output;
    for note in &flags.notes {
        let _ = writeln!(io::stderr(), "note: {note}");
    }
    let new = flags.resume.is_none();
    let commands = Commands::listen().map_err(Failure::machine)?;
    let tournament = prepare(flags, nats.is_some())?;
    play(tournament, (output, format), new, nats, commands)
}

/// What is to be done with a match that runs, from signals and keys.
struct Commands {
    sender: UnboundedSender<Command>,
    receiver: UnboundedReceiver<Command>,
}

impl Commands {
    /// Listens to signals before there is a store: one that comes while it is opened, also
    /// that of a file that grows too large, must not end the program in the middle of that. The first finishes the running
    /// games, the second gives them up.
    fn listen() -> io::Result<Self> {
        let (sender, receiver) = unbounded_channel();
        let own = sender.clone();
        let mut stops = [Command::Stop, Command::Abort].into_iter();
        on_interrupt(move || stops.next().is_some_and(|stop| own.send(stop).is_ok()))?;
        Ok(Self { sender, receiver })
    }
}

/// Where games are played, if not here.
struct Nats {
    access: Access,
    options: DirectorOptions,
}

impl Nats {
    fn take(words: &mut Vec<String>) -> Result<Option<Self>, Failure> {
        let program = std::env::current_exe().map_err(Failure::machine)?;
        let mut options = DirectorOptions::new(program);
        options.take_flags(words).map_err(cluster_failure)?;
        let access = Access::take_flags(words).map_err(cluster_failure)?;
        Ok(access.map(|access| Self {
            access: access.or_environment(),
            options,
        }))
    }
}

/// An error of what is between machines, in the words of the command line.
pub(crate) fn cluster_failure(error: ClusterError) -> Failure {
    if error.is_in_the_description() {
        Failure::input(error)
    } else {
        Failure::machine(error)
    }
}

fn say(text: &str) -> ExitCode {
    // Without a reader there is nothing to say.
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn config_failure(error: &ConfigError) -> Failure {
    let plain = ConfigError {
        hint: None,
        ..error.clone()
    };
    Failure::input(plain).maybe_hint(error.hint.as_ref())
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
        } else if flags.output.is_none() && io::stdout().is_terminal() {
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
            Failure::input(format!("{}: no process runs this match", store.display()))
                .hint(format!("quadrille match --resume {}", store.display())),
        );
    }
    Store::control(store, &text).map_err(Failure::machine)?;
    Ok(ExitCode::SUCCESS)
}

fn prepare(mut flags: FlagsDraft, elsewhere: bool) -> Result<Tournament, Failure> {
    let mut tournament = match flags.resume.take() {
        Some(path) => {
            let mut tournament = Tournament::resume(&path).map_err(Failure::input)?;
            let names = tournament.names();
            let changes = flags.changes(names);
            let changes = changes.map_err(|error| config_failure(&error))?;
            tournament.change(&changes).map_err(Failure::input)?;
            tournament
        }
        None => {
            let config = flags.draft.finish();
            let mut config = config.map_err(|error| config_failure(&error))?;
            config.make_absolute().map_err(Failure::machine)?;
            // How many processors there are here says nothing about there.
            config.machine.force_concurrency |= elsewhere;
            for warning in config.warnings() {
                let _ = writeln!(io::stderr(), "warning: {warning}");
            }
            Tournament::begin(config).map_err(Failure::input)?
        }
    };
    if !elsewhere {
        let mut named = tournament.config().engines.iter();
        if let Some(entrant) = named.find(|entrant| entrant.spec.bench.is_some()) {
            let _ = writeln!(
                io::stderr(),
                "warning: {}: bench= is compared where workers play (--nats) only",
                entrant.name()
            );
        }
        tournament.resolve_builtin(&std::env::current_exe().map_err(Failure::machine)?);
    }
    Ok(tournament)
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

fn play(
    mut tournament: Tournament,
    (style, format): (Style, Option<OutputFormat>),
    new: bool,
    nats: Option<Nats>,
    commands: Commands,
) -> Result<ExitCode, Failure> {
    let _orphans = Orphans::adopt();
    raise_file_limit();
    // Which game is next and what is shown are worked out on this thread, games
    // are led on others: neither waits for the other, nor a game for a game.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = tournament
        .config()
        .machine
        .concurrency
        .min(processors)
        .clamp(1, 8);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let config = tournament.config().clone();
    let path = tournament.path().to_path_buf();
    let words = Imitation::new(format, &config);
    if let Some(mut nats) = nats {
        nats.options.live = matches!(style, Style::Screen | Style::Json);
        let opened = Director::open(&nats.access, &tournament, &nats.options);
        let opened = runtime.block_on(async {
            tokio::select! {
                opened = opened => opened.map_err(cluster_failure),
                () = interrupted() => Err(Failure::machine("stopped before the match began")),
            }
        });
        match opened {
            Ok(director) => tournament.set_venue(Arc::new(director)),
            Err(failure) => {
                drop(tournament);
                if new {
                    Store::remove(&path);
                }
                return Err(failure);
            }
        }
    }
    let mut viewer = Viewer {
        view: View::new(style, &config, &words).map_err(Failure::machine)?,
        began: false,
    };
    let summary = runtime.block_on(async {
        let _keys = viewer.view.listen(commands.sender);
        tournament.run(commands.receiver, &mut viewer).await
    });
    let Viewer { view, began } = viewer;
    let summary = match summary {
        Ok(summary) => summary,
        Err(error) => {
            // What else is wrong comes second.
            let _ = runtime.block_on(close(view, ""));
            // The engines' last tasks hold the store.
            drop(runtime);
            if new && !began {
                Store::remove(&path);
            }
            let hint = match &error {
                TournamentError::Engine { error, .. } => error.hint(),
                _ => None,
            };
            let failure = if error.is_in_the_description() {
                Failure::input(error)
            } else {
                Failure::machine(error)
            };
            return Err(failure.maybe_hint(hint));
        }
    };
    let code = exit_code(summary.verdict());
    let printed = runtime.block_on(close(
        view,
        &last_words(&summary, &config, &words, &path, style, code),
    ));
    drop(runtime);
    if let Err(error) = printed {
        let words = format!("standard output cannot be written: {error}");
        let hint = format!(
            "everything is in the store: quadrille event {}",
            path.display()
        );
        return Err(Failure::machine(words).hint(hint));
    }
    if let Some(trouble) = summary.trouble.as_ref().or(summary.unwritten.as_ref())
        && style != Style::Json
    {
        // Without a reader of errors there is nothing to say.
        let _ = writeln!(io::stderr(), "error: {}", printable(trouble));
    }
    Ok(ExitCode::from(code))
}

/// Prints the last words and waits until they are read; with ctrl-c they are not
/// waited for.
async fn close(view: View, text: &str) -> io::Result<()> {
    let printed = view.close(text);
    tokio::select! {
        printed = printed => printed,
        () = interrupted() => Ok(()),
    }
}

/// Shows events; how is a matter of taste.
enum View {
    /// A block that stays, on a terminal.
    Screen(Printer<Screen>),
    /// Lines.
    Lines(lines::Lines, Printer<()>),
    /// One object on a line for every event.
    Json(Printer<()>),
    /// Only what is said at the end.
    Quiet(Printer<()>),
}

impl View {
    fn new(style: Style, config: &MatchConfig, words: &Imitation) -> io::Result<Self> {
        Ok(match style {
            Style::Screen => Self::Screen(Printer::start(Screen::new(config), io::stdout())?),
            Style::Lines => Self::Lines(
                lines::Lines::new(config, words.clone()),
                Printer::start((), io::stdout())?,
            ),
            Style::Json => Self::Json(Printer::start((), io::stdout())?),
            Style::Quiet => Self::Quiet(Printer::start((), io::stdout())?),
        })
    }

    /// Listens to keys, where there are any.
    fn listen(&self, commands: UnboundedSender<Command>) -> Option<keys::Keys> {
        let Self::Screen(printer) = self else {
            return None;
        };
        let handle = printer.handle();
        let keys = keys::listen(commands, move || handle.change(Screen::toggle_help));
        printer.page(|screen| screen.keys = keys.is_some());
        keys
    }

    /// Prints the last words, however long that takes.
    async fn close(self, text: &str) -> io::Result<()> {
        let printed = match self {
            Self::Screen(printer) => {
                printer.say(&printable(text));
                printer.close().await
            }
            Self::Lines(_, printer) | Self::Quiet(printer) => {
                printer.say(&printable(text));
                printer.close().await
            }
            Self::Json(printer) => {
                printer.say(text);
                printer.close().await
            }
        };
        // A reader that has gone away does not change how a match ended.
        printed.or_else(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Ok(()),
            _ => Err(error),
        })
    }
}

/// Shows an event to a view, and remembers whether it began.
struct Viewer {
    view: View,
    /// All engines and files were there.
    began: bool,
}

impl Watcher for Viewer {
    fn wants_plies(&self) -> bool {
        matches!(self.view, View::Screen(_) | View::Json(_))
    }

    fn event(&mut self, event: &MatchEvent, results: &Results) {
        self.began |= matches!(event, MatchEvent::Start { .. });
        match &mut self.view {
            View::Screen(printer) => {
                if let Some(said) = printer.page(|screen| screen.event(event, results)) {
                    printer.say(&format!("{}\n", printable(&said)));
                }
            }
            View::Lines(lines, printer) => {
                let text = lines.event(event, results);
                if !text.is_empty() {
                    printer.say(&printable(&text));
                }
            }
            View::Json(printer) => {
                if let Ok(text) = serde_json::to_string(event) {
                    printer.say(&(text + "\n"));
                }
            }
            View::Quiet(_) => {
                // Said before the first game: it cannot hold up one.
                if let MatchEvent::Warning { reason } = event {
                    let _ = writeln!(io::stderr(), "warning: {}", printable(reason));
                }
            }
        }
    }

    fn is_behind(&self) -> bool {
        match &self.view {
            View::Screen(printer) => printer.is_behind(),
            View::Lines(_, printer) | View::Json(printer) | View::Quiet(printer) => {
                printer.is_behind()
            }
        }
    }
}

/// What is said at the end.
fn last_words(
    summary: &Summary,
    config: &MatchConfig,
    words: &Imitation,
    path: &Path,
    style: Style,
    code: u8,
) -> String {
    if style == Style::Json {
        return format!("{}\n", report::end_json(summary, code));
    }
    let mut text = report::report(summary, config, words);
    if summary.verdict() == Verdict::Undecided {
        text.push_str("\nEvery game was played, and the test is not decided.\n");
    }
    if !summary.complete && !summary.decided {
        let path = path.display();
        let _ = writeln!(text, "\nGo on with: quadrille match --resume {path}");
    }
    text + words.farewell()
}
