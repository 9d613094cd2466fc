//! Moves as engines write them, understood as far as they can be.

use std::borrow::Cow;

use quadrille_games::gyges::turn_move_text;
use quadrille_games::{AnyLine, AnyMove, MoveError, MoveErrorKind, Side};
use quadrille_protocol::Text;

use crate::findings::HostDiagnostic;

/// A legal move that an engine named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedMove {
    /// The move.
    pub value: AnyMove,
    /// The move as engines should write it.
    pub text: String,
}

impl NamedMove {
    /// Reads a legal move in any form.
    pub fn read(line: &AnyLine, text: &str) -> Result<Self, MoveError> {
        let value = line.parse_notation(text)?;
        let text = line.text_of(value)?;
        Ok(Self { value, text })
    }
}

/// What an engine's move means.
pub enum Understood {
    /// A legal move, and what was odd about its form.
    Move(NamedMove, Option<HostDiagnostic>),
    /// No move at all, in one of the many forms of saying so.
    Null,
    /// Nothing that can be played.
    Illegal(MoveError),
}

/// Understands a move in the current position of a line.
pub fn understand(line: &AnyLine, text: Text<'_>) -> Understood {
    let said = text.to_string();
    let plain = in_our_view(line, said.trim());
    // The rules come first: in Leiserchess a square named twice is a move.
    let error = match NamedMove::read(line, &plain) {
        Ok(found) => {
            let oddity = oddity(line, &plain, &found);
            return Understood::Move(found, oddity);
        }
        Err(error) => error,
    };
    if text.is_null_move() || error.kind == MoveErrorKind::NullMove {
        return Understood::Null;
    }
    let word = said.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    if word.len() < said.len()
        && let Ok(found) = NamedMove::read(line, &in_our_view(line, word))
    {
        return Understood::Move(found, Some(HostDiagnostic::MoveJunk));
    }
    Understood::Illegal(error)
}

/// An engine of UGI always plays upwards; the second player's moves are turned.
pub fn in_our_view<'t>(line: &AnyLine, text: &'t str) -> Cow<'t, str> {
    match line {
        AnyLine::Gyges(_) if line.side() == Side::Black => {
            turn_move_text(text).map_or(Cow::Borrowed(text), Cow::Owned)
        }
        _ => Cow::Borrowed(text),
    }
}

fn oddity(line: &AnyLine, said: &str, found: &NamedMove) -> Option<HostDiagnostic> {
    if said == found.text {
        return None;
    }
    if said.eq_ignore_ascii_case(&found.text) {
        return Some(HostDiagnostic::UpperCaseMove);
    }
    match line {
        // Both forms of moves are in use.
        AnyLine::Gyges(_) if said.contains('|') => None,
        AnyLine::Chess(_) if said.len() == 4 && is_castling(line, found.value) => {
            Some(HostDiagnostic::CastlingForm)
        }
        _ => Some(HostDiagnostic::MoveForm),
    }
}

fn is_castling(line: &AnyLine, m: AnyMove) -> bool {
    line.notation_of(m).is_ok_and(|san| san.starts_with("O-O"))
}

/// A text of at most so many bytes, as far as it is one.
pub fn cut(text: Text<'_>, longest: usize) -> String {
    let bytes = text.as_bytes();
    let kept = &bytes[..bytes.len().min(longest)];
    String::from_utf8_lossy(kept).into_owned()
}

/// Whether there is nothing to play here, so that no move is the right answer.
pub fn is_finished(line: &AnyLine) -> bool {
    line.outcome().is_some() || line.legal(1).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::Game;

    fn read(line: &AnyLine, text: &str) -> (String, Option<HostDiagnostic>) {
        match understand(line, Text::from(text)) {
            Understood::Move(found, oddity) => (found.text, oddity),
            Understood::Null => ("null".into(), None),
            Understood::Illegal(_) => ("illegal".into(), None),
        }
    }

    #[test]
    fn odd_forms_are_understood_and_noticed() {
        let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        let line = AnyLine::new(Game::Chess, "", fen).expect("a position");
        let found = |text: &str, oddity| (text.to_owned(), oddity);
        assert_eq!(read(&line, "a7a8q"), found("a7a8q", None));
        assert_eq!(
            read(&line, "a7a8Q"),
            found("a7a8q", Some(HostDiagnostic::UpperCaseMove))
        );
        assert_eq!(read(&line, "e1g1"), found("e1g1", None));
        assert_eq!(
            read(&line, "e1h1"),
            found("e1g1", Some(HostDiagnostic::CastlingForm))
        );
        assert_eq!(
            read(&line, "O-O"),
            found("e1g1", Some(HostDiagnostic::MoveForm))
        );
        assert_eq!(
            read(&line, "e1e2,"),
            found("e1e2", Some(HostDiagnostic::MoveJunk))
        );
        assert_eq!(
            read(&line, "e1e2\u{fffd}"),
            found("e1e2", Some(HostDiagnostic::MoveJunk))
        );
        assert_eq!(
            read(&line, "Kd1"),
            found("e1d1", Some(HostDiagnostic::MoveForm))
        );
        assert_eq!(read(&line, "e1e3").0, "illegal");
        for null in ["0000", "(none)", "NULL", "a1a1", "a8a8", "--"] {
            assert_eq!(read(&line, null).0, "null", "{null}");
        }
    }

    #[test]
    fn castling_in_the_other_form_is_noticed_in_chess960_too() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1";
        let line = AnyLine::new(Game::Chess, "chess960", fen).expect("a position");
        assert_eq!(read(&line, "e1h1"), ("e1h1".into(), None));
        assert_eq!(
            read(&line, "e1g1"),
            ("e1h1".into(), Some(HostDiagnostic::CastlingForm))
        );
    }

    #[test]
    fn a_kings_own_square_is_a_move_only_in_leiserchess() {
        let line = AnyLine::start(Game::Leiser);
        let null = line.find("h0h0");
        let wanted = if null.is_ok() { "h0h0" } else { "null" };
        assert_eq!(read(&line, "h0h0").0, wanted);
    }

    #[test]
    fn the_second_player_of_gyges_sees_the_board_turned() {
        let mut line = AnyLine::start(Game::Gyges);
        assert_eq!(read(&line, "0|1|9"), ("0|1|9".into(), None));
        assert_eq!(read(&line, "0|0|3|1|2|9"), ("0|1|9".into(), None));
        line.play("0|1|9").expect("legal");
        let ours = &line.legal_moves(1)[0].text;
        let theirs = turn_move_text(ours).expect("a move");
        assert_eq!(read(&line, &theirs), (ours.clone(), None));
    }
}
