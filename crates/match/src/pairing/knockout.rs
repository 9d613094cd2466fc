//! Knockout.

use quadrille_games::random::SplitMix64;
use quadrille_games::records::GameResult;

use super::{Builder, Games, Known, Place, Plan, Schedule};

pub(super) fn known(plan: &Plan, result: &impl Fn(u64) -> Option<GameResult>) -> Known {
    let mut builder = Builder::default();
    // `None` is an empty place: a player who meets it goes on.
    let mut alive = bracket(plan);
    let mut out: Vec<usize> = Vec::new();
    let mut round = 0;
    let mut complete = true;
    while alive.len() > 1 {
        round += 1;
        let Some(winners) = play_round(plan, round, &alive, &mut builder, result) else {
            complete = false;
            break;
        };
        let mut losers: Vec<usize> = alive
            .iter()
            .flatten()
            .copied()
            .filter(|player| !winners.contains(&Some(*player)))
            .collect();
        losers.sort_by_key(|&player| place_in_list(plan, player));
        out.splice(0..0, losers);
        alive = winners;
    }
    // The last game that is known may have been played already.
    if !complete {
        complete = alive.len() == 2 && last_chance(plan, &builder);
    }
    let mut first: Vec<usize> = alive.into_iter().flatten().collect();
    first.sort_by_key(|&player| place_in_list(plan, player));
    let mut half_points = vec![0; plan.players];
    for game in &builder.list {
        let (white, black) = result(game.number).map_or((0, 0), super::half_points);
        half_points[game.white] += white;
        half_points[game.black] += black;
    }
    Known {
        places: first
            .into_iter()
            .chain(out)
            .map(|player| Place {
                player,
                half_points: half_points[player],
                byes: 0,
            })
            .collect(),
        games: Games::List(builder.list),
        complete,
    }
}

/// Whether no decider can follow the games of the final any more.
fn last_chance(plan: &Plan, builder: &Builder) -> bool {
    let final_round = builder.list.last().map_or(0, |game| game.round);
    let games = builder.list.iter().filter(|game| game.round == final_round);
    let most = u64::from(plan.rounds) + u64::from(Schedule::MOST_DECIDERS);
    games.count() as u64 >= most * u64::from(plan.games)
}

fn place_in_list(plan: &Plan, player: usize) -> usize {
    draw(plan)
        .iter()
        .position(|&p| p == player)
        .unwrap_or(player)
}

/// Players by their place: the seeded ones first, then the others by lot.
fn draw(plan: &Plan) -> Vec<usize> {
    let mut list: Vec<usize> = (0..plan.players).collect();
    let seeds = plan.seeds.min(plan.players);
    SplitMix64::of(plan.seed, 0x6b6f).shuffle(&mut list[seeds..]);
    list
}

/// The first round: places are laid out so that the best two can meet only in
/// the end, the best four only before that, and so on; the places behind the
/// last player are empty and face the first ones.
fn bracket(plan: &Plan) -> Vec<Option<usize>> {
    let list = draw(plan);
    let mut places = vec![0];
    while places.len() < list.len() {
        let size = places.len() * 2;
        places = places
            .iter()
            .enumerate()
            .flat_map(|(i, &place)| {
                let other = size - 1 - place;
                // The better one of the lower half stands at the far end.
                if i % 2 == 0 {
                    [place, other]
                } else {
                    [other, place]
                }
            })
            .collect();
    }
    places
        .into_iter()
        .map(|place| list.get(place).copied())
        .collect()
}

/// Who goes on, if the round is over.
fn play_round(
    plan: &Plan,
    round: u32,
    alive: &[Option<usize>],
    builder: &mut Builder,
    result: &impl Fn(u64) -> Option<GameResult>,
) -> Option<Vec<Option<usize>>> {
    let mut winners: Vec<Option<usize>> = Vec::new();
    // Level encounters: place among the winners, both players, score so far.
    let mut level = Vec::new();
    for (i, two) in alive.chunks(2).enumerate() {
        let (a, b) = (two[0], two.get(1).copied().flatten());
        winners.push(a.or(b));
        if let (Some(a), Some(b)) = (a, b) {
            // The better place has White first in every other encounter.
            let better = place_in_list(plan, a) < place_in_list(plan, b);
            let (a, b) = if better { (a, b) } else { (b, a) };
            let pair = if i % 2 == 0 { (a, b) } else { (b, a) };
            winners[i] = Some(a);
            level.push((i, pair, (0, 0)));
        }
    }
    for wave in 0..=Schedule::MOST_DECIDERS {
        let encounters = if wave == 0 { plan.rounds } else { 1 };
        let games: Vec<_> = level
            .iter()
            .map(|&(_, pair, _)| {
                let from = builder.list.len();
                for turn in wave..wave + encounters {
                    builder.encounter(plan, round, turned(plan, pair, turn), plan.games);
                }
                from..builder.list.len()
            })
            .collect();
        for (entry, games) in level.iter_mut().zip(games) {
            let (a, b) = builder.score(games, entry.1.0, result)?;
            entry.2 = (entry.2.0 + a, entry.2.1 + b);
        }
        level.retain(|&(i, (first, second), (a, b))| {
            if a != b {
                winners[i] = Some(if a > b { first } else { second });
            }
            a == b
        });
        if level.is_empty() {
            break;
        }
    }
    Some(winners)
}

/// With an odd number of games the player who had White first has Black first the
/// next time.
fn turned(plan: &Plan, (first, second): (usize, usize), turn: u32) -> (usize, usize) {
    if turn.is_multiple_of(2) || plan.noswap || plan.games.is_multiple_of(2) {
        (first, second)
    } else {
        (second, first)
    }
}
