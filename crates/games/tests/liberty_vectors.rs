//! Liberty Chess against vectors made with the reference implementation.
//!
//! Where our rules differ on purpose the test names the vector and asserts our
//! own result instead.

use crate::liberty_support::{read, state};
use quadrille_games::liberty::{Liberty, Rules};
use quadrille_games::perft::perft;
use quadrille_games::{Line, MoveErrorKind, Position, PositionErrorKind};
use serde::Deserialize;

#[derive(Deserialize)]
struct Perft {
    lfen: String,
    #[serde(rename = "perft")]
    counts: Vec<u64>,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
struct States {
    lfen_roundtrip: Vec<RoundTrip>,
    positions: Vec<Vector>,
}

#[derive(Deserialize)]
struct RoundTrip {
    r#in: String,
    out: Option<String>,
    error: Option<String>,
    state: Option<String>,
    quirk: Option<String>,
}

#[derive(Deserialize)]
struct Vector {
    lfen: String,
    state: String,
    moves: Option<Vec<String>>,
    play: Option<Vec<String>>,
    last: Option<String>,
    result: Option<String>,
    check: Option<bool>,
}

fn perft_vectors() -> Vec<Perft> {
    serde_json::from_str(include_str!("data/liberty_perft.json")).unwrap()
}

fn states() -> States {
    serde_json::from_str(include_str!("data/liberty_states.json")).unwrap()
}

/// Our counts where a vector records a reference bug that we do not share: a
/// castling partner next to the King does not vanish, there is no castling.
fn our_perft(vector: &Perft) -> Vec<u64> {
    if vector.lfen.starts_with("4k2r/p7/8/8/8/8/P7/4KR2 w K") {
        assert!(vector.note.contains("15 205 3541 57365"));
        return vec![15, 205, 3541, 57365];
    }
    vector.counts.clone()
}

fn check_perft(from: usize, step: usize, budget: u64) -> u64 {
    let deep = std::env::var("QUADRILLE_DEEP").is_ok_and(|v| v == "1");
    let mut skipped = 0;
    let mut nodes = 0;
    for vector in perft_vectors().iter().skip(from).step_by(step) {
        let mut position = read(&vector.lfen);
        let before = position.clone();
        for (index, &expected) in our_perft(vector).iter().enumerate() {
            if expected > budget && !deep {
                skipped += 1;
                continue;
            }
            let depth = index as u32 + 1;
            let found = position.reference_perft(depth);
            assert_eq!(found, expected, "{} depth {depth}", vector.lfen);
            // Without doubled letters and repetitions both counts are one.
            if depth < 9 && expected < 50_000 {
                assert_eq!(perft(&mut position, depth), expected, "{}", vector.lfen);
            }
            nodes += found;
        }
        assert!(position == before, "{} was not restored", vector.lfen);
    }
    if skipped > 0 {
        println!("SKIPPED {skipped} deep perft counts: set QUADRILLE_DEEP=1 to run them");
    }
    nodes
}

#[test]
fn perft_first_half() {
    assert!(check_perft(0, 2, 5_000_000) > 1_000_000);
}

#[test]
fn perft_second_half() {
    assert!(check_perft(1, 2, 5_000_000) > 1_000_000);
}

#[test]
fn every_lfen_survives_a_round_trip() {
    let mut checked = 0;
    for vector in states().lfen_roundtrip {
        let text = vector.r#in.as_str();
        let read = Liberty::from_text(text, &Rules::default());
        let Some(out) = vector.out else {
            let error = read.expect_err(text);
            let fits = match vector.error.as_deref() {
                Some(e) if e.starts_with("Board must") => matches!(
                    error.kind,
                    PositionErrorKind::OutOfRange {
                        min: 2,
                        max: 256,
                        ..
                    } | PositionErrorKind::Missing
                ),
                Some(e) if e.starts_with("Non-rect") => {
                    matches!(error.kind, PositionErrorKind::Count { .. })
                }
                Some(_) => error.kind == PositionErrorKind::Unexpected('y'),
                // The reference dies here; we refuse the square.
                None => {
                    error.field == "en passant"
                        && matches!(error.kind, PositionErrorKind::NotASquare(_))
                }
            };
            assert!(fits, "{text}: {error}");
            checked += 1;
            continue;
        };
        let position = read.unwrap_or_else(|e| panic!("{text}: {e}"));
        let expected = if vector.quirk.is_some() {
            // The reference writes castling columns from 0 but reads them
            // from 1.
            assert!(out.ends_with("2,2,1,0,6"));
            out.replace("2,2,1,0,6", "2,2,1,1,7")
        } else if text.contains("  ") {
            // The reference takes the second space for an empty field and
            // shifts all that follow. Over the wire that cannot happen.
            text.replace("  ", " ")
        } else if text.ends_with(" W") {
            // The reference takes every letter but a small w for Black.
            assert!(out.ends_with(" b - - 0 1"));
            out.replace(" b ", " w ")
        } else {
            out
        };
        assert_eq!(position.text(), expected, "{text}");
        assert_eq!(Some(state(position.outcome())), vector.state, "{text}");
        let again = Liberty::from_text(&position.text(), &Rules::default()).unwrap();
        assert_eq!(again, position);
        checked += 1;
    }
    assert_eq!(checked, 25);
}

#[test]
fn move_lists_agree() {
    let mut checked = 0;
    for vector in states().positions {
        let Some(expected) = &vector.moves else {
            continue;
        };
        let position = read(&vector.lfen);
        let mut found: Vec<String> = Vec::new();
        position.generate(quadrille_games::MoveKind::All, |m| {
            // A promotion listed twice is one move to us, two in the vector.
            for _ in 0..position.weight(m) {
                found.push(position.move_text(m));
            }
        });
        found.sort();
        let mut expected = expected.clone();
        if vector.lfen.ends_with(" 0,2") {
            // The reference's generator forgets all pawn moves if the longest
            // advance is 0, but plays them; to us 0 is 1.
            expected.push("a2a3".into());
            if vector.lfen.contains("/1p6/P7") {
                expected.push("a2b3".into());
            }
            expected.sort();
        }
        assert_eq!(found, expected, "{}", vector.lfen);
        assert_eq!(state(position.outcome()), vector.state, "{}", vector.lfen);
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

/// Moves that the reference plays and we refuse, or the other way round.
fn our_verdict(vector: &Vector, last: &str) -> Option<bool> {
    let lfen = vector.lfen.as_str();
    match last {
        // Upper case is understood.
        "e7e8Q" => Some(true),
        // Not in the promotion list; and ranks do not wrap.
        "e7e8k" | "h257g1" => Some(false),
        // A partner next to the King, or the King as its own partner.
        "c1a1" if lfen.contains("/1RK5 w Q") => Some(false),
        "e1c1" if lfen.ends_with("2,2,1,5") => Some(false),
        _ => None,
    }
}

#[test]
fn played_games_agree() {
    let mut checked = 0;
    for vector in states().positions {
        let Some(play) = &vector.play else { continue };
        let mut line = Line::new(read(&vector.lfen));
        let (last, before) = play.split_last().unwrap();
        for m in before {
            line.play(m)
                .unwrap_or_else(|e| panic!("{}: {e}", vector.lfen));
        }
        let over = line.outcome().is_some();
        let ok = !over && line.play(last).is_ok();
        let expected = vector.last.as_deref() == Some("ok");
        let ours = our_verdict(&vector, last);
        assert_eq!(ok, ours.unwrap_or(expected), "{} {play:?}", vector.lfen);
        checked += 1;
        if ours.is_some() {
            continue;
        }
        let position = line.position();
        let result = vector.result.as_deref().unwrap();
        assert_eq!(position.text(), counted_from_one(&vector, result));
        let expected = if vector.lfen.ends_with(" 5,8 k") {
            // A new King was taken en passant. The reference goes on counting
            // it; on the board there is one King each and a Pawn that can only
            // become a King, which is not enough to win.
            assert_eq!(vector.state, "InProgress");
            "Material"
        } else {
            &vector.state
        };
        assert_eq!(state(line.outcome()), expected, "{}", vector.lfen);
        assert_eq!(Some(position.in_check()), vector.check, "{}", vector.lfen);
    }
    assert!(checked > 50, "{checked}");
}

/// The reference writes castling columns counted from 0; ours are those of the
/// L-FEN that was read.
fn counted_from_one(vector: &Vector, result: &str) -> String {
    let options = |text: &str| text.split(' ').nth(6).unwrap_or("").to_string();
    let wrong = options(result);
    if wrong.matches(',').count() < 3 {
        return result.into();
    }
    let mut right = options(&vector.lfen);
    if right == "2,2,1,2,8" {
        right = "2,2,1,2".into(); // 8 is the default.
    }
    result.replace(&wrong, &right)
}

#[test]
fn refusals_have_reasons() {
    let position = read("k7/4P3/8/8/8/8/8/7K w - - 0 1 - q");
    let kind = |text: &str| position.parse_move(text).map_err(|e| e.kind);
    assert_eq!(kind("e7e8"), Err(MoveErrorKind::PromotionMissing));
    assert_eq!(kind("e7e8y"), Err(MoveErrorKind::PromotionNotAllowed));
    assert_eq!(kind("e7e8k"), Err(MoveErrorKind::PromotionNotAllowed));
    assert_eq!(kind("h1g1q"), Err(MoveErrorKind::PromotionNotAllowed));
    assert_eq!(kind("h257g1"), Err(MoveErrorKind::NotASquare));
    assert_eq!(kind("h1xg1"), Err(MoveErrorKind::NotASquare));
    assert_eq!(kind("0000"), Err(MoveErrorKind::NullMove));
    assert_eq!(kind("e4e5"), Err(MoveErrorKind::NoPiece));
    assert!(matches!(kind("O-O"), Err(MoveErrorKind::Syntax { .. })));
    assert!(matches!(kind("h1h3"), Err(MoveErrorKind::Illegal(_))));
}
