//! The report of a game, written into its record.

use quadrille_games::records::{Evaluation as Written, Nag, NodeId, Record, Score};
use quadrille_games::{Position, match_game};

use quadrille_net::sanitize::one_line;

use super::apart::Stopped;
use super::games::GameText;
use super::judge::Judgement;
use super::options::{Options, Variations};
use super::report::{BestLine, Evaluation, GameReport, MoveReport};
use super::subject::{Unread, main_nodes, record};
use quadrille_driver::EngineScore;

/// `□`, the only move.
const ONLY: Nag = Nag(7);
/// Glyphs of the main line that are ours to set.
const OURS: [Nag; 4] = [Nag::DUBIOUS, Nag::MISTAKE, Nag::BLUNDER, ONLY];
/// What says who annotated, as a tag begins with it.
const ANNOTATOR: &str = concat!("Quadrille ", env!("CARGO_PKG_VERSION"));

/// The game with everything in it that the report says.
pub(super) fn annotate(
    text: GameText<'_>,
    report: &GameReport,
    options: &Options,
    stopped: Stopped<'_>,
) -> Result<String, Unread> {
    match_game!(text.game, P => write::<P>(text, report, options, stopped))
}

fn write<P: Position>(
    text: GameText<'_>,
    report: &GameReport,
    options: &Options,
    stopped: Stopped<'_>,
) -> Result<String, Unread> {
    let mut record = record::<P>(text, stopped)?;
    tags(&mut record, report, options);
    let nodes = main_nodes(&record);
    for (played, &node) in report.moves.iter().zip(&nodes) {
        if stopped() {
            return Err(Unread::Stopped);
        }
        for nag in OURS {
            record.remove_nag(node, nag);
        }
        if let Some(judgement) = played.judgement {
            record.add_nag(node, judgement.nag());
        } else if played.only {
            record.add_nag(node, ONLY);
        }
        comment(&mut record, node, played, report);
        variations(&mut record, node, played, report, options);
    }
    Ok(record.to_pgn())
}

fn tags<P: Position>(record: &mut Record<P>, report: &GameReport, options: &Options) {
    let engines = report.engines.join(", ");
    let annotator = format!("{ANNOTATOR} with {engines}, {}", options.limit_words());
    let people = record
        .tag("Annotator")
        .filter(|known| !known.is_empty() && *known != "?" && !known.starts_with("Quadrille "));
    let mut tags = Vec::new();
    if people.is_none() {
        tags.push(("Annotator", annotator));
    }
    if let Some(opening) = &report.opening {
        let unknown = |name| {
            record
                .tag(name)
                .is_none_or(|value| matches!(value, "" | "?"))
        };
        if unknown("ECO") && unknown("Opening") {
            tags.push(("ECO", opening.eco.clone()));
            tags.push(("Opening", opening.name.clone()));
        }
    }
    for (name, player) in ["WhiteAccuracy", "BlackAccuracy"]
        .into_iter()
        .zip(&report.players)
    {
        if let Some(accuracy) = player.accuracy {
            tags.push((name, format!("{accuracy:.1}")));
        }
    }
    for (name, value) in tags {
        // All names are ours and plain, so none is refused.
        let _ = record.set_tag(name, &one_line(&value));
    }
}

/// `[%eval ...]` after the move, and what is wrong with it in words.
fn comment<P: Position>(
    record: &mut Record<P>,
    node: NodeId,
    played: &MoveReport,
    report: &GameReport,
) {
    let notes = record.notes(node);
    // Another analysis says it anew.
    let before: Vec<String> = notes.before.iter().map(|c| c.text().into()).collect();
    let after: Vec<String> = notes.after.iter().map(|c| c.text().into()).collect();
    let noted = notes
        .after
        .first()
        .is_some_and(|c| c.engine_note().is_some());
    record.clear_comments(node);
    for text in before {
        record.comment_before(node, &text);
    }
    let rest = after.iter().map(|text| without_ours(text));
    let rest: Vec<String> = rest.filter(|text| !text.is_empty()).collect();
    let position = report.positions.get(played.ply);
    let said = position.and_then(|position| position.evaluations.first()?.as_ref());
    let value = said.and_then(written);
    let words = words(played, report);
    // The note of a match runner is read only where it stands alone.
    let apart = noted || rest.is_empty();
    if apart {
        let value = value.map(|value| format!("[%eval {value}]"));
        let own: Vec<String> = value.into_iter().chain(words.clone()).collect();
        record.comment_after(node, &own.join(" "));
    }
    for text in &rest {
        record.comment_after(node, text);
    }
    if !apart {
        if let Some(value) = value {
            record.set_evaluation(node, value);
        }
        record.comment_after(node, &words.unwrap_or_default());
    }
}

/// `Blunder: 71 % became 12 %. Rd8 was better.`
fn words(played: &MoveReport, report: &GameReport) -> Option<String> {
    let judgement = played.judgement?;
    let (before, after) = report.swing(played.ply)?;
    let percent = |chance: f64| (chance * 100.0).round();
    let mut words = format!(
        "{}: {} % became {} %.",
        judgement.word(),
        percent(before),
        percent(after)
    );
    if let Some(best) = &played.best {
        words = format!("{words} {best} was better.");
    }
    Some(words)
}

/// A comment without what an earlier analysis has put there.
fn without_ours(text: &str) -> String {
    let begins = |judgement: &Judgement| text.find(&format!("{}: ", judgement.word()));
    let ours = Judgement::ALL.iter().filter_map(begins).min();
    let rest = match ours.and_then(|at| text.split_at_checked(at)) {
        Some((rest, words)) if words.contains(" % became ") && words.ends_with('.') => {
            rest.trim_end()
        }
        _ => text,
    };
    let inner = rest
        .strip_prefix("[%eval ")
        .and_then(|rest| rest.strip_suffix(']'));
    match inner {
        Some(inner) if !inner.contains(']') => String::new(),
        _ => rest.into(),
    }
}

/// The score of a position in the form of records.
fn written(evaluation: &Evaluation) -> Option<Written> {
    score(evaluation.best()?, evaluation.depth)
}

fn score(line: &BestLine, depth: Option<u64>) -> Option<Written> {
    let fit = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { -i32::MAX } else { i32::MAX });
    Some(Written {
        score: match line.score? {
            EngineScore::Cp(cp) => Score::Centipawns(fit(cp)),
            EngineScore::Mate(moves) => Score::Mate(fit(moves)),
        },
        depth: depth.and_then(|depth| u32::try_from(depth).ok()),
    })
}

/// What engines would have played instead.
fn variations<P: Position>(
    record: &mut Record<P>,
    node: NodeId,
    played: &MoveReport,
    report: &GameReport,
    options: &Options,
) {
    let wanted = match options.variations {
        Variations::None => false,
        Variations::Mistakes => played.judgement.is_some(),
        Variations::All => true,
    };
    let Some((position, parent)) = report
        .positions
        .get(played.ply - 1)
        .zip(record.parent(node))
        .filter(|_| wanted)
    else {
        return;
    };
    let mut told: Vec<&String> = Vec::new();
    for (engine, said) in position.evaluations.iter().enumerate() {
        let Some(said) = said else {
            continue;
        };
        for line in &said.lines {
            let first = line.moves.first().filter(|first| **first != played.text);
            let Some(first) = first else {
                continue;
            };
            let several = report.engines.len() > 1;
            let name = report.engines.get(engine).filter(|_| several);
            // Of two engines with the same move the first one is quoted.
            let value = score(line, said.depth).filter(|_| !told.contains(&first));
            told.push(first);
            variation(record, parent, line, value, name, options.line_length);
        }
    }
}

fn variation<P: Position>(
    record: &mut Record<P>,
    parent: NodeId,
    line: &BestLine,
    value: Option<Written>,
    engine: Option<&String>,
    most: usize,
) {
    let mut at = parent;
    for (index, text) in line.moves.iter().take(most).enumerate() {
        // The asker has followed the line on a board.
        let Ok(next) = record.add_text(at, text) else {
            return;
        };
        if index == 0 {
            if let Some(value) = value {
                record.set_evaluation(next, value);
            }
            if let Some(engine) = engine {
                let said = record.notes(next).after.iter();
                let known = said
                    .clone()
                    .any(|comment| comment.text().contains(engine.as_str()));
                if !known {
                    record.comment_after(next, &one_line(engine));
                }
            }
        }
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use quadrille_games::{AnyLine, Game};

    use super::super::Games;
    use super::super::assess::{self, evaluation};
    use super::super::cache::Answered;
    use super::super::subject::Subject;
    use super::*;
    use quadrille_driver::spec::EngineSpec;

    #[test]
    fn only_our_own_words_are_replaced() {
        for (text, left) in [
            ("Blunder: 71 % became 12 %. Rd8 was better.", ""),
            ("[%eval 1.00,9] Mistake: 5 % became 1 %.", ""),
            ("[%eval 1.00,9]", ""),
            ("[%eval 1.00,9] [%clk 1:00]", "[%eval 1.00,9] [%clk 1:00]"),
            ("[%eval 1.00] strong", "[%eval 1.00] strong"),
            ("good", "good"),
            (
                "Mistake: this loses a piece.",
                "Mistake: this loses a piece.",
            ),
            ("", ""),
        ] {
            assert_eq!(without_ours(text), left, "{text}");
        }
    }

    #[test]
    fn of_two_engines_with_one_move_the_first_is_quoted() {
        let games = Games::read(&b"1. e4 *"[..]);
        let text = games.get(0).unwrap();
        let subject = Subject::read(text, &mut || false).unwrap();
        let start = AnyLine::start(Game::Chess);
        let said = |cp: i64| {
            let answer = Answered {
                lines: vec![BestLine {
                    score: Some(EngineScore::Cp(cp)),
                    moves: vec!["d2d4".into()],
                    ..BestLine::default()
                }],
                ..Answered::default()
            };
            Some(evaluation(&answer, &start))
        };
        let found = vec![vec![said(50), said(90)], vec![None, None]];
        let report = assess::report(subject, found, vec!["One".into(), "Two".into()]);
        let options = Options {
            variations: Variations::All,
            ..Options::new(EngineSpec::default())
        };
        let pgn = annotate(text, &report, &options, &mut || false).unwrap();
        let line = "1. e4 (1. d4 { [%eval 0.50] } { One } { Two }) *";
        assert!(pgn.contains(line), "{pgn}");
        // Quoted again, nothing piles up.
        let games = Games::read(pgn.as_bytes());
        let again = annotate(games.get(0).unwrap(), &report, &options, &mut || false).unwrap();
        assert_eq!(again, pgn);
    }
}
