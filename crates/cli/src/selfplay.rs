//! `quadrille selfplay`: games of the engine against itself, for training; and
//! `quadrille data`: what is in such files, and rows for a trainer.

use std::io::{self, Write as _};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use quadrille_engine::Machine;
use quadrille_games::{Game, match_game};
use quadrille_lab::file::checksum;
use quadrille_lab::openings::Opening;
use quadrille_lab::{
    Epoch, Export, FileError, Output, Progress, Rows, Run, RunError, Settings, Shuffled,
    TrainError, Training, engine_signature, export, run as play, shuffle, stats, train,
};
use quadrille_net::sanitize::printable;

use crate::failure::Failure;

/// How often progress is printed.
const TELL: Duration = Duration::from_secs(10);

/// Which games to play.
#[derive(Args)]
pub(crate) struct Arguments {
    /// chess, liberty, leiser or gyges
    #[arg(long, short, value_name = "GAME", default_value = "chess")]
    game: Game,

    /// The file of games; one that exists is continued
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,

    /// Games in the file when it is done
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// Nodes for each move; no iteration begins beyond them, give or take a
    /// quarter
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,

    /// Games at a time
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// The same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Mebibytes of transposition table for each game
    #[arg(long, value_name = "MIB", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

/// Plays until the file is full. Killed in between, the same command goes on.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    must_fit(arguments, Machine::native().memory)?;
    let end = match_game!(arguments.game, P => generate::<P>(arguments));
    let end = end.map_err(|error| match error {
        RunError::File(error) => failed(error),
        RunError::Other { .. } | RunError::Shuffled { .. } => Failure::input(error),
        RunError::Threads(_) | RunError::Panic => Failure::machine(error),
    })?;
    let Progress { games, wanted, .. } = end;
    if games > wanted {
        return Ok(format!("the file already has {games} games\n"));
    }
    Ok(format!("{end}\n"))
}

/// Refuses tables that are larger together than the memory, in mebibytes.
fn must_fit(arguments: &Arguments, memory: Option<usize>) -> Result<(), Failure> {
    let (hash, threads) = (arguments.hash as usize, usize::from(arguments.threads));
    let Some(memory) = memory.filter(|&memory| hash.saturating_mul(threads) > memory) else {
        return Ok(());
    };
    let failure = Failure::input(format!(
        "--hash {hash} for each of {threads} games at a time: the memory has {memory} MiB for them"
    ));
    Err(match memory / threads {
        0 => failure.hint(format!("--threads {} fits", memory.max(1))),
        fits => failure.hint(format!("--hash {fits} fits")),
    })
}

/// A file that cannot be used. A place that is not there, or where nothing may be read or
/// written, is a mistake of the user's; for everything else the system is to blame.
fn failed(error: FileError) -> Failure {
    match error {
        FileError::Io { ref source, .. } if !is_wrong_place(source.kind()) => {
            Failure::machine(error)
        }
        _ => Failure::input(error),
    }
}

const fn is_wrong_place(kind: io::ErrorKind) -> bool {
    use io::ErrorKind;
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
    )
}

/// Says something beside the result. What cannot be shown stops nothing.
fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

fn generate<P: Opening>(arguments: &Arguments) -> Result<Progress, RunError> {
    let run = Run {
        settings: Settings {
            nodes: arguments.nodes,
            hash: arguments.hash as usize,
            seed: arguments.seed,
            ..Settings::default()
        },
        games: arguments.games,
        threads: arguments.threads.into(),
        engine: engine_signature::<P>(),
    };
    let mut last = Instant::now();
    let mut cut = false;
    play::<P>(&run, &arguments.out, &AtomicBool::new(false), |progress| {
        if progress.cut > 0 && !mem::replace(&mut cut, true) {
            note(&format!(
                "{}: the last {} bytes were torn, and are cut off",
                arguments.out.display(),
                progress.cut
            ));
        }
        if last.elapsed() >= TELL {
            last = Instant::now();
            note(&progress.to_string());
        }
    })
}

/// What to do with files of games.
#[derive(Args)]
pub(crate) struct DataArguments {
    #[command(subcommand)]
    task: DataTask,
}

#[derive(Subcommand)]
enum DataTask {
    /// Read whole files, check every move, and say what is in them
    Stats {
        /// Files made by `quadrille selfplay`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Read whole files, check every move, and say in a line whether they are
    /// whole, with a checksum
    Check {
        /// Files made by `quadrille selfplay`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Put the games of several files into a new one, in random order
    Shuffle {
        /// Files made by `quadrille selfplay`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// The new file
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,

        /// The same seed gives the same order
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Train a small net from rows, slowly, without a graphics card
    Train {
        /// Rows of `quadrille data export`: NAME.train.rows and NAME.valid.rows
        #[arg(value_name = "NAME")]
        rows: PathBuf,

        /// The file of the net
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,

        /// A multiple of 32, up to 2048
        #[arg(long, value_name = "N", default_value_t = 32)]
        neurons: usize,

        /// How often all rows are seen
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        epochs: u32,

        /// The share of the game's result in what is learnt, from 0 to 1
        #[arg(long, value_name = "X", default_value_t = 0.1)]
        wdl: f32,

        /// The same seed gives the same net
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
    },
    /// Write the positions of games as rows of features, for a trainer
    Export {
        /// Files made by `quadrille selfplay`
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Rows to train with go to NAME.train.rows, one game of fifty to
        /// NAME.valid.rows
        #[arg(long, short, value_name = "NAME")]
        out: PathBuf,

        /// Positions beside each, a random move or two away, judged by the
        /// hand-written evaluation
        #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
        beside: u16,

        /// Blocks of games at a time
        #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
}

/// Does what is asked with files of games.
pub(crate) fn data(arguments: &DataArguments) -> Result<String, Failure> {
    match &arguments.task {
        DataTask::Stats { files } => each(files, |file| {
            let stats = stats::of_any(file).map_err(failed)?;
            Ok(format!("{}\n{stats}\n\n", file.display()))
        }),
        DataTask::Check { files } => each(files, check),
        DataTask::Shuffle { files, out, seed } => {
            let Shuffled { games, torn } = shuffle(files, out, *seed).map_err(failed)?;
            note_torn(&torn);
            Ok(format!("{}: {games} games\n", out.display()))
        }
        DataTask::Train {
            rows,
            out,
            neurons,
            epochs,
            wdl,
            seed,
        } => {
            let how = Training {
                neurons: *neurons,
                epochs: *epochs,
                wdl: *wdl,
                seed: *seed,
                ..Training::default()
            };
            train_net(rows, out, &how)
        }
        DataTask::Export {
            files,
            out,
            beside,
            threads,
        } => {
            let how = Export {
                beside: (*beside).into(),
                threads: (*threads).into(),
                ..Export::default()
            };
            export_rows(files, out, how)
        }
    }
}

/// Prints what there is to say of each file as soon as it is known; bad ones make a
/// failure of it in the end.
fn each(
    files: &[PathBuf],
    said: impl Fn(&Path) -> Result<String, Failure>,
) -> Result<String, Failure> {
    let mut bad = 0;
    let mut machine = false;
    for file in files {
        match said(file) {
            Ok(text) => {
                let mut out = io::stdout().lock();
                let written = out.write_all(printable(&text).as_bytes());
                match written.and_then(|()| out.flush()) {
                    Ok(()) => {}
                    // The reader has seen enough.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                    Err(error) => return Err(Failure::machine(format!("cannot write: {error}"))),
                }
            }
            Err(failure) if files.len() == 1 => return Err(failure),
            Err(failure) => {
                bad += 1;
                machine |= failure.code() == 1;
                // Without a reader of errors the end still tells.
                let _ = write!(io::stderr().lock(), "{failure}");
            }
        }
    }
    let end = format!("{bad} of {} files cannot be used", files.len());
    match (bad, machine) {
        (0, _) => Ok(String::new()),
        (_, true) => Err(Failure::machine(end)),
        (_, false) => Err(Failure::input(end)),
    }
}

/// A line for a file that is whole.
fn check(file: &Path) -> Result<String, Failure> {
    let stats = stats::of_any(file).map_err(failed)?;
    let name = file.display();
    if stats.torn > 0 {
        return Err(Failure::input(format!(
            "{name}: torn behind byte {}, {} bytes; selfplay goes on from there",
            stats.bytes, stats.torn
        )));
    }
    let checksum = checksum(file).map_err(|error| Failure::machine(format!("{name}: {error}")))?;
    let doubled = match stats.doubled {
        0 => String::new(),
        doubled => format!(" ({doubled} doubled)"),
    };
    Ok(format!(
        "{name}: whole, {} games{doubled}, {} positions, CRC-32 {checksum:08x}\n",
        stats.games, stats.plies
    ))
}

fn note_torn(files: &[PathBuf]) {
    for file in files {
        let name = file.display();
        note(&format!(
            "warning: {name}: torn at the end; its last block is left out"
        ));
    }
}

fn train_net(rows: &Path, out: &Path, how: &Training) -> Result<String, Failure> {
    let (training, validation) = rows_named(rows);
    // A place that cannot be written to is better known now than in an hour.
    let mut file = Output::create(out, &[&training, &validation]).map_err(failed)?;
    let tell = |Epoch { number, loss }| {
        note(&format!("epoch {number} of {}: loss {loss:.5}", how.epochs));
    };
    let trained = train(&training, &validation, how, tell).map_err(|error| match error {
        TrainError::File(error) => failed(error),
        _ => Failure::input(error),
    })?;
    file.write(&trained.file).map_err(failed)?;
    Output::keep([file]).map_err(failed)?;
    Ok(format!(
        "{}: validation {:.5} (knowing nothing: {:.5}), integers {:.2} from floats\n",
        out.display(),
        trained.validation,
        trained.ignorance,
        trained.rounding
    ))
}

fn export_rows(files: &[PathBuf], out: &Path, how: Export) -> Result<String, Failure> {
    let name = out.to_string_lossy();
    if out.file_name().is_none() || name.ends_with(std::path::is_separator) {
        let why = "a name is needed, to which .train.rows is added";
        return Err(Failure::input(format!("--out {name}: {why}")));
    }
    let (training, validation) = rows_named(out);
    let to = Rows {
        training,
        validation,
    };
    let exported = export(files, &to, how).map_err(failed)?;
    note_torn(&exported.torn);
    if exported.validation == 0 {
        note("no rows to validate with: there are too few games, of which one of fifty is kept");
    }
    Ok(format!(
        "{} games: {} rows in {}, {} in {}\n",
        exported.games,
        exported.training,
        to.training.display(),
        exported.validation,
        to.validation.display()
    ))
}

/// The rows to train with and those to validate with.
fn rows_named(name: &Path) -> (PathBuf, PathBuf) {
    let with = |ending: &str| {
        let mut name = name.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    (with(".train.rows"), with(".valid.rows"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn tables_must_fit_into_the_memory() {
        let of = |words: &str| {
            let words = ["selfplay", "--out", "f"]
                .into_iter()
                .chain(words.split(' '));
            let line = Line::try_parse_from(words).expect("a command line");
            must_fit(&line.arguments, Some(1000)).map_err(|failure| failure.to_string())
        };
        assert_eq!(of("--hash 500 --threads 2"), Ok(()));
        let said = of("--hash 500 --threads 3").expect_err("too much");
        assert!(said.contains("hint: --hash 333 fits"), "{said}");
    }
}
