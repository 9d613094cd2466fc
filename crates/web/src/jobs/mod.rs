//! What takes long: reports about games, checks of engines, files that are read. A job goes on without a
//! page, and after a restart where it was.

mod check;
mod report;
mod view;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use quadrille_analysis::Canceller;
use quadrille_desk::wire::{
    CheckView, JobId, JobKind, JobState, JobView, NodeId, ReportView, SearchLimits, StudyId,
};
use quadrille_games::Game;
use serde::{Deserialize, Serialize};

use crate::data::Data;
use crate::engines::EngineRecord;
use crate::fault::caught;
use crate::hub::{HubHandle, now};
use crate::library::{self, Import};
pub(crate) use check::are_checks;
pub(crate) use report::Progress;

/// Jobs in the list.
const MOST_JOBS: usize = 500;

/// A job as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct JobRecord {
    pub(crate) view: JobView,
    task: Task,
}

/// What is to be done.
#[derive(Debug, Clone, Serialize, Deserialize)]
enum Task {
    Report {
        engine: Box<EngineRecord>,
        limits: SearchLimits,
        game: Game,
        rules: String,
        /// Of the main line, where it is about a study.
        nodes: Vec<NodeId>,
    },
    Check {
        engine: Box<EngineRecord>,
        game: Game,
        only: Vec<String>,
        thorough: bool,
    },
    Import {
        path: PathBuf,
        source: i64,
        /// Of games that are here already: not counted once more.
        #[serde(default)]
        copies: bool,
    },
}

#[derive(Debug)]
struct Job {
    record: JobRecord,
    running: Option<Running>,
    /// What a report has found, as far as it is.
    report: Option<Arc<ReportView>>,
    /// What a check has found.
    check: Option<Arc<CheckView>>,
}

#[derive(Debug, Clone)]
enum Running {
    Report(Arc<Mutex<Progress>>, Canceller),
    Check(check::Progress),
    Import(Arc<Import>, Instant),
}

/// A report to be made.
#[derive(Debug)]
pub(crate) struct NewReport {
    pub(crate) title: String,
    pub(crate) study: Option<StudyId>,
    pub(crate) engine: EngineRecord,
    pub(crate) limits: SearchLimits,
    pub(crate) game: Game,
    pub(crate) rules: String,
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) pgn: Vec<u8>,
}

/// A check to be made.
#[derive(Debug)]
pub(crate) struct NewCheck {
    pub(crate) engine: EngineRecord,
    pub(crate) game: Game,
    pub(crate) only: Vec<String>,
    pub(crate) thorough: bool,
}

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    folder: PathBuf,
    list: BTreeMap<JobId, Job>,
    last: JobId,
}

/// Where the files of a report are.
fn file(folder: &Path, id: JobId, ending: &str) -> PathBuf {
    folder.join(format!("{id}.{ending}"))
}

impl Jobs {
    /// The jobs that were kept; those that ran wait to go on.
    pub(crate) fn new(folder: PathBuf, kept: Vec<JobRecord>) -> Self {
        let mut list = BTreeMap::new();
        for mut record in kept {
            if record.view.state == JobState::Running {
                record.view.state = JobState::Waiting;
            }
            let id = record.view.id;
            let found = std::fs::read(file(&folder, id, "json")).unwrap_or_default();
            let is_check = record.view.kind == JobKind::Check;
            let (check, report) = if is_check {
                (serde_json::from_slice(&found).ok(), None)
            } else {
                (None, serde_json::from_slice(&found).ok())
            };
            let job = Job {
                record,
                running: None,
                report: report.map(Arc::new),
                check: check.map(Arc::new),
            };
            list.insert(id, job);
        }
        Self {
            last: list.keys().next_back().copied().unwrap_or_default(),
            folder,
            list,
        }
    }

    /// All jobs, the newest first.
    pub(crate) fn views(&self) -> Vec<JobView> {
        self.list
            .values()
            .rev()
            .map(|job| job.record.view.clone())
            .collect()
    }

    /// A report, as far as it is.
    pub(crate) fn report(&self, id: JobId) -> Option<ReportView> {
        let job = self.list.get(&id)?;
        if let Some(Running::Report(progress, _)) = &job.running {
            let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            return progress.view();
        }
        job.report.as_deref().cloned()
    }

    /// A check, as far as it is.
    pub(crate) fn check(&self, id: JobId) -> Option<CheckView> {
        let job = self.list.get(&id)?;
        if let Some(Running::Check(progress)) = &job.running {
            return Some(progress.view());
        }
        job.check.as_deref().cloned()
    }

    /// The games of a report with what was found.
    pub(crate) fn annotated(&self, id: JobId) -> Option<PathBuf> {
        let job = self.list.get(&id)?;
        let done = job.record.view.state == JobState::Done;
        (done && job.record.view.kind == JobKind::Report).then(|| file(&self.folder, id, "out.pgn"))
    }

    fn add(&mut self, kind: JobKind, title: String, study: Option<StudyId>, task: Task) -> JobId {
        self.last += 1;
        let view = JobView {
            id: self.last,
            kind,
            title,
            state: JobState::Waiting,
            done: 0,
            all: 0,
            left: None,
            began: now(),
            words: None,
            study,
        };
        let job = Job {
            record: JobRecord { view, task },
            running: None,
            report: None,
            check: None,
        };
        self.list.insert(self.last, job);
        self.last
    }

    fn has_room(&self) -> Result<(), String> {
        let words = || format!("there are {MOST_JOBS} jobs; forget some of them first");
        (self.list.len() < MOST_JOBS)
            .then_some(())
            .ok_or_else(words)
    }

    /// Adds a check of an engine.
    pub(crate) fn add_check(&mut self, new: NewCheck, data: &Data) -> Result<JobId, String> {
        self.has_room()?;
        let title = new.engine.shown_name();
        let task = Task::Check {
            engine: Box::new(new.engine),
            game: new.game,
            only: new.only,
            thorough: new.thorough,
        };
        let id = self.add(JobKind::Check, title, None, task);
        self.keep(id, data);
        Ok(id)
    }

    /// Adds a report about games.
    pub(crate) fn add_report(&mut self, new: NewReport, data: &Data) -> Result<JobId, String> {
        self.has_room()?;
        let task = Task::Report {
            engine: Box::new(new.engine),
            limits: new.limits,
            game: new.game,
            rules: new.rules,
            nodes: new.nodes,
        };
        let id = self.add(JobKind::Report, new.title, new.study, task);
        let path = file(&self.folder, id, "pgn");
        if let Err(error) = std::fs::write(&path, new.pgn) {
            self.list.remove(&id);
            return Err(format!("{}: {error}", path.display()));
        }
        self.keep(id, data);
        Ok(id)
    }

    /// Adds a file that is to be read.
    pub(crate) fn add_import(
        &mut self,
        path: PathBuf,
        name: String,
        source: i64,
        copies: bool,
        data: &Data,
    ) -> JobId {
        let task = Task::Import {
            path,
            source,
            copies,
        };
        let id = self.add(JobKind::Import, name, None, task);
        self.keep(id, data);
        id
    }

    fn keep(&self, id: JobId, data: &Data) {
        let Some(job) = self.list.get(&id) else {
            return;
        };
        let text = serde_json::to_string(&job.record).unwrap_or_default();
        data.write(move |file| {
            file.execute(
                "INSERT INTO jobs VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET record = ?2",
                rusqlite::params![id, text],
            )?;
            Ok(())
        });
    }

    /// Starts what waits: one of each kind at a time.
    pub(crate) fn start(&mut self, program: &Path, data: &Arc<Data>, hub: &HubHandle) {
        for kind in [JobKind::Report, JobKind::Check, JobKind::Import] {
            let of_kind = |job: &&mut Job| job.record.view.kind == kind;
            if self
                .list
                .values()
                .any(|job| job.running.is_some() && job.record.view.kind == kind)
            {
                continue;
            }
            let waiting = self.list.values_mut().filter(of_kind);
            let mut waiting = waiting.filter(|job| job.record.view.state == JobState::Waiting);
            if let Some(job) = waiting.next() {
                run(job, &self.folder, program, data, hub);
                let id = job.record.view.id;
                self.keep(id, data);
            }
        }
    }

    /// Takes over how far the running ones are; those that have changed.
    pub(crate) fn refresh(&mut self) -> Vec<JobId> {
        let mut changed = Vec::new();
        for (id, job) in &mut self.list {
            let view = &mut job.record.view;
            let (done, all, left) = match &job.running {
                Some(Running::Report(progress, _)) => {
                    let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                    (progress.done, progress.all, progress.left)
                }
                Some(Running::Check(progress)) => progress.far(),
                Some(Running::Import(progress, begun)) => {
                    let skipped = progress.skipped.load(Ordering::Relaxed);
                    let done = progress.done.load(Ordering::Relaxed);
                    let all = progress.all.load(Ordering::Relaxed);
                    (
                        done,
                        all,
                        left(
                            *begun,
                            done.saturating_sub(skipped),
                            all.saturating_sub(done),
                        ),
                    )
                }
                None => continue,
            };
            if (view.done, view.all) != (done, all) {
                (view.done, view.all, view.left) = (done, all, left);
                changed.push(*id);
            }
        }
        changed
    }

    pub(crate) fn any_running(&self) -> bool {
        self.list.values().any(|job| job.running.is_some())
    }

    /// A job has ended.
    pub(crate) fn over(&mut self, id: JobId, result: Result<Vec<String>, String>, data: &Data) {
        let Some(job) = self.list.get_mut(&id) else {
            return;
        };
        let found = match job.running.take() {
            Some(Running::Report(progress, _)) => {
                let progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                job.report = progress.view().map(Arc::new);
                job.report.as_deref().map(serde_json::to_vec)
            }
            Some(Running::Check(progress)) => {
                let view = job.check.insert(Arc::new(progress.view()));
                Some(serde_json::to_vec(&**view))
            }
            Some(Running::Import(..)) | None => None,
        };
        if let Some(Ok(text)) = found
            && let Err(error) = std::fs::write(file(&self.folder, id, "json"), text)
        {
            eprintln!("warning: a report cannot be kept: {error}");
        }
        remove_upload(&job.record.task);
        let view = &mut job.record.view;
        view.left = None;
        match result {
            _ if view.state == JobState::Cancelled => {}
            // Not one position was looked at.
            Ok(troubles) if !troubles.is_empty() && is_empty(job.report.as_deref()) => {
                view.state = JobState::Failed;
                view.words = Some(troubles.join("\n"));
            }
            Ok(troubles) => {
                view.state = JobState::Done;
                view.done = view.all;
                view.words = (!troubles.is_empty()).then(|| troubles.join("\n"));
            }
            Err(words) => {
                view.state = JobState::Failed;
                view.words = Some(words);
            }
        }
        self.keep(id, data);
    }

    /// A job has come to rest because the program ends.
    pub(crate) fn ended(&mut self, id: JobId) {
        if let Some(job) = self.list.get_mut(&id) {
            job.running = None;
        }
    }

    /// Breaks a job off.
    pub(crate) fn cancel(&mut self, id: JobId, data: &Data) -> Result<(), String> {
        let job = self
            .list
            .get_mut(&id)
            .ok_or("there is no such job any more")?;
        if matches!(job.record.view.state, JobState::Waiting | JobState::Running) {
            job.record.view.state = JobState::Cancelled;
            stop(job);
            if job.running.is_none() {
                remove_upload(&job.record.task);
            }
            self.keep(id, data);
        }
        Ok(())
    }

    /// Takes a job out of the list, with its files.
    pub(crate) fn forget(&mut self, id: JobId, data: &Data) -> Result<(), String> {
        let job = self
            .list
            .remove(&id)
            .ok_or("there is no such job any more")?;
        stop(&job);
        remove_upload(&job.record.task);
        for ending in ["pgn", "out.pgn", "json"] {
            // An import has none of them.
            let _ = std::fs::remove_file(file(&self.folder, id, ending));
        }
        data.write(move |file| {
            file.execute("DELETE FROM jobs WHERE id = ?1", [id])
                .map(drop)
        });
        Ok(())
    }

    /// Removes files that were uploaded and belong to no job any more.
    pub(crate) fn clear_uploads(&self, folder: &Path) {
        let wanted = |path: &Path| {
            let mut tasks = self.list.values().map(|job| &job.record.task);
            tasks.any(|task| matches!(task, Task::Import { path: known, .. } if known == path))
        };
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in files.map(|entry| entry.path()) {
            if !wanted(&path) {
                // What cannot be removed now is tried at the next start.
                let _ = std::fs::remove_file(path);
            }
        }
    }

    /// Breaks everything off that is to go on after a restart.
    pub(crate) fn rest(&self) {
        self.list.values().for_each(stop);
    }
}

fn stop(job: &Job) {
    match &job.running {
        Some(Running::Report(_, canceller)) => canceller.cancel(),
        Some(Running::Check(progress)) => progress.cancel(),
        Some(Running::Import(progress, ..)) => progress.cancelled.store(true, Ordering::Relaxed),
        None => {}
    }
}

/// Whether a report of one game says nothing.
fn is_empty(report: Option<&ReportView>) -> bool {
    report.is_some_and(|report| report.players.is_none() && report.positions.is_empty())
}

/// A file that was uploaded is of no use when it was read.
fn remove_upload(task: &Task) {
    if let Task::Import { path, .. } = task {
        let _ = std::fs::remove_file(path);
    }
}

/// Milliseconds that are left, by what was done so far.
fn left(begun: Instant, done: u32, rest: u32) -> Option<f64> {
    let spent = begun.elapsed().as_secs_f64() * 1000.0;
    (done > 0).then(|| spent / f64::from(done) * f64::from(rest))
}

fn run(job: &mut Job, folder: &Path, program: &Path, data: &Arc<Data>, hub: &HubHandle) {
    let id = job.record.view.id;
    let view = &mut job.record.view;
    view.state = JobState::Running;
    let started = match &job.record.task {
        Task::Report {
            engine,
            limits,
            game,
            rules,
            nodes,
        } => {
            let work = report::Work {
                input: file(folder, id, "pgn"),
                output: file(folder, id, "out.pgn"),
                cache: folder.join("answers.db"),
                spec: engine.spec(program, *game, rules),
                limits: *limits,
                study: view.study,
                nodes: nodes.clone(),
            };
            report::start(work, hub, id).map(|(progress, stop)| Running::Report(progress, stop))
        }
        Task::Check {
            engine,
            game,
            only,
            thorough,
        } => {
            let work = check::Work {
                spec: engine.spec(program, *game, ""),
                game: *game,
                only: only.clone(),
                thorough: *thorough,
            };
            check::start(work, hub, id).map(Running::Check)
        }
        Task::Import {
            path,
            source,
            copies,
        } => {
            let progress = Arc::new(Import::default());
            let running = Running::Import(Arc::clone(&progress), Instant::now());
            let (path, source, copies) = (path.clone(), *source, *copies);
            let (data, hub) = (Arc::clone(data), hub.clone());
            let read = move || {
                let result = caught(|| {
                    let read = library::import(&path, source, copies, &data, &progress);
                    read.map_err(|error| error.to_string())
                });
                hub.call_from_thread(move |hub| hub.job_over(id, result));
            };
            let thread = std::thread::Builder::new()
                .name("import".into())
                .spawn(read);
            thread
                .map(|_| running)
                .map_err(|error| format!("cannot start a thread: {error}"))
        }
    };
    match started {
        Ok(running) => job.running = Some(running),
        Err(words) => {
            view.state = JobState::Failed;
            view.words = Some(words);
        }
    }
}
