//! An opening book from self-play.

use std::time::{Duration, Instant};

use quadrille_lab::book::{BookSettings, Tree};
use quadrille_search::Searcher;

use crate::args::Args;
use crate::{cores, print_line};

pub(crate) const USAGE: &str = "
lab book --out FILE [options]    makes an opening book of chess from self-play
  --walks N       searches and games to make (default 2000)
  --seconds N     stop after this long, at the end of a batch (default: none)
  --threads N     (default: all cores)
  --nodes N       nodes for a new position (default 200000)
  --game-nodes N  nodes for each move of a game (default 2000)
  --lines N       moves looked at in a position (default 6)
  --margin N      hundredths of a pawn a move may be worse (default 60)
  --plies N       depth of the tree (default 24)
  --batch N       walks at a time; part of what makes a book (default 128)
  --width X       how much the walks spread (default 1.5)
  --entries N     size of the book, 16 bytes each (default 19000)
  --seed N        (default 1)
  --hash N        mebibytes for each thread (default 16)
The same settings with the same number of walks give the same book; after a run that
the clock ended, the last line says how many they were.
";

/// Time between two lines of progress.
const REPORT_EVERY: Duration = Duration::from_secs(10);

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let threads = args.value("--threads", cores())?.clamp(1, 256);
    let settings = BookSettings {
        nodes: args.value("--nodes", 200_000)?,
        game_nodes: args.value("--game-nodes", 2_000)?,
        lines: args.value("--lines", 6usize)?.clamp(1, 100),
        margin: args.value("--margin", 60)?,
        plies: args.value("--plies", 24usize)?.clamp(1, 100),
        batch: args.value("--batch", 128usize)?.clamp(1, 10_000),
        width: args.value("--width", 1.5)?,
        seed: args.value("--seed", 1)?,
    };
    let walks: u64 = args.value("--walks", 2_000)?;
    let seconds: u64 = args.value("--seconds", u64::MAX / 4)?;
    let entries: usize = args.value("--entries", 19_000)?;
    let hash: usize = args.value("--hash", 16)?;
    let path = args.text("--out")?.ok_or("--out FILE is missing")?;
    args.end()?;
    // Before the work, so that a wrong path does not cost it.
    std::fs::write(&path, []).map_err(|error| format!("{path}: {error}"))?;

    let mut searchers: Vec<_> = (0..threads).map(|_| Searcher::new()).collect();
    for searcher in &mut searchers {
        searcher.set_hash(hash);
    }
    let began = Instant::now();
    let mut reported = began;
    let mut tree = Tree::new(settings.clone());
    while tree.walks() < walks && began.elapsed().as_secs() < seconds {
        tree.grow(&mut searchers);
        if reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            let (count, spent) = (tree.walks(), began.elapsed().as_secs());
            eprintln!("{count} walks, {} positions, {spent} s", tree.len());
        }
    }
    let book = tree.entries(entries);
    let bytes: Vec<u8> = book.iter().flat_map(|entry| entry.to_bytes()).collect();
    std::fs::write(&path, &bytes).map_err(|error| format!("{path}: {error}"))?;
    print_line(&format!(
        "{path}: {} entries, checksum {:016x}; version {}, walks {}, {settings:?}",
        book.len(),
        checksum(&bytes),
        env!("CARGO_PKG_VERSION"),
        tree.walks(),
    ))
}

/// Tells books apart (FNV-1a).
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
