//! `quadrille perft`: leaf counts of any game.

use core::fmt::Write as _;
use core::ops::ControlFlow;
use std::io::{self, IsTerminal, Write as _};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_games::AnyLine;
use quadrille_games::perft::{Options, PerftCounts, PerftError, PerftKind, Progress};
use serde_json::json;

use crate::failure::Failure;
use crate::setup::Setup;

/// Counts that take longer than this tell how far they are.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_REPORTS: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct Arguments {
    /// Plies
    #[arg(value_parser = plies)]
    depth: u32,

    #[command(flatten)]
    setup: Setup,

    /// The count behind each first move
    #[arg(long, short)]
    divide: bool,

    /// Threads; 0 is one for each processor
    #[arg(long, short, value_name = "N", default_value_t = 0)]
    threads: usize,

    /// Remember positions that are reached twice, in so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,

    /// What is counted: legal; also exact or generated (leiser), reference
    /// (liberty)
    #[arg(long, short, value_name = "COUNT", default_value = "legal")]
    count: PerftKind,

    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

fn plies(text: &str) -> Result<u32, &'static str> {
    let wrong = "write how many plies to look ahead, for instance 5";
    text.parse().map_err(|_| wrong)
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let line = arguments.setup.line()?;
    let reporter = Reporter::new();
    let report = |progress| reporter.report(progress);
    let options = Options {
        depth: arguments.depth,
        threads: arguments.threads,
        hash_mb: arguments.hash,
        progress: io::stderr().is_terminal().then_some(&report),
    };
    let started = Instant::now();
    let result = line.perft(arguments.count, &options);
    let elapsed = started.elapsed();
    reporter.clear();
    let tally = result.map_err(|error| failure(&error, arguments))?;
    Ok(if arguments.json {
        object(arguments, &line, &tally, elapsed)
    } else {
        text(arguments, &tally, elapsed)
    })
}

fn failure(error: &PerftError, arguments: &Arguments) -> Failure {
    let counts = PerftKind::of(arguments.setup.game());
    let names: Vec<&str> = counts.iter().map(|count| count.name()).collect();
    match error {
        PerftError::NotCounted => Failure::input(format!(
            "{} has no count '{}'",
            arguments.setup.game(),
            arguments.count
        ))
        .hint(format!("its counts are {}", names.join(", "))),
        PerftError::NoMemory { .. } => Failure::machine(error),
        _ => Failure::input(error),
    }
}

fn text(arguments: &Arguments, tally: &PerftCounts<String>, elapsed: Duration) -> String {
    let mut out = String::new();
    if arguments.divide {
        let width = tally.moves.iter().map(|m| m.0.len()).max().unwrap_or(0);
        for (name, leaves) in &tally.moves {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{name:<width$} {leaves}");
        }
        out.push('\n');
    }
    let _ = writeln!(out, "nodes  {}", tally.total);
    let _ = writeln!(out, "time   {:.3} s", elapsed.as_secs_f64());
    let _ = writeln!(out, "speed  {} nodes/s", short(speed(tally.total, elapsed)));
    out
}

fn object(
    arguments: &Arguments,
    line: &AnyLine,
    tally: &PerftCounts<String>,
    elapsed: Duration,
) -> String {
    let mut object = json!({
        "game": line.game().name(),
        "rules": line.rules_text(),
        "position": line.position_text(),
        "count": arguments.count.name(),
        "depth": arguments.depth,
        "nodes": tally.total,
        "elapsed": elapsed.as_micros() as f64 / 1000.0,
        "nps": speed(tally.total, elapsed) as u64,
    });
    if arguments.divide {
        let moves = tally.moves.iter();
        let moves = moves.map(|(name, leaves)| json!({ "move": name, "nodes": leaves }));
        object["divide"] = moves.collect();
    }
    format!("{object:#}\n")
}

/// Leaves per second; a count too short to measure has no infinite speed.
fn speed(leaves: u64, elapsed: Duration) -> f64 {
    leaves as f64 / elapsed.as_secs_f64().max(1e-6)
}

/// A large number for people: `215.3 million`.
fn short(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.2} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.1} million", n / 1e6),
        n => format!("{n:.0}"),
    }
}

/// Rewrites one line on the terminal now and then.
struct Reporter {
    started: Instant,
    /// When the line was last written.
    last: Mutex<Option<Instant>>,
}

impl Reporter {
    fn new() -> Self {
        Self {
            started: Instant::now(),
            last: Mutex::new(None),
        }
    }

    fn report(&self, progress: Progress) -> ControlFlow<()> {
        let elapsed = self.started.elapsed();
        // A thread that finds the lock taken has nothing newer to say.
        if elapsed >= PATIENCE
            && let Ok(mut last) = self.last.try_lock()
            && last.is_none_or(|then| then.elapsed() >= BETWEEN_REPORTS)
        {
            *last = Some(Instant::now());
            let percent = 100 * progress.done / progress.jobs.max(1);
            let leaves = short(progress.leaves as f64);
            let pace = short(speed(progress.leaves, elapsed));
            let _ = write!(
                io::stderr().lock(),
                "\r\x1b[K{percent:3} %  {leaves} nodes, {pace} nodes/s"
            );
        }
        ControlFlow::Continue(())
    }

    /// Wipes the line away, if there is one.
    fn clear(&self) {
        if self.last.lock().is_ok_and(|last| last.is_some()) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
