//! `quadrille`: the one binary. Subcommands, nothing else.

mod bench;
mod engine;

use std::io::{IsTerminal, stdin};
use std::process::ExitCode;

use quadrille_games::Game;

const USAGE: &str = "usage: quadrille engine --game chess|liberty|leiser|gyges [--rules WORDS]
       quadrille bench [--game G] [--threads N] [--depth D] [--hash MIB]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        None if !stdin().is_terminal() => return engine::run_any(),
        Some("engine") => start_engine(&words[1..]),
        Some("bench") => start_bench(&words[1..]),
        _ => Err(USAGE.into()),
    };
    done.unwrap_or_else(|why| {
        eprintln!("{why}");
        ExitCode::from(2)
    })
}

/// The word behind a flag.
fn value<'a>(words: &'a [String], flag: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word == flag)?;
    words.get(at + 1).map(String::as_str)
}

fn number<T: std::str::FromStr>(words: &[String], flag: &str) -> Result<Option<T>, String> {
    let read = |text: &str| {
        text.parse()
            .map_err(|_| format!("{flag} needs a number, not {text}"))
    };
    value(words, flag).map(read).transpose()
}

fn game(words: &[String]) -> Result<Option<Game>, String> {
    let read = |text: &str| text.parse::<Game>().map_err(|error| error.to_string());
    value(words, "--game").map(read).transpose()
}

fn start_engine(words: &[String]) -> Result<ExitCode, String> {
    let game = game(words)?.ok_or(USAGE)?;
    Ok(engine::run(game, value(words, "--rules").unwrap_or("")))
}

fn start_bench(words: &[String]) -> Result<ExitCode, String> {
    Ok(bench::run(&bench::Plan {
        game: game(words)?,
        threads: number(words, "--threads")?.unwrap_or(1),
        depth: number(words, "--depth")?,
        hash: number(words, "--hash")?.unwrap_or(16),
    }))
}
