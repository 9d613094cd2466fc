//! Threads and tables change the time of a count, never the count.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::{Generated, Leiser, Unrefused, perft_generated, perft_legal};
use quadrille_games::liberty::{Liberty, Reference, Rules};
use quadrille_games::perft::{Counting, Legal, Options, PerftCounts, PerftError, divide, perft};
use quadrille_games::{MoveKind, Position};

/// Every combination of threads and tables; a small table makes entries
/// replace each other.
fn every_way<P: Position, C: Counting<P>>(
    position: &P,
    counting: C,
    depth: u32,
) -> PerftCounts<P::Move> {
    let plain = divide(position, counting, &Options::new(depth)).unwrap();
    for threads in [1, 3] {
        for hash_mb in [0, 1, 8] {
            if C::REMEMBERS && hash_mb > 0 {
                continue;
            }
            let options = Options {
                threads,
                hash_mb,
                ..Options::new(depth)
            };
            let found = divide(position, counting, &options).unwrap();
            let name = format!(
                "{} depth {depth}, {threads} threads, {hash_mb} MB",
                position.text()
            );
            assert_eq!(found, plain, "{name}");
        }
    }
    assert_eq!(plain.moves.iter().map(|m| m.1).sum::<u64>(), plain.total);
    plain
}

fn legal<P: Position>(text: &str, rules: &str, depth: u32) -> PerftCounts<P::Move> {
    let rules = P::rules_from_text(rules).unwrap();
    let mut position = P::from_text(text, &rules).unwrap();
    let tally = every_way(&position, Legal, depth);
    assert_eq!(tally.total, perft(&mut position, depth), "{text}");
    tally
}

#[test]
fn chess_counts_the_same_in_every_way() {
    assert_eq!(legal::<Chess>("startpos", "", 4).total, 197_281);
    assert_eq!(legal::<Chess>("kiwipete", "", 4).total, 4_085_603);
    // Few pieces: most positions are reached many times.
    assert_eq!(legal::<Chess>("endgame", "", 6).total, 11_030_083);
    // Castling rights and en passant squares in and out of the key.
    let fen = "r3k2r/8/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1";
    legal::<Chess>(fen, "", 4);
    // The clock ends games but no lines of a perft.
    legal::<Chess>("7k/8/8/8/8/8/R7/K7 w - - 147 100", "", 5);
}

#[test]
fn gyges_counts_the_same_in_every_way() {
    for rules in ["must-change", "may-stay"] {
        legal::<Gyges>("start", rules, 2);
        // Goals within reach end lines early.
        legal::<Gyges>("bench", rules, 2);
    }
    legal::<Gyges>("draw", "must-change", 3);
}

#[test]
fn liberty_counts_the_same_in_every_way() {
    for (text, depth) in [
        ("Standard", 4),
        ("Mini chess", 5),
        ("Capablanca 10x10", 3),
        // Long Pawn moves, and promotions the list names twice.
        ("4k3/1p4p1/8/3P4/8/8/PP4p1/4K3 w - - 0 1 3,5 qqn", 4),
    ] {
        legal::<Liberty>(text, "", depth);
        let mut position = Liberty::from_text(text, &Rules::default()).unwrap();
        let reference = every_way(&position, Reference, depth);
        assert_eq!(reference.total, position.reference_perft(depth), "{text}");
    }
}

/// The same board with another clock has another tree near the fifty-move
/// rule. Rook moves reach one board after two, four and six plies, and Pawn
/// moves reset the clock in between.
#[test]
fn the_fifty_move_rule_is_part_of_the_liberty_key() {
    for clock in [93, 95, 96, 97, 99] {
        let text = format!("r3k3/p7/8/8/8/8/P7/R3K3 w - - {clock} 80");
        let tally = legal::<Liberty>(&text, "", 4);
        let free = legal::<Liberty>("r3k3/p7/8/8/8/8/P7/R3K3 w - - 0 80", "", 4);
        // The rule bites once the last ply but one can reach a hundred.
        assert_eq!(tally.total < free.total, clock + 4 > 100, "clock {clock}");
    }
}

/// Reaching one board on two ways in one tree, with the clock at different
/// numbers, is what a wrong key would get wrong.
#[test]
fn deep_lines_with_different_clocks_do_not_mix() {
    let text = "k7/p7/8/8/8/8/P7/K7 w - - 94 80";
    assert!(legal::<Liberty>(text, "", 8).total > 0);
    let quiet = "2016 quiet=5";
    legal::<Leiser>("startpos", quiet, 3);
    legal::<Leiser>("ss7/8/8/3nw4/4SE3/8/8/7NN W", "2016 quiet=4", 5);
}

#[test]
fn the_reference_count_sees_repetitions_on_every_thread() {
    let text = "k1/2/2/1K w - - 0 1 - q";
    let with_rooks = "kr1/3/3/1RK w - - 0 1";
    for (text, depth) in [(text, 6), (with_rooks, 6)] {
        let mut position = Liberty::from_text(text, &Rules::default()).unwrap();
        let tally = every_way(&position, Reference, depth);
        assert_eq!(tally.total, position.reference_perft(depth));
    }
    // The start comes back after four and eight plies, and two more follow: the
    // Kings walk behind their blocked Pawns.
    let text = "k2/p2/P2/2K w - - 0 1";
    let mut position = Liberty::from_text(text, &Rules::default()).unwrap();
    let tally = every_way(&position, Reference, 10);
    assert_eq!(tally.total, position.reference_perft(10));
    assert_eq!((tally.total, perft(&mut position, 10)), (610, 629));
}

#[test]
fn leiserchess_counts_the_same_in_every_way() {
    for (text, rules, depth) in [
        ("startpos", "2016", 3),
        ("startpos", "2012", 2),
        ("startpos", "2014", 3),
        ("startpos", "2018", 3),
        ("endgame", "2016", 5),
        // Enemies side by side: swaps to and fro, so that one board is reached
        // with and without a move that Ko (2) refuses.
        ("ss7/8/8/3nwSE3/8/8/8/7NN W", "2013", 4),
        ("ss7/8/8/3nwSE3/8/8/8/7NN W", "2016", 4),
        ("ss7/8/8/3nwSE3/8/8/8/7NN W", "2018", 4),
        ("ss7/8/8/3nwSE3/8/8/8/7NN W", "2016 noko", 4),
    ] {
        let exact = legal::<Leiser>(text, rules, depth);
        let rules = Leiser::rules_from_text(rules).unwrap();
        let position = Leiser::from_text(text, &rules).unwrap();
        let generated = every_way(&position, Generated, depth);
        assert_eq!(generated.total, perft_generated(&position, depth), "{text}");
        let unrefused = every_way(&position, Unrefused, depth);
        assert_eq!(unrefused.total, perft_legal(&position, depth), "{text}");
        assert!(exact.total <= unrefused.total && unrefused.total <= generated.total);
    }
}

/// Without the refused move in the key the table would be wrong here: one and
/// the same board allows different replies after a swap and after another move.
#[test]
fn ko_makes_two_positions_of_one_board() {
    let rules = Leiser::rules_from_text("2016").unwrap();
    let start = Leiser::from_text("ss7/8/8/3nwSE3/8/8/8/7NN W", &rules).unwrap();
    let mut level = vec![start];
    for _ in 0..3 {
        let children = level.iter().flat_map(|position| {
            position.moves().into_iter().map(|m| {
                let mut child = *position;
                child.make(m, &mut ());
                child
            })
        });
        level = children.collect();
    }
    let mut seen: Vec<_> = level
        .iter()
        .map(|p| (p.hash(), p.count_moves(), p.tree_key(1)))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    let met: Vec<_> = seen
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
        .collect();
    assert!(!met.is_empty(), "the tree has boards with two move counts");
    assert!(met.iter().all(|pair| pair[0].2 != pair[1].2));
}

#[test]
fn small_depths_and_finished_games() {
    let start = Chess::default();
    let none = divide(&start, Legal, &Options::new(0)).unwrap();
    assert_eq!((none.total, none.moves.len()), (1, 0));
    let one = divide(&start, Legal, &Options::new(1)).unwrap();
    assert_eq!((one.total, one.moves.len()), (20, 20));
    assert!(one.moves.iter().all(|m| m.1 == 1));
    let mut listed = Vec::new();
    start.generate(MoveKind::All, |m| listed.push(m));
    assert!(one.moves.iter().map(|m| m.0).eq(listed));
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let mated = Chess::from_text(mate, &ChessRules::default()).unwrap();
    assert_eq!(divide(&mated, Legal, &Options::new(5)).unwrap().total, 0);
    assert_eq!(divide(&mated, Legal, &Options::new(0)).unwrap().total, 1);
}

#[test]
fn a_count_can_be_refused_and_stopped() {
    let liberty = Liberty::start(&Rules::default());
    let hashed = Options {
        hash_mb: 1,
        ..Options::new(2)
    };
    let refused = divide(&liberty, Reference, &hashed);
    assert_eq!(refused, Err(PerftError::NotHashable));
    let deep = divide(&Chess::default(), Legal, &Options::new(100_000));
    assert_eq!(deep, Err(PerftError::TooDeep));

    let calls = AtomicUsize::new(0);
    let stop = |_| {
        calls.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Break(())
    };
    let options = Options {
        threads: 2,
        progress: Some(&stop),
        ..Options::new(3)
    };
    let kings = Chess::from_text("7k/8/8/8/8/8/8/K7 w - - 0 1", &ChessRules::default()).unwrap();
    assert_eq!(divide(&kings, Legal, &options), Err(PerftError::Stopped));
    assert!(calls.load(Ordering::Relaxed) <= 2, "one piece per thread");
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::Mutex::new((0, 0, 0));
    let note = |p: quadrille_games::perft::Progress| {
        let mut last = last.lock().unwrap();
        last.0 += 1;
        if p.done == p.jobs {
            last.1 = p.jobs;
        }
        last.2 = last.2.max(p.leaves);
        ControlFlow::Continue(())
    };
    let options = Options {
        threads: 3,
        progress: Some(&note),
        ..Options::new(3)
    };
    let total = divide(&Chess::default(), Legal, &options).unwrap().total;
    let (calls, jobs, leaves) = *last.lock().unwrap();
    assert_eq!((calls, jobs, leaves), (400, 400, total));
}
