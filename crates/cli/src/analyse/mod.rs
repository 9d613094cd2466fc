//! `quadrille analyse`: whole games under the eyes of engines.

mod progress;

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use quadrille_analysis::{
    AnalyseError, Analysis, AnalysisEvent, Direction, GameReport, Games, Kept, Memory, Options,
    OutputFile, Summary, Variations, default_cache, page, pictures, same_file, text,
};
use quadrille_cluster::{Access, Spread};
use quadrille_driver::Orphans;
use quadrille_driver::spec::EngineSpec;
use quadrille_games::files;

use quadrille_net::sanitize::printable;

use crate::failure::Failure;
use crate::match_command::cluster_failure;
use crate::named::{EngineArguments, LimitArguments};
use crate::printer::Printer;
use crate::signals::interrupted;
use progress::{Progress, Status};

#[derive(Args)]
#[command(
    after_help = "Without a limit an engine has 200 milliseconds for each position. Without -o and --report the games go to standard output. A run that was \
                  interrupted goes on where it was: give the same command again.\n\n\
                  Exit codes: 0 it worked, perhaps with games that stay as they are because \
                  they cannot be read; 1 an engine or the machine failed, or it was broken off; \
                  2 wrong command line, or an engine that is not there"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// A file of games (PGN) of any of the four games; `-` is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,

    #[command(flatten)]
    engines: EngineArguments,

    #[command(flatten)]
    limits: LimitArguments,

    /// Best lines of each position; two or more show only moves
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    lines: u32,

    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    concurrency: usize,

    /// From the last position to the first, as is usual
    #[arg(long, conflicts_with = "forwards")]
    backwards: bool,

    /// From the first position to the last
    #[arg(long)]
    forwards: bool,

    /// Let engines remember through a game with --nodes and --depth too
    #[arg(long)]
    keep_hash: bool,

    /// Where best lines are written into the games
    #[arg(long, value_name = "WHERE", default_value = "mistakes")]
    variations: Where,

    /// Write the games here; the file is there when all is done. `-` is standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Tell how the players did
    #[arg(long, value_name = "FORM")]
    report: Option<Form>,

    /// Write the report here, not to standard output
    #[arg(long, value_name = "FILE", requires = "report")]
    report_file: Option<PathBuf>,

    /// Write the graph and the critical moments of each game here, as SVG
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,

    /// The file that remembers answers; one in your folder for such files if
    /// missing
    #[arg(long, value_name = "FILE", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,

    /// Remember nothing
    #[arg(long)]
    no_cache: bool,

    /// Tell what happens as JSON, one object per line
    #[arg(long)]
    json: bool,

    /// Have workers do it, over this NATS server; engines are then names in
    /// their files
    #[command(flatten)]
    nats: crate::worker::NatsArguments,
}

#[derive(Clone, Copy, ValueEnum)]
enum Where {
    /// Where a move got a glyph
    Mistakes,
    /// Wherever an engine would have played another move
    All,
    /// Nowhere
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For a terminal
    Text,
    /// One object with everything
    Json,
    /// One page with graphs and boards
    Html,
}

/// What is left when an analysis is over.
struct Outcome {
    summary: Summary,
    reports: Vec<GameReport>,
    /// Number, line and reason of games that stay as they are.
    kept: Vec<(u64, u64, String)>,
    /// Some of them because of an engine.
    failed: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let _orphans = Orphans::adopt();
    arguments.keep_apart()?;
    let games = Games::read(arguments.read()?);
    if games.is_empty() {
        let name = printable(&arguments.games.to_string_lossy()).into_owned();
        return Err(Failure::input(format!("{name}: there is no game in it")));
    }
    let access = arguments.nats.access()?;
    let analysis = match access {
        Some(_) => None,
        None => Some(Analysis::new(arguments.options()?).map_err(told)?),
    };
    let mut output = match arguments.output_file() {
        Some(path) => Some(OutputFile::create(path).map_err(|error| unwritable(path, &error))?),
        None => None,
    };
    let mut held = Vec::new();
    let out: &mut dyn Write = match &mut output {
        Some(file) => file,
        None => &mut held,
    };
    let outcome = arguments.analyse(analysis, access.as_ref(), games, out)?;
    if outcome.summary.cancelled {
        return Err(Failure::machine("it was broken off").hint(
            "give the same command again: it goes on where it was, unless --no-cache was given",
        ));
    }
    if let (Some(output), Some(path)) = (output, arguments.output_file()) {
        output.finish().map_err(|error| unwritable(path, &error))?;
    }
    arguments.tell(&outcome, &held)?;
    Ok(ExitCode::from(u8::from(outcome.failed)))
}

/// An error in the words of the command line.
fn told(error: AnalyseError) -> Failure {
    let hint = error.hint();
    let failure = if error.is_in_the_description() {
        Failure::input(error)
    } else {
        Failure::machine(error)
    };
    failure.maybe_hint(hint)
}

/// Returns `true` for a dash, which stands for standard input or output.
fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{} cannot be written: {error}", path.display()))
}

impl Arguments {
    /// The file that the games are written into.
    fn output_file(&self) -> Option<&PathBuf> {
        self.output.as_ref().filter(|path| !is_dash(path))
    }

    /// The file that the report is written into.
    fn report_place(&self) -> Option<&PathBuf> {
        self.report_file.as_ref().filter(|path| !is_dash(path))
    }

    /// Returns `true` if the games are written to standard output.
    fn prints_games(&self) -> bool {
        match &self.output {
            Some(path) => is_dash(path),
            None => !self.json && self.report.is_none(),
        }
    }

    fn reads_stdin(&self) -> bool {
        is_dash(&self.games)
    }

    fn read(&self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = if self.reads_stdin() {
            io::stdin().lock().read_to_end(&mut bytes)
        } else {
            files::open_stream(&self.games).and_then(|mut file| file.read_to_end(&mut bytes))
        };
        read.map_err(|error| {
            Failure::input(format!("{} cannot be read: {error}", self.games.display()))
        })?;
        Ok(bytes)
    }

    /// Refuses to write two things into one file, or over what is read.
    fn keep_apart(&self) -> Result<(), Failure> {
        let input = Some(&self.games).filter(|_| !self.reads_stdin());
        let files = [
            ("the games", input),
            ("--output", self.output_file()),
            ("--report-file", self.report_place()),
            ("--cache", self.cache.as_ref()),
        ];
        let named: Vec<_> = files
            .iter()
            .filter_map(|(what, path)| Some((what, (*path)?)))
            .collect();
        for (index, (what, path)) in named.iter().enumerate() {
            if let Some((other, _)) = named[..index]
                .iter()
                .find(|(_, known)| same_file(known, path))
            {
                let message = format!("{other} and {what} are the same file ({})", path.display());
                return Err(Failure::input(message).hint("name another file for one of them"));
            }
        }
        let printed = [
            ("--json", self.json, "name a file for the others"),
            (
                "--output",
                self.prints_games(),
                "name a file for the games: --output FILE",
            ),
            (
                "--report",
                self.report.is_some() && self.report_place().is_none(),
                "name a file for the report: --report-file FILE",
            ),
        ];
        let mut printed = printed.into_iter().filter(|(_, printed, _)| *printed);
        if let (Some((one, ..)), Some((other, _, hint))) = (printed.next(), printed.next()) {
            let message = format!("{one} and {other} would both go to standard output");
            return Err(Failure::input(message).hint(hint));
        }
        Ok(())
    }

    fn options(&self) -> Result<Options, Failure> {
        let cache = match &self.cache {
            Some(path) => Some(path.clone()),
            None if self.no_cache => None,
            None => default_cache(),
        };
        Ok(Options {
            engines: self.engines.specs().collect(),
            builtin: Some(std::env::current_exe().map_err(Failure::machine)?),
            limits: self.limits.or_movetime(200),
            lines: self.lines,
            concurrency: self.concurrency,
            direction: if self.forwards {
                Direction::Forwards
            } else {
                Direction::Backwards
            },
            memory: self.keep_hash.then_some(Memory::Kept),
            cache,
            variations: match self.variations {
                Where::Mistakes => Variations::Mistakes,
                Where::All => Variations::All,
                Where::None => Variations::None,
            },
            ..Options::new(EngineSpec::default())
        })
    }

    /// Runs it, with what happens on the screen or as JSON.
    fn analyse(
        &self,
        analysis: Option<Analysis>,
        access: Option<&Access>,
        games: Games,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Failure::machine)?;
        let screen = io::stderr().is_terminal() && !self.json;
        let status = Status::new(screen);
        // From a thread of its own: a reader that is slow must not make engines late.
        let printer = if self.json {
            Printer::start(status, io::stdout())
        } else {
            Printer::start(status, io::stderr())
        };
        let printer = printer.map_err(Failure::machine)?;
        let mut outcome = Outcome {
            summary: Summary::default(),
            reports: Vec::new(),
            kept: Vec::new(),
            failed: false,
        };
        let mut progress = Progress::default();
        progress.reading(games.len(), &printer);
        let keep_reports = self.report.is_some() || self.pictures.is_some();
        let mut see = |event: &AnalysisEvent| {
            if self.json {
                // Texts and numbers always have a form.
                let line = serde_json::to_string(event).unwrap_or_default();
                printer.say(&format!("{line}\n"));
            } else {
                progress.see(event, &printer);
            }
            match event {
                AnalysisEvent::GameEnd { report } if keep_reports => {
                    outcome.reports.push((**report).clone());
                }
                AnalysisEvent::GameKept {
                    number,
                    line,
                    why,
                    reason,
                } => {
                    outcome.failed |= *why == Kept::Failed;
                    outcome.kept.push((*number, *line, reason.clone()));
                }
                _ => {}
            }
        };
        let ended = match (analysis, access) {
            (Some(analysis), _) => {
                let stop = analysis.canceller();
                runtime.block_on(async {
                    let mut run = std::pin::pin!(analysis.run(games, &mut see, out));
                    loop {
                        tokio::select! {
                            ended = &mut run => break ended.map_err(told),
                            () = interrupted() => stop.cancel(),
                        }
                    }
                })
            }
            (None, Some(access)) => runtime.block_on(self.elsewhere(access, &games, &mut see, out)),
            // One of them is always there.
            (None, None) => Ok(Summary::default()),
        };
        let printed = runtime.block_on(printer.close());
        outcome.summary = ended?;
        outcome.reports.sort_by_key(|report| report.number);
        outcome.kept.sort();
        match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::machine(format!("cannot write: {error}")))
            }
            _ => Ok(outcome),
        }
    }

    /// Has workers do it.
    async fn elsewhere(
        &self,
        access: &Access,
        games: &Games,
        see: &mut (dyn FnMut(&AnalysisEvent) + Send),
        out: &mut dyn Write,
    ) -> Result<Summary, Failure> {
        let (sender, stop) = tokio::sync::watch::channel(false);
        tokio::spawn(async move {
            interrupted().await;
            sender.send_replace(true);
            // As long as it lives nothing is broken off.
            std::future::pending::<()>().await;
        });
        let options = self.options()?;
        let mut warn = |reason: &str| {
            // Without a reader of errors there is nothing to say.
            let _ = writeln!(io::stderr(), "warning: {}", printable(reason));
        };
        let spread = Spread {
            access,
            patience: self.nats.patience(),
            options: &options,
        };
        let mut watcher = |event: &AnalysisEvent| see(event);
        let summary = spread.run(games, &mut watcher, out, &mut warn, stop).await;
        summary.map_err(cluster_failure)
    }

    /// What is told at the end: games, report, summary.
    fn tell(&self, outcome: &Outcome, games: &[u8]) -> Result<(), Failure> {
        for report in outcome.reports.iter().filter(|_| self.pictures.is_some()) {
            self.draw(report)?;
        }
        let report = match self.report {
            None => String::new(),
            Some(Form::Text) => {
                let texts: Vec<String> = outcome.reports.iter().map(text).collect();
                texts.join("\n")
            }
            Some(Form::Html) => page(&outcome.reports, &outcome.kept),
            Some(Form::Json) => {
                let kept = outcome.kept.iter().map(|(number, line, reason)| {
                    serde_json::json!({ "number": number, "line": line, "reason": reason })
                });
                let kept: Vec<_> = kept.collect();
                let whole = serde_json::json!({ "games": outcome.reports, "kept": kept });
                format!("{whole}\n")
            }
        };
        let mut shown = Vec::new();
        match self.report_place() {
            Some(path) => {
                let written = OutputFile::create(path).and_then(|mut file| {
                    file.write_all(report.as_bytes())?;
                    file.finish()
                });
                written.map_err(|error| unwritable(path, &error))?;
            }
            None => shown.extend_from_slice(report.as_bytes()),
        }
        if self.prints_games() {
            shown.extend_from_slice(games);
        } else if !self.json && shown.is_empty() {
            shown = progress::summary(&outcome.summary).into_bytes();
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(&shown).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(Failure::machine(format!("cannot write: {error}")))
            }
            _ => Ok(()),
        }
    }

    fn draw(&self, report: &GameReport) -> Result<(), Failure> {
        let Some(folder) = &self.pictures else {
            return Ok(());
        };
        let failed = |path: &Path, error: &io::Error| unwritable(path, error);
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        for (name, svg) in pictures(report) {
            let path = folder.join(name);
            fs::write(&path, svg + "\n").map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }
}
