//! What engines wrote to standard error on a worker, where the user of the match finds
//! it: in the file that `stderr=` names, or as a warning when the engine broke down.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use quadrille_match::pairing::Pairing;
use quadrille_match::referee::{Ending, Termination};
use quadrille_match::tournament::MatchEvent;

use super::Director;
use crate::names::explained;

/// Lines of a game that are taken from a worker, for each side.
const MOST_LINES: usize = 50;
/// Lines that a warning shows.
const MOST_SHOWN: usize = 6;

impl Director {
    /// Keeps or tells what engines wrote in a game.
    pub(super) fn engine_output(
        &self,
        pairing: &Pairing,
        name: &str,
        ending: &Ending,
        lines: &[Vec<String>; 2],
    ) {
        let players = [pairing.white, pairing.black];
        for (side, (player, lines)) in players.into_iter().zip(lines).enumerate() {
            let entrant = &self.config.engines[player];
            let first = lines.len().saturating_sub(MOST_LINES);
            let lines: Vec<String> = lines[first..].iter().map(|line| explained(line)).collect();
            let broke = matches!(
                ending.termination,
                Termination::Stall { .. } | Termination::Disconnect { .. }
            );
            let lost = ending.loser().is_some_and(|loser| loser.index() == side);
            if lines.is_empty() {
                continue;
            }
            if let Some(file) = entrant.spec.stderr.clone() {
                self.write_lines(file, pairing.number, name, &lines);
            } else if broke && lost {
                let first = lines.len().saturating_sub(MOST_SHOWN);
                let reason = format!(
                    "game {}: the last words of {} on worker {name}: {} (stderr=FILE of its \
                     -engine keeps all)",
                    pairing.number,
                    entrant.name(),
                    lines[first..].join(" / ")
                );
                self.queue.tell(MatchEvent::Warning { reason });
            }
        }
    }

    /// Appends lines to a file, on a thread that no game waits for.
    fn write_lines(&self, file: PathBuf, game: u64, name: &str, lines: &[String]) {
        let mut text = String::new();
        for line in lines {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "game {game} on {name}: {line}");
        }
        let queue = std::sync::Arc::clone(&self.queue);
        drop(tokio::task::spawn_blocking(move || {
            if let Err(error) = append(&file, &text) {
                let reason = format!("{}: {error}", file.display());
                queue.tell(MatchEvent::Warning { reason });
            }
        }));
    }
}

fn append(file: &PathBuf, text: &str) -> io::Result<()> {
    // Nothing that may have a reader who does not read.
    if std::fs::metadata(file).is_ok_and(|known| !known.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    let mut file = std::fs::File::options()
        .create(true)
        .append(true)
        .open(file)?;
    file.write_all(text.as_bytes())
}
