//! Findings that are known and accepted: a pipeline fails for new ones alone.
//!
//! ```text
//! # quadrille check ./engine, 5 findings
//! error   go.nodes            # no bestmove until stop was sent
//! warning input.tabs
//! ```

use std::fmt::Write as _;

use quadrille_client::spelling::nearest;
use quadrille_net::sanitize::one_line;
use quadrille_protocol::Severity;
use thiserror::Error;

use super::report::Report;
use super::table;

/// Findings that are accepted, each up to a severity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    accepted: Vec<(String, Severity)>,
}

/// A line of a baseline that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct BaselineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Baseline {
    /// Reads a baseline: a severity and the name of a check on each line; what is behind
    /// `#` is a remark.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let mut accepted = Vec::new();
        // Editors on Windows put a byte order mark before a text in UTF-8.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, whole) in text.lines().enumerate() {
            let failed = |what: String| BaselineError {
                line: index + 1,
                what,
            };
            let plain = whole.split('#').next().unwrap_or_default();
            let words: Vec<&str> = plain.split_whitespace().collect();
            let (severity, id) = match words[..] {
                [] => continue,
                [severity, id] => (severity, id),
                _ => {
                    let what = "a severity and the name of a check are expected, \
                                such as 'error go.depth'";
                    return Err(failed(what.into()));
                }
            };
            let known = [Severity::Error, Severity::Warning, Severity::Note];
            let found = known
                .into_iter()
                .find(|known| known.to_string() == severity);
            let Some(severity) = found else {
                let what = format!("unknown severity '{severity}': use error, warning or note");
                return Err(failed(what));
            };
            if table::find(id).is_none() {
                let near = nearest(id, table::all().map(|check| check.id));
                let hint =
                    near.map_or_else(String::new, |near| format!(": did you mean '{near}'?"));
                return Err(failed(format!("unknown check '{id}'{hint}")));
            }
            accepted.push((id.to_owned(), severity));
        }
        Ok(Self { accepted })
    }

    /// A baseline that accepts all findings of a report.
    pub fn text_of(report: &Report) -> String {
        let mut out = format!(
            "# quadrille check {}, {} findings. Severity and check on each line; \
             a finding that becomes worse is not accepted.\n",
            one_line(&report.subject.command),
            report.findings.len()
        );
        let mut findings: Vec<_> = report.findings.iter().collect();
        findings.sort_by(|a, b| a.id.cmp(&b.id));
        for finding in findings {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{:<7} {:<28} # {}",
                finding.severity.to_string(),
                finding.id,
                one_line(&finding.seen)
            );
        }
        out
    }

    /// Marks the findings of a report that are accepted, and lists those that are accepted
    /// and were passed.
    pub fn apply(&self, report: &mut Report) {
        for finding in &mut report.findings {
            let accepts =
                |(id, most): &(String, Severity)| *id == finding.id && *most >= finding.severity;
            finding.accepted = self.accepted.iter().any(accepts);
        }
        report.score.accepted = report.findings.iter().filter(|f| f.accepted).count();
        let passed = |(id, _): &&(String, Severity)| report.passed.contains(id);
        let outdated = self.accepted.iter().filter(passed);
        report.outdated = outdated.map(|(id, _)| id.clone()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_severity_and_a_check() {
        let text = "# remark\n\nerror go.depth # never ends\n  note   go.nodes\n";
        let read = Baseline::read(text).expect("a baseline");
        let wanted = [
            ("go.depth".to_owned(), Severity::Error),
            ("go.nodes".to_owned(), Severity::Note),
        ];
        assert_eq!(read.accepted, wanted);
        for marked in [
            format!("\u{feff}{text}"),
            text.replace("# remark\n\n", "\u{feff}"),
        ] {
            let read = Baseline::read(&marked).expect("a baseline with a byte order mark");
            assert_eq!(read.accepted, wanted);
        }
        let said = |text: &str| Baseline::read(text).expect_err("wrong").to_string();
        assert_eq!(
            said("error go.depth\nerror go.dept\n"),
            "line 2: unknown check 'go.dept': did you mean 'go.depth'?"
        );
        assert!(said("go.depth\n").starts_with("line 1: a severity and the name"));
        assert!(said("bad go.depth\n").contains("unknown severity 'bad'"));
    }
}
