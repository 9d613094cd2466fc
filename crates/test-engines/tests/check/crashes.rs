//! An engine that ends because of what came before has a finding that says so, and a command
//! that shows it.

use std::ops::ControlFlow;

use quadrille_check::{Finding, Report, Role, Selection, Subject, check};
use quadrille_games::Game;

use super::inside::{settings, subject};

/// The model, which ends with its fifth search.
const LATER: &str = "games.survive/later";

async fn examine(subject: &Subject, only: &[&str]) -> Report {
    let selection = Selection::new(Role::Engine, only.iter().copied(), []).expect("names");
    let mut settings = settings(selection);
    settings.whole_probes = false;
    check(subject, &settings, &mut |_| ControlFlow::Continue(())).await
}

fn ids(report: &Report) -> Vec<&str> {
    report.findings.iter().map(|f| f.id.as_str()).collect()
}

const BEFORE: &str = "this scene alone does not end it, it needs what came before: \
                      position.start, position.fen, position.fen-black, position.fen-moves, position.latest";

#[tokio::test]
async fn a_crash_that_needs_earlier_scenes_is_not_held_against_the_last() {
    let subject = subject(Game::Chess, LATER);
    let report = examine(&subject, &["position", "games.survive"]).await;
    assert_eq!(ids(&report), ["games.survive"], "{:#?}", report.findings);
    let Finding { seen, count, .. } = &report.findings[0];
    assert!(
        seen.contains(&format!(", in position.latest; {BEFORE}")),
        "{seen}"
    );
    assert!(*count > 1, "{count}");
    // What was not asked about is not shown: then the scene has the finding.
    let report = examine(&subject, &["position.latest"]).await;
    assert_eq!(ids(&report), ["position.latest"], "{:#?}", report.findings);
    assert!(report.findings[0].seen.contains(BEFORE));
}

/// What was sent in a long scene is kept for another start of the engine, though it makes no
/// command that anybody would paste.
#[tokio::test]
async fn a_crash_in_a_long_scene_is_tried_alone_too() {
    let subject = subject(Game::Chess, "games.survive/long");
    let report = examine(&subject, &["input", "games.survive"]).await;
    assert_eq!(ids(&report), ["games.survive"], "{:#?}", report.findings);
    let Finding { seen, .. } = &report.findings[0];
    let wanted = ", in input.long-line; this scene alone does not end it";
    assert!(seen.contains(wanted), "{seen}");
}

#[tokio::test]
async fn a_crash_that_its_scene_shows_alone_is_a_finding_of_its_scene() {
    let subject = subject(Game::Chess, "position.empty-moves");
    let report = examine(&subject, &["position", "games.survive"]).await;
    assert_eq!(
        ids(&report),
        ["position.empty-moves"],
        "{:#?}",
        report.findings
    );
    assert!(!report.findings[0].seen.contains("alone"));
}

#[cfg(unix)]
#[tokio::test]
async fn the_command_of_such_a_crash_shows_it() {
    let subject = Subject {
        spec: quadrille_driver::spec::EngineSpec {
            command: env!("CARGO_BIN_EXE_model").into(),
            args: vec![LATER.into()],
            ..Default::default()
        },
        game: Game::Chess,
        opener: None,
    };
    let report = examine(&subject, &["position.latest"]).await;
    assert_eq!(ids(&report), ["position.latest"], "{:#?}", report.findings);
    let command = report.findings[0].reproduce.as_deref().expect("a command");
    let shown = || {
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", command]).output().expect("a shell");
        // The exit code of the model. On a busy machine it may answer too late.
        output.status.code() == Some(3)
    };
    assert!((0..3).any(|_| shown()), "{command}");
}
