//! Visitors of a game server: what their pages may ask.

use quadrille_games::AnyLine;

use crate::boards;
use crate::wire::{Answer, Ask, Refusal, StudyStart};

/// Larger boards, longer texts and longer games cost so much that everybody would
/// wait for them.
const MOST_SQUARES: u32 = 32 * 32;
const LONGEST_POSITION: usize = 4000;
const LONGEST_LINE: usize = 1000;

/// A visitor may look at boards as they are played on a game server, and at nothing
/// of what is kept here. So no desk is needed for an answer, and it can be worked out
/// anywhere: a large board after a long game takes many milliseconds.
///
/// ```
/// use quadrille_desk::visitor;
/// use quadrille_desk::wire::{Answer, Ask};
///
/// let ask = r#"{"ask": "position", "start": {"game": "gyges", "rules": "", "position": ""}}"#;
/// let ask: Ask = serde_json::from_str(ask)?;
/// assert!(matches!(visitor::answer(ask), Ok(Answer::Board(_))));
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn answer(ask: Ask) -> Result<Answer, Refusal> {
    match ask {
        Ask::Position { start, moves } => Ok(Answer::Board(boards::board(&line(&start, &moves)?))),
        Ask::Moves {
            start,
            moves,
            prefix,
        } => {
            let line = line(&start, &moves)?;
            Ok(Answer::Moves(boards::moves_with(&line, &prefix)))
        }
        _ => Err(Refusal::forbidden(
            "a visitor may play at the game server and nothing else",
        )),
    }
}

fn line(start: &StudyStart, moves: &[String]) -> Result<AnyLine, Refusal> {
    let too_large = || Refusal::too_much("this board or game is too large to be shown here");
    if start.position.len() > LONGEST_POSITION || moves.len() > LONGEST_LINE {
        return Err(too_large());
    }
    let mut line = boards::line_from(start)?;
    let (files, ranks) = line.size();
    if u32::from(files) * u32::from(ranks) > MOST_SQUARES {
        return Err(too_large());
    }
    boards::play_all(&mut line, moves)?;
    Ok(line)
}
