//! Plays games and keeps their quiet positions.
//!
//! ```text
//! selfplay --out FILE [options]
//!   --games N      games to play (default 1000)
//!   --nodes N      nodes for each move (default 5000)
//!   --threads N    games at a time (default: all cores)
//!   --seed N       the same seed gives the same games (default 1)
//!   --seconds N    stop after this long, finishing no more games (default: none)
//!   --plies N      random plies at the start (default 8)
//!   --shuffled N   percent of games from shuffled start positions (default 10)
//!   --hash N       mebibytes for each game's table (default 8)
//! ```
//! Game `n` depends on the seed and `n` alone, so that runs with different
//! seeds can be put together. Positions of one game stay together; the order of
//! the games does not.

use core::sync::atomic::{AtomicU64, Ordering};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quadrille_games::random::SplitMix64;
use quadrille_lab::args::Args;
use quadrille_lab::record::Record;
use quadrille_lab::values_play::{Settings, game};
use quadrille_search::Searcher;

fn main() -> ExitCode {
    match run(Args::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("selfplay: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What all threads share.
struct Run {
    settings: Settings,
    seed: u64,
    games: u64,
    hash: usize,
    until: Option<Instant>,
    began: Instant,
    next: AtomicU64,
    output: Mutex<Output>,
}

struct Output {
    file: BufWriter<File>,
    games: u64,
    positions: u64,
    told: Instant,
}

fn run(mut args: Args) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.value("--threads", cores)?.clamp(1, 256);
    let settings = Settings {
        nodes: args.value("--nodes", 5_000)?,
        random_plies: args.value("--plies", 8)?,
        shuffled: args.value("--shuffled", 10)?,
    };
    let seconds: Option<u64> = match args.text("--seconds")? {
        Some(text) => Some(text.parse().map_err(|_| "--seconds needs a number")?),
        None => None,
    };
    let path = args.text("--out")?.ok_or("--out FILE is missing")?;
    let file = File::create(&path).map_err(|error| format!("{path}: {error}"))?;
    let began = Instant::now();
    let run = Run {
        settings,
        seed: args.value("--seed", 1)?,
        games: args.value("--games", 1_000)?,
        hash: args.value("--hash", 8)?,
        until: seconds.map(|s| began + Duration::from_secs(s)),
        began,
        next: AtomicU64::new(0),
        output: Mutex::new(Output {
            file: BufWriter::new(file),
            games: 0,
            positions: 0,
            told: began,
        }),
    };
    args.rest()?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(|| run.play())).collect();
        threads.into_iter().try_for_each(|thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err("a game ended in a panic".into()))
        })
    })?;
    let mut output = run
        .output
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    output.file.flush().map_err(|error| error.to_string())?;
    output.tell(run.began);
    Ok(())
}

impl Run {
    fn play(&self) -> Result<(), String> {
        let mut searcher = Searcher::new();
        searcher.set_hash(self.hash);
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let late = self.until.is_some_and(|until| Instant::now() >= until);
            if number >= self.games || late {
                return Ok(());
            }
            let seed = SplitMix64::new(self.seed ^ number.rotate_left(32)).next();
            let records = game(
                &mut searcher,
                &self.settings,
                &mut SplitMix64::new(seed),
                number,
            );
            let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
            output.write(&records).map_err(|error| error.to_string())?;
            if output.told.elapsed() > Duration::from_secs(10) {
                output.tell(self.began);
            }
        }
    }
}

impl Output {
    fn write(&mut self, records: &[Record]) -> std::io::Result<()> {
        for record in records {
            self.file.write_all(&record.0)?;
        }
        self.games += u64::from(!records.is_empty());
        self.positions += records.len() as u64;
        Ok(())
    }

    fn tell(&mut self, began: Instant) {
        let seconds = began.elapsed().as_secs_f64().max(0.001);
        eprintln!(
            "{} games, {} positions, {:.0} s, {:.0} positions/s",
            self.games,
            self.positions,
            seconds,
            self.positions as f64 / seconds
        );
        self.told = Instant::now();
    }
}
