//! Which game, and whose turn.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// The four games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Game {
    /// Chess, Chess960 and double Chess960.
    Chess,
    /// Liberty Chess: 18 piece kinds, boards from 2x2 to 256x256.
    Liberty,
    /// Leiserchess, the laser chess of MIT's performance engineering course.
    Leiser,
    /// Gyges: neutral pieces that bounce over each other towards a goal.
    Gyges,
}

impl Game {
    /// All games, in the order in which we always list them.
    pub const ALL: [Self; 4] = [Self::Chess, Self::Liberty, Self::Leiser, Self::Gyges];

    /// The lower-case word used on command lines and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Liberty => "liberty",
            Self::Leiser => "leiser",
            Self::Gyges => "gyges",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names none of the games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownGame(pub String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no game '{}': choose chess, liberty, leiser or gyges",
            self.0
        )
    }
}

impl core::error::Error for UnknownGame {}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        match text.to_ascii_lowercase().as_str() {
            "chess" | "uci" | "chess960" | "fischerandom" => Ok(Self::Chess),
            "liberty" | "ulci" => Ok(Self::Liberty),
            "leiser" | "leiserchess" => Ok(Self::Leiser),
            "gyges" | "ugi" => Ok(Self::Gyges),
            _ => Err(UnknownGame(text.into())),
        }
    }
}

/// The two players. White moves first in all four games; Gyges itself speaks
/// of player One (South) and player Two (North).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Side {
    /// The first player.
    White = 0,
    /// The second player.
    Black = 1,
}

impl Side {
    /// Both sides, the first player first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Not for Side {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}
