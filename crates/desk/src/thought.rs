//! What engines say, as a page shows it: scores seen from White, moves in words.

use quadrille_games::chances::Curve;
use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{Dialect, Score, Wdl};

use crate::wire::{LineView, ScoreView};

/// Moves of a best line that are shown.
const MOST_MOVES: usize = 60;

/// A score seen from White.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Hundredths of what the game counts in.
    Cp(i64),
    /// Moves to a certain win; negative if Black wins, 0 if it has happened to the
    /// side to move.
    Mate(i64),
}

/// A score as a page has it. The win chance is White's and that of
/// [people](Curve::for_people), whatever chances an engine gives itself.
///
/// ```
/// use quadrille_desk::thought::{Value, score_view};
/// use quadrille_games::Game;
///
/// let even = score_view(Game::Chess, Value::Cp(0), None);
/// assert_eq!((even.cp, even.win), (Some(0), 0.5));
/// let lost = score_view(Game::Chess, Value::Mate(-3), None);
/// assert_eq!((lost.mate, lost.win), (Some(-3), 0.0));
/// ```
pub fn score_view(game: Game, value: Value, wdl: Option<Wdl>) -> ScoreView {
    let small = |n: i64| n.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let told = wdl.filter(|wdl| wdl.expected().is_some());
    let (cp, mate, win) = match value {
        Value::Mate(moves) => (None, Some(small(moves)), if moves > 0 { 1.0 } else { 0.0 }),
        Value::Cp(cp) => (Some(small(cp)), None, Curve::of(game).for_people(cp as f64)),
    };
    let share = |n: u32| u16::try_from(n.min(1000)).unwrap_or(1000);
    ScoreView {
        cp,
        mate,
        win: (win * 10_000.0).round() / 10_000.0,
        wdl: told.map(|wdl| (share(wdl.win), share(wdl.draw), share(wdl.loss))),
    }
}

/// The score that an engine of a dialect told about a position with this side to
/// move. `None` for one that is only a bound, or none at all.
pub fn engine_score(
    game: Game,
    dialect: Dialect,
    side: Side,
    score: Score,
    wdl: Option<Wdl>,
) -> Option<ScoreView> {
    if score.bound().is_some() {
        return None;
    }
    let value = match (score.mate_in(dialect), score.to_cp(dialect)) {
        (Some(moves), _) => Value::Mate(moves),
        (None, Some(cp)) => Value::Cp(cp),
        (None, None) => return None,
    };
    let white = side == Side::White;
    let turned = |wdl: Wdl| Wdl {
        win: wdl.loss,
        loss: wdl.win,
        ..wdl
    };
    let wdl = if white { wdl } else { wdl.map(turned) };
    let view = match (value, white) {
        (value, true) => score_view(game, value, wdl),
        (Value::Cp(cp), false) => score_view(game, Value::Cp(cp.saturating_neg()), wdl),
        // The side to move is mated: the other one has won.
        (Value::Mate(0), false) => ScoreView {
            win: 1.0,
            ..score_view(game, Value::Mate(0), wdl)
        },
        (Value::Mate(n), false) => score_view(game, Value::Mate(n.saturating_neg()), wdl),
    };
    Some(view)
}

/// A best line in words, as far as its moves are legal. `moves` are in the view of
/// the board, not turned to that of a Gyges engine. `None` if not even the first move
/// is legal.
pub fn line_view<'a>(
    line: &AnyLine,
    rank: u32,
    depth: u32,
    score: ScoreView,
    moves: impl Iterator<Item = &'a str>,
) -> Option<LineView> {
    let mut ahead = line.variation();
    let mut view = LineView {
        rank,
        depth,
        score,
        moves: Vec::new(),
        notation: Vec::new(),
        squares: Vec::new(),
    };
    for text in moves.take(MOST_MOVES) {
        let Ok(m) = ahead.parse_notation(text) else {
            break;
        };
        let Ok(words) = ahead.view_of(m) else { break };
        if view.moves.is_empty() {
            view.squares = words.squares;
        }
        view.moves.push(words.text);
        view.notation.push(words.notation);
        if ahead.push(m).is_err() {
            break;
        }
    }
    (!view.moves.is_empty()).then_some(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_turned_to_white() {
        let seen = |side, score| engine_score(Game::Chess, Dialect::Uci, side, score, None);
        let black = seen(Side::Black, Score::cp(50)).unwrap();
        assert_eq!(black.cp, Some(-50));
        assert!(black.win < 0.5);
        assert_eq!(seen(Side::Black, Score::mate(-2)).unwrap().mate, Some(2));
        let mated = seen(Side::Black, Score::mate(0)).unwrap();
        assert_eq!((mated.mate, mated.win), (Some(0), 1.0));
        let bound = Score::cp(5).with_bound(quadrille_protocol::Bound::Lower);
        assert_eq!(seen(Side::White, bound), None);
        let wdl = Some(Wdl {
            win: 600,
            draw: 300,
            loss: 100,
        });
        let told = engine_score(Game::Chess, Dialect::Uci, Side::Black, Score::cp(80), wdl);
        let told = told.unwrap();
        assert_eq!((told.win, told.wdl), (0.4262, Some((100, 300, 600))));
    }

    #[test]
    fn lines_end_where_they_stop_being_legal() {
        let line = AnyLine::start(Game::Chess);
        let score = score_view(Game::Chess, Value::Cp(0), None);
        let moves = ["e2e4", "e7e5", "e1e8", "d2d4"].into_iter();
        let view = line_view(&line, 1, 5, score, moves).unwrap();
        assert_eq!(view.notation, ["e4", "e5"]);
        assert_eq!(view.squares, ["e2", "e4"]);
        assert_eq!(line_view(&line, 1, 5, score, ["zz"].into_iter()), None);
    }
}
