//! Sums of the first layer that follow the board.
//!
//! A move only notes what it changes. When a value is asked for, the nearest
//! sums that are known are brought up to date, move by move, so that a node that
//! is never judged costs nothing. Where a side begins to see the board in
//! another way (its king has crossed the middle), its sums begin afresh, from
//! the last ones that were computed for that way of seeing.

use core::fmt::Debug;
use std::sync::Arc;

use quadrille_games::Side;

use super::inputs::Inputs;
use super::weights::{Block, Net};
use crate::score::Value;

/// Changes in one move that are noted one by one; more begin the sums afresh.
const FEW: usize = 4;

/// A game whose features follow the pieces.
pub(crate) trait Follows: Inputs {
    /// How a side sees the board.
    type View: Copy + Eq + Debug + Send;
    /// What comes and goes: a piece on a square.
    type Item: Copy + Debug + Send;

    /// How many ways of seeing there are.
    const VIEWS: usize;

    /// How the side sees this position.
    fn view(&self, side: Side) -> Self::View;

    /// The number of a way of seeing, less than [`VIEWS`](Self::VIEWS).
    fn number(view: Self::View) -> usize;

    /// The feature that an item is.
    fn feature(view: Self::View, item: Self::Item) -> usize;
}

/// What a move changed.
#[derive(Debug, Clone, Copy)]
struct Few<T> {
    items: [Option<T>; FEW],
    count: usize,
}

impl<T: Copy> Few<T> {
    const NONE: Self = Self {
        items: [None; FEW],
        count: 0,
    };

    #[inline]
    fn push(&mut self, item: T) {
        if let Some(place) = self.items.get_mut(self.count) {
            *place = Some(item);
        }
        self.count += 1;
    }

    const fn is_overfull(&self) -> bool {
        self.count > FEW
    }
}

#[derive(Debug, Clone, Copy)]
struct Frame<P: Follows> {
    views: [P::View; 2],
    /// Whether the sums of a side are known.
    ready: [bool; 2],
    added: Few<P::Item>,
    removed: Few<P::Item>,
}

/// The last sums for one way of seeing.
#[derive(Debug, Clone)]
struct Remembered {
    /// A bit for each feature that they hold.
    features: Vec<u64>,
    sums: Vec<Block>,
}

/// The sums of both sides along the moves from the root.
#[derive(Debug, Clone)]
pub(crate) struct NetStack<P: Follows> {
    net: Arc<Net>,
    frames: Vec<Frame<P>>,
    /// For each frame White's sums, then Black's.
    sums: Vec<Block>,
    /// For each side and each way of seeing.
    remembered: Vec<Remembered>,
    /// Room for the features of a position.
    scratch: Vec<u64>,
}

impl<P: Follows> NetStack<P> {
    pub(crate) fn new(net: &Arc<Net>, position: &P) -> Self {
        let words = P::SHAPE.features.div_ceil(64);
        let empty = Remembered {
            features: vec![0; words],
            sums: net.start().to_vec(),
        };
        let mut stack = Self {
            net: Arc::clone(net),
            frames: Vec::with_capacity(64),
            sums: Vec::new(),
            remembered: vec![empty; 2 * P::VIEWS],
            scratch: vec![0; words],
        };
        stack.reset(position);
        stack
    }

    /// Begins afresh; what is remembered stays of use.
    pub(crate) fn reset(&mut self, position: &P) {
        self.frames.clear();
        self.enter(Side::BOTH.map(|side| position.view(side)));
    }

    fn enter(&mut self, views: [P::View; 2]) {
        self.frames.push(Frame {
            views,
            ready: [false; 2],
            added: Few::NONE,
            removed: Few::NONE,
        });
        let needed = self.frames.len() * 2 * self.net.width();
        if self.sums.len() < needed {
            self.sums.resize(needed, Block::ZERO);
        }
    }

    #[inline]
    pub(crate) fn push(&mut self) {
        if let Some(top) = self.frames.last() {
            self.enter(top.views);
        }
    }

    #[inline]
    pub(crate) fn pop(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    #[inline]
    pub(crate) fn added(&mut self, item: P::Item) {
        if let Some(top) = self.frames.last_mut() {
            top.added.push(item);
        }
    }

    #[inline]
    pub(crate) fn removed(&mut self, item: P::Item) {
        if let Some(top) = self.frames.last_mut() {
            top.removed.push(item);
        }
    }

    /// The side sees the board in this way from now on.
    #[inline]
    pub(crate) fn sees(&mut self, side: Side, view: P::View) {
        if let Some(top) = self.frames.last_mut() {
            top.views[side.index()] = view;
        }
    }

    /// The value of the position that was followed, for the side to move.
    pub(crate) fn value(&mut self, position: &P) -> Value {
        for side in Side::BOTH {
            self.bring_up(side, position);
        }
        let top = self.frames.len() - 1;
        let side = position.side();
        let mover = self.range(top, side);
        let other = self.range(top, side.other());
        let bucket = position.bucket();
        self.net.judge(&self.sums[mover], &self.sums[other], bucket)
    }

    fn range(&self, frame: usize, side: Side) -> core::ops::Range<usize> {
        let width = self.net.width();
        let begin = (2 * frame + side.index()) * width;
        begin..begin + width
    }

    fn bring_up(&mut self, side: Side, position: &P) {
        let i = side.index();
        let top = self.frames.len() - 1;
        let mut known = top;
        while !self.frames[known].ready[i] {
            let frame = &self.frames[known];
            let breaks = frame.added.is_overfull() || frame.removed.is_overfull();
            if known == 0 || breaks || self.frames[known - 1].views[i] != frame.views[i] {
                self.refresh(side, position);
                return;
            }
            known -= 1;
        }
        for frame in known + 1..=top {
            self.step(frame, side);
        }
    }

    /// The sums of a frame from those of the one before.
    fn step(&mut self, frame: usize, side: Side) {
        let width = self.net.width();
        let (before, here) = (self.range(frame - 1, side), self.range(frame, side));
        let (low, high) = self.sums.split_at_mut(here.start);
        let (from, to) = (&low[before], &mut high[..width]);
        let at = &mut self.frames[frame];
        at.ready[side.index()] = true;
        let view = at.views[side.index()];
        let net = &*self.net;
        let row = |item: P::Item| net.row(P::feature(view, item));
        let kernel = net.kernel();
        match (at.added.items, at.removed.items) {
            ([None, ..], [None, ..]) => to.copy_from_slice(from),
            ([Some(a), None, ..], [Some(r), None, ..]) => {
                kernel.apply_to(to, from, [row(a)], [row(r)]);
            }
            ([Some(a), None, ..], [Some(r), Some(s), None, ..]) => {
                kernel.apply_to(to, from, [row(a)], [row(r), row(s)]);
            }
            (added, removed) => {
                to.copy_from_slice(from);
                for item in added.into_iter().flatten() {
                    kernel.apply(to, &[row(item)], &[]);
                }
                for item in removed.into_iter().flatten() {
                    kernel.apply(to, &[], &[row(item)]);
                }
            }
        }
    }

    /// Computes the sums of the top frame from what is remembered for this way
    /// of seeing.
    fn refresh(&mut self, side: Side, position: &P) {
        let top = self.frames.len() - 1;
        let here = self.range(top, side);
        let frame = &mut self.frames[top];
        frame.ready[side.index()] = true;
        let number = P::number(frame.views[side.index()]);
        let remembered = &mut self.remembered[side.index() * P::VIEWS + number];
        self.scratch.fill(0);
        position.features(side, |feature| {
            self.scratch[feature / 64] |= 1 << (feature % 64);
        });
        let (net, kernel) = (&*self.net, self.net.kernel());
        let words = remembered.features.iter_mut().zip(&self.scratch);
        for (word, (old, &new)) in words.enumerate() {
            for feature in bits(new & !*old) {
                let row = net.row(word * 64 + feature);
                kernel.apply(&mut remembered.sums, &[row], &[]);
            }
            for feature in bits(*old & !new) {
                let row = net.row(word * 64 + feature);
                kernel.apply(&mut remembered.sums, &[], &[row]);
            }
            *old = new;
        }
        self.sums[here].copy_from_slice(&remembered.sums);
    }
}

/// The places of the bits that are set.
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
