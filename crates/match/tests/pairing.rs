//! Pairings against tables checked by hand, and what must hold for all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;
use quadrille_games::records::GameResult;
use quadrille_match::config::{Format, OpeningPolicy};
use quadrille_match::pairing::{Pairing, Plan, Schedule};

fn plan(format: Format, players: usize) -> Plan {
    Plan {
        players,
        format,
        seeds: match format {
            Format::Gauntlet => 1,
            _ => players,
        },
        rounds: 1,
        games: 1,
        repeat: 1,
        noswap: false,
        reverse: false,
        policy: OpeningPolicy::Default,
        seed: 1,
    }
}

fn nothing(_: u64) -> Option<GameResult> {
    None
}

/// `1-4 2-3 / 4-3 1-2`: players from 1, White first, rounds parted by slashes.
fn text(games: impl Iterator<Item = Pairing>) -> String {
    let mut text = String::new();
    let mut round = 1;
    for game in games {
        if game.round != round {
            text.push_str("/ ");
            round = game.round;
        }
        write!(text, "{}-{} ", game.white + 1, game.black + 1).expect("it is a String");
    }
    text.trim_end().to_owned()
}

#[test]
fn round_robins_are_those_of_the_handbook() {
    for (players, table) in [
        (2, "1-2"),
        (3, "2-3 / 1-2 / 3-1"),
        (4, "1-4 2-3 / 4-3 1-2 / 2-4 3-1"),
        // Odd numbers: the table of one more without its last player.
        (5, "2-5 3-4 / 5-3 1-2 / 3-1 4-5 / 1-4 2-3 / 4-2 5-1"),
        (
            6,
            "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
        ),
        (
            7,
            "2-7 3-6 4-5 / 6-4 7-3 1-2 / 3-1 4-7 5-6 / 7-5 1-4 2-3 / 4-2 5-1 6-7 / 1-6 2-5 3-4 / \
             5-3 6-2 7-1",
        ),
        (
            8,
            "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / \
             3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1",
        ),
    ] {
        let schedule = Schedule::new(&plan(Format::RoundRobin, players), nothing);
        assert!(schedule.complete());
        assert_eq!(text(schedule.games()), table, "{players} players");
    }
}

#[test]
fn gauntlets_and_pyramids() {
    let gauntlet = |players, seeds| {
        let plan = Plan {
            seeds,
            ..plan(Format::Gauntlet, players)
        };
        text(Schedule::new(&plan, nothing).games())
    };
    assert_eq!(gauntlet(4, 1), "1-2 3-1 1-4");
    assert_eq!(gauntlet(5, 2), "1-3 3-2 4-1 2-4 1-5 5-2");
    let pyramid = Schedule::new(&plan(Format::Pyramid, 4), nothing);
    assert_eq!(text(pyramid.games()), "1-2 3-1 2-3 1-4 4-2 3-4");
}

#[test]
fn pairs_of_games_share_an_opening_with_colours_exchanged() {
    let list = |plan: &Plan| -> Vec<(usize, usize, u64)> {
        Schedule::new(plan, nothing)
            .games()
            .map(|game| (game.white, game.black, game.opening))
            .collect()
    };
    let two = Plan {
        rounds: 2,
        games: 2,
        repeat: 2,
        ..plan(Format::RoundRobin, 2)
    };
    assert_eq!(list(&two), [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]);
    let noswap = Plan {
        noswap: true,
        ..two.clone()
    };
    assert_eq!(list(&noswap), [(0, 1, 0), (0, 1, 0), (0, 1, 1), (0, 1, 1)]);
    let reverse = Plan {
        reverse: true,
        ..two.clone()
    };
    assert_eq!(list(&reverse), [(1, 0, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1)]);
    let long = Plan {
        rounds: 1,
        games: 5,
        ..two.clone()
    };
    assert_eq!(
        list(&long),
        [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 1, 2)]
    );
    // An opening that lasts longer than an encounter, as cutechess-cli users
    // write it: -games 1 -rounds 4 -repeat 2.
    let single = Plan {
        rounds: 4,
        games: 1,
        ..two.clone()
    };
    assert_eq!(list(&single), [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]);
    let encounter = Plan {
        games: 4,
        policy: OpeningPolicy::Encounter,
        ..two.clone()
    };
    let openings: Vec<u64> = list(&encounter).iter().map(|game| game.2).collect();
    assert_eq!(openings, [0, 0, 0, 0, 1, 1, 1, 1]);
    let round = Plan {
        players: 4,
        rounds: 1,
        policy: OpeningPolicy::Round,
        ..two
    };
    let openings: Vec<u64> = list(&round).iter().map(|game| game.2).collect();
    assert_eq!(openings, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
}

/// Plays on until nothing is left; `score` gives the result of each game.
fn play(plan: &Plan, score: impl Fn(&Pairing) -> GameResult) -> Schedule {
    let mut results = BTreeMap::new();
    loop {
        let schedule = Schedule::new(plan, |number| results.get(&number).copied());
        let open: Vec<Pairing> = schedule
            .games()
            .filter(|game| !results.contains_key(&game.number))
            .collect();
        if open.is_empty() {
            assert!(schedule.complete(), "nothing to play, and yet not over");
            return schedule;
        }
        for game in open {
            results.insert(game.number, score(&game));
        }
    }
}

/// The player who stands earlier in the list wins.
fn favourite(game: &Pairing) -> GameResult {
    if game.white < game.black {
        GameResult::WhiteWins
    } else {
        GameResult::BlackWins
    }
}

#[test]
fn a_swiss_of_eight() {
    let plan = Plan {
        rounds: 3,
        ..plan(Format::Swiss, 8)
    };
    // Round 1: upper half against lower half, colours in turn. Round 2: 1 would
    // meet 3, but both want Black, so that 1 meets 4 and 2 meets 3; so with the
    // losers. Round 3: 1 and 2 have two points; 3 to 6 have one and meet as
    // upper and lower half, everybody with the other colour than last time.
    let schedule = play(&plan, favourite);
    assert_eq!(
        text(schedule.games()),
        "1-5 6-2 3-7 8-4 / 4-1 2-3 5-8 7-6 / 1-2 3-5 6-4 8-7"
    );
    let points: Vec<(usize, u64)> = schedule
        .places()
        .iter()
        .map(|s| (s.player + 1, s.half_points))
        .collect();
    assert_eq!(points[0], (1, 6));
    assert_eq!(points.iter().map(|p| p.1).sum::<u64>(), 24);
}

#[test]
fn a_swiss_of_five() {
    let plan = Plan {
        rounds: 3,
        ..plan(Format::Swiss, 5)
    };
    let schedule = play(&plan, favourite);
    // 5 rests and has a point like 1 and 2. Round 2: 4 rests; 1 meets 2, and 5
    // floats down to 3. Round 3: everybody but 1 has one point, and 3 is the
    // last who has not rested; 2 has met 4, so 1 meets 4 and 2 meets 5.
    assert_eq!(text(schedule.games()), "1-3 4-2 / 2-1 3-5 / 1-4 5-2");
    let places: Vec<(usize, u64, u32)> = schedule
        .places()
        .iter()
        .map(|s| (s.player + 1, s.half_points, s.byes))
        .collect();
    assert_eq!(
        places,
        [(1, 6, 0), (2, 4, 0), (3, 4, 1), (4, 2, 1), (5, 2, 1)]
    );
}

/// Whether all of a set of players can be paired off with new opponents.
fn can_pair(players: &[usize], met: &BTreeSet<(usize, usize)>) -> bool {
    let Some((&first, rest)) = players.split_first() else {
        return true;
    };
    rest.iter().enumerate().any(|(i, &other)| {
        let mut left = rest.to_vec();
        left.remove(i);
        !met.contains(&(first.min(other), first.max(other))) && can_pair(&left, met)
    })
}

#[test]
fn knockouts_have_the_right_brackets() {
    let knockout = |players: usize| play(&plan(Format::Knockout, players), favourite);
    for (players, games) in [
        (2, "1-2"),
        (4, "1-4 3-2 / 1-2"),
        // 1, 2 and 3 rest in the first round.
        (5, "5-4 / 1-4 3-2 / 1-2"),
        (6, "5-4 3-6 / 1-4 3-2 / 1-2"),
        (8, "1-8 5-4 3-6 7-2 / 1-4 3-2 / 1-2"),
    ] {
        let schedule = knockout(players);
        let mut sorted: Vec<Vec<String>> = Vec::new();
        for round in text(schedule.games()).split(" / ") {
            let mut games: Vec<String> = round.split(' ').map(Into::into).collect();
            games.sort();
            sorted.push(games);
        }
        let mut wanted: Vec<Vec<String>> = Vec::new();
        for round in games.split(" / ") {
            let mut games: Vec<String> = round.split(' ').map(Into::into).collect();
            games.sort();
            wanted.push(games);
        }
        assert_eq!(sorted, wanted, "{players} players");
        let places: Vec<usize> = schedule.places().iter().map(|s| s.player).collect();
        assert_eq!(places[..2], [0, 1], "{players} players");
        assert_eq!(places.len(), players);
    }
}

#[test]
fn level_encounters_of_a_knockout_go_on() {
    let two = Plan {
        games: 2,
        repeat: 2,
        ..plan(Format::Knockout, 4)
    };
    // 2 and 3 draw their first two games, then 3 wins the decider.
    let schedule = play(&two, |game| match (game.white, game.black) {
        (1, 2) | (2, 1) if game.number <= 4 => GameResult::Draw,
        (1, 2) => GameResult::BlackWins,
        (2, 1) => GameResult::WhiteWins,
        _ => favourite(game),
    });
    let games: Vec<(u64, u32, usize, usize, u64)> = schedule
        .games()
        .map(|g| (g.number, g.round, g.white + 1, g.black + 1, g.opening))
        .collect();
    assert_eq!(
        games,
        [
            (1, 1, 1, 4, 0),
            (2, 1, 4, 1, 0),
            (3, 1, 3, 2, 1),
            (4, 1, 2, 3, 1),
            (5, 1, 3, 2, 2),
            (6, 1, 2, 3, 2),
            (7, 2, 1, 3, 3),
            (8, 2, 3, 1, 3),
        ]
    );
    // Eight deciders later the better place goes on.
    let drawn = play(&two, |_| GameResult::Draw);
    assert_eq!(drawn.known(), 2 * 2 * 9 + 2 * 9);
    let first: Vec<usize> = drawn.places().iter().map(|s| s.player).collect();
    assert_eq!(first, [0, 1, 2, 3]);
}

#[test]
fn numbers_do_not_depend_on_who_is_quicker() {
    for format in [Format::Swiss, Format::Knockout] {
        let plan = Plan {
            rounds: 2,
            games: 2,
            repeat: 2,
            ..plan(format, 7)
        };
        let whole: Vec<Pairing> = play(&plan, favourite).games().collect();
        // One result at a time, the last known game first.
        let mut results = BTreeMap::new();
        loop {
            let schedule = Schedule::new(&plan, |number| results.get(&number).copied());
            let known: Vec<Pairing> = schedule.games().collect();
            assert_eq!(known, whole[..known.len()], "{format}");
            let open = known
                .iter()
                .rev()
                .find(|g| !results.contains_key(&g.number));
            let Some(game) = open else { break };
            results.insert(game.number, favourite(game));
        }
        assert_eq!(results.len(), whole.len());
    }
}

fn any_result() -> impl Strategy<Value = GameResult> {
    prop_oneof![
        Just(GameResult::WhiteWins),
        Just(GameResult::BlackWins),
        Just(GameResult::Draw),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn round_robins_are_fair(players in 2usize..24, rounds in 1u32..4, games in 1u32..4) {
        let plan = Plan { rounds, games, repeat: 2, ..plan(Format::RoundRobin, players) };
        let schedule = Schedule::new(&plan, nothing);
        let mut met = BTreeMap::new();
        let mut balance = vec![0i64; players];
        let mut playing = BTreeSet::new();
        let mut round = 0;
        for game in schedule.games() {
            prop_assert!(game.white != game.black && game.white < players && game.black < players);
            *met.entry((game.white.min(game.black), game.white.max(game.black))).or_insert(0) += 1;
            balance[game.white] += 1;
            balance[game.black] -= 1;
            if game.round != round {
                round = game.round;
                playing.clear();
            }
            // Nobody plays two opponents in one round.
            if game.game == 0 {
                prop_assert!(playing.insert(game.white) && playing.insert(game.black));
            }
        }
        prop_assert_eq!(met.len(), players * (players - 1) / 2);
        prop_assert!(met.values().all(|&n| n == rounds * games));
        let most = balance.iter().map(|b| b.abs()).max().unwrap_or(0);
        prop_assert!(most <= 1, "{:?}", balance);
    }

    #[test]
    fn swiss_rounds_are_whole_new_and_balanced(
        players in 2usize..17,
        rounds in 1u32..7,
        results in proptest::collection::vec(any_result(), 64),
    ) {
        // Up to half of a round robin fresh opponents are always there.
        let rounds = rounds.min((players as u32) / 2).max(1);
        let plan = Plan { rounds, ..plan(Format::Swiss, players) };
        let schedule = play(&plan, |game| results[game.number as usize % results.len()]);
        let mut met = BTreeSet::new();
        let mut colours = vec![Vec::new(); players];
        for game in schedule.games() {
            prop_assert!(met.insert((game.white.min(game.black), game.white.max(game.black))));
            colours[game.white].push(1i64);
            colours[game.black].push(-1);
        }
        prop_assert_eq!(schedule.known(), u64::from(rounds) * (players as u64 / 2));
        let byes: u32 = schedule.places().iter().map(|s| s.byes).sum();
        prop_assert_eq!(byes, if players % 2 == 1 { rounds } else { 0 });
        prop_assert!(schedule.places().iter().all(|s| s.byes <= 1));
        // Small fields can run out of colours; larger ones cannot so soon.
        if players >= 8 && rounds <= 4 {
            for history in &colours {
                prop_assert!(history.iter().sum::<i64>().abs() <= 2, "{:?}", colours);
                prop_assert!(history.windows(3).all(|w| w.iter().sum::<i64>().abs() < 3));
            }
        }
    }

    #[test]
    fn nobody_meets_again_while_it_can_be_avoided(
        players in 2usize..9,
        rounds in 1u32..10,
        results in proptest::collection::vec(any_result(), 40),
    ) {
        let plan = Plan { rounds, ..plan(Format::Swiss, players) };
        let schedule = play(&plan, |game| results[game.number as usize % results.len()]);
        let games: Vec<Pairing> = schedule.games().collect();
        let mut met = BTreeSet::new();
        let mut rests = vec![0; players];
        for round in games.chunks((players / 2).max(1)) {
            let playing: Vec<usize> = round.iter().flat_map(|g| [g.white, g.black]).collect();
            prop_assert_eq!(playing.iter().collect::<BTreeSet<_>>().len(), players / 2 * 2);
            let again = round
                .iter()
                .any(|g| met.contains(&(g.white.min(g.black), g.white.max(g.black))));
            // Whoever rests must be one of those who rested least.
            let fewest = rests.iter().min().copied().unwrap_or(0);
            let avoidable = if players % 2 == 0 {
                can_pair(&playing, &met)
            } else {
                let bye = (0..players).find(|p| !playing.contains(p)).expect("an odd number");
                prop_assert_eq!(rests[bye], fewest);
                let others = |bye| (0..players).filter(|&p| p != bye).collect::<Vec<_>>();
                (0..players).any(|p| rests[p] == fewest && can_pair(&others(p), &met))
            };
            prop_assert_eq!(again, !avoidable);
            met.extend(round.iter().map(|g| (g.white.min(g.black), g.white.max(g.black))));
            for player in (0..players).filter(|p| !playing.contains(p)) {
                rests[player] += 1;
            }
        }
    }

    #[test]
    fn knockouts_end_with_one_winner(
        players in 2usize..20,
        seeds in 0usize..20,
        games in 1u32..4,
        results in proptest::collection::vec(any_result(), 64),
    ) {
        let plan = Plan { games, seeds: seeds.min(players), ..plan(Format::Knockout, players) };
        let schedule = play(&plan, |game| results[game.number as usize % results.len()]);
        let places: BTreeSet<usize> = schedule.places().iter().map(|s| s.player).collect();
        prop_assert_eq!(places.len(), players);
        let last = schedule.games().last().map_or(0, |game| game.round);
        prop_assert_eq!(last, players.next_power_of_two().trailing_zeros());
    }
}
