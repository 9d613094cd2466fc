//! A game as the library keeps it.

use quadrille_games::chess::openings::name_of;
use quadrille_games::records::{AnyRecord, Diagnostic, NodeId};
use quadrille_games::{AnyLine, Game};

use quadrille_net::sanitize::cut;

use super::key_of;

/// Letters of a tag that are kept.
const LONGEST: usize = 200;
/// Positions of a game by which it can be found.
const MOST_POSITIONS: usize = 1000;

/// A game, with everything it can be found by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(super) game: Game,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: String,
    pub(super) date: String,
    pub(super) event: String,
    pub(super) opening: Option<(String, String)>,
    pub(super) plies: u32,
    pub(crate) trouble: Option<String>,
    /// The diagnostic behind `trouble`, with its place in the text.
    pub(super) fault: Option<Diagnostic>,
    pub(super) pgn: Vec<u8>,
    /// Each position with the move that was played there.
    pub(super) positions: Vec<(i64, String)>,
}

impl Entry {
    /// Reads a game; what cannot be read of it is kept as it is. Nothing if there is
    /// no game at all.
    pub(crate) fn read(pgn: &[u8], usual: Game) -> Option<Self> {
        let (record, diagnostics) = AnyRecord::read(pgn, usual, 1).into_iter().next()?;
        if !record.is_game() {
            return None;
        }
        let fault = diagnostics.into_iter().find(Diagnostic::loses_moves);
        let line = record.line(record.last(NodeId::ROOT));
        let tag = |name: &str| {
            record
                .tags()
                .get(name)
                .map(|text| cut(text, LONGEST).into_owned())
        };
        let named = tag("ECO").map(|eco| (eco, tag("Opening").unwrap_or_default()));
        Some(Self {
            game: record.game(),
            white: tag("White").unwrap_or_else(|| "?".into()),
            black: tag("Black").unwrap_or_else(|| "?".into()),
            result: record.result().word().into(),
            date: tag("Date").unwrap_or_default(),
            event: tag("Event").unwrap_or_default(),
            opening: opening_of(&line).or(named),
            plies: line.plies() as u32,
            trouble: fault.as_ref().map(trouble_of),
            fault,
            pgn: pgn.into(),
            positions: positions(&line),
        })
    }

    /// Corrects the place of the trouble for a game that was cut out of a longer text:
    /// the game's index there, from 0, and the line on which it begins, from 1.
    pub(super) fn locate(&mut self, index: usize, line: u64) {
        if let Some(fault) = &mut self.fault {
            fault.game = index as u64 + 1;
            fault.line += line.saturating_sub(1);
            self.trouble = Some(trouble_of(fault));
        }
    }
}

fn trouble_of(fault: &Diagnostic) -> String {
    cut(&fault.to_string(), LONGEST).into_owned()
}

fn positions(line: &AnyLine) -> Vec<(i64, String)> {
    let moves = line.played_texts();
    let moves = moves.into_iter().chain(std::iter::once(String::new()));
    let keys = line.keys().iter().map(|key| key_of(line.game(), *key));
    keys.zip(moves).take(MOST_POSITIONS).collect()
}

/// ECO code and name of the last named position of a line.
pub(crate) fn opening_of(line: &AnyLine) -> Option<(String, String)> {
    let opening = name_of(line)?;
    Some((opening.eco.to_string(), opening.name.clone()))
}
