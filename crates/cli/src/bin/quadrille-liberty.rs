//! The liberty engine, for programs that start engines without arguments. Words on
//! the command line choose rules.

use std::process::ExitCode;

#[path = "../engine.rs"]
#[allow(dead_code)]
mod engine;

fn main() -> ExitCode {
    let rules: Vec<String> = std::env::args().skip(1).collect();
    engine::run(quadrille_games::Game::Liberty, &rules.join(" "))
}
