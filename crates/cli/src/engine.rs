//! `quadrille engine`: one engine on standard input and output.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use quadrille_games::Game;

/// Talks until `quit` or the end of input.
pub(crate) fn run(game: Game, rules: &str) -> ExitCode {
    match quadrille_engine::run(game, rules, stdin(), stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quadrille: {error}");
            ExitCode::from(2)
        }
    }
}

/// Talks to a host that has not said which game it plays: `ugi` means Gyges,
/// anything else chess.
pub(crate) fn run_any() -> ExitCode {
    quadrille_engine::run_any(stdin(), stdout());
    ExitCode::SUCCESS
}
