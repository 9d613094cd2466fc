//! Positions put together piece by piece.

use quadrille_games::AnyLine;
use quadrille_games::builder::AnyBuilder;

use crate::boards::line_from;
use crate::refuse::Answered;
use crate::wire::{Answer, EditorView, Refusal, StudyStart};

/// More pieces than the largest board has squares.
const MOST_PIECES: usize = 65_536;
const MOST_FIELDS: usize = 64;

/// The field of Liberty Chess that has it: `8x8`.
const BOARD_SIZE: &str = "board size";

/// The editor with everything that is wrong.
///
/// Where a position is given, pieces and fields come from its text. Otherwise they
/// are put on an empty board one by one; what cannot be read is named and left out, so
/// that one mistake does not hide another.
pub(crate) fn edit(editor: EditorView) -> Answered {
    if editor.pieces.len() > MOST_PIECES || editor.fields.len() > MOST_FIELDS {
        return Err(Refusal::too_much(
            "more pieces or fields than any board has",
        ));
    }
    let mut errors = Vec::new();
    let builder = if editor.start.position.trim().is_empty() {
        put_together(&editor, &mut errors)?
    } else {
        let line = line_from(&editor.start)?;
        AnyBuilder::of(&line)
    };
    let built = builder.build();
    let text = match &built {
        Ok(line) if errors.is_empty() => Some(line.position_text()),
        Ok(_) => None,
        Err(wrong) => {
            errors.extend(wrong.iter().map(ToString::to_string));
            None
        }
    };
    let size = built.as_ref().ok().map(AnyLine::size);
    let size = size.unwrap_or_else(|| board_size(&builder, &editor.start));
    let fields = builder.fields().into_iter();
    let pieces = builder.pieces().into_iter();
    Ok(Answer::Editor(EditorView {
        start: StudyStart {
            game: editor.start.game,
            rules: editor.start.rules,
            position: String::new(),
        },
        size,
        pieces: pieces.map(|p| (p.square, p.piece)).collect(),
        fields: fields.map(|(name, value)| (name.into(), value)).collect(),
        errors,
        text,
    }))
}

fn put_together(editor: &EditorView, errors: &mut Vec<String>) -> Result<AnyBuilder, Refusal> {
    let mut builder = AnyBuilder::new(editor.start.game, editor.start.rules.trim())?;
    // Fields first: among them may be the size of the board, which decides what is a
    // square.
    for (name, value) in &editor.fields {
        if let Err(wrong) = builder.set(name, value) {
            errors.push(wrong.to_string());
        }
    }
    for (square, piece) in &editor.pieces {
        if let Err(wrong) = builder.put(square, piece) {
            errors.push(wrong.to_string());
        }
    }
    Ok(builder)
}

/// The size of a board that cannot be built: what its fields say, or that of the
/// usual board under its rules.
fn board_size(builder: &AnyBuilder, start: &StudyStart) -> (u16, u16) {
    let fields = builder.fields();
    let named = fields.iter().find_map(|(name, value)| {
        let (files, ranks) = value.split_once('x').filter(|_| *name == BOARD_SIZE)?;
        Some((files.parse().ok()?, ranks.parse().ok()?))
    });
    named.unwrap_or_else(|| {
        let usual = AnyLine::new(start.game, start.rules.trim(), "");
        usual.map_or((8, 8), |line| line.size())
    })
}
