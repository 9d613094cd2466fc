//! Who did what against whom, and how games ended.

use core::fmt::Write as _;
use core::time::Duration;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use quadrille_games::Side;
use quadrille_games::records::GameResult;
use quadrille_net::sanitize::cut;
use serde::{Deserialize, Serialize};

use super::ratings::{Encounter, Ratings, ratings};
use super::tally::{Pairs, Tally};

/// A game that was played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Played<'a> {
    /// The player with White.
    pub white: usize,
    /// The player with Black.
    pub black: usize,
    /// How it ended; an open result counts nowhere but among the terminations.
    pub result: GameResult,
    /// Games that belong together as a pair have the same value.
    pub pair: Option<(u64, u32)>,
    /// Why it ended, in a few words.
    pub termination: &'a str,
    /// What each side put into it, White first.
    pub effort: [Effort; 2],
}

/// What a player put into its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Time used, of moves whose time is known.
    pub time: Duration,
    /// Moves whose time is known.
    pub timed: u64,
    /// The sum of the depths.
    pub depth: u64,
    /// Moves whose depth is known.
    pub with_depth: u64,
    /// Nodes, of moves whose nodes and time are known.
    pub nodes: u64,
    /// The time those nodes took.
    pub node_time: Duration,
}

impl Effort {
    /// Adds one move.
    pub fn add_move(&mut self, time: Option<Duration>, depth: Option<u32>, nodes: Option<u64>) {
        self.moves += 1;
        if let Some(time) = time {
            self.time += time;
            self.timed += 1;
        }
        if let Some(depth) = depth {
            self.depth += u64::from(depth);
            self.with_depth += 1;
        }
        if let (Some(time), Some(nodes)) = (time, nodes) {
            self.nodes = self.nodes.saturating_add(nodes);
            self.node_time += time;
        }
    }

    /// Adds the moves of another game.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.time += other.time;
        self.timed += other.timed;
        self.depth += other.depth;
        self.with_depth += other.with_depth;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.node_time += other.node_time;
    }

    /// The averages, as scripts read them.
    pub fn averages(&self) -> Averages {
        Averages {
            moves: self.moves,
            elapsed_per_move: self.seconds_per_move().map(|seconds| seconds * 1000.0),
            depth: self.average_depth(),
            nps: self.nps(),
        }
    }

    /// Average seconds for a move.
    pub fn seconds_per_move(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.time.as_secs_f64() / self.timed as f64)
    }

    /// Average depth.
    pub fn average_depth(&self) -> Option<f64> {
        (self.with_depth > 0).then(|| self.depth as f64 / self.with_depth as f64)
    }

    /// Nodes per second.
    pub fn nps(&self) -> Option<f64> {
        let seconds = self.node_time.as_secs_f64();
        (seconds > 0.0).then(|| self.nodes as f64 / seconds)
    }
}

/// What a player put into a move, on the average.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Averages {
    /// Moves made.
    pub moves: u64,
    /// Milliseconds of a move, measured.
    pub elapsed_per_move: Option<f64>,
    /// Depth in plies.
    pub depth: Option<f64>,
    /// Nodes per second.
    pub nps: Option<f64>,
}

/// How two players did against each other, from the view of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Meeting {
    /// Single games.
    pub tally: Tally,
    /// Pairs of games.
    pub pairs: Pairs,
}

impl Meeting {
    fn reversed(&self) -> Self {
        Self {
            tally: self.tally.reversed(),
            pairs: self.pairs.reversed(),
        }
    }
}

/// How many games ended in which way for one player: won, drawn, lost.
pub type Terminations = BTreeMap<String, Tally>;

/// Everything that is counted about the games of an event.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// From the view of the first, whose number is smaller.
    meetings: BTreeMap<(usize, usize), Meeting>,
    /// Games whose partner has not ended: White, Black, and the half points of
    /// the player with the smaller number.
    waiting: BTreeMap<(u64, u32), (usize, usize, usize)>,
    colours: Vec<[Tally; 2]>,
    pairs: Vec<Pairs>,
    terminations: Vec<Terminations>,
    open: BTreeMap<String, u64>,
    effort: Vec<Effort>,
    games: u64,
}

impl Tables {
    /// Empty tables for these players.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut tables = Self::default();
        for name in names {
            tables.player(&name);
        }
        tables
    }

    /// The number of a player, who is added if it is new.
    pub fn player(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.numbers.insert(name.into(), self.names.len());
        self.names.push(name.into());
        self.pairs.push(Pairs::default());
        self.colours.push(Default::default());
        self.terminations.push(Terminations::new());
        self.effort.push(Effort::default());
        self.names.len() - 1
    }

    /// The names of all players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games with a result.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Counts a game. A game of players who are not there counts nothing.
    pub fn add(&mut self, game: &Played<'_>) {
        let (white, black) = (game.white, game.black);
        if white == black || white.max(black) >= self.names.len() {
            return;
        }
        for (player, effort) in [(white, 0), (black, 1)] {
            self.effort[player].add(&game.effort[effort]);
        }
        if game.result == GameResult::Open {
            *self.open.entry(game.termination.into()).or_default() += 1;
            return;
        }
        self.games += 1;
        for (player, side) in [(white, Side::White), (black, Side::Black)] {
            self.colours[player][side.index()].count(side, game.result);
            let ways = &mut self.terminations[player];
            // Not `entry`: the word is nearly always there already.
            if !ways.contains_key(game.termination) {
                ways.insert(game.termination.into(), Tally::default());
            }
            if let Some(tally) = ways.get_mut(game.termination) {
                tally.count(side, game.result);
            }
        }
        let first = white.min(black);
        let side = if first == white {
            Side::White
        } else {
            Side::Black
        };
        let meeting = self.meetings.entry((first, white.max(black))).or_default();
        meeting.tally.count(side, game.result);
        if let Some(pair) = game.pair {
            let mut one = Tally::default();
            one.count(side, game.result);
            let half_points = (2 * one.wins + one.draws) as usize;
            match self.waiting.entry(pair) {
                Entry::Vacant(place) => {
                    place.insert((white, black, half_points));
                }
                // Both players with exchanged colours make a pair.
                Entry::Occupied(place) if (place.get().0, place.get().1) == (black, white) => {
                    let (_, _, before) = place.remove();
                    let together = before + half_points;
                    meeting.pairs.count(together);
                    self.pairs[first].count(together);
                    self.pairs[white.max(black)].count(4 - together);
                }
                Entry::Occupied(_) => {}
            }
        }
    }

    /// How `a` did against `b`.
    pub fn meeting(&self, a: usize, b: usize) -> Meeting {
        let found = self.meetings.get(&(a.min(b), a.max(b)));
        let meeting = found.copied().unwrap_or_default();
        if a < b { meeting } else { meeting.reversed() }
    }

    /// All results of a player.
    pub fn total(&self, player: usize) -> Meeting {
        let pairs = self.pairs.get(player).copied().unwrap_or_default();
        let [white, black] = Side::BOTH.map(|side| self.with_colour(player, side));
        Meeting {
            tally: white + black,
            pairs,
        }
    }

    /// Results of a player with a colour.
    pub fn with_colour(&self, player: usize, side: Side) -> Tally {
        let colours = self.colours.get(player);
        colours.map_or_else(Tally::default, |colours| colours[side.index()])
    }

    /// How a player's games ended.
    pub fn terminations(&self, player: usize) -> Option<&Terminations> {
        self.terminations.get(player)
    }

    /// Games without a result, by the reason.
    pub const fn open(&self) -> &BTreeMap<String, u64> {
        &self.open
    }

    /// What a player put into its moves.
    pub fn effort(&self, player: usize) -> Effort {
        self.effort.get(player).copied().unwrap_or_default()
    }

    /// Ratings of all players.
    pub fn ratings(&self, anchors: &[(usize, f64)]) -> Ratings {
        let results: Vec<Encounter> = self
            .meetings
            .iter()
            .map(|(&(a, b), meeting)| Encounter {
                a,
                b,
                tally: meeting.tally,
            })
            .collect();
        ratings(self.names.len(), &results, anchors)
    }

    /// Players by points, then by wins, then by name.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let totals: Vec<Tally> = order.iter().map(|&p| self.total(p).tally).collect();
        order.sort_by(|&a, &b| {
            let key = |p: usize| (2 * totals[p].wins + totals[p].draws, totals[p].wins);
            key(b)
                .cmp(&key(a))
                .then_with(|| self.names[a].cmp(&self.names[b]))
        });
        order
    }

    /// The cross-table: a row for each player, the points against each other
    /// player, and the total.
    pub fn cross_table(&self) -> String {
        self.cross_table_in(&self.order())
    }

    /// The same with the players in an order of the caller's, so that the numbers are those
    /// of another list beside it.
    pub fn cross_table_in(&self, order: &[usize]) -> String {
        let width = order.iter().map(|&p| self.names[p].chars().count());
        let width = width.max().unwrap_or(0).clamp(6, 40);
        let mut cells: Vec<Vec<String>> = Vec::new();
        for &player in order {
            let mut row: Vec<String> = order
                .iter()
                .map(|&other| {
                    let tally = self.meeting(player, other).tally;
                    match (player == other, tally.games()) {
                        (true, _) => "x".into(),
                        (_, 0) => ".".into(),
                        (_, games) => format!("{}/{games}", points(&tally)),
                    }
                })
                .collect();
            let total = self.total(player).tally;
            row.push(format!("{}/{}", points(&total), total.games()));
            cells.push(row);
        }
        let columns: Vec<usize> = (0..=order.len())
            .map(|column| {
                let widest = cells.iter().map(|row| row[column].len()).max();
                widest.unwrap_or(0).max(5)
            })
            .collect();
        let mut text = format!("{:>3} {:<width$}", "#", "player");
        for (column, &wide) in columns.iter().enumerate() {
            let head = if column == order.len() {
                "total".into()
            } else {
                (column + 1).to_string()
            };
            // Writing to a String cannot fail.
            let _ = write!(text, " {head:>wide$}");
        }
        text.push('\n');
        for (place, (&player, row)) in order.iter().zip(&cells).enumerate() {
            let name = cut(&self.names[player], width);
            let _ = write!(text, "{:>3} {name:<width$}", place + 1);
            for (cell, &wide) in row.iter().zip(&columns) {
                let _ = write!(text, " {cell:>wide$}");
            }
            text.push('\n');
        }
        text
    }
}

/// Points as people write them: `3`, `3.5`.
fn points(tally: &Tally) -> String {
    let whole = tally.wins + tally.draws / 2;
    if tally.draws % 2 == 1 {
        format!("{whole}.5")
    } else {
        whole.to_string()
    }
}
