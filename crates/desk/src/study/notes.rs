//! What is written to a move, taken apart for a page and put together again.

use core::time::Duration;

use quadrille_games::records::{Comment, CommentPart, Evaluation, Nag, Notes, Score};
use quadrille_games::{Game, Side};

use crate::thought::{Value, score_view};
use crate::wire::{ScoreView, Shape};

/// The commands of arrows and circles.
const SHAPES: [&str; 2] = ["csl", "cal"];
/// The colours that records know.
const COLOURS: [&str; 4] = ["G", "R", "B", "Y"];

/// A node's notes as a page has them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Written {
    pub(super) comment: String,
    pub(super) shapes: Vec<Shape>,
    pub(super) evaluation: Option<ScoreView>,
    pub(super) clock: Option<f64>,
    pub(super) spent: Option<f64>,
}

/// Takes the comments behind a move apart; `side` made it.
pub(super) fn read(notes: &Notes, game: Game, side: Side) -> Written {
    let mut found = Written::default();
    let mut evaluation: Option<Evaluation> = None;
    let mut words: Vec<String> = Vec::new();
    for comment in &notes.after {
        found.clock = found.clock.or_else(|| comment.clock().map(millis));
        found.spent = found.spent.or_else(|| comment.elapsed().map(millis));
        evaluation = evaluation.or_else(|| comment.evaluation());
        if let Some((score, elapsed)) = runner_note(comment) {
            let seen = match side {
                Side::White => score.score,
                Side::Black => score.score.flipped(),
            };
            evaluation = evaluation.or(Some(Evaluation {
                score: seen,
                ..score
            }));
            found.spent = found.spent.or_else(|| elapsed.map(millis));
            continue;
        }
        words.push(comment.words());
        for part in comment.parts() {
            if let CommentPart::Command { name, value, .. } = part
                && SHAPES.contains(&name)
            {
                found.shapes.extend(value.split(',').filter_map(read_shape));
            }
        }
    }
    words.retain(|text| !text.is_empty());
    found.comment = words.join(" ");
    found.evaluation = evaluation.map(|evaluation| {
        let value = match evaluation.score {
            Score::Centipawns(cp) => Value::Cp(cp.into()),
            Score::Mate(moves) => Value::Mate(moves.into()),
        };
        score_view(game, value, None)
    });
    found
}

/// The words before a move.
pub(super) fn before(notes: &Notes) -> String {
    let words = notes.before.iter().map(Comment::words);
    let words: Vec<String> = words.filter(|text| !text.is_empty()).collect();
    words.join(" ")
}

/// The comment of a match runner with a score: `+0.35/12 1.2s`.
fn runner_note(comment: &Comment) -> Option<(Evaluation, Option<Duration>)> {
    let note = comment.engine_note()?;
    Some((note.evaluation?, note.elapsed))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Other words behind the move; commands stay, but for those that were written anew. A
/// closing brace would end the comment for most other programs.
pub(super) fn with_comment(notes: &Notes, text: &str) -> Notes {
    let text = text.replace('}', ")");
    let typed = Comment::new(&text);
    let is_typed = |wanted: &str| {
        let names = typed.parts().filter_map(|part| match part {
            CommentPart::Command { name, .. } => Some(name),
            CommentPart::Words(_) => None,
        });
        names.into_iter().any(|name| name == wanted)
    };
    rewritten(notes, |name| !is_typed(name), "", &text)
}

/// Other arrows and circles; everything else stays.
pub(super) fn with_shapes(notes: &Notes, shapes: &[Shape]) -> Notes {
    let list = |arrows: bool| -> String {
        let wanted = shapes.iter().filter(|shape| shape.to.is_some() == arrows);
        let texts = wanted.map(|shape| {
            let to = shape.to.as_deref().unwrap_or_default();
            format!("{}{}{to}", shape.colour, shape.from)
        });
        texts.collect::<Vec<_>>().join(",")
    };
    let mut commands = String::new();
    for (name, value) in [("csl", list(false)), ("cal", list(true))] {
        if !value.is_empty() {
            commands.extend(["[%", name, " ", value.as_str(), "]"]);
        }
    }
    let words = read(notes, Game::Chess, Side::White).comment;
    rewritten(notes, |name| !SHAPES.contains(&name), &commands, &words)
}

/// The comments behind a move as one: commands that are kept, new ones, words. Notes
/// of match runners stay as they are.
fn rewritten(notes: &Notes, keep: impl Fn(&str) -> bool, commands: &str, words: &str) -> Notes {
    let mut after: Vec<Comment> = Vec::new();
    let mut text = String::new();
    for comment in &notes.after {
        if runner_note(comment).is_some() {
            after.push(comment.clone());
            continue;
        }
        for part in comment.parts() {
            if let CommentPart::Command { name, whole, .. } = part
                && keep(name)
            {
                text.push_str(whole);
            }
        }
    }
    text.push_str(commands);
    if !text.is_empty() && !words.is_empty() {
        text.push(' ');
    }
    text.push_str(words);
    after.push(Comment::new(&text));
    Notes {
        before: notes.before.clone(),
        nags: notes.nags.clone(),
        after,
    }
}

/// These glyphs and no others.
pub(super) fn with_nags(notes: &Notes, nags: &[u8]) -> Notes {
    let mut wanted: Vec<Nag> = Vec::new();
    for &number in nags {
        if !wanted.contains(&Nag(number)) {
            wanted.push(Nag(number));
        }
    }
    Notes {
        nags: wanted,
        ..notes.clone()
    }
}

/// Reads `Gd2d4` or `Ra1`; squares of large boards have several letters and digits.
fn read_shape(text: &str) -> Option<Shape> {
    let text = text.trim();
    let colour = COLOURS
        .into_iter()
        .find(|colour| text.starts_with(colour))?;
    let (from, rest) = split_square(&text[1..])?;
    let to = match rest {
        "" => None,
        rest => match split_square(rest)? {
            (to, "") => Some(to.to_owned()),
            _ => return None,
        },
    };
    Some(Shape {
        colour: colour.into(),
        from: from.to_owned(),
        to,
    })
}

/// A square's name at the start of a text, and the rest.
fn split_square(text: &str) -> Option<(&str, &str)> {
    let count = |text: &str, fits: fn(&u8) -> bool| text.bytes().take_while(fits).count();
    let letters = count(text, u8::is_ascii_alphabetic);
    let digits = count(&text[letters..], u8::is_ascii_digit);
    let fits = (1..=3).contains(&letters) && (1..=3).contains(&digits);
    fits.then(|| text.split_at(letters + digits))
}

/// Whether a page's shape can be written down and read back.
pub(super) fn is_shape(shape: &Shape) -> bool {
    let is_square = |name: &str| split_square(name).is_some_and(|(_, rest)| rest.is_empty());
    COLOURS.contains(&&*shape.colour)
        && is_square(&shape.from)
        && shape.to.as_deref().is_none_or(is_square)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(comments: &[&str]) -> Notes {
        Notes {
            after: comments.iter().map(|text| Comment::new(text)).collect(),
            ..Notes::default()
        }
    }

    #[test]
    fn comments_are_taken_apart() {
        let written = read(
            &notes(&[
                "[%eval -1.5] [%clk 0:01:02] good [%csl Ra1,Gb2][%cal Bd2d4,Yaa10b12]",
                "+0.35/12 1.2s",
            ]),
            Game::Chess,
            Side::White,
        );
        assert_eq!(written.comment, "good");
        assert_eq!(written.clock, Some(62_000.0));
        assert_eq!(written.spent, Some(1_200.0));
        assert_eq!(written.evaluation.and_then(|e| e.cp), Some(-150));
        let to: Vec<_> = written.shapes.iter().map(|s| s.to.as_deref()).collect();
        assert_eq!(to, [None, None, Some("d4"), Some("b12")]);
        let runner = read(&notes(&["+0.35/12 1.2s"]), Game::Chess, Side::Black);
        assert_eq!(runner.evaluation.and_then(|e| e.cp), Some(-35));
        assert_eq!(runner.comment, "");
    }

    #[test]
    fn what_is_not_edited_stays() {
        let old = notes(&[
            "[%eval 0.3] [%foo bar] old words [%csl Ra1]",
            "+0.35/12 1.2s",
        ]);
        let new = with_comment(&old, "new words");
        assert_eq!(new.after.len(), 2);
        assert_eq!(new.after[0].text(), "+0.35/12 1.2s");
        assert_eq!(
            new.after[1].text(),
            "[%eval 0.3][%foo bar][%csl Ra1] new words"
        );
        let shape = Shape {
            colour: "G".into(),
            from: "e2".into(),
            to: Some("e4".into()),
        };
        let new = with_shapes(&new, std::slice::from_ref(&shape));
        assert_eq!(
            new.after[1].text(),
            "[%eval 0.3][%foo bar][%cal Ge2e4] new words"
        );
        assert_eq!(read(&new, Game::Chess, Side::White).shapes, [shape]);
    }

    #[test]
    fn what_is_typed_reads_back_everywhere_and_stands_once() {
        let old = notes(&["[%eval 0.3][%csl Ra1] words"]);
        let new = with_comment(&old, "a {brace} [%csl Gb2]");
        assert_eq!(new.after[0].text(), "[%eval 0.3] a {brace) [%csl Gb2]");
    }

    #[test]
    fn odd_shapes_are_left_out() {
        for text in ["", "G", "Xa1", "Gaaaa1", "Ga1b", "Ga1b2c3", "G1a", "Gé1"] {
            assert_eq!(read_shape(text), None, "{text}");
        }
    }
}
