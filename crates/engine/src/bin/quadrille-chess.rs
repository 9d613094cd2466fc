//! The chess engine. Words on the command line choose rules: `chess960`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_engine::program(quadrille_games::Game::Chess)
}
