//! `quadrille`: the one binary. Subcommands, nothing else.
//!
//! Each subcommand is a module with its arguments and a `run` that returns what
//! is left to print (long-running ones print as they go). Exit codes: 0 when it worked, 2 when the command line or a text on
//! it is wrong, 1 when the machine is to blame.

mod analyse;
mod bench;
mod check;
mod connect;
mod elo;
mod engine;
mod event;
mod failure;
mod figure;
mod go;
mod guest_token;
#[cfg(feature = "gui")]
mod gui;
mod lend;
mod match_command;
mod named;
mod paint;
mod panels;
mod perft;
mod pgn;
mod printer;
mod selfplay;
mod serve;
mod serve_page;
mod served;
mod setup;
mod shell;
mod show;
mod signals;
mod solve;
mod sprt;
mod tape;
mod worker;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// A match runner, four engines and tools around them.
///
/// For chess (with Chess960), Liberty Chess, Leiserchess and Gyges, and any
/// engine that speaks UCI, ULCI, Leiserchess UCI or UGI.
#[derive(Parser)]
#[command(name = "quadrille", version)]
struct Cli {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Open the page: play, analyse, watch
    #[cfg(feature = "gui")]
    Gui(gui::Arguments),
    /// Engines against engines: matches, tournaments, tests
    #[command(disable_help_flag = true, override_help = match_command::help_page())]
    Match(match_command::Arguments),
    /// Play games of matches that other machines lead, over NATS
    Worker(worker::Arguments),
    /// Let an engine think about a position
    Go(Box<go::Arguments>),
    /// Look at whole games with engines: mistakes, best lines, accuracy
    Analyse(Box<analyse::Arguments>),
    /// Say what an engine does wrong, and which rule says so
    Check(Box<check::Arguments>),
    /// Let engines solve a suite of problems: what they find, and how soon
    Solve(Box<solve::Arguments>),
    /// Filter, sort, split, count, convert and check files of games
    Pgn(pgn::Arguments),
    /// Play at a game server, yourself or with an engine
    Connect(Box<connect::Arguments>),
    /// Offer a local engine to others on the network
    Lend(Box<lend::Arguments>),
    /// Record and replay conversations with engines; show, check, compare them
    Tape(tape::Arguments),
    /// Run a server where people and engines meet, or give orders to one that runs
    Serve(Box<serve::Arguments>),
    /// Look into the store of a match: table, games, findings; export it
    Event(event::Arguments),
    /// Rate the players of files of games or stores
    Elo(elo::Arguments),
    /// Judge results by a sequential test, or plan one
    Sprt(sprt::Arguments),
    /// Draw a position and say what is known about it
    Show(show::Arguments),
    /// Count the leaves of the move tree, to prove a move generator
    Perft(perft::Arguments),
    /// Talk to a host on standard input and output as an engine
    Engine(engine::Arguments),
    /// Search a fixed set of positions: a signature, and a speed
    Bench(bench::Arguments),
    /// Play games of the engine against itself, for training
    Selfplay(selfplay::Arguments),
    /// Look into files of self-play games
    Data(selfplay::DataArguments),
    /// Print a script that completes words in a shell
    Completions(shell::Completions),
    /// Write manual pages
    Man(shell::Man),
}

const FIRST_SCREEN: &str = "\
Quadrille: a match runner, four engines and a protocol library for chess
(with Chess960), Liberty Chess, Leiserchess and Gyges.

Let engines play each other; cmd=builtin is our own:
  quadrille match -engine cmd=builtin name=a -engine cmd=builtin name=b -each tc=1+0.01
  quadrille help match

Let an engine think:
  quadrille go builtin --movetime 1000
  quadrille go builtin --game gyges --depth 3 --json
  quadrille go builtin --position \"chess960 518\" --depth 5 --multipv 3

Find the mistakes in whole games: `quadrille analyse games.pgn -o analysed.pgn`,
with `--report text` or html.

Know what results mean; for files, `quadrille elo games.pgn`:
  quadrille sprt --wdl 300,1400,250 --elo1 10
  quadrille sprt --plan --elo0 -3 --elo1 1

Files of games, suites of problems, conversations: `quadrille help pgn`, `solve`
and `tape`.

Look at a position, count its moves:
  quadrille show --game leiser --moves \"h4g5 a3b2\"
  quadrille show --game liberty --position \"Capablanca 10x8\" --json
  quadrille perft --position kiwipete 5

Be an engine: `quadrille engine --game chess`, or liberty, leiser, gyges; the
programs quadrille-chess and so on for those that pass no arguments.

Everything else: quadrille help, quadrille help match, quadrille help go
";

fn main() -> ExitCode {
    let result = match parse().task {
        // A program that starts us without a word and then speaks wants an
        // engine; a person wants to know what there is.
        None if !io::stdin().is_terminal() && engine::run_any() => Ok(String::new()),
        None => Ok(FIRST_SCREEN.into()),
        #[cfg(feature = "gui")]
        Some(Task::Gui(arguments)) => gui::run(arguments),
        Some(Task::Connect(arguments)) => connect::run(&arguments),
        Some(Task::Lend(arguments)) => lend::run(&arguments),
        Some(Task::Match(arguments)) => return answer(match_command::run(arguments)),
        Some(Task::Worker(arguments)) => return answer(worker::run(arguments)),
        Some(Task::Analyse(arguments)) => return answer(analyse::run(&arguments)),
        Some(Task::Check(arguments)) => return answer(check::run(&arguments)),
        Some(Task::Solve(arguments)) => return answer(solve::run(&arguments)),
        Some(Task::Pgn(arguments)) => return answer(pgn::run(&arguments)),
        Some(Task::Tape(arguments)) => return answer(tape::run(&arguments)),
        Some(Task::Engine(arguments)) => engine::run(&arguments),
        Some(Task::Go(arguments)) => go::run(&arguments),
        Some(Task::Bench(arguments)) => Ok(bench::run(&arguments)),
        Some(Task::Completions(arguments)) => Ok(shell::completions(&arguments)),
        Some(Task::Man(arguments)) => shell::man(&arguments),
        Some(Task::Selfplay(arguments)) => selfplay::run(&arguments),
        Some(Task::Data(arguments)) => selfplay::data(&arguments),
        Some(Task::Serve(arguments)) => serve::run(*arguments),
        Some(Task::Event(arguments)) => event::run(&arguments),
        Some(Task::Elo(arguments)) => elo::run(&arguments),
        Some(Task::Sprt(arguments)) => sprt::run(&arguments),
        Some(Task::Show(arguments)) => show::run(&arguments),
        Some(Task::Perft(arguments)) => perft::run(&arguments),
    };
    answer(result.map(|text| print(&text)))
}

/// What Rust says about a text that is not the number it should be, and what people say.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "it is not a whole number"),
    (
        "cannot parse integer from empty string",
        "it is not a whole number",
    ),
    ("invalid float literal", "it is not a number"),
    ("number too large to fit in target type", "it is too large"),
    ("number too small to fit in target type", "it is too small"),
];

/// Reads the command line, or says what is wrong with it and ends.
fn parse() -> Cli {
    let error = match Cli::try_parse() {
        Ok(cli) => return cli,
        Err(error) => error,
    };
    if error.kind() != clap::error::ErrorKind::ValueValidation {
        error.exit();
    }
    let text = if io::stderr().is_terminal() {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    };
    let said = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    // Without a reader of errors there is nothing to say.
    let _ = io::stderr().write_all(NUMBERS.into_iter().fold(text, said).as_bytes());
    std::process::exit(error.exit_code());
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
