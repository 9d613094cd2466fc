//! The leiser engine, for programs that start engines without arguments. Words on
//! the command line choose rules.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use quadrille_games::Game;

fn main() -> ExitCode {
    let rules: Vec<String> = std::env::args().skip(1).collect();
    match quadrille_engine::run(Game::Leiser, &rules.join(" "), stdin(), stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
