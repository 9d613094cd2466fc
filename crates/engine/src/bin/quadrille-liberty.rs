//! The Liberty Chess engine. Words on the command line choose rules: `ff`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_engine::program(quadrille_games::Game::Liberty)
}
