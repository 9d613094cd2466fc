//! What engines say, as a page shows it: scores seen from White, moves in words.

use quadrille_client::EngineInfo;
use quadrille_games::chances::Curve;
use quadrille_games::{AnyLine, Game, Side};
use quadrille_protocol::{Dialect, Score, Wdl};

use crate::effect::Thought;
use crate::refuse::clean;
use crate::wire::{LineView, ScoreView};

/// Moves of a best line that are shown.
const MOST_MOVES: usize = 60;

/// As much of a message of an engine as is shown.
const LONGEST_MESSAGE: usize = 500;

/// What an engine of a dialect has reported about the end of a line, as a page shows it.
pub fn thought(info: &EngineInfo, dialect: Dialect, line: &AnyLine) -> Thought {
    let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    let numbers = info.numbers();
    let lines = info.lines().filter_map(|(rank, info)| {
        let (game, side) = (line.game(), line.side());
        let score = engine_score(game, dialect, side, info.score?, info.wdl)?;
        let depth = info.depth.unwrap_or(numbers.depth);
        line_view(line, small(rank), small(depth), score, info.pv_moves())
    });
    Thought {
        numbers: numbers.clone(),
        lines: lines.collect(),
        said: info.message().map(|text| clean(text, LONGEST_MESSAGE)),
    }
}

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
    use quadrille_client::InfoLine;
    use quadrille_protocol::{Bound, Report};

    /// What is shown of lines of an engine about the end of a line.
    fn shown(line: &AnyLine, said: &[&str]) -> Thought {
        let mut info = EngineInfo::default();
        for text in said {
            let text = format!("info {text}");
            if let Report::Info(one) = Report::parse(text.as_bytes(), Dialect::Uci).message {
                info.record(InfoLine::read(&one, line));
            }
        }
        thought(&info, Dialect::Uci, line)
    }

    #[test]
    fn bounds_never_take_the_place_of_scores() {
        let line = AnyLine::start(Game::Chess);
        let bound = "depth 4 score cp 900 lowerbound pv e2e4";
        assert!(shown(&line, &[bound]).lines.is_empty());
        let exact = "depth 5 score cp 20 pv e2e4 e7e5";
        let later = "depth 6 score cp 900 lowerbound pv d2d4";
        let thought = shown(&line, &[bound, exact, later]);
        // The engine is at depth 6, whatever it has found there.
        assert_eq!(thought.numbers.depth, 6);
        assert_eq!(thought.lines.len(), 1);
        assert_eq!(thought.lines[0].score.cp, Some(20));
        assert_eq!(thought.lines[0].depth, 5);
        assert_eq!(thought.lines[0].notation, ["e4", "e5"]);
        assert_eq!(thought.lines[0].squares, ["e2", "e4"]);
    }

    #[test]
    fn scores_and_numbers_are_those_of_the_newest_lines() {
        let mut line = AnyLine::start(Game::Chess);
        line.play("e2e4").expect("legal");
        let first = "depth 5 multipv 1 score cp 30 nodes 1000 time 300 pv e7e5";
        let second = "depth 4 multipv 2 score mate -3 hashfull 1500 pv c7c5";
        let thought = shown(&line, &[first, second, "string \u{1b}[31mred"]);
        assert_eq!(thought.lines[0].score.cp, Some(-30));
        assert!(thought.lines[0].score.win < 0.5);
        assert_eq!(thought.lines[1].score.mate, Some(3));
        assert!(thought.lines[1].score.win > 0.99);
        // The second line is from the iteration before.
        let numbers = &thought.numbers;
        assert_eq!((numbers.depth, numbers.hashfull), (5, Some(1000)));
        assert_eq!((numbers.nodes, numbers.nps), (1000, 3333));
        assert_eq!(thought.said.as_deref(), Some("[31mred"));
    }

    #[test]
    fn what_cannot_be_played_is_not_shown() {
        let line = AnyLine::start(Game::Chess);
        let odd = "multipv 1 depth 5 score cp 0 pv <script>alert(1)</script>";
        let short = "multipv 2 depth 5 score cp 0 pv e2e4 e2e4 e7e5";
        let far = "multipv 9999 depth 5 score cp 0 pv e2e4";
        let thought = shown(&line, &[odd, short, far]);
        assert_eq!(thought.lines.len(), 1);
        assert_eq!(thought.lines[0].moves, ["e2e4"]);
    }

    #[test]
    fn scores_are_turned_to_white() {
        let seen = |side, score| engine_score(Game::Chess, Dialect::Uci, side, score, None);
        let black = seen(Side::Black, Score::cp(50)).unwrap();
        assert_eq!(black.cp, Some(-50));
        assert!(black.win < 0.5);
        assert_eq!(seen(Side::Black, Score::mate(-2)).unwrap().mate, Some(2));
        let mated = seen(Side::Black, Score::mate(0)).unwrap();
        assert_eq!((mated.mate, mated.win), (Some(0), 1.0));
        let bound = Score::cp(5).with_bound(Bound::Lower);
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
