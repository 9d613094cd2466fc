//! Which move to play: every legal move with what it leads to.

use std::collections::HashSet;

use quadrille_games::chess::{Chess, Move, PieceKind};
use quadrille_games::{Line, Position};

use crate::error::ProbeError;
use crate::probe::{is_capture, is_mate};
use crate::tables::Tables;
use crate::wdl::Wdl;

/// The rank of a move that wins for certain. A win that takes `n` plies, those
/// already played without progress included, and is not certain for that reason
/// or another has `n` less; losing moves have the negative of that.
pub const CERTAIN: i32 = 1 << 18;

/// How the game came to a position, and what counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootRules {
    /// Plies since the last capture or pawn move.
    pub clock: u32,
    /// Whether a position has occurred twice since then: then only the shortest way
    /// is sure to make progress.
    pub repeated: bool,
    /// Whether wins that the fifty-move rule spoils are scored as draws.
    pub fifty_moves: bool,
}

impl RootRules {
    /// What is true of the end of a line.
    ///
    /// ```
    /// use quadrille_games::{Line, chess::Chess};
    /// use quadrille_syzygy::RootRules;
    ///
    /// let mut line = Line::new(Chess::default());
    /// for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
    ///     line.play(m)?;
    /// }
    /// let rules = RootRules::of(&line, true);
    /// assert!(rules.repeated && rules.clock == 4);
    /// # Ok::<(), quadrille_games::MoveError>(())
    /// ```
    pub fn of(line: &Line<Chess>, fifty_moves: bool) -> Self {
        let clock = line.position().halfmove_clock();
        let keys = line.keys();
        let recent = keys.len().saturating_sub(clock as usize + 1);
        let mut seen = HashSet::new();
        let repeated = !keys.iter().skip(recent).all(|key| seen.insert(key));
        Self {
            clock,
            repeated,
            fifty_moves,
        }
    }
}

/// What a move is worth, for display and for a search that has nothing better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootScore {
    /// It wins.
    Win,
    /// A draw, or close to one: 1 to 49 for a win that the fifty-move rule spoils,
    /// the more the less is missing, and the same below 0 for a loss.
    Centipawns(i32),
    /// It loses.
    Loss,
}

/// A move as the tables see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// What it leads to for the side that makes it, the plies already played
    /// without progress counted.
    pub wdl: Wdl,
    /// Plies to the next capture or pawn move, this one included: 1 for a move
    /// that is one itself and wins, or mates. `None` where there are only tables of
    /// results.
    pub dtz: Option<i32>,
    /// A move with a lower rank than another may spoil something; among those of
    /// equal rank a search may choose. See [`CERTAIN`].
    pub rank: i32,
    /// What it is worth.
    pub score: RootScore,
}

impl Tables {
    /// All legal moves, ranked by distance, or by result alone where a table of
    /// distances is missing. An error if not every move can be looked up: then none
    /// of the ranks could be trusted. Empty if the game is over.
    pub fn root_moves(
        &self,
        position: &Chess,
        rules: RootRules,
    ) -> Result<Vec<RootMove>, ProbeError> {
        match self.root_moves_by_distance(position, rules) {
            Err(ProbeError::Missing(..)) => self.root_moves_by_result(position, rules),
            ranked => ranked,
        }
    }

    /// All legal moves, ranked by distance.
    pub fn root_moves_by_distance(
        &self,
        position: &Chess,
        rules: RootRules,
    ) -> Result<Vec<RootMove>, ProbeError> {
        let ranked = |&m: &Move| {
            let next = position.after(m);
            let is_zeroing = m.kind() == Some(PieceKind::Pawn) || is_capture(position, m);
            let dtz = if is_zeroing {
                (-self.wdl(&next)?).distance_before_zeroing()
            } else {
                let after = -self.dtz(&next)?;
                after + after.signum()
            };
            // A position in which one is mated has the distance 1 too.
            let dtz = if dtz == 2 && is_mate(&next) { 1 } else { dtz };
            let rank = rules.rank(dtz);
            Ok(RootMove {
                m,
                wdl: Wdl::of_distance(dtz, rules.clock),
                dtz: Some(dtz),
                rank,
                score: rules.score(rank),
            })
        };
        self.whole(position)?.iter().map(ranked).collect()
    }

    /// All legal moves, ranked by result.
    pub fn root_moves_by_result(
        &self,
        position: &Chess,
        rules: RootRules,
    ) -> Result<Vec<RootMove>, ProbeError> {
        let ranked = |&m: &Move| {
            let wdl = -self.wdl(&position.after(m))?;
            let counted = if rules.fifty_moves {
                wdl
            } else {
                wdl.without_fifty_moves()
            };
            let (rank, score) = match counted {
                Wdl::Win => (CERTAIN, RootScore::Win),
                Wdl::CursedWin => (CERTAIN - 101, RootScore::Centipawns(1)),
                Wdl::Draw => (0, RootScore::Centipawns(0)),
                Wdl::BlessedLoss => (101 - CERTAIN, RootScore::Centipawns(-1)),
                Wdl::Loss => (-CERTAIN, RootScore::Loss),
            };
            Ok(RootMove {
                m,
                wdl,
                dtz: None,
                rank,
                score,
            })
        };
        self.whole(position)?.iter().map(ranked).collect()
    }

    /// The moves of a position that tables can be about.
    fn whole(&self, position: &Chess) -> Result<Vec<Move>, ProbeError> {
        if position.occupied().count() > self.most_men() {
            return Err(ProbeError::TooManyMen);
        }
        if !position.castling().is_empty() {
            return Err(ProbeError::Castling);
        }
        Ok(position.moves())
    }
}

impl RootRules {
    /// Better moves rank higher. Certain wins are alike, so that a search may choose
    /// among them, and so are losses while the fifty-move rule is out of reach.
    fn rank(self, dtz: i32) -> i32 {
        let clock = self.clock.min(CERTAIN as u32 / 4) as i32;
        let plies = dtz.abs() + clock;
        match dtz.signum() {
            1 if plies <= 99 && !self.repeated => CERTAIN,
            1 => CERTAIN - plies,
            -1 if 2 * dtz.abs() + clock < 100 => -CERTAIN,
            -1 => plies - CERTAIN,
            _ => 0,
        }
    }

    fn score(self, rank: i32) -> RootScore {
        let bound = if self.fifty_moves { CERTAIN - 100 } else { 1 };
        let near = |missing: i32| (200 - missing).max(3) / 2;
        match rank {
            _ if rank >= bound => RootScore::Win,
            _ if rank <= -bound => RootScore::Loss,
            1.. => RootScore::Centipawns(near(CERTAIN - rank)),
            0 => RootScore::Centipawns(0),
            _ => RootScore::Centipawns(-near(CERTAIN + rank)),
        }
    }
}
