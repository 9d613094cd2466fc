//! From a value to the chance of winning.
//!
//! The model is a pair of logistic curves, one for winning and one for losing;
//! what is left is the draw:
//!
//! ```text
//! win(v)  = 1 / (1 + exp((margin - v) / spread))
//! loss(v) = win(-v)
//! ```
//!
//! `margin` is the value at which winning is an even chance, `spread` how
//! quickly chances change around it; both in hundredths of the game's unit. They
//! are fitted to our own games, by the likelihood of their results
//! (`crates/lab`, `lab chances`; `HISTORY.md` there names the games).

use crate::game::Game;

/// The curve of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// The value at which winning is an even chance.
    pub margin: f64,
    /// How quickly chances change.
    pub spread: f64,
}

impl Curve {
    /// That of a game.
    pub const fn of(game: Game) -> Self {
        let (margin, spread) = match game {
            Game::Chess => (105.0, 107.0),
            // All kinds of boards together, large and drawish ones among them.
            Game::Liberty => (500.0, 540.0),
            // Draws come from repetition only, and are rare.
            Game::Leiser => (30.0, 154.0),
            // There is always a winner, but for a blocked board.
            Game::Gyges => (2.0, 89.0),
        };
        Self { margin, spread }
    }

    /// The wins among so many games from this value.
    pub fn wins(self, value: f64, among: f64) -> f64 {
        among / (1.0 + ((self.margin - value) / self.spread).exp())
    }

    /// What is to be expected from this value: the chance of a win, and half of
    /// that of a draw; 0 to 1.
    ///
    /// ```
    /// use quadrille_games::Game;
    /// use quadrille_games::chances::Curve;
    ///
    /// let chess = Curve::of(Game::Chess);
    /// assert_eq!(chess.expected(0.0), 0.5);
    /// assert!((chess.expected(105.0) - 0.69).abs() < 0.005);
    /// ```
    pub fn expected(self, value: f64) -> f64 {
        f64::midpoint(1.0, self.wins(value, 1.0) - self.wins(-value, 1.0))
    }

    /// What people can expect from this value. They keep less of an advantage than
    /// engines do, and lost games are not lost yet: it counts half. In chess that is
    /// close to what was fitted to the games of people elsewhere.
    ///
    /// ```
    /// use quadrille_games::Game;
    /// use quadrille_games::chances::Curve;
    ///
    /// let chess = Curve::of(Game::Chess);
    /// assert!((chess.for_people(100.0) - 0.59).abs() < 0.005);
    /// assert!((chess.for_people(500.0) - 0.88).abs() < 0.01);
    /// ```
    pub fn for_people(self, value: f64) -> f64 {
        self.expected(value / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_expected_grows_and_is_fair() {
        for game in Game::ALL {
            let curve = Curve::of(game);
            let mut last = 0.0;
            for value in (-4000..=4000).step_by(20) {
                let expected = curve.expected(value.into());
                assert!((0.0..=1.0).contains(&expected) && expected >= last);
                let other = curve.expected((-value).into());
                assert!((expected + other - 1.0).abs() < 1e-12, "{game} {value}");
                last = expected;
            }
            assert!((curve.wins(curve.margin, 1.0) - 0.5).abs() < 1e-12);
        }
    }
}
