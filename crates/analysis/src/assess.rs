//! From answers to a report: what each move was worth, how each player did.

use quadrille_games::{AnyLine, Side};

use super::cache::Answered;
use super::judge::{self, Judgement, decided, seen_by};
use super::report::{BestLine, Evaluation, GameReport, MoveReport, PlayerReport, PositionReport};
use super::subject::Subject;
use super::times::time_use;

/// So many moments of a game are critical at most.
const MOMENTS: usize = 5;

/// What an engine said about the last position of a line, in White's view and
/// with the moves as people read them.
pub(super) fn evaluation(answer: &Answered, at: &AnyLine) -> Evaluation {
    let lines = answer.lines.iter().map(|line| in_whites_view(line, at));
    Evaluation {
        lines: lines.collect(),
        depth: answer.depth,
        nodes: answer.nodes,
    }
}

fn in_whites_view(line: &BestLine, at: &AnyLine) -> BestLine {
    use quadrille_driver::EngineScore::{Cp, Mate};
    let side = at.side();
    let chance = judge::chance(at.game(), line.score, line.wdl);
    let mut white = BestLine {
        chance: chance.map(|own| seen_by(side, own)),
        notation: notation(line, at),
        ..line.clone()
    };
    if side == Side::Black {
        white.score = line.score.map(|score| match score {
            Cp(cp) => Cp(cp.saturating_neg()),
            Mate(moves) => Mate(moves.saturating_neg()),
        });
        if let Some(wdl) = &mut white.wdl {
            core::mem::swap(&mut wdl.win, &mut wdl.loss);
        }
    }
    white
}

fn notation(line: &BestLine, at: &AnyLine) -> Vec<String> {
    let mut after = at.variation();
    let written = line.moves.iter().map_while(|text| {
        let m = after.parse_move(text).ok()?;
        let notation = after.notation_of(m).ok()?;
        after.push(m).ok().map(|()| notation)
    });
    written.collect()
}

/// The report of a game whose positions were all looked at: for each position
/// what each engine said.
pub(super) fn report(
    subject: Subject,
    evaluations: Vec<Vec<Option<Evaluation>>>,
    engines: Vec<String>,
) -> GameReport {
    let (game, start) = (subject.game(), subject.line.start_text());
    let asked = subject.positions.into_iter().zip(evaluations);
    let positions: Vec<PositionReport> = asked
        .map(|(asked, evaluations)| {
            let first = evaluations.first().and_then(Option::as_ref);
            let said = first.and_then(|found| found.best()?.chance);
            PositionReport {
                chance: asked.over.map(decided).or(said),
                over: asked.over.map(|outcome| outcome.to_string()),
                evaluations,
            }
        })
        .collect();
    let mut moves = subject.moves;
    for (index, played) in moves.iter_mut().enumerate() {
        if let [before, after, ..] = &positions[index..] {
            assess(played, before, after);
        }
    }
    GameReport {
        number: subject.number,
        line: subject.file_line,
        game,
        rules: subject.rules,
        start,
        heading: subject.heading,
        opening: subject.opening,
        engines,
        players: Side::BOTH.map(|side| player(&moves, side)),
        critical: critical(&moves),
        positions,
        moves,
    }
}

fn assess(played: &mut MoveReport, before: &PositionReport, after: &PositionReport) {
    let evaluation = before.evaluations.first().and_then(Option::as_ref);
    let lines = evaluation.map_or(&[][..], |found| &found.lines);
    let best = lines.first();
    played.best = best.and_then(|line| line.notation.first().cloned());
    let is_best = best.is_some_and(|line| line.moves.first() == Some(&played.text));
    played.loss = if is_best || played.forced {
        Some(0.0)
    } else {
        let known = before.chance.zip(after.chance);
        known.map(|(before, after)| judge::loss(played.side, before, after))
    };
    played.judgement = played.loss.and_then(Judgement::of);
    played.accuracy = played.loss.filter(|_| !played.forced).map(judge::accuracy);
    let gap = |line: &BestLine, next: &BestLine| {
        Some(judge::loss(played.side, line.chance?, next.chance?))
    };
    played.only = match lines {
        [first, second, ..] if is_best && !played.forced => {
            gap(first, second).is_some_and(|gap| gap >= Judgement::Mistake.least())
        }
        _ => false,
    };
}

fn player(moves: &[MoveReport], side: Side) -> PlayerReport {
    let own = || moves.iter().filter(|played| played.side == side);
    let marked = |wanted| {
        own()
            .filter(|played| played.judgement == Some(wanted))
            .count()
    };
    let mean = |values: Vec<f64>| {
        let count = values.len() as f64;
        (count > 0.0).then(|| judge::rounded(values.iter().sum::<f64>() / count))
    };
    let free = || own().filter(|played| !played.forced);
    PlayerReport {
        moves: own().count(),
        accuracy: judge::together(
            &free()
                .filter_map(|played| played.accuracy)
                .collect::<Vec<_>>(),
        ),
        loss: mean(free().filter_map(|played| played.loss).collect()),
        inaccuracies: marked(Judgement::Inaccuracy),
        mistakes: marked(Judgement::Mistake),
        blunders: marked(Judgement::Blunder),
        time: time_use(moves, side),
    }
}

/// The plies of the greatest losses that are mistakes at least, in their order in
/// the game.
fn critical(moves: &[MoveReport]) -> Vec<usize> {
    let mut worst: Vec<(f64, usize)> = moves
        .iter()
        .filter(|played| played.judgement >= Some(Judgement::Mistake))
        .filter_map(|played| Some((played.loss?, played.ply)))
        .collect();
    worst.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut plies: Vec<usize> = worst
        .into_iter()
        .take(MOMENTS)
        .map(|(_, ply)| ply)
        .collect();
    plies.sort_unstable();
    plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;
    use quadrille_driver::EngineScore;

    fn answer(cp: &[i64], moves: &[&str]) -> Answered {
        let lines = cp.iter().zip(moves).map(|(cp, text)| BestLine {
            score: Some(EngineScore::Cp(*cp)),
            moves: vec![(*text).into()],
            ..BestLine::default()
        });
        Answered {
            lines: lines.collect(),
            ..Answered::default()
        }
    }

    /// A game and, for each position, what the engine said there.
    fn assessed(pgn: &str, answers: &[Answered]) -> GameReport {
        let games = Games::read(pgn.as_bytes());
        let subject = Subject::read(games.get(0).unwrap(), &mut || false).unwrap();
        let mut at = subject.line.clone();
        let mut found = Vec::new();
        for index in (0..subject.positions.len()).rev() {
            let answer = answers.get(index).filter(|answer| !answer.lines.is_empty());
            found.push(vec![answer.map(|answer| evaluation(answer, &at))]);
            at.pop();
        }
        found.reverse();
        report(subject, found, vec!["E".into()])
    }

    #[test]
    fn a_move_is_worth_what_it_leaves() {
        // Scores of the side to move: White is better, Black errs, White forgives.
        let report = assessed(
            "1. e4 e5 2. Nf3 *",
            &[
                answer(&[30, 20], &["e2e4", "d2d4"]),
                answer(&[-30], &["c7c5"]),
                answer(&[240, -60], &["g1f3", "f2f4"]),
                answer(&[-10], &["b8c6"]),
            ],
        );
        let losses: Vec<Option<f64>> = report.moves.iter().map(|m| m.loss).collect();
        assert_eq!(losses[0], Some(0.0), "the best move loses nothing");
        // 1 - expected(30) is what Black had, 1 - expected(240) what was left.
        let before = judge::chance(
            quadrille_games::Game::Chess,
            Some(EngineScore::Cp(-30)),
            None,
        );
        let after = judge::chance(
            quadrille_games::Game::Chess,
            Some(EngineScore::Cp(-240)),
            None,
        );
        let lost = before.unwrap() - after.unwrap();
        assert!(
            (losses[1].unwrap() - lost).abs() < 1e-9,
            "{losses:?} {lost}"
        );
        assert_eq!(report.moves[1].judgement, Some(Judgement::Blunder));
        assert_eq!(report.moves[1].best.as_deref(), Some("c5"));
        assert_eq!(losses[2], Some(0.0));
        assert!(report.moves[2].only && !report.moves[0].only);
        assert_eq!(report.critical, [2]);
        let [white, black] = &report.players;
        assert_eq!((white.moves, white.accuracy), (2, Some(100.0)));
        assert_eq!((black.moves, black.blunders, black.mistakes), (1, 1, 0));
        assert!(black.accuracy.unwrap() < 50.0);
        let (before, after) = report.swing(2).unwrap();
        assert!(before > 0.45 && after < 0.3);
        // White's view, whoever is to move.
        assert_eq!(report.positions[1].chance, report.positions[0].chance);
    }

    #[test]
    fn the_rules_know_how_it_ended() {
        let mate = assessed("1. f3 e5 2. g4 Qh4# 0-1", &[]);
        assert_eq!(mate.positions[4].chance, Some(0.0));
        assert_eq!(
            mate.positions[4].over.as_deref(),
            Some("Black wins by checkmate")
        );
        // Without answers nothing is judged.
        assert!(
            mate.moves
                .iter()
                .all(|m| m.loss.is_none() && m.accuracy.is_none())
        );
        assert_eq!(mate.players[0].accuracy, None);
        // The last move is judged by the result.
        let missed = [
            Answered::default(),
            Answered::default(),
            answer(&[-20], &["d2d4"]),
            answer(&[0], &["d7d5"]),
        ];
        let mate = assessed("1. f3 e5 2. g4 Qh4# 0-1", &missed);
        assert_eq!(mate.moves[3].loss, Some(0.0));
        assert_eq!(mate.moves[3].best.as_deref(), Some("d5"));
    }

    #[test]
    fn a_forced_move_is_no_choice() {
        let fen = "[FEN \"7k/8/8/8/8/8/5q2/7K w - - 0 1\"]\n\n";
        let pgn = format!("{fen}1. Kh1 *");
        assert!(Subject::read(Games::read(pgn.as_bytes()).get(0).unwrap(), &mut || false).is_err());
        let fen = "[FEN \"k7/8/8/8/8/8/1r6/K7 w - - 0 1\"]\n\n1. Kxb2 Ka7 *";
        let report = assessed(fen, &[answer(&[-900], &["a1b2"]), answer(&[0], &["a8b8"])]);
        assert!(report.moves[0].forced && !report.moves[1].forced);
        assert_eq!(report.moves[0].accuracy, None);
        assert_eq!(report.players[0].accuracy, None);
    }

    #[test]
    fn at_most_five_moments_are_critical() {
        let mut played = assessed("1. e4 e5 *", &[]).moves;
        let template = played.remove(0);
        let moves: Vec<MoveReport> = (1..=9)
            .map(|ply| {
                let loss = 0.025 * ply as f64;
                MoveReport {
                    ply,
                    loss: Some(loss),
                    judgement: Judgement::of(loss),
                    ..template.clone()
                }
            })
            .collect();
        assert_eq!(critical(&moves), [5, 6, 7, 8, 9]);
    }
}
