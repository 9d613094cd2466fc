//! A report about games, made by the host's analyst.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quadrille_analysis::judge::{Judgement, loss};
use quadrille_analysis::{
    Analysis, AnalysisEvent, Canceller, Evaluation, GameReport, Games, Options, Summary,
};
use quadrille_desk::wire::{JobId, NodeId, ReportView, SearchLimits, StudyId};
use quadrille_driver::Limits;
use quadrille_driver::spec::EngineSpec;
use quadrille_games::Side;
use tokio::runtime::Handle;

use super::view::{finished, position};
use crate::fault::caught;
use crate::hub::HubHandle;

/// Complaints that are kept.
const MOST_TROUBLES: usize = 50;

/// What is to be done.
pub(super) struct Work {
    pub(super) input: PathBuf,
    pub(super) output: PathBuf,
    pub(super) cache: PathBuf,
    pub(super) spec: EngineSpec,
    pub(super) limits: SearchLimits,
    pub(super) study: Option<StudyId>,
    pub(super) nodes: Vec<NodeId>,
}

/// How far a report is.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(super) done: u32,
    pub(super) all: u32,
    pub(super) left: Option<f64>,
    by: String,
    study: Option<StudyId>,
    nodes: Vec<NodeId>,
    /// Answers by ply, of the game of the study.
    answers: Vec<Option<Evaluation>>,
    /// Who moves first.
    first: Option<Side>,
    /// When the game of the study is done.
    report: Option<Box<GameReport>>,
    troubles: Vec<String>,
}

impl Progress {
    /// What there is to see.
    pub(super) fn view(&self) -> Option<ReportView> {
        let study = self.study?;
        let game = self.report.as_deref();
        if let Some(report) = game {
            return Some(finished(study, &self.by, &self.nodes, report));
        }
        let mut view = ReportView {
            study,
            by: self.by.clone(),
            positions: Vec::new(),
            players: None,
            moments: Vec::new(),
        };
        for (ply, answer) in self.answers.iter().enumerate() {
            let Some(found) = answer.as_ref().and_then(|a| position(ply, &self.nodes, a)) else {
                continue;
            };
            let mut found = found;
            let before = view
                .positions
                .last()
                .filter(|last| last.ply as usize + 1 == ply);
            if let Some(before) = before {
                let mover = self.mover(ply);
                found.loss = loss(mover, before.score.win, found.score.win);
                found.nag = Judgement::of(found.loss).map(super::view::nag);
            }
            view.positions.push(found);
        }
        Some(view)
    }

    /// Who made the move that led to this ply.
    fn mover(&self, ply: usize) -> Side {
        let first = self.first.unwrap_or(Side::White);
        if ply % 2 == 1 { first } else { !first }
    }

    fn see(&mut self, event: &AnalysisEvent) {
        match event {
            AnalysisEvent::Start { positions, .. } => {
                self.all = u32::try_from(*positions).unwrap_or(u32::MAX);
            }
            AnalysisEvent::Position {
                number,
                ply,
                engine,
                evaluation,
                done,
                total,
                left,
                ..
            } => {
                self.done = u32::try_from(*done).unwrap_or(u32::MAX);
                self.all = u32::try_from(*total).unwrap_or(u32::MAX);
                self.left = left.map(|left| left.as_secs_f64() * 1000.0);
                if *number == 1 && *engine == 0 && self.study.is_some() {
                    if self.answers.len() <= *ply {
                        self.answers.resize(ply + 1, None);
                    }
                    self.answers[*ply].clone_from(evaluation);
                }
            }
            AnalysisEvent::GameEnd { report } if report.number == 1 && self.study.is_some() => {
                self.report = Some(report.clone());
            }
            AnalysisEvent::GameKept {
                number,
                line,
                reason,
                ..
            } if self.troubles.len() < MOST_TROUBLES => {
                self.troubles
                    .push(format!("game {number} (line {line}): {reason}"));
            }
            _ => {}
        }
    }
}

/// Begins a report on a thread of its own.
pub(super) fn start(
    work: Work,
    hub: &HubHandle,
    id: JobId,
) -> Result<(Arc<Mutex<Progress>>, Canceller), String> {
    let millis = |ms: f64| Duration::from_micros((ms.clamp(1.0, 1e9) * 1000.0) as u64);
    let limits = Limits {
        movetime: work.limits.movetime.map(millis),
        depth: work.limits.depth,
        nodes: work.limits.nodes.map(|nodes| nodes.max(1.0) as u64),
        ..Limits::default()
    };
    let by = format!(
        "{}, {}",
        work.spec.name.as_deref().unwrap_or("?"),
        words_of(&work.limits)
    );
    let options = Options {
        limits,
        cache: Some(work.cache),
        ..Options::new(work.spec)
    };
    let analysis = Analysis::new(options).map_err(|error| error.to_string())?;
    let canceller = analysis.canceller();
    let games =
        fs::read(&work.input).map_err(|error| format!("{}: {error}", work.input.display()))?;
    let games = Games::read(games);
    let progress = Arc::new(Mutex::new(Progress {
        by,
        study: work.study,
        nodes: work.nodes,
        ..Progress::default()
    }));
    let seen = Arc::clone(&progress);
    let (runtime, hub, output) = (Handle::current(), hub.clone(), work.output);
    let analyse = move || {
        let result = caught(|| -> Result<Summary, String> {
            let out =
                File::create(&output).map_err(|error| format!("{}: {error}", output.display()))?;
            let mut out = BufWriter::new(out);
            let mut watch = |event: &AnalysisEvent| {
                seen.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .see(event);
            };
            let run = analysis.run(games, &mut watch, &mut out);
            let summary = runtime.block_on(run).map_err(|error| error.to_string())?;
            let written = out.flush();
            written.map_err(|error| format!("{}: {error}", output.display()))?;
            Ok(summary)
        });
        let troubles = seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .troubles
            .clone();
        let result = result.map(|_| troubles);
        hub.call_from_thread(move |hub| hub.job_over(id, result));
    };
    let thread = std::thread::Builder::new()
        .name("report".into())
        .spawn(analyse);
    thread.map_err(|error| format!("cannot start a thread: {error}"))?;
    Ok((progress, canceller))
}

fn words_of(limits: &SearchLimits) -> String {
    let mut words = Vec::new();
    if let Some(time) = limits.movetime {
        words.push(format!("{} s a position", time / 1000.0));
    }
    if let Some(depth) = limits.depth {
        words.push(format!("depth {depth}"));
    }
    if let Some(nodes) = limits.nodes {
        words.push(format!("{nodes} nodes"));
    }
    words.join(", ")
}
