//! Games of the engine against itself by the rules of a preset.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quadrille_games::{Game, match_game};
use quadrille_lab::openings::Opening;
use quadrille_lab::{Preset, Progress, Run, RunError, Settings, engine_signature, run as play};

use crate::args::Args;
use crate::cores;

pub(crate) const USAGE: &str = "
lab play --game GAME --out FILE [options]    plays games; a FILE that exists is continued
  --preset NAME  standard, values (chess) or weights (the other games) (default standard)
  --games N      games in the file when it is done (default 1000)
  --nodes N      nodes for each move (default: standard 400, values 5000, weights 2000)
  --threads N    games at a time (default: all cores)
  --seed N       the same seed gives the same games (default 1)
  --seconds N    stop after this long (default: none)
  --hash N       mebibytes for each game's table (default 4, values 8)
";

/// Time between two lines of progress.
const REPORT_EVERY: Duration = Duration::from_secs(10);

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let game = args.text("--game")?.ok_or("--game GAME is missing")?;
    let game: Game = game.parse().map_err(|error| format!("{error}"))?;
    let preset: Preset = match args.text("--preset")? {
        Some(name) => name.parse()?,
        None => Preset::Standard,
    };
    if !preset.suits(game) {
        return Err(format!("preset {preset} is not for {game}"));
    }
    let (nodes, hash) = match preset {
        Preset::Standard => (400, 4),
        Preset::Values => (5_000, 8),
        Preset::Weights => (2_000, 4),
    };
    let settings = Settings {
        nodes: args.value("--nodes", nodes)?.clamp(1, 1_000_000_000),
        hash: args.value("--hash", hash)?,
        seed: args.value("--seed", 1)?,
        preset,
    };
    let games = args.value("--games", 1_000)?;
    let threads = args.value("--threads", cores())?.clamp(1, 256);
    let seconds = args.value("--seconds", u64::MAX / 4)?;
    let out = args.text("--out")?.ok_or("--out FILE is missing")?;
    args.end()?;
    let order = Run {
        settings,
        games,
        threads,
        engine: String::new(),
    };
    let end = match_game!(game, P => generate::<P>(order, &out, Duration::from_secs(seconds)));
    end.map_err(|error| error.to_string())
        .map(|end| eprintln!("{end}"))
}

fn generate<P: Opening>(order: Run, out: &str, most: Duration) -> Result<Progress, RunError> {
    let run = Run {
        engine: engine_signature::<P>(),
        ..order
    };
    let stop = AtomicBool::new(false);
    let mut reported = Instant::now();
    play::<P>(&run, Path::new(out), &stop, |progress| {
        if progress.elapsed >= most {
            stop.store(true, Ordering::Relaxed);
        }
        if reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            eprintln!("{progress}");
        }
    })
}
