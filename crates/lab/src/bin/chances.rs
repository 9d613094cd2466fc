//! Fits the curves of `UCI_ShowWDL` to self-play.
//!
//! `chances FILE...`: files of `weights play`, or of `selfplay` (chess) if the
//! name ends in `.bin`. Prints the score at which winning is an even chance, how
//! quickly chances change around it, and a table of what was seen.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::ExitCode;

use quadrille_lab::args::Args;
use quadrille_lab::chances::Seen;
use quadrille_lab::record::{Record, SIZE};

fn main() -> ExitCode {
    match run(Args::from_env()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chances: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args) -> Result<(), String> {
    let files = args.rest()?;
    if files.is_empty() {
        return Err("name at least one file of positions".into());
    }
    let mut seen = Seen::default();
    for file in &files {
        let is_chess = Path::new(file).extension().is_some_and(|end| end == "bin");
        let read = if is_chess {
            read_records(file, &mut seen)
        } else {
            read_lines(file, &mut seen)
        };
        read.map_err(|error| format!("{file}: {error}"))?;
    }
    if seen.is_empty() {
        return Err("no positions".into());
    }
    let curve = seen.fit();
    println!("{} positions", seen.len());
    println!("margin {:.0}, spread {:.0}", curve.margin, curve.spread);
    println!("likelihood {:.4}", seen.likelihood(curve));
    for score in (0..=600).step_by(100) {
        let win = 100.0 * curve.win(score.into());
        let loss = 100.0 * curve.win((-score).into());
        println!("{score:>4}: {win:4.1} % won, {loss:4.1} % lost");
    }
    Ok(())
}

fn read_records(file: &str, seen: &mut Seen) -> std::io::Result<()> {
    let bytes = fs::read(file)?;
    for chunk in bytes.chunks_exact(SIZE) {
        let mut record = [0; SIZE];
        record.copy_from_slice(chunk);
        let record = Record(record);
        seen.add(record.score().into(), (2.0 * record.result()) as u8);
    }
    Ok(())
}

/// `position|result|value`; lines of another form are left out.
fn read_lines(file: &str, seen: &mut Seen) -> std::io::Result<()> {
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        let mut parts = line.rsplitn(3, '|');
        let value = parts.next().and_then(|text| text.parse().ok());
        let result = parts.next().and_then(|text| text.parse().ok());
        if let (Some(value), Some(result)) = (value, result) {
            seen.add(value, result);
        }
    }
    Ok(())
}
