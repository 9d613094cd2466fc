//! The clocks of a game, by time that is told.

use quadrille_games::Side;

use super::{FREE_PLIES, Table};
use crate::limits::between;
use crate::wire::{ClockView, TimeSetting};

const DAY: f64 = 86_400_000.0;
const HOUR: f64 = 3_600_000.0;

/// An engine's clock is that of its own process; one that is this late by ours is
/// told to stop, and has lost on time when it does not answer.
pub(crate) const STOP_AFTER: f64 = 1_000.0;
pub(crate) const LOST_AFTER: f64 = 6_000.0;

/// Times that can be kept to.
pub(super) fn tidy(time: TimeSetting) -> TimeSetting {
    match time {
        TimeSetting::Unlimited { engine } => TimeSetting::Unlimited {
            engine: between(engine, 10.0, HOUR),
        },
        TimeSetting::Clock {
            base,
            increment,
            moves,
        } => TimeSetting::Clock {
            base: between(base, 1_000.0, DAY),
            increment: between(increment, 0.0, HOUR),
            moves: moves.min(500),
        },
        TimeSetting::PerMove { each } => TimeSetting::PerMove {
            each: between(each, 100.0, DAY),
        },
    }
}

/// What both sides have at the start.
pub(super) fn at_start(time: TimeSetting) -> Option<[f64; 2]> {
    match time {
        TimeSetting::Unlimited { .. } => None,
        TimeSetting::Clock { base, .. } => Some([base; 2]),
        TimeSetting::PerMove { each } => Some([each; 2]),
    }
}

impl Table {
    /// Whether this turn costs time.
    pub(crate) fn is_charged(&self) -> bool {
        self.left.is_some() && self.plies.len() >= FREE_PLIES
    }

    /// What this turn has taken so far.
    pub(crate) fn spent(&self, now: f64) -> f64 {
        (self.paused.unwrap_or(now) - self.turn_began).max(0.0)
    }

    /// Whether a turn that took so long is too long.
    pub(crate) fn is_late(&self, spent: f64) -> bool {
        let side = self.line.side().index();
        self.is_charged() && self.left.is_some_and(|left| spent > left[side])
    }

    /// A move was made: gives the mover's clock after it.
    pub(super) fn punch(&mut self, side: Side, spent: f64) -> Option<f64> {
        let charged = self.is_charged();
        let made = self.plies.len() / 2 + 1;
        let left = &mut self.left.as_mut()?[side.index()];
        match self.new.time {
            TimeSetting::Clock {
                base,
                increment,
                moves,
            } => {
                if charged {
                    *left = (*left - spent).max(0.0) + increment;
                }
                if moves > 0 && made.is_multiple_of(moves as usize) {
                    *left += base;
                }
            }
            TimeSetting::PerMove { each } => *left = each,
            TimeSetting::Unlimited { .. } => {}
        }
        Some(*left)
    }

    /// Moves until more time is added.
    pub(crate) fn moves_to_go(&self) -> Option<u32> {
        let TimeSetting::Clock { moves, .. } = self.new.time else {
            return None;
        };
        let made = u32::try_from(self.plies.len() / 2).unwrap_or(u32::MAX);
        (moves > 0).then(|| moves - made % moves)
    }

    /// When the flag of the side to move falls.
    pub(crate) fn flag(&self) -> Option<f64> {
        if !self.is_running() || !self.is_charged() {
            return None;
        }
        let side = self.line.side();
        let falls = self.turn_began + self.left?[side.index()];
        Some(match (self.is_engine(side), self.stopped) {
            (false, _) => falls,
            (true, false) => falls + STOP_AFTER,
            (true, true) => falls + LOST_AFTER,
        })
    }

    pub(crate) fn clock_view(&self, now: f64) -> Option<ClockView> {
        let mut left = self.left?;
        let side = self.line.side();
        let charged = self.is_charged() && self.end.is_none();
        if charged && !self.resting {
            let mine = &mut left[side.index()];
            *mine = (*mine - self.spent(now)).max(0.0);
        }
        Some(ClockView {
            left: (left[0].round(), left[1].round()),
            running: (charged && self.is_running()).then_some(side),
        })
    }
}
