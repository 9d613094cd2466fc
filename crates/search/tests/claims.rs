//! Proven wins and losses are really proven.
//!
//! Chess: positions with a known distance to mate. A claim must not be shorter
//! than the known shortest mate, and its line must end in mate after exactly
//! as many plies. All games: along random games, every claim of a short win or
//! loss is compared with a plain full-width search that shares nothing with
//! ours but the rules.

use crate::support::{Dice, check_progress, search};
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::{Line, Position, Side};
use quadrille_search::{Bound, Control, Limits, Playable, Score, Searcher};

/// `<four FEN fields> dm <moves>;`: found by playing random games, the distance
/// is Stockfish's at depth 24, or a shorter one that a full-width search confirmed.
const MATES: &str = include_str!("data/mates.epd");

/// Checks what the search says, and returns the plies to the end that it claims,
/// positive for a win of the side to move. A search that was cut off may only
/// know a bound, which shows no line but must be true as well.
fn claim<P: Playable>(line: &Line<P>, nodes: u64) -> Option<i32> {
    let answer = search(line, &Limits::to_nodes(nodes));
    check_progress(line, &answer.last);
    match answer.last.lines[0].score {
        Score::Cp(_) => None,
        Score::Win(plies) => Some(plies as i32),
        Score::Loss(plies) => Some(-(plies as i32)),
    }
}

/// Searches every problem; returns how many were solved and how many there are.
fn solve(problems: &str, nodes: u64) -> (usize, usize) {
    let (mut solved, mut all) = (0, 0);
    for problem in problems.lines() {
        let (fen, known) = problem.split_once(" dm ").expect("a distance to mate");
        let known: i32 = known.trim_end_matches(';').parse().expect("a number");
        let position = Chess::from_text(fen, &<_>::default()).expect("a position");
        let line = Line::new(position);
        let claim = claim(&line, nodes);
        all += 1;
        if let Some(plies) = claim {
            assert!(
                plies.abs() >= 2 * known - 1,
                "{problem}: mate in {plies} plies claimed"
            );
            solved += 1;
        }
    }
    (solved, all)
}

#[test]
fn mates_from_games_are_found_and_true() {
    let (solved, all) = solve(MATES, 30_000);
    assert!(all >= 200, "{all} problems");
    assert!(solved * 5 >= all * 4, "only {solved} of {all} solved");
}

/// Full-width search: the fewest plies in which the side to move can force a
/// win (positive) or must lose (negative or zero), if either happens within
/// `depth` plies.
fn minimax<P: Position>(position: &P, depth: u32) -> Option<i32> {
    if let Some(outcome) = position.outcome() {
        return match outcome.winner {
            Some(side) if side == position.side() => Some(1_000),
            Some(_) => Some(0),
            None => None,
        };
    }
    if depth == 0 {
        return None;
    }
    let mut win: Option<i32> = None;
    let mut loss: Option<i32> = Some(0);
    for m in position.moves() {
        let mut next = position.clone();
        next.make(m, &mut ());
        match minimax(&next, depth - 1) {
            // The opponent loses after so many plies, or already has.
            Some(n) if n <= 0 => win = Some(win.map_or(1 - n, |w| w.min(1 - n))),
            // We lost by our own move (a laser on the own King, a self-mate).
            Some(1_000) => loss = loss.map(|l| l.min(-1)),
            Some(n) => loss = loss.map(|l| l.min(-1 - n)),
            None => loss = None,
        }
    }
    win.or(loss)
}

/// Random games; at every third ply our search against
/// [`minimax`].
fn no_false_claims<P: Playable>(start: &P, seed: u64, games: u32, depth: u32, nodes: u64) {
    let mut dice = Dice(seed);
    let mut decided = 0;
    for _ in 0..games {
        let mut line = Line::new(start.clone());
        for ply in 0..200 {
            let moves = line.position().moves();
            if moves.is_empty() || line.outcome_with_claims().is_some() {
                break;
            }
            if ply % 3 == 0 && line.occurrences() == 1 {
                let truth = minimax(line.position(), depth);
                let claim = claim(&line, nodes);
                let place = line.position().text();
                if let Some(plies) = claim.filter(|plies| plies.unsigned_abs() <= depth) {
                    assert_eq!(truth.map(i32::signum), Some(plies.signum()), "{place}");
                    assert!(
                        truth.unwrap_or(0).abs() <= plies.abs(),
                        "{place}: shorter than possible"
                    );
                    decided += 1;
                }
                // What is decided within two plies must not be missed.
                if truth.is_some_and(|plies| plies > 0 && plies <= 1) {
                    assert!(
                        claim.is_some_and(|plies| plies > 0),
                        "{place}: a win was missed"
                    );
                }
            }
            line.push(moves[dice.roll(moves.len())]);
        }
    }
    assert!(decided > 0, "the games never came near their end");
}

#[test]
fn chess_claims_agree_with_full_width_search() {
    let start = Chess::from_text("4k3/3ppp2/8/8/8/8/3QPP2/R3K3 w Q - 0 1", &<_>::default());
    no_false_claims(&start.expect("a position"), 0x5eed_0001, 12, 3, 3_000);
}

#[test]
fn liberty_claims_agree_with_full_width_search() {
    let (_, text) = Liberty::presets(&<_>::default())
        .into_iter()
        .find(|p| p.0.contains("ini"))
        .expect("a small board");
    let start = Liberty::from_text(&text, &<_>::default()).expect("a preset");
    no_false_claims(&start, 0x5eed_0002, 12, 3, 3_000);
}

#[test]
fn leiser_claims_agree_with_full_width_search() {
    let start = Leiser::from_text("endgame", &<_>::default()).expect("a preset");
    no_false_claims(&start, 0x5eed_0003, 6, 2, 3_000);
}

#[test]
fn gyges_claims_agree_with_full_width_search() {
    let start = Gyges::start(&<_>::default());
    no_false_claims(&start, 0x5eed_0004, 6, 2, 1_000);
}

#[test]
fn full_width_search_counts_plies() {
    let mate =
        Chess::from_text("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", &<_>::default()).expect("a position");
    assert_eq!(minimax(&mate, 3), Some(1));
    let lost =
        Chess::from_text("7k/8/6K1/8/8/8/8/R7 b - - 0 1", &<_>::default()).expect("a position");
    assert_eq!(minimax(&lost, 3), Some(-2));
    assert_eq!(lost.side(), Side::Black);
}

/// The mated side of problems whose shortest mate is known, cut short at many
/// places: the first moves of an unfinished iteration may all lose, which says
/// nothing about the rest.
#[test]
fn a_search_cut_short_claims_no_loss_that_is_too_near() {
    let mut asked = 0;
    for problem in MATES.lines() {
        let (fen, known) = problem.split_once(" dm ").expect("a distance to mate");
        let known: i32 = known.trim_end_matches(';').parse().expect("a number");
        if known < 3 {
            continue;
        }
        let position = Chess::from_text(fen, &<_>::default()).expect("a position");
        let mut line = Line::new(position);
        let answer = search(&line, &Limits::to_nodes(10_000));
        let shortest = Score::Win(2 * known as u32 - 1);
        let (Some(best), true) = (answer.best, answer.last.lines[0].score == shortest) else {
            continue;
        };
        line.push(best);
        for nodes in (100..2_000).step_by(97) {
            if let Some(plies) = claim(&line, nodes) {
                assert!(
                    -plies >= 2 * known - 2,
                    "{}: {plies} plies claimed after {nodes} nodes",
                    line.position().text()
                );
            }
            asked += 1;
        }
    }
    assert!(asked > 500, "{asked}");
}

/// After two plies of the line that shows a mate, a short search still knows it.
#[test]
fn a_mate_that_was_found_is_not_lost_again() {
    let (mut asked, mut kept) = (0, 0);
    for problem in MATES.lines() {
        let (fen, _) = problem.split_once(" dm ").expect("a distance to mate");
        let position = Chess::from_text(fen, &<_>::default()).expect("a position");
        let mut line = Line::new(position);
        let mut searcher = Searcher::new();
        let mut go = |line: &Line<Chess>, nodes| {
            let answer = searcher.go(line, &Limits::to_nodes(nodes), &Control::new(), &mut ());
            check_progress(line, &answer.last);
            answer.last.lines[0].clone()
        };
        let found = go(&line, 10_000);
        let Score::Win(plies @ 5..) = found.score else {
            continue;
        };
        if found.bound != Bound::Exact {
            continue;
        }
        line.push(found.moves[0]);
        line.push(found.moves[1]);
        asked += 1;
        kept += usize::from(matches!(go(&line, 300).score, Score::Win(left) if left + 2 <= plies));
    }
    assert!(asked >= 50 && kept * 20 >= asked * 19, "{kept} of {asked}");
}
