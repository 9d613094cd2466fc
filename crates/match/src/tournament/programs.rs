//! Whether engines are still the programs that an event began with.

use super::run::{Tournament, TournamentError};
use quadrille_driver::{ProgramFile, program_files};

/// The name of the note.
const KEY: &str = "programs";

/// What is different about an engine, in words.
fn difference(before: &[ProgramFile], now: &[ProgramFile]) -> Option<String> {
    for old in before {
        let path = old.path.display();
        match now.iter().find(|new| new.path == old.path) {
            Some(new) if new == old => {}
            Some(new) => {
                return Some(format!(
                    "{path} has changed ({} bytes, CRC {:08x}; before {} bytes, CRC {:08x})",
                    new.bytes, new.crc32, old.bytes, old.crc32
                ));
            }
            None => match now.first() {
                Some(new) => return Some(format!("it was {path} and is {}", new.path.display())),
                None => return Some(format!("{path} cannot be read any more")),
            },
        }
    }
    None
}

impl Tournament {
    /// Compares the programs with those that the event began or last went on
    /// with, and remembers them. The warnings, one for each engine that changed.
    pub(super) fn check_programs(&mut self) -> Result<Vec<String>, TournamentError> {
        let engines = self.config.engines.iter();
        let now: Vec<_> = engines.map(|e| program_files(&e.spec)).collect();
        let known = self.store.reader()?.note(KEY)?;
        let known: Option<Vec<Vec<ProgramFile>>> =
            known.and_then(|text| serde_json::from_str(&text).ok());
        // Files and numbers always have a text.
        let text = serde_json::to_string(&now).unwrap_or_default();
        self.store.note(KEY, text);
        let mut warnings = Vec::new();
        let before = known.into_iter().flatten();
        for ((player, before), now) in before.enumerate().zip(&now) {
            if let Some(difference) = difference(&before, now) {
                let name = self.config.engines.get(player).map_or("?", |e| e.name());
                let what = format!("the program of engine '{name}': {difference}");
                warnings.push(format!(
                    "{what}; the event goes on with it, and its earlier games were played by the other"
                ));
                self.note_change(what);
            }
        }
        Ok(warnings)
    }
}
