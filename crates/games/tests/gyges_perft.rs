//! Gyges move counts against published vectors, under both rules about moves
//! that change nothing.

use std::collections::HashSet;

use quadrille_games::gyges::{Gyges, GygesRules, NoChange};
use quadrille_games::perft::perft;
use quadrille_games::{Position, Side};
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    name: String,
    setpos: String,
    side: u8,
    /// Leaves by depth when moves that change nothing are legal.
    perft: Vec<u64>,
    /// Leaves by depth when every move must change the board.
    perft_board_must_change: Vec<u64>,
    /// Different positions after one and two plies (older rule).
    distinct_positions_after: Vec<usize>,
    winning_moves: usize,
    moves_leaving_the_board_unchanged: usize,
    moves_without_drop: usize,
    moves_with_drop: usize,
}

const RULES: [GygesRules; 2] = [
    GygesRules {
        no_change: NoChange::Accept,
    },
    GygesRules {
        no_change: NoChange::Forbid,
    },
];

/// Generations (not leaves: those are counted in bulk) an ordinary run spends
/// on one vector and depth.
const BUDGET: u64 = 60_000;

fn vectors() -> Vec<Vector> {
    let text = include_str!("data/gyges_perft.json");
    let vectors: Vec<Vector> = serde_json::from_str(text).expect("the data file is valid");
    assert_eq!(vectors.len(), 29);
    vectors
}

impl Vector {
    fn position(&self, rules: GygesRules) -> Gyges {
        let text = format!("{} {}", self.setpos, self.side);
        Gyges::from_text(&text, &rules).expect("vectors are legal boards")
    }

    fn leaves(&self, rules: GygesRules) -> &[u64] {
        match rules.no_change {
            NoChange::Accept => &self.perft,
            NoChange::Forbid => &self.perft_board_must_change,
        }
    }
}

#[test]
fn leaves_agree_with_the_vectors_under_both_rules() {
    let deep = std::env::var_os("QUADRILLE_DEEP").is_some_and(|v| v == "1");
    let (mut run, mut skipped) = (0, Vec::new());
    for vector in vectors() {
        for rules in RULES {
            let mut position = vector.position(rules);
            let leaves = vector.leaves(rules);
            for (depth, &expected) in (1..).zip(leaves) {
                let below = (depth as usize).checked_sub(2);
                let generations = below.map_or(1, |index| leaves[index]);
                if generations > BUDGET && !deep {
                    skipped.push(format!("{} depth {depth}", vector.name));
                    continue;
                }
                let found = perft(&mut position, depth);
                assert_eq!(
                    found, expected,
                    "{} side {} depth {depth} {rules:?}",
                    vector.name, vector.side
                );
                run += 1;
            }
        }
    }
    println!("{run} counts agree");
    if !skipped.is_empty() {
        println!(
            "SKIPPED {} COUNTS, set QUADRILLE_DEEP=1 to run them: {skipped:?}",
            skipped.len()
        );
    }
    assert!(run >= 130, "{run}");
}

#[test]
fn turned_and_mirrored_boards_count_the_same() {
    for vector in vectors() {
        for rules in RULES {
            let position = vector.position(rules);
            let leaves = vector.leaves(rules);
            let images = [
                position.turned(),
                position.mirrored(),
                position.turned().mirrored(),
            ];
            for mut image in images {
                assert_eq!(image.count_moves(), leaves[0], "{}", vector.name);
                if leaves[0] < 700 {
                    assert_eq!(perft(&mut image, 2), leaves[1], "{}", vector.name);
                }
                assert_eq!(image.can_win(), position.can_win());
            }
            assert_eq!(position.turned().turned(), position);
            assert_eq!(position.mirrored().mirrored(), position);
        }
    }
}

#[test]
fn move_sorts_agree_with_the_vectors() {
    for vector in vectors() {
        let position = vector.position(RULES[0]);
        let moves = position.moves();
        let count = |test: &dyn Fn(quadrille_games::gyges::GygesMove) -> bool| {
            moves.iter().filter(|&&m| test(m)).count()
        };
        assert_eq!(count(&|m| m.is_goal()), vector.winning_moves);
        assert_eq!(position.can_win(), vector.winning_moves > 0);
        assert_eq!(count(&|m| m.drop().is_some()), vector.moves_with_drop);
        assert_eq!(count(&|m| m.drop().is_none()), vector.moves_without_drop);
        assert_eq!(
            count(&|m| position.changes_nothing(m)),
            vector.moves_leaving_the_board_unchanged
        );
        let unique: HashSet<_> = moves.iter().collect();
        assert_eq!(unique.len(), moves.len());
    }
}

#[test]
fn distinct_positions_agree_with_the_vectors() {
    for vector in vectors() {
        let position = vector.position(RULES[0]);
        let mut first = HashSet::new();
        let mut second = HashSet::new();
        let mut keys = HashSet::new();
        for m in position.moves() {
            let after = position.after(m);
            assert_eq!(position.result_key(m), Position::hash(&after));
            keys.insert(position.result_key(m));
            if !first.insert(after.text()) {
                continue;
            }
            for reply in after.moves() {
                // Keys stand for boards here; the first ply proves that they
                // may.
                second.insert(after.result_key(reply));
            }
        }
        let expected = &vector.distinct_positions_after;
        assert_eq!(first.len(), expected[0], "{}", vector.name);
        assert_eq!(keys.len(), expected[0], "{}", vector.name);
        assert_eq!(second.len(), expected[1], "{}", vector.name);
    }
}

#[test]
fn side_two_of_the_start_counts_like_side_one() {
    let start = Gyges::start(&RULES[1]);
    let mut north = start.with_side(Side::Black);
    assert_eq!(perft(&mut north, 2), 56_352);
}
