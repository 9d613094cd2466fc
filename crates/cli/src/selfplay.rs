//! `quadrille selfplay`: games of the engine against itself, for training; and
//! `quadrille data`: what is in such files, and rows for a trainer.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use quadrille_games::{Game, match_game};
use quadrille_search::bench;
use quadrille_search::bench::bench_depth;
use quadrille_selfplay::file::checksum;
use quadrille_selfplay::openings::Opening;
use quadrille_selfplay::{
    Export, Exported, Progress, Rows, Run, RunError, Settings, Training, export_any, run as play,
    shuffle, stats, train,
};

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
    let end = match_game!(arguments.game, P => generate::<P>(arguments));
    let end = end.map_err(|error| match error {
        RunError::Other { .. } => Failure::input(error),
        _ => Failure::machine(error),
    })?;
    Ok(told(end) + "\n")
}

fn generate<P: Opening>(arguments: &Arguments) -> Result<Progress, RunError> {
    // The signature says which engine played, whatever its version is called.
    let nodes = bench::<P>(&P::Rules::default(), bench_depth(P::GAME), 1, 16).nodes;
    let run = Run {
        settings: Settings {
            nodes: arguments.nodes,
            hash: arguments.hash as usize,
            seed: arguments.seed,
        },
        games: arguments.games,
        threads: arguments.threads.into(),
        engine: format!("quadrille {} bench {nodes}", env!("CARGO_PKG_VERSION")),
    };
    let mut last = Instant::now();
    play::<P>(&run, &arguments.out, &AtomicBool::new(false), |progress| {
        if last.elapsed() >= TELL {
            last = Instant::now();
            // Progress that cannot be shown stops nothing.
            let _ = writeln!(io::stderr().lock(), "{}", told(progress));
        }
    })
}

fn told(progress: Progress) -> String {
    let Progress {
        games,
        wanted,
        plies,
        elapsed,
    } = progress;
    let speed = plies as f64 / elapsed.as_secs_f64().max(0.001);
    format!("{games} of {wanted} games; {plies} positions in this run, {speed:.0} a second")
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

        /// A multiple of 32
        #[arg(long, value_name = "N", default_value_t = 32)]
        neurons: usize,

        /// How often all rows are seen
        #[arg(long, value_name = "N", default_value_t = 10)]
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
        DataTask::Stats { files } => {
            let mut text = String::new();
            for file in files {
                let stats = stats::of_any(file).map_err(Failure::input)?;
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}\n{stats}\n", file.display());
            }
            Ok(text)
        }
        DataTask::Check { files } => check(files),
        DataTask::Shuffle { files, out, seed } => {
            let games = shuffle(files, out, *seed).map_err(Failure::input)?;
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
                wdl: wdl.clamp(0.0, 1.0),
                seed: *seed,
                ..Training::default()
            };
            let (training, validation) = rows_named(rows);
            let trained = train(&training, &validation, &how).map_err(Failure::input)?;
            let name = out.display();
            fs::write(out, &trained.file)
                .map_err(|error| Failure::machine(format!("{name}: {error}")))?;
            Ok(format!(
                "{name}: validation {:.5} (knowing nothing: {:.5}), integers {:.2} from floats\n",
                trained.validation, trained.ignorance, trained.rounding
            ))
        }
        DataTask::Export {
            files,
            out,
            beside,
            threads,
        } => {
            let (training, validation) = rows_named(out);
            let to = Rows {
                training,
                validation,
            };
            let how = Export {
                beside: (*beside).into(),
                threads: (*threads).into(),
                ..Export::default()
            };
            let Exported {
                games,
                training,
                validation,
            } = export_any(files, &to, how).map_err(Failure::input)?;
            Ok(format!(
                "{games} games: {training} rows in {}, {validation} in {}\n",
                to.training.display(),
                to.validation.display()
            ))
        }
    }
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

/// A line for each file; one that is torn or damaged makes a failure of it.
fn check(files: &[PathBuf]) -> Result<String, Failure> {
    let mut text = String::new();
    for file in files {
        let stats = stats::of_any(file).map_err(Failure::input)?;
        let name = file.display();
        if stats.torn {
            let whole = stats.bytes;
            let why = format!("{name}: torn behind byte {whole}; selfplay goes on from there");
            return Err(Failure::input(why));
        }
        let checksum =
            checksum(file).map_err(|error| Failure::input(format!("{name}: {error}")))?;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{name}: whole, {} games, {} positions, CRC-32 {checksum:08x}",
            stats.games, stats.plies
        );
    }
    Ok(text)
}
