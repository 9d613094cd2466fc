//! Names of openings.

use quadrille_games::AnyLine;

/// ECO code and name of the last named position of a line, in chess.
pub(crate) fn opening(_: &AnyLine) -> Option<(String, String)> {
    None
}
