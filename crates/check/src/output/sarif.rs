//! A report as SARIF 2.1.0, which code hosts show beside the code.

use quadrille_protocol::Severity;
use serde_json::{Value, json};

use super::super::report::{Finding, Report, Voice};
use super::seconds;

/// The report as a SARIF log. `file` is what findings are shown at: a file of the
/// repository, since the rules are about no line of code.
pub fn sarif(report: &Report, file: &str) -> String {
    let rules: Vec<Value> = report.findings.iter().map(rule).collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .enumerate()
        .map(|(index, finding)| result(index, finding, file))
        .collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "quadrille check",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
            "properties": { "score": report.score_line() },
        }],
    });
    // A value without odd keys can be written.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn rule(finding: &Finding) -> Value {
    json!({
        "id": finding.id,
        "shortDescription": { "text": finding.title },
        "fullDescription": { "text": format!(
            "{}, {}: {}",
            finding.clause.document, finding.clause.section, finding.clause.says
        )},
        "help": { "text": finding.hint },
        "defaultConfiguration": { "level": level(finding.severity) },
    })
}

fn result(index: usize, finding: &Finding, file: &str) -> Value {
    let lines: Vec<String> = finding
        .transcript
        .iter()
        .map(|line| {
            let mark = match line.by {
                Voice::Host => '>',
                Voice::Engine => '<',
                Voice::Note => '*',
            };
            format!("{} {mark} {}", seconds(line.micros), line.text)
        })
        .collect();
    let because = finding.because.as_ref();
    let because = because.map_or_else(String::new, |other| format!(" (because of {other})"));
    let command = finding.reproduce.as_ref();
    let command = command.map_or_else(String::new, |command| format!("\nTry: {command}"));
    let mut result = json!({
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": level(finding.severity),
        "message": { "text": format!(
            "{}. Seen: {}{because}. {}{command}\n{}",
            finding.title, finding.seen, finding.hint, lines.join("\n")
        )},
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": file },
            "region": { "startLine": 1 },
        }}],
        "partialFingerprints": { "check": finding.id },
    });
    if finding.accepted {
        result["suppressions"] = json!([{ "kind": "external" }]);
    }
    result
}
