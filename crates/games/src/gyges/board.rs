//! The position: three sets of squares and a side to move.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::geometry::{BOARD, Bits, GOAL_NORTH, GOAL_SOUTH, GOALS, ROW};
use super::moves::{GygesMove, Rings, mirror, turn};
use super::walk::{Walk, Work};
use crate::game::Side;
use crate::random::scatter;

/// Whether a move may leave the board as it was: a loop back onto the start
/// square (`s|s`), or a swap of two pieces with equally many rings (`s|p|s`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NoChange {
    /// Every move must change the board: the newer rule, and ours.
    #[default]
    Forbid,
    /// Such moves are legal: the older rule, which peers may still play by.
    Accept,
}

/// Choices made once for a game of Gyges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct GygesRules {
    /// Whether a move may leave the board as it was.
    pub no_change: NoChange,
}

/// A position of Gyges.
///
/// ```
/// use quadrille_games::gyges::{Gyges, GygesRules};
/// use quadrille_games::{Position, Side};
///
/// let mut game = Gyges::start(&GygesRules::default());
/// assert_eq!(game.count_moves(), 222);
/// let bounce = game.parse_move("2|13")?;
/// assert_eq!(game.notation(bounce), "c1-b3");
/// game.make(bounce, &mut ());
/// assert_eq!(game.side(), Side::Black);
/// assert_eq!(game.text(), "320123/000000/010000/000000/000000/321123 two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Gyges {
    /// By ring count: bits 0 to 35 are squares, 36 and 37 the goals.
    pub(super) kinds: [u64; 3],
    pub(super) key: u64,
    /// Plies since the position was set up: how far back a repetition can lie.
    pub(super) plies: u32,
    pub(super) side: Side,
    pub(super) no_change: NoChange,
}

/// Two positions are equal if board, side and rules are; how long the game has
/// lasted does not matter.
impl PartialEq for Gyges {
    fn eq(&self, other: &Self) -> bool {
        self.kinds == other.kinds && self.side == other.side && self.no_change == other.no_change
    }
}

impl Eq for Gyges {}

impl Hash for Gyges {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl fmt::Debug for Gyges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::position::Position;
        write!(f, "Gyges({}, {:?})", self.text(), self.no_change)
    }
}

const SIDE_KEY: u64 = scatter(1001);

static SQUARE_KEYS: [[u64; 64]; 3] = {
    let mut keys = [[0; 64]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut square = 0;
        while square < 64 {
            keys[kind][square] = scatter((kind * 64 + square + 1) as u64);
            square += 1;
        }
        kind += 1;
    }
    keys
};

#[inline(always)]
pub(super) fn square_key(kind: usize, square: u8) -> u64 {
    SQUARE_KEYS[kind][(square & 63) as usize]
}

impl Gyges {
    pub(super) fn assemble(kinds: [u64; 3], side: Side, no_change: NoChange) -> Self {
        let mut position = Self {
            kinds,
            key: 0,
            plies: 0,
            side,
            no_change,
        };
        position.key = position.key_from_nothing();
        position
    }

    pub(super) fn key_from_nothing(&self) -> u64 {
        let mut key = match self.side {
            Side::White => 0,
            Side::Black => SIDE_KEY,
        };
        for (kind, &set) in self.kinds.iter().enumerate() {
            for square in Bits(set) {
                key ^= square_key(kind, square);
            }
        }
        key
    }

    /// The pieces with that many rings as a set of bits, square 0 lowest; bits
    /// 36 and 37 are the goals.
    #[inline]
    pub fn set(&self, rings: Rings) -> u64 {
        self.kinds[rings.index()]
    }

    /// All pieces on the 36 squares as a set of bits.
    #[inline]
    pub fn occupied(&self) -> u64 {
        (self.kinds[0] | self.kinds[1] | self.kinds[2]) & BOARD
    }

    /// The piece on a square (0 to 35) or goal (36, 37).
    #[inline]
    pub fn piece(&self, square: u8) -> Option<Rings> {
        let kind = self.kind(square)?;
        Some(Rings::ALL[kind])
    }

    #[inline]
    pub(super) fn kind(&self, square: u8) -> Option<usize> {
        if square > GOAL_NORTH {
            return None;
        }
        (0..3).find(|&kind| self.kinds[kind] >> square & 1 == 1)
    }

    /// Who has brought a piece into the opponent's goal.
    #[inline]
    pub fn winner(&self) -> Option<Side> {
        let goals = (self.kinds[0] | self.kinds[1] | self.kinds[2]) & GOALS;
        if goals == 0 {
            None
        } else if goals >> GOAL_NORTH & 1 == 1 {
            Some(Side::White)
        } else {
            Some(Side::Black)
        }
    }

    /// The row (0 to 5) from which this side must move: the occupied row
    /// nearest to it. `None` only if no piece is left on the squares.
    #[inline]
    pub fn active_row(&self, side: Side) -> Option<u8> {
        let occupied = self.occupied();
        if occupied == 0 {
            return None;
        }
        Some(match side {
            Side::White => occupied.trailing_zeros() as u8 / 6,
            Side::Black => occupied.ilog2() as u8 / 6,
        })
    }

    /// The pieces the side to move may lift; none when the game is over.
    #[inline]
    pub(super) fn movable(&self) -> u64 {
        match (self.winner(), self.active_row(self.side)) {
            (None, Some(row)) => self.occupied() & ROW << (6 * row),
            _ => 0,
        }
    }

    /// Empty squares on which the side to move may drop a replaced piece: those
    /// not behind the opponent's active row. The start square of the mover
    /// comes on top.
    #[inline]
    pub(super) fn drop_zone(&self) -> u64 {
        let Some(row) = self.active_row(self.side.other()) else {
            return 0;
        };
        let rows = match self.side {
            Side::White => (1u64 << (6 * (row + 1))) - 1,
            Side::Black => BOARD & !((1u64 << (6 * row)) - 1),
        };
        rows & !self.occupied()
    }

    /// The goal this side plays for.
    #[inline]
    pub const fn goal_of(side: Side) -> u8 {
        match side {
            Side::White => GOAL_NORTH,
            Side::Black => GOAL_SOUTH,
        }
    }

    #[inline]
    pub(super) fn walk(&self) -> Walk {
        Walk::new(self.kinds, self.side.index())
    }

    /// Squares and goals on which the piece from `start` may end a move
    /// without replacing anything, out of what it `found`.
    #[inline]
    pub(super) fn ends(&self, start: u8, found: u64) -> u64 {
        let own = match self.no_change {
            NoChange::Forbid => 1 << start,
            NoChange::Accept => 0,
        };
        found & !(self.occupied() & !(1 << start)) & !own
    }

    /// Where the piece on `landed` may be dropped when the piece from `start`
    /// replaces it. `zone` is [`drop_zone`](Self::drop_zone).
    #[inline]
    pub(super) fn drops(&self, start: u8, landed: u8, zone: u64) -> u64 {
        let home = 1u64 << start;
        let equal = self
            .kinds
            .iter()
            .any(|set| set & home != 0 && set >> landed & 1 == 1);
        if equal && self.no_change == NoChange::Forbid {
            zone
        } else {
            zone | home
        }
    }

    /// Calls `each` with every start square and what its piece can reach.
    #[inline]
    fn each_start(&self, mut each: impl FnMut(u8, u64)) -> Work {
        let movable = self.movable();
        if movable == 0 {
            return Work::default();
        }
        let mut walk = self.walk();
        for start in Bits(movable) {
            each(start, walk.reach(start, !0));
        }
        walk.work()
    }

    /// Every legal move once: per piece first the goal, then plain moves, then
    /// replacements.
    #[inline]
    pub(super) fn each_move(&self, mut each: impl FnMut(GygesMove)) {
        let (zone, occupied) = (self.drop_zone(), self.occupied());
        self.each_start(|start, found| {
            let ends = self.ends(start, found);
            for end in Bits(ends & GOALS).chain(Bits(ends & BOARD)) {
                each(GygesMove::new(start, end, None));
            }
            for landed in Bits(found & occupied & !(1 << start)) {
                for drop in Bits(self.drops(start, landed, zone)) {
                    each(GygesMove::new(start, landed, Some(drop)));
                }
            }
        });
    }

    /// The number of legal moves, without listing them.
    pub(super) fn count_all(&self) -> u64 {
        let (zone, occupied) = (self.drop_zone(), self.occupied());
        let zone_size = zone.count_ones();
        let mut count = 0;
        self.each_start(|start, found| {
            count += self.ends(start, found).count_ones();
            let landed = found & occupied & !(1 << start);
            // Each landing has the zone and the start square, except that
            // equals may not swap under the rule that forbids it.
            count += landed.count_ones() * (zone_size + 1);
            if self.no_change == NoChange::Forbid {
                let own = self.kind(start).map_or(0, |kind| self.kinds[kind]);
                count -= (landed & own).count_ones();
            }
        });
        u64::from(count)
    }

    /// How much work the move generator does here. The walk of each piece is a
    /// search, but one that shares what it learns; this number shows that it
    /// does not explode.
    pub fn work(&self) -> Work {
        self.each_start(|_, _| {})
    }

    /// The squares, goals and pieces on which each movable piece can end, one
    /// call for each: start square, empty squares and goal as bits, pieces it
    /// can land on as bits. What an evaluation of mobility wants.
    pub fn reach(&self, mut each: impl FnMut(u8, u64, u64)) {
        let occupied = self.occupied();
        self.each_start(|start, found| {
            let pieces = occupied & !(1 << start);
            each(start, found & !pieces, found & pieces);
        });
    }

    /// Whether the side to move has any legal move.
    pub fn has_move(&self) -> bool {
        let zone = self.drop_zone();
        let movable = self.movable();
        if movable == 0 {
            return false;
        }
        let mut walk = self.walk();
        let playable = |start: u8, found: u64| {
            self.ends(start, found) != 0
                || Bits(found & self.occupied() & !(1 << start))
                    .any(|landed| self.drops(start, landed, zone) != 0)
        };
        // The first run nearly always answers; bounces are only followed on
        // boards where it does not.
        Bits(movable).any(|start| {
            let first = walk.first_run(start);
            playable(start, first) || (first != 0 && playable(start, walk.reach(start, !0)))
        })
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, m: GygesMove) -> Self {
        let mut next = *self;
        next.apply(m);
        next
    }

    /// The [`hash`](crate::Position::hash) of the position after a legal move,
    /// without making it. About one move in five leads to the same board as
    /// another; a search skips those.
    #[inline]
    pub fn result_key(&self, m: GygesMove) -> u64 {
        let mut key = self.key ^ SIDE_KEY;
        if let Some(mover) = self.kind(m.start()) {
            key ^= square_key(mover, m.start()) ^ square_key(mover, m.end());
        }
        if let Some(drop) = m.drop()
            && let Some(displaced) = self.kind(m.end())
        {
            key ^= square_key(displaced, m.end()) ^ square_key(displaced, drop);
        }
        key
    }

    /// Moves the pieces and passes the turn; returns the kinds of the mover and
    /// of the displaced piece.
    #[inline]
    pub(super) fn apply(&mut self, m: GygesMove) -> (Option<usize>, Option<usize>) {
        self.key = self.result_key(m);
        let mover = self.kind(m.start());
        let displaced = m.drop().and_then(|_| self.kind(m.end()));
        // By exclusive or, so that `s|s` and a drop on the start square need no
        // care about the order.
        if let Some(kind) = mover {
            self.kinds[kind] ^= 1u64 << m.start() ^ 1u64 << m.end();
        }
        if let (Some(kind), Some(drop)) = (displaced, m.drop()) {
            self.kinds[kind] ^= 1u64 << m.end() ^ 1u64 << drop;
        }
        self.side = self.side.other();
        self.plies = self.plies.saturating_add(1);
        (mover, displaced)
    }

    pub(super) fn pass_turn(&mut self) {
        self.side = self.side.other();
        self.key ^= SIDE_KEY;
    }

    /// The same position seen from the other side of the table: the board
    /// turned by 180 degrees and the sides swapped. The game is exactly
    /// symmetric under it.
    #[must_use]
    pub fn turned(&self) -> Self {
        self.mapped(turn, self.side.other())
    }

    /// The same position with left and right swapped. The game is exactly
    /// symmetric under it, too.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        self.mapped(mirror, self.side)
    }

    fn mapped(&self, map: impl Fn(u8) -> u8, side: Side) -> Self {
        let kinds = self
            .kinds
            .map(|set| Bits(set).fold(0, |mapped, square| mapped | 1 << map(square)));
        Self {
            plies: self.plies,
            ..Self::assemble(kinds, side, self.no_change)
        }
    }

    /// The same board with this side to move.
    #[must_use]
    pub fn with_side(&self, side: Side) -> Self {
        let mut position = *self;
        if position.side != side {
            position.pass_turn();
        }
        position
    }

    /// The same position under other rules.
    #[must_use]
    pub fn with_rules(&self, rules: &GygesRules) -> Self {
        Self {
            no_change: rules.no_change,
            ..*self
        }
    }
}
