//! The Gyges engine. Words on the command line choose rules: `may-stay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    quadrille_engine::program(quadrille_games::Game::Gyges)
}
