//! Workers that take games from a list, and what they tell put in order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::annotate::annotate;
use super::apart::{Stopped, apart};
use super::asker::{Asker, Shared, Trouble};
use super::assess::{evaluation, report};
use super::cache::{Cache, CacheError};
use super::event::{AnalysisEvent, Kept, Watch};
use super::games::{GameText, Games};
use super::options::{Direction, Options, OptionsError};
use super::report::{Evaluation, GameReport};
use super::subject::{Subject, Unfit, Unread, open_positions};
use quadrille_driver::{Opener, SetOptionError, StartError};

/// Why an analysis cannot begin or go on. What is in the cache by then stays.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// What is asked for makes no sense.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// An engine does not come up.
    #[error(transparent)]
    Start(StartError),
    /// An engine cannot do what is asked of it.
    #[error(transparent)]
    Option(SetOptionError),
    /// The games cannot be written.
    #[error("the analysed games cannot be written: {0}")]
    Write(#[from] io::Error),
    /// A part of this program broke.
    #[error("the analyst has a fault, please report it: {0}")]
    Fault(String),
}

impl AnalyseError {
    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Start(error) => error.hint(),
            _ => None,
        }
    }

    /// Whether what the user wrote is wrong, not the machine.
    pub const fn is_in_the_description(&self) -> bool {
        match self {
            Self::Options(_) | Self::Cache(_) => true,
            Self::Start(error) => error.is_in_the_description(),
            Self::Option(error) => matches!(error, SetOptionError::Option(_)),
            Self::Write(_) | Self::Fault(_) => false,
        }
    }
}

/// An analysis that can be run once.
#[derive(Debug)]
pub struct Analysis {
    shared: Shared,
    cancel: watch::Sender<bool>,
}

/// Breaks an analysis off, from any thread, at any time.
#[derive(Debug, Clone)]
pub struct Canceller(watch::Sender<bool>);

impl Canceller {
    /// No more questions; engines leave, and the run ends soon.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// How an analysis went.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games that were analysed.
    pub analysed: u64,
    /// Games that stay as they were.
    pub kept: u64,
    /// Positions whose answers were in the cache.
    pub cached: u64,
    /// Positions that engines were asked about.
    pub searched: u64,
    /// It was broken off: not all games are written.
    pub cancelled: bool,
    /// How long it took.
    pub elapsed: Duration,
}

impl Analysis {
    /// Checks what is asked for and opens the cache. Engines are started when they
    /// are needed.
    pub fn new(options: Options) -> Result<Self, AnalyseError> {
        options.check()?;
        let cache = match &options.cache {
            Some(path) => Some(Arc::new(Cache::open(path)?)),
            None => None,
        };
        let shared = Shared {
            options: Arc::new(options),
            cache,
            opener: None,
        };
        let (cancel, _) = watch::channel(false);
        Ok(Self { shared, cancel })
    }

    /// Asks `opener` first for engines, before a program is started.
    #[must_use]
    pub fn with_opener(mut self, opener: Opener) -> Self {
        self.shared.opener = Some(opener);
        self
    }

    /// What breaks it off.
    pub fn canceller(&self) -> Canceller {
        Canceller(self.cancel.clone())
    }

    /// Analyses games. They are written to `out` in their order, each as soon as
    /// those before it are done; one that cannot be analysed as it was. All games
    /// are read before the first is analysed, on a thread for such work.
    pub async fn run(
        self,
        games: Games,
        watcher: &mut (impl Watch + ?Sized),
        out: &mut (impl Write + ?Sized),
    ) -> Result<Summary, AnalyseError> {
        let began = Instant::now();
        let counted = count(&games, self.cancel.subscribe()).await?;
        let mut desk = Desk::new(&self.shared.options, &games, counted, watcher, out);
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let next = Arc::new(AtomicUsize::new(0));
        let mut workers = JoinSet::new();
        for _ in 0..desk.workers {
            let worker = Worker {
                shared: self.shared.clone(),
                games: games.clone(),
                next: Arc::clone(&next),
                sender: sender.clone(),
                cancel: self.cancel.subscribe(),
                askers: Vec::new(),
            };
            workers.spawn(worker.work());
        }
        drop(sender);
        let mut failed = None;
        while let Some(message) = receiver.recv().await {
            if let Err(error) = desk.take(message) {
                self.cancel.send_replace(true);
                failed.get_or_insert(error);
            }
        }
        while let Some(ended) = workers.join_next().await {
            if let Err(broken) = ended {
                failed.get_or_insert(AnalyseError::Fault(broken.to_string()));
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(desk.finish(began.elapsed(), *self.cancel.borrow())),
        }
    }
}

/// What a worker tells.
pub(super) enum Message {
    Started(AnalysisEvent),
    Position {
        number: u64,
        ply: usize,
        engine: usize,
        cached: bool,
        evaluation: Option<Evaluation>,
        took: Duration,
    },
    /// A game is done: the text, and the report or why there is none. `owed` are
    /// the positions that will not be looked at.
    Done {
        index: usize,
        text: Vec<u8>,
        result: Result<Box<GameReport>, Unfit>,
        owed: u64,
    },
    Failed(AnalyseError),
}

struct Worker {
    shared: Shared,
    games: Games,
    next: Arc<AtomicUsize>,
    sender: mpsc::UnboundedSender<Message>,
    cancel: watch::Receiver<bool>,
    askers: Vec<Asker>,
}

/// Why a worker stops in the middle of a game.
enum Stop {
    Cancelled,
    Game(String),
    Failed(AnalyseError),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Game(reason) => Self::Game(reason),
            Trouble::Start(error) => Self::Failed(AnalyseError::Start(error)),
            Trouble::Option(error) => Self::Failed(AnalyseError::Option(error)),
            Trouble::Cache(error) => Self::Failed(AnalyseError::Cache(error)),
        }
    }
}

impl Worker {
    async fn work(mut self) {
        while !*self.cancel.borrow() {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.games.len() {
                break;
            }
            match self.whole_game(index).await {
                Ok(done) => self.say(done),
                Err(Stop::Failed(error)) => {
                    self.say(Message::Failed(error));
                    break;
                }
                Err(Stop::Cancelled | Stop::Game(_)) => break,
            }
        }
        for asker in &mut self.askers {
            asker.dismiss().await;
        }
    }

    /// Reads a game, analyses it, and writes down what was found.
    async fn whole_game(&mut self, index: usize) -> Result<Message, Stop> {
        let read = self.of_text(index, Subject::read).await?;
        let (result, owed) = match read {
            Ok(subject) => self.game(subject).await?,
            Err(unfit) => (Err(unfit), 0),
        };
        let written = match result {
            Ok(report) => {
                let options = Arc::clone(&self.shared.options);
                self.of_text(index, move |text, stopped| {
                    let text = annotate(text, &report, &options, stopped)?;
                    Ok((report, text))
                })
                .await?
            }
            Err(unfit) => Err(unfit),
        };
        let (result, text) = match written {
            Ok((report, written)) => (Ok(report), written.into_bytes()),
            Err(unfit) => {
                let bytes = self.games.bytes(index).unwrap_or_default();
                (Err(unfit), as_it_was(bytes))
            }
        };
        Ok(Message::Done {
            index,
            text,
            result,
            owed,
        })
    }

    /// Does with the text of a game what may take long.
    async fn of_text<T: Send + 'static>(
        &mut self,
        index: usize,
        work: impl FnOnce(GameText<'_>, Stopped<'_>) -> Result<T, Unread> + Send + 'static,
    ) -> Result<Result<T, Unfit>, Stop> {
        let games = self.games.clone();
        let work = move |stopped: Stopped<'_>| match games.get(index) {
            Some(text) => work(text, stopped),
            None => Err(Unread::Stopped),
        };
        match apart(self.cancel.clone(), work).await {
            Ok(Ok(done)) => Ok(Ok(done)),
            Ok(Err(Unread::Unfit(unfit))) => Ok(Err(unfit)),
            Ok(Err(Unread::Stopped)) => Err(Stop::Cancelled),
            Err(broken) => Err(Stop::Failed(AnalyseError::Fault(broken.to_string()))),
        }
    }

    fn say(&self, message: Message) {
        // A run that is not waited for any more hears nothing.
        let _ = self.sender.send(message);
    }

    /// Looks at every position of a game. An engine that fails spoils the game
    /// alone; the number is that of the positions it leaves.
    async fn game(
        &mut self,
        subject: Subject,
    ) -> Result<(Result<Box<GameReport>, Unfit>, u64), Stop> {
        self.say(Message::Started(AnalysisEvent::GameStart {
            number: subject.number,
            game: subject.game(),
            white: subject.heading.white.clone(),
            black: subject.heading.black.clone(),
            plies: subject.moves.len(),
        }));
        let engines = self.shared.options.engines.len();
        let mut left = subject.open_positions() * engines as u64;
        let mut found = vec![vec![None; engines]; subject.positions.len()];
        match self.positions(&subject, &mut found, &mut left).await {
            Ok(names) => Ok((Ok(Box::new(report(subject, found, names))), 0)),
            Err(Stop::Game(reason)) => {
                let unfit = Unfit {
                    line: subject.file_line,
                    why: Kept::Failed,
                    reason,
                };
                Ok((Err(unfit), left))
            }
            Err(stop) => Err(stop),
        }
    }

    async fn positions(
        &mut self,
        subject: &Subject,
        found: &mut [Vec<Option<Evaluation>>],
        left: &mut u64,
    ) -> Result<Vec<String>, Stop> {
        self.hire(subject).await?;
        for engine in 0..self.askers.len() {
            self.askers[engine].next_game().await;
            self.with_engine(engine, subject, found, left).await?;
        }
        Ok(self.askers.iter().map(Asker::name).collect())
    }

    /// Asks one engine about all positions.
    async fn with_engine(
        &mut self,
        engine: usize,
        subject: &Subject,
        found: &mut [Vec<Option<Evaluation>>],
        left: &mut u64,
    ) -> Result<(), Stop> {
        let direction = self.shared.options.direction;
        let mut at = subject.line.clone();
        let mut coming = Vec::new();
        if direction == Direction::Forwards {
            while let Some(m) = at.pop() {
                coming.push(m);
            }
        }
        loop {
            let ply = at.plies();
            if subject.positions[ply].over.is_none() {
                found[ply][engine] = Some(self.position(subject, engine, &at).await?);
                *left -= 1;
            }
            let more = match direction {
                Direction::Backwards => at.pop().is_some(),
                // They were all played before.
                Direction::Forwards => coming.pop().is_some_and(|m| at.push(m).is_ok()),
            };
            if !more {
                return Ok(());
            }
        }
    }

    /// Asks one engine about one position.
    async fn position(
        &mut self,
        subject: &Subject,
        engine: usize,
        at: &quadrille_games::AnyLine,
    ) -> Result<Evaluation, Stop> {
        let began = Instant::now();
        let ply = at.plies();
        let Self { askers, cancel, .. } = self;
        let told = tokio::select! {
            biased;
            _ = cancel.wait_for(|cancelled| *cancelled) => return Err(Stop::Cancelled),
            told = askers[engine].ask(at, &subject.positions[ply].key) => told?,
        };
        let said = evaluation(&told.answer, at);
        self.say(Message::Position {
            number: subject.number,
            ply,
            engine,
            cached: told.cached,
            evaluation: Some(said.clone()),
            took: began.elapsed(),
        });
        // Answers from the cache come without waiting for anything; others on
        // this thread get their turn all the same.
        tokio::task::yield_now().await;
        Ok(said)
    }

    /// Sees to it that there is an asker for each engine, for this game.
    async fn hire(&mut self, subject: &Subject) -> Result<(), Stop> {
        let (game, rules) = (subject.game(), &subject.rules);
        if self.askers.iter().any(|asker| !asker.is_for(game, rules)) {
            for mut asker in self.askers.drain(..) {
                asker.dismiss().await;
            }
        }
        for index in self.askers.len()..self.shared.options.engines.len() {
            let asker = Asker::new(&self.shared, index, game, rules);
            let failed = |error| Stop::Failed(AnalyseError::Cache(error));
            self.askers.push(asker.map_err(failed)?);
        }
        Ok(())
    }
}

/// The bytes of a game, with an empty line behind them.
pub(super) fn as_it_was(bytes: &[u8]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    let blank: &[&[u8]] = &[b"\n\n", b"\n\r\n", b"\r\r"];
    if !blank.iter().any(|end| text.ends_with(end)) {
        let ended = matches!(text.last(), Some(b'\n' | b'\r'));
        text.extend_from_slice(if ended { b"\n" } else { b"\n\n" });
    }
    text
}

/// The positions of each game that an engine has something to say about; none
/// where a game cannot be read. The list ends where `cancel` broke it off.
pub(super) async fn count(
    games: &Games,
    cancel: watch::Receiver<bool>,
) -> Result<Vec<u64>, AnalyseError> {
    let games = games.clone();
    let work = move |stopped: Stopped<'_>| {
        let mut counted = Vec::with_capacity(games.len());
        for text in (0..games.len()).filter_map(|index| games.get(index)) {
            match open_positions(text, stopped) {
                Ok(open) => counted.push(open),
                Err(Unread::Unfit(_)) => counted.push(0),
                Err(Unread::Stopped) => break,
            }
        }
        counted
    };
    let counted = apart(cancel, work).await;
    counted.map_err(|broken| AnalyseError::Fault(broken.to_string()))
}

/// Puts in order what the workers tell.
pub(super) struct Desk<'a, V: ?Sized, W: ?Sized> {
    watcher: &'a mut V,
    out: &'a mut W,
    workers: usize,
    pub(super) engines: u64,
    /// Games that wait for one before them.
    waiting: BTreeMap<usize, Vec<u8>>,
    next: usize,
    games: usize,
    /// The positions of each game, as far as they were counted.
    counted: Vec<u64>,
    done: u64,
    total: u64,
    searching: Duration,
    summary: Summary,
}

impl<'a, V: Watch + ?Sized, W: Write + ?Sized> Desk<'a, V, W> {
    pub(super) fn new(
        options: &Options,
        games: &Games,
        counted: Vec<u64>,
        watcher: &'a mut V,
        out: &'a mut W,
    ) -> Self {
        let positions: u64 = counted.iter().sum();
        let workers = options.concurrency.min(games.len());
        let label = |spec: &quadrille_driver::spec::EngineSpec| {
            let program = || spec.address().map_or_else(|_| String::new(), |a| a.name());
            spec.name.clone().unwrap_or_else(program)
        };
        watcher.see(&AnalysisEvent::Start {
            games: games.len() as u64,
            positions,
            engines: options.engines.iter().map(label).collect(),
            concurrency: workers,
        });
        Self {
            watcher,
            out,
            workers,
            engines: options.engines.len() as u64,
            waiting: BTreeMap::new(),
            next: 0,
            games: games.len(),
            counted,
            done: 0,
            total: positions * options.engines.len() as u64,
            searching: Duration::ZERO,
            summary: Summary::default(),
        }
    }

    /// Number of answers that all engines owe for a game, as far as it was counted.
    pub(super) fn questions(&self, index: usize) -> u64 {
        let open = self.counted.get(index).copied().unwrap_or_default();
        open * self.engines
    }

    pub(super) fn take(&mut self, message: Message) -> Result<(), AnalyseError> {
        match message {
            Message::Started(event) => self.watcher.see(&event),
            Message::Failed(error) => return Err(error),
            Message::Position {
                number,
                ply,
                engine,
                cached,
                evaluation,
                took,
            } => {
                self.done += 1;
                if cached {
                    self.summary.cached += 1;
                } else {
                    self.summary.searched += 1;
                    self.searching += took;
                }
                self.watcher.see(&AnalysisEvent::Position {
                    number,
                    ply,
                    engine,
                    cached,
                    evaluation,
                    done: self.done,
                    total: self.total,
                    left: self.left(),
                });
            }
            Message::Done {
                index,
                text,
                result,
                owed,
            } => {
                self.total = self.total.saturating_sub(owed);
                self.ended(index as u64 + 1, result);
                self.waiting.insert(index, text);
                while let Some(text) = self.waiting.remove(&self.next) {
                    self.out.write_all(&text)?;
                    self.next += 1;
                }
            }
        }
        Ok(())
    }

    fn ended(&mut self, number: u64, result: Result<Box<GameReport>, Unfit>) {
        match result {
            Ok(report) => {
                self.summary.analysed += 1;
                self.watcher.see(&AnalysisEvent::GameEnd { report });
            }
            Err(unfit) => {
                self.summary.kept += 1;
                self.watcher.see(&AnalysisEvent::GameKept {
                    number,
                    line: unfit.line,
                    why: unfit.why,
                    reason: unfit.reason,
                });
            }
        }
    }

    /// How long the rest will take: as long as those that had to be searched, if
    /// none of it is in the cache.
    fn left(&self) -> Option<Duration> {
        let searched = u32::try_from(self.summary.searched).ok()?;
        let each = self.searching.checked_div(searched)?;
        let rest = self.total.saturating_sub(self.done);
        let turns = rest as f64 / self.workers.max(1) as f64;
        Duration::try_from_secs_f64(each.as_secs_f64() * turns).ok()
    }

    pub(super) fn finish(mut self, elapsed: Duration, cancelled: bool) -> Summary {
        self.summary.elapsed = elapsed;
        // One that was told to stop when everything was done is whole.
        let all = self.next == self.games;
        self.summary.cancelled = cancelled && !all;
        let summary = self.summary;
        self.watcher.see(&AnalysisEvent::End {
            analysed: summary.analysed,
            kept: summary.kept,
            cached: summary.cached,
            searched: summary.searched,
            cancelled: summary.cancelled,
            elapsed,
        });
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_kept_is_followed_by_an_empty_line() {
        assert_eq!(as_it_was(b"1. e4 *"), b"1. e4 *\n\n");
        assert_eq!(as_it_was(b"1. e4 *\n"), b"1. e4 *\n\n");
        assert_eq!(as_it_was(b"1. e4 *\n\n\n"), b"1. e4 *\n\n\n");
        assert_eq!(as_it_was(b"1. e4 *\r\n\r\n"), b"1. e4 *\r\n\r\n");
    }
}
