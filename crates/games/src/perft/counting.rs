//! What is counted.

use core::fmt;
use core::str::FromStr;

use crate::game::Game;
use crate::position::{MoveKind, Position};

/// A way to count a tree: which moves lead on, and what a line is worth.
pub trait Counting<P: Position>: Copy + Send + Sync {
    /// Whether the worth of a position depends on the positions before it. If
    /// so, the count cannot use a table.
    const REMEMBERS: bool = false;

    /// The leaves below a position with one ply left.
    fn leaves(self, position: &P) -> u64;

    /// Calls `each` for every move that leads on.
    fn moves(self, position: &P, each: impl FnMut(P::Move)) {
        position.generate(MoveKind::All, each);
    }

    /// How many lines one move stands for.
    fn weight(self, _position: &P, _m: P::Move) -> u64 {
        1
    }

    /// The leaves below a position that has plies left, if they are known
    /// without looking at its moves. `path` holds the keys of the positions
    /// before it if the count [remembers](Self::REMEMBERS) them, else nothing.
    fn settled(self, _position: &P, _path: &[u64]) -> Option<u64> {
        None
    }

    /// A key of everything that decides the count `depth` plies deep.
    fn key(self, position: &P, depth: u32) -> u64 {
        position.tree_key(depth)
    }
}

/// Lines of exactly so many legal moves: what [`perft`](super::perft) counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Legal;

impl<P: Position> Counting<P> for Legal {
    #[inline]
    fn leaves(self, position: &P) -> u64 {
        position.count_moves()
    }
}

/// The counts that have a name on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PerftKind {
    /// The count that is published for the game, over legal moves. Leiserchess
    /// counts a line that ends with a King's death as one leaf.
    #[default]
    Legal,
    /// Leiserchess: lines of exactly so many plies, so that a line that ended
    /// earlier counts for nothing and the quiet limit ends lines too.
    Exact,
    /// Leiserchess: also the moves that Ko refuses, as the reference engine
    /// counts.
    Generated,
    /// Liberty Chess: as the reference implementation counts, see
    /// [`Liberty::reference_perft`](crate::liberty::Liberty::reference_perft).
    Reference,
}

impl PerftKind {
    /// The counts of a game, the usual one first.
    pub const fn of(game: Game) -> &'static [Self] {
        match game {
            Game::Chess | Game::Gyges => &[Self::Legal],
            Game::Liberty => &[Self::Legal, Self::Reference],
            Game::Leiser => &[Self::Legal, Self::Exact, Self::Generated],
        }
    }

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Exact => "exact",
            Self::Generated => "generated",
            Self::Reference => "reference",
        }
    }
}

impl fmt::Display for PerftKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names none of the counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPerftKind(pub String);

impl fmt::Display for UnknownPerftKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no count '{}': choose legal, exact, generated or reference",
            self.0
        )
    }
}

impl core::error::Error for UnknownPerftKind {}

impl FromStr for PerftKind {
    type Err = UnknownPerftKind;

    fn from_str(text: &str) -> Result<Self, UnknownPerftKind> {
        let all = [Self::Legal, Self::Exact, Self::Generated, Self::Reference];
        let found = all
            .into_iter()
            .find(|count| text.eq_ignore_ascii_case(count.name()));
        found.ok_or_else(|| UnknownPerftKind(text.into()))
    }
}
