//! `quadrille tape`: conversations with engines in files.

pub(crate) mod pipe;
mod record;
mod show;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use quadrille_net::sanitize::{one_line, printable};
use quadrille_protocol::{Dialect, Severity};
use quadrille_transcript::{
    Depth, Difference, Heard, Listener, Odd, Replay, Speed, StreamItem, TapeStream,
    compare_streams, replay,
};
use serde_json::json;

use crate::failure::Failure;
use crate::{paint, print};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    work: Work,
}

#[derive(Subcommand)]
enum Work {
    /// Stand between a host and an engine and write down what they say
    Record(record::Arguments),
    /// Answer as the engine of a tape did
    Replay(ReplayArguments),
    /// Print a tape with the meaning of its messages and what was odd
    Show(show::Arguments),
    /// Say what was out of place in a conversation
    Check(CheckArguments),
    /// Compare two conversations, without their times
    Diff(DiffArguments),
}

/// Which tape, and how it is read.
#[derive(Args)]
struct Source {
    /// The tape
    #[arg(value_name = "TAPE")]
    tape: PathBuf,

    /// uci, ulci, leiser or ugi; if missing, what the tape says
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

/// A tape that is being read.
type Stream = TapeStream<BufReader<File>>;

impl Source {
    fn open(&self) -> Result<(Stream, Dialect), Failure> {
        let mut stream = open(&self.tape)?;
        let dialect = match self.dialect {
            Some(dialect) => dialect,
            None => self.read(stream.dialect())?,
        };
        Ok((stream, dialect))
    }

    /// What came of reading on.
    fn read<T>(&self, read: io::Result<T>) -> Result<T, Failure> {
        read.map_err(|error| unreadable(&self.tape, &error))
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{} cannot be read: {error}", path.display()))
}

/// The verdict of a command that may have been read to its end or not: a reader that has
/// gone away has seen enough.
fn finished(written: io::Result<()>, code: ExitCode) -> Result<ExitCode, Failure> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::machine(format!("cannot write: {error}")))
        }
        _ => Ok(code),
    }
}

#[derive(Args)]
#[command(
    after_help = "Standard error says where the conversation leaves the tape. A search that is \
                  not on it is answered with a null move; unknown commands are not answered.\n\n\
                  Exit codes: the recorded engine's; 1 if --strict left the tape; 2 wrong command line"
)]
struct ReplayArguments {
    #[command(flatten)]
    source: Source,

    /// So many times as fast as it was; 0 answers at once
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    speed: f64,

    /// End where the conversation leaves the tape
    #[arg(long)]
    strict: bool,

    /// Say nothing about it
    #[arg(long, conflicts_with = "strict")]
    quiet: bool,
}

#[derive(Args)]
#[command(
    after_help = "Exit codes: 0 nothing worse than notes; 1 warnings or errors; 2 wrong \
                        command line, or no tape"
)]
struct CheckArguments {
    #[command(flatten)]
    source: Source,

    /// Show notes too
    #[arg(long)]
    notes: bool,

    /// One JSON object per finding, and one for the whole
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(after_help = "Exit codes: 0 the same; 1 different; 2 wrong command line, or no tape")]
struct DiffArguments {
    /// The first tape
    #[arg(value_name = "TAPE")]
    first: PathBuf,

    /// The second tape
    #[arg(value_name = "TAPE")]
    second: PathBuf,

    /// uci, ulci, leiser or ugi; if missing, what the first tape says
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,

    /// Leave `info` lines out
    #[arg(long)]
    no_info: bool,

    /// One JSON object per difference, and one for the whole
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    match &arguments.work {
        Work::Record(arguments) => record::run(arguments),
        Work::Replay(arguments) => play(arguments),
        Work::Show(arguments) => show::run(arguments),
        Work::Check(arguments) => check(arguments),
        Work::Diff(arguments) => diff(arguments),
    }
}

fn open(path: &Path) -> Result<Stream, Failure> {
    let file = pipe::open(path).map_err(|error| unreadable(path, &error))?;
    TapeStream::open(BufReader::with_capacity(1 << 16, file))
        .map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

fn play(arguments: &ReplayArguments) -> Result<ExitCode, Failure> {
    let (mut stream, dialect) = arguments.source.open()?;
    if !(0.0..=1e6).contains(&arguments.speed) {
        return Err(Failure::input("--speed goes from 0 (at once) to 1000000"));
    }
    let speed = if arguments.speed == 0.0 {
        Speed::AtOnce
    } else {
        Speed::Times(arguments.speed)
    };
    let name = arguments.source.tape.display().to_string();
    let mut tell = |departure: &quadrille_transcript::Departure| {
        if !arguments.quiet {
            let said = String::from_utf8_lossy(&departure.said);
            let text = format!(
                "{name}: line {}, {said:?}: {}",
                departure.line, departure.what
            );
            // Without a reader of messages there is nothing to say.
            let _ = writeln!(io::stderr(), "{}", one_line(&text));
        }
        !arguments.strict
    };
    let replayed = arguments
        .source
        .read(Replay::read(&mut stream, dialect, speed))?;
    match replay(replayed, io::stdin(), io::stdout(), &mut tell) {
        Ok(code) => Ok(ExitCode::from(u8::try_from(code).unwrap_or(1))),
        // A host that has gone away has heard enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Failure::machine(error)),
    }
}

fn check(arguments: &CheckArguments) -> Result<ExitCode, Failure> {
    let (mut stream, dialect) = arguments.source.open()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut listener = Listener::new(dialect);
    let (mut lines, mut counts) = (0_u64, [0_u64; 3]);
    let mut written = Ok(());
    let mut put = |heard: Option<&Heard>, odd: &Odd| {
        counts[odd.severity as usize] += 1;
        if written.is_ok() && (odd.severity > Severity::Note || arguments.notes) {
            let text = finding(heard, odd, arguments.json);
            written = out.write_all(text.as_bytes());
        }
        // Where nobody reads on, the verdict is still one of the whole.
    };
    while let Some(item) = arguments.source.read(stream.next_item())? {
        match item {
            StreamItem::Moment(moment) => {
                lines += 1;
                let heard = listener.hear(&moment);
                heard.odd.iter().for_each(|odd| put(Some(&heard), odd));
            }
            StreamItem::BadLine(number) => put(None, &Odd::bad_line(number)),
        }
    }
    let cut = stream.is_cut();
    if let Some(facts) = stream.left_out() {
        put(None, &Odd::left_out(&facts));
    }
    listener.end().iter().for_each(|odd| put(None, odd));
    cut.then(Odd::cut).iter().for_each(|odd| put(None, odd));
    let [notes, warnings, errors] = counts;
    let whole = if arguments.json {
        let object = json!({
            "event": "summary", "dialect": dialect.name(), "lines": lines,
            "errors": errors, "warnings": warnings, "notes": notes, "cut": cut,
        });
        format!("{object}\n")
    } else {
        format!("{lines} lines: {errors} errors, {warnings} warnings, {notes} notes\n")
    };
    let written = written
        .and_then(|()| out.write_all(whole.as_bytes()))
        .and_then(|()| out.flush());
    finished(written, ExitCode::from(u8::from(errors + warnings > 0)))
}

fn finding(heard: Option<&Heard>, odd: &Odd, json: bool) -> String {
    if !json {
        return show::odd(heard, odd, paint::wanted());
    }
    let mut object = json!({
        "event": "finding",
        "code": odd.code,
        "severity": odd.severity,
        "sentence": odd.sentence,
        "clause": odd.clause,
    });
    if let Some(heard) = heard {
        object["at"] = (heard.at.as_micros() as f64 / 1000.0).into();
        object["side"] = show::side(heard.speaker).into();
        object["text"] = heard.text.clone().into();
    }
    format!("{object}\n")
}

fn diff(arguments: &DiffArguments) -> Result<ExitCode, Failure> {
    if pipe::is_one_pipe(&arguments.first, &arguments.second) {
        let message = format!(
            "{} is a pipe, which can be read once",
            arguments.first.display()
        );
        return Err(Failure::input(message).hint("write it to a file, or name two pipes"));
    }
    let (mut first, mut second) = (open(&arguments.first)?, open(&arguments.second)?);
    let dialect = match arguments.dialect {
        Some(dialect) => dialect,
        None => first
            .dialect()
            .map_err(|error| unreadable(&arguments.first, &error))?,
    };
    let depth = if arguments.no_info {
        Depth::WithoutInfo
    } else {
        Depth::Lines
    };
    let found = compare_streams(&mut first, &mut second, dialect, depth).map_err(|error| {
        let both = format!(
            "{} and {}",
            arguments.first.display(),
            arguments.second.display()
        );
        unreadable(Path::new(&both), &error)
    })?;
    let mut out = String::new();
    for difference in &found.differences {
        if arguments.json {
            let object = match difference {
                Difference::OnlyFirst(command) => {
                    json!({"event": "difference", "kind": "only-first", "command": command})
                }
                Difference::OnlySecond(command) => {
                    json!({"event": "difference", "kind": "only-second", "command": command})
                }
                Difference::Answers {
                    command,
                    first,
                    second,
                } => json!({
                    "event": "difference", "kind": "answers", "command": command,
                    "first": first, "second": second,
                }),
            };
            let _ = writeln!(out, "{object}");
            continue;
        }
        match difference {
            Difference::OnlyFirst(command) => {
                let _ = writeln!(out, "- > {command}");
            }
            Difference::OnlySecond(command) => {
                let _ = writeln!(out, "+ > {command}");
            }
            Difference::Answers {
                command,
                first,
                second,
            } => {
                let _ = writeln!(out, "  > {command}");
                for line in first {
                    let _ = writeln!(out, "- < {line}");
                }
                for line in second {
                    let _ = writeln!(out, "+ < {line}");
                }
            }
        }
    }
    let left_out = found
        .left_out
        .map(|facts| facts.map_or(0, |facts| facts.facts));
    let (shared, same) = (found.shared, found.same);
    let different = found.differences.len();
    if arguments.json {
        let object = json!({
            "event": "summary", "shared": shared, "same": same, "differences": different,
            "facts_left_out": left_out,
        });
        let _ = writeln!(out, "{object}");
        let printed = print(&out);
        return Ok(if different > 0 {
            ExitCode::from(1)
        } else {
            printed
        });
    }
    for (path, facts) in [&arguments.first, &arguments.second]
        .iter()
        .zip(found.left_out)
    {
        if let Some(facts) = facts {
            let _ = writeln!(out, "{}: {facts}", path.display());
        }
    }
    let _ = writeln!(
        out,
        "{shared} commands in both, {same} with the same answers, {different} differences"
    );
    let printed = print(&printable(&out));
    Ok(if different > 0 {
        ExitCode::from(1)
    } else {
        printed
    })
}
