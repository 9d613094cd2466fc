//! Many games on many threads, begun or continued.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_search::Searcher;
use quadrille_search::bench::{bench, bench_depth};

use crate::file::{FileError, Games, Header};
use crate::openings::Opening;
use crate::play::{Preset, Settings, game};
use crate::writer::Writer;

/// Time of which a killed run may lose the games, beside those under way.
const FLUSH: Duration = Duration::from_secs(20);
/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_secs(2);
/// A search goes as deep as its table of plies.
const STACK: usize = 8 << 20;

/// Reasons why a run cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file there was made in another way.
    #[error("{path} was made with {key} {there}, not {here}: give the same, or another file")]
    Other {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        key: String,
        /// As it stands in the file.
        there: String,
        /// As it was asked for.
        here: String,
    },
    /// The file there was made by `quadrille data shuffle`.
    #[error("{path} is a shuffled file, and no run goes on with it: give another file")]
    Shuffled {
        /// The file.
        path: PathBuf,
    },
    /// Not one thread to play on.
    #[error("no thread could be started: {0}")]
    Threads(io::Error),
    /// A thread of games ended in a panic.
    #[error("a game ended in a panic; what was played is in the file")]
    Panic,
}

/// A run: games that go to one file.
#[derive(Debug, Clone)]
pub struct Run {
    /// Settings of each game.
    pub settings: Settings,
    /// Games in the file when it is done.
    pub games: u64,
    /// Games at a time.
    pub threads: usize,
    /// Name of the engine, for the header: a change of play is another run.
    pub engine: String,
}

/// Progress of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Games in the file, those of earlier runs included.
    pub games: u64,
    /// Games in the file when it is done.
    pub wanted: u64,
    /// Moves searched by this run.
    pub plies: u64,
    /// Since this run began.
    pub elapsed: Duration,
    /// Bytes of a torn block that this run found at the end of the file and cut
    /// off.
    pub cut: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.plies as f64 / self.elapsed.as_secs_f64().max(0.001);
        write!(
            f,
            "{} of {} games; {} positions in this run, {speed:.0} a second",
            self.games, self.wanted, self.plies
        )
    }
}

impl Run {
    fn header<P: Opening>(&self) -> Header {
        let Settings {
            nodes,
            hash,
            seed,
            preset,
        } = self.settings;
        let mut made = vec![
            ("engine", self.engine.clone()),
            ("nodes", nodes.to_string()),
            ("hash", hash.to_string()),
            ("seed", seed.to_string()),
        ];
        // Files from before there were presets are of the standard one.
        if preset != Preset::Standard {
            made.push(("preset", preset.to_string()));
        }
        Header {
            game: P::GAME,
            rules: P::rules_text(&P::run_rules()),
            made: made.into_iter().map(|(k, v)| (k.into(), v)).collect(),
        }
    }
}

/// Returns the name of the engine for the header of a file: its version, and a signature
/// of its play, which changes more often.
pub fn engine_signature<P: Opening>() -> String {
    let nodes = bench::<P>(&P::Rules::default(), bench_depth(P::GAME), 1, 16).nodes;
    format!("quadrille {} bench {nodes}", env!("CARGO_PKG_VERSION"))
}

/// Plays games into a file until it holds as many as wanted or `stop` is set. A
/// file that exists is continued if it was made with the same settings.
pub fn run<P: Opening>(
    run: &Run,
    path: &Path,
    stop: &AtomicBool,
    report: impl FnMut(Progress) + Send,
) -> Result<Progress, RunError> {
    let header = run.header::<P>();
    let (mut writer, there) = Writer::open(path, &header)?;
    let (mut done, mut cut) = (HashSet::new(), 0);
    if let Some(mut games) = there {
        done = resume::<P>(path, &mut games, &header)?;
        cut = games.torn_bytes();
        writer.go_on(&games)?;
    }
    let shared = Shared {
        run,
        stop,
        next: AtomicU64::new(0),
        ended: AtomicUsize::new(0),
        began: Instant::now(),
        file: Mutex::new(GameFile {
            writer,
            games: done.len() as u64,
            plies: 0,
            flushed: Instant::now(),
        }),
        done,
        cut,
    };
    let played = shared.play_on_threads::<P>(report);
    let flushed = shared.lock().writer.flush();
    played?;
    flushed?;
    Ok(shared.progress())
}

/// Reads a file to go on with it; says which games it has.
fn resume<P: Opening>(
    path: &Path,
    games: &mut Games,
    header: &Header,
) -> Result<HashSet<u64>, RunError> {
    let there = games.header();
    if there.get("shuffled").is_some() {
        return Err(RunError::Shuffled { path: path.into() });
    }
    let preset = |header: &Header| {
        let standard = Preset::Standard.name();
        header.get("preset").unwrap_or(standard).to_owned()
    };
    let own = |header: &Header, key: &str| header.get(key).unwrap_or_default().to_owned();
    let mut pairs = vec![
        ("game", there.game.to_string(), header.game.to_string()),
        ("rules", there.rules.clone(), header.rules.clone()),
        ("preset", preset(there), preset(header)),
    ];
    for (key, _) in &header.made {
        pairs.push((key, own(there, key), own(header, key)));
    }
    if let Some((key, there, here)) = pairs.into_iter().find(|(_, a, b)| a != b) {
        return Err(RunError::Other {
            path: path.into(),
            key: key.into(),
            there,
            here,
        });
    }
    let mut done = HashSet::new();
    while let Some(block) = games.next_block::<P>(&P::run_rules())? {
        done.extend(block.iter().map(|game| game.number));
    }
    Ok(done)
}

/// State shared by the threads.
struct Shared<'a> {
    run: &'a Run,
    stop: &'a AtomicBool,
    next: AtomicU64,
    /// Threads that have nothing more to play.
    ended: AtomicUsize,
    began: Instant,
    file: Mutex<GameFile>,
    done: HashSet<u64>,
    cut: u64,
}

struct GameFile {
    writer: Writer,
    games: u64,
    plies: u64,
    flushed: Instant,
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, GameFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays on as many threads as there shall be, or as can be started.
    fn play_on_threads<P: Opening>(
        &self,
        mut report: impl FnMut(Progress) + Send,
    ) -> Result<(), RunError> {
        let here = thread::current();
        thread::scope(|scope| {
            let play = || {
                let result = self.play::<P>();
                self.ended.fetch_add(1, Ordering::Release);
                here.unpark();
                result
            };
            let mut handles = Vec::new();
            for _ in 0..self.run.threads.max(1) {
                let thread = thread::Builder::new().stack_size(STACK);
                match thread.spawn_scoped(scope, play) {
                    Ok(handle) => handles.push(handle),
                    Err(error) if handles.is_empty() => return Err(RunError::Threads(error)),
                    Err(_) => break,
                }
            }
            let mut flushed = Ok(());
            // A thread that ends in a panic does not count itself.
            while self.ended.load(Ordering::Acquire) < handles.len()
                && !handles.iter().all(thread::ScopedJoinHandle::is_finished)
            {
                thread::park_timeout(REPORT_EVERY);
                report(self.progress());
                if let Err(error) = self.lock().flush_in_time() {
                    self.stop.store(true, Ordering::Relaxed);
                    flushed = Err(error.into());
                }
            }
            let joined = handles.into_iter().map(|handle| match handle.join() {
                Ok(result) => result,
                Err(_) => Err(RunError::Panic),
            });
            joined.fold(flushed, Result::and)
        })
    }

    fn play<P: Opening>(&self) -> Result<(), RunError> {
        let settings = &self.run.settings;
        let mut searcher = Searcher::<P>::new();
        searcher.set_hash(settings.hash);
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.run.games {
                break;
            }
            if self.done.contains(&number) {
                continue;
            }
            let Some(game) = game::<P>(&mut searcher, settings, number) else {
                continue;
            };
            let mut file = self.lock();
            file.games += 1;
            file.plies += game.moves.iter().filter(|m| m.score.is_some()).count() as u64;
            if let Err(error) = file.writer.add(&game) {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        let file = self.lock();
        Progress {
            games: file.games,
            wanted: self.run.games,
            plies: file.plies,
            elapsed: self.began.elapsed(),
            cut: self.cut,
        }
    }
}

impl GameFile {
    fn flush_in_time(&mut self) -> Result<(), FileError> {
        if self.flushed.elapsed() + REPORT_EVERY < FLUSH {
            return Ok(());
        }
        self.flushed = Instant::now();
        self.writer.flush()
    }
}
