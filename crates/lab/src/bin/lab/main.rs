//! `lab`: self-play, fits of evaluations, numbers of the search, the opening book.

mod args;
mod book;
mod chances;
mod fit;
mod play;
#[cfg(feature = "search-numbers")]
mod spsa;
mod weights;

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::thread;

use args::Args;

/// A subcommand.
struct Task {
    name: &'static str,
    usage: &'static str,
    run: fn(Args) -> Result<(), String>,
}

const TASKS: &[Task] = &[
    Task {
        name: "play",
        usage: play::USAGE,
        run: play::run,
    },
    Task {
        name: "fit",
        usage: fit::USAGE,
        run: fit::run,
    },
    Task {
        name: "weights",
        usage: weights::USAGE,
        run: weights::run,
    },
    Task {
        name: "chances",
        usage: chances::USAGE,
        run: chances::run,
    },
    #[cfg(feature = "search-numbers")]
    Task {
        name: "spsa",
        usage: spsa::USAGE,
        run: spsa::run,
    },
    Task {
        name: "book",
        usage: book::USAGE,
        run: book::run,
    },
];

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let result = run(&name, words.collect());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", format!("lab {name}").trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(name: &str, words: Vec<String>) -> Result<(), String> {
    let asks = |words: &[String]| words.iter().any(|word| word == "--help");
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) if asks(&words) => print_line(task.usage.trim()),
        Some(task) => (task.run)(Args::new(words)),
        None if name == "--help" => print_line(&tasks()),
        None => Err(unknown(name)),
    }
}

/// Lists the subcommands.
fn tasks() -> String {
    let heads = TASKS.iter().map(|task| task.usage.trim().lines().next());
    let heads: Vec<&str> = heads.map(Option::unwrap_or_default).collect();
    format!("{}\n\nlab TASK --help lists its options.", heads.join("\n"))
}

fn unknown(name: &str) -> String {
    if name == "spsa" {
        return "build with --features search-numbers".into();
    }
    let names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
    let names = names.join(", ");
    match name {
        "" => format!("name a task: {names}"),
        _ => format!("unknown task '{name}': {names}"),
    }
}

/// Writes a line of output. A reader that has gone is an error, where `println` would
/// panic.
fn print_line(line: &str) -> Result<(), String> {
    writeln!(io::stdout(), "{line}").map_err(|error| error.to_string())
}

/// Warns about a file that ends within a block.
fn warn_torn(file: &str, bytes: u64) {
    if bytes > 0 {
        eprintln!("warning: {file}: the last {bytes} bytes are torn and left out");
    }
}

/// Returns the number of cores, which is the default for `--threads`.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_has_a_usage_text() {
        for task in TASKS {
            let head = format!("lab {} ", task.name);
            assert!(task.usage.trim().starts_with(&head), "{}", task.usage);
            assert!(tasks().contains(&head));
        }
        assert!(unknown("tune").contains("'tune': play, fit, weights"));
        assert!(run("", Vec::new()).is_err());
    }
}
