//! Games between two players who differ in the numbers of their search.

use crate::openings::{Opening, random_line};
use crate::play::{BALANCED, think};
use quadrille_games::{Line, Side};
use quadrille_search::tunables::{Tunable, set};
use quadrille_search::{Limits, Searcher};

use super::Settings;
use quadrille_games::random::SplitMix64;

/// Both players agree for [`AGREED`] plies that this is won.
const WON: i32 = 600;
const LOST: i32 = -WON;
/// Three moves of each.
const AGREED: u32 = 6;
/// No game is longer.
const LONGEST: usize = 300;
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
    pub(super) fn new(settings: &Settings) -> Self {
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
        let mut line = random_line(random);
        for _ in 1..TRIES {
            self.players[0].clear();
            match self.think(0, &line) {
                Some((_, score)) if score.abs() <= BALANCED => break,
                _ => line = random_line(random),
            }
        }
        line
    }

    /// The winner of a game in which the first player has the side `first`.
    fn game(&mut self, mut line: Line<P>, first: Side, numbers: [&[i32]; 2]) -> Option<Side> {
        for player in &mut self.players {
            player.clear();
        }
        let mut agreement = Agreement::default();
        loop {
            if let Some(outcome) = line.outcome_with_claims() {
                return outcome.winner;
            }
            if line.moves().len() >= LONGEST {
                return None;
            }
            let player = usize::from(line.position().side() != first);
            for (number, &value) in self.tuned.iter().zip(numbers[player]) {
                set(number.name, value);
            }
            let (m, score) = self.think(player, &line)?;
            if let Some(winner) = agreement.after(score) {
                return Some(winner);
            }
            line.push(m);
        }
    }

    /// The move to play and its score from White's point of view.
    fn think(&mut self, player: usize, line: &Line<P>) -> Option<(P::Move, i32)> {
        think(&mut self.players[player], line, &self.limits)
    }
}

/// Ends games that are decided long before the rules end them.
#[derive(Debug, Default)]
struct Agreement {
    leader: Option<Side>,
    plies: u32,
}

impl Agreement {
    /// The winner, once both players agree; the score is White's.
    fn after(&mut self, score: i32) -> Option<Side> {
        let leader = match score {
            WON.. => Some(Side::White),
            ..=LOST => Some(Side::Black),
            _ => None,
        };
        self.plies = if leader == self.leader {
            self.plies + 1
        } else {
            1
        };
        self.leader = leader;
        leader.filter(|_| self.plies >= AGREED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_ends_only_by_agreement() {
        let mut agreement = Agreement::default();
        let mut judge = |scores: &[i32]| {
            let each = scores.iter();
            each.filter_map(|&score| agreement.after(score)).last()
        };
        assert_eq!(judge(&[0; 20]), None);
        assert_eq!(judge(&[WON; 5]), None);
        assert_eq!(judge(&[WON - 1]), None);
        assert_eq!(judge(&[WON; 5]), None);
        assert_eq!(judge(&[-WON; 5]), None);
        assert_eq!(judge(&[-WON]), Some(Side::Black));
        assert_eq!(judge(&[WON; 6]), Some(Side::White));
    }
}
