//! What takes a process of its own: the model as a program.

#![cfg(target_os = "linux")]

use std::ops::ControlFlow;

use quadrille_check::{Report, Role, Selection, Subject, check};
use quadrille_driver::spec::EngineSpec;
use quadrille_games::Game;

use super::inside::settings;
use super::matrix::NEED_A_PROCESS;

async fn examine(mutant: &str, only: &[&str]) -> Report {
    let selection = Selection::new(Role::Engine, only.iter().copied(), []);
    let settings = settings(selection.expect("names of checks"));
    let subject = Subject {
        spec: EngineSpec {
            command: env!("CARGO_BIN_EXE_model").into(),
            args: vec![mutant.into()],
            ..EngineSpec::default()
        },
        game: Game::Chess,
        opener: None,
    };
    check(&subject, &settings, &mut |_| ControlFlow::Continue(())).await
}

#[tokio::test]
async fn mutants_that_are_processes_fail_their_check_and_nothing_else() {
    for id in NEED_A_PROCESS {
        let report = examine(id, &[id]).await;
        let found: Vec<&str> = report.findings.iter().map(|f| f.id.as_str()).collect();
        assert_eq!(found, [id], "{:#?}", report.findings);
        println!("ok    {id:<30} {}", report.findings[0].seen);
    }
}

#[tokio::test]
async fn an_orphan_that_holds_the_pipe_open_is_an_orphan_and_the_engine_has_ended() {
    let started = std::time::Instant::now();
    let report = examine("life.orphans/pipe", &["life"]).await;
    let found: Vec<&str> = report.findings.iter().map(|f| f.id.as_str()).collect();
    assert_eq!(found, ["life.orphans"], "{:#?}", report.findings);
    assert!(
        report.findings[0].seen.contains("1 process"),
        "{:?}",
        report.findings[0]
    );
    println!("{:.1} s", started.elapsed().as_secs_f64());
}

#[tokio::test]
async fn a_process_that_is_started_at_quit_is_an_orphan() {
    let report = examine("life.orphans/quit", &["life"]).await;
    let found: Vec<&str> = report.findings.iter().map(|f| f.id.as_str()).collect();
    assert_eq!(found, ["life.orphans"], "{:#?}", report.findings);
    assert!(
        report.findings[0].seen.contains("1 process"),
        "{:?}",
        report.findings[0]
    );
}

#[tokio::test]
async fn the_model_keeps_these_rules_as_a_process() {
    let report = examine("", &NEED_A_PROCESS).await;
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    for id in NEED_A_PROCESS {
        assert!(report.passed.iter().any(|passed| passed == id), "{id}");
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_finding_and_the_run_goes_on() {
    let subject = Subject {
        spec: EngineSpec {
            command: "./no-such-engine".into(),
            ..EngineSpec::default()
        },
        game: Game::Chess,
        opener: None,
    };
    let settings = settings(Selection::default());
    let report = check(&subject, &settings, &mut |_| ControlFlow::Continue(())).await;
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
    assert_eq!(report.findings[0].id, "handshake.starts");
    assert!(report.complete && report.passed.is_empty());
}
