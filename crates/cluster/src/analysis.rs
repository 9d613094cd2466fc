//! Games of a file, analysed by workers: the same text and the same report as
//! here.

use std::collections::VecDeque;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use async_nats::Client;
use quadrille_analysis::{
    AnalyseError, Analysis, AnalysisEvent, Direction, Games, Gatherer, Memory, Options, Summary,
    Variations, Watch,
};
use quadrille_driver::Limits;
use quadrille_driver::spec::EngineSpec;
use quadrille_games::Game;
use quadrille_match::tournament::MatchEvent;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::access::Access;
use crate::config::{WorkerConfig, is_engine_name};
use crate::crew::Entry;
use crate::error::ClusterError;
use crate::messages::{Need, Outcome, Settings, Task};
use crate::names::DIRECTOR_INBOX;
use crate::parcel::give;
use crate::queue::{Keep, Plan, Queue, Word};
use crate::secret::Secret;

/// How often a game is dealt before it is given up.
const MOST_ATTEMPTS: u32 = 8;

/// A game to be analysed: everything but programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisJob {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Where it begins there, from 1.
    pub line: u64,
    /// Its text; one that is no UTF-8 stands in `bytes`.
    pub text: String,
    /// Its text as bytes, where it must be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u8>,
    /// The engines, by their names in the worker's file, and how they are set.
    pub engines: Vec<(String, Settings)>,
    /// Milliseconds for each position.
    pub movetime_ms: Option<u64>,
    /// Plies for each position.
    pub depth: Option<u32>,
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// How many best lines.
    pub lines: u32,
    /// The way through the game.
    pub direction: Direction,
    /// What engines remember.
    pub memory: Option<Memory>,
    /// Where best lines are written.
    pub variations: Variations,
    /// The longest line that is written.
    pub line_length: usize,
}

/// A game that was analysed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnalysisResult {
    /// What was told about it.
    pub events: Vec<AnalysisEvent>,
    /// The game with everything written in; one that is no UTF-8 stands in
    /// `bytes`.
    pub text: String,
    /// The same as bytes, where it must be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u8>,
}

/// A text, or bytes that are none.
fn packed(bytes: Vec<u8>) -> (String, Vec<u8>) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, Vec::new()),
        Err(error) => (String::new(), error.into_bytes()),
    }
}

fn unpacked(text: String, bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        text.into_bytes()
    } else {
        bytes
    }
}

/// Analyses one game with the engines of this worker.
pub(crate) async fn work(config: &WorkerConfig, program: &Path, job: &AnalysisJob) -> Outcome {
    match analyse(config, program, job).await {
        Ok(result) => Outcome::Analysed(Box::new(result)),
        Err(reason) => Outcome::Trouble(reason),
    }
}

async fn analyse(
    config: &WorkerConfig,
    program: &Path,
    job: &AnalysisJob,
) -> Result<AnalysisResult, String> {
    let bytes = unpacked(job.text.clone(), job.bytes.clone());
    let games = Games::one_of(bytes, job.number, job.line);
    let game = games.game(0).ok_or("there is no game in it")?;
    let mut engines = Vec::new();
    for (name, settings) in &job.engines {
        let spec = config.spec(name, game, "", program);
        let spec = spec.ok_or_else(|| format!("it has no engine '{name}' for {game}"))?;
        let mut spec = if config.engine.contains_key(name) {
            spec
        } else {
            EngineSpec {
                command: name.into(),
                ..EngineSpec::default()
            }
        };
        spec.options.extend(settings.iter().cloned());
        engines.push(spec);
    }
    let options = Options {
        engines,
        builtin: Some(program.to_owned()),
        limits: Limits {
            movetime: job.movetime_ms.map(Duration::from_millis),
            depth: job.depth,
            nodes: job.nodes,
            ..Limits::default()
        },
        lines: job.lines,
        concurrency: 1,
        direction: job.direction,
        memory: job.memory,
        cache: None,
        variations: job.variations,
        line_length: job.line_length.min(1000),
    };
    let analysis = Analysis::new(options).map_err(|error| error.to_string())?;
    let mut events = Vec::new();
    let mut out = Vec::new();
    let mut see = |event: &AnalysisEvent| events.push(event.clone());
    let ran = analysis.run(games, &mut see, &mut out).await;
    ran.map_err(|error| error.to_string())?;
    let (text, bytes) = packed(out);
    Ok(AnalysisResult {
        events,
        text,
        bytes,
    })
}

/// An analysis that workers do: [`Options::concurrency`] games at once, in all.
#[derive(Debug, Clone, Copy)]
pub struct Spread<'a> {
    /// How the server is reached.
    pub access: &'a Access,
    /// How long a worker may be silent before its games are dealt again.
    pub patience: Duration,
    /// What is asked. Commands of engines are names in the workers' files; the
    /// cache is not used.
    pub options: &'a Options,
}

impl Spread<'_> {
    /// Analyses games. They are written to `out` in their order; `warn` hears what
    /// the user should know, and `stop` breaks it off.
    pub async fn run(
        self,
        games: &Games,
        watcher: &mut (impl Watch + ?Sized),
        out: &mut (impl Write + ?Sized),
        warn: &mut dyn FnMut(&str),
        mut stop: watch::Receiver<bool>,
    ) -> Result<Summary, ClusterError> {
        let options = self.options;
        let gatherer = Gatherer::new(options, games, watcher, out, stop.clone()).await;
        let mut gatherer = gatherer.map_err(|error| match error {
            AnalyseError::Options(error) => ClusterError::Input(error.to_string()),
            error => error.into(),
        })?;
        let needs = needs(options, games)?;
        let (name, dropped) = ("quadrille analyse", Arc::default());
        let connecting = (self.access).connect_bounded(name, DIRECTOR_INBOX, Arc::clone(&dropped));
        let client = tokio::select! {
            client = connecting => client?,
            _ = stop.wait_for(|stop| *stop) => return Ok(gatherer.finish(true)),
        };
        // Not broken off half-way: what it makes on the server is taken away again.
        let queue = self.open(client, needs, dropped).await?;
        let mut waiting: VecDeque<usize> = (0..games.len()).collect();
        let mut running = JoinSet::new();
        let mut ticks = tokio::time::interval(Duration::from_millis(500));
        let result = loop {
            while running.len() < options.concurrency
                && let Some(index) = waiting.pop_front()
            {
                let job = job(options, games, index);
                let queue = Arc::clone(&queue);
                running.spawn(async move { (index, one(queue, index as u64 + 1, job).await) });
            }
            tokio::select! {
                done = running.join_next() => match done {
                    None => break Ok(false),
                    Some(Err(broken)) => break Err(ClusterError::Server(broken.to_string())),
                    Some(Ok((index, result))) => {
                        let taken = match result {
                            Ok(AnalysisResult { events, text, bytes }) => {
                                gatherer.take(index, events, unpacked(text, bytes))
                            }
                            Err(reason) => gatherer.keep(games, index, reason),
                        };
                        if let Err(error) = taken {
                            break Err(error.into());
                        }
                        queue.kept(index as u64 + 1).await;
                    }
                },
                _ = ticks.tick() => {
                    for event in queue.news() {
                        match event {
                            MatchEvent::Warning { reason } => warn(&reason),
                            MatchEvent::GameAgain { game, reason } => {
                                warn(&format!("game {game} is dealt again: {reason}"));
                            }
                            _ => {}
                        }
                    }
                }
                _ = stop.wait_for(|stop| *stop) => break Ok(true),
            }
        };
        running.shutdown().await;
        queue.close(true).await;
        Ok(gatherer.finish(result?))
    }

    async fn open(
        &self,
        client: Client,
        needs: Vec<Need>,
        dropped: Arc<AtomicU64>,
    ) -> Result<Arc<Queue>, ClusterError> {
        let plan = Plan {
            event: crate::names::fresh(&client),
            session: 1,
            title: "an analysis".into(),
            entry: Entry {
                needs,
                expected: Vec::new(),
                reference: 0,
                slowest_permille: 1_000_000,
                patience: self.patience,
            },
            tables: false,
            live: false,
            jobs: self.options.concurrency,
            keep: Keep::ThisRun,
            hold: None,
            secret: Secret::new(&Secret::fresh()?),
            dropped,
        };
        Queue::over(client, plan, [], None).await
    }
}

fn needs(options: &Options, games: &Games) -> Result<Vec<Need>, ClusterError> {
    let mut needs: Vec<Need> = Vec::new();
    for spec in &options.engines {
        let engine = spec.command.to_string_lossy().into_owned();
        if !is_engine_name(&engine) || !spec.args.is_empty() {
            return Err(ClusterError::Input(format!(
                "engine '{engine}': with --nats, an engine is a name that the workers' files map \
                 to a program; letters, digits, '-', '_', '.' and ':' are allowed"
            )));
        }
        for index in 0..games.len() {
            let need = Need {
                engine: engine.clone(),
                game: games.game(index).unwrap_or(Game::Chess),
                options: spec.options.clone(),
            };
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    Ok(needs)
}

fn job(options: &Options, games: &Games, index: usize) -> AnalysisJob {
    let (text, bytes) = packed(games.bytes(index).unwrap_or_default().to_vec());
    let engine = |spec: &EngineSpec| {
        let name = spec.command.to_string_lossy().into_owned();
        (name, spec.options.clone())
    };
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    AnalysisJob {
        number: index as u64 + 1,
        line: games.line(index).unwrap_or(1),
        text,
        bytes,
        engines: options.engines.iter().map(engine).collect(),
        movetime_ms: options.limits.movetime.map(millis),
        depth: options.limits.depth,
        nodes: options.limits.nodes,
        lines: options.lines,
        direction: options.direction,
        memory: options.memory,
        variations: options.variations,
        line_length: options.line_length,
    }
}

/// Whether what was told is of one game, with one end.
fn is_of(events: &[AnalysisEvent], game: u64) -> bool {
    let mut ends = 0;
    let theirs = events.iter().all(|event| match event {
        AnalysisEvent::GameStart { number, .. } | AnalysisEvent::Position { number, .. } => {
            *number == game
        }
        AnalysisEvent::GameEnd { report } => {
            ends += 1;
            report.number == game
        }
        // Its number is that in the message, where it is alone.
        AnalysisEvent::GameKept { .. } => {
            ends += 1;
            true
        }
        AnalysisEvent::Start { .. } | AnalysisEvent::End { .. } => true,
    });
    theirs && ends == 1
}

/// One game, dealt until there is a result, or why there is none.
async fn one(queue: Arc<Queue>, number: u64, job: AnalysisJob) -> Result<AnalysisResult, String> {
    let task = Task::Analyse(Box::new(job));
    let mut expected = queue.expect(number);
    let (mut attempt, _) = queue.first_attempt(number);
    let mut avoid: Option<String> = None;
    let mut last = String::new();
    for _ in 0..MOST_ATTEMPTS {
        let avoided = avoid.iter().cloned();
        let avoided: Vec<String> = avoided.filter(|word| queue.has_others(word)).collect();
        if !queue.deal(number, attempt, &task, &avoided).await? {
            return Err("given up".into());
        }
        let reason = loop {
            match expected.next().await {
                None | Some(Word::GivenUp) => return Err("given up".into()),
                // An analysis has no limit of time, and is closed to nobody.
                Some(Word::Live(..) | Word::Grabbed(_) | Word::Overdue(_) | Word::Left) => {}
                Some(Word::Lost(reason)) => break reason,
                Some(Word::Reply(reply, mut receipts)) => {
                    let reason: String = match reply.outcome {
                        Outcome::Analysed(result) if is_of(&result.events, number) => {
                            let worker = reply.worker.clone();
                            match queue.taken(number, worker, receipts) {
                                Ok(()) => return Ok(*result),
                                Err(unwanted) => {
                                    receipts = unwanted;
                                    "it was set aside meanwhile".into()
                                }
                            }
                        }
                        Outcome::Analysed(_) => "its result is not of this game".into(),
                        Outcome::Trouble(reason) => reason,
                        Outcome::Played(_) | Outcome::Looked(_) => {
                            "it played what was to be analysed".into()
                        }
                    };
                    queue.blame(&reply.worker, &reply.name, &reason).await;
                    give(receipts).await;
                    avoid = Some(reply.worker);
                    break format!("{}: {reason}", reply.name);
                }
            }
        };
        queue.withdraw(number, attempt).await;
        last.clone_from(&reason);
        queue.tell(MatchEvent::GameAgain {
            game: number,
            reason,
        });
        attempt = queue.next_attempt(attempt);
    }
    Err(format!(
        "it was dealt {MOST_ATTEMPTS} times without a result; the last time: {last}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_analysis::Kept;

    #[test]
    fn a_result_is_of_one_game_and_has_one_end() {
        let kept = || AnalysisEvent::GameKept {
            number: 1,
            line: 1,
            why: Kept::Empty,
            reason: String::new(),
        };
        let start = |number| AnalysisEvent::GameStart {
            number,
            game: Game::Chess,
            white: String::new(),
            black: String::new(),
            plies: 0,
        };
        assert!(is_of(&[start(3), kept()], 3));
        for odd in [&[][..], &[start(4), kept()], &[kept(), kept()], &[start(3)]] {
            assert!(!is_of(odd, 3), "{odd:?}");
        }
    }
}
