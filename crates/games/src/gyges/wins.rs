//! Whether the side to move wins at once: the question a search asks at every
//! node, so it has a way of its own.
//!
//! First the pieces from which the goal may be reached are collected from the
//! goal backwards, as if edges could be used again and as if every piece of the
//! active row were lifted: a superset, and usually one without any piece of the
//! active row, which settles it. Otherwise the chains within that superset are
//! walked one by one. On the rare boards with too many of them the generator's
//! walk decides.

use super::board::Gyges;
use super::geometry::{BOARD, Bits, Origin, SQUARES, origin};
use super::moves::GygesMove;
use crate::game::Side;

/// Pieces visited in one attempt to find a chain before the generator's walk
/// takes over.
const BUDGET: u32 = 48;

/// How the walk along the chains from one piece ended.
enum Verdict {
    Wins,
    Fails,
    /// The budget is spent.
    Unknown,
}

struct Finder {
    kinds: [u64; 3],
    side: usize,
    goal: u8,
    movable: u64,
    /// Pieces that cannot be the lifted one.
    fixed: u64,
    /// Pieces from which the goal may be reached.
    leading: u64,
    /// For the pieces in `built`, the runs that no fixed piece blocks.
    live: [u64; SQUARES],
    built: u64,
    budget: u32,
}

impl Gyges {
    /// Whether the side to move can enter the goal now. Much cheaper than
    /// generating.
    pub fn can_win(&self) -> bool {
        self.winning_move().is_some()
    }

    /// A move that wins at once, if there is one.
    pub fn winning_move(&self) -> Option<GygesMove> {
        let goal = Self::goal_of(self.side);
        let movable = self.movable();
        let near = self.near_goal();
        if movable == 0 || near == [0; 3] {
            return None;
        }
        let mut finder = Finder {
            kinds: self.kinds,
            side: self.side.index(),
            goal,
            movable,
            fixed: self.occupied() & !movable,
            leading: 0,
            live: [0; SQUARES],
            built: 0,
            budget: 0,
        };
        finder.look_back(near);
        Bits(movable & finder.leading)
            .find(|&start| match finder.attempt(start) {
                Verdict::Wins => true,
                Verdict::Fails => false,
                Verdict::Unknown => self.walk().reach(start, 1 << goal) >> goal & 1 == 1,
            })
            .map(|start| GygesMove::new(start, goal, None))
    }

    /// By kind, the pieces that stand where their rings could take them into
    /// the goal: the last run of a win starts from one of them.
    #[inline]
    fn near_goal(&self) -> [u64; 3] {
        // One ring: the last row. Two: the last two rows. Three: the last three.
        core::array::from_fn(|kind| {
            let rows = kind as u32 + 1;
            self.kinds[kind]
                & match self.side {
                    Side::White => BOARD & !((1u64 << (6 * (6 - rows))) - 1),
                    Side::Black => (1u64 << (6 * rows)) - 1,
                }
        })
    }
}

impl Finder {
    /// The runs from a piece that no fixed piece blocks.
    #[inline(always)]
    fn live(&mut self, kind: usize, square: u8) -> u64 {
        if self.built >> square & 1 == 0 {
            let origin = origin(kind, square);
            let live = origin.all[self.side] & !blocked(origin, self.fixed);
            self.live[square as usize] = live;
            self.built |= 1 << square;
        }
        self.live[square as usize]
    }

    /// Collects the pieces from which the goal may be reached.
    fn look_back(&mut self, near: [u64; 3]) {
        for (kind, &pieces) in near.iter().enumerate() {
            for square in Bits(pieces) {
                let enters = self.live(kind, square) & origin(kind, square).into(self.goal) != 0;
                self.leading |= u64::from(enters) << square;
            }
        }
        let mut todo = self.leading;
        while todo != 0 {
            let target = todo.trailing_zeros() as u8;
            todo &= todo - 1;
            for kind in 0..3 {
                // Runs can be walked backwards: whom a piece of this kind would
                // reach from the target, is who reaches the target.
                let near = origin(kind, target).reached;
                for square in Bits(self.kinds[kind] & near & BOARD & !self.leading) {
                    if self.live(kind, square) & origin(kind, square).into(target) != 0 {
                        self.leading |= 1 << square;
                        todo |= 1 << square;
                    }
                }
            }
        }
    }

    fn attempt(&mut self, start: u8) -> Verdict {
        self.budget = BUDGET;
        self.follow(start, start, 0)
    }

    /// Walks every chain from a piece, having lifted `start` and used some
    /// edges.
    fn follow(&mut self, start: u8, square: u8, used: u64) -> Verdict {
        if self.budget == 0 {
            return Verdict::Unknown;
        }
        self.budget -= 1;
        let kind = usize::from(self.kinds[1] >> square & 1 == 1)
            + 2 * usize::from(self.kinds[2] >> square & 1 == 1);
        let origin = origin(kind.min(2), square);
        let others = self.movable & !(1 << start);
        let live = self.live(kind.min(2), square) & !blocked(origin, others);
        let unused = |run: u8| origin.edges(run as u32) & used == 0;
        if Bits(live & origin.into(self.goal)).any(unused) {
            return Verdict::Wins;
        }
        for next in Bits(origin.reached & self.leading & !(1 << start)) {
            for run in Bits(live & origin.into(next)) {
                if !unused(run) {
                    continue;
                }
                let verdict = self.follow(start, next, used | origin.edges(run as u32));
                if !matches!(verdict, Verdict::Fails) {
                    return verdict;
                }
            }
        }
        Verdict::Fails
    }
}

/// The runs that these pieces block.
#[inline(always)]
fn blocked(origin: &Origin, pieces: u64) -> u64 {
    let mut blocked = 0;
    for blocker in Bits(origin.crossed & pieces) {
        blocked |= origin.through(blocker);
    }
    blocked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gyges::GygesRules;
    use crate::position::Position;

    #[test]
    fn a_win_is_found_where_the_generator_finds_one() {
        let mut seen = [0; 2];
        for number in (0..Gyges::STARTS).step_by(23) {
            let mut position =
                Gyges::start_numbered(number, &GygesRules::default()).expect("a start");
            for ply in 0..16 {
                let moves = position.moves();
                let wins = moves.iter().any(|m| m.is_goal());
                assert_eq!(position.can_win(), wins, "{position:?}");
                seen[usize::from(wins)] += 1;
                let quiet: Vec<_> = moves.into_iter().filter(|m| !m.is_goal()).collect();
                let Some(&m) = quiet.get((number + 31 * ply) % quiet.len().max(1)) else {
                    break;
                };
                position.make(m, &mut ());
            }
        }
        assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
    }
}
