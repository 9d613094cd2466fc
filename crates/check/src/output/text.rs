//! A report for a terminal.

use std::fmt::Write;

use quadrille_net::sanitize::{cut, one_line};
use quadrille_protocol::{Dialect, Severity};

use super::super::report::{Finding, Report, Role, Spoken, Voice};
use super::super::select::Selection;
use super::super::table::{self, Check};
use super::seconds;

/// How much is shown of what was seen of a finding that follows from another.
const SEEN: usize = 90;

/// The report: the score, every finding with its rule and its transcript, what
/// was measured. With `colour`, severities stand out.
pub fn text(report: &Report, colour: bool) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "{}", report.score_line());
    for unknown in &report.unknown_options {
        let _ = writeln!(
            out,
            "{} {}",
            paint(Severity::Warning, colour),
            one_line(unknown)
        );
    }
    for finding in report.findings.iter().filter(|f| f.because.is_none()) {
        out.push('\n');
        write_finding(&mut out, finding, colour);
        let follows = |other: &&Finding| other.because.as_ref() == Some(&finding.id);
        for other in report.findings.iter().filter(follows) {
            let (severity, seen) = (other.severity, cut(&other.seen, SEEN));
            let _ = writeln!(out, "  also:  {severity} {}: {seen}", other.id);
        }
    }
    if !report.outdated.is_empty() {
        let ids = report.outdated.join(", ");
        let _ = writeln!(out, "\naccepted by the baseline, and passed: {ids}");
    }
    if !report.measures.is_empty() {
        out.push('\n');
    }
    for measure in &report.measures {
        let _ = writeln!(
            out,
            "measured {}: {:.0} in the middle of {}, {:.0} nine times in ten, {:.0} at worst",
            measure.what, measure.median, measure.count, measure.p90, measure.worst
        );
    }
    if report.restarts > 0 {
        let times = if report.restarts == 1 {
            "once"
        } else {
            "times"
        };
        let count = if report.restarts == 1 {
            String::new()
        } else {
            format!("{} ", report.restarts)
        };
        let _ = writeln!(out, "the engine had to be started again {count}{times}");
    }
    let _ = writeln!(out, "\n{} ({:.0} s)", report.score_line(), report.seconds);
    out
}

fn paint(severity: Severity, colour: bool) -> String {
    let word = format!("{severity:<8}");
    let code = match severity {
        Severity::Error => "31",
        Severity::Warning => "33",
        Severity::Note => "36",
    };
    if colour {
        format!("\x1b[{code}m{word}\x1b[0m")
    } else {
        word
    }
}

fn write_finding(out: &mut String, finding: &Finding, colour: bool) {
    let severity = paint(finding.severity, colour);
    let accepted = if finding.accepted { " (accepted)" } else { "" };
    let _ = writeln!(
        out,
        "{severity} {}  {}{accepted}",
        finding.id, finding.title
    );
    let times = if finding.count > 1 {
        format!(" ({} times)", finding.count)
    } else {
        String::new()
    };
    let _ = writeln!(out, "  seen:  {}{times}", one_line(&finding.seen));
    let clause = &finding.clause;
    let _ = writeln!(
        out,
        "  rule:  {}: {} ({})",
        clause.section, clause.says, clause.document
    );
    let _ = writeln!(out, "  mend:  {}", finding.hint);
    if let Some(command) = &finding.reproduce {
        let _ = writeln!(out, "  try:   {}", one_line(command));
    }
    for line in &finding.transcript {
        let _ = writeln!(out, "  {}", spoken(line));
    }
}

/// `   0.123 > isready`.
fn spoken(line: &Spoken) -> String {
    let mark = match line.by {
        Voice::Host => ">",
        Voice::Engine => "<",
        Voice::Note => "*",
    };
    format!(
        "{:>9} {mark} {}",
        seconds(line.micros),
        one_line(&line.text)
    )
}

/// The checks of a side that are selected, with their severities and rules.
pub fn list(role: Role, selection: &Selection) -> String {
    let mut out = String::new();
    let mut group = "";
    let mut count = 0;
    let wanted = |check: &&Check| check.role() == role && selection.has(check);
    for check in table::all().filter(wanted) {
        if check.group() != group {
            group = check.group();
            let _ = writeln!(out, "\n{group}");
        }
        let dialects: Vec<&str> = check.dialects.list().map(Dialect::name).collect();
        let severity = check.severity.to_string();
        let _ = writeln!(
            out,
            "  {:<30} {severity:<8} {:<22} {}",
            check.id,
            dialects.join(" "),
            check.title
        );
        count += 1;
    }
    let _ = writeln!(out, "\n{count} checks");
    out.trim_start().into()
}
