//! Whether engines are still the programs that an event began with.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quadrille_games::files;
use serde::{Deserialize, Serialize};

use super::run::{Tournament, TournamentError};
use crate::spec::{Address, EngineSpec, find_program};

/// The name of the note.
const KEY: &str = "programs";

/// A file that an engine is made of. Not a proof against forgery, but no build
/// is like another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Program {
    path: PathBuf,
    bytes: u64,
    crc32: u32,
}

impl Program {
    fn of(path: PathBuf) -> io::Result<Self> {
        let mut file = files::open(&path)?;
        let mut crc = crc32fast::Hasher::new();
        let mut chunk = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            match file.read(&mut chunk)? {
                0 => break,
                count => {
                    crc.update(&chunk[..count]);
                    bytes += count as u64;
                }
            }
        }
        Ok(Self {
            path,
            bytes,
            crc32: crc.finalize(),
        })
    }
}

/// The program of an engine, and the files among its arguments: an interpreter
/// stays the same when its script changes. Nothing for one that is not started
/// here.
fn programs(spec: &EngineSpec) -> Vec<Program> {
    let Ok(Address::Program(command)) = spec.address() else {
        return Vec::new();
    };
    let inside = |path: &Path| match &spec.folder {
        Some(folder) => folder.join(path),
        None => path.into(),
    };
    // A word alone is rather a word than a file that happens to be there.
    let is_name = |path: &&Path| path.extension().is_some() || path.components().count() > 1;
    let arguments = spec.args.iter().map(Path::new).filter(is_name).map(inside);
    let files = find_program(&command).ok().into_iter().chain(arguments);
    // Reading from anything but a file may wait for ever.
    files
        .filter(|path| fs::metadata(path).is_ok_and(|known| known.is_file()))
        .filter_map(|path| Program::of(path).ok())
        .collect()
}

/// Size and checksum of each of these files.
pub(crate) fn program_marks(spec: &EngineSpec) -> Vec<(u64, u32)> {
    let marks = programs(spec).into_iter();
    marks
        .map(|program| (program.bytes, program.crc32))
        .collect()
}

/// What is different about an engine, in words.
fn difference(before: &[Program], now: &[Program]) -> Option<String> {
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
        let now: Vec<_> = engines.map(|e| programs(&e.spec)).collect();
        let known = self.store.reader()?.note(KEY)?;
        let known: Option<Vec<Vec<Program>>> =
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
