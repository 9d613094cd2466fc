//! Reports as files: what an engine said stays text everywhere.

use std::ops::ControlFlow;

use quadrille_check::{Event, Report, Role, Selection, check, output};
use quadrille_games::Game;
use quadrille_protocol::Severity;

use super::inside::{settings, subject};

/// A report with findings of all kinds, and an engine with an evil name.
async fn report() -> Report {
    let selection = Selection::new(Role::Engine, ["go.depth,options.hash,info.words"], []);
    let settings = settings(selection.expect("names of checks"));
    let subject = subject(Game::Chess, "info.words");
    let mut report = check(&subject, &settings, &mut |_| ControlFlow::Continue(())).await;
    report.subject.name = "<script>alert(1)</script>\x1b[31m".into();
    for finding in &mut report.findings {
        finding.seen = "]]>\"'&<b>\x07".into();
    }
    report
}

#[tokio::test]
async fn pages_and_files_hold_nothing_that_acts() {
    let report = report().await;
    assert!(!report.findings.is_empty());
    let page = output::html(&report);
    assert!(!page.contains("<script") && !page.contains("<b>") && page.contains("&lt;script&gt;"));
    let junit = output::junit(&report, Severity::Warning);
    assert!(junit.contains("<failure") && !junit.contains("<b>") && !junit.contains('\x07'));
    let text = output::text(&report, false);
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
    let sarif: serde_json::Value =
        serde_json::from_str(&output::sarif(&report, "README.md")).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "info.words");
    assert_eq!(sarif["runs"][0]["results"][0]["level"], "warning");
}

#[tokio::test]
async fn a_report_is_read_as_it_is_written() {
    let report = report().await;
    let text = serde_json::to_string(&report).expect("JSON");
    let again: Report = serde_json::from_str(&text).expect("the same form");
    assert_eq!(again, report);
    assert_eq!(report.version, 1);
    let finding = &report.findings[0];
    // The model says it in two of the searches of the probe.
    assert_eq!((finding.group.as_str(), finding.count), ("info", 2));
    assert!(!finding.transcript.is_empty() && !finding.clause.says.is_empty());
}

#[tokio::test]
async fn a_check_can_be_broken_off() {
    let mut probes = 0;
    let settings = settings(Selection::default());
    let subject = subject(Game::Chess, "");
    let report = check(&subject, &settings, &mut |event| {
        if matches!(event, Event::Probe { .. }) {
            probes += 1;
        }
        if probes < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })
    .await;
    assert!(!report.complete && report.score_line().ends_with("broken off"));
    assert_eq!(probes, 3);
    assert!(report.passed.iter().any(|id| id == "handshake.uciok"));
}

#[test]
fn every_check_is_listed() {
    let list = output::list(Role::Engine, &Selection::default());
    assert!(list.contains("go.depth ") && list.contains("ugi.max-ply"));
    assert!(!list.contains("host."));
    assert!(output::list(Role::Host, &Selection::default()).contains("host.quit"));
}
