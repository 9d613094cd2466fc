//! `quadrille check`: whether a program keeps to its protocol.

mod progress;
mod sheets;

use std::io::{IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use quadrille_check::hosts::{PosedEngine, pose_watched};
use quadrille_check::{
    Baseline, Report, Role, Selection, Settings, Subject, Tally, check, output, table,
};
use quadrille_driver::spec::{Address, EngineSpec};
use quadrille_driver::{Orphans, check_program, dialect_of};
use quadrille_games::Game;
use quadrille_protocol::{Dialect, Severity};

use crate::failure::Failure;
use crate::named::{self, Tape};
use crate::signals::{interrupted, on_interrupt};
use crate::tape::pipe;
use progress::Progress;
use sheets::{Files, Sheet};

#[derive(Args, Clone)]
#[command(
    after_help = "Names of checks are stable; --list shows them. --only and --skip take names \
                  and groups: --only go,stop.quick\n\n\
                  In a pipeline: quadrille check ./engine --json report.json --junit report.xml\n\
                  With known faults: quadrille check ./engine --write-baseline known.txt once, \
                  then quadrille check ./engine --baseline known.txt\n\n\
                  Where a file is named, - is standard output: a report goes there in place of the \
                  text.\n\n\
                  Exit codes: 0 nothing was found that --fail-on asks about and no baseline accepts; \
                  otherwise 5 for errors, 4 for warnings, 3 for notes. 1 the machine failed or the \
                  check was broken off, 2 wrong command line, or a program that cannot be started"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Arguments {
    /// A program, `tcp://HOST:PORT` or `tls://HOST:PORT`, or `builtin`
    #[arg(value_name = "ENGINE", required_unless_present_any = ["list", "host", "json"])]
    engine: Option<String>,

    /// Its arguments, behind `--`
    #[arg(last = true)]
    args: Vec<String>,

    /// chess, liberty, leiser or gyges
    #[arg(long, short, value_name = "GAME", default_value = "chess")]
    game: Game,

    /// Set an option before each conversation; a button has no value
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// The folder to start it in
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Make only these checks
    #[arg(long, value_name = "NAMES")]
    only: Vec<String>,

    /// Leave these checks out
    #[arg(long, value_name = "NAMES")]
    skip: Vec<String>,

    /// Take more time: two hundred games, more samples
    #[arg(long)]
    thorough: bool,

    /// Pose as an engine and judge the host that starts this program
    #[arg(long, conflicts_with = "engine")]
    host: bool,

    /// Write the report here, not to standard output. That of a host goes behind
    /// what is there, and to standard error if this is missing
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show all checks, and make none
    #[arg(long)]
    list: bool,

    /// Write the report as JSON beside what is printed; without a file, or with `-`, print
    /// it in place of the text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,

    /// Write the report as `JUnit` XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    /// Write the report as SARIF
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,

    /// Write the report as one page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write down what both sides say, as `quadrille tape` reads it
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    tape: Option<PathBuf>,

    /// Findings that are accepted: they do not make the check fail
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    baseline: Option<PathBuf>,

    /// Write all findings as a baseline
    #[arg(long, value_name = "FILE", conflicts_with = "list")]
    write_baseline: Option<PathBuf>,

    /// The file that SARIF shows findings at
    #[arg(long, value_name = "PATH", default_value = "README.md")]
    sarif_file: String,

    /// What makes the check fail
    #[arg(long, value_name = "SEVERITY", default_value = "error")]
    fail_on: FailOn,

    /// Print the score alone
    #[arg(long, short)]
    quiet: bool,
}

/// The longest baseline that is read. A line for every check takes about 30 kB.
const LONGEST_BASELINE: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    const fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Note => Some(Severity::Note),
            Self::Never => None,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let swapped = arguments.with_engine()?;
    let arguments = swapped.as_ref().unwrap_or(arguments);
    if arguments.list {
        return Ok(crate::print(&list(arguments)?));
    }
    sheets::keep_apart(arguments)?;
    if arguments.host {
        return judge_host(arguments);
    }
    let mut settings = Settings {
        selection: some(arguments, Role::Engine)?,
        thorough: arguments.thorough,
        ..Settings::default()
    };
    let subject = arguments.subject()?;
    named::keep_program(&subject.spec, &sheets::outputs(arguments))?;
    let baseline = arguments.read_baseline()?;
    // Before an engine is asked for a minute it is known that the answer has a place.
    let mut files = Files::open(arguments)?;
    let output = arguments.output.as_deref().map(Sheet::open).transpose()?;
    let tape = arguments.tape.as_deref();
    let tape = tape.map(|path| Tape::open(path, &subject.spec));
    let tape = tape.transpose()?;
    settings.tape = tape.as_ref().map(|tape| tape.recorder.clone());
    let (mut report, broken_off) = examine(&subject, &settings)?;
    drop(tape);
    if let Some(why) = &report.not_started {
        // Nothing is known about it: that is no verdict.
        return Err(unstarted(&subject, why));
    }
    baseline.apply(&mut report);
    let colour = output.as_ref().is_none_or(Sheet::is_printed) && crate::paint::wanted();
    let words = arguments.words(&report, colour)?;
    let printed = match output {
        Some(mut sheet) => sheet.write(&words).map(|()| ExitCode::SUCCESS)?,
        None if sheets::replace_text(arguments) => ExitCode::SUCCESS,
        None => crate::print(&words),
    };
    files.write(arguments, &report)?;
    if broken_off || printed != ExitCode::SUCCESS {
        return Ok(ExitCode::FAILURE);
    }
    Ok(arguments.exit_code(&report))
}

fn unstarted(subject: &Subject, why: &str) -> Failure {
    let command = subject.spec.command.display();
    let message = format!("{command} cannot be checked: {why}");
    match subject.spec.address() {
        Ok(Address::Remote(_)) => Failure::machine(message),
        _ => Failure::input(message),
    }
}

/// A report on a host is renewed this often while it speaks: a host may be killed, and we
/// with it.
const RENEWED: Duration = Duration::from_secs(1);

/// Standard output belongs to the conversation: the report goes elsewhere.
fn judge_host(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let selection = some(arguments, Role::Host)?;
    let baseline = arguments.read_baseline()?;
    let engine = PosedEngine::new(arguments.game, selection, arguments.thorough);
    let mut files = Files::open(arguments)?;
    let mut output = arguments.output.as_deref().map(Sheet::append).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Where signals cannot be listened to, they end us, and what was written stays.
    let _ = on_interrupt(move || {
        flag.store(true, Ordering::Relaxed);
        false
    });
    let mut last: Option<(Instant, Tally)> = None;
    let mut watch = |engine: &PosedEngine| {
        if stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        if last.is_none_or(|(at, _)| at.elapsed() >= RENEWED) {
            let mut report = engine.so_far();
            if last.is_none_or(|(_, tally)| tally != report.score) {
                baseline.apply(&mut report);
                // What cannot be written now is told at the end.
                let _ = write_reports(arguments, &report, output.as_mut(), &mut files, false);
            }
            last = Some((Instant::now(), engine.so_far().score));
        }
        ControlFlow::Continue(())
    };
    let mut report = pose_watched(engine, std::io::stdin(), std::io::stdout(), &mut watch);
    baseline.apply(&mut report);
    write_reports(arguments, &report, output.as_mut(), &mut files, true)?;
    if !report.complete {
        return Ok(ExitCode::FAILURE);
    }
    Ok(arguments.exit_code(&report))
}

/// Writes what is known of a host. Streams get a report once, at the end.
fn write_reports(
    arguments: &Arguments,
    report: &Report,
    output: Option<&mut Sheet>,
    files: &mut Files,
    is_last: bool,
) -> Result<(), Failure> {
    let text = arguments.words(report, false)?;
    match output {
        Some(sheet) if is_last || sheet.is_file() => sheet.write(&text)?,
        None if is_last => {
            // Without a reader of messages there is nothing to say.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        _ => {}
    }
    if is_last || files.are_files() {
        files.write(arguments, report)?;
    }
    Ok(())
}

fn selection(arguments: &Arguments, role: Role) -> Result<Selection, Failure> {
    let only = arguments.only.iter().map(String::as_str);
    let skip = arguments.skip.iter().map(String::as_str);
    Selection::new(role, only, skip).map_err(Failure::input)
}

/// The same where something must be left to make: a check of nothing always passes.
fn some(arguments: &Arguments, role: Role) -> Result<Selection, Failure> {
    let selection = selection(arguments, role)?;
    let dialect = dialect_of(arguments.game);
    if table::of(role, dialect).any(|check| selection.has(check)) {
        return Ok(selection);
    }
    let message = format!("no check of {} is left to make", dialect.name());
    Err(Failure::input(message).hint("--list shows all checks and their dialects"))
}

fn list(arguments: &Arguments) -> Result<String, Failure> {
    let role = if arguments.host {
        Role::Host
    } else {
        Role::Engine
    };
    let selection = selection(arguments, role)?;
    if arguments.json.is_some() {
        let rows: Vec<serde_json::Value> = table::all()
            .filter(|check| selection.has(check))
            .map(|check| {
                let dialects: Vec<&str> = check.dialects.list().map(Dialect::name).collect();
                serde_json::json!({
                    "id": check.id, "group": check.group(), "severity": check.severity,
                    "dialects": dialects, "section": check.section, "says": check.says,
                    "title": check.title, "hint": check.hint,
                })
            })
            .collect();
        let text = serde_json::to_string(&rows).map_err(Failure::machine)?;
        return Ok(text + "\n");
    }
    Ok(output::list(role, &selection))
}

/// Checks, with progress on standard error, until it is done or Ctrl-C.
fn examine(subject: &Subject, settings: &Settings) -> Result<(Report, bool), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Failure::machine)?;
    let _orphans = Orphans::adopt();
    let mut progress = Progress::new();
    let stop = Arc::new(AtomicBool::new(false));
    let report = runtime.block_on(async {
        let flag = Arc::clone(&stop);
        tokio::spawn(async move {
            interrupted().await;
            flag.store(true, Ordering::Relaxed);
        });
        let mut watch = |event| {
            progress.see(&event);
            if stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        check(subject, settings, &mut watch).await
    });
    progress.close();
    let broken_off = !report.complete;
    Ok((report, broken_off))
}

impl Arguments {
    /// `--json ENGINE` without another engine: the word is the engine.
    fn with_engine(&self) -> Result<Option<Self>, Failure> {
        if self.engine.is_some() || self.list || self.host {
            return Ok(None);
        }
        match &self.json {
            Some(word) if word.as_os_str() != "-" => Ok(Some(Self {
                engine: Some(word.to_string_lossy().into_owned()),
                json: Some("-".into()),
                ..self.clone()
            })),
            _ => Err(Failure::input("name an engine").hint("quadrille check ./engine --json -")),
        }
    }

    /// Whether JSON is printed in place of text.
    fn prints_json(&self) -> bool {
        self.json
            .as_ref()
            .is_some_and(|path| path.as_os_str() == "-")
    }

    fn read_baseline(&self) -> Result<Baseline, Failure> {
        let Some(path) = &self.baseline else {
            return Ok(Baseline::default());
        };
        let failed =
            |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", path.display()));
        let mut text = String::new();
        // One byte more than may be there shows that there is more.
        let read = pipe::open(path)
            .and_then(|file| file.take(LONGEST_BASELINE + 1).read_to_string(&mut text));
        if text.len() as u64 > LONGEST_BASELINE {
            let words = format!("it has more than {LONGEST_BASELINE} bytes");
            return Err(failed(&words).hint("a baseline has a line for each accepted finding"));
        }
        read.map_err(|error| {
            failed(&error).hint("--write-baseline FILE makes one of what is found now")
        })?;
        Baseline::read(&text).map_err(|error| failed(&error))
    }

    fn subject(&self) -> Result<Subject, Failure> {
        let engine = self.engine.as_deref().unwrap_or_default();
        let mut spec = EngineSpec {
            command: PathBuf::from(engine),
            args: self.args.clone(),
            folder: self.folder.clone(),
            options: named::options(&self.options),
            ..EngineSpec::default()
        };
        spec.seal();
        let program = std::env::current_exe().map_err(Failure::machine)?;
        spec.resolve_builtin(&program, self.game, "");
        named::join_folder(&mut spec)?;
        // There is nothing to judge about a program that is not there.
        check_program(&spec).map_err(|error| Failure::input(&error).maybe_hint(error.hint()))?;
        Ok(Subject {
            spec,
            game: self.game,
            opener: None,
        })
    }

    /// The report as it is printed.
    fn words(&self, report: &Report, colour: bool) -> Result<String, Failure> {
        Ok(if self.prints_json() {
            serde_json::to_string(report).map_err(Failure::machine)? + "\n"
        } else if self.quiet {
            report.score_line() + "\n"
        } else {
            output::text(report, colour)
        })
    }

    fn exit_code(&self, report: &Report) -> ExitCode {
        let Some(from) = self.fail_on.severity() else {
            return ExitCode::SUCCESS;
        };
        match report.worst().filter(|worst| *worst >= from) {
            None => ExitCode::SUCCESS,
            Some(Severity::Note) => ExitCode::from(3),
            Some(Severity::Warning) => ExitCode::from(4),
            Some(Severity::Error) => ExitCode::from(5),
        }
    }
}

/// Whether progress is shown.
fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}
