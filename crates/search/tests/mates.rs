//! Proven wins against a search that looks at everything.

use crate::support::{Dice, check_progress, random_line, search};
use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::{Leiser, LeiserRules};
use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::{Line, Position};
use quadrille_search::{Limits, Playable, Score};

/// Whether the side to move can force a win within `plies`.
fn wins<P: Position>(position: &mut P, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(position.side());
    }
    plies > 0
        && position.moves().into_iter().any(|m| {
            let undo = position.make(m, &mut ());
            let lost = loses(position, plies - 1);
            position.unmake(m, undo);
            lost
        })
}

/// Whether the side to move loses within `plies`, whatever it does.
fn loses<P: Position>(position: &mut P, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(position.side().other());
    }
    plies > 0
        && position.moves().into_iter().all(|m| {
            let undo = position.make(m, &mut ());
            let won = wins(position, plies - 1);
            position.unmake(m, undo);
            won
        })
}

/// What is claimed is true, and not shorter than the truth.
fn check_claim<P: Playable>(line: &Line<P>, score: Score, deepest: u32) {
    let mut position = line.position().clone();
    let text = position.text();
    match score {
        Score::Win(plies) if plies <= deepest => {
            assert!(wins(&mut position, plies), "{text}: {score}");
            assert!(
                plies < 2 || !wins(&mut position, plies - 2),
                "{text}: {score}"
            );
        }
        Score::Loss(plies) if plies <= deepest => {
            assert!(loses(&mut position, plies), "{text}: {score}");
            assert!(
                plies < 2 || !loses(&mut position, plies - 2),
                "{text}: {score}"
            );
        }
        _ => {}
    }
}

/// Few pieces at random: mates are frequent there.
fn small_position(dice: &mut Dice) -> Option<Chess> {
    let mut board = [b'.'; 64];
    for &piece in [b"KkQ", b"KkR", b"KkP"][dice.roll(3)]
        .iter()
        .chain(&b"QRBNqrbnPp"[dice.roll(8)..][..2])
    {
        let square = dice.roll(64);
        board[square] = piece;
    }
    let ranks: Vec<String> = board
        .chunks(8)
        .map(|rank| {
            rank.iter()
                .map(|&c| if c == b'.' { '1' } else { c as char })
                .collect()
        })
        .collect();
    let side = ["w", "b"][dice.roll(2)];
    let fen = format!("{} {side} - - 0 1", ranks.join("/"));
    Chess::from_text(&fen, &ChessRules::default()).ok()
}

#[test]
fn chess_mates_are_true_and_shortest() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    let mut claims = 0;
    let mut searched = 0;
    while searched < 400 {
        let Some(position) = small_position(&mut dice) else {
            continue;
        };
        searched += 1;
        let line = Line::new(position);
        let answer = search(&line, &Limits::to_depth(7));
        check_progress(&line, &answer.last);
        let score = answer.last.lines[0].score;
        claims += usize::from(!matches!(score, Score::Cp(_)));
        check_claim(&line, score, 4);
    }
    assert!(claims > 20, "only {claims} mates among {searched}");
}

#[test]
fn asked_for_a_mate_it_misses_none() {
    let mut dice = Dice(0xfeed_5678_9abc_def1);
    let mut mates = 0;
    let mut searched = 0;
    while searched < 150 {
        let Some(mut position) = small_position(&mut dice) else {
            continue;
        };
        if position.outcome().is_some() {
            continue;
        }
        searched += 1;
        let line = Line::new(position);
        let limits = Limits {
            mate: Some(2),
            ..Limits::to_depth(8)
        };
        let claimed = match search(&line, &limits).last.lines[0].score {
            Score::Win(plies) => plies <= 3,
            _ => false,
        };
        let there = wins(&mut position, 3);
        mates += usize::from(there);
        assert_eq!(claimed, there, "{}", position.text());
    }
    assert!(mates > 5);
}

/// Random games, claims checked as far as looking at everything is possible.
fn check_game<P: Playable>(rules: &P::Rules, games: usize, depth: u32, deepest: u32) -> usize {
    let mut dice = Dice(0x9abc_def1_0000_0007);
    let mut claims = 0;
    for game in 0..games {
        let line = random_line(P::start(rules), 10 + 3 * game, &mut dice);
        let answer = search(&line, &Limits::to_depth(depth));
        check_progress(&line, &answer.last);
        let score = answer.last.lines[0].score;
        claims += usize::from(!matches!(score, Score::Cp(_)));
        check_claim(&line, score, deepest);
    }
    claims
}

#[test]
fn liberty_wins_are_true() {
    check_game::<Liberty>(&Rules::default(), 30, 5, 3);
    let mut dice = Dice(77);
    let mini = Liberty::from_text("Mini chess", &Rules::default()).unwrap();
    let mut claims = 0;
    for _ in 0..40 {
        let line = random_line(mini.clone(), 40, &mut dice);
        let answer = search(&line, &Limits::to_depth(6));
        check_progress(&line, &answer.last);
        let score = answer.last.lines[0].score;
        claims += usize::from(!matches!(score, Score::Cp(_)));
        check_claim(&line, score, 3);
    }
    assert!(claims > 3, "{claims}");
}

#[test]
fn leiser_wins_are_true() {
    assert!(check_game::<Leiser>(&LeiserRules::default(), 30, 4, 2) > 3);
}

#[test]
fn gyges_wins_are_true() {
    assert!(check_game::<Gyges>(&GygesRules::default(), 30, 3, 2) > 3);
}

/// A search for a mate in so many moves ends by itself: with the mate if there is one,
/// else when all has been tried.
fn check_mate_search<P: Playable>(line: &Line<P>, moves: u32) {
    let limits = Limits {
        mate: Some(moves),
        ..Limits::default()
    };
    let found = search(line, &limits).last.lines[0].score;
    let is_there = wins(&mut line.position().clone(), 2 * moves - 1);
    let text = line.position().text();
    match found {
        Score::Win(plies) => assert_eq!(plies < 2 * moves, is_there, "{text}: {found}"),
        _ => assert!(!is_there, "{text}: mate in {moves}, but {found}"),
    }
}

#[test]
fn a_search_for_a_mate_ends_with_it_or_without() {
    let mut dice = Dice(0x1111_5678_9abc_def1);
    let mut tried = 0;
    while tried < 60 {
        let Some(position) = small_position(&mut dice) else {
            continue;
        };
        if position.outcome().is_none() {
            check_mate_search(&Line::new(position), 1 + tried % 2);
            tried += 1;
        }
    }
    for _ in 0..6 {
        let start = Chess::start(&ChessRules::default());
        let line = random_line(start, 30, &mut dice);
        if line.position().outcome().is_none() {
            check_mate_search(&line, 1);
        }
        let start = Liberty::start(&Rules::default());
        let line = random_line(start, 20, &mut dice);
        if line.position().outcome().is_none() {
            check_mate_search(&line, 1);
        }
    }
}
