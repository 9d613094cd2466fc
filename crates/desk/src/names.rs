//! Names of openings.

use quadrille_games::AnyLine;
use quadrille_games::chess::openings::{Openings, name_of};

/// ECO code and name of the last named position of a line, in chess.
pub(crate) fn opening(line: &AnyLine) -> Option<(String, String)> {
    name_of(line).map(|opening| (opening.eco.to_owned(), opening.name.clone()))
}

/// The name of the position that a move leads to, if it has one of its own.
pub(crate) fn after(line: &AnyLine, text: &str) -> Option<String> {
    let AnyLine::Chess(line) = line else {
        return None;
    };
    let mut line = line.clone();
    line.play(text).ok()?;
    let opening = Openings::known().at(line.position())?;
    Some(opening.name.clone())
}
