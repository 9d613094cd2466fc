//! What the tests of the search share.
#![allow(dead_code, unreachable_pub)]

use quadrille_games::chess::Chess;
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position};
use quadrille_search::net::{self, Inputs, Numbers};
use quadrille_search::{Answer, Control, Limits, Playable, Progress, Score, Searcher, Sink};

/// Numbers that look random and are the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

pub fn chess(fen: &str) -> Line<Chess> {
    Line::new(Chess::from_text(fen, &quadrille_games::chess::ChessRules::default()).unwrap())
}

/// Searches with a fresh memory.
pub fn search<P: Playable>(line: &Line<P>, limits: &Limits<P::Move>) -> Answer<P::Move> {
    Searcher::new().go(line, limits, &Control::new(), &mut ())
}

/// A line after so many random moves, ended early if the game ends.
pub fn random_line<P: Position>(start: P, plies: usize, dice: &mut Dice) -> Line<P> {
    let mut line = Line::new(start);
    for _ in 0..plies {
        let moves = line.position().moves();
        if moves.is_empty() || line.outcome_with_claims().is_some() {
            break;
        }
        line.push(moves[dice.roll(moves.len())]);
    }
    line
}

/// Keeps everything that is reported.
pub struct Keep<M>(pub Vec<Progress<M>>);

impl<M: Clone> Sink<M> for Keep<M> {
    fn progress(&mut self, progress: &Progress<M>) {
        self.0.push(progress.clone());
    }
}

/// Every line legal to its end; the end of the game only at its end; a claimed
/// win or loss shown in exactly as many plies.
pub fn check_progress<P: Playable>(line: &Line<P>, progress: &Progress<P::Move>) {
    for variation in &progress.lines {
        let mut position = line.position().clone();
        for (i, &m) in variation.moves.iter().enumerate() {
            let text = position.text();
            assert!(
                i == 0 || position.outcome().is_none(),
                "goes on after {text}"
            );
            assert!(position.is_legal(m), "{m:?} in {text}");
            position.make(m, &mut ());
        }
        let plies = match variation.score {
            Score::Cp(_) => continue,
            Score::Win(plies) | Score::Loss(plies) => plies as usize,
        };
        if variation.bound != quadrille_search::Bound::Exact {
            continue;
        }
        let from = line.position().text();
        let outcome = position.outcome();
        let winner = outcome.and_then(|o| o.winner);
        let winner_expected = if matches!(variation.score, Score::Win(_)) {
            line.position().side()
        } else {
            line.position().side().other()
        };
        assert_eq!(winner, Some(winner_expected), "{from} {variation:?}");
        assert_eq!(variation.moves.len(), plies, "{from} {variation:?}");
    }
}

/// Numbers as wild as a file may hold them.
pub fn random_numbers<P: Inputs>(neurons: usize, seed: u64) -> Numbers {
    let mut random = SplitMix64::new(seed);
    let shape = P::SHAPE;
    let mut some = |count: usize, most: usize| -> Vec<i16> {
        let one = |_| random.index(2 * most + 1) as i16 - most as i16;
        (0..count).map(one).collect()
    };
    Numbers {
        neurons,
        rows: some(shape.features * neurons, 505),
        start: some(neurons, 505),
        last: some(shape.buckets * 2 * neurons, 127),
        bias: (0..shape.buckets as i32).map(|i| 900 * i - 2_000).collect(),
        scale: 400,
    }
}

pub fn random_file<P: Inputs>(neurons: usize, seed: u64) -> Vec<u8> {
    let numbers = random_numbers::<P>(neurons, seed);
    net::write(P::GAME.name(), &P::SHAPE, &numbers, "note random")
}

/// The formula of the module's documentation, number by number.
pub fn by_the_book<P: Inputs>(position: &P, numbers: &Numbers) -> i32 {
    let sides = [position.side(), position.side().other()];
    let last = &numbers.last[position.bucket() * 2 * numbers.neurons..];
    let mut sum = 0i64;
    for (half, side) in sides.into_iter().enumerate() {
        let mut sums: Vec<i64> = numbers.start.iter().map(|&n| n.into()).collect();
        position.features(side, |feature| {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += i64::from(numbers.rows[feature * numbers.neurons + i]);
            }
        });
        for (i, x) in sums.into_iter().enumerate() {
            sum += x.clamp(0, 255).pow(2) * i64::from(last[half * numbers.neurons + i]);
        }
    }
    let out = sum / 255 + i64::from(numbers.bias[position.bucket()]);
    (out * i64::from(numbers.scale) / (255 * 256)) as i32
}
