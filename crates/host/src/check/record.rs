//! The verdicts of a check while it runs.

use std::collections::BTreeMap;

use quadrille_protocol::{Dialect, Severity};

use super::report::{Finding, Measure, Role, Skipped, Spoken, Tally};
use super::table::{self, Check};

/// What became of a check.
#[derive(Debug)]
enum Verdict {
    Passed,
    Failed(Box<Finding>),
    Skipped(String),
    /// The machine was too busy.
    Unjudged(String),
}

/// All verdicts so far. A failure stays a failure, whatever is passed later.
#[derive(Debug)]
pub(super) struct Record {
    dialect: Dialect,
    verdicts: BTreeMap<&'static str, Verdict>,
    pub(super) measures: Vec<Measure>,
    /// What was found since it was last asked for.
    fresh: Vec<&'static str>,
}

impl Record {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            verdicts: BTreeMap::new(),
            measures: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// The check of a name, where it holds in this dialect.
    fn holds(&self, id: &str) -> Option<&'static Check> {
        let check = table::find(id);
        debug_assert!(check.is_some(), "{id} is not in the table");
        check.filter(|check| check.dialects.has(self.dialect))
    }

    pub(super) fn pass(&mut self, id: &'static str) {
        let settled =
            |verdict: &Verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Unjudged(_));
        if self.holds(id).is_some() && !self.verdicts.get(id).is_some_and(settled) {
            self.verdicts.insert(id, Verdict::Passed);
        }
    }

    /// Says what was seen and shows where, the first time; counts afterwards. What is
    /// worse than all before it is shown in its place.
    pub(super) fn fail(
        &mut self,
        id: &'static str,
        least: Severity,
        seen: impl Into<String>,
        transcript: impl FnOnce() -> Vec<Spoken>,
    ) {
        let Some(check) = self.holds(id) else {
            return;
        };
        let severity = check.severity.max(least);
        let before = match self.verdicts.get_mut(id) {
            Some(Verdict::Failed(finding)) => {
                finding.count = finding.count.saturating_add(1);
                if severity <= finding.severity {
                    return;
                }
                finding.count
            }
            _ => 1,
        };
        let finding = Finding {
            severity,
            seen: seen.into(),
            count: before,
            transcript: transcript(),
            ..Finding::new(check, self.dialect)
        };
        if before == 1 {
            self.fresh.push(id);
        }
        self.verdicts.insert(id, Verdict::Failed(Box::new(finding)));
    }

    /// Only where there is no verdict.
    pub(super) fn skip(&mut self, id: &'static str, why: impl Into<String>) {
        if self.holds(id).is_some() {
            self.verdicts
                .entry(id)
                .or_insert_with(|| Verdict::Skipped(why.into()));
        }
    }

    /// The machine was too busy to see whether the rule was kept.
    pub(super) fn unjudge(&mut self, id: &'static str, why: &str) {
        let settled = matches!(
            self.verdicts.get(id),
            Some(Verdict::Failed(_) | Verdict::Unjudged(_))
        );
        if self.holds(id).is_some() && !settled {
            let words = format!("could not be judged: {why}");
            self.verdicts.insert(id, Verdict::Unjudged(words));
        }
    }

    pub(super) fn has_failed(&self, id: &str) -> bool {
        matches!(self.verdicts.get(id), Some(Verdict::Failed(_)))
    }

    /// The findings that are new since this was asked last.
    pub(super) fn news(&mut self) -> Vec<Finding> {
        let fresh = std::mem::take(&mut self.fresh);
        let found = |id: &&'static str| match self.verdicts.get(id) {
            Some(Verdict::Failed(finding)) => Some((**finding).clone()),
            _ => None,
        };
        fresh.iter().filter_map(found).collect()
    }

    /// Everything about the checks that are wanted, in the order of the table.
    pub(super) fn close(mut self, role: Role, wanted: impl Fn(&Check) -> bool) -> Closed {
        let mut closed = Closed::default();
        for check in table::of(role, self.dialect).filter(|check| wanted(check)) {
            let id = check.id.to_owned();
            match self.verdicts.remove(check.id) {
                Some(Verdict::Passed) => closed.passed.push(id),
                Some(Verdict::Failed(finding)) => closed.findings.push(*finding),
                Some(Verdict::Skipped(why)) => closed.skipped.push(Skipped { id, why }),
                Some(Verdict::Unjudged(why)) => {
                    closed.unjudged += 1;
                    closed.skipped.push(Skipped { id, why });
                }
                None => closed.skipped.push(Skipped {
                    id,
                    why: "nothing was seen to judge it by".into(),
                }),
            }
        }
        // The sort is stable: the order of the table stays.
        closed
            .findings
            .sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        closed.measures = self.measures;
        closed
    }
}

/// What goes into a report.
#[derive(Debug, Default)]
pub(super) struct Closed {
    pub(super) findings: Vec<Finding>,
    pub(super) passed: Vec<String>,
    pub(super) skipped: Vec<Skipped>,
    /// Of those that were skipped, those for which the machine was too busy.
    unjudged: usize,
    pub(super) measures: Vec<Measure>,
}

impl Closed {
    pub(super) fn tally(&self) -> Tally {
        let count = |severity| {
            let same = |finding: &&Finding| finding.severity == severity;
            self.findings.iter().filter(same).count()
        };
        Tally {
            passed: self.passed.len(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            skipped: self.skipped.len(),
            unjudged: self.unjudged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_stays_and_is_counted() {
        let mut record = Record::new(Dialect::Uci);
        record.skip("go.depth", "no reason");
        record.pass("go.depth");
        record.fail("go.depth", Severity::Note, "first", Vec::new);
        record.fail("go.depth", Severity::Note, "second", Vec::new);
        record.pass("go.depth");
        record.fail("ugi.start", Severity::Note, "another dialect", Vec::new);
        assert!(record.has_failed("go.depth"));
        assert_eq!(record.news().len(), 1);
        assert!(record.news().is_empty());
        let closed = record.close(Role::Engine, |check| check.group() == "go");
        assert_eq!(closed.tally().errors, 1);
        assert_eq!(
            (closed.findings[0].count, &*closed.findings[0].seen),
            (2, "first")
        );
        assert!(closed.passed.is_empty() && !closed.skipped.is_empty());
    }

    #[test]
    fn what_is_worse_is_shown_in_place_of_what_came_before() {
        let mut record = Record::new(Dialect::Uci);
        record.fail("terminal.mate", Severity::Note, "stopped", Vec::new);
        record.fail("terminal.mate", Severity::Error, "it ended", Vec::new);
        record.fail("terminal.mate", Severity::Note, "stopped again", Vec::new);
        let closed = record.close(Role::Engine, |check| check.id == "terminal.mate");
        let finding = &closed.findings[0];
        assert_eq!((finding.count, &*finding.seen), (3, "it ended"));
        assert_eq!(finding.severity, Severity::Error);
    }

    #[test]
    fn what_could_not_be_judged_is_not_passed_and_is_counted() {
        let mut record = Record::new(Dialect::Uci);
        record.pass("go.depth");
        record.unjudge("go.depth", "the machine took 7.0 s");
        record.pass("go.depth");
        record.fail("go.nodes", Severity::Note, "never ends", Vec::new);
        record.unjudge("go.nodes", "the machine took 7.0 s");
        let wanted = ["go.depth", "go.nodes"];
        let closed = record.close(Role::Engine, |check| wanted.contains(&check.id));
        let tally = closed.tally();
        assert_eq!((tally.passed, tally.errors, tally.unjudged), (0, 1, 1));
        let why = &closed.skipped[0].why;
        assert_eq!(why, "could not be judged: the machine took 7.0 s");
    }
}
