//! Plays the search against itself with one of its numbers changed.
//!
//! `contest <game>[@<start>] <pairs of games> <nodes per move> <name=value>...`
//!
//! `seed=<number>` gives other openings.
//!
//! Both sides of each pair start from the same random opening; the result is
//! from the point of view of the changed numbers.

use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::{Line, Side};
use quadrille_search::{Control, Limits, Playable, Score, Searcher, tunables};

const OPENING_PLIES: usize = 8;
const LONGEST: usize = 300;
/// A score like this, for so many plies in a row, ends the game.
const RESIGN: (i32, u32) = (1000, 4);

fn random(seed: &mut u64, below: usize) -> usize {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed % below.max(1) as u64) as usize
}

/// An opening that neither side has lost already.
fn opening<P: Playable>(start: &P, seed: &mut u64, judge: &mut Searcher<P>) -> Line<P> {
    loop {
        let mut line = Line::new(start.clone());
        for _ in 0..OPENING_PLIES {
            let moves = line.position().moves();
            if moves.is_empty() {
                break;
            }
            line.push(moves[random(seed, moves.len())]);
        }
        if line.outcome().is_some() {
            continue;
        }
        let answer = judge.go(&line, &Limits::to_nodes(5000), &Control::new(), &mut ());
        if let Score::Cp(value) = answer.last.lines[0].score
            && value.abs() < 150
        {
            return line;
        }
    }
}

fn set(changes: &[(String, i32)], changed: bool) {
    for (name, value) in changes {
        let default = tunables::TUNABLES.iter().find(|t| t.name == *name);
        let default = default.map_or(*value, |t| t.default);
        tunables::set(name, if changed { *value } else { default });
    }
}

/// Half points of the changed side.
fn game<P: Playable>(
    mut line: Line<P>,
    changed_is: Side,
    nodes: u64,
    changes: &[(String, i32)],
    players: &mut [Searcher<P>; 2],
) -> u32 {
    let mut sure = 0;
    for player in players.iter_mut() {
        player.clear();
    }
    loop {
        let result = |winner: Option<Side>| match winner {
            None => 1,
            Some(side) if side == changed_is => 2,
            Some(_) => 0,
        };
        if let Some(outcome) = line.outcome_with_claims() {
            return result(outcome.winner);
        }
        if line.moves().len() > LONGEST {
            return 1;
        }
        let side = line.position().side();
        let changed = side == changed_is;
        set(changes, changed);
        let player = &mut players[usize::from(changed)];
        let answer = player.go(&line, &Limits::to_nodes(nodes), &Control::new(), &mut ());
        let Some(best) = answer.best else {
            return 1;
        };
        let value = answer.last.lines[0].score.value();
        sure = if value.abs() >= RESIGN.0 { sure + 1 } else { 0 };
        if sure >= RESIGN.1 {
            return result(Some(if value > 0 { side } else { side.other() }));
        }
        line.push(best);
    }
}

fn contest<P: Playable>(start: &str, pairs: usize, nodes: u64, changes: &[(String, i32)]) {
    let Ok(start) = P::from_text(start, &P::Rules::default()) else {
        eprintln!("no such start: {start}");
        return;
    };
    let mut seed = 0x2545_f491_4f6c_dd1d;
    if let Some((_, number)) = changes.iter().find(|(name, _)| name == "seed") {
        seed ^= (*number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let mut players: [Searcher<P>; 2] = [Searcher::new(), Searcher::new()];
    for player in &mut players {
        player.set_hash(4);
    }
    let mut count = [0u32; 3];
    for _ in 0..pairs {
        set(changes, false);
        players[0].clear();
        let line = opening(&start, &mut seed, &mut players[0]);
        for side in Side::BOTH {
            let half_points = game(line.clone(), side, nodes, changes, &mut players);
            count[half_points as usize] += 1;
        }
        report(count);
    }
}

fn report([lost, drawn, won]: [u32; 3]) {
    let games = f64::from(lost + drawn + won);
    let mean = (f64::from(won) + f64::from(drawn) / 2.0) / games;
    let spread = (f64::from(won) * (1.0 - mean).powi(2)
        + f64::from(drawn) * (0.5 - mean).powi(2)
        + f64::from(lost) * mean.powi(2))
        / games;
    let elo = |x: f64| -400.0 * (1.0 / x.clamp(0.001, 0.999) - 1.0).log10();
    let error = 1.96 * (spread / games).sqrt();
    println!(
        "+{won} ={drawn} -{lost}: {:+.0} Elo [{:+.0}, {:+.0}]",
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|a| a.parse().ok());
    let (Some(game), Some(pairs), Some(nodes)) = (arguments.first(), number(1), number(2)) else {
        eprintln!("contest <game> <pairs> <nodes> <name=value>...");
        return;
    };
    let changes: Vec<(String, i32)> = arguments[3..]
        .iter()
        .filter_map(|a| a.split_once('='))
        .filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
        .collect();
    let (game, start) = game.split_once('@').unwrap_or((game, "startpos"));
    match game {
        "liberty" => contest::<Liberty>(start, pairs as usize, nodes, &changes),
        "leiser" => contest::<Leiser>(start, pairs as usize, nodes, &changes),
        "gyges" => contest::<Gyges>(start, pairs as usize, nodes, &changes),
        _ => contest::<Chess>(start, pairs as usize, nodes, &changes),
    }
}
