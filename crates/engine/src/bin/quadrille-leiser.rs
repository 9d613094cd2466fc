//! The Leiserchess engine. Words on the command line choose rules: a year, `noko`, `quiet=100`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_engine::program(quadrille_games::Game::Leiser)
}
