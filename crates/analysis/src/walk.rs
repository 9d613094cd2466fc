//! A line of play from its start, with what the positions before decide: whether a
//! repetition ends the game, and what else an answer may depend on.
//!
//! Each position is taken in once, so that the work grows with the number of moves
//! and not with its square, however long nothing irreversible happens.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use quadrille_games::{Line, Outcome, Position, Repetition};

/// The positions before one that it could repeat.
#[derive(Default)]
struct Earlier {
    /// Their keys, the oldest first.
    keys: VecDeque<u64>,
    /// Number of times that each key stands there.
    counts: HashMap<u64, u32>,
    /// Keys that were put in or taken out.
    #[cfg(test)]
    handled: usize,
}

impl Earlier {
    fn add(&mut self, key: u64) {
        self.keys.push_back(key);
        *self.counts.entry(key).or_default() += 1;
        #[cfg(test)]
        {
            self.handled += 1;
        }
    }

    /// Lets go of all but the latest.
    fn keep(&mut self, latest: usize) {
        while self.keys.len() > latest {
            let Some(key) = self.keys.pop_front() else {
                return;
            };
            if let Some(count) = self.counts.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&key);
                }
            }
            #[cfg(test)]
            {
                self.handled += 1;
            }
        }
    }

    fn count(&self, key: u64) -> u32 {
        self.counts.get(&key).copied().unwrap_or_default()
    }
}

/// A position on the way through a line.
pub(super) struct Step<'a, P> {
    pub(super) position: &'a P,
    /// The rules have ended the game here, as [`Line::outcome`] says.
    pub(super) over: Option<Outcome>,
    /// The positions since the last move that made progress, without this one, in
    /// their order.
    pub(super) history: u64,
}

/// Goes through a line, the start first, until `see` breaks it off.
pub(super) fn walk<P: Position>(
    line: &Line<P>,
    see: impl FnMut(Step<'_, P>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    go(line, &mut Earlier::default(), see)
}

fn go<P: Position>(
    line: &Line<P>,
    earlier: &mut Earlier,
    mut see: impl FnMut(Step<'_, P>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut position = line.start().clone();
    let mut history = 0;
    let mut moves = line.moves().iter();
    loop {
        earlier.keep(position.reversible_plies() as usize);
        let key = position.hash();
        see(Step {
            over: over(&position, || 1 + earlier.count(key)),
            position: &position,
            history,
        })?;
        let Some(&m) = moves.next() else {
            return ControlFlow::Continue(());
        };
        position.make(m, &mut ());
        earlier.add(key);
        history = if position.made_progress() {
            0
        } else {
            behind(history, key)
        };
    }
}

/// A history with one more position. The order of the positions is part of it: a
/// little less is shared, and nothing wrongly. Answers in caches are found by it,
/// so it stays as it is.
const fn behind(history: u64, key: u64) -> u64 {
    (history.rotate_left(5) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn over<P: Position>(position: &P, occurrences: impl FnOnce() -> u32) -> Option<Outcome> {
    position
        .outcome()
        .or_else(|| match position.repetition(occurrences()) {
            Some(Repetition::Ends(outcome)) => Some(outcome),
            Some(Repetition::Claim(_)) | None => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_games::random::SplitMix64;
    use quadrille_games::{AnyLine, Game, match_line};

    /// The history as it was computed for the answers that caches have, from all
    /// keys of the line.
    fn history_from_all(at: &AnyLine, since: usize) -> u64 {
        let keys = at.keys();
        let mut history: u64 = 0;
        for key in keys.get(since..keys.len() - 1).unwrap_or_default() {
            history = (history.rotate_left(5) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        history
    }

    fn steps(line: &AnyLine) -> (Vec<(Option<Outcome>, u64)>, usize) {
        let (mut steps, mut earlier) = (Vec::new(), Earlier::default());
        let whole = match_line!(line, line => go(line, &mut earlier, |step| {
            steps.push((step.over, step.history));
            ControlFlow::Continue(())
        }));
        assert!(whole.is_continue());
        (steps, earlier.handled)
    }

    /// Compares every position of a line with what the line says of all its keys.
    fn assert_as_before(mut line: AnyLine) -> (usize, usize) {
        let (found, _) = steps(&line);
        let mut coming = Vec::new();
        while let Some(m) = line.pop() {
            coming.push(m);
        }
        let (mut since, mut repeated, mut fresh) = (0, 0, 0);
        for (ply, (over, history)) in found.into_iter().enumerate() {
            let place = format!("{} {ply}: {}", line.game(), line.position_text());
            assert_eq!(over, line.outcome(), "{place}");
            assert_eq!(history, history_from_all(&line, since), "{place}");
            repeated += usize::from(line.occurrences() > 1);
            let Some(m) = coming.pop() else { break };
            line.push(m).unwrap();
            if line.made_progress() {
                since = ply + 1;
                fresh += 1;
            }
        }
        (repeated, fresh)
    }

    #[test]
    fn each_position_has_the_key_and_the_end_that_it_had() {
        let mut random = SplitMix64::new(7);
        for game in Game::ALL {
            let (mut repeated, mut fresh) = (0, 0);
            for _ in 0..6 {
                let mut line = AnyLine::start(game);
                for _ in 0..120 {
                    // Half of the moves go back where there is such a move.
                    let moves = line.legal(200);
                    let Some(last) = moves.len().checked_sub(1) else {
                        break;
                    };
                    let m = moves[random.below(last as u64 + 1) as usize];
                    let mut after = line.clone();
                    let back = moves.iter().copied().find(|&m| {
                        after.push(m).unwrap();
                        let hash = after.hash();
                        after.pop();
                        line.keys().contains(&hash)
                    });
                    let m = back.filter(|_| random.below(2) == 0).unwrap_or(m);
                    line.push(m).unwrap();
                }
                let (again, anew) = assert_as_before(line);
                (repeated, fresh) = (repeated + again, fresh + anew);
            }
            assert!(repeated > 0, "{game}: nothing was repeated");
            assert!(fresh > 0 || game == Game::Gyges, "{game}: nothing was new");
        }
    }

    #[test]
    fn the_work_grows_with_the_moves_alone() {
        let mut line = AnyLine::start(Game::Chess);
        for _ in 0..500 {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                line.play(text).unwrap();
            }
        }
        let (found, handled) = steps(&line);
        assert_eq!((found.len(), handled), (2001, 2000));
        line.play("e2e4").unwrap();
        // What cannot come again is let go of, once.
        assert_eq!(steps(&line).1, 2001 + 2001);
        assert_as_before(line);
    }
}
