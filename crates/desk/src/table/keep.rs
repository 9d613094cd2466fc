//! A game as text that can be kept for good, so that a restart in the middle of it
//! loses nothing.

use quadrille_games::Side;
use serde::{Deserialize, Serialize};

use super::{Ply, Table, clock};
use crate::boards::line_from;
use crate::limits::between;
use crate::wire::{NewTable, TableEnd, TableId};

#[derive(Serialize, Deserialize)]
struct Kept {
    new: NewTable,
    names: [String; 2],
    tokens: [Option<String>; 2],
    plies: Vec<Ply>,
    left: Option<[f64; 2]>,
    end: Option<TableEnd>,
    draw_offer: Option<Side>,
    paused: bool,
    changed: f64,
    next: Option<TableId>,
}

impl Table {
    /// The text to keep.
    pub(crate) fn kept(&self) -> String {
        let kept = Kept {
            new: self.new.clone(),
            names: self.names.clone(),
            tokens: self.tokens.clone(),
            plies: self.plies.clone(),
            left: self.left,
            end: self.end.clone(),
            draw_offer: self.draw_offer,
            paused: self.paused.is_some(),
            changed: self.changed,
            next: self.next,
        };
        // Strings and numbers always have a form in JSON.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// The game of a text that was kept. What cannot be read is none. A game that was
    /// being played rests until a page looks at it; its clocks stand where the last
    /// move left them.
    pub(crate) fn restored(id: TableId, text: &str) -> Option<Self> {
        let kept: Kept = serde_json::from_str(text).ok()?;
        let line = line_from(&kept.new.start).ok()?;
        let changed = between(kept.changed, 0.0, f64::MAX);
        let mut new = kept.new;
        new.time = clock::tidy(new.time);
        let left = clock::at_start(new.time);
        let mut table = Self::with(id, new, line, left, changed);
        for ply in kept.plies {
            let number = table.line.move_number();
            let m = table.line.play_notation(&ply.text).ok()?;
            table.plies.push(Ply {
                text: m.text,
                notation: m.notation,
                number,
                spent: between(ply.spent, 0.0, f64::MAX),
                ..ply
            });
        }
        if let (Some(left), Some(known)) = (&mut table.left, kept.left) {
            *left = known.map(|ms| between(ms, 0.0, f64::MAX));
        }
        table.names = kept.names;
        table.tokens = kept.tokens;
        table.draw_offer = kept.draw_offer.filter(|_| kept.end.is_none());
        table.paused = kept.paused.then_some(changed);
        table.resting = kept.end.is_none();
        table.end = kept.end;
        table.next = kept.next;
        Some(table)
    }
}
