//! Games between two players who differ in the numbers of their search.

use core::ops::ControlFlow;

use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Side};
use quadrille_search::tunables::{Tunable, set};
use quadrille_search::{Limits, Searcher};

use super::SpsaSettings;
use crate::adjudication::Adjudication;
use crate::openings::{Opening, random_line};
use crate::play::{BALANCED, Preset, play_out, think};

/// Openings that are thrown away before one is taken as it is.
const TRIES: usize = 20;
/// Mebibytes of each player: room for a game at the nodes that runs have.
const HASH: usize = 4;

/// Two players, each with a memory of its own.
pub(super) struct Duel<P: Opening> {
    players: [Searcher<P>; 2],
    tuned: Vec<Tunable>,
    limits: Limits<P::Move>,
}

impl<P: Opening> Duel<P> {
    pub(super) fn new(settings: &SpsaSettings) -> Self {
        let player = || {
            let mut searcher = Searcher::new();
            searcher.set_hash(HASH);
            searcher
        };
        Self {
            players: [player(), player()],
            tuned: settings.numbers.iter().map(|number| number.of).collect(),
            limits: Limits::to_nodes(settings.nodes),
        }
    }

    /// Two games from one opening, with both colours: wins of the first player less
    /// its losses. Leaves the numbers of the process as they are in a normal build.
    pub(super) fn pair(&mut self, random: &mut SplitMix64, numbers: [&[i32]; 2]) -> i32 {
        let opening = self.opening(random);
        let mut result = 0;
        for first in [Side::White, Side::Black] {
            result += match self.game(opening.clone(), first, numbers) {
                None => 0,
                Some(winner) if winner == first => 1,
                Some(_) => -1,
            };
        }
        self.restore();
        result
    }

    fn restore(&self) {
        for number in &self.tuned {
            set(number.name, number.default);
        }
    }

    /// An opening that decides nothing, by the judgement of a normal build.
    fn opening(&mut self, random: &mut SplitMix64) -> Line<P> {
        let mut line = random_line(Preset::Standard, random);
        for _ in 1..TRIES {
            self.players[0].clear();
            match think(&mut self.players[0], &line, &self.limits) {
                Some((_, score)) if score.abs() <= BALANCED => break,
                _ => line = random_line(Preset::Standard, random),
            }
        }
        line
    }

    /// Returns the winner of a game in which the first player has the side `first`.
    fn game(&mut self, mut line: Line<P>, first: Side, numbers: [&[i32]; 2]) -> Option<Side> {
        for player in &mut self.players {
            player.clear();
        }
        let search = |line: &Line<P>| {
            let player = usize::from(line.position().side() != first);
            for (number, &value) in self.tuned.iter().zip(numbers[player]) {
                set(number.name, value);
            }
            think(&mut self.players[player], line, &self.limits)
        };
        let keep = |_: &Line<P>, _, _| ControlFlow::Continue(());
        play_out(&mut line, &Adjudication::SPSA, search, keep)?.winner
    }
}
