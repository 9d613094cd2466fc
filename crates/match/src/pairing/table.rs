//! Formats that are known from the beginning.

use super::{Pairing, Plan};
use crate::config::{Format, OpeningPolicy};

/// One cycle: everybody who meets has met once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    /// First and second player, and the round within the cycle, from 0.
    encounters: Vec<(usize, usize, u32)>,
    /// Rounds of a cycle.
    rounds: u32,
}

impl Table {
    pub(super) fn new(plan: &Plan) -> Self {
        let encounters = match plan.format {
            Format::Gauntlet => gauntlet(plan.players, plan.seeds),
            Format::Pyramid => pyramid(plan.players),
            _ => berger(plan.players),
        };
        let rounds = encounters.last().map_or(1, |last| last.2 + 1);
        Self { encounters, rounds }
    }

    pub(super) fn total(&self, plan: &Plan) -> u64 {
        self.encounters.len() as u64 * u64::from(plan.rounds) * u64::from(plan.games)
    }

    pub(super) fn game(&self, plan: &Plan, index: u64) -> Option<Pairing> {
        let games = u64::from(plan.games);
        if index >= self.total(plan) {
            return None;
        }
        let (encounter, game) = (index / games, (index % games) as u32);
        let length = self.encounters.len() as u64;
        let (cycle, place) = (encounter / length, encounter % length);
        let (mut first, mut second, round) = self.encounters[place as usize];
        // With an odd number of games the next cycle has to even things out.
        if cycle % 2 == 1 && plan.games % 2 == 1 && !plan.noswap {
            (first, second) = (second, first);
        }
        let (white, black) = plan.colours(first, second, game);
        let round = cycle as u32 * self.rounds + round;
        Some(Pairing {
            number: index + 1,
            round: round + 1,
            encounter,
            game,
            white,
            black,
            opening: self.opening(plan, cycle, place, round, game),
        })
    }

    fn opening(&self, plan: &Plan, cycle: u64, place: u64, round: u32, game: u32) -> u64 {
        if plan.policy == OpeningPolicy::Round {
            return u64::from(round);
        }
        // An opening may outlast the encounter: then the same two players
        // meet with it again in the next cycle.
        let lasts = match plan.policy {
            OpeningPolicy::Default => u64::from((plan.repeat / plan.games.max(1)).max(1)),
            _ => 1,
        };
        let encounter = cycle / lasts * self.encounters.len() as u64 + place;
        encounter * plan.openings_of_encounter() + plan.opening_of_game(game)
    }
}

/// Berger's tables. Players are numbered from 1 here; the last of an even
/// number stays in its place and the others turn around it.
///
/// In round `r` of `m = n - 1` those play whose numbers add up to `r + 1`
/// modulo `m`, and the one who would play itself meets `n`. The lower number
/// has White if the sum is odd, the higher one if it is even; against `n` the
/// lower half has White.
fn berger(players: usize) -> Vec<(usize, usize, u32)> {
    let n = players.next_multiple_of(2);
    let m = n.saturating_sub(1);
    let mut list = Vec::new();
    for round in 0..m {
        // Twice this number is the sum of the round.
        let centre = (1..=m)
            .find(|i| (2 * i) % m == (round + 2) % m)
            .unwrap_or(1);
        for board in 0..n / 2 {
            let (white, black) = if board == 0 {
                if centre <= n / 2 {
                    (centre, n)
                } else {
                    (n, centre)
                }
            } else {
                let up = (centre + board - 1) % m + 1;
                let down = (centre + m - board - 1) % m + 1;
                let (low, high) = (up.min(down), up.max(down));
                if (low + high) % 2 == 1 {
                    (low, high)
                } else {
                    (high, low)
                }
            };
            // The one without an opponent rests.
            if white <= players && black <= players {
                list.push((white - 1, black - 1, round as u32));
            }
        }
    }
    list
}

/// The challengers meet one opponent after the other, colours in turn.
fn gauntlet(players: usize, seeds: usize) -> Vec<(usize, usize, u32)> {
    let mut list = Vec::new();
    for opponent in seeds..players {
        for challenger in 0..seeds {
            list.push(in_turn(challenger, opponent, opponent - seeds + challenger));
        }
    }
    list
}

/// Everybody meets those before it, colours in turn.
fn pyramid(players: usize) -> Vec<(usize, usize, u32)> {
    let mut list = Vec::new();
    for later in 1..players {
        for earlier in 0..later {
            list.push(in_turn(earlier, later, later - 1 + earlier));
        }
    }
    list
}

fn in_turn(one: usize, other: usize, turn: usize) -> (usize, usize, u32) {
    if turn.is_multiple_of(2) {
        (one, other, 0)
    } else {
        (other, one, 0)
    }
}
