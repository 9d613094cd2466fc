//! One fault that shows in many places is one finding, and the number of checks is the same
//! whatever an engine does.

use std::ops::ControlFlow;

use quadrille_check::{Finding, Report, Role, Selection, check, output, table};
use quadrille_games::Game;
use quadrille_protocol::Dialect;

use super::inside::{settings, subject};

async fn examine(mutant: &str, only: &[&str]) -> Report {
    let selection = Selection::new(Role::Engine, only.iter().copied(), []).expect("names");
    let mut settings = settings(selection);
    settings.whole_probes = only.is_empty();
    let subject = subject(Game::Chess, mutant);
    check(&subject, &settings, &mut |_| ControlFlow::Continue(())).await
}

#[tokio::test]
async fn what_follows_from_an_illegal_move_is_folded() {
    let report = examine("illegal", &[]).await;
    let folded: Vec<&Finding> = report
        .findings
        .iter()
        .filter(|finding| finding.because.is_some())
        .collect();
    let ids: Vec<&str> = folded.iter().map(|finding| &*finding.id).collect();
    assert!(folded.len() >= 40, "{}: {ids:?}", folded.len());
    assert_eq!(report.score.folded, folded.len());
    for finding in &folded {
        assert_eq!(
            finding.because.as_deref(),
            Some("bestmove.legal"),
            "{}",
            finding.id
        );
    }
    assert!(
        ids.contains(&"position.fen") && !ids.contains(&"bestmove.legal"),
        "{ids:?}"
    );
    // They are counted, and each is shown in a line.
    assert!(
        report.score.errors >= folded.len() / 2,
        "{:?}",
        report.score
    );
    let text = output::text(&report, false);
    assert_eq!(text.matches("\n  also:  ").count(), folded.len(), "{text}");
}

#[tokio::test]
async fn what_follows_from_a_second_answer_is_folded() {
    for (mutant, least) in [("double", 100), ("double/stop", 10)] {
        let report = examine(mutant, &[]).await;
        let stands = |finding: &&Finding| finding.because.is_none();
        let found: Vec<&Finding> = report.findings.iter().filter(stands).collect();
        let ids: Vec<&str> = found.iter().map(|finding| &*finding.id).collect();
        assert_eq!(ids, ["bestmove.once"], "{mutant}: {found:#?}");
        assert!(found[0].count >= least, "{mutant}: {}", found[0].count);
    }
}

#[tokio::test]
async fn the_number_of_checks_does_not_depend_on_the_engine() {
    let only = ["handshake", "multipv", "ponder"];
    let selection = Selection::new(Role::Engine, only, []).expect("names");
    let wanted = table::of(Role::Engine, Dialect::Uci);
    let wanted = wanted.filter(|check| selection.has(check)).count();
    for mutant in ["", "handshake.uciok", "multipv.count"] {
        let report = examine(mutant, &only).await;
        assert_eq!(
            report.score.checks(),
            wanted,
            "{mutant}: {:?}",
            report.score
        );
        let words = format!(" of {wanted} checks passed");
        assert!(
            report.score_line().contains(&words),
            "{}",
            report.score_line()
        );
    }
}

#[tokio::test]
async fn a_carriage_return_is_shown() {
    let report = examine("input.crlf", &["input.crlf"]).await;
    let lines = &report.findings[0].transcript;
    assert!(
        lines.iter().any(|line| line.text == "isready\\r"),
        "{lines:#?}"
    );
}
