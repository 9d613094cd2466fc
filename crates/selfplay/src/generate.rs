//! Many games on many threads, begun or continued.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_search::Searcher;

use crate::file::{FileError, Games, Header, Writer};
use crate::openings::Opening;
use crate::play::{Settings, game};

/// How much a killed run may lose.
const FLUSH: Duration = Duration::from_secs(20);
/// How often the run tells how far it is.
const TELL: Duration = Duration::from_secs(2);
/// A search goes as deep as its table of plies.
const STACK: usize = 8 << 20;

/// Why a run cannot begin or go on.
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
        /// What differs.
        key: String,
        /// As it stands in the file.
        there: String,
        /// As it was asked for.
        here: String,
    },
    /// A thread of games ended in a panic.
    #[error("a game ended in a panic; what was played is in the file")]
    Panic,
}

/// What to play.
#[derive(Debug, Clone)]
pub struct Run {
    /// How.
    pub settings: Settings,
    /// How many games the file holds in the end.
    pub games: u64,
    /// Games at a time.
    pub threads: usize,
    /// Who plays, for the header: a change of play is another run.
    pub engine: String,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Games in the file, those of earlier runs included.
    pub games: u64,
    /// How many there will be.
    pub wanted: u64,
    /// Moves searched by this run.
    pub plies: u64,
    /// Since this run began.
    pub elapsed: Duration,
}

impl Run {
    fn header<P: Opening>(&self) -> Header {
        let made = [
            ("engine", self.engine.clone()),
            ("nodes", self.settings.nodes.to_string()),
            ("hash", self.settings.hash.to_string()),
            ("seed", self.settings.seed.to_string()),
        ];
        Header {
            game: P::GAME,
            rules: P::rules_text(&P::run_rules()),
            made: made.map(|(k, v)| (k.into(), v)).into(),
        }
    }
}

/// Plays games into a file until it holds as many as wanted or `stop` is set. A
/// file that exists is continued if it was made with the same settings.
pub fn run<P: Opening>(
    run: &Run,
    path: &Path,
    stop: &AtomicBool,
    mut tell: impl FnMut(Progress) + Send,
) -> Result<Progress, RunError> {
    let header = run.header::<P>();
    let (writer, done) = if path.exists() {
        resume::<P>(path, &header)?
    } else {
        (Writer::create(path, &header)?, HashSet::new())
    };
    let hall = Hall {
        run,
        stop,
        next: AtomicU64::new(0),
        began: Instant::now(),
        desk: Mutex::new(Desk {
            writer,
            games: done.len() as u64,
            plies: 0,
            flushed: Instant::now(),
        }),
        done,
    };
    let threads = run.threads.max(1);
    let here = thread::current();
    thread::scope(|scope| {
        let play = || {
            let result = hall.play::<P>();
            here.unpark();
            result
        };
        let handles: Vec<_> = (0..threads)
            .filter_map(|_| {
                let thread = thread::Builder::new().stack_size(STACK);
                thread.spawn_scoped(scope, play).ok()
            })
            .collect();
        while !handles.iter().all(thread::ScopedJoinHandle::is_finished) {
            thread::park_timeout(TELL);
            tell(hall.progress());
        }
        handles
            .into_iter()
            .try_for_each(|handle| match handle.join() {
                Ok(result) => result,
                Err(_) => Err(RunError::Panic),
            })
    })?;
    hall.lock().writer.flush()?;
    Ok(hall.progress())
}

/// Opens a file to go on with it; says which games it has.
fn resume<P: Opening>(path: &Path, header: &Header) -> Result<(Writer, HashSet<u64>), RunError> {
    let mut games = Games::open(path)?;
    let there = games.header();
    let own = |header: &Header, key: &str| header.get(key).unwrap_or_default().to_owned();
    let mut pairs = vec![
        ("game", there.game.to_string(), header.game.to_string()),
        ("rules", there.rules.clone(), header.rules.clone()),
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
    Ok((Writer::resume(path, games.whole_bytes())?, done))
}

/// What the threads share.
struct Hall<'a> {
    run: &'a Run,
    stop: &'a AtomicBool,
    next: AtomicU64,
    began: Instant,
    desk: Mutex<Desk>,
    done: HashSet<u64>,
}

struct Desk {
    writer: Writer,
    games: u64,
    plies: u64,
    flushed: Instant,
}

impl Hall<'_> {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
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
            let mut desk = self.lock();
            desk.games += 1;
            desk.plies += game.moves.iter().filter(|m| m.score.is_some()).count() as u64;
            let written = desk.writer.add(&game).and_then(|()| desk.flush_in_time());
            if let Err(error) = written {
                self.stop.store(true, Ordering::Relaxed);
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        let desk = self.lock();
        Progress {
            games: desk.games,
            wanted: self.run.games,
            plies: desk.plies,
            elapsed: self.began.elapsed(),
        }
    }
}

impl Desk {
    fn flush_in_time(&mut self) -> Result<(), FileError> {
        if self.flushed.elapsed() < FLUSH {
            return Ok(());
        }
        self.flushed = Instant::now();
        self.writer.flush()
    }
}
