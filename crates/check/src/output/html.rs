//! A report as one page that needs nothing else: no script, no address.

use std::fmt::Write;

use super::super::report::{Finding, Report, Voice};
use super::super::table;
use super::{escaped, seconds};

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\
details{border:1px solid #8886;border-radius:.4rem;margin:.5rem 0;padding:.5rem .8rem}\
summary{cursor:pointer}code,pre{font:.85rem/1.45 ui-monospace,monospace}\
pre{overflow-x:auto;padding:.6rem;background:#8881;border-radius:.3rem}\
dt{font-weight:600}dd{margin:0 0 .5rem}\
.error{color:#c62828}.warning{color:#b26a00}.note{color:#1769aa}\
.host{font-weight:600}.aside{opacity:.6;font-style:italic}\
table{border-collapse:collapse}td,th{padding:.15rem .8rem .15rem 0;text-align:left}\
@media (prefers-color-scheme:dark){.error{color:#ff8a80}.warning{color:#ffcc80}.note{color:#90caf9}}";

/// The whole page.
pub fn html(report: &Report) -> String {
    let title = escaped(&format!("Check of {}", report.subject.name));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    );
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "<p>{}</p>\n<p><code>{}</code>, {}, {:.0} s</p>",
        escaped(&report.score_line()),
        escaped(&report.subject.command),
        report.subject.dialect,
        report.seconds
    );
    if report.findings.is_empty() {
        out += "<p>Nothing was found.</p>\n";
    }
    for finding in report.findings.iter().filter(|f| f.because.is_none()) {
        let follows = |other: &&Finding| other.because.as_ref() == Some(&finding.id);
        let others: Vec<&Finding> = report.findings.iter().filter(follows).collect();
        write_finding(&mut out, finding, &others);
    }
    write_measures(&mut out, report);
    write_list(
        &mut out,
        "Passed",
        report.passed.iter().map(|id| (id.as_str(), "")),
    );
    let skipped = report
        .skipped
        .iter()
        .map(|s| (s.id.as_str(), s.why.as_str()));
    write_list(&mut out, "Not applicable", skipped);
    out += "</body></html>\n";
    out
}

fn write_finding(out: &mut String, finding: &Finding, others: &[&Finding]) {
    let severity = finding.severity;
    let _ = writeln!(
        out,
        "<details id=\"{id}\"><summary><span class=\"{severity}\">{severity}</span> \
         <code>{id}</code> {}</summary><dl><dt>Seen</dt><dd>{}</dd>\
         <dt>Rule</dt><dd>{} <em>({}, {})</em></dd><dt>How to mend it</dt><dd>{}</dd></dl>",
        escaped(&finding.title),
        escaped(&finding.seen),
        escaped(&finding.clause.says),
        escaped(&finding.clause.document),
        escaped(&finding.clause.section),
        escaped(&finding.hint),
        id = escaped(&finding.id),
    );
    if finding.accepted {
        out.push_str("<p>The baseline accepts it.</p>");
    }
    if let Some(command) = &finding.reproduce {
        let _ = writeln!(out, "<p>Try it: <code>{}</code></p>", escaped(command));
    }
    if !others.is_empty() {
        out.push_str("<p>Because of it:</p><ul>\n");
        for other in others {
            let (id, seen) = (escaped(&other.id), escaped(&other.seen));
            let severity = other.severity;
            let _ = writeln!(
                out,
                "<li id=\"{id}\"><span class=\"{severity}\">{severity}</span> <code>{id}</code> {seen}</li>"
            );
        }
        out.push_str("</ul>\n");
    }
    if !finding.transcript.is_empty() {
        out.push_str("<pre>");
        for line in &finding.transcript {
            let (class, mark) = match line.by {
                Voice::Host => ("host", "&gt;"),
                Voice::Engine => ("engine", "&lt;"),
                Voice::Note => ("aside", "*"),
            };
            let _ = writeln!(
                out,
                "<span class=\"{class}\">{:>9} {mark} {}</span>",
                seconds(line.micros),
                escaped(&line.text)
            );
        }
        out.push_str("</pre>");
    }
    out.push_str("</details>\n");
}

fn write_measures(out: &mut String, report: &Report) {
    if report.measures.is_empty() {
        return;
    }
    out.push_str(
        "<h2>Measured</h2><table><tr><th>What</th><th>Times</th><th>Median</th>\
         <th>90 %</th><th>Worst</th></tr>\n",
    );
    for measure in &report.measures {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.1}</td><td>{:.1}</td></tr>",
            escaped(&measure.what),
            measure.count,
            measure.median,
            measure.p90,
            measure.worst
        );
    }
    out.push_str("</table>\n");
}

fn write_list<'a>(out: &mut String, title: &str, list: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut body = String::new();
    let mut count = 0;
    for (id, why) in list {
        count += 1;
        let what = table::find(id).map_or("", |check| check.title);
        let why = if why.is_empty() {
            String::new()
        } else {
            format!(" <em>{}</em>", escaped(why))
        };
        let _ = writeln!(
            body,
            "<li><code>{}</code> {}{why}</li>",
            escaped(id),
            escaped(what)
        );
    }
    if count > 0 {
        let _ = writeln!(
            out,
            "<details><summary>{title} ({count})</summary><ul>\n{body}</ul></details>"
        );
    }
}
