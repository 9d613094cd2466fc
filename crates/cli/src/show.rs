//! `quadrille show`: a position and what is known about it.

use core::fmt::Write;
use std::io::{self, IsTerminal};

use clap::Args;
use quadrille_games::any_line::BeamView;
use quadrille_games::{AnyLine, AnyMove, Game, Outcome, Side};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{paint, panels};

/// More legal moves than this are counted but not listed: a board of 256x256
/// squares can have a billion.
const MOST_LISTED: usize = 20_000;

/// More than this are no help to a person.
const MOST_SHOWN: usize = 500;

/// Lines of moves are not longer than this.
const WIDTH: usize = 79;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    setup: Setup,

    /// Cut boards wider than so many characters into panels; the width of the
    /// terminal if missing
    #[arg(long, value_name = "N")]
    width: Option<usize>,

    /// Everything as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let line = arguments.setup.line()?;
    if arguments.json {
        return Ok(format!("{:#}\n", object(&line)));
    }
    let width = arguments.width.or_else(terminal_width);
    Ok(text(&line, width.unwrap_or(usize::MAX), paint::wanted()))
}

/// A file or a pipe has no width.
pub(crate) fn terminal_width() -> Option<usize> {
    if !io::stdout().is_terminal() {
        return None;
    }
    let (width, _) = terminal_size::terminal_size()?;
    Some(width.0.into())
}

/// The board alone.
pub(crate) fn drawing(line: &AnyLine, width: usize, colours: bool) -> String {
    // Some games draw the turn; it is said apart for all of them.
    let turn = format!("{} to move", line.side());
    let drawing = line.draw();
    let drawing = drawing.trim_end().trim_end_matches(&turn).trim_end();
    let files = usize::from(line.size().0);
    let mut out = panels::cut(drawing, files, width);
    if colours {
        out = paint::board(&out);
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

fn text(line: &AnyLine, width: usize, colours: bool) -> String {
    let turn = format!("{} to move", line.side());
    let mut out = drawing(line, width, colours);
    // Writing to a string cannot fail.
    let check = if line.in_check() { ", in check" } else { "" };
    let _ = writeln!(out, "\n\n{turn}{check}");
    let _ = writeln!(out, "{}\n", state(line));
    let mut fact = |name: &str, value: &dyn core::fmt::Display| {
        let _ = writeln!(out, "{name:<9} {value}");
    };
    fact("game", &line.game());
    let rules = line.rules_text();
    if !rules.is_empty() {
        fact("rules", &rules);
    }
    let (files, ranks) = line.size();
    fact("board", &format!("{files}x{ranks}"));
    if line.plies() > 0 {
        let played: Vec<_> = line.moves().into_iter().map(|m| m.notation).collect();
        fact("played", &played.join(" "));
    }
    fact("position", &line.position_text());
    fact("hash", &format!("{:016x}", line.hash()));
    let count = line.legal_move_count();
    fact("moves", &format!("{count} legal"));
    out.push_str(&moves(line, width.min(WIDTH)));
    let left = count.saturating_sub(MOST_SHOWN as u64);
    if left > 0 {
        let _ = writeln!(out, "  and {left} more; --json lists them");
    }
    out
}

/// The legal moves, in lines of a width.
fn moves(line: &AnyLine, width: usize) -> String {
    let mut names: Vec<String> = line
        .legal(MOST_SHOWN)
        .into_iter()
        .filter_map(|m| line.notation_of(m).ok())
        .collect();
    names.sort_unstable();
    let mut out = String::new();
    let mut column = 0;
    for name in names {
        let needed = name.chars().count() + 1;
        if column == 0 || column + needed > width {
            out.push_str(if column == 0 { "  " } else { "\n  " });
            column = 2;
        }
        out.push_str(&name);
        out.push(' ');
        column += needed;
    }
    if column > 0 {
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out
}

/// Whether the game goes on, in one sentence.
fn state(line: &AnyLine) -> String {
    match (line.outcome(), line.claimable()) {
        (Some(outcome), _) => format!("{} ({outcome})", outcome.result()),
        (None, Some(claim)) => format!("in progress; {} can claim a {claim}", line.side()),
        (None, None) => "in progress".into(),
    }
}

fn object(line: &AnyLine) -> Value {
    let (files, ranks) = line.size();
    let pieces = line.pieces().into_iter().map(|piece| {
        json!({
            "square": piece.square,
            "file": piece.file,
            "rank": piece.rank,
            "piece": piece.piece,
            "side": piece.side.map(side_name),
        })
    });
    let mut object = json!({
        "game": line.game().name(),
        "rules": line.rules_text(),
        "files": files,
        "ranks": ranks,
        "start": line.start_text(),
        "position": line.position_text(),
        "side": side_name(line.side()),
        "in_check": line.in_check(),
        "outcome": line.outcome().map(outcome),
        "claimable": line.claimable().map(outcome),
        "occurrences": line.occurrences(),
        // As text: many readers of JSON cut numbers to 53 bits.
        "hash": format!("{:016x}", line.hash()),
        "played": played(line),
        "legal_move_count": line.legal_move_count(),
        "legal_moves": legal(line),
        "pieces": pieces.collect::<Vec<_>>(),
        "drawing": line.draw(),
    });
    if line.game() == Game::Leiser {
        object["beams"] = json!({
            "white": line.beam(Side::White).map(|b| beam(&b)),
            "black": line.beam(Side::Black).map(|b| beam(&b)),
        });
    }
    object
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}

fn outcome(outcome: Outcome) -> Value {
    json!({
        "result": outcome.result(),
        "winner": outcome.winner.map(side_name),
        "reason": outcome.reason.words(),
    })
}

fn played(line: &AnyLine) -> Vec<Value> {
    let moves = line.moves().into_iter();
    moves.map(|m| one_move(&m.text, &m.notation)).collect()
}

fn legal(line: &AnyLine) -> Vec<Value> {
    let object = |m: AnyMove| {
        let (text, notation) = (line.text_of(m).ok()?, line.notation_of(m).ok()?);
        Some(one_move(&text, &notation))
    };
    let moves = line.legal(MOST_LISTED).into_iter();
    // Every one of them is legal, so every one has its texts.
    moves.filter_map(object).collect()
}

fn one_move(text: &str, notation: &str) -> Value {
    json!({ "move": text, "notation": notation })
}

fn beam(beam: &BeamView) -> Value {
    json!({ "king": beam.king, "path": beam.path, "struck": beam.struck })
}
