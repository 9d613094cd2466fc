//! The verdicts of a check while it runs.

use std::collections::BTreeMap;

use quadrille_protocol::{Dialect, Severity};

use super::report::{Finding, Measure, Role, Skipped, Spoken, Tally};
use super::table::{self, Check};

/// What became of a check.
#[derive(Debug, Clone)]
enum Verdict {
    Passed,
    Failed(Box<Finding>),
    Skipped(String),
    /// The machine was too busy.
    Unjudged(String),
}

/// Checks whose failure says nothing new where another has failed.
const DERIVED: [(&str, &str); 10] = [
    ("go.depth-and-time", "go.depth"),
    ("go.nodes-and-time", "go.nodes"),
    ("go.nodes-one", "go.nodes"),
    ("go.searchmoves-infinite", "go.searchmoves"),
    ("go.time-and-depth", "go.movetime"),
    ("life.end-of-input-searching", "life.end-of-input"),
    ("life.quit-pondering", "life.quit-searching"),
    ("multipv.searchmoves", "go.searchmoves"),
    ("ponder.ready", "ready.searching"),
    ("position.longest", "position.very-long"),
];

/// Whether a check asks something that an engine answers with a move: only then it can fail
/// because the move is wrong, or because none comes.
fn may_follow(check: &Check) -> bool {
    let of_lines = [
        "handshake",
        "output",
        "bestmove",
        "info",
        "score",
        "pv",
        "multipv",
        "timing",
    ];
    !of_lines.contains(&check.group()) && !check.id.ends_with("-kept")
}

/// All verdicts so far. A failure stays a failure, whatever is passed later.
#[derive(Debug, Clone)]
pub(super) struct Record {
    dialect: Dialect,
    verdicts: BTreeMap<&'static str, Verdict>,
    pub(super) measures: Vec<Measure>,
    /// What was found since it was last asked for.
    fresh: Vec<&'static str>,
    /// What was found first in this scene.
    of_scene: Vec<&'static str>,
}

impl Record {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            verdicts: BTreeMap::new(),
            measures: Vec::new(),
            fresh: Vec::new(),
            of_scene: Vec::new(),
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
        because: Option<&'static str>,
        show: impl FnOnce() -> (Vec<Spoken>, Option<String>),
    ) {
        let Some(check) = self.holds(id) else {
            return;
        };
        let severity = check.severity.max(least);
        let because = because.filter(|other| *other != id && may_follow(check));
        let mut follows = because.map(Into::into);
        let before = match self.verdicts.get_mut(id) {
            Some(Verdict::Failed(finding)) => {
                finding.count = finding.count.saturating_add(1);
                // It follows from another only if it always does.
                if finding.because.as_deref() != because {
                    finding.because = None;
                }
                if severity <= finding.severity {
                    return;
                }
                follows.clone_from(&finding.because);
                finding.count
            }
            _ => 1,
        };
        let (transcript, reproduce) = show();
        let finding = Finding {
            severity,
            seen: seen.into(),
            count: before,
            transcript,
            because: follows,
            reproduce,
            ..Finding::new(check, self.dialect)
        };
        if before == 1 {
            self.fresh.push(id);
            self.of_scene.push(id);
        }
        self.verdicts.insert(id, Verdict::Failed(Box::new(finding)));
    }

    /// Another scene begins.
    pub(super) fn begin_scene(&mut self) {
        self.of_scene.clear();
    }

    /// Whatever was found first in this scene follows from a finding, even about lines: they
    /// were taken for answers that they were not.
    pub(super) fn blame_scene_on(&mut self, other: &'static str) {
        for id in &self.of_scene {
            if let Some(Verdict::Failed(finding)) = self.verdicts.get_mut(id)
                && *id != other
            {
                finding.because = Some(other.into());
            }
        }
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

    pub(super) fn has_passed(&self, id: &str) -> bool {
        matches!(self.verdicts.get(id), Some(Verdict::Passed))
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
        closed.fold();
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
    /// A finding follows from another one only if that was found. Where the start position
    /// is understood, one that is not is a fault of its own.
    fn fold(&mut self) {
        let ids: Vec<String> = self.findings.iter().map(|f| f.id.clone()).collect();
        let has = |id: &str| ids.iter().any(|other| other == id);
        let start = has("position.start");
        for finding in &mut self.findings {
            let reads = matches!(finding.group.as_str(), "position" | "chess960");
            let stands = reads && !start;
            let because = finding.because.take();
            let derived = DERIVED.iter().find(|(id, _)| *id == finding.id);
            let derived = derived.map(|(_, other)| (*other).to_owned());
            let because = because.filter(|other| has(other) && !stands);
            finding.because = because.or(derived.filter(|other| has(other)));
        }
    }

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
            folded: self.findings.iter().filter(|f| f.because.is_some()).count(),
            accepted: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> (Vec<Spoken>, Option<String>) {
        (Vec::new(), None)
    }

    #[test]
    fn what_follows_from_another_finding_is_folded() {
        let mut record = Record::new(Dialect::Uci);
        let root = Some("bestmove.legal");
        record.fail("bestmove.legal", Severity::Note, "e1e8", root, nothing);
        record.fail("go.depth", Severity::Note, "e1e8", root, nothing);
        record.fail("go.nodes", Severity::Note, "e1e8", root, nothing);
        record.fail("go.nodes", Severity::Note, "never ends", None, nothing);
        record.fail(
            "stop.twice",
            Severity::Note,
            "deaf",
            Some("stop.infinite"),
            nothing,
        );
        record.fail("go.nodes-kept", Severity::Note, "too many", root, nothing);
        record.fail("go.nodes-one", Severity::Note, "never ends", None, nothing);
        record.fail("position.fen", Severity::Note, "e1e8", root, nothing);
        let closed = record.close(Role::Engine, |_| true);
        let folded: Vec<&str> = closed
            .findings
            .iter()
            .filter(|finding| finding.because.is_some())
            .map(|finding| finding.id.as_str())
            .collect();
        // A search with a number of nodes that never ends is one fault.
        assert_eq!(folded, ["go.depth", "go.nodes-one"]);
        assert_eq!(closed.tally().folded, 2);
    }

    #[test]
    fn a_failure_stays_and_is_counted() {
        let mut record = Record::new(Dialect::Uci);
        record.skip("go.depth", "no reason");
        record.pass("go.depth");
        record.fail("go.depth", Severity::Note, "first", None, nothing);
        record.fail("go.depth", Severity::Note, "second", None, nothing);
        record.pass("go.depth");
        record.fail(
            "ugi.start",
            Severity::Note,
            "another dialect",
            None,
            nothing,
        );
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
    fn checks_that_follow_from_others_are_in_the_table() {
        for (id, other) in DERIVED {
            assert!(
                table::find(id).is_some() && table::find(other).is_some(),
                "{id}"
            );
        }
    }

    #[test]
    fn what_is_worse_is_shown_in_place_of_what_came_before() {
        let mut record = Record::new(Dialect::Uci);
        record.fail("terminal.mate", Severity::Note, "stopped", None, nothing);
        record.fail("terminal.mate", Severity::Error, "it ended", None, nothing);
        record.fail(
            "terminal.mate",
            Severity::Note,
            "stopped again",
            None,
            nothing,
        );
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
        record.fail("go.nodes", Severity::Note, "never ends", None, nothing);
        record.unjudge("go.nodes", "the machine took 7.0 s");
        let wanted = ["go.depth", "go.nodes"];
        let closed = record.close(Role::Engine, |check| wanted.contains(&check.id));
        let tally = closed.tally();
        assert_eq!((tally.passed, tally.errors, tally.unjudged), (0, 1, 1));
        let why = &closed.skipped[0].why;
        assert_eq!(why, "could not be judged: the machine took 7.0 s");
    }
}
