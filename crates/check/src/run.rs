//! A check from its start to its report.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use quadrille_client::spelling::nearest;
use quadrille_games::Game;

use super::examiner::{Examiner, Lost};
use super::probes::{PROBES, Probe};
use super::report::{Examined, Finding, REPORT_VERSION, Report, Role};
use super::select::Selection;
use super::table::{self, Check};
use quadrille_driver::Opener;
use quadrille_driver::spec::EngineSpec;
use quadrille_transcript::Recorder;

/// The engine to check.
#[derive(Debug, Clone)]
pub struct Subject {
    /// How it is started. Its dialect, if that is set, goes before that of the
    /// game; its options are set after each start.
    pub spec: EngineSpec,
    /// What it plays.
    pub game: Game,
    /// Opens engines that are no programs, such as those inside this one.
    pub opener: Option<Opener>,
}

/// How to check.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which checks.
    pub selection: Selection,
    /// Take more time: two hundred games instead of a few, more samples.
    pub thorough: bool,
    /// How long to wait for what.
    pub patience: Patience,
    /// What a busy machine may add to times, as a factor on what is tolerated;
    /// 0 and 1 are the usual.
    pub leniency: u32,
    /// Keep the verdicts of all checks that the probes of the selection come by,
    /// not only those that are selected.
    pub whole_probes: bool,
    /// Hears everything that is said, all starts of the engine one after the other.
    pub tape: Option<Recorder>,
}

/// How long to wait before an engine counts as hung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the opening word to `uciok`.
    pub hello: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// For a search that should end by itself, on top of its own time.
    pub search: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// From `quit` to the end of the process.
    pub quit: Duration,
    /// How long it is watched that an engine does nothing.
    pub watch: Duration,
}

impl Patience {
    /// Half of it, for an engine that tries it. What is watched stays.
    pub(super) fn halved(self) -> Self {
        Self {
            ready: self.ready / 2,
            search: self.search / 2,
            stop: self.stop / 2,
            ..self
        }
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            hello: Duration::from_secs(10),
            ready: Duration::from_secs(5),
            search: Duration::from_secs(3),
            stop: Duration::from_secs(3),
            quit: Duration::from_secs(2),
            watch: Duration::from_millis(200),
        }
    }
}

/// What happens during a check.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A part of the check begins.
    Probe {
        /// Its name.
        name: &'static str,
        /// Which one it is, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// This rule is being looked at.
    Asking(&'static str),
    /// A rule was broken. It is told once, when it is first seen.
    Found(Box<Finding>),
    /// The engine has died or hung, and is started again.
    Restarted,
}

/// Checks an engine.
///
/// `watch` hears what happens and may break the check off; the report then says
/// what was found so far. Dropping the future breaks it off too, without a
/// report; the engine is ended in any case.
pub async fn check(
    subject: &Subject,
    settings: &Settings,
    watch: &mut (dyn FnMut(Event) -> ControlFlow<()> + Send),
) -> Report {
    let started = Instant::now();
    let mut examiner = Examiner::new(subject, settings, watch);
    let dialect = examiner.dialect;
    let wanted = |check: &Check| check.dialects.has(dialect) && settings.selection.has(check);
    let needed: Vec<&Probe> = PROBES
        .iter()
        .filter(|probe| {
            table::of(Role::Engine, dialect).any(|check| check.probe == probe.name && wanted(check))
        })
        .collect();
    let mut complete = true;
    for (index, probe) in needed.iter().enumerate() {
        examiner.tell(Event::Probe {
            name: probe.name,
            number: index + 1,
            of: needed.len(),
        });
        let result = (probe.run)(&mut examiner).await;
        examiner.end_scene().await;
        examiner.drop_engine();
        match result {
            Ok(()) => {}
            Err(Lost::Cancelled) => complete = false,
            Err(Lost::NoEngine(why)) => {
                let words = format!("the engine could not be used: {why}");
                let excuse = examiner.excused();
                for check in table::of(Role::Engine, dialect) {
                    match &excuse {
                        _ if check.probe != probe.name => {}
                        Some(excuse) => examiner.record.unjudge(check.id, excuse),
                        None => examiner.skip(check.id, &words),
                    }
                }
            }
        }
        if examiner.is_cancelled() {
            complete = complete && index + 1 == needed.len();
            break;
        }
    }
    let subject = examined(&examiner);
    let restarts = examiner.restarts;
    let not_started = examiner.not_started.clone();
    let unknown_options = examiner.unknown.iter();
    let unknown_options = unknown_options
        .map(|name| unknown(name, &examiner))
        .collect();
    let closed = examiner.record.close(Role::Engine, |check| {
        let near = || needed.iter().any(|probe| probe.name == check.probe);
        settings.selection.has(check) || settings.whole_probes && near()
    });
    Report {
        version: REPORT_VERSION,
        subject,
        score: closed.tally(),
        findings: closed.findings,
        passed: closed.passed,
        skipped: closed.skipped,
        measures: closed.measures,
        restarts,
        seconds: started.elapsed().as_secs_f64(),
        complete,
        unknown_options,
        not_started,
        outdated: Vec::new(),
    }
}

/// Words about an option that the engine does not have.
fn unknown(name: &str, examiner: &Examiner<'_>) -> String {
    let known = examiner.options.iter().map(|option| option.name.as_str());
    let meant = nearest(name, known).map(|near| format!("; was {near} meant?"));
    let meant = meant.unwrap_or_default();
    format!("the engine has no option '{name}', and was told it all the same{meant}")
}

fn examined(examiner: &Examiner<'_>) -> Examined {
    let spec = &examiner.subject.spec;
    let mut command = spec.command.display().to_string();
    for word in &spec.args {
        command.push(' ');
        command += word;
    }
    let program = || {
        spec.address()
            .map_or_else(|_| command.clone(), |a| a.name())
    };
    let own = examiner.name.clone().filter(|name| !name.is_empty());
    Examined {
        role: Role::Engine,
        name: spec.name.clone().or(own).unwrap_or_else(program),
        author: examiner.author.clone(),
        command,
        dialect: examiner.dialect,
        game: examiner.game,
    }
}
