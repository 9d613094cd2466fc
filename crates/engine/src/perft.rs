//! `perft`: counting moves, beside a search or without one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use quadrille_protocol::Report;
use quadrille_search::{Control, Moment};

use crate::conversation::Conversation;
use crate::dialect::{OptionsOf, Spoken, nps};
use crate::outbox::Outbox;
use crate::work::{Ending, Place, Step, Task, Work};

/// Deeper counts would not end in a lifetime, and recursion has to end somewhere.
const DEEPEST: u64 = 60;
/// Plies when none are named.
const USUAL_DEPTH: u64 = 4;
/// So many plies are counted before anything else is heard.
const AT_ONCE: u32 = 2;

impl<P: Spoken> Conversation<P> {
    /// `perft [n]`: for each root move, or for each ply.
    pub(crate) fn perft(&mut self, depth: Option<u64>) {
        let depth = depth.unwrap_or(USUAL_DEPTH).min(DEEPEST) as u32;
        let position = self.line.position().clone();
        let mut parts = VecDeque::new();
        if P::PERFT_BY_PLY {
            parts.extend((1..=depth).map(Part::Ply));
        } else if depth > 0 {
            let moves = position.counted_moves().unwrap_or_default();
            parts.extend(moves.into_iter().map(Part::Move));
        }
        let (out, options) = (self.out.clone(), self.options.clone());
        let count = |control: Control, ending| Perft {
            start: control.now(),
            total: u64::from(depth == 0),
            control,
            ending,
            out,
            options,
            position,
            depth,
            parts,
        };
        if depth <= AT_ONCE {
            let control = Control::timed_by(Arc::clone(&self.machine.time));
            count(control, Ending::default()).step(None);
        } else {
            self.start_aside(|control, ending| Task::new(Place::Aside, count(control, ending)));
        }
    }
}

/// What is counted in one step.
#[derive(Clone, Copy)]
enum Part<M> {
    /// What is below this root move.
    Move(M),
    /// Everything to this ply.
    Ply(u32),
}

struct Perft<P: Spoken> {
    control: Control,
    ending: Ending,
    out: Outbox,
    options: Arc<OptionsOf<P>>,
    position: P,
    depth: u32,
    parts: VecDeque<Part<P::Move>>,
    start: Moment,
    total: u64,
}

impl<P: Spoken> Work for Perft<P> {
    fn step(&mut self, slice: Option<Duration>) -> Step {
        let start = self.control.now();
        while let Some(part) = self.parts.pop_front() {
            if self.count(part).is_none() {
                self.ending.set();
                self.out.note("perft stopped");
                return Step::Done;
            }
            if slice.is_some_and(|slice| self.control.now().since(start) >= slice) {
                return Step::Working;
            }
        }
        self.ending.set();
        if !P::PERFT_BY_PLY {
            self.sum_up();
        }
        Step::Done
    }

    /// Counting never waits for the host.
    fn wait(&self) {}

    fn give_up(&mut self, why: &str) {
        self.ending.set();
        self.out.note(&format!("perft: {why}"));
    }
}

impl<P: Spoken> Perft<P> {
    /// Counts one part and says what it found; `None` if it was stopped.
    fn count(&mut self, part: Part<P::Move>) -> Option<()> {
        match part {
            Part::Ply(ply) => {
                let count = leaves(&mut self.position, ply, &self.control)?;
                let depth = ply.into();
                if ply == self.depth {
                    self.ending.set();
                }
                self.out.say(&Report::Perft { depth, count });
            }
            Part::Move(m) => {
                let text = self.position.write(m, &self.options.own);
                let undo = self.position.make(m, &mut ());
                let count = leaves(&mut self.position, self.depth - 1, &self.control)?;
                self.position.unmake(m, undo);
                self.out
                    .say_all(|lines| lines.text(&format!("{text}: {count}")));
                self.total += count;
            }
        }
        Some(())
    }

    fn sum_up(&self) {
        let time = self.control.now().since(self.start);
        self.out.say_all(|lines| {
            lines.text("");
            lines.text(&format!("Nodes searched: {}", self.total));
            lines.text(&format!("Elapsed time: {}ms", time.as_millis()));
            lines.text(&format!("Nodes/second: {}", nps(self.total, time)));
        });
    }
}

/// `None` if the count was stopped.
fn leaves<P: Spoken>(position: &mut P, depth: u32, control: &Control) -> Option<u64> {
    let moves = if depth < 2 {
        None
    } else {
        position.counted_moves()
    };
    let Some(moves) = moves else {
        let counts = depth == 1 && position.counted_moves().is_some();
        return Some(if counts { position.counted() } else { 1 });
    };
    if depth > AT_ONCE && control.is_stopped() {
        return None;
    }
    let mut total = 0;
    for m in moves {
        let undo = position.make(m, &mut ());
        total += leaves(position, depth - 1, control)?;
        position.unmake(m, undo);
    }
    Some(total)
}
