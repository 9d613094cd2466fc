//! What the executables do.

use std::io::{stdin, stdout};
use std::process::ExitCode;

use quadrille_games::Game;

use crate::input::Input;
use crate::machine::Machine;
use crate::runner::hold;
use crate::session::Session;

/// What the executable of one game does: talks on standard input and output,
/// with the words of its command line as rules. Built with the feature `tune` it
/// offers every number of the search as an option.
pub fn program(game: Game) -> ExitCode {
    let rules: Vec<String> = std::env::args().skip(1).collect();
    let machine = Machine::native();
    match Session::new(game, &rules.join(" "), &machine) {
        #[cfg_attr(not(feature = "tune"), expect(unused_mut))]
        Ok(mut session) => {
            #[cfg(feature = "tune")]
            session.offer_tunables();
            hold(session, Input::new(stdin(), machine.time), stdout());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
