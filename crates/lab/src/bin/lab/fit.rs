//! A fit of the chess evaluation to self-play.

use std::path::Path;
use std::time::Instant;

use quadrille_lab::fit::{Fit, FitSettings, Values};
use quadrille_lab::sample::{Contents, Samples};
use quadrille_lab::write;
use quadrille_search::chess::features::COUNT;
use quadrille_search::chess::worth;

use crate::args::Args;
use crate::{cores, print_line, warn_torn};

pub(crate) const USAGE: &str = "
lab fit [options] FILE...    fits the chess evaluation to files of games
  --out DIR        where params.rs and king_tables.rs go (default: print errors only)
  --epochs N       passes over the data (default 40)
  --batch N        positions per step (default 16384)
  --rate X         length of a step in hundredths of a pawn (default 1)
  --result X       share of the game's result in the target, the rest is the
                   search's score (default 0.4)
  --prior X        how much the start values count, in positions (default 2000)
  --king-prior X   the same for the tables of the kings and zero (default 10000)
  --threads N      (default: all cores)
  --seed N         order of the positions (default 1)
  --note TEXT      a line for the history in the files
";

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let settings = FitSettings {
        epochs: args.value("--epochs", 40)?,
        batch: args.value("--batch", 16_384)?,
        rate: args.value("--rate", 1.0)?,
        result_share: args.value("--result", 0.4)?,
        prior: args.value("--prior", 2000.0)?,
        king_prior: args.value("--king-prior", 10_000.0)?,
        threads: args.value("--threads", cores())?,
        seed: args.value("--seed", 1)?,
    };
    let out = args.text("--out")?;
    let note = args.text("--note")?;
    let files = args.files()?;
    let samples = read(&files, settings.threads)?;
    let values: Values = (0..COUNT)
        .map(|feature| {
            let pair = worth(feature);
            [pair.middlegame() as f32, pair.endgame() as f32]
        })
        .collect();
    let mut fit = Fit::new(&samples, settings.clone(), values);
    let before = fit.errors();
    print_line(&format!("steepness {:.6}", fit.k()))?;
    print_line(&format!(
        "start: error {:.6}, held out {:.6}",
        before[0], before[1]
    ))?;
    let began = Instant::now();
    let mut best = (before[1], fit.values().clone());
    for epoch in 0..settings.epochs {
        fit.epoch(epoch);
        let now = fit.errors();
        print_line(&format!(
            "epoch {}: error {:.6}, held out {:.6}, {:.0} s",
            epoch + 1,
            now[0],
            now[1],
            began.elapsed().as_secs_f32()
        ))?;
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
        let contents = samples.read(Path::new(file), threads);
        let Contents {
            positions,
            skipped,
            torn,
        } = contents.map_err(|error| error.to_string())?;
        warn_torn(file, torn);
        print_line(&format!(
            "{file}: {positions} positions, {skipped} left out"
        ))?;
    }
    if samples.list.is_empty() {
        return Err("no positions to fit to".into());
    }
    Ok(samples)
}

fn save(folder: &str, name: &str, text: &str) -> Result<(), String> {
    let path = Path::new(folder).join(name);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    print_line(&format!("wrote {}", path.display()))?;
    Ok(())
}
