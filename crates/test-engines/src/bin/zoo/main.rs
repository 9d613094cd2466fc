//! The zoo: an engine that plays random legal moves and misbehaves on request.
//!
//! `zoo --list` shows what it can do wrong. A host that survives all of it has
//! met everything that we know to happen in the wild.
//!
//! The tests run the same animals on threads of their own (`tests/zoo/inside.rs`)
//! where no process is needed to see what they do.
//!
//! `zoo [--game GAME] [--seed N] [--lag MILLISECONDS] [QUIRK ...]`

mod animal;
mod arguments;
mod hello;
mod late;
mod misdeeds;
mod quirk;

use std::io::{self, Write};
use std::process::ExitCode;

use animal::{Animal, Home};
use arguments::Arguments;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        // A reader that has gone misses nothing.
        let _ = io::stdout().write_all(quirk::list().as_bytes());
        return ExitCode::SUCCESS;
    }
    match Arguments::read(&words) {
        Ok(arguments) if arguments.quirks.contains(&quirk::Quirk::JoinsHost) => {
            let _ = writeln!(io::stderr(), "zoo: {}", misdeeds::join_host(&words));
            ExitCode::from(2)
        }
        Ok(arguments) => {
            let home = Home {
                out: Box::new(io::stdout()),
                stderr: Box::new(io::stderr()),
                exit: std::process::exit,
            };
            Animal::new(arguments, home).live(io::stdin())
        }
        Err(message) => {
            let _ = writeln!(io::stderr(), "zoo: {message}");
            ExitCode::from(2)
        }
    }
}
