//! Early ends of self-play games.
//!
//! Recorded numbers (`HISTORY.md`, `NETS.md`, `docs/`) name the preset their games were
//! played with. A preset therefore never changes: other numbers are another preset.

use quadrille_games::Side;

use crate::file::Ending;

/// The result of a game and the reason it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnd {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason.
    pub ending: Ending,
}

/// Scores at which a game ends early, and its greatest length. Scores are in hundredths
/// of a pawn; plies count from the start of the line, its opening moves included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adjudication {
    /// The score from which a side counts as winning.
    pub won: i32,
    /// Consecutive plies for which both sides must agree on the winner.
    pub won_for: u32,
    /// The score from which a single search decides the game, if there is one.
    pub proven: Option<i32>,
    /// Rule by which level games are drawn, if there is one.
    pub level: Option<LevelRule>,
    /// Plies after which a game is drawn.
    pub longest: usize,
}

/// Rule by which a level game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRule {
    /// The largest score of a level position.
    pub score: i32,
    /// Consecutive plies that must be level.
    pub plies: u32,
    /// The first ply at which a game may end so.
    pub from: usize,
}

impl Adjudication {
    /// `quadrille selfplay`: the games all nets were trained with.
    pub const SELFPLAY: Self = Self {
        won: 2_000,
        won_for: 4,
        proven: None,
        level: Some(LevelRule {
            score: 8,
            plies: 12,
            from: 80,
        }),
        longest: 400,
    };

    /// The games of the chess values and of the opening book.
    pub const VALUES: Self = Self {
        won: 1_800,
        won_for: 5,
        proven: None,
        level: Some(LevelRule {
            score: 8,
            plies: 16,
            from: 91,
        }),
        longest: 400,
    };

    /// The games of the weights of Gyges, Leiserchess and Liberty Chess.
    pub const WEIGHTS: Self = Self {
        won: 1_500,
        won_for: 6,
        proven: Some(20_001),
        level: None,
        longest: 600,
    };

    /// The games that tune numbers of the search: three moves of each player decide.
    pub const SPSA: Self = Self {
        won: 600,
        won_for: 6,
        proven: None,
        level: None,
        longest: 300,
    };
}

/// Follows the scores of one game and ends it by an [`Adjudication`].
#[derive(Debug)]
pub(crate) struct Adjudicator {
    rules: Adjudication,
    white: u32,
    black: u32,
    level: u32,
}

impl Adjudicator {
    pub(crate) fn new(rules: &Adjudication) -> Self {
        Self {
            rules: *rules,
            white: 0,
            black: 0,
            level: 0,
        }
    }

    /// Returns the end of the game, once both sides agree on it. The score is White's;
    /// `plies` counts the move it belongs to.
    pub(crate) fn after(&mut self, score: i32, plies: usize) -> Option<GameEnd> {
        let Adjudication {
            won,
            won_for,
            proven,
            level,
            ..
        } = self.rules;
        let count = |counter: &mut u32, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        let decided = |side| GameEnd {
            winner: Some(side),
            ending: Ending::Decided,
        };
        let is_proven = |score: i32| proven.is_some_and(|proven| score >= proven);
        if count(&mut self.white, score >= won) >= won_for || is_proven(score) {
            return Some(decided(Side::White));
        }
        if count(&mut self.black, score <= -won) >= won_for || is_proven(-score) {
            return Some(decided(Side::Black));
        }
        let level = level?;
        let level_for = count(&mut self.level, score.abs() <= level.score);
        (level_for >= level.plies && plies >= level.from).then_some(GameEnd {
            winner: None,
            ending: Ending::Level,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Adjudication; 4] = [
        Adjudication::SELFPLAY,
        Adjudication::VALUES,
        Adjudication::WEIGHTS,
        Adjudication::SPSA,
    ];

    fn decided(side: Side) -> GameEnd {
        GameEnd {
            winner: Some(side),
            ending: Ending::Decided,
        }
    }

    #[test]
    fn a_game_ends_only_by_agreement() {
        for rules in ALL {
            let (won, last) = (rules.won, rules.won_for - 1);
            let mut game = Adjudicator::new(&rules);
            let mut quiet = |score: i32, times: u32| {
                for _ in 0..times {
                    assert_eq!(game.after(score, 10), None, "{rules:?} {score}");
                }
            };
            quiet(0, 20);
            quiet(won, last);
            quiet(won - 1, 1);
            quiet(won, last);
            quiet(0, 1);
            quiet(won, last);
            quiet(-won, last);
            assert_eq!(game.after(-won, 10), Some(decided(Side::Black)));
            let mut game = Adjudicator::new(&rules);
            for _ in 0..last {
                assert_eq!(game.after(won, 10), None);
            }
            assert_eq!(game.after(won, 10), Some(decided(Side::White)));
        }
    }

    /// Each side sure of its own win is disagreement, however long it lasts.
    #[test]
    fn sides_that_contradict_each_other_decide_nothing() {
        for rules in ALL {
            let mut game = Adjudicator::new(&rules);
            for ply in 0..40 {
                let score = if ply % 2 == 0 { rules.won } else { -rules.won };
                assert_eq!(game.after(score, ply), None, "{rules:?}");
            }
        }
    }

    #[test]
    fn a_proven_score_decides_at_once() {
        let mut game = Adjudicator::new(&Adjudication::WEIGHTS);
        assert_eq!(game.after(20_000, 10), None);
        assert_eq!(game.after(-20_001, 11), Some(decided(Side::Black)));
        let mut game = Adjudicator::new(&Adjudication::SELFPLAY);
        assert_eq!(game.after(30_000, 10), None);
    }

    #[test]
    fn level_games_last_a_while() {
        for rules in ALL {
            let Some(level) = rules.level else { continue };
            let mut game = Adjudicator::new(&rules);
            for plies in 0..level.from {
                assert_eq!(game.after(level.score, plies), None);
            }
            let end = game.after(-level.score, level.from);
            assert_eq!(end.map(|end| end.ending), Some(Ending::Level));
            assert_eq!(end.and_then(|end| end.winner), None);
            for _ in 0..level.plies - 1 {
                game.after(level.score + 1, level.from);
                assert_eq!(game.after(0, level.from), None);
            }
        }
    }
}
