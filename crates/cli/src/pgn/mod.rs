//! `quadrille pgn`: files of games of any length.

mod arguments;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_analysis::{OutputFile, same_file};
use quadrille_games::files;
use quadrille_net::sanitize::{one_line, printable};
use quadrille_pgn::{Input, Job, News, Outputs, PgnError, Summary, Task};
use serde_json::json;

use crate::failure::Failure;
use arguments::{Common, Target, Work};

const EXIT_CODES: &str = "Exit codes: 0 every game was read; 1 some are broken, which are \
                          reported while the others go on, or the machine failed; 2 wrong \
                          command line";

#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    work: Work,
}

/// How often progress is shown.
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let order = arguments.work.order()?;
    order.keep_apart()?;
    let json = order.common.json;
    let mut voice = Voice::new(json);
    let Some(summary) = order.run(&mut voice)? else {
        voice.clear();
        return Ok(ExitCode::SUCCESS);
    };
    let broken = summary.broken > 0;
    let printed = voice.finish(&order, &summary)?;
    Ok(if broken { ExitCode::FAILURE } else { printed })
}

/// A subcommand in the words of the library.
struct Order<'a> {
    job: Job,
    common: &'a Common,
    target: Option<&'a Target>,
}

/// A file that is put in its place at the end, or standard output.
enum Out {
    File(OutputFile),
    Standard(BufWriter<io::Stdout>),
    /// A device or a pipe, which takes bytes and nothing else.
    Other(BufWriter<File>),
}

impl Out {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Self::Standard(BufWriter::new(io::stdout())));
        };
        let failed = |error| Failure::input(unwritable(path, &error));
        if path.exists() && !path.is_file() && !path.is_dir() {
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(Self::Other(BufWriter::new(file)));
        }
        OutputFile::create(path).map(Self::File).map_err(failed)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::File(file) => file,
            Self::Standard(out) => out,
            Self::Other(out) => out,
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.finish(),
            Self::Standard(mut out) => out.flush(),
            Self::Other(mut out) => out.flush(),
        }
    }
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be written: {error}", path.display())
}

impl Order<'_> {
    fn writes(&self) -> bool {
        matches!(self.job.task, Task::Write | Task::Sort(_) | Task::Dedupe(_))
    }

    /// Refuses to write over what is read, and two things into one file.
    fn keep_apart(&self) -> Result<(), Failure> {
        let mut named: Vec<(&str, &Path)> = Vec::new();
        for path in self
            .common
            .files
            .iter()
            .filter(|path| path.as_os_str() != "-")
        {
            named.push(("a file of games", path));
        }
        let read = named.len();
        let target = self.target;
        // The files of a split have names of their own.
        let whole = target.filter(|_| self.writes());
        let written = [
            (
                "--output",
                whole.and_then(|target| target.output.as_deref()),
            ),
            ("--rest", target.and_then(|target| target.rest.as_deref())),
            (
                "--duplicates",
                target.and_then(|target| target.duplicates.as_deref()),
            ),
            ("--broken", self.common.broken.as_deref()),
        ];
        let mut standard =
            (self.writes() && whole.is_none_or(|t| t.output.is_none())).then_some("--output");
        for (what, path) in written {
            let Some(path) = path else {
                continue;
            };
            if path.as_os_str() == "-" {
                if let Some(other) = standard.replace(what) {
                    let message = format!("{other} and {what} would both go to standard output");
                    return Err(Failure::input(message).hint("name a file for one of them"));
                }
                continue;
            }
            if let Some((other, _)) = named.iter().find(|(_, known)| same_file(known, path)) {
                let message = format!("{other} and {what} are the same file ({})", path.display());
                return Err(Failure::input(message).hint("name another file for one of them"));
            }
            if named.len() >= read {
                named.push((what, path));
            }
        }
        if let Some(what) = standard.filter(|_| self.common.json) {
            let message = format!("--json and {what} would both go to standard output");
            return Err(Failure::input(message).hint("name a file for the games: --output FILE"));
        }
        Ok(())
    }

    fn inputs(&self) -> Result<Vec<Input>, Failure> {
        let open = |path: &std::path::PathBuf| {
            if path.as_os_str() == "-" {
                return Ok(Input {
                    name: "-".into(),
                    source: Box::new(io::stdin()),
                });
            }
            let file = files::open_stream(path).map_err(|error| {
                Failure::input(format!("{} cannot be read: {error}", path.display()))
            })?;
            Ok(Input {
                name: path.display().to_string(),
                source: Box::new(file),
            })
        };
        self.common.files.iter().map(open).collect()
    }

    /// Does it; nothing if the reader of the games went away before their end.
    fn run(&self, voice: &mut Voice) -> Result<Option<Summary>, Failure> {
        let inputs = self.inputs()?;
        let apart = |path: Option<&Path>| path.map(|path| Out::open(Some(path))).transpose();
        let target = self.target;
        let mut games = if self.writes() {
            let path = target.and_then(|target| target.output.as_deref());
            Some(Out::open(path)?)
        } else {
            None
        };
        let mut rest = apart(target.and_then(|target| target.rest.as_deref()))?;
        let mut duplicates = apart(target.and_then(|target| target.duplicates.as_deref()))?;
        let mut broken = apart(self.common.broken.as_deref())?;
        let outputs = Outputs {
            games: games.as_mut().map(Out::writer),
            rest: rest.as_mut().map(Out::writer),
            duplicates: duplicates.as_mut().map(Out::writer),
            broken: broken.as_mut().map(Out::writer),
        };
        let done = self.job.run(inputs, outputs, &mut |news| voice.hear(&news));
        let summary = match done {
            Ok(summary) => summary,
            // A reader that has gone away has seen enough.
            Err(PgnError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Ok(None);
            }
            Err(error) => return Err(told(&error)),
        };
        for out in [games, rest, duplicates, broken].into_iter().flatten() {
            match out.finish() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    return Err(Failure::machine(format!("cannot write: {error}")));
                }
                _ => {}
            }
        }
        Ok(Some(summary))
    }
}

/// An error in the words of the command line.
fn told(error: &PgnError) -> Failure {
    match error {
        PgnError::There(_) => Failure::input(error).hint("--force replaces files that are there"),
        PgnError::Unchecked(_) => Failure::input(error).hint("leave --no-check out"),
        PgnError::Temporary { .. } => {
            Failure::machine(error).hint("name a folder with room: --temp FOLDER")
        }
        _ => Failure::machine(error),
    }
}

/// What is told while a job runs, and at its end.
struct Voice {
    json: bool,
    screen: bool,
    shown: Option<Instant>,
    begun: Instant,
    counts: Vec<(String, u64)>,
    /// What became of standard output. When it fails, that is said once.
    printed: ExitCode,
}

/// Values that are kept for the screen; beyond that there are only numbers.
const MOST_COUNTS: usize = 100_000;

impl Voice {
    fn new(json: bool) -> Self {
        Self {
            json,
            screen: io::stderr().is_terminal(),
            shown: None,
            begun: Instant::now(),
            counts: Vec::new(),
            printed: ExitCode::SUCCESS,
        }
    }

    fn say(&mut self, text: &str) {
        if self.printed == ExitCode::SUCCESS {
            self.printed = crate::print(text);
        }
    }

    fn hear(&mut self, news: &News<'_>) {
        match news {
            News::Note(note) => {
                self.clear();
                if self.json {
                    let mut object = serde_json::to_value(note).unwrap_or_default();
                    object["event"] = "note".into();
                    self.say(&format!("{object}\n"));
                    return;
                }
                let game = note
                    .number
                    .map_or_else(String::new, |number| format!("game {number}: "));
                let text = format!(
                    "{}:{}: {game}{}: {} [{}]\n",
                    note.file, note.line, note.severity, note.reason, note.code
                );
                // Without a reader of messages there is nothing to say.
                let _ = io::stderr().write_all(printable(&text).as_bytes());
            }
            News::Progress(games) => self.progress(*games),
            News::Count(value, count) => {
                if self.json {
                    self.say(&format!(
                        "{}\n",
                        json!({"event": "count", "value": value, "games": count})
                    ));
                } else if self.counts.len() < MOST_COUNTS {
                    self.counts.push(((*value).into(), *count));
                }
            }
        }
    }

    fn progress(&mut self, games: u64) {
        let now = Instant::now();
        let since = self.shown.unwrap_or(self.begun);
        if self.screen && now - since >= PAUSE {
            self.shown = Some(now);
            let _ = write!(io::stderr(), "\r{games} games\x1b[K");
        }
    }

    /// Takes the progress away before something else is printed.
    fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }

    fn finish(mut self, order: &Order<'_>, summary: &Summary) -> Result<ExitCode, Failure> {
        self.clear();
        if self.json {
            let mut object = serde_json::to_value(summary).map_err(Failure::machine)?;
            object["event"] = "summary".into();
            self.say(&format!("{object}\n"));
            return Ok(self.printed);
        }
        let text = words(order, summary);
        match &order.job.task {
            Task::Count(_) => {
                let mut out = text;
                let width = self.counts.iter().map(|c| c.1.to_string().len()).max();
                for (value, count) in &self.counts {
                    let value = if value.is_empty() { "(unknown)" } else { value };
                    let width = width.unwrap_or(0);
                    let _ = writeln!(out, "{count:>width$} {}", one_line(value));
                }
                self.say(&out);
            }
            Task::Check => self.say(&text),
            _ => {
                let _ = io::stderr().write_all(text.as_bytes());
            }
        }
        Ok(self.printed)
    }
}

/// What became of the games, in one sentence.
fn words(order: &Order<'_>, summary: &Summary) -> String {
    let games = |count: u64| match count {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    let mut text = games(summary.games);
    if summary.rest > 0 {
        let _ = write!(text, ", {} wanted", summary.wanted + summary.duplicates);
    }
    if matches!(order.job.task, Task::Dedupe(_)) {
        let _ = write!(text, ", {} duplicates", summary.duplicates);
    }
    if summary.files > 0 {
        let files = if summary.files == 1 { "file" } else { "files" };
        let _ = write!(text, ", in {} {files}", summary.files);
    }
    if summary.broken > 0 {
        let _ = write!(text, ", {} broken", summary.broken);
        match &order.common.broken {
            Some(path) => {
                let _ = write!(text, " (set aside in {})", path.display());
            }
            None => text += " (--broken FILE sets them aside)",
        }
    }
    if matches!(order.job.task, Task::Count(_)) {
        let results = &summary.results;
        let _ = write!(
            text,
            "\n{} plies; 1-0 {}, 0-1 {}, 1/2-1/2 {}, * {}",
            summary.plies, results.white, results.black, results.drawn, results.open
        );
    }
    text + "\n"
}
