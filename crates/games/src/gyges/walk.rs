//! Where a lifted piece can end: the heart of the move generator.
//!
//! A move is a chain of runs that never uses an edge twice, so whether a run
//! is possible depends on everything before it. Walking every chain explodes
//! on boards full of bounces; but a move list only needs the **set** of squares
//! on which the chain can end. Three ideas keep the work small. A *state*
//! `(p, U)` means: the mover stands on the piece at `p`, having used the edges
//! `U`.
//!
//! **Dominance.** `(p, U)` is dropped if `(p, V)` with `V ⊆ U` was met before.
//! *Proof.* Claim: for every visited state and every chain of `n` runs that is
//! possible from it, the end of the chain is found. By induction on `n`. For
//! `n = 1` the visit itself finds it. For `n > 1` the first run leads to some
//! `(q, W)`, from where the other `n - 1` runs are possible. If that state is
//! visited, the claim for `n - 1` applies. If it was dropped, then for the sake
//! of a visited `(q, V)` with `V ⊆ W`; what is unused in `W` is unused in `V`,
//! so the same `n - 1` runs are possible from there and the claim applies to
//! that state. ∎ The set of pieces bounced on is not part of the state: the
//! rules do not forbid bouncing twice on a piece, and dominance forbids it
//! anyway, because the second visit has used every edge of the first.
//!
//! **An upper bound.** `surely(p)` is a set of edges that every arrival at `p`
//! has used: empty for the start, and for a piece the intersection, over all
//! runs `r` from `q` into it that avoid `surely(q)`, of `surely(q) ∪ r`, as a
//! greatest fixed point. Every real arrival at `p` contains `surely(p)` (by
//! induction on the number of runs), so every real run from `p` avoids it:
//! squares that no such run enters cannot be reached. The walk stops as soon as
//! everything within the bound is found, and the same bound taken from a state
//! drops the state if it promises nothing new.
//!
//! **Looking from behind.** On the rare boards where that is not enough, each
//! square still missing is approached from its own side; see `behind.rs`.
//!
//! Dropping a state for lack of promise agrees with the proof above: whatever
//! is reachable from it, and from every state it would dominate, has been found
//! already or is found by the states still open.

use super::geometry::{BOARD, Bits, NEARBY, Origin, SQUARES, origin};
use super::seen::Seen;

/// Visits of a walk before the upper bound is worth computing: most walks are
/// over by then.
const EAGER: u32 = 12;
/// Visits of a walk before single states are weighed, and missing squares looked
/// at from behind: up to here the plain walk is cheaper than being clever.
const STUBBORN: u32 = 48;

/// The same for a narrow question, where most states promise nothing.
const NARROW: u32 = EAGER + 8;

/// How much work a generation was, in steps that take about constant time.
/// Unlike a time it is the same on every machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// States visited: pieces on which the mover was set down to bounce.
    pub visits: u32,
    /// Pieces whose runs were looked through to compute upper bounds.
    pub scans: u32,
    /// Chunks of seven remembered states compared with a new one.
    pub lookups: u32,
}

impl Work {
    /// All steps together.
    #[inline]
    pub const fn total(self) -> u32 {
        self.visits
            .saturating_add(self.scans)
            .saturating_add(self.lookups)
    }
}

/// The possible runs of one piece on the present board.
#[derive(Clone, Copy, Default)]
pub(super) struct Fan {
    /// Runs that end on a piece.
    pub(super) bounce: u64,
    /// Runs that end on an empty square or on the goal.
    pub(super) quiet: u64,
    /// Where the quiet runs end.
    quiet_ends: u64,
}

/// One generation: the board with one piece after the other lifted from it.
pub(super) struct Walk {
    pub(super) kinds: [u64; 3],
    /// The mover: selects which goal may be entered.
    side: usize,
    pub(super) start: u8,
    /// Pieces on the board without the lifted one.
    pub(super) occupied: u64,
    /// Squares, goals and pieces reached so far.
    pub(super) found: u64,
    /// What is worth reaching and not found yet.
    pub(super) want: u64,
    /// Visits since the piece was lifted.
    visits: u32,
    /// Visits from which on every state is weighed by its own upper bound.
    weigh_from: u32,
    /// Visits at which the missing squares are looked at from behind.
    patience: u32,
    pub(super) work: Work,
    fans: [Fan; SQUARES],
    /// Which `fans` are valid.
    built: u64,
    surely: [u64; SQUARES],
    pub(super) seen: Seen,
}

impl Walk {
    pub(super) fn new(kinds: [u64; 3], side: usize) -> Self {
        Self {
            kinds,
            side,
            start: 0,
            occupied: 0,
            found: 0,
            want: 0,
            visits: 0,
            weigh_from: STUBBORN,
            patience: STUBBORN,
            work: Work::default(),
            fans: [Fan::default(); SQUARES],
            built: 0,
            surely: [0; SQUARES],
            seen: Seen::new(),
        }
    }

    pub(super) fn work(&self) -> Work {
        Work {
            lookups: self.work.lookups + self.seen.lookups,
            ..self.work
        }
    }

    /// Lifts the piece on `start` and finds every square, goal and piece on
    /// which it can end, among those in `want`. With `want` narrow the answer
    /// may contain a few others as well.
    pub(super) fn reach(&mut self, start: u8, want: u64) -> u64 {
        self.lift(start);
        self.want = want;
        // A narrow question is usually answered by the bound alone.
        if want != !0 {
            self.want &= self.promised(start, 0, false);
            if self.want == 0 {
                return 0;
            }
            self.visits = EAGER + 1;
            self.weigh_from = NARROW;
        }
        self.visit(start, 0);
        self.found
    }

    /// The squares and pieces the first run from `start` can end on.
    pub(super) fn first_run(&mut self, start: u8) -> u64 {
        self.lift(start);
        let fan = self.fan(start);
        let origin = self.origin(start);
        let landed = Bits(fan.bounce).fold(0, |set, run| set | 1 << origin.end(run as u32));
        fan.quiet_ends | landed
    }

    fn lift(&mut self, start: u8) {
        // Fans near the piece put back and near the piece lifted change.
        for square in [self.start, start] {
            for (kind, &pieces) in self.kinds.iter().enumerate() {
                self.built &= !(pieces & NEARBY[kind][square as usize]);
            }
        }
        self.start = start;
        self.occupied = (self.kinds[0] | self.kinds[1] | self.kinds[2]) & BOARD & !(1 << start);
        self.found = 0;
        self.visits = 0;
        self.weigh_from = STUBBORN;
        self.patience = STUBBORN;
        self.seen.clear();
    }

    #[inline(always)]
    pub(super) fn origin(&self, square: u8) -> &'static Origin {
        let two = self.kinds[1] >> square & 1;
        let three = self.kinds[2] >> square & 1;
        // Three wins over two: only a position left by an illegal move has both.
        origin((two & !three | three << 1) as usize, square)
    }

    #[inline(always)]
    pub(super) fn fan(&mut self, square: u8) -> Fan {
        if self.built >> square & 1 == 0 {
            self.fans[square as usize] = self.build_fan(square);
            self.built |= 1 << square;
        }
        self.fans[square as usize]
    }

    fn build_fan(&self, square: u8) -> Fan {
        let origin = self.origin(square);
        let mut live = origin.all[self.side];
        for blocker in Bits(origin.crossed & self.occupied) {
            live &= !origin.through(blocker);
        }
        let mut bounce = 0;
        for piece in Bits(origin.reached & self.occupied) {
            bounce |= origin.into(piece);
        }
        bounce &= live;
        let quiet = live & !bounce;
        let mut quiet_ends = 0;
        for end in Bits(origin.reached & !self.occupied) {
            quiet_ends |= u64::from(quiet & origin.into(end) != 0) << end;
        }
        Fan {
            bounce,
            quiet,
            quiet_ends,
        }
    }

    /// The squares of `among` on which a quiet run that avoids `used` ends.
    #[inline(always)]
    fn quiet_hits(origin: &Origin, fan: Fan, used: u64, among: u64) -> u64 {
        let candidates = fan.quiet_ends & among;
        if used & origin.touched == 0 {
            return candidates;
        }
        let mut hits = 0;
        for end in Bits(candidates) {
            let free =
                Bits(fan.quiet & origin.into(end)).any(|run| origin.edges(run as u32) & used == 0);
            hits |= u64::from(free) << end;
        }
        hits
    }

    /// Goes on from a state. True once nothing is wanted any more.
    fn visit(&mut self, from: u8, used: u64) -> bool {
        self.work.visits += 1;
        let fan = self.fan(from);
        let origin = self.origin(from);
        let mut found = Self::quiet_hits(origin, fan, used, self.want);
        let mut open = 0u64;
        for run in Bits(fan.bounce) {
            if origin.edges(run as u32) & used == 0 {
                open |= 1 << run;
                found |= 1 << origin.end(run as u32);
            }
        }
        self.found |= found;
        self.want &= !found;
        if self.want == 0 {
            return true;
        }
        for run in Bits(open) {
            let next = used | origin.edges(run as u32);
            let piece = origin.end(run as u32);
            if !self.seen.admit(piece, next) {
                continue;
            }
            self.visits += 1;
            if self.visits > EAGER && !self.promising(piece, next) {
                if self.want == 0 {
                    return true;
                }
            } else if self.visit(piece, next) {
                return true;
            }
        }
        false
    }

    /// Whether a state may lead to something wanted; sharpens `want` itself at
    /// fixed points of the walk.
    fn promising(&mut self, from: u8, used: u64) -> bool {
        if self.visits == EAGER + 1 {
            self.want &= self.promised(self.start, 0, false);
        } else if self.visits >= self.patience {
            self.patience = 2 * self.visits;
            self.look_backward(self.visits);
        }
        self.want != 0 && (self.visits < self.weigh_from || self.promised(from, used, true) != 0)
    }

    /// An upper bound of what can be reached from a state, among what is
    /// wanted; with `any` it stops at the first hit.
    pub(super) fn promised(&mut self, from: u8, used: u64, any: bool) -> u64 {
        self.surely[from as usize] = used;
        let mut known = 1u64 << from;
        let mut todo = known;
        let mut hits = 0;
        while todo != 0 {
            let piece = todo.trailing_zeros() as u8;
            todo &= todo - 1;
            self.work.scans += 1;
            let surely = self.surely[piece as usize];
            let fan = self.fan(piece);
            let origin = self.origin(piece);
            hits |= Self::quiet_hits(origin, fan, surely, self.want & !hits);
            for run in Bits(fan.bounce) {
                let edges = origin.edges(run as u32);
                if edges & surely != 0 {
                    continue;
                }
                let end = origin.end(run as u32);
                let bit = 1u64 << end;
                hits |= bit;
                let all = surely | edges;
                let old = self.surely[end as usize];
                let new = if known & bit == 0 { all } else { old & all };
                if known & bit == 0 || new != old {
                    self.surely[end as usize] = new;
                    known |= bit;
                    todo |= bit;
                }
            }
            if any && hits & self.want != 0 {
                break;
            }
        }
        hits & self.want
    }
}
