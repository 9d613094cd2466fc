//! Ratings of many players at once.
//!
//! The ratings that make the results most likely, if the expected score
//! depends on the difference alone, through the logistic curve. A draw is half
//! a win and half a loss. Errors come from how the results really scatter
//! around what was expected (the sandwich estimator), so that many draws make
//! small errors; for two players they are those of a plain comparison.
//!
//! There is no best rating for a player who won or lost everything, nor for
//! groups that never met: then every player gets a small share of a draw with
//! an average player, and [`Ratings::bounded`] says so.
//!
//! ```
//! use quadrille_match::stats::Tally;
//! use quadrille_match::stats::ratings::{Encounter, ratings};
//!
//! let result = |a, b, wins, draws, losses| Encounter {
//!     a,
//!     b,
//!     tally: Tally { wins, draws, losses },
//! };
//! let list = [result(0, 1, 60, 20, 20), result(1, 2, 55, 30, 15)];
//! let fit = ratings(3, &list, &[(2, 2000.0)]);
//! assert!((fit.elo[2] - 2000.0).abs() < 1e-9 && fit.elo[0] > fit.elo[1]);
//! ```

use super::tally::Tally;

/// How much of a draw with an average player counts where results alone have
/// no best fit.
const PRIOR_GAMES: f64 = 0.5;
/// Elo of one unit of the logistic curve's exponent.
const UNIT: f64 = 400.0 / core::f64::consts::LN_10;
const Z95: f64 = 1.959_963_984_540_054;

/// Results of two players against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encounter {
    /// The one.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// Results from the view of `a`.
    pub tally: Tally,
}

/// Ratings of all players.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// Elo of each player; without an anchor the average is 0.
    pub elo: Vec<f64>,
    /// Half the width of a 95 % interval; 0 for anchors, not a number where the
    /// results do not tell. Without an anchor it is the error of the distance to
    /// the average of all.
    pub error: Vec<f64>,
    /// A small share of draws was added, because the results alone have no
    /// best fit.
    pub bounded: bool,
}

/// Rates players. Anchors keep their rating.
pub fn ratings(players: usize, results: &[Encounter], anchors: &[(usize, f64)]) -> Ratings {
    let mut fit = Fit::new(players, results, anchors);
    fit.climb();
    Ratings {
        error: fit.errors(),
        elo: fit.elo(),
        bounded: fit.prior > 0.0,
    }
}

struct Fit<'a> {
    results: Vec<&'a Encounter>,
    anchored: Vec<bool>,
    /// Strengths in units of the logistic exponent.
    strength: Vec<f64>,
    /// Where the virtual average player stands.
    centre: f64,
    prior: f64,
}

impl<'a> Fit<'a> {
    fn new(players: usize, results: &'a [Encounter], anchors: &[(usize, f64)]) -> Self {
        let results: Vec<&Encounter> = results
            .iter()
            .filter(|r| r.a != r.b && r.a < players && r.b < players && r.tally.games() > 0)
            .collect();
        let mut strength = vec![0.0; players];
        let mut anchored = vec![false; players];
        let mut total = 0.0;
        for &(player, elo) in anchors.iter().filter(|anchor| anchor.0 < players) {
            strength[player] = elo / UNIT;
            anchored[player] = true;
            total += elo / UNIT;
        }
        let number = anchored.iter().filter(|&&anchored| anchored).count();
        let centre = if number > 0 {
            total / number as f64
        } else {
            0.0
        };
        for (strength, anchored) in strength.iter_mut().zip(&anchored) {
            if !anchored {
                *strength = centre;
            }
        }
        let prior = if has_best_fit(players, &results, &anchored) {
            0.0
        } else {
            PRIOR_GAMES
        };
        Self {
            results,
            anchored,
            strength,
            centre,
            prior,
        }
    }

    /// What is expected of `a`.
    fn expected(&self, result: &Encounter) -> f64 {
        1.0 / (1.0 + (self.strength[result.b] - self.strength[result.a]).exp())
    }

    fn likelihood(&self) -> f64 {
        let games: f64 = self
            .results
            .iter()
            .map(|result| {
                let e = self.expected(result);
                let (won, lost) = (result.tally.points(), result.tally.reversed().points());
                // A share that is zero counts nothing, whatever its logarithm.
                let part = |points: f64, e: f64| if points > 0.0 { points * e.ln() } else { 0.0 };
                part(won, e) + part(lost, 1.0 - e)
            })
            .sum();
        let draws = self.strength.iter().map(|s| {
            let e = 1.0 / (1.0 + (self.centre - s).exp());
            self.prior / 2.0 * (e.ln() + (1.0 - e).ln())
        });
        games + if self.prior > 0.0 { draws.sum() } else { 0.0 }
    }

    /// Newton's method; a step that does not help is halved.
    fn climb(&mut self) {
        let mut height = self.likelihood();
        for _ in 0..100 {
            let Some(step) = self.curvature().solve(&self.slope()) else {
                return;
            };
            let longest = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            // More than a thousand Elo at once leads astray.
            let mut scale = (6.0 / longest).min(1.0);
            let before = self.strength.clone();
            let mut better = false;
            for _ in 0..40 {
                for ((s, b), d) in self.strength.iter_mut().zip(&before).zip(&step) {
                    *s = b + scale * d;
                }
                let reached = self.likelihood();
                if reached >= height {
                    better = reached > height;
                    height = reached;
                    break;
                }
                self.strength.clone_from(&before);
                scale /= 2.0;
            }
            if longest < 1e-13 || !better {
                return;
            }
        }
    }

    fn slope(&self) -> Vec<f64> {
        let mut slope = vec![0.0; self.strength.len()];
        for result in &self.results {
            let missing =
                result.tally.points() - result.tally.games() as f64 * self.expected(result);
            slope[result.a] += missing;
            slope[result.b] -= missing;
        }
        for (player, slope) in slope.iter_mut().enumerate() {
            let e = 1.0 / (1.0 + (self.centre - self.strength[player]).exp());
            *slope += self.prior * (0.5 - e);
            if self.anchored[player] {
                *slope = 0.0;
            }
        }
        slope
    }

    /// Minus the second derivatives, made regular where all ratings could be
    /// moved together.
    fn curvature(&self) -> Matrix {
        let mut matrix = self.sum(|result, e| result.tally.games() as f64 * e * (1.0 - e));
        for player in 0..self.strength.len() {
            let e = 1.0 / (1.0 + (self.centre - self.strength[player]).exp());
            matrix.add(player, player, self.prior * e * (1.0 - e));
        }
        self.fix(&mut matrix);
        matrix
    }

    /// The sum over results of `weight` times the pattern of a difference.
    fn sum(&self, weight: impl Fn(&Encounter, f64) -> f64) -> Matrix {
        let mut matrix = Matrix::zero(self.strength.len());
        for result in &self.results {
            let weight = weight(result, self.expected(result));
            matrix.add(result.a, result.a, weight);
            matrix.add(result.b, result.b, weight);
            matrix.add(result.a, result.b, -weight);
            matrix.add(result.b, result.a, -weight);
        }
        matrix
    }

    /// Takes anchored players out; without an anchor the average stays where it is.
    fn fix(&self, matrix: &mut Matrix) {
        let size = self.strength.len();
        for player in (0..size).filter(|&p| self.anchored[p]) {
            for other in 0..size {
                matrix.set(player, other, 0.0);
                matrix.set(other, player, 0.0);
            }
            matrix.set(player, player, 1.0);
        }
        if !self.has_anchor() {
            for i in 0..size {
                for j in 0..size {
                    matrix.add(i, j, 1.0 / size as f64);
                }
            }
        }
    }

    fn has_anchor(&self) -> bool {
        self.anchored.contains(&true)
    }

    fn errors(&self) -> Vec<f64> {
        let size = self.strength.len();
        let Some(mut inverse) = self.curvature().inverse() else {
            return vec![f64::NAN; size];
        };
        if !self.has_anchor() {
            for i in 0..size {
                for j in 0..size {
                    inverse.add(i, j, -1.0 / size as f64);
                }
            }
        }
        // How far each result really was from what was expected.
        let scatter = self.sum(|result, e| {
            let Tally {
                wins,
                draws,
                losses,
            } = result.tally;
            wins as f64 * (1.0 - e).powi(2)
                + draws as f64 * (0.5 - e).powi(2)
                + losses as f64 * e * e
        });
        (0..size)
            .map(|player| {
                if self.anchored[player] {
                    return 0.0;
                }
                let row: Vec<f64> = (0..size).map(|j| inverse.get(player, j)).collect();
                let spread: f64 = (0..size)
                    .map(|i| {
                        let inner: f64 = (0..size).map(|j| scatter.get(i, j) * row[j]).sum();
                        row[i] * inner
                    })
                    .sum();
                // Results that are all as expected tell nothing of how they spread.
                if spread > 1e-12 {
                    Z95 * UNIT * spread.sqrt()
                } else {
                    f64::NAN
                }
            })
            .collect()
    }

    fn elo(&self) -> Vec<f64> {
        let size = self.strength.len().max(1) as f64;
        let average = if self.has_anchor() {
            0.0
        } else {
            self.strength.iter().sum::<f64>() / size
        };
        self.strength.iter().map(|s| (s - average) * UNIT).collect()
    }
}

/// Whether finite best ratings exist: from everybody a chain of points leads to
/// everybody else (Ford's condition). Anchors are one player for this purpose.
fn has_best_fit(players: usize, results: &[&Encounter], anchored: &[bool]) -> bool {
    let first = anchored.iter().position(|&a| a);
    let node = |player: usize| match first {
        Some(first) if anchored[player] => first,
        _ => player,
    };
    let reaches_all = |forward: bool| {
        let mut next = vec![Vec::new(); players];
        for result in results {
            let (a, b) = (node(result.a), node(result.b));
            let scored = (
                result.tally.points() > 0.0,
                result.tally.reversed().points() > 0.0,
            );
            if if forward { scored.0 } else { scored.1 } {
                next[a].push(b);
            }
            if if forward { scored.1 } else { scored.0 } {
                next[b].push(a);
            }
        }
        let mut seen = vec![false; players];
        let mut stack: Vec<usize> = (0..players.min(1)).map(node).collect();
        while let Some(player) = stack.pop() {
            if !core::mem::replace(&mut seen[player], true) {
                stack.extend(&next[player]);
            }
        }
        (0..players).all(|player| seen[node(player)])
    };
    reaches_all(true) && reaches_all(false)
}

/// A square table of numbers.
#[derive(Debug, Clone)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(size: usize) -> Self {
        Self {
            size,
            cells: vec![0.0; size * size],
        }
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] = value;
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The lower triangle whose square this is, if it is positive.
    fn triangle(&self) -> Option<Self> {
        let mut lower = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let inner: f64 = (0..j).map(|k| lower.get(i, k) * lower.get(j, k)).sum();
                let rest = self.get(i, j) - inner;
                if i == j {
                    if rest <= 0.0 || !rest.is_finite() {
                        return None;
                    }
                    lower.set(i, i, rest.sqrt());
                } else {
                    lower.set(i, j, rest / lower.get(j, j));
                }
            }
        }
        Some(lower)
    }

    fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        Some(self.triangle()?.solve_square(right))
    }

    /// Solves with the square of this triangle.
    fn solve_square(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..self.size {
            let inner: f64 = (0..i).map(|k| self.get(i, k) * x[k]).sum();
            x[i] = (x[i] - inner) / self.get(i, i);
        }
        for i in (0..self.size).rev() {
            let inner: f64 = (i + 1..self.size).map(|k| self.get(k, i) * x[k]).sum();
            x[i] = (x[i] - inner) / self.get(i, i);
        }
        x
    }

    fn inverse(&self) -> Option<Self> {
        let lower = self.triangle()?;
        let mut inverse = Self::zero(self.size);
        for column in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[column] = 1.0;
            for (row, value) in lower.solve_square(&unit).into_iter().enumerate() {
                inverse.set(row, column, value);
            }
        }
        Some(inverse)
    }
}
