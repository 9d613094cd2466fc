//! A game as a page sees it.

use quadrille_games::Side;

use super::Table;
use crate::boards::board;
use crate::names;
use crate::wire::{
    PlyView, Seat, SeatState, SeatView, TableEnd, TableInfo, TableStatus, TableView,
};

/// Who looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewer<'a> {
    pub(crate) owner: bool,
    pub(crate) token: Option<&'a str>,
}

impl Viewer<'_> {
    /// Whether the one who looks plays this side.
    pub(crate) fn plays(&self, table: &Table, side: Side) -> bool {
        match table.seat(side) {
            Seat::Person { .. } => self.owner,
            Seat::Guest { .. } => {
                let token = table.tokens[side.index()].as_deref();
                token.is_some() && token == self.token
            }
            Seat::Engine { .. } => false,
        }
    }
}

impl Table {
    pub(crate) fn info(&self) -> TableInfo {
        TableInfo {
            id: self.id,
            game: self.line.game(),
            names: (self.names[0].clone(), self.names[1].clone()),
            end: self.end.clone(),
            plies: u32::try_from(self.plies.len()).unwrap_or(u32::MAX),
            position: self.line.position_text(),
            changed: self.changed,
        }
    }

    /// The board, and who plays.
    pub(crate) fn view(&self, viewer: Viewer<'_>) -> TableView {
        let mut board = board(&self.line);
        if self.end.is_some() {
            board.moves.clear();
            board.move_count = 0;
        }
        // What an engine thinks would help the person who plays against it.
        let told = self.end.is_some() || Side::BOTH.into_iter().all(|side| self.is_engine(side));
        let first = self.first_side();
        let plies = self.plies.iter().enumerate().map(|(ply, made)| PlyView {
            text: made.text.clone(),
            notation: made.notation.clone(),
            side: if ply % 2 == 0 { first } else { first.other() },
            number: made.number,
            spent: made.spent,
            clock: made.clock,
            score: made.score.filter(|_| told),
        });
        TableView {
            id: self.id,
            start: self.new.start.clone(),
            seats: (
                self.seat_view(viewer, Side::White),
                self.seat_view(viewer, Side::Black),
            ),
            time: self.new.time,
            plies: plies.collect(),
            board,
            changed: self.changed,
            end: self.end.clone().map(|end| told_end(end, viewer)),
            opening: names::opening(&self.line),
            next: self.next,
        }
    }

    /// Clocks, offers and what the players are doing; `present` says whose guests are
    /// there.
    pub(crate) fn status(&self, present: [bool; 2], now: f64) -> TableStatus {
        let state = |side: Side| self.seat_state(side, present[side.index()]);
        TableStatus {
            clock: self.clock_view(now),
            draw_offer: self.draw_offer,
            takeback: self.takeback,
            hint: self.hint.clone(),
            paused: self.end.is_none() && (self.paused.is_some() || self.resting),
            states: (state(Side::White), state(Side::Black)),
        }
    }

    fn seat_state(&self, side: Side, present: bool) -> SeatState {
        let to_move = self.line.side() == side && self.search.is_some();
        match self.seat(side) {
            _ if self.trouble[side.index()].is_some() => SeatState::Broken,
            Seat::Guest { .. } if !present => SeatState::Away,
            Seat::Engine { .. } if to_move && self.thinking => SeatState::Thinking,
            Seat::Engine { .. } if to_move => SeatState::Starting,
            _ => SeatState::Idle,
        }
    }

    fn seat_view(&self, viewer: Viewer<'_>, side: Side) -> SeatView {
        let trouble = self.trouble[side.index()].clone();
        let token = self.tokens[side.index()].as_deref();
        let link = token.filter(|_| viewer.owner);
        SeatView {
            seat: self.seat(side).clone(),
            name: self.names[side.index()].clone(),
            mine: viewer.plays(self, side),
            link: link.map(|token| format!("?guest={token}#/play/{}", self.id)),
            trouble: trouble.filter(|_| viewer.owner),
        }
    }
}

/// What went wrong with an engine may name its place on the owner's machine.
fn told_end(end: TableEnd, viewer: Viewer<'_>) -> TableEnd {
    match end {
        TableEnd::Engine { loser, .. } if !viewer.owner => TableEnd::Engine {
            loser,
            words: String::new(),
        },
        end => end,
    }
}
