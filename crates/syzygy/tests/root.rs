//! Moves at the root: ranks, scores, the fifty-move rule.

use std::fs;

use quadrille_games::chess::Chess;
use quadrille_games::{Line, Position};
use quadrille_syzygy::{CERTAIN, RootMove, RootRules, RootScore, Tables, Wdl};

use crate::answers::THREE;
use crate::random::{Random, position};

fn tables() -> Tables {
    Tables::open(&[THREE]).unwrap()
}

fn rules(clock: u32) -> RootRules {
    RootRules {
        clock,
        repeated: false,
        fifty_moves: true,
    }
}

fn ranked(tables: &Tables, fen: &str, rules: RootRules) -> Vec<RootMove> {
    tables.root_moves(&position(fen).unwrap(), rules).unwrap()
}

fn best(moves: &[RootMove]) -> i32 {
    moves.iter().map(|m| m.rank).max().unwrap()
}

/// The best move's distance is the position's, give or take the ply by which tables
/// may be off, and the best result is the position's result.
#[test]
fn the_best_move_keeps_the_result() {
    let tables = tables();
    let mut random = Random(21);
    for name in ["KPvK", "KQvK", "KRvK", "KBvK"] {
        for position in random.positions(name, 200) {
            let moves = tables.root_moves(&position, rules(0)).unwrap();
            if moves.is_empty() {
                continue;
            }
            assert_eq!(moves.len(), position.moves().len());
            let result = tables.wdl(&position).unwrap();
            let best = moves.iter().map(|m| m.wdl).max().unwrap();
            assert_eq!(best, result, "{}", position.text());
            if result > Wdl::Draw {
                let dtz = tables.dtz(&position).unwrap();
                let shortest = moves.iter().filter_map(|m| m.dtz).filter(|&d| d > 0).min();
                let off = shortest.unwrap() - dtz;
                assert!(
                    (0..=1).contains(&off),
                    "{}: {shortest:?} {dtz}",
                    position.text()
                );
            }
        }
    }
}

#[test]
fn certain_wins_are_alike_while_there_is_time() {
    let tables = tables();
    let moves = ranked(&tables, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", rules(0));
    for m in &moves {
        let expected = match m.wdl {
            Wdl::Win => (CERTAIN, RootScore::Win),
            _ => (0, RootScore::Centipawns(0)),
        };
        assert_eq!((m.rank, m.score), expected, "{m:?}");
    }
    assert!(moves.iter().any(|m| m.wdl == Wdl::Draw));
    assert!(moves.iter().any(|m| m.wdl == Wdl::Win));
}

/// The king and rook need some thirty plies here.
#[test]
fn time_runs_out() {
    let tables = tables();
    let fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let dtz = tables.dtz(&position(fen).unwrap()).unwrap() as u32;
    assert!((20..=35).contains(&dtz), "{dtz}");
    // Everything in time; only the shortest ways; nothing.
    let early = ranked(&tables, fen, rules(99 - dtz - 10));
    assert!(early.iter().filter(|m| m.rank == CERTAIN).count() > 3);
    let late = ranked(&tables, fen, rules(99 - dtz));
    let in_time = late.iter().filter(|m| m.rank == CERTAIN).count();
    assert!((1..late.len() / 2).contains(&in_time), "{in_time}");
    let too_late = ranked(&tables, fen, rules(101 - dtz));
    assert!(too_late.iter().all(|m| m.wdl <= Wdl::CursedWin));
    assert!(best(&too_late) < CERTAIN - 100);
    let near = |m: &RootMove| matches!(m.score, RootScore::Centipawns(1..=49));
    assert!(too_late.iter().filter(|m| m.rank > 0).all(near));
    let without = RootRules {
        fifty_moves: false,
        ..rules(101 - dtz)
    };
    let never_mind = ranked(&tables, fen, without);
    assert!(
        never_mind
            .iter()
            .filter(|m| m.rank > 0)
            .all(|m| m.score == RootScore::Win)
    );
}

#[test]
fn after_a_repetition_the_shortest_way_counts() {
    let tables = tables();
    let fen = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let mut line = Line::new(position(fen).unwrap());
    for m in ["a1a2", "d5d6", "a2a1", "d6d5"] {
        line.play(m).unwrap();
    }
    let rules = RootRules::of(&line, true);
    assert_eq!((rules.clock, rules.repeated), (4, true));
    let moves = tables.root_moves(line.position(), rules).unwrap();
    let ranks = moves.iter().filter(|m| m.rank == best(&moves));
    let shortest = moves.iter().filter_map(|m| m.dtz).filter(|&d| d > 0).min();
    assert!(ranks.clone().all(|m| m.dtz == shortest));
    assert!(ranks.count() < moves.len() / 2);
}

#[test]
fn the_loser_makes_it_long_when_that_helps() {
    let tables = tables();
    let fen = "8/8/8/3k4/8/8/8/K6R b - - 0 1";
    let calm = ranked(&tables, fen, rules(0));
    assert!(
        calm.iter()
            .all(|m| m.rank == -CERTAIN && m.score == RootScore::Loss)
    );
    let late = ranked(&tables, fen, rules(60));
    let longest = late.iter().filter_map(|m| m.dtz).min();
    let chosen = late.iter().filter(|m| m.rank == best(&late));
    assert!(chosen.into_iter().all(|m| m.dtz == longest));
}

/// Mate is one ply away, not the two that the mated position's distance makes.
#[test]
fn mate_is_next() {
    let moves = ranked(&tables(), "k7/8/1K6/8/8/8/8/7R w - - 0 1", rules(0));
    let mate = moves.iter().find(|m| m.m.to().to_string() == "h8").unwrap();
    assert_eq!(mate.dtz, Some(1));
}

#[test]
fn results_alone_rank_too() {
    let mut tables = Tables::new();
    for name in ["KQvK", "KRvK", "KPvK", "KBvK", "KNvK"] {
        let file = format!("{name}.rtbw");
        let bytes = fs::read(format!("{THREE}/{file}")).unwrap();
        tables.add_bytes(&file, bytes).unwrap();
    }
    let fen = "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1";
    let moves = ranked(&tables, fen, rules(0));
    assert!(moves.iter().all(|m| m.dtz.is_none()));
    for m in ranked(&self::tables(), fen, rules(0)) {
        let same = moves.iter().find(|other| other.m == m.m).unwrap();
        assert_eq!((same.wdl, same.rank, same.score), (m.wdl, m.rank, m.score));
    }
}

/// No table, no ranks; and a game that is over has no moves.
#[test]
fn all_or_nothing() {
    let tables = tables();
    let four = position("8/8/8/8/8/2k5/1r6/K2Q4 w - - 0 1").unwrap();
    assert!(tables.root_moves(&four, rules(0)).is_err());
    assert!(tables.root_moves(&Chess::default(), rules(0)).is_err());
    let mated = position("k6R/8/1K6/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(tables.root_moves(&mated, rules(0)), Ok(vec![]));
}
