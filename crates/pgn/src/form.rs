//! The forms in which games are written.

use core::fmt::Write;

use quadrille_games::Position;
use quadrille_games::records::{NodeId, Ply, Record, Score, WriteOptions};
use serde_json::{Map, Value, json};

/// What is written of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Its bytes, as they are in the file.
    #[default]
    Same,
    /// A record in the export format.
    Pgn(WriteOptions),
    /// Every position of the main line, one on a line.
    Positions,
    /// The last position of the main line.
    Last,
    /// One object on a line.
    Json,
}

/// Variations in variations that an object holds; readers of JSON have bounds.
const DEEPEST: usize = 40;

/// Where a game stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    pub(super) file: &'a str,
    pub(super) number: u64,
    pub(super) line: u64,
}

/// Writes a game; `Err` says why it cannot be written in this form.
pub(super) fn write<P: Position>(
    form: Form,
    record: &Record<P>,
    origin: Origin<'_>,
    out: &mut Vec<u8>,
) -> Result<(), &'static str> {
    match form {
        Form::Same => out.extend_from_slice(record.to_pgn().as_bytes()),
        Form::Pgn(options) => out.extend_from_slice(record.to_pgn_with(&options).as_bytes()),
        Form::Positions => {
            let mut text = format!("{}\n", record.start().text());
            walk(record, |board| {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}", board.text());
            });
            out.extend_from_slice(text.as_bytes());
        }
        Form::Last => {
            let last = walk(record, |_| {});
            out.extend_from_slice(last.text().as_bytes());
            out.push(b'\n');
        }
        Form::Json => {
            let object = object(record, origin)?;
            out.extend_from_slice(object.to_string().as_bytes());
            out.push(b'\n');
        }
    }
    Ok(())
}

fn make<P: Position>(board: &mut P, ply: Ply<P::Move>) {
    match ply {
        Ply::Move(m) => board.make(m, &mut ()),
        Ply::Pass => board.pass(),
    };
}

/// Goes along the main line and gives its end.
fn walk<P: Position>(record: &Record<P>, mut each: impl FnMut(&P)) -> P {
    let mut board = record.start().clone();
    for ply in record.main_line().filter_map(|id| record.ply(id)) {
        make(&mut board, ply);
        each(&board);
    }
    board
}

fn object<P: Position>(record: &Record<P>, origin: Origin<'_>) -> Result<Value, &'static str> {
    let tags: Map<String, Value> = record
        .tags()
        .iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let comments = texts(record, NodeId::ROOT, false);
    Ok(json!({
        "event": "game",
        "file": origin.file,
        "number": origin.number,
        "line": origin.line,
        "game": P::GAME.name(),
        "rules": P::rules_text(&record.start().rules()),
        "tags": tags,
        "start": record.start().text(),
        "comments": comments,
        "moves": line(record, record.next(NodeId::ROOT), record.start(), DEEPEST)?,
        "result": record.result().word(),
    }))
}

fn texts<P: Position>(record: &Record<P>, id: NodeId, before: bool) -> Vec<String> {
    let notes = record.notes(id);
    let list = if before { &notes.before } else { &notes.after };
    list.iter().map(|comment| comment.text().into()).collect()
}

/// The moves from a node on, each with the variations beside it.
fn line<P: Position>(
    record: &Record<P>,
    first: Option<NodeId>,
    start: &P,
    deep: usize,
) -> Result<Vec<Value>, &'static str> {
    let mut moves = Vec::new();
    let mut board = start.clone();
    let mut next = first;
    while let Some(id) = next {
        let Some(ply) = record.ply(id) else {
            break;
        };
        let mut step = step(record, id, &board, ply);
        let siblings = record
            .parent(id)
            .into_iter()
            .flat_map(|p| record.children(p));
        let mut variations = Vec::new();
        // The first move of a variation is one of those beside the move it replaces.
        let beside = deep < DEEPEST && moves.is_empty();
        for other in siblings.filter(|other| *other != id && !beside) {
            let deeper = deep.checked_sub(1);
            let deeper = deeper.ok_or("its variations are nested too deep for JSON")?;
            variations.push(Value::from(line(record, Some(other), &board, deeper)?));
        }
        if !variations.is_empty() {
            step.insert("variations".into(), variations.into());
        }
        moves.push(step.into());
        make(&mut board, ply);
        next = record.next(id);
    }
    Ok(moves)
}

fn step<P: Position>(
    record: &Record<P>,
    id: NodeId,
    board: &P,
    ply: Ply<P::Move>,
) -> Map<String, Value> {
    let (text, notation) = match ply {
        Ply::Move(m) => (board.move_text(m), board.notation(m)),
        Ply::Pass => ("--".into(), "--".into()),
    };
    let mut step = Map::new();
    step.insert("move".into(), text.into());
    step.insert("notation".into(), notation.into());
    let mut list = |name: &str, values: Vec<Value>| {
        if !values.is_empty() {
            step.insert(name.into(), values.into());
        }
    };
    let notes = record.notes(id);
    list("nags", notes.nags.iter().map(|nag| nag.0.into()).collect());
    let words = |before| texts(record, id, before).into_iter().map(Value::from);
    list("before", words(true).collect());
    list("comments", words(false).collect());
    let millis = |time: std::time::Duration| Value::from(time.as_micros() as f64 / 1000.0);
    if let Some(clock) = record.clock(id) {
        step.insert("clock".into(), millis(clock));
    }
    if let Some(elapsed) = record.elapsed(id) {
        step.insert("elapsed".into(), millis(elapsed));
    }
    if let Some(evaluation) = record.evaluation(id) {
        let score = match evaluation.score {
            Score::Mate(moves) => json!({ "mate": moves }),
            Score::Centipawns(cp) => json!({ "cp": cp }),
        };
        step.insert("score".into(), score);
    }
    step
}
