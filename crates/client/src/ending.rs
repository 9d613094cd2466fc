//! How a game ended, in types that survive a file.

use std::fmt;
use std::time::Duration;

use quadrille_games::records::GameResult;
use quadrille_games::{Outcome, Reason, Side};
use serde::{Deserialize, Serialize};

/// Why a game is over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Termination {
    /// The rules of the game; the words of the rule.
    Rules {
        /// What people call it: `checkmate`, `threefold repetition`.
        reason: String,
    },
    /// The referee cut it short.
    Adjudication {
        /// By which of the user's wishes.
        by: Adjudicated,
    },
    /// A flag fell.
    TimeForfeit {
        /// How far beyond the clock and the margin, in microseconds.
        overrun_us: u64,
    },
    /// An engine named a move that is none.
    IllegalMove {
        /// What it named.
        text: String,
    },
    /// An engine lives and does not answer.
    Stall {
        /// What was waited for.
        waited_for: String,
    },
    /// An engine went away.
    Disconnect {
        /// Its exit status and last words.
        detail: String,
    },
    /// A player gave up.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// Called off before both sides had moved.
    Aborted,
    /// It was not finished: the event was stopped.
    Unterminated,
}

/// The wish by which a referee ended a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjudicated {
    /// The scores were lost for long enough.
    Resign,
    /// The scores were level for long enough.
    Draw,
    /// The longest game the user wants to see.
    MaxMoves,
    /// An endgame table knows the result.
    Tablebase,
}

/// What an engine did to lose a game off the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// See [`Termination::TimeForfeit`].
    Time(Duration),
    /// See [`Termination::IllegalMove`].
    IllegalMove(String),
    /// See [`Termination::Stall`].
    Stall(String),
    /// See [`Termination::Disconnect`].
    Disconnect(String),
}

/// A finished game: the result, why, and in whose account the reason lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The word for the table.
    #[serde(with = "crate::serial::result")]
    pub result: GameResult,
    /// Why.
    pub termination: Termination,
}

impl Termination {
    /// The word of the PGN tag `Termination`.
    pub const fn tag(&self) -> &'static str {
        match self {
            Self::Rules { .. } | Self::Resignation | Self::Agreement => "normal",
            Self::Adjudication { .. } => "adjudication",
            Self::TimeForfeit { .. } => "time forfeit",
            Self::IllegalMove { .. } => "illegal move",
            Self::Stall { .. } | Self::Disconnect { .. } | Self::Aborted => "abandoned",
            Self::Unterminated => "unterminated",
        }
    }

    /// A few words for a table of terminations.
    pub fn words(&self) -> &str {
        match self {
            Self::Rules { reason } => reason,
            Self::Adjudication { by } => match by {
                Adjudicated::Resign => "resignation (adjudicated)",
                Adjudicated::Draw => "draw (adjudicated)",
                Adjudicated::MaxMoves => "too many moves (adjudicated)",
                Adjudicated::Tablebase => "endgame table (adjudicated)",
            },
            Self::TimeForfeit { .. } => "time forfeit",
            Self::IllegalMove { .. } => "illegal move",
            Self::Stall { .. } => "stall",
            Self::Disconnect { .. } => "disconnect",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Aborted => "aborted",
            Self::Unterminated => "unterminated",
        }
    }

    /// Whether an engine, not the game, ended it.
    pub const fn is_fault(&self) -> bool {
        matches!(
            self,
            Self::TimeForfeit { .. }
                | Self::IllegalMove { .. }
                | Self::Stall { .. }
                | Self::Disconnect { .. }
        )
    }

    /// Whether the process of the loser must not be used again.
    pub const fn breaks_engine(&self) -> bool {
        matches!(
            self,
            Self::TimeForfeit { .. } | Self::Stall { .. } | Self::Disconnect { .. }
        )
    }
}

impl Ending {
    /// The end by the rules.
    pub fn by_rules(outcome: Outcome) -> Self {
        Self {
            result: outcome.into(),
            termination: Termination::Rules {
                reason: outcome.reason.words().into(),
            },
        }
    }

    /// The end by a fault of `loser`.
    pub fn by_fault(loser: Side, fault: Fault) -> Self {
        let termination = match fault {
            Fault::Time(overrun) => Termination::TimeForfeit {
                overrun_us: u64::try_from(overrun.as_micros()).unwrap_or(u64::MAX),
            },
            Fault::IllegalMove(text) => Termination::IllegalMove { text },
            Fault::Stall(waited_for) => Termination::Stall { waited_for },
            Fault::Disconnect(detail) => Termination::Disconnect { detail },
        };
        Self {
            result: win(!loser),
            termination,
        }
    }

    /// The end by the referee; `winner` is `None` for a draw.
    pub const fn adjudicated(winner: Option<Side>, by: Adjudicated) -> Self {
        let result = match winner {
            Some(side) => win(side),
            None => GameResult::Draw,
        };
        Self {
            result,
            termination: Termination::Adjudication { by },
        }
    }

    /// The end by a player who gives up.
    pub const fn resigned(loser: Side) -> Self {
        Self {
            result: win(loser.other()),
            termination: Termination::Resignation,
        }
    }

    /// A draw that both players want.
    pub const fn agreed() -> Self {
        Self {
            result: GameResult::Draw,
            termination: Termination::Agreement,
        }
    }

    /// A game that was called off.
    pub const fn aborted() -> Self {
        Self {
            result: GameResult::Open,
            termination: Termination::Aborted,
        }
    }

    /// A game that was not finished.
    pub const fn unterminated() -> Self {
        Self {
            result: GameResult::Open,
            termination: Termination::Unterminated,
        }
    }

    /// The side that lost, if one did.
    pub const fn loser(&self) -> Option<Side> {
        match self.result {
            GameResult::WhiteWins => Some(Side::Black),
            GameResult::BlackWins => Some(Side::White),
            _ => None,
        }
    }
}

const fn win(side: Side) -> GameResult {
    match side {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    }
}

/// The sentence at the end of a game. The words `mates`, `on time`, `illegal
/// move`, `disconnects` and `stalls` are those that scripts around match
/// runners look for.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = self.loser().map(|loser| (loser, !loser));
        match (&self.termination, sides) {
            (Termination::Rules { reason }, Some((_, winner)))
                if reason == Reason::Checkmate.words() =>
            {
                write!(f, "{winner} mates")
            }
            (Termination::Rules { reason }, Some((_, winner))) => {
                write!(f, "{winner} wins by {reason}")
            }
            (Termination::Rules { reason }, None) => write!(f, "Draw by {reason}"),
            (Termination::Adjudication { by }, sides) => {
                match sides {
                    Some((_, winner)) => write!(f, "{winner} wins by adjudication: ")?,
                    None => f.write_str("Draw by adjudication: ")?,
                }
                f.write_str(match by {
                    Adjudicated::Resign => "resignation",
                    Adjudicated::Draw => "level scores",
                    Adjudicated::MaxMoves => "too many moves",
                    Adjudicated::Tablebase => "endgame table",
                })
            }
            (Termination::TimeForfeit { overrun_us }, Some((loser, _))) => {
                let ms = *overrun_us as f64 / 1000.0;
                write!(f, "{loser} loses on time, {ms:.1} ms over")
            }
            (Termination::IllegalMove { text }, Some((loser, _))) => {
                write!(f, "{loser} makes an illegal move: {text}")
            }
            (Termination::Stall { waited_for }, Some((loser, _))) => {
                write!(f, "{loser} stalls: no {waited_for}")
            }
            (Termination::Disconnect { detail }, Some((loser, _))) => {
                write!(f, "{loser} disconnects: {detail}")
            }
            (Termination::Resignation, Some((loser, _))) => write!(f, "{loser} resigns"),
            (Termination::Agreement, _) => f.write_str("Draw by agreement"),
            (Termination::Aborted, _) => f.write_str("Game aborted"),
            (_, _) => f.write_str("Game interrupted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminations_survive_a_file() {
        let all = [
            Ending::by_rules(Outcome::win(Side::Black, Reason::Checkmate)),
            Ending::by_rules(Outcome::draw(Reason::Threefold)),
            Ending::by_fault(Side::White, Fault::Time(Duration::from_micros(1500))),
            Ending::by_fault(Side::Black, Fault::IllegalMove("e2e5".into())),
            Ending::by_fault(Side::Black, Fault::Stall("bestmove".into())),
            Ending::by_fault(Side::Black, Fault::Disconnect("exit status 1".into())),
            Ending::adjudicated(Some(Side::White), Adjudicated::Resign),
            Ending::adjudicated(None, Adjudicated::MaxMoves),
            Ending::resigned(Side::Black),
            Ending::agreed(),
            Ending::aborted(),
            Ending::unterminated(),
        ];
        let said: Vec<String> = all.iter().map(Ending::to_string).collect();
        let wanted = [
            "Black mates",
            "Draw by threefold repetition",
            "White loses on time, 1.5 ms over",
            "Black makes an illegal move: e2e5",
            "Black stalls: no bestmove",
            "Black disconnects: exit status 1",
            "White wins by adjudication: resignation",
            "Draw by adjudication: too many moves",
            "Black resigns",
            "Draw by agreement",
            "Game aborted",
            "Game interrupted",
        ];
        assert_eq!(said, wanted);
        for ending in all {
            let text = serde_json::to_string(&ending.termination).unwrap();
            let back: Termination = serde_json::from_str(&text).unwrap();
            assert_eq!(back, ending.termination);
        }
    }
}
