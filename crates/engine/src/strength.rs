//! Playing weaker on purpose: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! Three things make a player weaker, and they are used together:
//!
//! * it **sees less**: the search stops after a number of nodes, at one thread,
//!   whatever time there is;
//! * it **judges less surely**: the search keeps several best lines, and each
//!   line's score is off by a random amount before the best is taken
//!   ([`blurred`]);
//! * it **overlooks moves**, as beginners do: each legal move is not even
//!   thought of with some chance ([`noticed`]). Where every move is harmless for
//!   a while, nothing else makes a player weak.
//!
//! How many nodes, how much noise and how many moves overlooked belong to which
//! Elo is one table per game (the dialect's `LADDER`), interpolated between its
//! rungs: nodes geometrically, the others in a straight line. Matches between the rungs say how
//! strong each of them is: in chess on the scale of Stockfish 15.1's own
//! `UCI_Elo`, which is that of common rating lists; elsewhere on a scale of its
//! own for each game, on which the highest rung has 2000. `docs/strength.md` has
//! the games, the error bars and the commands.
//!
//! The limit holds for games only: with `UCI_AnalyseMode` or `go infinite` the
//! host wants the truth and gets it.

use quadrille_games::random::SplitMix64;
use quadrille_search::Variation;

/// One known point of the scale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rung {
    pub(crate) elo: i64,
    /// Search no more nodes than this.
    pub(crate) nodes: u64,
    /// How far off a score may look, in hundredths of a pawn.
    pub(crate) noise: u32,
    /// Legal moves of a hundred that are overlooked.
    pub(crate) overlooked: u32,
}

impl Rung {
    pub(crate) const fn new(elo: i64, nodes: u64, noise: u32) -> Self {
        Self {
            elo,
            nodes,
            noise,
            overlooked: 0,
        }
    }

    pub(crate) const fn overlooking(self, overlooked: u32) -> Self {
        Self { overlooked, ..self }
    }
}

/// How many lines a weakened search keeps to choose from.
pub(crate) const LINES: usize = 8;

/// The point of the scale for any Elo; beyond the ends, the last rung.
pub(crate) fn rung(ladder: &[Rung], elo: i64) -> Option<Rung> {
    let first = ladder.first()?;
    if elo <= first.elo {
        return Some(*first);
    }
    for pair in ladder.windows(2) {
        let [low, high] = pair else { continue };
        if elo <= high.elo {
            let share = (elo - low.elo) as f64 / (high.elo - low.elo) as f64;
            let ratio = high.nodes as f64 / low.nodes as f64;
            let between = |low: u32, high: u32| {
                let (low, high) = (f64::from(low), f64::from(high));
                (low + share * (high - low)).round() as u32
            };
            return Some(Rung {
                elo,
                nodes: (low.nodes as f64 * ratio.powf(share)).round() as u64,
                noise: between(low.noise, high.noise),
                overlooked: between(low.overlooked, high.overlooked),
            });
        }
    }
    ladder.last().copied()
}

/// The moves that a player thinks of who overlooks so many of a hundred: at
/// least one.
pub(crate) fn noticed<M: Copy>(moves: &[M], overlooked: u32, random: &mut SplitMix64) -> Vec<M> {
    let mut noticed: Vec<M> = moves
        .iter()
        .copied()
        .filter(|_| random.below(100) >= u64::from(overlooked))
        .collect();
    if noticed.is_empty() && !moves.is_empty() {
        noticed.push(moves[random.index(moves.len())]);
    }
    noticed
}

/// The line that looks best once each score is off by up to `noise` either
/// way: how a weaker player sees them. A sure win is never missed.
pub(crate) fn blurred<M>(lines: &[Variation<M>], noise: u32, random: &mut SplitMix64) -> usize {
    let width = 2 * u64::from(noise) + 1;
    let seen = lines.iter().map(|line| {
        let blur = random.below(width) as i64 - i64::from(noise);
        i64::from(line.score.value()) + blur
    });
    let mut best = (0, i64::MIN);
    for (index, value) in seen.enumerate() {
        if value > best.1 {
            best = (index, value);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Spoken;
    use crate::options::Kind;
    use quadrille_games::chess::Chess;
    use quadrille_games::gyges::Gyges;
    use quadrille_games::leiser::Leiser;
    use quadrille_games::liberty::Liberty;
    use quadrille_search::{Bound, Score};

    fn check<P: Spoken>() {
        let ladder = P::LADDER;
        let is_elo = |name: &str| name.eq_ignore_ascii_case("elo") || name == "UCI_Elo";
        let offer = P::OFFERS.iter().find(|o| is_elo(o.name)).unwrap();
        let Kind::Spin {
            default, min, max, ..
        } = offer.kind
        else {
            panic!("Elo is a number")
        };
        assert_eq!((min, max), (ladder[0].elo, ladder[ladder.len() - 1].elo));
        assert!((min..=max).contains(&default));
        let mut last = Rung::new(0, 0, u32::MAX).overlooking(100);
        for elo in (min - 100)..=(max + 100) {
            let rung = rung(ladder, elo).unwrap();
            assert!(
                rung.nodes >= last.nodes
                    && rung.noise <= last.noise
                    && rung.overlooked <= last.overlooked,
                "{elo}"
            );
            last = rung;
        }
    }

    #[test]
    fn more_elo_never_means_less_play() {
        check::<Chess>();
        check::<Liberty>();
        check::<Leiser>();
        check::<Gyges>();
    }

    #[test]
    fn between_rungs() {
        let ladder = [Rung::new(1000, 100, 100), Rung::new(1200, 400, 50)];
        let middle = rung(&ladder, 1100).unwrap();
        assert_eq!((middle.nodes, middle.noise), (200, 75));
        assert_eq!(rung(&[], 1500).map(|r| r.nodes), None);
    }

    #[test]
    fn some_moves_are_overlooked_but_never_all() {
        let moves: Vec<u8> = (0..100).collect();
        let mut random = SplitMix64::new(3);
        assert_eq!(noticed(&moves, 0, &mut random), moves);
        let some = noticed(&moves, 80, &mut random).len();
        assert!((5..40).contains(&some), "{some}");
        for _ in 0..50 {
            assert_eq!(noticed(&moves[..3], 100, &mut random).len(), 1);
        }
        assert!(noticed::<u8>(&[], 50, &mut random).is_empty());
    }

    fn line(score: Score) -> Variation<u8> {
        Variation {
            rank: 1,
            depth: 1,
            seldepth: 1,
            score,
            bound: Bound::Exact,
            moves: vec![0],
        }
    }

    #[test]
    fn noise_picks_other_lines_but_never_misses_a_win() {
        let lines = [
            line(Score::Cp(30)),
            line(Score::Cp(10)),
            line(Score::Cp(-400)),
        ];
        let mut random = SplitMix64::new(14);
        let mut hits = [0; 3];
        for _ in 0..500 {
            hits[blurred(&lines, 50, &mut random)] += 1;
        }
        assert!(hits[0] > 0 && hits[1] > 0 && hits[2] == 0, "{hits:?}");
        assert_eq!(blurred(&lines, 0, &mut random), 0);
        let won = [line(Score::Cp(500)), line(Score::Win(3))];
        assert!((0..100).all(|_| blurred(&won, 500, &mut random) == 1));
    }
}
