//! Who plays whom, in which order, with which colours and which opening.
//!
//! A [`Schedule`] is a function of the [`Plan`] and of the results so far, and
//! of nothing else: not of the order in which games ended, not of the clock.
//! So a match that goes on after an interruption has the same games with the
//! same numbers.
//!
//! * **Round robin**: Berger tables, as the FIDE handbook prints them. With an
//!   odd number one player rests in each round.
//! * **Gauntlet**: the first players meet all others, not each other.
//! * **Pyramid**: every player meets all that come before it in the list.
//! * **Swiss**: players of equal score meet, upper half against lower half;
//!   no two meet twice, and no player has the same colour three times in
//!   a row or more than twice more often than the other, as long as the round
//!   can be paired at all that way. With an odd number the lowest player who
//!   had the fewest byes rests and gets the points of a won encounter.
//! * **Knockout**: a bracket in which the first players can meet only late.
//!   A drawn encounter is prolonged, see [`Schedule`].
//!
//! An *encounter* is what two players play in a row: [`Plan::games`] games with
//! colours exchanged after every game. In all formats but Swiss and knockout
//! everything is known from the beginning, and game number `n` is computed
//! without a list.

mod knockout;
mod matching;
mod swiss;
mod table;

use quadrille_games::Side;
use quadrille_games::records::GameResult;
use serde::{Deserialize, Serialize};

use crate::config::{Format, MatchConfig, OpeningPolicy};
use table::Table;

/// What decides who plays whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// How many players there are.
    pub players: usize,
    /// Who meets whom.
    pub format: Format,
    /// Challengers of a gauntlet; seeded players of a knockout.
    pub seeds: usize,
    /// How often everybody meets; in a Swiss the number of rounds; in a
    /// knockout how many encounters of each pair count together.
    pub rounds: u32,
    /// Games of one encounter.
    pub games: u32,
    /// How many games in a row begin with the same opening.
    pub repeat: u32,
    /// Colours are not exchanged.
    pub noswap: bool,
    /// The second player of every encounter has White first.
    pub reverse: bool,
    /// When the next opening is taken.
    pub policy: OpeningPolicy,
    /// Decides where unseeded players of a knockout stand.
    pub seed: u64,
}

impl Plan {
    /// The plan of a match.
    pub fn of(config: &MatchConfig) -> Self {
        let schedule = &config.schedule;
        Self {
            players: config.engines.len(),
            format: schedule.format,
            seeds: schedule.seeds,
            rounds: schedule.rounds,
            games: schedule.games,
            repeat: schedule.repeat,
            noswap: schedule.noswap,
            reverse: schedule.reverse,
            policy: schedule.openings.policy,
            seed: schedule.seed,
        }
    }

    /// Openings of one encounter.
    fn openings_of_encounter(&self) -> u64 {
        match self.policy {
            OpeningPolicy::Default => u64::from(self.games.div_ceil(self.repeat.max(1))),
            OpeningPolicy::Encounter | OpeningPolicy::Round => 1,
        }
    }

    /// Which of an encounter's openings game `game` (from 0) begins with.
    fn opening_of_game(&self, game: u32) -> u64 {
        match self.policy {
            OpeningPolicy::Default => u64::from(game / self.repeat.max(1)),
            OpeningPolicy::Encounter | OpeningPolicy::Round => 0,
        }
    }

    /// White and Black of game `game` of an encounter.
    fn colours(&self, first: usize, second: usize, game: u32) -> (usize, usize) {
        let exchanged = !self.noswap && game % 2 == 1;
        if exchanged == self.reverse {
            (first, second)
        } else {
            (second, first)
        }
    }
}

/// One game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Counted from 1, without gaps.
    pub number: u64,
    /// Counted from 1.
    pub round: u32,
    /// Which encounter it belongs to, counted from 0.
    pub encounter: u64,
    /// Which game of the encounter it is, counted from 0.
    pub game: u32,
    /// The player with White, an index in the list of players.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
    /// Which opening it begins with, counted from 0.
    pub opening: u64,
}

impl Pairing {
    /// The player of a side.
    pub const fn player(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }

    /// The two games with exchanged colours that count as a pair have the same
    /// value here.
    pub const fn pair(&self) -> (u64, u32) {
        (self.encounter, self.game / 2)
    }
}

/// A player's place in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The player.
    pub player: usize,
    /// Half points, byes included.
    pub half_points: u64,
    /// Rounds without an opponent.
    pub byes: u32,
}

/// The games of a tournament, as far as they are known.
///
/// In a knockout both sides of an encounter that ends level play another
/// [`Plan::games`] games with a new opening, up to [`Self::MOST_DECIDERS`]
/// times; if they are still level the player with the better place in the
/// bracket goes on. Further games begin when all encounters of the round have
/// come to that point, so that numbers do not depend on who is quicker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    plan: Plan,
    games: Games,
    complete: bool,
    places: Vec<Place>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Games {
    /// Computed.
    Table(Table),
    /// Listed, because they depend on results.
    List(Vec<Pairing>),
}

impl Schedule {
    /// How often an encounter of a knockout is prolonged.
    pub const MOST_DECIDERS: u32 = 8;

    /// The games that follow from a plan and the results so far. `result` is
    /// asked for games by number; `None` is a game that has not ended, an open
    /// result one that ended without a score.
    pub fn new(plan: &Plan, result: impl Fn(u64) -> Option<GameResult>) -> Self {
        let known = match plan.format {
            Format::RoundRobin | Format::Gauntlet | Format::Pyramid => Known {
                games: Games::Table(Table::new(plan)),
                complete: true,
                places: Vec::new(),
            },
            Format::Swiss => swiss::known(plan, &result),
            Format::Knockout => knockout::known(plan, &result),
        };
        Self {
            plan: plan.clone(),
            games: known.games,
            complete: known.complete,
            places: known.places,
        }
    }

    /// How many games are known; their numbers are 1 to this.
    pub fn known(&self) -> u64 {
        match &self.games {
            Games::Table(table) => table.total(&self.plan),
            Games::List(list) => list.len() as u64,
        }
    }

    /// Whether there will never be more games than are known now.
    pub const fn complete(&self) -> bool {
        self.complete
    }

    /// A game by its number.
    pub fn game(&self, number: u64) -> Option<Pairing> {
        let index = number.checked_sub(1)?;
        match &self.games {
            Games::Table(table) => table.game(&self.plan, index),
            Games::List(list) => list.get(usize::try_from(index).ok()?).copied(),
        }
    }

    /// All games that are known.
    pub fn games(&self) -> impl Iterator<Item = Pairing> + '_ {
        (1..=self.known()).map_while(|number| self.game(number))
    }

    /// Places after the rounds that are over: in a Swiss by points, in a
    /// knockout by how far each came. Empty for the other formats, where the
    /// score alone decides.
    pub fn places(&self) -> &[Place] {
        &self.places
    }
}

/// What a format knows.
struct Known {
    games: Games,
    complete: bool,
    places: Vec<Place>,
}

/// Half points of White and Black.
const fn half_points(result: GameResult) -> (u64, u64) {
    match result {
        GameResult::WhiteWins => (2, 0),
        GameResult::BlackWins => (0, 2),
        GameResult::Draw => (1, 1),
        GameResult::Open => (0, 0),
    }
}

/// A list of games that grows encounter by encounter.
#[derive(Default)]
struct Builder {
    list: Vec<Pairing>,
    encounters: u64,
    openings: u64,
}

impl Builder {
    /// Adds an encounter; says where its games stand in the list.
    fn encounter(
        &mut self,
        plan: &Plan,
        round: u32,
        (first, second): (usize, usize),
        games: u32,
    ) -> core::ops::Range<usize> {
        let from = self.list.len();
        let base = match plan.policy {
            OpeningPolicy::Round => u64::from(round - 1),
            _ => self.openings,
        };
        for game in 0..games {
            let (white, black) = plan.colours(first, second, game);
            self.list.push(Pairing {
                number: self.list.len() as u64 + 1,
                round,
                encounter: self.encounters,
                game,
                white,
                black,
                opening: base + plan.opening_of_game(game),
            });
        }
        self.encounters += 1;
        if games > 0 {
            self.openings = base + plan.opening_of_game(games - 1) + 1;
        }
        from..self.list.len()
    }

    /// The half points of both players of an encounter, if all its games have
    /// ended.
    fn score(
        &self,
        games: core::ops::Range<usize>,
        first: usize,
        result: &impl Fn(u64) -> Option<GameResult>,
    ) -> Option<(u64, u64)> {
        let mut score = (0, 0);
        for pairing in &self.list[games] {
            let (white, black) = half_points(result(pairing.number)?);
            if pairing.white == first {
                score = (score.0 + white, score.1 + black);
            } else {
                score = (score.0 + black, score.1 + white);
            }
        }
        Some(score)
    }
}
