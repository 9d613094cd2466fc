//! Scores as engines report them.

use core::fmt;

use serde::{Deserialize, Serialize};

/// A score from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Hundredths of a pawn, or the units of a game without pawns.
    Cp(i64),
    /// Mate in so many moves; negative: being mated.
    Mate(i64),
}

impl EngineScore {
    /// The score from the other side's point of view.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Cp(cp) => Self::Cp(cp.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }

    /// Returns whether an engine can mean this: the largest numbers that engines write for a
    /// win are those of 32 bits.
    pub const fn is_reasonable(self) -> bool {
        let (Self::Cp(number) | Self::Mate(number)) = self;
        number.unsigned_abs() <= 1 << 31
    }
}

impl fmt::Display for EngineScore {
    /// `+0.35`, `-1.20`, `+M5`, `-M4`, as match runners write scores: mates are
    /// counted in plies there.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Cp(cp) => {
                let sign = match cp {
                    0 => "",
                    1.. => "+",
                    _ => "-",
                };
                let cp = cp.unsigned_abs();
                write!(f, "{sign}{}.{:02}", cp / 100, cp % 100)
            }
            Self::Mate(moves @ 1..) => write!(f, "+M{}", moves.saturating_mul(2) - 1),
            Self::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs().saturating_mul(2)),
        }
    }
}
