//! What is chosen once for a game of chess, and the positions with names.

use super::board::Chess;
use super::chess960::CLASSIC;
use super::fen::{Fields, error, number, read_tolerant};
use crate::error::{PositionError, PositionErrorKind};

/// How a game of chess is spoken about. The rules are those of Chess960 in any
/// case, of which ordinary chess is one start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ChessRules {
    /// Whether castling is written as the king taking its rook (`e1h1`) instead
    /// of as the king's own way (`e1g1`). A position whose castling rights are
    /// not those of ordinary chess turns this on by itself.
    pub chess960: bool,
}

impl ChessRules {
    /// Chess960 and double Chess960.
    pub const CHESS960: Self = Self { chess960: true };
}

/// Well-known positions; the first is the start position.
pub(super) const PRESETS: [(&str, &str); 7] = [
    (
        "startpos",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    (
        "promotions",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    ),
    (
        "talkchess",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ),
    (
        "middlegame",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ),
    ("lasker", "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1"),
];

/// Reads a position or the name of one: a preset, `chess960 <number>` (the
/// number alone will do) or `dfrc <white> <black>`.
pub(super) fn read_position(text: &str, rules: ChessRules) -> Result<Chess, PositionError> {
    let mut fields = Fields::new(text);
    let name = fields
        .next()
        .map_or("", |field| field.text)
        .to_ascii_lowercase();
    let mut position = match name.as_str() {
        "start" if fields.rest().text.is_empty() => Chess::default(),
        "chess960" | "frc" => {
            let n = start_number(&mut fields, text)?;
            numbered(n, n)
        }
        "dfrc" | "double" => {
            let white = start_number(&mut fields, text)?;
            let black = start_number(&mut fields, text)?;
            numbered(white, black)
        }
        // A number and nothing else cannot be a FEN.
        number if is_number(number) && fields.rest().text.is_empty() => {
            fields = Fields::new(text);
            let n = start_number(&mut fields, text)?;
            numbered(n, n)
        }
        name => match PRESETS.iter().find(|preset| preset.0 == name) {
            Some(preset) => read_tolerant(preset.1)?,
            None => return read_tolerant(text).map(|p| with_rules(p, rules)),
        },
    };
    let rest = fields.rest();
    if !rest.text.is_empty() {
        let what = rest.text.trim_end().into();
        return Err(error("end", rest.start, PositionErrorKind::Trailing(what)));
    }
    position = with_rules(position, rules);
    Ok(position)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

fn with_rules(mut position: Chess, rules: ChessRules) -> Chess {
    position.chess960 |= rules.chess960;
    position
}

fn start_number(fields: &mut Fields<'_>, text: &str) -> Result<u16, PositionError> {
    const NAME: &str = "start position number";
    let Some(field) = fields.next() else {
        return Err(error(
            NAME,
            text.trim_end().len(),
            PositionErrorKind::Missing,
        ));
    };
    let found = number(NAME, field, 0)?;
    if found > 959 {
        let kind = PositionErrorKind::OutOfRange {
            found,
            min: 0,
            max: 959,
        };
        return Err(error(NAME, field.start, kind));
    }
    Ok(found as u16)
}

/// Both numbers are below 960 here; otherwise the usual position.
fn numbered(white: u16, black: u16) -> Chess {
    Chess::double_chess960(white, black).unwrap_or_default()
}

impl Default for Chess {
    /// The usual start position.
    fn default() -> Self {
        match Self::chess960(CLASSIC) {
            Some(position) => position.with_chess960(false),
            None => Self::EMPTY, // Unreachable: 518 is below 960.
        }
    }
}

pub(super) fn read_rules(text: &str) -> Result<ChessRules, PositionError> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "standard" | "chess" | "classic" => Ok(ChessRules::default()),
        "chess960" | "960" | "frc" | "dfrc" | "fischerandom" => Ok(ChessRules::CHESS960),
        _ => {
            let at = text.len() - text.trim_start().len();
            let kind = PositionErrorKind::Impossible("rules are `standard` or `chess960`");
            Err(error("rules", at, kind))
        }
    }
}
