//! A check of an engine, made by the host's examiner.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use quadrille_check::{
    Event, Finding, Measure, Report, Role, Selection, Settings, Spoken, Subject, Voice,
};
use quadrille_desk::wire::{CheckFinding, CheckMeasure, CheckView, JobId, LogLine};
use quadrille_driver::spec::EngineSpec;
use quadrille_games::Game;
use tokio::runtime::Handle;

use crate::fault::caught;
use crate::hub::HubHandle;

/// What is to be done.
pub(super) struct Work {
    pub(super) spec: EngineSpec,
    pub(super) game: Game,
    pub(super) only: Vec<String>,
    pub(super) thorough: bool,
}

/// How far a check is. All copies are the same one.
#[derive(Debug, Clone)]
pub(crate) struct Progress(Arc<(Mutex<Seen>, AtomicBool)>);

#[derive(Debug)]
struct Seen {
    view: CheckView,
    /// The parts of it, and those that are done.
    all: u32,
    done: u32,
    begun: Instant,
}

impl Progress {
    fn new(spec: &EngineSpec, game: Game) -> Self {
        let command = std::iter::once(spec.command.display().to_string()).chain(spec.args.clone());
        let view = CheckView {
            name: spec.name.clone().unwrap_or_default(),
            author: None,
            command: command.collect::<Vec<_>>().join(" "),
            dialect: String::new(),
            game,
            findings: Vec::new(),
            passed: Vec::new(),
            skipped: Vec::new(),
            measures: Vec::new(),
            now: None,
            restarts: 0,
            seconds: 0.0,
            complete: false,
        };
        let seen = Seen {
            view,
            all: 0,
            done: 0,
            begun: Instant::now(),
        };
        Self(Arc::new((Mutex::new(seen), AtomicBool::new(false))))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What there is to see.
    pub(super) fn view(&self) -> CheckView {
        self.seen().view.clone()
    }

    /// Parts that are done, all parts, and the milliseconds that are left.
    pub(super) fn far(&self) -> (u32, u32, Option<f64>) {
        let seen = self.seen();
        let left = super::left(seen.begun, seen.done, seen.all.saturating_sub(seen.done));
        (seen.done, seen.all, left)
    }

    /// Breaks it off.
    pub(super) fn cancel(&self) {
        self.0.1.store(true, Ordering::Relaxed);
    }

    fn hear(&self, event: Event) -> ControlFlow<()> {
        let mut seen = self.seen();
        match event {
            Event::Probe { name, number, of } => {
                seen.view.now = Some(name.into());
                seen.all = u32::try_from(of).unwrap_or(u32::MAX);
                seen.done = u32::try_from(number).unwrap_or(u32::MAX).saturating_sub(1);
            }
            Event::Found(finding) => seen.view.findings.push(found(*finding)),
            Event::Restarted => seen.view.restarts += 1,
            _ => {}
        }
        seen.view.seconds = seen.begun.elapsed().as_secs_f64();
        if self.0.1.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn end(&self, report: Report) {
        let mut seen = self.seen();
        seen.done = seen.all;
        seen.view = view(report);
    }
}

/// Begins a check on a thread of its own.
pub(super) fn start(work: Work, hub: &HubHandle, id: JobId) -> Result<Progress, String> {
    let only = work.only.iter().map(String::as_str);
    let selection = Selection::new(Role::Engine, only, []).map_err(|error| error.to_string())?;
    let progress = Progress::new(&work.spec, work.game);
    let subject = Subject {
        spec: work.spec,
        game: work.game,
        opener: None,
    };
    let settings = Settings {
        selection,
        thorough: work.thorough,
        ..Settings::default()
    };
    let (seen, runtime, hub) = (progress.clone(), Handle::current(), hub.clone());
    let examine = move || {
        let result = caught(|| {
            let mut watch = |event: Event| seen.hear(event);
            let report = runtime.block_on(quadrille_check::check(&subject, &settings, &mut watch));
            seen.end(report);
            Ok(Vec::new())
        });
        hub.call_from_thread(move |hub| hub.job_over(id, result));
    };
    let thread = std::thread::Builder::new()
        .name("check".into())
        .spawn(examine);
    thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    Ok(progress)
}

/// Whether these names are checks or groups of them.
pub(crate) fn are_checks(names: &[String]) -> Result<(), String> {
    let names = names.iter().map(String::as_str);
    let selection = Selection::new(Role::Engine, names, []);
    selection.map(drop).map_err(|error| error.to_string())
}

fn view(report: Report) -> CheckView {
    let measure = |measure: Measure| CheckMeasure {
        what: measure.what,
        count: u32::try_from(measure.count).unwrap_or(u32::MAX),
        median: measure.median,
        p90: measure.p90,
        worst: measure.worst,
    };
    let skipped = report.skipped.into_iter();
    CheckView {
        name: report.subject.name,
        author: report.subject.author,
        command: report.subject.command,
        dialect: report.subject.dialect.to_string(),
        game: report.subject.game,
        findings: report.findings.into_iter().map(found).collect(),
        passed: report.passed,
        skipped: skipped.map(|skipped| (skipped.id, skipped.why)).collect(),
        measures: report.measures.into_iter().map(measure).collect(),
        now: None,
        restarts: report.restarts,
        seconds: report.seconds,
        complete: report.complete,
    }
}

fn found(finding: Finding) -> CheckFinding {
    let line = |spoken: Spoken| LogLine {
        at: u32::try_from(spoken.micros / 1000).unwrap_or(u32::MAX),
        way: match spoken.by {
            Voice::Host => ">",
            Voice::Engine => "<",
            Voice::Note => "#",
        }
        .into(),
        text: spoken.text,
    };
    CheckFinding {
        id: finding.id,
        severity: finding.severity.to_string(),
        title: finding.title,
        document: finding.clause.document,
        section: finding.clause.section,
        says: finding.clause.says,
        seen: finding.seen,
        count: finding.count,
        hint: finding.hint,
        transcript: finding.transcript.into_iter().map(line).collect(),
    }
}
