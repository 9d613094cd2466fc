//! A study as text that can be kept for good.

use quadrille_games::records::AnyRecord;
use serde::{Deserialize, Serialize};

use super::{MOST_NODES, Study};
use crate::wire::{NodeId, StudyId};
use quadrille_games::Game;

/// What is kept: the record in its own format, and the numbers of its nodes in
/// the order in which they are written.
#[derive(Serialize, Deserialize)]
struct Kept {
    title: String,
    changed: f64,
    next: NodeId,
    ids: Vec<NodeId>,
    pgn: String,
}

impl Study {
    /// The text to keep.
    pub(crate) fn kept(&self) -> String {
        let written = self.record.written().into_iter();
        let ids = written.filter_map(|node| self.numbers.ids.get(&node).copied());
        let kept = Kept {
            title: self.title.clone(),
            changed: self.changed,
            next: self.next,
            ids: ids.collect(),
            pgn: self.record.to_pgn(),
        };
        // Strings and numbers always have a form in JSON.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// The study of a text that was kept. What cannot be read is not one.
    pub(crate) fn restored(id: StudyId, text: &str) -> Option<Self> {
        let kept: Kept = serde_json::from_str(text).ok()?;
        let games = AnyRecord::read(kept.pgn.as_bytes(), Game::Chess, 1);
        let (record, _) = games.into_iter().next()?;
        if record.len() > MOST_NODES {
            return None;
        }
        let mut ids = kept.ids;
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let fits = sorted.len() == record.len()
            && ids.len() == record.len()
            && sorted.first() != Some(&0)
            && sorted.last().is_none_or(|&last| last < kept.next);
        let mut next = kept.next;
        if !fits {
            // Numbers that do not fit the record are given anew, above all old ones.
            let first = next.max(sorted.last().map_or(1, |last| last.saturating_add(1)));
            let count = u32::try_from(record.len()).ok()?;
            ids = (first..first.checked_add(count)?).collect();
            next = first.checked_add(count)?;
        }
        let changed = if kept.changed.is_finite() {
            kept.changed
        } else {
            0.0
        };
        Some(Self::with_ids(
            id,
            record,
            kept.title,
            changed,
            ids.into_iter(),
            next.max(1),
        ))
    }
}
