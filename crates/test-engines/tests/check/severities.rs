//! How bad findings are: what ends a game is an error wherever it is seen.

use std::ops::ControlFlow;

use quadrille_check::{Finding, Role, Selection, check};
use quadrille_games::Game;
use quadrille_protocol::Severity;

use super::inside::{settings, subject};

/// What a mutant of chess is found to do.
async fn findings(mutant: &str, only: &str) -> Vec<Finding> {
    let selection = Selection::new(Role::Engine, [only], []).expect("names of checks");
    let mut settings = settings(selection);
    settings.whole_probes = false;
    let subject = subject(Game::Chess, mutant);
    let report = check(&subject, &settings, &mut |_| ControlFlow::Continue(())).await;
    report.findings
}

async fn severity(mutant: &str, only: &str) -> (Severity, String) {
    let found = findings(mutant, only).await;
    assert_eq!(found.len(), 1, "{mutant}: {found:#?}");
    assert_eq!(found[0].id, only, "{mutant}");
    (found[0].severity, found[0].seen.clone())
}

#[tokio::test]
async fn an_engine_that_ends_is_an_error_wherever_it_does() {
    for (mutant, only) in [
        ("terminal.mate/ends", "terminal.mate"),
        ("clock.negative/ends", "clock.negative"),
        ("options.set-words", "options.set-words"),
        ("input.bad-position", "input.bad-position"),
        ("misuse.setoption", "misuse.setoption"),
    ] {
        let (severity, seen) = severity(mutant, only).await;
        assert_eq!(severity, Severity::Error, "{mutant}: {seen}");
        assert!(seen.contains("the engine ended"), "{mutant}: {seen}");
    }
}

#[tokio::test]
async fn an_engine_that_never_answers_is_an_error_wherever_it_does_not() {
    for (mutant, only, words) in [
        ("misuse.setoption/deaf", "misuse.setoption", "no bestmove"),
        ("input.bad-move/deaf", "input.bad-move", "isready was not"),
    ] {
        let (severity, seen) = severity(mutant, only).await;
        assert_eq!(severity, Severity::Error, "{mutant}: {seen}");
        assert!(seen.contains(words), "{mutant}: {seen}");
    }
}

#[tokio::test]
async fn what_is_answered_late_is_no_worse_than_the_table_says() {
    let (severity, _) = severity("terminal.mate", "terminal.mate").await;
    assert_eq!(severity, Severity::Warning);
}

#[tokio::test]
async fn what_must_be_is_an_error_where_it_is_not() {
    for id in [
        "handshake.id-author",
        "handshake.late",
        "bestmove.castling",
        "life.end-of-input",
    ] {
        assert_eq!(severity(id, id).await.0, Severity::Error, "{id}");
    }
}

/// The host breaks a rule here: `bestmove` says that the engine is ready again.
#[tokio::test]
async fn an_engine_that_ignores_a_go_before_its_bestmove_is_right() {
    let (severity, seen) = severity("stop.pipelined", "stop.pipelined").await;
    assert_eq!((severity, &*seen), (Severity::Note, "no second bestmove"));
}
