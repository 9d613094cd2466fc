//! Fits the chess evaluation to self-play.
//!
//! ```text
//! tune [options] FILE...
//!   --out DIR        where params.rs and king_tables.rs go (default: print errors only)
//!   --epochs N       passes over the data (default 40)
//!   --batch N        positions per step (default 16384)
//!   --rate X         length of a step in hundredths of a pawn (default 1)
//!   --result X       share of the game's result in the target, the rest is the
//!                    search's score (default 0.4)
//!   --prior X        how much the start values count, in positions (default 2000)
//!   --king-prior X   the same for the tables of the kings and zero (default 10000)
//!   --threads N      (default: all)
//!   --seed N         order of the positions (default 1)
//!   --note TEXT      a line for the history in the files
//! ```

use std::process::ExitCode;
use std::time::Instant;

use quadrille_lab::args::Args;
use quadrille_lab::fit::{Fit, Settings, Values};
use quadrille_lab::sample::Samples;
use quadrille_lab::write;
use quadrille_search::chess::features::COUNT;
use quadrille_search::chess::worth;

fn main() -> ExitCode {
    match run(Args::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tune: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: Args) -> Result<(), String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let settings = Settings {
        epochs: args.value("--epochs", 40)?,
        batch: args.value("--batch", 16_384)?,
        rate: args.value("--rate", 1.0)?,
        result_share: args.value("--result", 0.4)?,
        prior: args.value("--prior", 2000.0)?,
        king_prior: args.value("--king-prior", 10_000.0)?,
        threads: args.value("--threads", cores)?,
        seed: args.value("--seed", 1)?,
    };
    let out = args.text("--out")?;
    let note = args.text("--note")?;
    let files = args.rest()?;
    if files.is_empty() {
        return Err("name at least one file of positions".into());
    }
    let samples = read(&files, settings.threads)?;
    let values: Values = (0..COUNT)
        .map(|feature| {
            let pair = worth(feature);
            [pair.middlegame() as f32, pair.endgame() as f32]
        })
        .collect();
    let mut fit = Fit::new(&samples, settings.clone(), values);
    let before = fit.errors();
    println!("steepness {:.6}", fit.k());
    println!("start: error {:.6}, held out {:.6}", before[0], before[1]);
    let began = Instant::now();
    let mut best = (before[1], fit.values().clone());
    for epoch in 0..settings.epochs {
        fit.epoch(epoch);
        let now = fit.errors();
        println!(
            "epoch {}: error {:.6}, held out {:.6}, {:.0} s",
            epoch + 1,
            now[0],
            now[1],
            began.elapsed().as_secs_f32()
        );
        // What the positions outside the training say decides.
        if now[1] < best.0 {
            best = (now[1], fit.values().clone());
        }
    }
    let Some(out) = out else {
        return Ok(());
    };
    let mut history = vec![format!(
        "{} positions; epochs {}, batch {}, rate {}, result {}, prior {}, king prior {}, seed {}",
        samples.list.len(),
        settings.epochs,
        settings.batch,
        settings.rate,
        settings.result_share,
        settings.prior,
        settings.king_prior,
        settings.seed
    )];
    history.push(format!(
        "held out error {:.6} -> {:.6}, steepness {:.6}",
        before[1],
        best.0,
        fit.k()
    ));
    history.extend(note);
    save(&out, "params.rs", &write::params(&best.1, &history))?;
    save(
        &out,
        "king_tables.rs",
        &write::king_tables(&best.1, &history),
    )
}

fn read(files: &[String], threads: usize) -> Result<Samples, String> {
    let mut samples = Samples::default();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
        let (some, skipped) = Samples::read(&bytes, threads);
        println!("{file}: {} positions, {skipped} left out", some.list.len());
        samples.append(some);
    }
    if samples.list.is_empty() {
        return Err("these files hold no position that can be used".into());
    }
    Ok(samples)
}

fn save(folder: &str, name: &str, text: &str) -> Result<(), String> {
    let path = std::path::Path::new(folder).join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}
