//! What a check came to, as values: for a terminal, a file, a page.
//!
//! Everything here is serialised as it stands. Fields are added, never renamed;
//! [`Report::version`] counts the changes that a reader has to know about.

use std::fmt::Write;

use quadrille_games::Game;
use quadrille_protocol::{Dialect, Severity};
use serde::{Deserialize, Serialize};

use super::table::{self, Check};

/// The form of [`Report`] that this program writes.
pub const REPORT_VERSION: u32 = 1;

/// The whole of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The form of this value: [`REPORT_VERSION`].
    pub version: u32,
    /// Who was checked.
    pub subject: Examined,
    /// What is wrong: the worst first, then in the order of the table.
    pub findings: Vec<Finding>,
    /// The ids of the checks that were passed, in the order of the table.
    pub passed: Vec<String>,
    /// The checks that could not be made, and why.
    pub skipped: Vec<Skipped>,
    /// What was measured on the way.
    pub measures: Vec<Measure>,
    /// The sum of it.
    pub score: Tally,
    /// How often the engine had to be started again because it had died or hung.
    pub restarts: u32,
    /// How long the check took, in seconds.
    pub seconds: f64,
    /// Whether all that was asked for was looked at; a check that was broken off
    /// has `false`.
    pub complete: bool,
    /// Options that were to be set and that the engine does not have, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_options: Vec<String>,
    /// Why the program could not be started at all: nothing is known about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_started: Option<String>,
    /// Checks whose findings a baseline accepts, and that were passed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outdated: Vec<String>,
}

/// Which side of the conversation was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A program that plays.
    Engine,
    /// A program that talks to engines.
    Host,
}

/// Who was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Examined {
    /// Engine or host.
    pub role: Role,
    /// What it calls itself, or the name of its program.
    pub name: String,
    /// Its author, as it says.
    pub author: Option<String>,
    /// The program and its arguments.
    pub command: String,
    /// What it was spoken to in.
    pub dialect: Dialect,
    /// What it plays.
    pub game: Game,
}

/// A rule that was broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable name of the check: `go.depth`.
    pub id: String,
    /// What its name begins with: `go`.
    pub group: String,
    /// How bad it is.
    pub severity: Severity,
    /// What an engine should do.
    pub title: String,
    /// The rule.
    pub clause: Clause,
    /// What was seen instead.
    pub seen: String,
    /// How often that was seen.
    pub count: u32,
    /// How to mend it.
    pub hint: String,
    /// The part of the conversation that shows it.
    pub transcript: Vec<Spoken>,
    /// The finding that this one follows from: the same fault, seen where something else
    /// was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// A command for a shell that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproduce: Option<String>,
    /// A baseline accepts it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub accepted: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Where a rule stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// The document.
    pub document: String,
    /// The section or command in it.
    pub section: String,
    /// What it says, in our words.
    pub says: String,
}

/// One line of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// Microseconds since the engine was started.
    pub micros: u64,
    /// Who said it.
    pub by: Voice,
    /// The line, without its end; what is no text is written out.
    pub text: String,
}

/// Who said a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Voice {
    /// The side that asks.
    Host,
    /// The side that plays.
    Engine,
    /// Neither: what happened, such as the end of a process.
    Note,
}

/// A check that was not made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub id: String,
    /// Why.
    pub why: String,
}

/// Something that was measured several times, in milliseconds unless it says
/// otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// What, in a few words.
    pub what: String,
    /// How often.
    pub count: usize,
    /// Half of them are not above this.
    pub median: f64,
    /// Nine of ten are not above this.
    pub p90: f64,
    /// None is above this.
    pub worst: f64,
}

/// How many of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Checks that were passed.
    pub passed: usize,
    /// Errors that were found.
    pub errors: usize,
    /// Warnings that were found.
    pub warnings: usize,
    /// Notes that were found.
    pub notes: usize,
    /// Checks that were not made.
    pub skipped: usize,
    /// Of these, the ones for which the machine was too busy.
    #[serde(default)]
    pub unjudged: usize,
    /// Findings that follow from others.
    #[serde(default)]
    pub folded: usize,
    /// Findings that a baseline accepts.
    #[serde(default)]
    pub accepted: usize,
}

impl Tally {
    /// Checks that came to a verdict.
    pub const fn judged(&self) -> usize {
        self.passed + self.errors + self.warnings + self.notes
    }

    /// All checks that were asked for: the same in every run.
    pub const fn checks(&self) -> usize {
        self.judged() + self.skipped
    }

    /// The worst that was found.
    pub const fn worst(&self) -> Option<Severity> {
        match (self.errors, self.warnings, self.notes) {
            (1.., ..) => Some(Severity::Error),
            (0, 1.., _) => Some(Severity::Warning),
            (0, 0, 1..) => Some(Severity::Note),
            (0, 0, 0) => None,
        }
    }
}

impl Finding {
    pub(super) fn new(check: &'static Check, dialect: Dialect) -> Self {
        Self {
            id: check.id.into(),
            group: check.group().into(),
            severity: check.severity,
            title: check.title.into(),
            clause: check.clause(dialect),
            seen: String::new(),
            count: 0,
            hint: check.hint.into(),
            transcript: Vec::new(),
            because: None,
            reproduce: None,
            accepted: false,
        }
    }
}

impl Measure {
    /// `None` if nothing was measured.
    pub(super) fn of(what: &str, mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (share * values.len() as f64).ceil() as usize;
            values.get(place.saturating_sub(1)).copied()
        };
        Some(Self {
            what: what.into(),
            count: values.len(),
            median: at(0.5)?,
            p90: at(0.9)?,
            worst: at(1.0)?,
        })
    }
}

impl Report {
    /// The score on one line: `Toy 1.0: 221 of 290 checks passed, 1 error, 1 warning, 67 not
    /// applicable`. The number of checks is the same in every run.
    pub fn score_line(&self) -> String {
        let score = &self.score;
        let count = |number: usize, word: &str| match number {
            1 => format!(", 1 {word}"),
            _ => format!(", {number} {word}s"),
        };
        let mut line = format!(
            "{}: {} of {} checks passed",
            quadrille_net::sanitize::one_line(&self.subject.name),
            score.passed,
            score.checks()
        );
        for (number, word) in [
            (score.errors, "error"),
            (score.warnings, "warning"),
            (score.notes, "note"),
        ] {
            if number > 0 || word == "error" {
                line += &count(number, word);
            }
        }
        for (number, words) in [
            (
                score.skipped.saturating_sub(score.unjudged),
                "not applicable",
            ),
            (score.unjudged, "could not be judged"),
        ] {
            if number > 0 {
                // Writing to a string cannot fail.
                let _ = write!(line, ", {number} {words}");
            }
        }
        for (number, words) in [
            (score.folded, "because of others"),
            (score.accepted, "accepted"),
        ] {
            if number > 0 {
                // Writing to a string cannot fail.
                let _ = write!(line, "; {number} {words}");
            }
        }
        if !self.complete {
            line += ", broken off";
        }
        line
    }

    /// The worst of the findings that no baseline accepts.
    pub fn worst(&self) -> Option<Severity> {
        let fresh = self.findings.iter().filter(|finding| !finding.accepted);
        fresh.map(|finding| finding.severity).max()
    }

    /// Whether a finding is at least as bad as this.
    pub fn has(&self, severity: Severity) -> bool {
        self.score.worst().is_some_and(|worst| worst >= severity)
    }

    /// The check of a finding or of a name in [`passed`](Self::passed), where
    /// this version of the program has it.
    pub fn check(&self, id: &str) -> Option<&'static Check> {
        table::find(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let measure = Measure::of("x", (1..=10).map(f64::from).collect()).expect("values");
        assert_eq!(
            (measure.median, measure.p90, measure.worst, measure.count),
            (5.0, 9.0, 10.0, 10)
        );
        let single = Measure::of("x", vec![7.5]).expect("a value");
        assert_eq!((single.median, single.p90, single.worst), (7.5, 7.5, 7.5));
        assert_eq!(Measure::of("x", Vec::new()), None);
    }
}
