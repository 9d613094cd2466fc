//! What comes after `bestmove`.

use quadrille_client::findings::HostDiagnostic;
use quadrille_driver::{Answer, Failure, Limits};
use quadrille_games::{AnyLine, Game, MoveErrorKind};
use quadrille_protocol::Code;

use super::beast::{MATED, at, chess, only, short, start};

/// The answer where there is no legal move.
async fn when_over(quirk: &str) -> Vec<String> {
    let mut beast = chess(quirk).await;
    let outcome = beast.search(&at(MATED), &Limits::depth(1)).await;
    assert_eq!(outcome.answer, Answer::NoMove, "{quirk}");
    assert_eq!(outcome.ponder, None);
    beast.lives_on().await;
    let findings = beast.engine.findings();
    findings.iter().map(|f| f.code.as_str().into()).collect()
}

#[tokio::test]
async fn n01_none() {
    assert_eq!(when_over("none-word").await, ["odd-null-move"]);
}

#[tokio::test]
async fn n02_a1a1() {
    assert_eq!(when_over("a1a1").await, ["odd-null-move"]);
}

#[tokio::test]
async fn n03_zeros() {
    assert!(when_over("0000").await.is_empty());
}

#[tokio::test]
async fn n04_null() {
    assert_eq!(when_over("null-word").await, ["odd-null-move"]);
}

#[tokio::test]
async fn n05_a8a8() {
    assert_eq!(when_over("a8a8").await, ["odd-null-move"]);
}

#[tokio::test]
async fn n06_nothing_at_all() {
    let mut beast = start(&short("silent-when-over"), Game::Chess).await;
    let outcome = beast.search(&at(MATED), &Limits::depth(1)).await;
    let stalled = matches!(outcome.answer, Answer::Failed(Failure::Stalled { .. }));
    assert!(stalled, "{outcome:?}");
    assert!(beast.found(HostDiagnostic::NoAnswer));
}

#[tokio::test]
async fn n07_null_in_play() {
    let mut beast = chess("null-in-play").await;
    let outcome = beast.think().await;
    let Answer::Illegal(error) = &outcome.answer else {
        panic!("{outcome:?}");
    };
    assert_eq!(error.kind, MoveErrorKind::NullMove);
    assert!(beast.found(HostDiagnostic::NullMoveInPlay));
}

#[tokio::test]
async fn n08_upper_case_promotion() {
    let mut beast = chess("upper-case").await;
    let line = at("7k/P7/8/8/8/8/8/K7 w - - 0 1");
    let outcome = beast.search(&line, &only("a7a8n")).await;
    assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("a7a8n"));
    assert_eq!(outcome.text.as_deref(), Some("a7a8N"));
    beast.found_only(&["upper-case-move"]);
}

#[tokio::test]
async fn n09_trailing_junk() {
    let mut beast = chess("trailing-junk").await;
    beast.lives_on().await;
    beast.found_only(&["move-junk"]);
}

#[tokio::test]
async fn n10_stray_returns() {
    let mut beast = chess("stray-return").await;
    beast.lives_on().await;
    assert_eq!(beast.engine.identity().name.as_deref(), Some("Zoo"));
    assert!(beast.engine.options().get("Hash").is_some());
}

#[tokio::test]
async fn n28_illegal_ponder_move() {
    let mut beast = chess("illegal-ponder").await;
    let outcome = beast.think().await;
    assert!(outcome.best().is_some());
    assert_eq!(outcome.ponder, None);
    beast.found_only(&["illegal-ponder"]);
}

#[tokio::test]
async fn n44_castling_is_sent_in_the_form_of_the_game() {
    let mut beast = chess("strict-castling").await;
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (rules, sent) in [("", "e1g1"), ("chess960", "e1h1")] {
        let mut line = AnyLine::new(Game::Chess, rules, start).expect("a position");
        line.play("e1h1").expect("castling in either form");
        let outcome = beast.search(&line, &Limits::depth(1)).await;
        assert!(outcome.best().is_some(), "{outcome:?}");
        let last = beast
            .sent()
            .iter()
            .rev()
            .find(|l| l.starts_with("position"))
            .cloned();
        assert!(last.is_some_and(|l| l.ends_with(&format!(" moves {sent}"))));
    }
    let options: Vec<String> = beast.sent();
    let told: Vec<_> = options.iter().filter(|l| l.contains("Chess960")).collect();
    assert_eq!(told, ["setoption name UCI_Chess960 value true"]);
    beast.found_only(&[]);
}

#[tokio::test]
async fn n45_the_kings_step_in_chess960() {
    let mut beast = chess("king-to-square").await;
    let start = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
    let line = AnyLine::new(Game::Chess, "chess960", start).expect("a position");
    let outcome = beast.search(&line, &only("e1b1")).await;
    assert_eq!(outcome.text.as_deref(), Some("e1c1"));
    assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("e1b1"));
    beast.found_only(&["castling-form"]);
}

#[tokio::test]
async fn king_takes_rook_outside_chess960() {
    let mut beast = chess("king-takes-rook").await;
    let line = at("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let outcome = beast.search(&line, &only("e1c1")).await;
    assert_eq!(outcome.text.as_deref(), Some("e1a1"));
    assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("e1c1"));
    beast.found_only(&["castling-form"]);
}

#[tokio::test]
async fn moves_as_people_write_them() {
    let mut beast = chess("san").await;
    let start = AnyLine::start(Game::Chess);
    let outcome = beast.search(&start, &only("g1f3")).await;
    assert_eq!(outcome.best().map(|m| m.text.as_str()), Some("g1f3"));
    beast.found_only(&["move-form"]);
}

#[tokio::test]
async fn an_illegal_move() {
    let mut beast = chess("illegal").await;
    let outcome = beast.think().await;
    assert!(matches!(outcome.answer, Answer::Illegal(_)), "{outcome:?}");
    assert_eq!(outcome.text.as_deref(), Some("a1b7"));
    beast.found_only(&["illegal-move"]);
}

#[tokio::test]
async fn a_bestmove_without_a_move() {
    let mut beast = chess("no-move-word").await;
    let outcome = beast.think().await;
    assert!(matches!(outcome.answer, Answer::Illegal(_)), "{outcome:?}");
    assert!(beast.found(Code::MissingMove));
    let outcome = beast.search(&at(MATED), &Limits::depth(1)).await;
    assert_eq!(outcome.answer, Answer::NoMove);
}
