//! What the analyst found, as a page shows it.

use quadrille_analysis::judge::Judgement;
use quadrille_analysis::{Evaluation, GameReport};
use quadrille_desk::thought::{Value, score_view};
use quadrille_desk::wire::{
    MomentView, NodeId, PlayerReport, PositionReport, ReportView, ScoreView, StudyId,
};
use quadrille_driver::EngineScore;
use quadrille_games::{Game, Side};

/// Scores beyond this do not count when losses are averaged.
const DECIDED: i32 = 1000;

/// The number of a glyph.
pub(super) const fn nag(judgement: Judgement) -> u8 {
    match judgement {
        Judgement::Inaccuracy => 6,
        Judgement::Mistake => 2,
        Judgement::Blunder => 4,
    }
}

fn score(evaluation: &Evaluation, chance: Option<f64>) -> Option<ScoreView> {
    let best = evaluation.best()?;
    // The game does not matter: the chance is known.
    let mut view = match best.score {
        Some(EngineScore::Cp(cp)) => score_view(Game::Chess, Value::Cp(cp), best.wdl),
        Some(EngineScore::Mate(moves)) => score_view(Game::Chess, Value::Mate(moves), best.wdl),
        None => only(best.chance?),
    };
    view.win = chance.or(best.chance).unwrap_or(view.win);
    Some(view)
}

/// A chance without a score.
const fn only(win: f64) -> ScoreView {
    ScoreView {
        cp: None,
        mate: None,
        win,
        wdl: None,
    }
}

/// A position of which only the answer is known yet.
pub(super) fn position(
    ply: usize,
    nodes: &[NodeId],
    answer: &Evaluation,
) -> Option<PositionReport> {
    let best = answer.best()?.notation.first().cloned();
    Some(PositionReport {
        ply: ply as u32,
        node: *nodes.get(ply)?,
        score: score(answer, None)?,
        best,
        loss: 0.0,
        nag: None,
    })
}

/// A whole game.
pub(super) fn finished(
    study: StudyId,
    by: &str,
    nodes: &[NodeId],
    report: &GameReport,
) -> ReportView {
    let position = |(ply, position): (usize, &quadrille_analysis::PositionReport)| {
        let answer = position.evaluations.first().and_then(Option::as_ref);
        let known = answer.and_then(|answer| score(answer, position.chance));
        let made = report.played(ply);
        Some(PositionReport {
            ply: ply as u32,
            node: *nodes.get(ply)?,
            score: known.or_else(|| position.chance.map(only))?,
            best: answer.and_then(|answer| answer.best()?.notation.first().cloned()),
            loss: made.and_then(|made| made.loss).unwrap_or_default(),
            nag: made.and_then(|made| made.judgement).map(nag),
        })
    };
    let positions: Vec<PositionReport> = report
        .positions
        .iter()
        .enumerate()
        .filter_map(position)
        .collect();
    let player = |side: Side| {
        let found = &report.players[side.index()];
        let time = found.time.as_ref();
        PlayerReport {
            accuracy: found.accuracy.unwrap_or(100.0),
            inaccuracies: found.inaccuracies as u32,
            mistakes: found.mistakes as u32,
            blunders: found.blunders as u32,
            loss: centipawns(report, &positions, side),
            time: time.map(|time| time.average.as_secs_f64() * 1000.0),
        }
    };
    let moment = |&ply: &usize| {
        let made = report.played(ply)?;
        Some(MomentView {
            node: *nodes.get(ply)?,
            side: made.side,
            played: made.notation.clone(),
            best: made.best.clone().unwrap_or_default(),
            loss: made.loss.unwrap_or_default(),
        })
    };
    ReportView {
        study,
        by: by.into(),
        players: Some((player(Side::White), player(Side::Black))),
        moments: report.critical.iter().filter_map(moment).collect(),
        positions,
    }
}

/// What a move of a side lost on average, in hundredths.
fn centipawns(report: &GameReport, positions: &[PositionReport], side: Side) -> f64 {
    let value = |ply: usize| {
        let found = positions
            .iter()
            .find(|position| position.ply as usize == ply)?;
        let cp = match (found.score.cp, found.score.mate) {
            (Some(cp), _) => cp.clamp(-DECIDED, DECIDED),
            (None, Some(_)) => (found.score.win * 2.0 - 1.0) as i32 * DECIDED,
            (None, None) => return None,
        };
        Some(if side == Side::White { cp } else { -cp })
    };
    let moves = report.moves.iter().filter(|made| made.side == side);
    let losses: Vec<f64> = moves
        .filter_map(|made| Some(f64::from((value(made.ply - 1)? - value(made.ply)?).max(0))))
        .collect();
    if losses.is_empty() {
        return 0.0;
    }
    losses.iter().sum::<f64>() / losses.len() as f64
}
