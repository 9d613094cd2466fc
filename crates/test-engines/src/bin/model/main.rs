//! The model: a tiny engine that keeps every rule of its protocol, and on request
//! breaks exactly one.
//!
//! `model [--game GAME] [MUTANT]`: the mutant is the name of the check that it
//! fails, such as `go.depth`; where there are several ways to fail it, with a word
//! behind it, such as `life.orphans/pipe`. The tests run the same engine on threads of their
//! own (`tests/check/inside.rs`) where no process is needed to see what it does.

mod arguments;
mod board;
mod engine;
mod hello;
mod play;
mod report;
mod think;

use std::io::{self, Write};
use std::process::ExitCode;

use arguments::Arguments;
use engine::{Engine, Home};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match Arguments::read(&words) {
        Ok(arguments) => {
            let home = Home {
                out: Box::new(io::stdout()),
                stderr: Box::new(io::stderr()),
                exit: std::process::exit,
            };
            Engine::new(arguments, home).live(io::stdin())
        }
        Err(message) => {
            let _ = writeln!(io::stderr(), "model: {message}");
            ExitCode::from(2)
        }
    }
}
