//! The search as a whole: what it finds, what it promises, what it obeys.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::support::{Dice, Keep, check_progress, chess, random_line, search};
use quadrille_games::chess::{Chess, ChessRules, Move, PieceKind};
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::{Leiser, LeiserRules};
use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::{Line, Position, Side};
use quadrille_search::{
    Answer, Clock, Control, EndgameTables, KnownValues, Limits, Playable, Score, Searcher,
    TableMove, TableResult, Time, bench,
};

#[test]
fn finds_short_mates() {
    for (fen, plies) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        (
            "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
            3,
        ),
    ] {
        let line = chess(fen);
        let answer = search(&line, &Limits::to_depth(7));
        assert_eq!(answer.last.lines[0].score, Score::Win(plies), "{fen}");
        check_progress(&line, &answer.last);
    }
}

#[test]
fn asked_for_a_mate_it_looks_at_everything() {
    // Morphy's problem: the key gives up the rook.
    let line = chess("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let limits = Limits {
        mate: Some(2),
        ..Limits::default()
    };
    let answer = search(&line, &limits);
    assert_eq!(answer.last.lines[0].score, Score::Win(3));
    assert_eq!(line.position().move_text(answer.best.unwrap()), "a1a6");
    // The other side sees it coming and stops as well.
    let lost = chess("kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1");
    let answer = search(&lost, &limits);
    assert_eq!(answer.last.lines[0].score, Score::Loss(2));
}

#[test]
fn a_finished_game_has_no_move() {
    for (fen, score) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", Score::Loss(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::Cp(0)),
    ] {
        let answer = search(&chess(fen), &Limits::to_depth(3));
        assert_eq!((answer.best, answer.last.lines[0].score), (None, score));
    }
}

#[test]
fn a_game_that_is_only_drawn_still_has_a_move() {
    for fen in [
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/8/R7 w - - 100 90",
        "8/8/4k3/8/8/3K4/8/R7 w - - 150 90",
    ] {
        let answer = search(&chess(fen), &Limits::to_depth(4));
        assert!(answer.best.is_some(), "{fen}");
        assert_eq!(answer.last.lines[0].score, Score::Cp(0), "{fen}");
    }
}

#[test]
fn sees_a_draw_by_repetition() {
    let mut line = chess("6k1/8/8/8/8/8/1R6/K7 w - - 0 1");
    for text in ["b2b3", "g8h8", "b3b2", "h8g8", "b2b3", "g8h8", "b3b2"] {
        line.play(text).unwrap();
    }
    // Lost, but the position after h8g8 has been there twice.
    let answer = search(&line, &Limits::to_depth(8));
    assert_eq!(line.position().move_text(answer.best.unwrap()), "h8g8");
    assert_eq!(answer.last.lines[0].score, Score::Cp(0));
}

#[test]
fn shuns_a_third_repetition_when_winning() {
    let mut line = chess("6k1/8/8/8/8/8/1R6/K7 w - - 0 1");
    for text in [
        "b2b3", "g8h8", "b3b2", "h8g8", "b2b3", "g8h8", "b3b2", "h8g8",
    ] {
        line.play(text).unwrap();
    }
    let answer = search(&line, &Limits::to_depth(8));
    // The rook has been on both squares twice: once more is a draw.
    assert_ne!(line.position().move_text(answer.best.unwrap()), "b2b3");
}

#[test]
fn takes_the_fifty_move_rule_into_account() {
    let fresh = search(&chess("7k/8/8/8/8/8/8/KQ6 w - - 0 1"), &Limits::to_depth(8));
    assert!(matches!(
        fresh.last.lines[0].score,
        Score::Win(_) | Score::Cp(300..)
    ));
    let late = search(
        &chess("7k/8/8/8/8/8/8/KQ6 w - - 98 90"),
        &Limits::to_depth(8),
    );
    assert_eq!(late.last.lines[0].score, Score::Cp(0));
}

#[test]
fn the_same_search_is_the_same_twice() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut searcher = Searcher::new();
    let mut run = || {
        searcher.clear();
        searcher.go(&line, &Limits::to_depth(8), &Control::new(), &mut ())
    };
    let (first, second) = (run(), run());
    assert_eq!(first.last.nodes, second.last.nodes);
    assert_eq!(first.last.lines, second.last.lines);
}

#[test]
fn nodes_are_exact_at_one_thread() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for nodes in [1, 2, 10, 1000, 12_345] {
        let answer = search(&line, &Limits::to_nodes(nodes));
        assert_eq!(answer.last.nodes, nodes);
        assert!(line.position().is_legal(answer.best.unwrap()));
    }
    let answer = search(&line, &Limits::to_nodes(0));
    assert!(answer.best.is_some() && answer.last.nodes <= 1);
}

#[test]
fn depth_is_exact() {
    for depth in 1..8 {
        let mut keep = Keep(Vec::new());
        let line = Line::new(Chess::default());
        Searcher::new().go(&line, &Limits::to_depth(depth), &Control::new(), &mut keep);
        let depths: Vec<_> = keep.0.iter().map(|p| p.lines[0].depth).collect();
        assert_eq!(depths, (1..=depth).collect::<Vec<_>>());
    }
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let line = Line::new(Chess::default());
    let limits = Limits {
        depth: Some(3),
        nodes: Some(1_000_000),
        time: Time::PerMove(Duration::from_mins(10)),
        ..Limits::default()
    };
    assert_eq!(search(&line, &limits).last.lines[0].depth, 3);
    let limits = Limits {
        depth: Some(60),
        nodes: Some(500),
        ..limits
    };
    assert_eq!(search(&line, &limits).last.nodes, 500);
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let line = Line::new(Chess::default());
    let moves = ["a2a3", "h2h4"].map(|text| line.position().parse_move(text).unwrap());
    for lines in [1, 5] {
        let limits = Limits {
            only: moves.to_vec(),
            lines,
            ..Limits::to_depth(5)
        };
        let answer = search(&line, &limits);
        assert!(moves.contains(&answer.best.unwrap()));
        assert_eq!(answer.last.lines.len(), lines.min(2));
    }
    // None of these can be played: then all moves count.
    let limits = Limits {
        only: vec![Move::NULL],
        ..Limits::to_depth(3)
    };
    assert!(search(&line, &limits).best.is_some());
}

#[test]
fn several_lines_are_different_and_in_order() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let limits = Limits {
        lines: 4,
        ..Limits::to_depth(6)
    };
    let mut keep = Keep(Vec::new());
    let answer = Searcher::new().go(&line, &limits, &Control::new(), &mut keep);
    keep.0.push(answer.last.clone());
    for progress in &keep.0 {
        assert_eq!(progress.lines.len(), 4);
        check_progress(&line, progress);
        for pair in progress.lines.windows(2) {
            assert!(pair[0].score.value() >= pair[1].score.value());
            assert!(pair[0].moves[0] != pair[1].moves[0] && pair[0].rank + 1 == pair[1].rank);
        }
    }
    assert_eq!(answer.best, Some(answer.last.lines[0].moves[0]));
    // More lines than moves.
    let limits = Limits {
        lines: 500,
        ..Limits::to_depth(2)
    };
    assert_eq!(
        search(&Line::new(Chess::default()), &limits)
            .last
            .lines
            .len(),
        20
    );
}

/// A search on a thread of its own, as a session runs it.
fn search_aside(
    line: Line<Chess>,
    limits: Limits<Move>,
    control: &Control,
) -> thread::JoinHandle<Answer<Move>> {
    let control = control.clone();
    thread::spawn(move || Searcher::new().go(&line, &limits, &control, &mut ()))
}

#[test]
fn stop_ends_every_kind_of_search() {
    for (infinite, ponder) in [(false, false), (true, false), (false, true)] {
        let control = Control::new();
        if ponder {
            control.begin_pondering();
        }
        let limits = Limits {
            infinite,
            ponder,
            ..Limits::default()
        };
        let searching = search_aside(Line::new(Chess::default()), limits, &control);
        thread::sleep(Duration::from_millis(30));
        assert!(!searching.is_finished());
        control.stop();
        assert!(searching.join().unwrap().best.is_some());
    }
}

#[test]
fn infinite_and_ponder_wait_even_when_there_is_nothing_to_do() {
    // Mate in one, a depth limit, and a finished game: no answer before stop.
    for fen in [
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    ] {
        for infinite in [true, false] {
            let control = Control::new();
            control.begin_pondering();
            let limits = Limits {
                infinite,
                ponder: !infinite,
                depth: Some(1),
                time: Time::Clock(Clock::default()),
                ..Limits::default()
            };
            let searching = search_aside(chess(fen), limits, &control);
            thread::sleep(Duration::from_millis(50));
            assert!(!searching.is_finished(), "{fen} {infinite}");
            if infinite {
                control.stop();
            } else {
                control.ponder_hit();
            }
            searching.join().unwrap();
        }
    }
}

#[test]
fn a_ponder_hit_puts_the_limits_into_force() {
    let control = Control::new();
    control.begin_pondering();
    let limits = Limits {
        ponder: true,
        time: Time::PerMove(Duration::from_millis(20)),
        ..Limits::default()
    };
    let searching = search_aside(Line::new(Chess::default()), limits, &control);
    thread::sleep(Duration::from_millis(60));
    assert!(!searching.is_finished());
    control.ponder_hit();
    assert!(searching.join().unwrap().best.is_some());
}

#[test]
fn an_empty_clock_still_brings_a_legal_move() {
    fn check<P: Playable>(start: P) {
        let line = Line::new(start);
        for moves_to_go in [None, Some(1), Some(0)] {
            let limits = Limits {
                time: Time::Clock(Clock {
                    moves_to_go,
                    ..Clock::default()
                }),
                ..Limits::default()
            };
            let best = search(&line, &limits).best.unwrap();
            assert!(line.position().is_legal(best));
        }
    }
    check(Chess::default());
    check(Liberty::start(&Rules::default()));
    check(Leiser::start(&LeiserRules::default()));
    check(Gyges::start(&GygesRules::default()));
}

#[test]
fn a_huge_board_does_not_outrun_the_clock() {
    // 128 by 128 without kings and with hundreds of queens: one node has tens of thousands of moves.
    let mut text = "128/".repeat(7);
    for _ in 0..30 {
        text += &("Q7q7".repeat(8) + "/128/128/");
    }
    text += &"128/".repeat(30);
    text += "128 w - - 0 1";
    let position = Liberty::from_text(&text, &Rules::default()).unwrap();
    assert!(position.count_moves() > 5_000);
    let line = Line::new(position);
    let limits = Limits::for_time(Duration::from_millis(100));
    let best = search(&line, &limits).best.unwrap();
    assert!(line.position().is_legal(best));
}

#[test]
fn lines_are_legal_to_their_end() {
    fn check<P: Playable>(rules: &P::Rules, games: usize, depth: u32) {
        let mut dice = Dice(0x5eed_1234_5678_9abc);
        let mut searcher = Searcher::new();
        for game in 0..games {
            let line = random_line(P::start(rules), 6 + 5 * game, &mut dice);
            let limits = Limits {
                lines: 1 + game % 3,
                ..Limits::to_depth(depth)
            };
            let mut keep = Keep(Vec::new());
            let answer = searcher.go(&line, &limits, &Control::new(), &mut keep);
            for progress in &keep.0 {
                check_progress(&line, progress);
            }
            check_progress(&line, &answer.last);
            let Some(best) = answer.best else {
                assert!(line.position().moves().is_empty());
                continue;
            };
            let mut position = line.position().clone();
            assert!(position.is_legal(best));
            position.make(best, &mut ());
            assert!(answer.ponder.is_none_or(|m| position.is_legal(m)));
        }
    }
    check::<Chess>(&ChessRules::default(), 24, 7);
    check::<Liberty>(&Rules::default(), 12, 6);
    check::<Leiser>(&LeiserRules::default(), 12, 5);
    check::<Gyges>(&GygesRules::default(), 8, 4);
}

#[test]
fn two_threads_agree_with_the_rules_too() {
    let line = chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut searcher = Searcher::new();
    searcher.set_threads(2);
    let mut keep = Keep(Vec::new());
    let answer = searcher.go(&line, &Limits::to_depth(9), &Control::new(), &mut keep);
    keep.0.push(answer.last.clone());
    for progress in &keep.0 {
        check_progress(&line, progress);
    }
    assert_eq!(answer.best, Some(answer.last.lines[0].moves[0]));
    let answer = searcher.go(&line, &Limits::to_nodes(20_000), &Control::new(), &mut ());
    // What the other thread has taken and not used is missing.
    assert!(
        (18_900..20_100).contains(&answer.last.nodes),
        "{}",
        answer.last.nodes
    );
}

#[test]
fn many_threads_keep_to_the_limits_of_one() {
    let line = Line::new(Chess::default());
    let mut searcher = Searcher::new();
    searcher.set_threads(100);
    let answer = searcher.go(&line, &Limits::to_nodes(100_000), &Control::new(), &mut ());
    let nodes = answer.last.nodes;
    assert!((80_000..101_000).contains(&nodes), "{nodes}");
    let mut keep = Keep(Vec::new());
    let answer = searcher.go(&line, &Limits::to_depth(3), &Control::new(), &mut keep);
    keep.0.push(answer.last);
    for progress in &keep.0 {
        assert!(progress.lines[0].depth <= 3, "{progress:?}");
    }
}

/// While the search ponders nothing is counted; then everything is.
#[test]
fn threads_that_pondered_keep_to_the_limit() {
    let line = Line::new(Chess::default());
    let mut searcher = Searcher::new();
    searcher.set_threads(4);
    let limits = Limits {
        ponder: true,
        ..Limits::to_nodes(2_000_000)
    };
    let control = Control::new();
    control.begin_pondering();
    let answer = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            control.ponder_hit();
        });
        searcher.go(&line, &limits, &control, &mut ())
    });
    let nodes = answer.last.nodes;
    assert!((1_990_000..2_010_000).contains(&nodes), "{nodes}");
}

#[test]
fn known_values_replace_the_evaluation() {
    let line = Line::new(Chess::default());
    let mut after = line.clone();
    after.play("a2a3").unwrap();
    let mut searcher = Searcher::new();
    let mut known = KnownValues::default();
    known.insert(after.position(), 500);
    searcher.set_known_values(known);
    assert_eq!(searcher.evaluate(after.position()), -500);
    let answer = searcher.go(&line, &Limits::to_depth(1), &Control::new(), &mut ());
    assert_eq!(line.position().move_text(answer.best.unwrap()), "a2a3");
    assert_eq!(answer.last.lines[0].score, Score::Cp(500));
}

/// Tables that know one thing: White has won every ending without pawns. At the
/// root they may insist on a move of their own.
struct Biased {
    at_root: Option<&'static str>,
}

impl EndgameTables<Chess> for Biased {
    fn probe(&self, position: &Chess) -> Option<TableResult> {
        let mut pawns = 0;
        position.pieces(|piece, _| {
            pawns += usize::from(piece.kind == PieceKind::Pawn);
        });
        (pawns == 0).then(|| match position.side() {
            Side::White => TableResult::Win,
            Side::Black => TableResult::Loss,
        })
    }

    fn root_moves(&self, line: &Line<Chess>) -> Vec<TableMove<Move>> {
        let Some(best) = self.at_root else {
            return Vec::new();
        };
        let best = line.position().parse_move(best).unwrap();
        let told = |m| TableMove {
            m,
            result: if m == best {
                TableResult::Win
            } else {
                TableResult::Draw
            },
            rank: i32::from(m == best),
        };
        line.position().moves().into_iter().map(told).collect()
    }
}

#[test]
fn endgame_tables_are_asked() {
    let line = chess("7k/8/8/8/8/8/7p/K6R w - - 0 1");
    let mut searcher = Searcher::new();
    searcher.set_endgame_tables(Some(Arc::new(Biased { at_root: None })));
    let answer = searcher.go(&line, &Limits::to_depth(4), &Control::new(), &mut ());
    assert_eq!(line.position().move_text(answer.best.unwrap()), "h1h2");
    assert!(matches!(answer.last.lines[0].score, Score::Cp(29_000..)));
    assert!(answer.last.tablebase_hits > 0);
}

/// Whatever the search thinks, a better rank comes first, in every number of
/// lines and threads, and the score is the tables'.
#[test]
fn endgame_tables_rank_the_moves_at_the_root() {
    let line = chess("7k/8/8/8/8/8/7p/K6R w - - 0 1");
    let all = line.position().moves().len();
    let mut searcher = Searcher::new();
    let at_root = Some("a1a2");
    searcher.set_endgame_tables(Some(Arc::new(Biased { at_root })));
    for (lines, threads) in [(1, 1), (1, 3), (3, 1), (3, 2), (100, 1)] {
        searcher.set_threads(threads);
        let limits = Limits {
            lines,
            ..Limits::to_depth(4)
        };
        let answer = searcher.go(&line, &limits, &Control::new(), &mut ());
        assert_eq!(line.position().move_text(answer.best.unwrap()), "a1a2");
        assert!(answer.last.tablebase_hits >= all as u64);
        let told = &answer.last.lines;
        assert_eq!(told.len(), lines.min(all));
        assert!(matches!(told[0].score, Score::Cp(29_000..)));
        assert!(told[1..].iter().all(|line| line.score == Score::Cp(0)));
    }
    // Moves that were not asked for do not count.
    let only = vec![line.position().parse_move("h1h2").unwrap()];
    let limits = Limits {
        only,
        ..Limits::to_depth(4)
    };
    let answer = searcher.go(&line, &limits, &Control::new(), &mut ());
    assert_eq!(line.position().move_text(answer.best.unwrap()), "h1h2");
    assert_eq!(answer.last.lines[0].score, Score::Cp(0));
}

#[test]
fn the_benchmark_counts_the_same_nodes_every_time() {
    fn check<P: Playable>(rules: &P::Rules, depth: u32) {
        let nodes = || bench::<P>(rules, depth, 1, 1).nodes;
        assert_eq!(nodes(), nodes());
    }
    check::<Chess>(&ChessRules::default(), 5);
    check::<Liberty>(&Rules::default(), 2);
    check::<Leiser>(&LeiserRules::default(), 3);
    check::<Gyges>(&GygesRules::default(), 2);
}

#[test]
fn a_soft_limit_of_nodes_ends_after_a_whole_iteration() {
    let line = chess("startpos");
    let mut searcher = Searcher::new();
    let limits = Limits {
        soft_nodes: Some(2_000),
        ..Limits::default()
    };
    let soft = searcher.go(&line, &limits, &Control::new(), &mut ());
    assert!(soft.last.nodes >= 2_000);
    let depth = soft.last.lines[0].depth;
    let mut searcher = Searcher::new();
    let whole = searcher.go(&line, &Limits::to_depth(depth), &Control::new(), &mut ());
    assert_eq!(whole.last.nodes, soft.last.nodes);
    assert_eq!(whole.best, soft.best);
}
