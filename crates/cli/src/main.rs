//! `quadrille`: the one binary. Subcommands, nothing else.
//!
//! Each subcommand is a module with its arguments and a `run` that returns what
//! to print. Exit codes: 0 when it worked, 2 when the command line or a text on
//! it is wrong, 1 when the machine is to blame.

mod failure;
mod paint;
mod panels;
mod perft;
mod setup;
mod show;

use std::io::{self, Write};
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

Everything else: quadrille --help, quadrille show --help, quadrille perft --help
";

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        None => Ok(FIRST_SCREEN.into()),
        Some(Task::Show(arguments)) => show::run(&arguments),
        Some(Task::Perft(arguments)) => perft::run(&arguments),
    };
    match result {
        Ok(text) => print(&text),
        Err(failure) => {
            // If nobody reads the errors there is nobody to tell.
            let _ = write!(io::stderr().lock(), "{failure}");
            ExitCode::from(failure.code())
        }
    }
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
