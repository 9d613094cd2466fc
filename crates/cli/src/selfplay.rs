//! `quadrille selfplay`: games of the engine against itself, for training; and
//! `quadrille data`: what is in such files.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use quadrille_games::{Game, match_game};
use quadrille_search::bench;
use quadrille_search::bench::bench_depth;
use quadrille_selfplay::openings::Opening;
use quadrille_selfplay::{Progress, Run, RunError, Settings, run as play, stats};

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
}

/// The figures of each file.
pub(crate) fn data(arguments: &DataArguments) -> Result<String, Failure> {
    let DataTask::Stats { files } = &arguments.task;
    let mut text = String::new();
    for file in files {
        let stats = stats::of_any(file).map_err(Failure::input)?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n{stats}\n", file.display());
    }
    Ok(text)
}
