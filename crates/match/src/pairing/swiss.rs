//! The Swiss system.
//!
//! Each round is paired from the top: the best player left gets the opponent
//! it would get in an ideal pairing, or the next best one, provided that all
//! others can still be paired within the limits. These are, from strict to
//! lenient: no two meet again and no player gets a colour it must not get; no
//! two meet again; no two meet for the third time, and so on. The first
//! that allow a whole round are used.

use core::cmp::Reverse;

use quadrille_games::records::GameResult;

use super::matching::Matching;
use super::{Builder, Games, Known, Place, Plan};

/// A player on its way through the rounds.
#[derive(Debug, Clone, Default)]
struct Player {
    half_points: u64,
    byes: u32,
    /// `true` for each encounter in which it had White first.
    whites: Vec<bool>,
    /// How often it has met each other player.
    met: Vec<u32>,
}

impl Player {
    /// Encounters with White first minus those with Black first.
    fn balance(&self) -> i64 {
        let whites = self.whites.iter().filter(|&&white| white).count() as i64;
        2 * whites - self.whites.len() as i64
    }

    /// The colour it must get next: it has had the other one twice in a row, or
    /// twice more often.
    fn must(&self) -> Option<bool> {
        let twice = match self.whites.as_slice() {
            [.., a, b] if a == b => Some(!a),
            _ => None,
        };
        match self.balance() {
            2.. => Some(false),
            ..=-2 => Some(true),
            _ => twice,
        }
    }

    /// The colour it would like next.
    fn likes(&self) -> Option<bool> {
        match self.balance() {
            0 => self.whites.last().map(|white| !white),
            balance => Some(balance < 0),
        }
    }
}

fn both_must(a: &Player, b: &Player) -> bool {
    a.must().is_some() && a.must() == b.must()
}

pub(super) fn known(plan: &Plan, result: &impl Fn(u64) -> Option<GameResult>) -> Known {
    let mut builder = Builder::default();
    let mut players = vec![
        Player {
            met: vec![0; plan.players],
            ..Player::default()
        };
        plan.players
    ];
    let mut complete = true;
    for round in 1..=plan.rounds {
        let (pairs, bye) = pair(&players);
        let encounters: Vec<_> = pairs
            .iter()
            .map(|&pair| (pair, builder.encounter(plan, round, pair, plan.games)))
            .collect();
        let scores: Option<Vec<_>> = encounters
            .into_iter()
            .map(|(pair, games)| Some((pair, builder.score(games, pair.0, result)?)))
            .collect();
        let Some(scores) = scores else {
            complete = round == plan.rounds;
            break;
        };
        for ((first, second), score) in scores {
            for (player, other, points, white) in [
                (first, second, score.0, true),
                (second, first, score.1, false),
            ] {
                let player = &mut players[player];
                player.half_points += points;
                player.met[other] += 1;
                player.whites.push(white);
            }
        }
        if let Some(bye) = bye {
            players[bye].half_points += 2 * u64::from(plan.games);
            players[bye].byes += 1;
        }
    }
    Known {
        games: Games::List(builder.list),
        complete,
        places: order(&players)
            .into_iter()
            .map(|player| Place {
                player,
                half_points: players[player].half_points,
                byes: players[player].byes,
            })
            .collect(),
    }
}

/// Players from the first to the last place; the list decides between equals.
fn order(players: &[Player]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|&player| Reverse(players[player].half_points));
    order
}

/// Who meets whom, White first, and who rests.
fn pair(players: &[Player]) -> (Vec<(usize, usize)>, Option<usize>) {
    let order = order(players);
    let most = players.iter().flat_map(|p| &p.met).copied().max();
    // The last limit forbids nothing, so that some limit always works.
    let limits = [(0, true)]
        .into_iter()
        .chain((0..=most.unwrap_or(0)).map(|meetings| (meetings, false)));
    for (meetings, colours) in limits {
        let may_meet = |a: usize, b: usize| {
            players[a].met[b] <= meetings && !(colours && both_must(&players[a], &players[b]))
        };
        if players.len().is_multiple_of(2) {
            if let Some(pairs) = pair_off(players, &order, &may_meet) {
                return (pairs, None);
            }
            continue;
        }
        let mut resting = order.clone();
        resting.reverse();
        resting.sort_by_key(|&player| players[player].byes);
        // No player rests twice before all have rested once.
        let fewest = resting.first().map_or(0, |&player| players[player].byes);
        resting.retain(|&player| players[player].byes == fewest);
        for bye in resting {
            let rest: Vec<usize> = order.iter().copied().filter(|&p| p != bye).collect();
            if let Some(pairs) = pair_off(players, &rest, &may_meet) {
                return (pairs, Some(bye));
            }
        }
    }
    (Vec::new(), None)
}

/// Pairs off players in the order of their places, if that is possible.
fn pair_off(
    players: &[Player],
    order: &[usize],
    may_meet: &impl Fn(usize, usize) -> bool,
) -> Option<Vec<(usize, usize)>> {
    let mut matching = Matching::new(order.len(), |a, b| may_meet(order[a], order[b]));
    if !matching.is_perfect() {
        return None;
    }
    let mut left: Vec<usize> = (0..order.len()).collect();
    let mut pairs = Vec::new();
    while !left.is_empty() {
        let best = left.remove(0);
        let wishes = wishes(players, order, best, &left);
        let place = wishes
            .into_iter()
            .find(|&place| matching.take(best, left[place]))?;
        let other = left.remove(place);
        pairs.push(colours(players, order[best], order[other], pairs.len()));
    }
    Some(pairs)
}

/// The places in `left` of the opponents of `best`, the most fitting first: an
/// equal score, then few meetings, then colours that suit both, then the place
/// in the lower half that faces the first place of the upper half.
fn wishes(players: &[Player], order: &[usize], best: usize, left: &[usize]) -> Vec<usize> {
    let me = &players[order[best]];
    let score = |place: usize| players[order[left[place]]].half_points;
    let equals = (0..left.len())
        .take_while(|&place| score(place) == me.half_points)
        .count();
    let ideal = equals.div_ceil(2).saturating_sub(1);
    let mut places: Vec<usize> = (0..left.len()).collect();
    places.sort_by_key(|&place| {
        let other = &players[order[left[place]]];
        let clash = me.likes().is_some() && me.likes() == other.likes();
        // Players above the ideal place come after all below it.
        let distance = if place < equals {
            (place < ideal, place.abs_diff(ideal))
        } else {
            (false, place)
        };
        let gap = me.half_points - other.half_points.min(me.half_points);
        (other.met[order[best]], gap, clash, distance)
    });
    places
}

/// The two with the one who gets White first.
fn colours(players: &[Player], a: usize, b: usize, board: usize) -> (usize, usize) {
    let (one, other) = (&players[a], &players[b]);
    let a_white = match (
        one.balance().cmp(&other.balance()),
        one.must(),
        other.must(),
    ) {
        (_, Some(colour), None) => colour,
        (_, None, Some(colour)) => !colour,
        (core::cmp::Ordering::Less, ..) => true,
        (core::cmp::Ordering::Greater, ..) => false,
        // The last encounter in which their colours differed decides.
        _ => {
            let differed = one.whites.iter().rev().zip(other.whites.iter().rev());
            match differed.into_iter().find(|(a, b)| a != b) {
                Some((a, _)) => !a,
                None => match one.whites.last() {
                    Some(last) => !last,
                    None => board.is_multiple_of(2),
                },
            }
        }
    };
    if a_white { (a, b) } else { (b, a) }
}
