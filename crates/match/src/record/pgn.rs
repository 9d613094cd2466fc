//! One game as PGN, in the form that match runners agree on.

use std::time::Duration;

use quadrille_games::any_line::SetupError;
use quadrille_games::chess::openings::{Opening, name_of};
use quadrille_games::records::{NodeId, Notation, Record, WriteOptions};
use quadrille_games::{AnyLine, Line, MoveError, Position, match_line};

use quadrille_net::sanitize::one_line;

use crate::config::PgnFields;
use crate::referee::Ply;
use crate::store::{GameRow, PlayerRow};

/// How records are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PgnStyle {
    /// How moves are written.
    pub notation: Notation,
    /// Only the seven tags and the moves.
    pub min: bool,
    /// What stands in comments.
    pub fields: PgnFields,
    /// Tags that name the opening.
    pub openings: bool,
}

/// Everything a record of one game is made of.
#[derive(Debug, Clone, Copy)]
pub struct GameText<'a> {
    /// The name of the event.
    pub event: &'a str,
    /// Where it takes place.
    pub site: &'a str,
    /// The game.
    pub game: &'a GameRow,
    /// White and Black.
    pub players: [&'a PlayerRow; 2],
    /// What they play at, in PGN's words.
    pub time_controls: [&'a str; 2],
    /// The moves, the opening's included.
    pub plies: &'a [Ply],
}

/// A game in the store that its own rules refuse.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The start position.
    #[error("the start position: {0}")]
    Start(#[from] SetupError),
    /// A move.
    #[error("{0}")]
    Move(#[from] MoveError),
}

impl GameText<'_> {
    /// The line that was played.
    pub fn line(&self) -> Result<AnyLine, Unreadable> {
        let new = &self.game.new;
        let mut line = AnyLine::new(new.game, &new.rules, &new.start)?;
        for ply in self.plies {
            line.push(line.parse_move(&ply.text)?)?;
        }
        Ok(line)
    }
}

/// The record, with an empty line behind it.
pub fn pgn(text: &GameText<'_>, style: &PgnStyle) -> Result<String, Unreadable> {
    let line = text.line()?;
    let opening = name_of(&line);
    Ok(match_line!(&line, line => write(line, opening, text, style)))
}

fn write<P: Position>(
    line: &Line<P>,
    opening: Option<&Opening>,
    text: &GameText<'_>,
    style: &PgnStyle,
) -> String {
    let mut record = Record::from_line(line);
    record.set_result(text.game.result());
    let named = style.openings && !style.min;
    for (name, value) in tags(text, style, opening.filter(|_| named)) {
        // All names are ours and plain, so none is refused.
        let _ = record.set_tag(name, &one_line(&value));
    }
    if !style.min {
        comment(&mut record, text, style);
    }
    let options = WriteOptions {
        notation: style.notation,
        ..WriteOptions::default()
    };
    record.to_pgn_with(&options)
}

fn tags(
    text: &GameText<'_>,
    style: &PgnStyle,
    opening: Option<&Opening>,
) -> Vec<(&'static str, String)> {
    let new = &text.game.new;
    let [white, black] = text.players;
    let date = new.started.get(..10).unwrap_or("????.??.??");
    let mut tags = vec![
        ("Event", text.event.to_owned()),
        ("Site", text.site.to_owned()),
        ("Date", date.replace('-', ".")),
        ("Round", new.round.to_string()),
        ("White", white.name.clone()),
        ("Black", black.name.clone()),
    ];
    if style.min {
        return tags;
    }
    let engines = [
        ("EngineWhiteName", &white.engine),
        ("EngineWhiteAuthor", &white.author),
        ("EngineBlackName", &black.engine),
        ("EngineBlackAuthor", &black.author),
    ];
    for (name, value) in engines {
        tags.extend(value.as_ref().map(|value| (name, value.clone())));
    }
    tags.push(("GameNumber", new.number.to_string()));
    tags.push(("GameStartTime", new.started.clone()));
    if let Some(end) = &text.game.end {
        tags.push(("GameEndTime", end.ended.clone()));
        tags.push(("GameDuration", clock_text(end.duration_us)));
    }
    tags.push(("PlyCount", text.plies.len().to_string()));
    if let Some(end) = &text.game.end {
        tags.push(("Termination", end.ending.termination.tag().to_owned()));
    }
    match text.time_controls {
        [white, black] if white == black => tags.push(("TimeControl", white.to_owned())),
        [white, black] => {
            tags.push(("WhiteTimeControl", white.to_owned()));
            tags.push(("BlackTimeControl", black.to_owned()));
        }
    }
    if let Some(opening) = opening {
        tags.push(("ECO", opening.eco.to_owned()));
        tags.push(("Opening", opening.name.clone()));
    }
    if !new.label.is_empty() {
        tags.push(("OpeningSource", new.label.clone()));
    }
    tags
}

/// `hh:mm:ss`
fn clock_text(micros: u64) -> String {
    let s = micros / 1_000_000;
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

fn comment<P: Position>(record: &mut Record<P>, text: &GameText<'_>, style: &PgnStyle) {
    let nodes: Vec<NodeId> = record.main_line().collect();
    for (node, ply) in nodes.iter().zip(text.plies) {
        record.comment_after(*node, &note(ply, style.fields));
    }
    if let Some(end) = &text.game.end {
        let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        let mut whole = match text.plies.last() {
            Some(ply) => note(ply, style.fields) + ", ",
            None => String::new(),
        };
        whole.push_str(&plain(&end.ending.to_string()));
        record.clear_comments(last);
        record.comment_after(last, &whole);
    }
}

/// `+0.35/12 1.234s, n=4711`
fn note(ply: &Ply, fields: PgnFields) -> String {
    if ply.book {
        return "book".into();
    }
    let score = ply.score.map(|score| score.to_string()).unwrap_or_default();
    let depth = ply.depth.unwrap_or(0);
    let mut parts = vec![format!("{score}/{depth} {}", seconds(ply.elapsed))];
    let signed = |us: i64| {
        let sign = if us < 0 { "-" } else { "" };
        format!(
            "{sign}{}",
            seconds(Duration::from_micros(us.unsigned_abs()))
        )
    };
    let mut put = |wanted: bool, name: &str, value: Option<String>| {
        if let (true, Some(value)) = (wanted, value) {
            parts.push(format!("{name}={value}"));
        }
    };
    let number = |n: Option<u64>| n.map(|n| n.to_string());
    let (wall, charged) = (seconds(ply.elapsed), seconds(ply.charged));
    put(wall != charged, "charged", Some(charged));
    put(fields.timeleft, "tl", ply.clock_us.map(signed));
    put(fields.latency, "latency", ply.latency_us().map(signed));
    put(fields.nodes, "n", number(ply.nodes));
    put(fields.seldepth, "sd", number(ply.seldepth));
    put(fields.nps, "nps", number(ply.nps));
    put(fields.hashfull, "hashfull", number(ply.hashfull));
    put(fields.tbhits, "tbhits", number(ply.tbhits));
    let pv = ply.pv.as_deref().map(|pv| format!("\"{}\"", plain(pv)));
    put(fields.pv, "pv", pv);
    parts.join(", ")
}

/// What an engine said, without what would end a comment early for one reader
/// or another.
fn plain(text: &str) -> String {
    one_line(text).replace(['{', '}', '"'], "'")
}

fn seconds(time: Duration) -> String {
    format!("{:.3}s", time.as_secs_f64())
}
