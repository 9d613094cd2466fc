//! Published perft figures for chess and Chess960.
//!
//! Ordinary runs stay below a node budget for each figure;
//! `QUADRILLE_DEEP=30000000` raises it to that many nodes, and
//! `QUADRILLE_DEEP=1` runs every figure of the tables (hundreds of billions of
//! nodes).

use quadrille_games::chess::{Chess, ChessRules};
use quadrille_games::perft::perft;
use quadrille_games::{MoveKind, Position};
use serde::Deserialize;

#[derive(Deserialize)]
struct Entry {
    name: String,
    fen: String,
    /// Pairs of depth and count.
    counts: Vec<(u32, u64)>,
}

/// The node budget for one figure: what the environment asks for, or the
/// ordinary one.
fn budget(ordinary: u64) -> u64 {
    let asked = std::env::var("QUADRILLE_DEEP")
        .ok()
        .and_then(|n| n.parse().ok());
    match asked {
        Some(1) => u64::MAX,
        Some(nodes) => ordinary.max(nodes),
        None => ordinary,
    }
}

fn check(table: &str, ordinary: u64) {
    let budget = budget(ordinary);
    let entries: Vec<Entry> = serde_json::from_str(table).expect("the table is part of the test");
    let (mut checked, mut skipped) = (0u32, 0u32);
    for entry in &entries {
        let mut position = Chess::from_text(&entry.fen, &ChessRules::default())
            .unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        for &(depth, count) in &entry.counts {
            if count > budget {
                skipped += 1;
                continue;
            }
            let found = perft(&mut position, depth);
            assert_eq!(
                found, count,
                "{} at depth {depth}: {}",
                entry.name, entry.fen
            );
            checked += 1;
        }
    }
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} of {} figures; QUADRILLE_DEEP=1 runs them",
            checked + skipped
        );
    }
    assert!(
        checked as usize >= entries.len(),
        "every position is checked at least once"
    );
}

#[test]
fn published_chess_figures() {
    check(include_str!("data/chess_perft.json"), 1_500_000);
}

#[test]
fn published_chess960_figures() {
    check(include_str!("data/chess960_perft.json"), 100_000);
}

#[test]
fn the_three_figures_everybody_knows() {
    let mut start = Chess::default();
    assert_eq!(perft(&mut start, 5), 4_865_609);
    let mut kiwipete = Chess::from_text("kiwipete", &ChessRules::default()).unwrap();
    assert_eq!(perft(&mut kiwipete, 4), 4_085_603);
    if budget(0) >= 193_690_690 {
        assert_eq!(perft(&mut start, 6), 119_060_324);
        assert_eq!(perft(&mut kiwipete, 5), 193_690_690);
    } else {
        println!("SKIPPED start depth 6 and Kiwipete depth 5; QUADRILLE_DEEP=1 runs them");
    }
}

/// Counting move by move, with tactical and quiet moves generated apart, and
/// taking moves back: every way through the generator finds the same tree.
fn perft_by_parts(position: &mut Chess, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = Vec::new();
    position.generate(MoveKind::Tactical, |m| list.push((m, true)));
    position.generate(MoveKind::Quiet, |m| list.push((m, false)));
    assert_eq!(list.len() as u64, position.count_moves());
    assert_eq!(!list.is_empty(), position.has_moves());
    let before = *position;
    let mut total = 0;
    for (m, tactical) in list {
        assert_eq!(position.is_tactical(m), tactical, "{m:?} in {before:?}");
        let undo = position.make(m, &mut ());
        assert_eq!(
            position.hash(),
            position.recomputed_hash(),
            "{m:?} in {before:?}"
        );
        total += perft_by_parts(position, depth - 1);
        position.unmake(m, undo);
        assert_eq!(*position, before);
    }
    total
}

#[test]
fn the_parts_make_the_whole() {
    for (name, depth, count) in [
        ("startpos", 4, 197_281),
        ("kiwipete", 3, 97_862),
        ("endgame", 4, 43_238),
        ("promotions", 3, 9_467),
        ("talkchess", 3, 62_379),
        ("middlegame", 3, 89_890),
    ] {
        let mut position = Chess::from_text(name, &ChessRules::default()).unwrap();
        assert_eq!(perft_by_parts(&mut position, depth), count, "{name}");
    }
}
