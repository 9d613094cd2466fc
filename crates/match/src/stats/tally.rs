//! Counting results.

use core::ops::{Add, AddAssign};

use quadrille_games::Side;
use quadrille_games::records::GameResult;
use serde::{Deserialize, Serialize};

/// Results of single games from one player's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game for the player of a side. An open result counts nothing.
    pub const fn count(&mut self, side: Side, result: GameResult) {
        match (result, side) {
            (GameResult::WhiteWins, Side::White) | (GameResult::BlackWins, Side::Black) => {
                self.wins += 1;
            }
            (GameResult::WhiteWins | GameResult::BlackWins, _) => self.losses += 1,
            (GameResult::Draw, _) => self.draws += 1,
            (GameResult::Open, _) => {}
        }
    }

    /// How many games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a draw is half a point.
    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points for each game, from 0 to 1.
    pub fn score(&self) -> f64 {
        self.points() / self.games() as f64
    }

    /// The same games from the other side.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Results of pairs of games, one with each colour, from one player's view:
/// pairs with 0, half, 1, one and a half and 2 points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair by its half points, 0 to 4.
    pub fn count(&mut self, half_points: usize) {
        if let Some(number) = self.0.get_mut(half_points) {
            *number += 1;
        }
    }

    /// How many pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points of a pair for each game, from 0 to 1.
    pub fn score(&self) -> f64 {
        let points = (0..).zip(self.0).map(|(i, n)| i * n).sum::<u64>();
        points as f64 / (4 * self.pairs()) as f64
    }

    /// The same pairs from the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut pairs = self.0;
        pairs.reverse();
        Self(pairs)
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Self) {
        for (mine, others) in self.0.iter_mut().zip(other.0) {
            *mine += others;
        }
    }
}

/// What [`Tally`] and [`Pairs`] have in common: shares of outcomes with their
/// scores.
pub(super) trait Outcomes<const N: usize> {
    /// Numbers from the worst outcome to the best.
    fn numbers(&self) -> [u64; N];

    /// Games in one outcome.
    const GAMES: f64;

    /// The scores of the outcomes, from 0 to 1.
    fn scores() -> [f64; N] {
        core::array::from_fn(|i| i as f64 / (N - 1) as f64)
    }
}

impl Outcomes<3> for Tally {
    const GAMES: f64 = 1.0;

    fn numbers(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl Outcomes<5> for Pairs {
    const GAMES: f64 = 2.0;

    fn numbers(&self) -> [u64; 5] {
        self.0
    }
}
