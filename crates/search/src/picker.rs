//! Which move to try next.
//!
//! Moves come in stages, and each stage is only listed when the one before it
//! did not suffice: the move of the table, tactical moves that win something,
//! killers and the counter move, quiet moves by history, tactical moves that
//! lose something. (Public gains: staged picker +34, late quiets +23 to +34.)

use core::ops::Range;

use quadrille_games::{GameMove, MoveKind};

use crate::history::{HISTORY_MAX, gain_class};
use crate::playable::Playable;
use crate::pruning::margin;
use crate::score::Value;
use crate::stack::Seen;
use crate::tunables as t;
use crate::worker::Worker;

/// Quiet moves picked one by one before the rest of the list is sorted as a
/// whole.
const PICKS_BEFORE_SORT: usize = 12;
/// Lists shorter than this are never sorted as a whole.
const SORT_FROM: usize = 40;
/// Listing so many moves takes about as long as searching a node.
const MOVES_PER_NODE: usize = 16;
/// No more moves than this are kept at a time: 64 MiB of list must do. Beyond
/// it a node looks only at the first moves of its list.
const LIST_MAX: usize = 4 << 20;

/// A move and its place in the order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored<M> {
    pub(crate) m: M,
    pub(crate) score: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    ListTactical,
    GoodTactical,
    Killer(usize),
    Counter,
    ListQuiet,
    Quiet,
    BadTactical,
    Done,
}

/// What a picked move is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picked<M> {
    pub(crate) m: M,
    pub(crate) tactical: bool,
    /// A tactical move that the exchange says loses something.
    pub(crate) bad: bool,
    /// By what it was ordered, if it comes from the list of quiet moves.
    pub(crate) score: Option<i32>,
}

/// Hands out the moves of one node. Its lists live in the worker's memory
/// from `base` on; [`finish`](Picker::finish) gives the room back.
pub(crate) struct Picker<M> {
    stage: Stage,
    table_move: Option<M>,
    killers: [Option<M>; 2],
    counter: Option<M>,
    ply: usize,
    base: usize,
    /// Bad tactical moves, put aside from `base` on.
    bad: usize,
    /// The next move of the list of the current stage.
    at: usize,
    /// The end of that list.
    end: usize,
    picks: usize,
    /// Quiet moves that were listed together with the tactical ones.
    quiet_listed: Option<Range<usize>>,
    /// Whether quiet moves are wanted at all.
    quiets: bool,
    /// Tactical moves that do not win this much are bad.
    threshold: Value,
}

impl<M: GameMove> Picker<M> {
    /// All moves of a node.
    pub(crate) fn new<P: Playable<Move = M>>(
        worker: &Worker<'_, P>,
        ply: usize,
        table_move: Option<M>,
    ) -> Self {
        let before = worker.memory.stack.before(ply, 1).slot;
        let mut picker = Self::tactical(worker, ply, table_move, 0);
        picker.killers = worker.memory.stack.at(ply).killers;
        picker.counter = worker.memory.history.counter(before);
        picker.quiets = true;
        picker
    }

    /// Only tactical moves (and the table's move, whatever it is).
    pub(crate) fn tactical<P: Playable<Move = M>>(
        worker: &Worker<'_, P>,
        ply: usize,
        table_move: Option<M>,
        threshold: Value,
    ) -> Self {
        let base = worker.memory.moves.len();
        Self {
            stage: Stage::Table,
            table_move,
            killers: [None, None],
            counter: None,
            ply,
            base,
            bad: base,
            at: base,
            end: base,
            picks: 0,
            quiet_listed: None,
            quiets: false,
            threshold,
        }
    }

    /// No more quiet moves, please.
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move; all are legal.
    pub(crate) fn next<P: Playable<Move = M>>(
        &mut self,
        worker: &mut Worker<'_, P>,
    ) -> Option<Picked<M>> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::ListTactical;
                    if let Some(m) = self.table_move {
                        let tactical = worker.position.is_tactical(m);
                        return Some(Picked {
                            m,
                            tactical,
                            bad: false,
                            score: None,
                        });
                    }
                }
                Stage::ListTactical => {
                    self.list_tactical(worker);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => match self.next_good(worker) {
                    Some(picked) => return Some(picked),
                    None => self.stage = Stage::Killer(0),
                },
                Stage::Killer(i) => {
                    self.stage = if i == 0 {
                        Stage::Killer(1)
                    } else {
                        Stage::Counter
                    };
                    if let Some(picked) = self.remembered(worker, self.killers[i]) {
                        return Some(picked);
                    }
                    self.killers[i] = None;
                }
                Stage::Counter => {
                    self.stage = Stage::ListQuiet;
                    let counter = self.counter.filter(|&m| !self.killers.contains(&Some(m)));
                    if let Some(picked) = self.remembered(worker, counter) {
                        return Some(picked);
                    }
                    self.counter = None;
                }
                Stage::ListQuiet => {
                    self.stage = Stage::Quiet;
                    if self.quiets {
                        self.list_quiet(worker);
                    }
                }
                Stage::Quiet => match self.next_quiet(worker) {
                    Some(picked) => return Some(picked),
                    None => {
                        self.at = self.base;
                        self.end = self.bad;
                        self.stage = Stage::BadTactical;
                    }
                },
                Stage::BadTactical => {
                    if self.at < self.end {
                        let m = worker.memory.moves[self.at].m;
                        self.at += 1;
                        return Some(Picked {
                            m,
                            tactical: true,
                            bad: true,
                            score: None,
                        });
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Gives the room of the lists back; says whether all moves were listed.
    pub(crate) fn finish<P: Playable<Move = M>>(self, worker: &mut Worker<'_, P>) -> bool {
        let whole = worker.memory.moves.len() < LIST_MAX;
        worker.memory.moves.truncate(self.base);
        whole
    }

    /// A quiet move from elsewhere, if it can be played here.
    fn remembered<P: Playable<Move = M>>(
        &self,
        worker: &Worker<'_, P>,
        m: Option<M>,
    ) -> Option<Picked<M>> {
        let m = m.filter(|&m| self.quiets && Some(m) != self.table_move)?;
        let position = &worker.position;
        (position.is_legal(m) && !position.is_tactical(m)).then_some(Picked {
            m,
            tactical: false,
            bad: false,
            score: None,
        })
    }

    fn list_tactical<P: Playable<Move = M>>(&mut self, worker: &mut Worker<'_, P>) {
        worker.memory.seen.begin();
        if P::STAGED || !self.quiets {
            list(worker, MoveKind::Tactical, self.table_move);
            self.end = worker.memory.moves.len();
        } else {
            list(worker, MoveKind::All, self.table_move);
            self.end = self.base + tactical_first(worker, self.base);
            self.quiet_listed = Some(self.end..worker.memory.moves.len());
        }
        self.at = self.base;
        self.score_tactical(worker);
    }

    fn score_tactical<P: Playable<Move = M>>(&self, worker: &mut Worker<'_, P>) {
        let memory = &mut *worker.memory;
        for scored in &mut memory.moves[self.base..self.end] {
            let m = scored.m;
            let gain = worker.position.gain(m);
            let slot = worker.position.slot(m);
            let experience = memory.history.tactical(slot, gain_class(gain, P::PAWN));
            scored.score = gain * 16 * 100 / P::PAWN - worker.position.stake(m) * 100 / P::PAWN
                + experience * t::tactical_history_percent::<P>() / 100;
        }
    }

    /// The best tactical move left that does not lose anything.
    fn next_good<P: Playable<Move = M>>(
        &mut self,
        worker: &mut Worker<'_, P>,
    ) -> Option<Picked<M>> {
        while self.at < self.end {
            let m = self.select(worker);
            let threshold = self.threshold - self.trust(worker, m);
            if worker.position.exchange_wins(m, threshold) {
                return Some(Picked {
                    m,
                    tactical: true,
                    bad: false,
                    score: None,
                });
            }
            // Everything before `at` was handed out, so there is room.
            worker.memory.moves[self.bad].m = m;
            self.bad += 1;
        }
        None
    }

    /// What a tactical move may lose in the exchange because of its good name.
    #[inline]
    fn trust<P: Playable<Move = M>>(&self, worker: &Worker<'_, P>, m: M) -> Value {
        if !P::HIGHLY_SELECTIVE || !self.quiets || !P::EXCHANGES {
            return 0;
        }
        margin::<P>(worker.tactical_history(m) * t::exchange_trust() / HISTORY_MAX)
    }

    fn list_quiet<P: Playable<Move = M>>(&mut self, worker: &mut Worker<'_, P>) {
        if let Some(listed) = self.quiet_listed.take() {
            (self.at, self.end) = (listed.start, listed.end);
        } else {
            self.at = worker.memory.moves.len();
            worker.memory.seen.begin();
            list(worker, MoveKind::Quiet, self.table_move);
            self.end = worker.memory.moves.len();
        }
        self.picks = 0;
        let context = worker.context(self.ply);
        let danger = worker.danger(self.ply);
        let memory = &mut *worker.memory;
        let promise = worker.position.promises();
        for scored in &mut memory.moves[self.at..self.end] {
            let slot = worker.position.slot(scored.m);
            let history = &memory.history;
            let trail = worker.position.trail(scored.m, danger);
            let after = |n: usize| history.continuation(context.befores[n], slot);
            scored.score = promise(scored.m)
                + history.quiet(slot, trail) * 2
                + history.in_structure(context.structure, slot)
                + after(0) * 2
                + after(1)
                + after(2) / 2
                + after(3) * t::continuation_six_percent::<P>() / 200;
        }
    }

    fn next_quiet<P: Playable<Move = M>>(
        &mut self,
        worker: &mut Worker<'_, P>,
    ) -> Option<Picked<M>> {
        while self.quiets && self.at < self.end {
            self.picks += 1;
            let m = if self.picks <= PICKS_BEFORE_SORT || self.end - self.at < SORT_FROM {
                self.select(worker)
            } else {
                if self.picks == PICKS_BEFORE_SORT + 1 {
                    let rest = &mut worker.memory.moves[self.at..self.end];
                    rest.sort_unstable_by_key(|scored| core::cmp::Reverse(scored.score));
                }
                self.at += 1;
                worker.memory.moves[self.at - 1].m
            };
            let score = worker.memory.moves[self.at - 1].score;
            if self.killers.contains(&Some(m)) || self.counter == Some(m) {
                continue;
            }
            return Some(Picked {
                m,
                tactical: false,
                bad: false,
                score: Some(score),
            });
        }
        None
    }

    /// Brings the best move of the rest to the front and takes it.
    fn select<P: Playable<Move = M>>(&mut self, worker: &mut Worker<'_, P>) -> M {
        let rest = &mut worker.memory.moves[self.at..self.end];
        // The score is kept beside the index: looked up again for every
        // comparison it would be the slowest load of the whole search.
        let (mut best, mut top) = (0, i32::MIN);
        for (i, scored) in rest.iter().enumerate() {
            if scored.score > top {
                (best, top) = (i, scored.score);
            }
        }
        rest.swap(0, best);
        self.at += 1;
        rest[0].m
    }
}

/// Appends the moves of a kind, leaving out one that was already handed out
/// and those whose result another move already gives.
fn list<P: Playable>(worker: &mut Worker<'_, P>, kind: MoveKind, but: Option<P::Move>) {
    let memory = &mut *worker.memory;
    let (moves, seen) = (&mut memory.moves, &mut memory.seen);
    let from = moves.len();
    let position = &worker.position;
    if let Some(key) = but.and_then(|m| position.result_key(m)) {
        seen.insert(key);
    }
    position.generate(kind, |m| {
        if Some(m) != but && moves.len() < LIST_MAX && is_new(position, seen, m) {
            moves.push(Scored { m, score: 0 });
        }
    });
    let listed = moves.len() - from;
    worker.has_worked(listed / MOVES_PER_NODE);
}

/// Brings the tactical moves from `base` on to the front; says how many.
fn tactical_first<P: Playable>(worker: &mut Worker<'_, P>, base: usize) -> usize {
    let list = &mut worker.memory.moves[base..];
    let mut count = 0;
    for i in 0..list.len() {
        if worker.position.is_tactical(list[i].m) {
            list.swap(i, count);
            count += 1;
        }
    }
    count
}

/// Whether no move listed before leads to the same position.
#[inline]
fn is_new<P: Playable>(position: &P, seen: &mut Seen, m: P::Move) -> bool {
    position.result_key(m).is_none_or(|key| seen.insert(key))
}
