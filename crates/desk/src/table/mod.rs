//! A game that is played, as data: seats, moves, clocks, how it ended.
//!
//! Nothing here starts an engine or tells a page; that is done by the
//! [desk](crate::Desk) (`tables.rs`, `table_turns.rs`).

mod clock;
mod keep;
mod record;
mod view;

pub(crate) use view::Viewer;

use quadrille_games::{AnyLine, Side};
use serde::{Deserialize, Serialize};

use crate::boards::{board, line_from, start_of};
use crate::effect::SearchId;
use crate::refuse::clean;
use crate::wire::{
    BoardView, EngineId, NewTable, Refusal, ScoreView, Seat, TableEnd, TableId, TimeSetting,
};

/// Longer games are not played.
pub(crate) const MOST_PLIES: usize = 5_000;
/// The first move of each side costs no time: people have to find the board first.
const FREE_PLIES: usize = 2;
const LONGEST_NAME: usize = 60;

/// A move that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ply {
    pub(crate) text: String,
    #[serde(skip)]
    pub(crate) notation: String,
    #[serde(skip)]
    pub(crate) number: u32,
    pub(crate) spent: f64,
    /// The mover's clock after it.
    pub(crate) clock: Option<f64>,
    pub(crate) score: Option<ScoreView>,
}

/// A game that is played or was.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) id: TableId,
    pub(crate) new: NewTable,
    pub(crate) line: AnyLine,
    pub(crate) plies: Vec<Ply>,
    /// Names to show; those of engines stay when the engine is gone.
    pub(crate) names: [String; 2],
    /// Of guests' seats.
    pub(crate) tokens: [Option<String>; 2],
    /// What is left on the clocks at the beginning of this turn.
    pub(crate) left: Option<[f64; 2]>,
    /// When this turn began, interruptions left out.
    pub(crate) turn_began: f64,
    /// When it was interrupted.
    pub(crate) paused: Option<f64>,
    /// Since a restart no page has looked at it.
    pub(crate) resting: bool,
    pub(crate) end: Option<TableEnd>,
    pub(crate) draw_offer: Option<Side>,
    pub(crate) takeback: Option<Side>,
    pub(crate) hint: Option<String>,
    pub(crate) hint_search: Option<SearchId>,
    /// The search of the engine to move.
    pub(crate) search: Option<SearchId>,
    /// Whether that has begun to think.
    pub(crate) thinking: bool,
    /// Whether it was told to stop, because its time is over.
    pub(crate) stopped: bool,
    /// How often an engine has failed in this turn.
    pub(crate) failures: u8,
    pub(crate) trouble: [Option<String>; 2],
    /// What the engine to move thinks, for White.
    pub(crate) thought: Option<ScoreView>,
    /// What each engine thought last, for White.
    pub(crate) scores: [Option<ScoreView>; 2],
    pub(crate) changed: f64,
    pub(crate) next: Option<TableId>,
}

impl Table {
    /// A table, ready for the first turn.
    pub(crate) fn new(id: TableId, mut new: NewTable, now: f64) -> Result<Self, Refusal> {
        let line = line_from(&new.start)?;
        if let Some(words) = crate::boards::over_words(&line) {
            return Err(Refusal::new(crate::wire::RefusalCode::Position, words));
        }
        new.start = start_of(&line);
        new.time = clock::tidy(new.time);
        for seat in [&mut new.seats.0, &mut new.seats.1] {
            if let Seat::Person { name } | Seat::Guest { name } = seat {
                *name = clean(name, LONGEST_NAME);
            }
        }
        let left = clock::at_start(new.time);
        Ok(Self::with(id, new, line, left, now))
    }

    fn with(id: TableId, new: NewTable, line: AnyLine, left: Option<[f64; 2]>, now: f64) -> Self {
        let name = |seat: &Seat| match seat {
            Seat::Person { name } | Seat::Guest { name } => name.clone(),
            Seat::Engine { .. } => String::new(),
        };
        Self {
            id,
            names: [name(&new.seats.0), name(&new.seats.1)],
            new,
            line,
            plies: Vec::new(),
            tokens: [None, None],
            left,
            turn_began: now,
            paused: None,
            resting: false,
            end: None,
            draw_offer: None,
            takeback: None,
            hint: None,
            hint_search: None,
            search: None,
            thinking: false,
            stopped: false,
            failures: 0,
            trouble: [None, None],
            thought: None,
            scores: [None, None],
            changed: now,
            next: None,
        }
    }

    pub(crate) fn seat(&self, side: Side) -> &Seat {
        match side {
            Side::White => &self.new.seats.0,
            Side::Black => &self.new.seats.1,
        }
    }

    fn seat_mut(&mut self, side: Side) -> &mut Seat {
        match side {
            Side::White => &mut self.new.seats.0,
            Side::Black => &mut self.new.seats.1,
        }
    }

    pub(crate) fn is_engine(&self, side: Side) -> bool {
        matches!(self.seat(side), Seat::Engine { .. })
    }

    pub(crate) fn is_guest(&self, side: Side) -> bool {
        matches!(self.seat(side), Seat::Guest { .. })
    }

    pub(crate) fn has_guest(&self) -> bool {
        Side::BOTH.into_iter().any(|side| self.is_guest(side))
    }

    pub(crate) fn has_token(&self, token: &str) -> bool {
        self.tokens.iter().flatten().any(|known| known == token)
    }

    pub(crate) fn is_running(&self) -> bool {
        self.end.is_none() && self.paused.is_none() && !self.resting
    }

    /// A guest says who they are.
    pub(crate) fn set_name(&mut self, side: Side, name: &str) {
        let name = clean(name, LONGEST_NAME);
        if let Seat::Person { name: known } | Seat::Guest { name: known } = self.seat_mut(side) {
            known.clone_from(&name);
        }
        self.names[side.index()] = name;
    }

    /// Plays a legal move of the side to move, which took so long. Its clock must have
    /// room for that.
    pub(crate) fn play(&mut self, text: &str, spent: f64, now: f64) -> Result<(), Refusal> {
        let side = self.line.side();
        let number = self.line.move_number();
        let m = self.line.play_notation(text)?;
        let clock = self.punch(side, spent);
        let score = self.thought.take();
        self.plies.push(Ply {
            text: m.text,
            notation: m.notation,
            number,
            spent,
            clock,
            score,
        });
        self.turn_over(now);
        Ok(())
    }

    /// Whatever belonged to the turn before is over.
    fn turn_over(&mut self, now: f64) {
        self.turn_began = now;
        self.changed = now;
        self.hint = None;
        self.takeback = None;
        self.failures = 0;
        self.thought = None;
        self.stopped = false;
        self.trouble = [None, None];
        // An offer stands until the other side has moved.
        if self.draw_offer == Some(self.line.side()) {
            self.draw_offer = None;
        }
    }

    /// How many plies to take back so that it is this side's turn again, if it has
    /// moved at all.
    pub(crate) fn plies_back(&self, side: Side) -> Option<usize> {
        let back = if self.line.side() == side { 2 } else { 1 };
        (self.plies.len() >= back).then_some(back)
    }

    /// Takes moves back, and the time they took.
    pub(crate) fn take_back(&mut self, plies: usize, now: f64) {
        for _ in 0..plies {
            self.line.pop();
            self.plies.pop();
        }
        self.draw_offer = None;
        self.turn_over(now);
        self.left = clock::at_start(self.new.time).map(|start| {
            let first = self.first_side();
            let mut left = start;
            for (ply, made) in self.plies.iter().enumerate() {
                let side = if ply % 2 == 0 { first } else { first.other() };
                left[side.index()] = made.clock.unwrap_or(left[side.index()]);
            }
            left
        });
    }

    fn first_side(&self) -> Side {
        match self.plies.len() % 2 {
            0 => self.line.side(),
            _ => self.line.side().other(),
        }
    }

    /// The board after so many plies.
    pub(crate) fn board_at(&self, plies: usize) -> BoardView {
        let mut line = self.line.clone();
        while line.plies() > plies {
            line.pop();
        }
        board(&line)
    }

    pub(crate) fn engine(&self, side: Side) -> Option<EngineId> {
        match self.seat(side) {
            Seat::Engine { engine, .. } => Some(*engine),
            Seat::Person { .. } | Seat::Guest { .. } => None,
        }
    }

    /// The increment, in milliseconds.
    pub(crate) fn increment(&self) -> f64 {
        match self.new.time {
            TimeSetting::Clock { increment, .. } => increment,
            TimeSetting::Unlimited { .. } | TimeSetting::PerMove { .. } => 0.0,
        }
    }
}
