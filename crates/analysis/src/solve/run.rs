//! Engines at work on a suite.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quadrille_games::Game;
use quadrille_protocol::Dialect;
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::suite::{Problem, Suite};
use super::values::{Answer, Options, Score, SolveError, SolveEvent};
use crate::cache::{Cache, CacheError};
use crate::{forget, set_up};
use quadrille_driver::EngineScore;
use quadrille_driver::program_marks;
use quadrille_driver::spec::EngineSpec;
use quadrille_driver::{Answer as Played, Engine, Event, InfoLine, Limits};

/// Breaks a run off.
#[derive(Debug, Clone)]
pub struct Canceller(watch::Sender<bool>);

impl Canceller {
    /// No more questions; engines leave, and the run ends soon.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// A suite and engines.
#[derive(Debug)]
pub struct Solving {
    shared: Arc<Shared>,
    cancel: watch::Sender<bool>,
    fresh: bool,
}

#[derive(Debug)]
struct Shared {
    suite: Suite,
    engines: Vec<Entrant>,
    limits: Limits,
    concurrency: usize,
    store: Option<Cache>,
}

#[derive(Debug)]
struct Entrant {
    spec: EngineSpec,
    options: Vec<(String, Option<String>)>,
    game: Game,
    /// Its number in the store.
    asker: i64,
    /// The next problem.
    next: AtomicUsize,
}

/// What an answer depends on.
#[derive(Serialize)]
struct Description<'a> {
    solve: u32,
    /// Engines of the same description before this one: each is measured by itself.
    copy: usize,
    programs: Vec<(u64, u32)>,
    command: String,
    args: &'a [String],
    options: &'a [(String, Option<String>)],
    init: &'a [String],
    movetime: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Solving {
    /// Checks the description and opens the store.
    pub fn new(
        suite: Suite,
        game: Game,
        rules: &str,
        options: Options,
    ) -> Result<Self, SolveError> {
        let limits = &options.limits;
        if options.engines.is_empty() {
            return Err(SolveError::NoEngine);
        }
        if limits.movetime.is_none() && limits.depth.is_none() && limits.nodes.is_none() {
            return Err(SolveError::NoLimit);
        }
        if options.concurrency == 0 {
            return Err(SolveError::Concurrency);
        }
        let store = match &options.store {
            Some(path) => Some(Cache::open(path)?),
            None => None,
        };
        let mut engines = Vec::new();
        for (index, spec) in options.engines.iter().enumerate() {
            let before = options.engines[..index].iter();
            let copy = before.filter(|other| *other == spec).count();
            let mut spec = spec.clone();
            if let Some(program) = &options.builtin {
                spec.resolve_builtin(program, game, rules);
            }
            let asker = match &store {
                Some(store) => store.asker(&description(&spec, limits, copy))?.0,
                None => 0,
            };
            engines.push(Entrant {
                options: std::mem::take(&mut spec.options),
                spec,
                game,
                asker,
                next: AtomicUsize::new(0),
            });
        }
        Ok(Self {
            shared: Arc::new(Shared {
                suite,
                engines,
                limits: options.limits,
                concurrency: options.concurrency,
                store,
            }),
            cancel: watch::Sender::new(false),
            fresh: options.fresh,
        })
    }

    /// What breaks it off.
    pub fn canceller(&self) -> Canceller {
        Canceller(self.cancel.clone())
    }

    /// Lets the engines think. The answers come as they are found.
    pub async fn run(self, tell: &mut dyn FnMut(&SolveEvent)) -> Result<Vec<Score>, SolveError> {
        let shared = &self.shared;
        if self.fresh {
            shared.forget()?;
        }
        tell(&SolveEvent::Start {
            problems: shared.suite.problems.len(),
            engines: shared.engines.iter().map(Entrant::name).collect(),
        });
        for broken in &shared.suite.broken {
            tell(&SolveEvent::Broken {
                line: broken.line,
                reason: broken.reason.clone(),
            });
        }
        let (sender, mut answers) = mpsc::unbounded_channel();
        let mut workers = JoinSet::new();
        let most = shared.engines.len() * shared.suite.problems.len();
        for index in 0..shared.concurrency.min(most) {
            let worker = Worker {
                shared: Arc::clone(shared),
                sender: sender.clone(),
                cancel: self.cancel.subscribe(),
            };
            workers.spawn(worker.work(index));
        }
        drop(sender);
        let mut scores: Vec<Score> = shared.engines.iter().map(Entrant::score).collect();
        while let Some(news) = answers.recv().await {
            match news {
                News::Name(engine, name) => scores[engine].name = name,
                News::Answer(event) => {
                    if let SolveEvent::Answer { engine, answer, .. } = &*event {
                        scores[*engine].count(answer);
                    }
                    tell(&event);
                }
            }
        }
        while let Some(ended) = workers.join_next().await {
            match ended {
                Ok(ended) => ended?,
                // A worker that panicked has said so; its problems are not answered.
                Err(_) => {
                    self.cancel.send_replace(true);
                }
            }
        }
        let cancelled = *self.cancel.borrow();
        if !cancelled {
            // The run is whole: another one begins anew.
            shared.forget()?;
        }
        tell(&SolveEvent::End {
            engines: scores.clone(),
            cancelled,
        });
        Ok(scores)
    }
}

impl Shared {
    fn forget(&self) -> Result<(), CacheError> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        self.engines
            .iter()
            .try_for_each(|entrant| store.clear(entrant.asker))
    }
}

fn description(spec: &EngineSpec, limits: &Limits, copy: usize) -> String {
    let description = Description {
        solve: 1,
        copy,
        programs: program_marks(spec),
        command: spec.command.display().to_string(),
        args: &spec.args,
        options: &spec.options,
        init: &spec.init,
        movetime: limits.movetime.map(|time| time.as_micros() as u64),
        depth: limits.depth,
        nodes: limits.nodes,
    };
    // Texts and numbers always have a form.
    serde_json::to_string(&description).unwrap_or_default()
}

impl Entrant {
    fn name(&self) -> String {
        let own = || {
            self.spec
                .address()
                .map_or_else(|_| String::new(), |address| address.name())
        };
        self.spec.name.clone().unwrap_or_else(own)
    }

    fn score(&self) -> Score {
        Score {
            name: self.name(),
            ..Score::default()
        }
    }
}

enum News {
    Name(usize, String),
    Answer(Box<SolveEvent>),
}

struct Worker {
    shared: Arc<Shared>,
    sender: mpsc::UnboundedSender<News>,
    cancel: watch::Receiver<bool>,
}

impl Worker {
    /// Takes problems of one engine, then of the others.
    async fn work(self, index: usize) -> Result<(), SolveError> {
        let engines = self.shared.engines.len();
        for offset in 0..engines {
            let which = (index + offset) % engines;
            let mut solver = Solver {
                entrant: &self.shared.engines[which],
                limits: &self.shared.limits,
                engine: None,
                known_good: false,
            };
            let worked = self.work_with(which, &mut solver).await;
            solver.dismiss().await;
            if worked.is_err() {
                // The others need not go on with a run that cannot be finished.
                self.shared.engines.iter().for_each(Entrant::exhaust);
            }
            worked?;
        }
        Ok(())
    }

    async fn work_with(&self, which: usize, solver: &mut Solver<'_>) -> Result<(), SolveError> {
        let entrant = &self.shared.engines[which];
        let mut cancel = self.cancel.clone();
        loop {
            let index = entrant.next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = self.shared.suite.problems.get(index) else {
                return Ok(());
            };
            if *cancel.borrow() {
                return Ok(());
            }
            let key = key(problem);
            let known = match &self.shared.store {
                Some(store) => store.get::<Answer>(entrant.asker, &key)?,
                None => None,
            };
            let is_known = known.is_some();
            let answer = match known {
                Some(answer) => answer,
                None => {
                    let asked = tokio::select! {
                        asked = solver.ask(problem) => asked?,
                        _ = cancel.wait_for(|cancelled| *cancelled) => {
                            return Ok(());
                        }
                    };
                    if let Some(store) = &self.shared.store {
                        store.put(entrant.asker, &key, &asked)?;
                    }
                    asked
                }
            };
            if let Some(engine) = &solver.engine {
                let name = entrant.spec.name.clone();
                let name = name.unwrap_or_else(|| engine.name().to_owned());
                let _ = self.sender.send(News::Name(which, name));
            }
            // The one who listens does so until all workers are gone.
            let _ = self.sender.send(News::Answer(Box::new(SolveEvent::Answer {
                engine: which,
                problem: index,
                label: problem.label.clone(),
                line: problem.line,
                known: is_known,
                answer: Box::new(answer),
            })));
        }
    }
}

impl Entrant {
    /// No more problems for this one.
    fn exhaust(&self) {
        self.next.store(usize::MAX / 2, Ordering::Relaxed);
    }
}

/// The name of a problem in the store: what is asked, not where it stands.
fn key(problem: &Problem) -> String {
    let line = &problem.position;
    let texts = |moves: &[quadrille_games::AnyMove]| {
        let texts: Vec<_> = moves.iter().filter_map(|m| line.text_of(*m).ok()).collect();
        texts.join(",")
    };
    format!(
        "{}|{}|{}|bm {}|am {}|dm {:?}",
        line.game().name(),
        line.rules_text(),
        line.position_text(),
        texts(&problem.best),
        texts(&problem.avoid),
        problem.mate
    )
}

/// An engine that is started when it is needed, and again when it dies.
struct Solver<'a> {
    entrant: &'a Entrant,
    limits: &'a Limits,
    engine: Option<Engine>,
    known_good: bool,
}

impl Solver<'_> {
    async fn ask(&mut self, problem: &Problem) -> Result<Answer, SolveError> {
        let mut failure = String::new();
        // It gets a second chance with a fresh process.
        for _ in 0..2 {
            match self.try_ask(problem).await? {
                Ok(answer) => return Ok(answer),
                Err(why) => failure = why,
            }
            self.dismiss().await;
        }
        Ok(Answer {
            failure: Some(failure),
            ..Answer::default()
        })
    }

    /// The inner error is the engine's, who may be better next time.
    async fn try_ask(&mut self, problem: &Problem) -> Result<Result<Answer, String>, SolveError> {
        if self.engine.is_none() {
            match start(self.entrant).await {
                Ok(engine) => self.engine = Some(engine),
                Err(error) if self.known_good => return Ok(Err(error.to_string())),
                Err(error) => return Err(error),
            }
            self.known_good = true;
        }
        let Some(engine) = &mut self.engine else {
            return Ok(Err("it is not there".into()));
        };
        if let Some(what) = engine.lacks(&problem.position) {
            return Ok(Err(format!("it does not know {what}")));
        }
        // What it learnt from one problem must not help with the next.
        if let Err(failure) = forget(engine).await {
            return Ok(Err(failure.to_string()));
        }
        Ok(solve(engine, problem, self.limits).await)
    }

    async fn dismiss(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            engine.quit().await;
        }
    }
}

async fn start(entrant: &Entrant) -> Result<Engine, SolveError> {
    let mut engine = Engine::start(&entrant.spec, entrant.game).await?;
    let set = set_up(&mut engine, &entrant.options, 1).await;
    set.map_err(|error| SolveError::Option(entrant.name(), error))?;
    Ok(engine)
}

/// One search, with an eye on when the solution came and whether it stayed.
async fn solve(engine: &mut Engine, problem: &Problem, limits: &Limits) -> Result<Answer, String> {
    let dialect = engine.dialect();
    let mut search = engine.search(&problem.position, limits).await;
    let begun = Instant::now();
    let mut found: Option<(Duration, InfoLine)> = None;
    while let Some(event) = search.next().await {
        let Event::Info(info) = event else {
            continue;
        };
        match holds(problem, &info, dialect) {
            Some(true) if found.is_none() => found = Some((begun.elapsed(), *info)),
            Some(false) => found = None,
            _ => {}
        }
    }
    let outcome = search.finish().await;
    let last = outcome.info().cloned().unwrap_or_default();
    let score = last.score.or(outcome.score);
    let mate = score.and_then(|score| score.mate_in(dialect));
    let best = match &outcome.answer {
        Played::Move(best) => best.clone(),
        Played::TimedOut(_) => return Err("it did not answer in time".into()),
        Played::NoMove => return Err("it says that there is no move".into()),
        Played::Illegal(error) => return Err(format!("its answer: {error}")),
        Played::Failed(failure) => return Err(failure.to_string()),
    };
    let position = &problem.position;
    let played = position
        .parse_move(&best.text)
        .map_err(|error| error.to_string())?;
    let solved = problem.is_solved_by(played, mate);
    let found = found.filter(|_| solved);
    Ok(Answer {
        notation: position.notation_of(played).ok(),
        played: Some(best.text),
        solved,
        found: match &found {
            // Its line was looked at a moment after it had come.
            Some((time, _)) => Some(outcome.elapsed.min(*time)),
            None => solved.then_some(outcome.elapsed),
        },
        found_nodes: found.as_ref().and_then(|(_, info)| info.nodes),
        found_depth: found.as_ref().and_then(|(_, info)| info.depth),
        elapsed: outcome.elapsed,
        nodes: last.nodes,
        depth: last.depth,
        score: score.and_then(|score| {
            let mate = score.mate_in(dialect).map(EngineScore::Mate);
            mate.or_else(|| score.to_cp(dialect).map(EngineScore::Cp))
        }),
        failure: None,
    })
}

/// Whether what an engine tells is the solution; nothing if it tells of no best line.
fn holds(problem: &Problem, info: &InfoLine, dialect: Dialect) -> Option<bool> {
    if info.multipv.is_some_and(|line| line > 1) {
        return None;
    }
    let first = info.pv_moves().next()?;
    let position = &problem.position;
    let played = position
        .parse_move(first)
        .or_else(|_| position.parse_notation(first))
        .ok()?;
    let mate = info.score.and_then(|score| score.mate_in(dialect));
    Some(problem.is_solved_by(played, mate))
}
