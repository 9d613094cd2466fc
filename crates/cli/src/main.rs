//! `quadrille`: the one binary. Subcommands, nothing else.
//!
//! Each subcommand is a module with its arguments and a `run` that returns what
//! is left to print (long-running ones print as they go). Exit codes: 0 when it worked, 2 when the command line or a text on
//! it is wrong, 1 when the machine is to blame.

mod bench;
mod elo;
mod engine;
mod failure;
mod figure;
mod go;
mod match_command;
mod paint;
mod panels;
mod perft;
mod printer;
mod selfplay;
mod setup;
mod show;
mod sprt;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Four games, four dialects, one workshop.
///
/// Chess (with Chess960), Liberty Chess, Leiserchess and Gyges.
#[derive(Parser)]
#[command(name = "quadrille", version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Draw a position and say what is known about it
    Show(show::Arguments),
    /// Count the leaves of the move tree, to prove a move generator
    Perft(perft::Arguments),
    /// Talk to a host on standard input and output as an engine
    Engine(engine::Arguments),
    /// Let an engine think about a position
    Go(Box<go::Arguments>),
    /// Rate the players of a file of games
    Elo(elo::Arguments),
    /// Judge results by a sequential test, or plan one
    Sprt(sprt::Arguments),
    /// Search a fixed set of positions: a signature, and a speed
    Bench(bench::Arguments),
    /// Play games of the engine against itself, for training
    Selfplay(selfplay::Arguments),
    /// Look into files of self-play games
    Data(selfplay::DataArguments),
    /// Engines against engines: matches, tournaments, tests
    #[command(disable_help_flag = true)]
    Match(match_command::Arguments),
}

const FIRST_SCREEN: &str = "\
Quadrille plays, checks and counts four games:
chess (with Chess960), Liberty Chess, Leiserchess and Gyges.

Look at a position:
  quadrille show
  quadrille show --game leiser --moves \"h4g5 a3b2\"
  quadrille show --game liberty --position \"Capablanca 10x8\"
  quadrille show --position \"chess960 518\" --json

Count moves:
  quadrille perft 5
  quadrille perft --game gyges 3 --divide
  quadrille perft --position kiwipete 6 --hash 256 --threads 4

Play: name quadrille-chess, quadrille-liberty, quadrille-leiser or
quadrille-gyges to your program, or `quadrille engine --game ...`;
compare builds with `quadrille bench`.

Ask any engine:
  quadrille go builtin --depth 5
  quadrille go builtin --game gyges --movetime 100 --json

Know what results mean (for a file of games: quadrille elo FILE.pgn):
  quadrille sprt --wdl 300,1400,250 --elo1 10
  quadrille sprt --plan --elo0 -3 --elo1 1

Everything else: quadrille --help, quadrille show --help, quadrille perft --help
";

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        // A program that starts us without a word and then speaks wants an
        // engine; a person wants to know what there is.
        None if !io::stdin().is_terminal() && engine::run_any() => Ok(String::new()),
        None => Ok(FIRST_SCREEN.into()),
        Some(Task::Match(arguments)) => return answer(match_command::run(arguments)),
        Some(Task::Engine(arguments)) => engine::run(&arguments),
        Some(Task::Go(arguments)) => go::run(&arguments),
        Some(Task::Bench(arguments)) => Ok(bench::run(&arguments)),
        Some(Task::Selfplay(arguments)) => selfplay::run(&arguments),
        Some(Task::Data(arguments)) => selfplay::data(&arguments),
        Some(Task::Elo(arguments)) => elo::run(&arguments),
        Some(Task::Sprt(arguments)) => sprt::run(&arguments),
        Some(Task::Show(arguments)) => show::run(&arguments),
        Some(Task::Perft(arguments)) => perft::run(&arguments),
    };
    answer(result.map(|text| print(&text)))
}

fn answer(result: Result<ExitCode, Failure>) -> ExitCode {
    result.unwrap_or_else(|failure| {
        // Without a reader of errors there is nothing to say.
        let _ = write!(io::stderr().lock(), "{failure}");
        ExitCode::from(failure.code())
    })
}

/// Prints without the panic of `println!` when the reader has gone away.
fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let failure = Failure::machine(format!("cannot write: {error}"));
            let _ = write!(io::stderr().lock(), "{failure}");
            ExitCode::from(failure.code())
        }
        _ => ExitCode::SUCCESS,
    }
}
