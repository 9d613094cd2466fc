//! The perft and single-move vectors, checked against the reference engines.

use std::collections::HashMap;
use std::io::Write;

use quadrille_games::leiser::{BeamEnd, Leiser, LeiserRules, perft_generated, perft_legal};
use quadrille_games::{Line, MoveErrorKind, MoveKind, Position, Reason, Side};
use serde::Deserialize;

/// Leaves one count may have in the ordinary run. The last ply is counted and
/// not played, so the boards made are some sixty times fewer.
const COUNT_BUDGET: u64 = 20_000_000;

#[derive(Deserialize)]
struct PerftVector {
    variant: String,
    note: String,
    fen: String,
    perft: Vec<u64>,
    perft_legal: Vec<u64>,
    depth1: Depth1,
    beam_if_fired_now: HashMap<String, BeamVector>,
}

#[derive(Deserialize, PartialEq, Debug, Default)]
struct Depth1 {
    generated: u64,
    ko_illegal: u64,
    zap: u64,
    multi_zap: u64,
    stomp: u64,
    white_king_dies: u64,
    black_king_dies: u64,
}

#[derive(Deserialize)]
struct BeamVector {
    path: Vec<String>,
    hits: Option<String>,
}

#[derive(Deserialize)]
struct MoveVector {
    variant: String,
    note: String,
    fen: String,
    history: Vec<String>,
    #[serde(rename = "move")]
    text: String,
    legal: bool,
    reason: Option<String>,
    zapped: Option<Vec<(String, String)>>,
    stomped: Option<serde_json::Value>,
    fen_after: Option<String>,
    result: Option<String>,
}

fn perft_vectors() -> Vec<PerftVector> {
    let vectors: Vec<PerftVector> =
        serde_json::from_str(include_str!("data/leiser_perft.json")).unwrap();
    assert_eq!(vectors.len(), 60);
    vectors
}

fn move_vectors() -> Vec<MoveVector> {
    serde_json::from_str(include_str!("data/leiser_moves.json")).unwrap()
}

fn position(variant: &str, fen: &str) -> Leiser {
    let rules = Leiser::rules_from_text(variant).unwrap();
    Leiser::from_text(fen, &rules).unwrap()
}

/// Runs every count within the budget; all of them with `QUADRILLE_DEEP=1`.
fn check_perft(count: impl Fn(&Leiser, u32) -> u64, wanted: impl Fn(&PerftVector) -> &[u64]) {
    let deep = std::env::var_os("QUADRILLE_DEEP").is_some_and(|v| v == "1");
    let mut skipped = 0;
    for vector in perft_vectors() {
        let position = position(&vector.variant, &vector.fen);
        for (i, &expected) in wanted(&vector).iter().enumerate() {
            if !deep && expected > COUNT_BUDGET {
                skipped += 1;
                continue;
            }
            let found = count(&position, i as u32 + 1);
            assert_eq!(
                found,
                expected,
                "{} {} depth {}",
                vector.variant,
                vector.fen,
                i + 1
            );
        }
    }
    if skipped > 0 {
        // Straight to the stream: the test harness would swallow a `println!`.
        let note =
            format!("SKIPPED {skipped} counts above {COUNT_BUDGET} leaves: set QUADRILLE_DEEP=1\n");
        std::io::stderr().write_all(note.as_bytes()).unwrap();
    }
}

#[test]
fn perft_of_generated_moves() {
    check_perft(perft_generated, |v| &v.perft);
}

#[test]
fn perft_of_legal_moves() {
    check_perft(perft_legal, |v| &v.perft_legal);
}

#[test]
fn beams_and_depth_one_statistics() {
    for vector in perft_vectors() {
        let position = position(&vector.variant, &vector.fen);
        let name = format!("{} {} ({})", vector.variant, vector.fen, vector.note);
        assert_eq!(position.text(), vector.fen, "{name}");
        check_beams(&position, &vector, &name);
        assert_eq!(statistics(&position), vector.depth1, "{name}");
    }
}

fn check_beams(position: &Leiser, vector: &PerftVector, name: &str) {
    let size = position.size().0 as u8;
    for (side, word) in [(Side::White, "white"), (Side::Black, "black")] {
        let wanted = &vector.beam_if_fired_now[word];
        let beam = position.beam(side).unwrap();
        let path: Vec<String> = beam
            .path
            .iter()
            .map(|s| s.square.name(size).to_string())
            .collect();
        assert_eq!(path, wanted.path, "{name} {word}");
        let hits = match beam.end {
            BeamEnd::OffBoard => None,
            BeamEnd::Pawn(s) | BeamEnd::King(s) => Some(s),
        };
        assert_eq!(position.struck(side), hits, "{name} {word}");
        assert_eq!(
            hits.map(|s| s.name(size).to_string()),
            wanted.hits,
            "{name} {word}"
        );
        for step in &beam.path {
            assert!(position.lit(side).contains(step.square), "{name} {word}");
        }
    }
}

fn statistics(position: &Leiser) -> Depth1 {
    let mut found = Depth1::default();
    let moves = position.generated_moves();
    found.generated = moves.len() as u64;
    found.ko_illegal = found.generated - position.count_moves();
    for m in moves {
        let fire = position.fire(m);
        let zaps: Vec<_> = fire.zapped().collect();
        found.zap += u64::from(!zaps.is_empty());
        found.multi_zap += u64::from(zaps.len() > 1);
        found.stomp += u64::from(fire.stomped.is_some());
        for (_, piece) in zaps.iter().filter(|(_, p)| p.is_king()) {
            match piece.side() {
                Side::White => found.white_king_dies += 1,
                Side::Black => found.black_king_dies += 1,
            }
        }
        assert_eq!(
            position.zaps(m),
            !zaps.is_empty(),
            "{m:?} in {}",
            position.text()
        );
        assert_eq!(position.stomps(m), fire.stomped.is_some());
    }
    found
}

#[test]
fn single_moves() {
    let vectors = move_vectors();
    assert_eq!(vectors.len(), 164);
    for vector in vectors {
        let name = format!(
            "{} {} {:?} {} ({})",
            vector.variant, vector.fen, vector.history, vector.text, vector.note
        );
        let mut line = Line::new(position(&vector.variant, &vector.fen));
        for m in &vector.history {
            line.play(m).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let read = line.position().parse_move(&vector.text);
        if vector.legal {
            let m = read.unwrap_or_else(|e| panic!("{name}: {e}"));
            check_legal(&mut line, m, &vector, &name);
        } else {
            match read.map_err(|e| e.kind) {
                Err(MoveErrorKind::Illegal(why)) => {
                    assert_eq!(Some(why), vector.reason.as_deref(), "{name}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

fn check_legal(
    line: &mut Line<Leiser>,
    m: quadrille_games::leiser::Move,
    vector: &MoveVector,
    name: &str,
) {
    let before = *line.position();
    let size = before.size().0 as u8;
    let fire = before.fire(m);
    let zapped: Vec<(String, String)> = fire
        .zapped()
        .map(|(s, p)| (s.name(size).to_string(), p.to_string()))
        .collect();
    assert_eq!(Some(zapped), vector.zapped, "{name}");
    assert_eq!(fire.stomped.is_some(), vector.stomped.is_some(), "{name}");
    assert_eq!(before.move_text(m), vector.text, "{name}");
    assert_eq!(before.parse_notation(&before.notation(m)), Ok(m), "{name}");
    line.push(m);
    assert_eq!(Some(line.position().text()), vector.fen_after, "{name}");
    let result = match line.position().outcome() {
        None => "ongoing",
        Some(outcome) => {
            assert_eq!(outcome.reason, Reason::KingZapped, "{name}");
            match outcome.winner {
                Some(Side::White) => "white wins",
                Some(Side::Black) => "black wins",
                None => "draw",
            }
        }
    };
    assert_eq!(Some(result), vector.result.as_deref(), "{name}");
    if result != "ongoing" {
        assert!(line.position().moves().is_empty(), "{name}");
    }
}

#[test]
fn listing_of_the_reference_engine() {
    let mut line = Line::new(Leiser::start(&LeiserRules::default()));
    let white = "d0c0 d0c1 d0d1 d0e0 d0e1 d0R d0U d0L d2c1 d2c2 d2c3 d2d1 d2d3 d2e1 d2e2 d2e3 \
        d2R d2U d2L e1d0 e1d1 e1d2 e1e0 e1e2 e1f0 e1f1 e1f2 e1R e1U e1L f2e1 f2e2 f2e3 f2f1 f2f3 \
        f2g1 f2g2 f2g3 f2R f2U f2L f4e3 f4e4 f4e5 f4f3 f4f5 f4g3 f4g4 f4g5 f4R f4U f4L g3f2 g3f3 \
        g3f4 g3g2 g3g4 g3h2 g3h3 g3h4 g3R g3U g3L h0g0 h0g1 h0h1 h0R h0U h0L h0h0 h4g3 h4g4 h4g5 \
        h4h3 h4h5 h4R h4U h4L";
    assert_eq!(line.position().generated_text(), white);
    line.play("h4g5").unwrap();
    assert!(
        line.position()
            .generated_text()
            .starts_with("a3a2 a3a4 a3b2 a3b3 a3b4 a3R a3U a3L a7a6")
    );
    assert_eq!(line.position().count_generated(), 78);
}

#[test]
fn kinds_of_moves_partition_the_list() {
    for vector in perft_vectors() {
        let position = position(&vector.variant, &vector.fen);
        let mut parts = Vec::new();
        position.generate(MoveKind::Tactical, |m| parts.push(m));
        assert!(parts.iter().all(|&m| position.is_tactical(m)));
        position.generate(MoveKind::Quiet, |m| parts.push(m));
        let mut all = position.moves();
        all.sort();
        parts.sort();
        assert_eq!(all, parts, "{}", vector.fen);
    }
}
