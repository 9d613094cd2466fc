//! What the Liberty tests share.

use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::{Outcome, Position, Reason, Side};

/// Reads a position that must be one.
pub(crate) fn read(lfen: &str) -> Liberty {
    Liberty::from_text(lfen, &Rules::default()).unwrap_or_else(|e| panic!("{lfen}: {e}"))
}

/// The name the reference gives to the state of a game.
pub(crate) fn state(outcome: Option<Outcome>) -> String {
    let Some(outcome) = outcome else {
        return "InProgress".into();
    };
    let white = outcome.winner == Some(Side::White);
    match outcome.reason {
        Reason::Checkmate => format!("Checkmate({white})"),
        Reason::Elimination => format!("Elimination({white})"),
        Reason::Stalemate => "Stalemate".into(),
        Reason::Material => "Material".into(),
        Reason::FiftyMoves => "FiftyMove".into(),
        Reason::Threefold => "Repetition".into(),
        other => format!("{other:?}"),
    }
}
