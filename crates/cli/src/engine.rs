//! `quadrille engine`: one engine on standard input and output.

use std::io::{stdin, stdout};

use clap::Args;
use quadrille_games::Game;

use crate::failure::Failure;

/// Which engine.
#[derive(Args)]
pub(crate) struct Arguments {
    /// chess, liberty, leiser or gyges
    #[arg(long, short, value_name = "GAME", default_value = "chess")]
    game: Game,

    /// Rules: `chess960`; `ff`; a year with `noko` or `quiet=100`; `may-stay`
    #[arg(
        long,
        short,
        value_name = "RULES",
        default_value = "",
        hide_default_value = true
    )]
    rules: String,
}

/// Talks until `quit` or the end of input.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    quadrille_engine::run(arguments.game, &arguments.rules, stdin(), stdout())
        .map(|()| String::new())
        .map_err(|error| Failure::input(&error).at(&arguments.rules, error.column))
}

/// Talks to a host that has not said which game it plays: `ugi` means Gyges,
/// anything else chess. `false` if nothing is said.
pub(crate) fn run_any() -> bool {
    quadrille_engine::run_any(stdin(), stdout())
}
