//! Jobs: the work that pages want of them.

use std::path::Path;

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{
    Answer, EngineId, JobId, Refusal, RefusalCode, SearchLimits, StudyId, Topic,
};
use quadrille_desk::work::JobWork;
use quadrille_games::Game;
use quadrille_games::records::{AnyRecord, NodeId};

use super::Hub;
use super::desk::machine;
use super::work::Reply;
use crate::engines::EngineRecord;
use crate::jobs::{NewCheck, NewReport, are_checks};
use crate::library;

/// Games of one report.
const MOST_GAMES: usize = 10_000;

impl Hub {
    pub(super) fn job_work(&mut self, page: PageId, id: u32, work: JobWork) -> Reply {
        match work {
            JobWork::Report {
                study,
                games,
                engine,
                limits,
            } => self.order_report(page, id, study, games, engine, limits),
            JobWork::Check {
                engine,
                game,
                only,
                thorough,
            } => self.order_check(engine, game, only, thorough).into(),
            JobWork::Cancel(job) => self.cancel_job(job).into(),
            JobWork::Forget(job) => self.forget_job(job).into(),
        }
    }

    fn order_report(
        &mut self,
        page: PageId,
        id: u32,
        study: Option<StudyId>,
        games: Vec<u32>,
        engine: EngineId,
        limits: SearchLimits,
    ) -> Reply {
        let Some(engine) = self.engines.get(engine).cloned() else {
            return Err(Refusal::new(
                RefusalCode::Gone,
                "there is no such engine any more",
            ))
            .into();
        };
        if limits == SearchLimits::default() {
            let words = "say how long to think about a position: a time, a depth or nodes";
            return Err(Refusal::new(RefusalCode::Value, words)).into();
        }
        match (study, &games[..]) {
            (Some(study), _) => self.report_study(study, engine, limits).into(),
            (None, []) => Err(Refusal::new(RefusalCode::Value, "choose a game")).into(),
            (None, [game]) => {
                let game = *game;
                let found = self.data.read(move |file| library::record(file, game));
                self.when_heard(page, id, found, move |hub, found| {
                    hub.report_game(game, found, engine, limits).into()
                })
            }
            (None, games) if games.len() > MOST_GAMES => {
                let words = format!("a report is about {MOST_GAMES} games at most");
                Err(Refusal::new(RefusalCode::TooMuch, words)).into()
            }
            (None, _) => {
                let text = self.data.read(move |file| library::records(file, &games));
                self.when_heard(page, id, text, move |hub, pgn| {
                    hub.report_games(pgn, engine, limits).into()
                })
            }
        }
    }

    fn report_study(
        &mut self,
        study: StudyId,
        engine: EngineRecord,
        limits: SearchLimits,
    ) -> Result<Answer, Refusal> {
        let gone = || Refusal::new(RefusalCode::Gone, "there is no such study any more");
        let record = self.desk.study_record(study).ok_or_else(gone)?;
        let nodes = self.desk.study_main_line(study).ok_or_else(gone)?;
        let line = record.line(NodeId::ROOT);
        if !engine.games.contains(&line.game()) {
            let words = format!("{} does not play {}", engine.shown_name(), line.game());
            return Err(Refusal::new(RefusalCode::Value, words));
        }
        let tag = |name: &str| record.tags().get(name).unwrap_or("?").to_owned();
        let new = NewReport {
            title: format!("{} - {}", tag("White"), tag("Black")),
            study: Some(study),
            engine,
            limits,
            game: line.game(),
            rules: line.rules_text(),
            nodes,
            pgn: record.to_pgn().into_bytes(),
        };
        self.add_report(new)
    }

    fn report_game(
        &mut self,
        game: u32,
        found: Option<library::Found>,
        engine: EngineRecord,
        limits: SearchLimits,
    ) -> Result<Answer, Refusal> {
        let gone = || Refusal::new(RefusalCode::Gone, "there is no such game any more");
        let (pgn, study) = found.ok_or_else(gone)?;
        let study = self.open_library_game(game, &pgn, study)?;
        self.report_study(study, engine, limits)
    }

    fn report_games(
        &mut self,
        pgn: Vec<u8>,
        engine: EngineRecord,
        limits: SearchLimits,
    ) -> Result<Answer, Refusal> {
        let count = AnyRecord::count(&pgn, MOST_GAMES);
        let game = engine.games.first().copied().unwrap_or(Game::Chess);
        let new = NewReport {
            title: format!("{count} games"),
            study: None,
            engine,
            limits,
            game,
            rules: String::new(),
            nodes: Vec::new(),
            pgn,
        };
        self.add_report(new)
    }

    fn add_report(&mut self, new: NewReport) -> Result<Answer, Refusal> {
        let job = self.jobs.add_report(new, &self.data).map_err(machine)?;
        self.start_jobs();
        Ok(Answer::Job(job))
    }

    fn order_check(
        &mut self,
        engine: EngineId,
        game: Game,
        only: Vec<String>,
        thorough: bool,
    ) -> Result<Answer, Refusal> {
        let gone = || Refusal::new(RefusalCode::Gone, "there is no such engine any more");
        let engine = self.engines.get(engine).cloned().ok_or_else(gone)?;
        if !engine.games.contains(&game) {
            let words = format!("{} does not play {game}", engine.shown_name());
            return Err(Refusal::new(RefusalCode::Value, words));
        }
        are_checks(&only).map_err(|words| Refusal::new(RefusalCode::Value, words))?;
        let new = NewCheck {
            engine,
            game,
            only,
            thorough,
        };
        let job = self.jobs.add_check(new, &self.data).map_err(machine)?;
        self.start_jobs();
        Ok(Answer::Job(job))
    }

    fn cancel_job(&mut self, job: JobId) -> Result<Answer, Refusal> {
        let done = self.jobs.cancel(job, &self.data);
        self.start_jobs();
        done.map(|()| Answer::Done)
            .map_err(|words| Refusal::new(RefusalCode::Gone, words))
    }

    fn forget_job(&mut self, job: JobId) -> Result<Answer, Refusal> {
        let done = self.jobs.forget(job, &self.data);
        self.changed(Topic::Report(job));
        self.changed(Topic::Check(job));
        self.start_jobs();
        done.map(|()| Answer::Done)
            .map_err(|words| Refusal::new(RefusalCode::Gone, words))
    }

    /// Starts what waits.
    pub(super) fn start_jobs(&mut self) {
        if !self.closing_down {
            let program = self.engines.program();
            self.jobs.start(&program, &self.data, &self.handle);
        }
        self.changed(Topic::Jobs);
    }

    /// A job has ended.
    pub(crate) fn job_over(&mut self, job: JobId, result: Result<Vec<String>, String>) {
        // What we ended ourselves goes on after a restart.
        if self.closing_down {
            self.jobs.ended(job);
            return;
        }
        self.jobs.refresh();
        let good = result.is_ok();
        self.jobs.over(job, result, &self.data);
        if good {
            self.file_report(job);
        }
        self.changed(Topic::Report(job));
        self.changed(Topic::Check(job));
        self.changed(Topic::Library);
        self.start_jobs();
    }

    /// Games that a report was about, with what was found, go to the library; a
    /// single one has its study.
    fn file_report(&self, job: JobId) {
        let Some(path) = self.jobs.annotated(job) else {
            return;
        };
        let view = self.jobs.views().into_iter().find(|view| view.id == job);
        let Some(view) = view.filter(|view| view.study.is_none()) else {
            return;
        };
        let copy = self
            .folder
            .join("uploads")
            .join(format!("report-{job}.pgn"));
        let handle = self.handle.clone();
        tokio::spawn(async move {
            if tokio::fs::copy(&path, &copy).await.is_ok() {
                let name = format!("Report: {}", view.title);
                handle.import(copy, name, true).await;
            }
        });
    }

    /// How far the running ones are.
    pub(super) fn refresh_jobs(&mut self) {
        let changed = self.jobs.refresh();
        if !changed.is_empty() {
            self.changed(Topic::Jobs);
        }
        for job in changed {
            self.changed(Topic::Report(job));
            self.changed(Topic::Check(job));
        }
        if self.jobs.any_running() {
            self.beat_soon();
        }
    }

    /// The games of a report, where they are.
    pub(crate) fn annotated(&self, job: JobId) -> Option<impl AsRef<Path> + use<>> {
        self.jobs.annotated(job)
    }
}
