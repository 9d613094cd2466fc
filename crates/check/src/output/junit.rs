//! A report as `JUnit` XML, which build servers show as tests.

use std::fmt::Write;

use quadrille_protocol::Severity;

use super::super::report::{Finding, Report, Voice};
use super::{escaped, seconds};

/// The report as a suite of tests. What is found is a failure from this severity
/// on, and output of a passed test below it.
pub fn junit(report: &Report, from: Severity) -> String {
    let name = escaped(&format!("quadrille check {}", report.subject.name));
    let failures = report.findings.iter().filter(|f| fails(f, from)).count();
    let total = report.passed.len() + report.findings.len() + report.skipped.len();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "<testsuites>\n<testsuite name=\"{name}\" tests=\"{total}\" failures=\"{failures}\" \
         errors=\"0\" skipped=\"{}\" time=\"{:.3}\">",
        report.skipped.len(),
        report.seconds
    );
    for finding in &report.findings {
        case(&mut out, &finding.id, &broken(finding, from));
    }
    for id in &report.passed {
        case(&mut out, id, "");
    }
    for skipped in &report.skipped {
        let body = format!("<skipped message=\"{}\"/>", escaped(&skipped.why));
        case(&mut out, &skipped.id, &body);
    }
    out += "</testsuite>\n</testsuites>\n";
    out
}

/// Whether a finding fails its test.
fn fails(finding: &Finding, from: Severity) -> bool {
    finding.severity >= from && !finding.accepted
}

fn case(out: &mut String, id: &str, body: &str) {
    let group = id.split_once('.').map_or(id, |(group, _)| group);
    let (id, group) = (escaped(id), escaped(group));
    let _ = writeln!(
        out,
        "<testcase classname=\"{group}\" name=\"{id}\">{body}</testcase>"
    );
}

fn broken(finding: &Finding, from: Severity) -> String {
    let mut text = format!(
        "{}\nrule: {}, {}: {}\nmend: {}\n",
        finding.seen,
        finding.clause.document,
        finding.clause.section,
        finding.clause.says,
        finding.hint
    );
    if let Some(other) = &finding.because {
        let _ = writeln!(text, "because of: {other}");
    }
    if finding.accepted {
        text += "accepted by the baseline\n";
    }
    if let Some(command) = &finding.reproduce {
        let _ = writeln!(text, "try: {command}");
    }
    for line in &finding.transcript {
        let mark = match line.by {
            Voice::Host => '>',
            Voice::Engine => '<',
            Voice::Note => '*',
        };
        let _ = writeln!(text, "{} {mark} {}", seconds(line.micros), line.text);
    }
    let text = escaped(&text);
    if fails(finding, from) {
        let message = escaped(&format!("{}: {}", finding.title, finding.seen));
        format!(
            "<failure message=\"{message}\" type=\"{}\">{text}</failure>",
            finding.severity
        )
    } else {
        format!("<system-out>{}: {text}</system-out>", finding.severity)
    }
}
