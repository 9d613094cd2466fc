//! Published perft figures for chess and Chess960.
//!
//! Each table has two node budgets for a single figure: one for ordinary runs,
//! and one for `QUADRILLE_DEEP=1`, which takes minutes with optimisation. The
//! tables reach further still; `quadrille perft` can count what they say.

use quadrille_games::chess::{CastlingStyle, Chess, ChessRules, FenStyle};
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

fn deep() -> bool {
    std::env::var_os("QUADRILLE_DEEP").is_some_and(|value| value == "1")
}

fn check(table: &str, ordinary: u64, deepest: u64) {
    let budget = if deep() { deepest } else { ordinary };
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
            "SKIPPED {skipped} of {} figures above {budget} nodes; QUADRILLE_DEEP=1 goes to {deepest}",
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
    check(
        include_str!("data/chess_perft.json"),
        1_500_000,
        200_000_000,
    );
}

#[test]
fn published_chess960_figures() {
    check(
        include_str!("data/chess960_perft.json"),
        100_000,
        20_000_000,
    );
}

#[test]
fn the_three_figures_everybody_knows() {
    let mut start = Chess::default();
    assert_eq!(perft(&mut start, 5), 4_865_609);
    let mut kiwipete = Chess::from_text("kiwipete", &ChessRules::default()).unwrap();
    assert_eq!(perft(&mut kiwipete, 4), 4_085_603);
    if deep() {
        assert_eq!(perft(&mut start, 6), 119_060_324);
        assert_eq!(perft(&mut kiwipete, 5), 193_690_690);
    } else {
        println!("SKIPPED start depth 6 and Kiwipete depth 5; QUADRILLE_DEEP=1 runs them");
    }
}

/// All 960 start positions, with an independent library for the figures.
#[test]
fn every_chess960_start_counts_like_another_library() {
    let depth = if deep() { 4 } else { 3 };
    for n in 0..960 {
        let mut ours = Chess::chess960(n).expect("below 960");
        let fen = ours.fen(FenStyle {
            castling: CastlingStyle::Shredder,
            ..FenStyle::default()
        });
        let theirs: shakmaty::Chess = fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a FEN")
            .into_position(shakmaty::CastlingMode::Chess960)
            .expect("a position");
        let expected = shakmaty::perft(&theirs, depth);
        assert_eq!(perft(&mut ours, depth), expected, "number {n}: {fen}");
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
